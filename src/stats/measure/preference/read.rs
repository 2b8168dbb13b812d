//! Comparisons read off rows: the share of the win, who is compared, and what they are clustered by.

use crate::stats::StatsError;
use crate::stats::measure::rows::{column_numbers, number, numbered};
use crate::stats::measure::{Data, Role, Settings};
use crate::stats::preference::Comparison;

/// The share of the win that is the contender's; none where it is absent. A number outside 0 to 1 is an error.
pub(super) fn share(data: &Data, row: usize) -> Result<Option<f64>, StatsError> {
    let share = number(data, Role::Value, row, &Settings::default())?;
    match share {
        Some(value) if !(0.0..=1.0).contains(&value) => {
            Err(StatsError::NotAShare { index: row, value })
        }
        share => Ok(share),
    }
}

/// Comparisons between names.
pub(super) struct Compared {
    /// All contenders that a comparison is of, sorted.
    pub(super) names: Vec<String>,
    /// The comparisons, by the numbers of names.
    pub(super) comparisons: Vec<Comparison>,
    /// The cluster of each, where there are clusters.
    pub(super) clusters: Option<Vec<usize>>,
    /// Rows without a share, without one of the names or the cluster, or with one name on both sides.
    pub(super) dropped: usize,
}

/// Reads all comparisons.
pub(super) fn compared(data: &Data) -> Result<Compared, StatsError> {
    let n = data.len();
    let sides = [Role::Contender, Role::Opponent];
    let cells = sides
        .into_iter()
        .flat_map(|role| (0..n).map(move |row| data.cell(role, row)));
    let (names, numbers) = numbered(cells);
    let (contenders, opponents) = numbers.split_at(n);
    let clustered = data.column(Role::Cluster).is_some();
    let of_row = column_numbers(data, Role::Cluster);
    let (mut comparisons, mut clusters, mut dropped) = (Vec::new(), Vec::new(), 0);
    for row in 0..n {
        let sides = contenders[row]
            .zip(opponents[row])
            .filter(|(one, other)| one != other);
        let (Some(share), Some((contender, opponent)), Some(cluster)) =
            (share(data, row)?, sides, of_row[row])
        else {
            dropped += 1;
            continue;
        };
        comparisons.push(Comparison {
            contender,
            opponent,
            share,
        });
        clusters.push(cluster);
    }
    let (names, renumbered) = met(names, &comparisons);
    for comparison in &mut comparisons {
        comparison.contender = renumbered[comparison.contender];
        comparison.opponent = renumbered[comparison.opponent];
    }
    Ok(Compared {
        names,
        comparisons,
        clusters: clustered.then_some(clusters),
        dropped,
    })
}

/// The names that a comparison is left of, and the new number of each old one.
fn met(names: Vec<String>, comparisons: &[Comparison]) -> (Vec<String>, Vec<usize>) {
    let mut seen = vec![false; names.len()];
    for comparison in comparisons {
        seen[comparison.contender] = true;
        seen[comparison.opponent] = true;
    }
    let mut next = 0;
    let number = |seen: &bool| {
        let number = next;
        next += usize::from(*seen);
        number
    };
    let numbers = seen.iter().map(number).collect();
    let kept = names.into_iter().zip(&seen).filter(|(_, seen)| **seen);
    (kept.map(|(name, _)| name).collect(), numbers)
}
