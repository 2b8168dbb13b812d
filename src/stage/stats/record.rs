//! The table that a stats stage hands on: one row per group.
//!
//! Columns: the group's (`by`, then pair axes), `n` observations or complete pairs, `unscored` rows
//! without a score and their `reasons`, `dropped` incomplete pairs; of statistics of statistics also
//! how many `parts` there should be `over` what and how many are `missing`; how many observations are `partial`, and what
//! there are fewer of than elsewhere (`lacks`); what one of the `n` is (`n_of`) and how many repeats are `averaged` to it at
//! most; then the statistics; `why` says why the main one, or the interval, does not
//! exist, `computed` how they were computed, and of a test `behind` what is behind those that the test is not on. A
//! statistic that does not exist is an absent cell.

use std::collections::{BTreeMap, BTreeSet};

use super::behind::{self, BEHIND, BESIDE, COMPUTED};
use super::contrast::{Contrast, Corner};
use super::lacks::{self, Lacks, Parts, plural};
use super::observe::Group;
use super::{Correction, Stats, Test};
use crate::base::failure::Failure;
use crate::base::wording::{self, count};
use crate::frame::{ColumnData, Frame, Scalar};
use crate::models::score::Reason;
use crate::output::report::How;
use crate::stage::Output;
use crate::stats::{
    Describe, TOptions, TTest, WhyNoT, adjust, describe, one_sample_t, share, short, t_interval,
    t_p,
};

/// Rows in the making.
pub(super) struct Records<'s> {
    stats: &'s Stats,
    parts: Parts<'s>,
    names: Vec<String>,
    rows: Vec<Vec<Scalar>>,
}

/// The columns with counts, which tables and figures take over.
pub(crate) const COUNTS: [&str; 11] = [
    "n", "unscored", "reasons", "missing", "parts", "over", "partial", "lacks", "dropped", "n_of",
    "averaged",
];
const TEXTS: [&str; 7] = ["reasons", "over", "lacks", "n_of", "why", COMPUTED, BEHIND];
const DESCRIBED: [&str; 10] = [
    "mean", "sd", "se", "ci_low", "ci_high", "min", "max", "median", "why", COMPUTED,
];
const SHARED: [&str; 6] = ["count", "share", "ci_low", "ci_high", "why", COMPUTED];
const TESTED: [&str; 14] = [
    "mean",
    "sd",
    "se",
    "ci_low",
    "ci_high",
    "t",
    "df",
    "p",
    "dz",
    "level_mean",
    "difference",
    "why",
    COMPUTED,
    BEHIND,
];

/// The columns that a correction adds: the corrected p-value, which correction it is, how many tests it counts and how many
/// it does not because they are not defined, and which family that is.
pub const CORRECTED: [&str; 5] = [
    "p_adjusted",
    "correction",
    "family_tests",
    "family_undefined",
    "family_of",
];

/// A corrected p-value and the family it was corrected in.
#[derive(Clone, Default)]
struct Corrected {
    p: Option<f64>,
    tests: u64,
    undefined: u64,
    family: String,
}

/// What is counted of a row.
#[derive(Default)]
struct Counted {
    /// `None` where no one number says it.
    n: Option<usize>,
    /// What one of them is.
    unit: String,
    /// How many rows are averaged to one of them at most.
    repeats: u64,
    /// Parts without a value, where statistics are averaged.
    missing: u64,
    dropped: u64,
    lacking: Lacks,
}

/// The columns that a test gives beside groups and counts.
fn given(test: Test) -> &'static [&'static str] {
    match test {
        Test::Mean => &DESCRIBED,
        Test::PairedT => &TESTED,
        Test::Unscored => &SHARED,
    }
}

/// The columns that a test gives beside those of its groups, and which of them hold texts.
pub(super) fn gives(test: Test) -> impl Iterator<Item = (&'static str, bool)> {
    let names = COUNTS.iter().chain(given(test));
    names.map(|&name| (name, TEXTS.contains(&name)))
}

/// The columns with numbers that a test gives, beside those of its groups.
pub fn statistics(test: Test) -> Vec<String> {
    let numbers = gives(test).filter(|(_, is_text)| !is_text);
    numbers.map(|(name, _)| name.to_owned()).collect()
}

impl<'s> Records<'s> {
    pub(super) fn new(stats: &'s Stats, parts: Parts<'s>) -> Self {
        let names = stats
            .groups()
            .cloned()
            .chain(gives(stats.test).map(|(name, _)| name.to_owned()))
            .collect();
        Self {
            stats,
            parts,
            names,
            rows: Vec::new(),
        }
    }

    /// One group, described.
    pub(super) fn describe(&mut self, key: &[String], group: &Group) -> Result<(), Failure> {
        let values = group.values();
        let about = described(&values, self.stats)?;
        let df = (values.len() as f64) - 1.0;
        let interval = match (about.mean, about.se) {
            (Some(mean), Some(se)) => t_interval(mean, se, df, self.stats.level),
            _ => None,
        };
        let why = match about.mean {
            None => Some(nothing(group)),
            Some(mean) => interval.is_none().then(|| no_interval(&about, mean)),
        };
        let counted = Counted {
            n: Some(values.len()),
            unit: self.observation().to_owned(),
            repeats: group.repeats,
            missing: group.missing.values().sum(),
            dropped: group.dropped,
            lacking: self.lacks_of(key, group),
        };
        let mut row = keyed(key);
        row.extend(self.counted(&[group], &counted));
        row.extend([about.mean, about.sd, about.se].map(Scalar::from));
        row.extend([interval.map(|i| i.low), interval.map(|i| i.high)].map(Scalar::from));
        row.extend([about.min, about.max, about.median].map(Scalar::from));
        row.extend([why.map_or(Scalar::Null, Scalar::from), self.computed()]);
        self.rows.push(row);
        Ok(())
    }

    /// What the observations of a group lack.
    fn lacks_of(&self, key: &[String], group: &Group) -> Lacks {
        let with = lacks::with_value(group);
        let mut lacking = self.parts.lacks(key, group.documents.keys(), &with);
        let inherited = with
            .iter()
            .map(|id| group.lacks.get(*id).into_iter().flatten().collect());
        let unit = wording::plural(self.observation());
        lacking.inherit(&unit, with.len(), inherited);
        lacking
    }

    /// The answers of one group, and how many hold no score. `n` are the answers; rows that a model did
    /// not answer are `unscored` and neither among them nor counted.
    pub(super) fn count_unscored(&mut self, key: &[String], group: &Group) -> Result<(), Failure> {
        let (unanswered, unread): (BTreeMap<String, u64>, BTreeMap<String, u64>) = group
            .unscored
            .clone()
            .into_iter()
            .partition(|(code, _)| Reason::without_answer(code));
        let hits = unread.values().sum::<u64>();
        let n = group.scored + hits;
        let about =
            share(hits, n, self.stats.level).map_err(|error| Failure::new(error.to_string()))?;
        let unanswered = Group {
            unscored: unanswered,
            ..Group::default()
        };
        let why = about.share.is_none().then(|| nothing(&unanswered));
        let counted = Counted {
            n: Some(usize::try_from(n).unwrap_or(usize::MAX)),
            unit: "answer".to_owned(),
            repeats: 1,
            ..Counted::default()
        };
        let mut row = keyed(key);
        row.extend(self.counted(&[&unanswered], &counted));
        row.push(about.share.map_or(Scalar::Null, |_| Scalar::from(hits)));
        row.push(Scalar::from(about.share));
        let interval = about.interval;
        row.extend([interval.map(|i| i.low), interval.map(|i| i.high)].map(Scalar::from));
        row.extend([why.map_or(Scalar::Null, Scalar::from), self.computed()]);
        self.rows.push(row);
        Ok(())
    }

    /// One contrast, tested; `levels` are those that any contrast pools.
    pub(super) fn test(
        &mut self,
        contrast: &Contrast,
        levels: &BTreeSet<&Vec<String>>,
    ) -> Result<(), Failure> {
        let options = TOptions {
            ddof: self.stats.ddof,
            level: self.stats.level,
            magnitude: contrast.magnitude,
        };
        let test: TTest = one_sample_t(&contrast.differences, &options)
            .map_err(|error| Failure::new(error.to_string()))?;
        let groups: Vec<&Group> = contrast
            .corners
            .iter()
            .flat_map(|corner| corner.groups.values())
            .collect();
        // Of levels that are pooled one may lack values without leaving the test without any.
        let empty = contrast.corners.iter().find(|c| c.values().is_empty());
        let why = match (&test.t, empty.and_then(|c| c.groups.values().next())) {
            (Ok(_), _) => None,
            (Err(_), Some(empty)) => Some(nothing(empty)),
            (Err(WhyNoT::TooFew { n: 0 }), None) => Some("no complete pair".to_owned()),
            (Err(WhyNoT::TooFew { n: 1 }), None) => Some("only 1 complete pair".to_owned()),
            (Err(why), None) => Some(why.to_string()),
        };
        let p = match (&test.t, test.df) {
            (Ok(t), Some(df)) => t_p(*t, df, self.stats.alternative),
            _ => None,
        };
        // Pairs that were dropped where the statistics that are compared were computed are gone from here too.
        let inherited: u64 = groups.iter().map(|group| group.dropped).sum();
        let counted = Counted {
            n: Some(test.n),
            unit: "pair".to_owned(),
            repeats: groups.iter().map(|group| group.repeats).max().unwrap_or(0),
            missing: contrast.dropped,
            dropped: contrast.dropped + inherited,
            lacking: self.lacking(contrast, levels),
        };
        let mut row = keyed(&contrast.group);
        row.extend(self.counted(&groups, &counted));
        row.extend([test.mean, test.sd, test.se].map(Scalar::from));
        row.extend([test.interval.map(|i| i.low), test.interval.map(|i| i.high)].map(Scalar::from));
        row.extend([test.t.ok(), test.df, p, test.dz].map(Scalar::from));
        let beside = [self.level_mean(contrast)?, self.difference(contrast)?];
        row.extend(beside.map(Scalar::from));
        row.extend([why.map_or(Scalar::Null, Scalar::from), self.computed()]);
        row.push(Scalar::from(self.beside(contrast, beside)));
        self.rows.push(row);
        Ok(())
    }

    /// What is behind the statistics that the test is not on, as JSON: of the mean of a level all it has, of a difference
    /// of means all that each side has, of which `n` is the smallest.
    fn beside(&self, contrast: &Contrast, values: [Option<f64>; 2]) -> String {
        let sides = [contrast.corners.get(..1), contrast.corners.get(..)];
        let own = BESIDE.iter().zip(sides).zip(values);
        let own: BTreeMap<&str, behind::Own> = own
            .map(|((name, corners), value)| {
                let corners = corners.unwrap_or_default();
                let groups = || corners.iter().flat_map(|corner| &corner.groups);
                let mut lacking = Lacks::default();
                for (key, group) in groups() {
                    lacking.join(self.lacks_of(key, group));
                }
                let all: Vec<&Group> = groups().map(|(_, group)| group).collect();
                let sizes: BTreeSet<usize> =
                    corners.iter().map(|corner| corner.values().len()).collect();
                let counted = Counted {
                    n: sizes.first().copied(),
                    unit: self.observation().to_owned(),
                    repeats: all.iter().map(|group| group.repeats).max().unwrap_or(0),
                    missing: all.iter().flat_map(|group| group.missing.values()).sum(),
                    dropped: all.iter().map(|group| group.dropped).sum(),
                    lacking,
                };
                let empty = corners.iter().find(|corner| corner.values().is_empty());
                let empty = empty.and_then(|corner| corner.groups.values().next());
                let why = empty.filter(|_| value.is_none()).map(nothing);
                (*name, behind::own(&self.counted(&all, &counted), why))
            })
            .collect();
        serde_json::to_string(&own).unwrap_or_default()
    }

    /// How the statistics are computed, as JSON.
    fn computed(&self) -> Scalar {
        let how = How {
            test: (self.stats.test == Test::PairedT).then(|| self.stats.alternative.to_string()),
            ddof: (self.stats.test != Test::Unscored).then(|| self.stats.ddof.into()),
            level: self.stats.level,
        };
        Scalar::from(serde_json::to_string(&how).unwrap_or_default())
    }

    /// What the pairs of a contrast lack.
    fn lacking(&self, contrast: &Contrast, levels: &BTreeSet<&Vec<String>>) -> Lacks {
        let pooled: Vec<&String> = self
            .stats
            .pair
            .iter()
            .filter(|pair| pair.pool)
            .map(|pair| &pair.axis)
            .collect();
        let mut lacking = if pooled.is_empty() {
            let complete = contrast.documents.iter().filter(|(_, complete)| **complete);
            let with = complete.map(|(id, _)| id).collect();
            self.parts
                .lacks(&contrast.group, contrast.documents.keys(), &with)
        } else {
            let has = |level: &&&Vec<String>| contrast.levels.get(**level).is_some_and(|&n| n > 0);
            let without: Vec<String> = levels
                .iter()
                .filter(|level| !has(level))
                .map(|level| level.join(" · "))
                .collect();
            Lacks::of_levels(levels.len(), plural(&pooled), without)
        };
        let inherited = contrast.lacks.iter().map(|lacks| lacks.iter().collect());
        lacking.inherit("pairs", contrast.differences.len(), inherited);
        lacking
    }

    /// What one of the observations of a group is.
    fn observation(&self) -> &str {
        match self.stats.over.as_slice() {
            [name] => lacks::named(name),
            _ if self.stats.of_statistics() => "statistic",
            _ => "score",
        }
    }

    /// The mean of the level itself over all it has, complete pair or not.
    fn level_mean(&self, contrast: &Contrast) -> Result<Option<f64>, Failure> {
        match contrast.corners.first() {
            Some(corner) => Ok(described(&corner.values(), self.stats)?.mean),
            None => Ok(None),
        }
    }

    /// The difference of the means, each over all it has: what a table of means shows as Δ. With
    /// incomplete pairs it is not the mean of the differences.
    fn difference(&self, contrast: &Contrast) -> Result<Option<f64>, Failure> {
        let mut sum = 0.0;
        for Corner { sign, groups } in &contrast.corners {
            let values: Vec<f64> = groups.values().flat_map(Group::values).collect();
            match described(&values, self.stats)?.mean {
                Some(mean) => sum += sign * mean,
                None => return Ok(None),
            }
        }
        Ok(Some(sum))
    }

    /// The columns of [`COUNTS`].
    fn counted(&self, groups: &[&Group], counted: &Counted) -> Vec<Scalar> {
        let mut unscored: BTreeMap<&str, u64> = BTreeMap::new();
        let of_statistics = self.stats.of_statistics();
        let missing = if of_statistics { counted.missing } else { 0 };
        for group in groups {
            for (reason, times) in &group.unscored {
                *unscored.entry(reason).or_default() += times;
            }
        }
        let reasons = serde_json::to_string(&unscored).unwrap_or_default();
        let n = counted.n.map_or(Scalar::Null, Scalar::from);
        let parts = counted.n.filter(|_| of_statistics);
        let over = of_statistics.then(|| plural(&self.stats.over));
        vec![
            n,
            Scalar::from(unscored.values().sum::<u64>()),
            Scalar::from(reasons),
            Scalar::from(missing),
            parts.map_or(Scalar::Null, |n| Scalar::from(n as u64 + missing)),
            over.map_or(Scalar::Null, Scalar::from),
            Scalar::from(counted.lacking.partial),
            counted.lacking.json().map_or(Scalar::Null, Scalar::from),
            Scalar::from(counted.dropped),
            Scalar::from(counted.unit.as_str()),
            Scalar::from(counted.repeats),
        ]
    }

    /// The table, with corrected p-values where they were asked for.
    pub(super) fn finish(self) -> Result<Output, Failure> {
        let corrected = self.corrected()?;
        let rows = self.rows.len();
        let mut columns: Vec<(String, ColumnData)> = self
            .names
            .iter()
            .enumerate()
            .map(|(index, name)| {
                let cells: Vec<Scalar> = self.rows.iter().map(|row| row[index].clone()).collect();
                (name.clone(), typed(name, cells))
            })
            .collect();
        if let Some(corrected) = corrected {
            let name = self.stats.correct.map_or("", Correction::name);
            let counts = |of: fn(&Corrected) -> u64| {
                ColumnData::infer(corrected.iter().map(|row| Scalar::from(of(row))).collect())
            };
            let [p_adjusted, correction, tests, undefined, family] = CORRECTED.map(str::to_owned);
            columns.extend([
                (
                    p_adjusted,
                    ColumnData::Float(corrected.iter().map(|row| row.p).collect()),
                ),
                (correction, ColumnData::text((0..rows).map(|_| name))),
                (tests, counts(|row| row.tests)),
                (undefined, counts(|row| row.undefined)),
                (
                    family,
                    ColumnData::text(corrected.iter().map(|row| row.family.as_str())),
                ),
            ]);
        }
        Ok(Output::of(Frame::new(columns)?))
    }

    fn corrected(&self) -> Result<Option<Vec<Corrected>>, Failure> {
        let (Some(correction), Some(at)) = (self.stats.correct, self.position("p")) else {
            return Ok(None);
        };
        let within: Vec<usize> = self
            .stats
            .family
            .iter()
            .map(|name| {
                self.position(name).ok_or_else(|| {
                    Failure::new(format!(
                        "`family` names `{name}`, which groups nothing here"
                    ))
                })
            })
            .collect::<Result<_, _>>()?;
        let mut families: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for (row, cells) in self.rows.iter().enumerate() {
            let family = within
                .iter()
                .map(|&column| cells[column].to_string())
                .collect();
            families.entry(family).or_default().push(row);
        }
        let mut corrected = vec![Corrected::default(); self.rows.len()];
        for (values, rows) in &families {
            let named = self.stats.family.iter().zip(values);
            let named: Vec<String> = named
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            let raw: Vec<Option<f64>> = rows
                .iter()
                .map(|&row| self.rows[row][at].number())
                .collect();
            let adjusted =
                adjust(&raw, correction.into()).map_err(|error| Failure::new(error.to_string()))?;
            let tests = raw.iter().flatten().count() as u64;
            for (&row, p) in rows.iter().zip(adjusted) {
                corrected[row] = Corrected {
                    p,
                    tests,
                    undefined: rows.len() as u64 - tests,
                    family: named.join(", "),
                };
            }
        }
        Ok(Some(corrected))
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }
}

fn keyed(key: &[String]) -> Vec<Scalar> {
    let values = key.iter();
    values.map(|value| Scalar::from(value.as_str())).collect()
}

/// A statistic's column is numeric even where no group has a value.
fn typed(name: &str, cells: Vec<Scalar>) -> ColumnData {
    if TEXTS.contains(&name) || !(COUNTS.contains(&name) || is_statistic(name)) {
        ColumnData::infer(cells)
    } else {
        match ColumnData::infer(cells) {
            ColumnData::Text(cells) => ColumnData::Float(vec![None; cells.len()]),
            data => data,
        }
    }
}

fn is_statistic(name: &str) -> bool {
    [&DESCRIBED[..], &TESTED, &SHARED]
        .iter()
        .any(|names| names.contains(&name))
}

fn described(values: &[f64], stats: &Stats) -> Result<Describe, Failure> {
    describe(values, stats.ddof).map_err(|error| Failure::new(error.to_string()))
}

/// Why values with a mean have no interval around it.
fn no_interval(about: &Describe, mean: f64) -> String {
    match about.n {
        1 => "only 1 value".to_owned(),
        _ if about.min == about.max => format!("all values are {}", short(mean)),
        _ => "the values are too large for an interval".to_owned(),
    }
}

/// Why a group has no value at all.
fn nothing(group: &Group) -> String {
    let total = |reasons: &BTreeMap<String, u64>| {
        usize::try_from(reasons.values().sum::<u64>()).unwrap_or(usize::MAX)
    };
    if !group.missing.is_empty() {
        let reasons: Vec<&str> = group.missing.keys().map(String::as_str).collect();
        let parts = count(total(&group.missing), "part");
        return format!("none of {parts} has a value: {}", reasons.join("; "));
    }
    if group.unscored.is_empty() {
        return "no scores".to_owned();
    }
    let reasons: Vec<String> = group
        .unscored
        .iter()
        .map(|(reason, n)| format!("{n} {}", reason.replace('-', " ")))
        .collect();
    let rows = count(total(&group.unscored), "row");
    format!("no score among {rows} ({})", reasons.join(", "))
}
