//! How measures read their rows: columns of numbers, complete rows, and settings that are one of a few words.

use super::rows::number;
use super::{Data, Role, Settings};
use crate::stats::StatsError;

impl Role {
    /// The key of a spec that names such a column.
    pub fn key(self) -> &'static str {
        match self {
            Self::Item => "over",
            Self::Value => "value",
            Self::Reference => "reference",
            Self::Rival => "rival",
            Self::Rater => "raters",
            Self::System => "systems",
            Self::Sample => "samples",
            Self::Cluster => "cluster",
            Self::Contender => "contender",
            Self::Opponent => "opponent",
            Self::Order => "order",
            Self::Length => "length",
            Self::OpponentLength => "opponent-length",
        }
    }
}

/// The numbers of a column, row by row; a text is an error.
pub(super) fn numbers(data: &Data, role: Role) -> Result<Vec<Option<f64>>, StatsError> {
    let plain = Settings::default();
    let number = |row| number(data, role, row, &plain);
    (0..data.len()).map(number).collect()
}

/// The names in a column, row by row.
pub(super) fn names(data: &Data, role: Role) -> Vec<Option<String>> {
    (0..data.len())
        .map(|row| data.cell(role, row).text())
        .collect()
}

/// Several columns of numbers over the rows that have all of them, and how many have not.
pub(super) struct Complete<const N: usize> {
    /// The places of complete rows.
    pub(super) rows: Vec<usize>,
    /// Their numbers, column by column.
    pub(super) columns: [Vec<f64>; N],
    /// How many rows were left out.
    pub(super) dropped: usize,
}

impl<const N: usize> Complete<N> {
    /// Reads the columns of `roles`; rows for which `keep` does not hold are left out as well.
    pub(super) fn read(
        data: &Data,
        roles: [Role; N],
        keep: impl Fn(usize) -> bool,
    ) -> Result<Self, StatsError> {
        let mut all = Vec::with_capacity(N);
        for role in roles {
            all.push(numbers(data, role)?);
        }
        let mut complete = Self {
            rows: Vec::new(),
            columns: [const { Vec::new() }; N],
            dropped: 0,
        };
        for row in 0..data.len() {
            if !keep(row) || all.iter().any(|column| column[row].is_none()) {
                complete.dropped += 1;
                continue;
            }
            complete.rows.push(row);
            for (column, numbers) in complete.columns.iter_mut().zip(&all) {
                column.extend(numbers[row]);
            }
        }
        Ok(complete)
    }

    /// How many rows are complete.
    pub(super) fn n(&self) -> usize {
        self.rows.len()
    }
}

/// What a setting stands for, of a list of words; the first where it is not given.
pub(super) fn choice<T: Copy>(
    given: Option<&str>,
    choices: &[(&str, T)],
    unknown: StatsError,
) -> Result<T, StatsError> {
    let (_, usual) = choices.first().ok_or(unknown)?;
    let Some(given) = given else {
        return Ok(*usual);
    };
    let found = choices.iter().find(|(word, _)| *word == given);
    found.map(|(_, meant)| *meant).ok_or(unknown)
}
