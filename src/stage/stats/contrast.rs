//! Differences of matched observations.
//!
//! One pair gives δ = v(level) − v(against) (thesis Eq. 3.22, 5.2); each further pair takes the
//! difference of such differences: [v(t, 2K) − v(gold, 2K)] − [v(t, full) − v(gold, full)]
//! (Eq. 5.3). With k pairs a document needs all 2^k observations; one that lacks any is dropped
//! and counted.

use std::collections::BTreeSet;

use super::Stats;
use super::observe::{Group, Observations, Observed};
use crate::stage::Failure;
use crate::wording::list_of;

/// The differences of one group.
#[derive(Clone, Debug)]
pub(super) struct Contrast {
    /// Values of `by`, then of the pair axes: the level that was not subtracted.
    pub(super) group: Vec<String>,
    /// One difference per complete document, in the order of ids.
    pub(super) differences: Vec<f64>,
    /// The largest score that went into them; see [`crate::stats::TOptions::magnitude`].
    pub(super) magnitude: f64,
    /// Documents seen somewhere in the contrast that lack an observation.
    pub(super) dropped: u64,
    /// The 2^k groups with their signs, the level itself first.
    pub(super) corners: Vec<(f64, Group)>,
}

/// All contrasts: every combination of levels other than the subtracted ones.
pub(super) fn contrasts(
    stats: &Stats,
    observations: &Observations,
) -> Result<Vec<Contrast>, Failure> {
    let offset = stats.by.len();
    check_levels(stats, observations)?;
    let mut contrasts = Vec::new();
    for (key, _) in observations.groups() {
        let at_reference = stats
            .pair
            .iter()
            .enumerate()
            .any(|(index, pair)| key[offset + index] == pair.against);
        if !at_reference {
            contrasts.push(contrast(stats, observations, key));
        }
    }
    Ok(contrasts)
}

fn contrast(stats: &Stats, observations: &Observations, key: &[String]) -> Contrast {
    let offset = stats.by.len();
    let corners: Vec<(f64, Group)> = (0..1_u32 << stats.pair.len())
        .map(|mask| {
            let mut corner = key.to_vec();
            for (index, pair) in stats.pair.iter().enumerate() {
                if mask >> index & 1 == 1 {
                    corner[offset + index].clone_from(&pair.against);
                }
            }
            let sign = if mask.count_ones() % 2 == 0 {
                1.0
            } else {
                -1.0
            };
            let group = observations
                .groups()
                .find(|(other, _)| **other == corner)
                .map(|(_, group)| group.clone());
            (sign, group.unwrap_or_default())
        })
        .collect();
    let documents: BTreeSet<&Vec<String>> = corners
        .iter()
        .flat_map(|(_, group)| group.documents.keys())
        .collect();
    let mut differences = Vec::new();
    let mut magnitude = 0.0_f64;
    let mut dropped = 0;
    for document in documents {
        let observed: Option<Vec<f64>> = corners
            .iter()
            .map(|(sign, group)| match group.documents.get(document) {
                Some(Observed::Value(value)) => Some(sign * value),
                Some(Observed::Nothing(_)) | None => None,
            })
            .collect();
        if let Some(values) = observed {
            magnitude = values
                .iter()
                .fold(magnitude, |most, value| most.max(value.abs()));
            differences.push(values.iter().sum());
        } else {
            dropped += 1;
        }
    }
    Contrast {
        group: key.to_vec(),
        differences,
        magnitude,
        dropped,
        corners,
    }
}

fn check_levels(stats: &Stats, observations: &Observations) -> Result<(), Failure> {
    for (index, pair) in stats.pair.iter().enumerate() {
        let levels: BTreeSet<&str> = observations
            .groups()
            .map(|(key, _)| key[stats.by.len() + index].as_str())
            .collect();
        if !levels.is_empty() && !levels.contains(pair.against.as_str()) {
            let levels: Vec<&str> = levels.into_iter().collect();
            return Err(Failure::new(format!(
                "no row has `{}` = `{}`, which the others are to be compared with",
                pair.axis, pair.against
            ))
            .hint(format!("its values are {}", list_of(&levels))));
        }
    }
    Ok(())
}
