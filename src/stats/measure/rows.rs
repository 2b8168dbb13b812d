//! Rows taken apart for measures: numbers, and the numbers of names.
//!
//! It must not know what is computed of them.

use std::collections::BTreeMap;

use super::{Cell, Settings};
use super::{Column, Data, Given, Line, NoValue, Role};
use crate::stats::StatsError;

/// The number of a row; none where it is absent. With `positive`, that label counts as 1 and every other one as 0.
pub(super) fn number(
    data: &Data,
    role: Role,
    row: usize,
    settings: &Settings,
) -> Result<Option<f64>, StatsError> {
    let column = role.key();
    match (data.cell(role, row), settings.positive.as_deref()) {
        (Cell::Absent, _) => Ok(None),
        (cell, Some(positive)) => Ok(cell
            .text()
            .map(|text| f64::from(u8::from(text == positive)))),
        (Cell::Number(value), None) if !value.is_finite() => {
            let (index, value) = (row, *value);
            Err(StatsError::NotFinite { index, value })
        }
        (Cell::Number(value), None) => Ok(Some(*value)),
        (Cell::Text(_), None) => Err(StatsError::Text { column, row }),
    }
}

/// The names of a column, sorted, and the number of each row's; none where the cell is absent. Names rather than rows decide
/// about the numbers, so that the order of rows cannot reach a result.
pub(super) fn numbered<'d>(
    cells: impl Iterator<Item = &'d Cell> + Clone,
) -> (Vec<String>, Vec<Option<usize>>) {
    let texts: Vec<Option<String>> = cells.map(Cell::text).collect();
    let mut names: BTreeMap<&str, usize> = texts
        .iter()
        .flatten()
        .map(|text| (text.as_str(), 0))
        .collect();
    for (number, (_, at)) in names.iter_mut().enumerate() {
        *at = number;
    }
    let numbers = texts
        .iter()
        .map(|text| text.as_deref().map(|text| names[text]))
        .collect();
    (names.keys().map(|&name| name.to_owned()).collect(), numbers)
}

/// The cluster of each row, from 0 on: what the column of clusters says, or else the item.
pub(super) fn clusters(data: &Data) -> Vec<Option<usize>> {
    let role = if data.column(Role::Cluster).is_some() {
        Role::Cluster
    } else {
        Role::Item
    };
    column_numbers(data, role)
}

/// The numbers of a column's names; where there is no such column, each row is its own.
pub(super) fn column_numbers(data: &Data, role: Role) -> Vec<Option<usize>> {
    match data.column(role) {
        Some(cells) => numbered(cells.iter()).1,
        None => (0..data.len()).map(Some).collect(),
    }
}

/// Values with the cluster of each, of the rows that have both.
#[derive(Default)]
pub(super) struct Clustered {
    pub(super) values: Vec<f64>,
    pub(super) clusters: Vec<usize>,
    pub(super) dropped: usize,
}

/// Numbers of rows by `value`.
pub(super) fn clustered(
    data: &Data,
    value: impl Fn(usize) -> Result<Option<f64>, StatsError>,
) -> Result<Clustered, StatsError> {
    let mut found = Clustered::default();
    for (row, cluster) in clusters(data).into_iter().enumerate() {
        match (value(row)?, cluster) {
            (Some(value), Some(cluster)) => {
                found.values.push(value);
                found.clusters.push(cluster);
            }
            _ => found.dropped += 1,
        }
    }
    Ok(found)
}

/// A line in which no listed column has a value, because of this; `n` and counts that are known stay.
pub(super) fn nothing(n: usize, dropped: usize, columns: &[Column], why: &NoValue) -> Line {
    let mut line = Line::of(n, dropped).without(why.clone());
    for column in columns {
        line.set(column.name, Given::Nothing(why.clone()));
    }
    line
}
