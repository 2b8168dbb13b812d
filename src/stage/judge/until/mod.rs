//! `until`: a judge asks about rows of each group until the mean of their scores settles.
//!
//! The rows of a group have an order, and where it ends follows from the answers in this order alone: not from how many
//! are asked at a time, nor from which answer comes first. What was asked beyond the end is left out.

mod check;
mod stopping;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub(super) use self::check::{RawUntil, until};
pub(crate) use self::stopping::{Stopping, numbered};
use crate::base::draw::Draw;
use crate::base::failure::Failure;
use crate::frame::Frame;

/// The column with a row's number in the order of its group.
pub(crate) const ASKED: &str = "asked";

/// When a judge has asked enough.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Until {
    /// The columns whose values make a group.
    pub by: Vec<String>,
    /// The fewest answers that count.
    pub least: usize,
    /// Over so many more answers the mean must not move.
    pub window: usize,
    /// More than this.
    pub within: f64,
    /// The most rows that are asked about in a group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most: Option<usize>,
    /// Whether all groups get as many answers as the group with the most.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub align: bool,
    /// The order of a group's rows.
    pub order: Order,
}

/// The order in which rows are asked about.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Drawn by the seed for each document, the same in every group.
    #[default]
    Drawn,
    /// That of the table.
    Given,
}

/// A group's rows in their order.
pub(crate) struct Group {
    /// What its rows have in common, column by column.
    key: Vec<Option<String>>,
    /// The same in words.
    pub(crate) name: String,
    pub(crate) rows: Vec<usize>,
}

impl Until {
    /// The rows of each group, as many as may be asked about; groups come in the order of their first rows.
    ///
    /// # Errors
    /// A column is missing.
    pub(crate) fn groups(&self, rows: &Frame, seed: u64) -> Result<Vec<Group>, Failure> {
        let mut groups = self.apart(rows)?;
        if self.order == Order::Drawn {
            let documents = rows.column("doc_id").ok();
            // Not of the stage: all judges ask in one order.
            let lots = Draw::new(seed, &["until"]).lots();
            let number = |row: usize| {
                let name = documents.as_ref().and_then(|ids| ids.text(row));
                lots.of(&name.unwrap_or_else(|| row.to_string().into()))
            };
            for group in &mut groups {
                group.rows.sort_by_cached_key(|&row| (number(row), row));
            }
        }
        for group in &mut groups {
            group.rows.truncate(self.most.unwrap_or(usize::MAX));
        }
        Ok(groups)
    }

    /// The groups, each with its rows as they come.
    fn apart(&self, rows: &Frame) -> Result<Vec<Group>, Failure> {
        let columns = self.by.iter().map(|name| rows.column(name));
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        let mut groups: Vec<Group> = Vec::new();
        let mut known: BTreeMap<Vec<Option<String>>, usize> = BTreeMap::new();
        for row in 0..rows.rows() {
            let cells = columns.iter().map(|column| column.text(row));
            let key: Vec<Option<String>> = cells.map(|cell| cell.map(Into::into)).collect();
            let at = *known.entry(key).or_insert_with_key(|key| {
                let named = self.by.iter().zip(key);
                let named = named.map(|(name, value)| match value {
                    Some(value) => format!("{name}={value}"),
                    None => format!("no {name}"),
                });
                groups.push(Group {
                    key: key.clone(),
                    name: named.collect::<Vec<String>>().join(", "),
                    rows: Vec::new(),
                });
                groups.len() - 1
            });
            groups[at].rows.push(row);
        }
        Ok(groups)
    }

    /// The columns of a result that say which rows it is about.
    pub(crate) fn reads(&self) -> impl Iterator<Item = &str> {
        self.by.iter().map(String::as_str).chain([ASKED])
    }

    /// The rows that are asked about whatever is answered.
    pub(crate) fn at_least(&self, groups: &[Group]) -> impl Iterator<Item = usize> {
        let first = groups
            .iter()
            .map(|group| group.rows.iter().take(self.least));
        first.flatten().copied()
    }

    /// Of the rows that a judge could ask about, those that a result is about, in their order.
    ///
    /// # Errors
    /// The result is not one of these rows.
    pub(crate) fn kept(
        &self,
        rows: &Frame,
        seed: u64,
        result: &Frame,
    ) -> Result<Vec<usize>, Failure> {
        let asked = self.apart(result)?;
        let last = result.column(ASKED)?;
        let mut ends: BTreeMap<&[Option<String>], usize> = BTreeMap::new();
        for group in &asked {
            let numbers = group
                .rows
                .iter()
                .filter_map(|&row| last.scalar(row).number());
            let end = numbers.fold(0.0, f64::max) as usize;
            ends.insert(&group.key, end);
        }
        let groups = self.groups(rows, seed)?;
        let kept = groups.iter().flat_map(|group| {
            let end = ends.get(group.key.as_slice()).copied().unwrap_or(0);
            group.rows.iter().take(end).copied()
        });
        let mut kept: Vec<usize> = kept.collect();
        kept.sort_unstable();
        Ok(kept)
    }
}

#[cfg(test)]
mod tests;
