//! The same correlation on several levels of items and systems.

use std::collections::BTreeMap;

use super::{Coefficient, Value};
use crate::stats::mean;
use crate::stats::{Code, NoValue};

/// A rated output: which system made it, of which item, and both scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<'a> {
    /// The document, prompt or segment.
    pub item: &'a str,
    /// What made the output.
    pub system: &'a str,
    /// The judge's score.
    pub value: f64,
    /// The score it is held against.
    pub reference: f64,
}

/// Correlations by level.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    /// Of the means of systems.
    pub system: Value,
    /// Mean over items of the correlation across systems.
    pub instance: Value,
    /// Mean over systems of the correlation across items.
    pub within_system: Value,
    /// Of all rows.
    pub pooled: Value,
    /// How many systems there are.
    pub systems: usize,
    /// How many items have a correlation.
    pub items_used: usize,
    /// How many have none: too few rows, or a constant column.
    pub items_skipped: usize,
    /// How many systems have a correlation across items.
    pub systems_used: usize,
}

/// The correlations of `rows`; a part with fewer than `least` rows, or with a constant column, is left out and counted,
/// never entered as 0.
pub fn levels(coefficient: Coefficient, rows: &[Row], least: usize) -> Levels {
    let (instance, items_used, items_skipped) = mean_over(coefficient, rows, least, |row| row.item);
    let (within_system, systems_used, left_out) =
        mean_over(coefficient, rows, least, |row| row.system);
    let means = means_of_systems(rows);
    let system = means.and_then(|(values, references)| {
        at_least(values.len(), least, "systems")?;
        coefficient.of(&values, &references)
    });
    let (values, references) = columns(rows);
    Levels {
        system,
        instance,
        within_system,
        pooled: coefficient.of(&values, &references),
        systems: systems_used + left_out,
        items_used,
        items_skipped,
        systems_used,
    }
}

fn at_least(n: usize, least: usize, what: &str) -> Result<(), NoValue> {
    if n >= least {
        return Ok(());
    }
    let why = format!("{n} {what}; `least` asks for {least}");
    Err(NoValue::new(Code::TooFew, why))
}

fn columns(rows: &[Row]) -> (Vec<f64>, Vec<f64>) {
    rows.iter().map(|row| (row.value, row.reference)).unzip()
}

fn parts<'a, 'r>(
    rows: &'r [Row<'a>],
    of: fn(&Row<'a>) -> &'a str,
) -> BTreeMap<&'a str, Vec<Row<'a>>> {
    let mut parts: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
    for row in rows {
        parts.entry(of(row)).or_default().push(*row);
    }
    parts
}

/// The mean of the correlations of parts, how many have one and how many have not.
fn mean_over<'a>(
    coefficient: Coefficient,
    rows: &[Row<'a>],
    least: usize,
    of: fn(&Row<'a>) -> &'a str,
) -> (Value, usize, usize) {
    let parts = parts(rows, of);
    let mut found = Vec::with_capacity(parts.len());
    for part in parts.values().filter(|part| part.len() >= least) {
        let (values, references) = columns(part);
        found.extend(coefficient.of(&values, &references));
    }
    let none = || {
        let why = "no part has enough rows that vary on both sides";
        NoValue::new(Code::Undefined, why)
    };
    (
        mean(&found).ok_or_else(none),
        found.len(),
        parts.len() - found.len(),
    )
}

fn means_of_systems(rows: &[Row]) -> Result<(Vec<f64>, Vec<f64>), NoValue> {
    let mut means = (Vec::new(), Vec::new());
    for part in parts(rows, |row| row.system).values() {
        let (values, references) = columns(part);
        let large = || NoValue::new(Code::Undefined, "the numbers are too large for a mean");
        means.0.push(mean(&values).ok_or_else(large)?);
        means.1.push(mean(&references).ok_or_else(large)?);
    }
    Ok(means)
}
