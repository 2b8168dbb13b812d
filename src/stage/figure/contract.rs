//! What `figure` stages say of themselves.

use std::collections::BTreeSet;

use super::{Figure, Interval};
use crate::base::failure::Failure;
use crate::stage::columns::Looking;
use crate::stage::contract::{About, Compute, Gathers, Gives, Work, each_once};
use crate::stage::inputs::{Inputs, World};
use crate::stage::stats::Behind;
use crate::stage::{Columns, Expression, NOT_APPLICABLE, Output, RowsOf, StageName};
use crate::stats::statistic::DF;

impl Work for Figure {
    fn about() -> About {
        About {
            // 2: conditions do not compare values of different kinds, and rows say what they are made of fewer of
            // than others, how they were computed, and what is behind statistics that a test is not on.
            // 3: violins count values, whatever is behind each of them.
            // 4: in histograms, values at ends of bins are in the bin that begins there, and ends have the width's decimals.
            version: 4,
            reads: RowsOf::ALL,
            gives: Gives::Shown,
            gathers: Gathers::All,
            columns: &[],
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        each_once(self.parts.iter().map(|part| &part.from))
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        for (index, part) in self.parts.iter().enumerate() {
            let columns = looking.tables_of(&part.from);
            let from = part.from.to_string();
            let index = index.to_string();
            for (step, fields) in [
                ("panels", &self.panels),
                ("y", &self.y),
                ("x", &self.x),
                ("series", &self.series),
            ] {
                for field in fields.iter().filter(|field| !part.set.contains_key(*field)) {
                    let name = part.rename.get(field).unwrap_or(field);
                    looking.needs(&columns, &[step], name, &from);
                }
            }
            // Of labels no number is read, and the column is one of the fields.
            if !self.form.is_of_labels() {
                let key = if self.form.is_of_pairs() {
                    "y"
                } else {
                    "value"
                };
                looking.needs_in_part(&columns, &index, key, &part.value, &from);
                looking.counts(&columns, &[key], &part.value, &from);
            }
            // Statistics hold the numbers that they are grouped by as texts.
            let told = self.numeric && !part.from.kind.gives(RowsOf::Statistics);
            let numbers = self.x.iter().filter(|_| told);
            for field in numbers.filter(|field| !part.set.contains_key(*field)) {
                let name = part.rename.get(field).unwrap_or(field);
                looking.counts(&columns, &["x"], name, &from);
            }
            for name in part.interval.iter().flat_map(Interval::columns) {
                looking.needs_in_part(&columns, &index, "interval", name, &from);
            }
            for (step, condition) in [("where", &part.condition), ("reference", &self.reference)] {
                let at = ["part", index.as_str(), step];
                looking.condition(&columns, &at, condition.as_ref(), &from);
            }
            if self.nonsignificant.is_some() {
                looking.needs(&columns, &["nonsignificant"], DF, &from);
            }
        }
        Columns::default()
    }

    fn looks_at(&self) -> Option<BTreeSet<&str>> {
        let mut columns: BTreeSet<&str> = Behind::columns().collect();
        columns.extend([DF, NOT_APPLICABLE]);
        columns.extend(self.fields().map(String::as_str));
        columns.extend(
            self.reference
                .iter()
                .flat_map(Expression::columns)
                .map(String::as_str),
        );
        for part in &self.parts {
            columns.insert(&part.value);
            columns.extend(part.rename.values().map(String::as_str));
            columns.extend(part.interval.iter().flat_map(Interval::columns));
            columns.extend(
                part.condition
                    .iter()
                    .flat_map(Expression::columns)
                    .map(String::as_str),
            );
        }
        Some(columns)
    }
}

impl Compute for Figure {
    fn run(&self, inputs: &Inputs, _: &dyn World) -> Result<Output, Failure> {
        self.arrange(&inputs.by_stage(&self.reads())?)
    }
}
