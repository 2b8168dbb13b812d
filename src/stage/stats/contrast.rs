//! Differences of matched observations.
//!
//! One pair gives δ = v(level) − v(against) (thesis Eq. 3.22, 5.2); each further pair takes the
//! difference of such differences: [v(t, 2K) − v(gold, 2K)] − [v(t, full) − v(gold, full)]
//! (Eq. 5.3). With k pairs a document needs all 2^k observations; one that lacks any is dropped
//! and counted. Along a pair that pools, the differences of all levels are one sample.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::Stats;
use super::observe::{Group, Observations, regardless};
use crate::base::failure::Failure;
use crate::base::wording::list_of;
use crate::output::report::Lack;

/// The differences of one group.
#[derive(Clone, Debug)]
pub(super) struct Contrast<'o> {
    /// Values of `by`, then of the pair axes that do not pool: the level that was not subtracted.
    pub(super) group: Vec<String>,
    /// One difference per complete document and pooled level, in the order of levels and ids.
    pub(super) differences: Vec<f64>,
    /// The largest score that went into them; see [`crate::stats::TOptions::magnitude`].
    pub(super) magnitude: f64,
    /// Documents seen somewhere in the contrast that lack an observation.
    pub(super) dropped: u64,
    /// All documents, and whether they have a difference.
    pub(super) documents: BTreeMap<&'o Vec<String>, bool>,
    /// What complete documents are made of fewer of than others, where they are.
    pub(super) lacks: Vec<Vec<Lack>>,
    /// The levels along pairs that pool, with their numbers of differences.
    pub(super) levels: BTreeMap<Vec<String>, usize>,
    /// The 2^k corners, the level itself first.
    pub(super) corners: Vec<Corner<'o>>,
}

/// What is added or subtracted: one group, or those of the levels that are pooled.
#[derive(Clone, Debug)]
pub(super) struct Corner<'o> {
    /// 1 or −1.
    pub(super) sign: f64,
    /// By key, so that a group that several levels are compared with is counted once.
    pub(super) groups: BTreeMap<Vec<String>, &'o Group>,
}

impl Corner<'_> {
    pub(super) fn values(&self) -> Vec<f64> {
        let groups = self.groups.values();
        groups.flat_map(|group| group.values()).collect()
    }
}

/// All contrasts: every combination of levels other than the subtracted ones.
pub(super) fn contrasts<'o>(
    stats: &Stats,
    observations: &'o Observations,
) -> Result<Vec<Contrast<'o>>, Failure> {
    let offset = stats.by.len();
    check_levels(stats, observations)?;
    let mut contrasts: IndexMap<Vec<String>, Contrast> = IndexMap::new();
    for (key, _) in observations.groups() {
        let at_reference = stats
            .pair
            .iter()
            .enumerate()
            .any(|(index, pair)| key[offset + index] == pair.against);
        if at_reference {
            continue;
        }
        let contrast = contrast(stats, observations, key);
        match contrasts.get_mut(&contrast.group) {
            Some(pooled) => pooled.add(contrast),
            None => {
                contrasts.insert(contrast.group.clone(), contrast);
            }
        }
    }
    Ok(contrasts.into_values().collect())
}

impl Contrast<'_> {
    /// Takes another level in.
    fn add(&mut self, other: Self) {
        self.differences.extend(other.differences);
        self.magnitude = self.magnitude.max(other.magnitude);
        self.dropped += other.dropped;
        self.lacks.extend(other.lacks);
        for (level, n) in other.levels {
            *self.levels.entry(level).or_default() += n;
        }
        for (corner, other) in self.corners.iter_mut().zip(other.corners) {
            corner.groups.extend(other.groups);
        }
    }
}

fn contrast<'o>(stats: &Stats, observations: &'o Observations, key: &[String]) -> Contrast<'o> {
    let offset = stats.by.len();
    let corners: Vec<(f64, Vec<String>, &Group)> = (0..1_u32 << stats.pair.len())
        .map(|mask| {
            let mut corner = key.to_vec();
            for (index, pair) in stats.pair.iter().enumerate() {
                if mask >> index & 1 == 1 {
                    corner[offset + index].clone_from(&pair.against);
                }
            }
            regardless(stats, &mut corner);
            let sign = if mask.count_ones() % 2 == 0 {
                1.0
            } else {
                -1.0
            };
            let group = observations.group_or_none(&corner);
            (sign, corner, group)
        })
        .collect();
    let ids: BTreeSet<&Vec<String>> = corners
        .iter()
        .flat_map(|(_, _, group)| group.documents.keys())
        .collect();
    let mut documents = BTreeMap::new();
    let mut lacks = Vec::new();
    let mut differences = Vec::new();
    let mut magnitude = 0.0_f64;
    let mut dropped = 0;
    for document in ids {
        let observed: Option<Vec<f64>> = corners
            .iter()
            .map(|(sign, _, group)| Some(sign * group.documents.get(document)?.value()?))
            .collect();
        documents.insert(document, observed.is_some());
        if let Some(values) = observed {
            let corners = corners
                .iter()
                .filter_map(|(_, _, group)| group.documents.get(document));
            let own: Vec<Lack> = corners.flat_map(|one| one.lacks.iter().cloned()).collect();
            if !own.is_empty() {
                lacks.push(own);
            }
            magnitude = values
                .iter()
                .fold(magnitude, |most, value| most.max(value.abs()));
            differences.push(values.iter().sum());
        } else {
            dropped += 1;
        }
    }
    let (pooled, apart): (Vec<usize>, Vec<usize>) = (0..key.len()).partition(|at| {
        let pair = at.checked_sub(offset).and_then(|at| stats.pair.get(at));
        pair.is_some_and(|pair| pair.pool)
    });
    let of = |places: Vec<usize>| -> Vec<String> {
        places.into_iter().map(|at| key[at].clone()).collect()
    };
    Contrast {
        levels: BTreeMap::from([(of(pooled), differences.len())]),
        group: of(apart),
        differences,
        magnitude,
        dropped,
        documents,
        lacks,
        corners: corners
            .into_iter()
            .map(|(sign, key, group)| Corner {
                sign,
                groups: BTreeMap::from([(key, group)]),
            })
            .collect(),
    }
}

pub(super) fn check_levels(stats: &Stats, observations: &Observations) -> Result<(), Failure> {
    for (index, pair) in stats.pair.iter().enumerate() {
        let levels: BTreeSet<&str> = observations
            .groups()
            .map(|(key, _)| key[stats.by.len() + index].as_str())
            .collect();
        if !levels.is_empty() && !levels.contains(pair.against.as_str()) {
            let levels: Vec<&str> = levels.into_iter().collect();
            return Err(Failure::new(format!(
                "no row has `{}` = `{}`, the level that others are compared with",
                pair.axis, pair.against
            ))
            .hint(format!("its values are {}", list_of(&levels))));
        }
    }
    Ok(())
}
