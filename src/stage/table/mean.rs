//! Rows and columns of a table with the mean over a field: statistics of what the cells show, marked and counted as these.

use super::{Made, Part, Table};
use crate::base::failure::Failure;
use crate::frame::Frame;
use crate::stage::{Expression, Stats};
use crate::stats::statistic::USUAL;

/// The column of statistics that says what they count.
const COUNTED: &str = "n_of";

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
