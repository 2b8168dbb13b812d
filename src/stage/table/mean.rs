//! Rows and columns of a table with the mean over a field: statistics of what the cells show, marked and counted as these.

use super::raw::RawTable;
use super::{ABLATION, Made, Part, STATISTIC, Table};
use crate::base::failure::Failure;
use crate::base::wording::{list_of, nearest};
use crate::frame::Frame;
use crate::stage::check::{Context, Known};
use crate::stage::pool;
use crate::stage::{Expression, Stats};
use crate::stats::statistic::USUAL;
use crate::toml::{Problem, Problems};

/// The column of statistics that says what they count.
const COUNTED: &str = "n_of";

/// The fields over which means are shown, each with what these are called.
pub(super) fn read(
    context: &Context<'_>,
    at: &[String],
    raw: &RawTable,
    (fields, parts): (&[&String], &[Part]),
    known: &Known<'_>,
    problems: &mut Problems,
) -> Vec<(String, String)> {
    for (field, name) in &raw.mean {
        let path = [at, std::slice::from_ref(field)].concat();
        let key = context.layers.place_of_key(&path);
        let mut bad = |problem: Problem, help: String| problem.help(help).tell(problems);
        if !fields.contains(&field) {
            let problem = Problem::error(
                "spec::unknown-field",
                format!("`{field}` names neither rows nor columns of this table"),
            );
            bad(
                problem.label_at(key, "no mean over it"),
                match nearest(field, fields) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the fields are {}", list_of(fields)),
                },
            );
        } else if [STATISTIC, ABLATION].contains(&field.as_str()) {
            let problem = Problem::error(
                "spec::bad-table",
                format!("values of `{field}` have no mean"),
            );
            bad(
                problem.label_at(key, "no mean over it"),
                "cells of different statistics, and of variations of the experiment, are no parts of one thing".to_owned(),
            );
        } else if !parts.is_empty() && parts.iter().all(|part| part.gives(field)) {
            let problem = Problem::error(
                "spec::bad-table",
                format!(
                    "`set` fixes `{field}` in every part, so there is nothing to take a mean of"
                ),
            );
            bad(
                problem.label_at(key, "no mean over it"),
                "means are over the rows of a part: leave the field to the rows".to_owned(),
            );
        }
        for part in parts
            .iter()
            .filter(|part| part.condition.is_none() && !part.gives(field))
        {
            pool::counted_twice(context, &path, (&part.from, field), problems);
        }
        let axis = known.axes.iter().find(|axis| axis.name == *field);
        let taken =
            axis.is_some_and(|axis| axis.values.iter().any(|value| value.to_string() == *name));
        if taken || name.trim().is_empty() {
            let (message, label) = if taken {
                (
                    format!("`{name}` is a value of `{field}`"),
                    "cells are called so already",
                )
            } else {
                (
                    format!("the mean over `{field}` needs a name"),
                    "an empty name",
                )
            };
            context
                .problem("spec::bad-table", message, &path, label)
                .help("write what no value is called, such as `average`")
                .tell(problems);
        }
    }
    raw.mean
        .iter()
        .map(|(field, name)| (field.clone(), name.clone()))
        .collect()
}

impl Table {
    /// The cells with means over fields that the rows of a part have.
    pub(super) fn means(
        &self,
        part: &Part,
        fields: &[&String],
        (variant, input): (&str, &Frame),
    ) -> Result<Vec<Made>, Failure> {
        let mut cells = Vec::new();
        let over = self.mean.iter().filter(|(field, _)| !part.gives(field));
        let over: Vec<&(String, String)> = over.collect();
        if over.is_empty() {
            return Ok(cells);
        }
        let unheard = &mut Vec::new();
        let rows = Expression::rows_of_part(part.condition.as_ref(), input, &part.from, unheard)?;
        let own = Part {
            condition: None,
            p: None,
            ..part.clone()
        };
        let mut shown = vec![(own, input.take(&rows)?)];
        for (field, name) in over {
            let mut more = Vec::new();
            for (part, frame) in &shown {
                let column = frame.column(field)?;
                if (0..frame.rows()).any(|row| column.text(row).is_some_and(|text| *text == **name))
                {
                    return Err(Failure::new(format!(
                        "rows have `{name}` in `{field}`, and the mean over `{field}` is called so"
                    ))
                    .hint(format!("call the mean otherwise: `mean.{field} = \"...\"`")));
                }
                let by = fields
                    .iter()
                    .filter(|one| **one != field && !part.gives(one));
                let mut stats = Stats::mean_over(&part.from, &part.value, field);
                stats.of_kept = frame.has(COUNTED);
                stats.by = by.map(|name| (*name).clone()).collect();
                let mut set = part.set.clone();
                set.insert(field.clone(), name.clone());
                let part = Part {
                    value: USUAL.to_owned(),
                    set,
                    mean_of: Some(part.mean_of.clone().unwrap_or_else(|| part.value.clone())),
                    ..part.clone()
                };
                more.push((part, stats.compute(frame)?.frame));
            }
            shown.extend(more);
        }
        for (part, frame) in shown.iter().skip(1) {
            part.fill(fields, (variant, frame), &mut cells, unheard)?;
        }
        Ok(cells)
    }
}
