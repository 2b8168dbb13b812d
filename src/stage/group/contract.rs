//! What `group` stages say of themselves.

use std::collections::BTreeSet;

use super::{Every, Group, NO_NAME, no_name};
use crate::base::failure::Failure;
use crate::stage::columns::{Looking, NO_COLUMN};
use crate::stage::contract::{About, Compute, Gathers, Gives, Work};
use crate::stage::inputs::{Inputs, World};
use crate::stage::keys::lack_of_key;
use crate::stage::stats::Behind;
use crate::stage::{Columns, Holds, Mistake, Output, RowsOf, StageName, reason_column};

impl Work for Group {
    fn about() -> About {
        About {
            // 2: the number of rows says what it is made of, carried columns what is behind them. 3: pooled groups lack
            // values that others have, and carried columns of groups without rows say why they are empty.
            version: 3,
            reads: RowsOf::ALL,
            gives: Gives::Rows(&[RowsOf::Values]),
            gathers: Gathers::Over,
            columns: &[],
        }
    }

    fn reads(&self) -> Vec<&StageName> {
        let every = match &self.every {
            Some(Every::Stage(stage)) if *stage != self.from => Some(stage),
            _ => None,
        };
        std::iter::once(&self.from).chain(every).collect()
    }

    fn gathers(&self) -> &[String] {
        &self.over
    }

    fn columns(&self, looking: &mut Looking<'_>) -> Columns {
        let (read, from) = (looking.tables_of(&self.from), self.from.to_string());
        for pool in &self.pool {
            let held = read.holds(&pool.column);
            if ![Holds::Text, Holds::Unknown].contains(&held) {
                looking.lack(Mistake {
                    code: NO_COLUMN,
                    at: (vec!["pool".to_owned(), pool.column.clone()], None),
                    place: None,
                    message: no_name(pool, held.words()),
                    label: "a name beside other values",
                    help: NO_NAME.to_owned(),
                });
            }
        }
        for (key, names) in [
            ("by", &self.by),
            ("columns", &self.columns),
            ("order", &self.order),
            ("complete", &self.complete),
        ] {
            for name in names {
                looking.needs(&read, &[key], name, &from);
            }
        }
        for name in &self.by {
            lack_of_key(looking, &read, &["by"], (name, name), &from);
        }
        if let Some(Every::Stage(stage)) = &self.every {
            let there = looking.tables_of(stage);
            for name in &self.by {
                looking.needs(&there, &["every"], name, &stage.to_string());
            }
        }
        // Rows are read by what is computed of them, groups by what was computed before.
        let mut columns = read.clone();
        columns.set_open(false);
        let names: Vec<String> = read.names().into_iter().map(str::to_owned).collect();
        let kept = |name: &String| {
            let mut all = self.by.iter().chain(&self.columns).chain(&self.axes);
            all.any(|known| known == name || reason_column(known) == *name)
        };
        for name in names.iter().filter(|name| !kept(name)) {
            columns.remove(name);
        }
        for name in self.by.iter().chain(&self.columns) {
            if columns.lacks(name) {
                columns.set(name, Holds::Unknown);
            }
        }
        if self.every.is_some() {
            for name in &self.columns {
                columns.may_have(&reason_column(name), Holds::Text);
            }
        }
        for (name, value) in &self.compute {
            let at = ["compute", name.as_str()];
            // Outside of aggregates names are those of groups.
            let mut both = read.clone();
            for outer in value.outer() {
                let held = columns.holds(outer);
                if !value.columns().contains(outer) {
                    both.set(outer, held);
                }
            }
            let holds = looking.value(&both, &at, value, &from);
            columns.set(name, holds);
            columns.may_have(&reason_column(name), Holds::Text);
            if let Some(fields) = value.fields() {
                columns.set_fields(name, fields.iter().map(String::as_str));
            }
        }
        columns.set("n", Holds::Numbers);
        if !self.complete.is_empty() {
            columns.set("lacks", Holds::Text);
        }
        columns.set("behind", Holds::Text);
        columns.new_rows();
        columns
    }

    fn looks_at(&self) -> Option<BTreeSet<&str>> {
        let mut columns: BTreeSet<&str> = Behind::columns().collect();
        let named = [
            &self.axes,
            &self.by,
            &self.order,
            &self.columns,
            &self.complete,
        ];
        columns.extend(named.into_iter().flatten().map(String::as_str));
        columns.extend(self.pool.iter().map(|pool| pool.column.as_str()));
        let computed = self.compute.iter().flat_map(|(_, value)| value.columns());
        columns.extend(computed.map(String::as_str));
        Some(columns)
    }
}

impl Compute for Group {
    fn run(&self, inputs: &Inputs, _: &dyn World) -> Result<Output, Failure> {
        let reads = self.reads();
        let tables = inputs.by_stage(&reads)?;
        let table = |stage: &StageName| {
            let found = tables.iter().find(|(name, _)| name == stage);
            found.map(|(_, frame)| frame)
        };
        let from = table(&self.from)
            .ok_or_else(|| Failure::new(format!("`{}` was not handed over", self.from)))?;
        let every = match &self.every {
            Some(Every::Stage(stage)) => table(stage),
            _ => None,
        };
        let hint = format!("the columns come from `{}`", self.from);
        let grouped = self.group_and_pool(from, every);
        let (frame, warnings) = grouped.map_err(|failure| failure.or_hint(hint))?;
        Ok(Output {
            warnings,
            ..Output::of(frame)
        })
    }
}
