//! Counting the rows of a figure by their labels.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::Made;
use super::values::without_value;
use crate::frame::Scalar;
use crate::stage::stats::one_of;

/// One row for each place: how many rows stand there, as a share of all that agree with them in the first `within`
/// fields. Rows without a label are rows of a place as well, which says why they have none.
pub(super) fn shares(rows: Vec<Made>, within: usize) -> Vec<Made> {
    let mut totals: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    let mut places: IndexMap<Vec<String>, Vec<Made>> = IndexMap::new();
    for row in rows {
        *totals.entry(row.fields[..within].to_vec()).or_default() += 1;
        places.entry(row.fields.clone()).or_default().push(row);
    }
    let made = places.into_iter().filter_map(|(fields, rows)| {
        let n = rows.len();
        let (with, without): (Vec<Made>, Vec<Made>) =
            rows.into_iter().partition(|row| row.value.is_some());
        let mut row = without_value(without).or_else(|| with.into_iter().next())?;
        let one = one_of(i64::try_from(n).unwrap_or(i64::MAX));
        row.counts.set("n", one.get("n").clone());
        row.counts.set("n_of", Scalar::from("row"));
        row.value = Some(n as f64 / totals[&fields[..within]] as f64);
        Some(row)
    });
    made.collect()
}
