//! Equal values of a figure's rows put together, with how often each occurs.

use std::collections::BTreeMap;

use super::Made;
use crate::base::wording::list_of;
use crate::frame::Scalar;
use crate::stage::stats::{as_json, one_of};

/// Rows of one value put together: a row for each value that occurs in a place and how often, and one for those without.
pub(super) fn values(rows: Vec<Made>) -> Vec<Made> {
    let mut found: indexmap::IndexMap<Vec<String>, Vec<Made>> = indexmap::IndexMap::new();
    for row in rows {
        found.entry(row.fields.clone()).or_default().push(row);
    }
    let mut made = Vec::new();
    for (_, rows) in found {
        let (mut with, without): (Vec<Made>, Vec<Made>) =
            rows.into_iter().partition(|row| row.value.is_some());
        with.sort_by(|left, right| {
            let values = (
                left.value.unwrap_or_default(),
                right.value.unwrap_or_default(),
            );
            values.0.total_cmp(&values.1)
        });
        for mut row in with {
            match made.last_mut() {
                Some(Made {
                    fields,
                    value,
                    counts,
                    ..
                }) if *fields == row.fields && *value == row.value => {
                    let n = more(counts.get("n"));
                    counts.set("n", n);
                }
                _ => {
                    // Whatever is behind a value, here it is one.
                    let one = one_of(1);
                    for name in ["n", "n_of"] {
                        row.counts.set(name, one.get(name).clone());
                    }
                    made.push(row);
                }
            }
        }
        made.extend(without_value(without));
    }
    made
}

/// One row more.
pub(super) fn more(n: &Scalar) -> Scalar {
    match n {
        Scalar::Int(n) => Scalar::Int(n + 1),
        _ => Scalar::Int(1),
    }
}

/// The rows of one place that have no value, as one row that counts them and says why.
pub(super) fn without_value(rows: Vec<Made>) -> Option<Made> {
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    for row in &rows {
        *reasons
            .entry(row.why.clone().unwrap_or_else(|| "no value".to_owned()))
            .or_default() += 1;
    }
    let n = rows.len();
    let mut first = rows.into_iter().next()?;
    let said: Vec<String> = reasons
        .iter()
        .map(|(why, n)| format!("{why} {n}"))
        .collect();
    first.why = Some(list_of(&said).replace('`', ""));
    first.counts.set("n", Scalar::Null);
    first.counts.set("unscored", Scalar::from(n));
    first.counts.set("reasons", as_json(&reasons));
    Some(first)
}
