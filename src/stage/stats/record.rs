//! The table that a stats stage hands on: one row per group.
//!
//! Columns: the group's (`by`, then pair axes), `n` observations or complete pairs, `unscored` rows
//! without a score and their `reasons`, `dropped` incomplete pairs; of statistics of statistics also
//! how many `parts` there should be `over` what and how many are `missing`; how many observations are `partial`, and what
//! there are fewer of than elsewhere (`lacks`); what one of the `n` is (`n_of`) and how many repeats are `averaged` to it at
//! most; then the statistics; `why` says why the main one, or the interval, does not
//! exist, `computed` how they were computed, and of a test `behind` what is behind those that the test is not on. A
//! statistic that does not exist is an absent cell.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::behind;
use super::contrast::Contrast;
use super::lacks::{self, Lacks, Parts, plural};
use super::observe::Group;
use super::told::{self, COUNTS, Counted, FAMILY};
use super::{Correction, Stats, Test};
use crate::base::failure::Failure;
use crate::base::wording::{self, count};
use crate::frame::{Frame, Scalar};
use crate::models::score::Reason;
use crate::output::report::{Family, How};
use crate::stage::Output;
use crate::stats::measure::{Holds, Measure};
use crate::stats::statistic::{Compared, Described, Rests, STATISTICS};
use crate::stats::{
    Describe, TOptions, WhyNoT, adjust, describe, one_sample_t, share, short, t_interval, t_p,
};

/// Rows in the making.
pub(super) struct Records<'s> {
    stats: &'s Stats,
    parts: Parts<'s>,
    /// Whether the statistics are of truth values.
    of_truth: bool,
    rows: Vec<Vec<Scalar>>,
    /// What the observations of groups lack, by their keys: it is asked for once for each statistic.
    lacks: RefCell<BTreeMap<Vec<String>, Rc<Lacks>>>,
    /// The p-values of each row, in the order in which the test lists them.
    p: Vec<Vec<Option<f64>>>,
}

impl<'s> Records<'s> {
    pub(super) fn new(stats: &'s Stats, parts: Parts<'s>, of_truth: bool) -> Self {
        Self {
            stats,
            parts,
            of_truth,
            rows: Vec::new(),
            lacks: RefCell::default(),
            p: Vec::new(),
        }
    }

    /// A row: its group, counts and statistics, why the main one does not exist, and what is behind those that a test is
    /// not on.
    pub(super) fn push(
        &mut self,
        key: &[String],
        counted: &Counted,
        statistics: Vec<Scalar>,
        why: Option<String>,
        behind: Option<Scalar>,
    ) {
        let key = key.iter().map(|value| Scalar::from(value.as_str()));
        let mut row: Vec<Scalar> = key.collect();
        row.extend(told::told(&COUNTS, counted));
        row.extend(statistics);
        row.extend([Scalar::from(why), self.computed()]);
        row.extend(behind);
        self.rows.push(row);
    }

    /// The p-values of the row that was pushed last.
    pub(super) fn push_p(&mut self, p: Vec<Option<f64>>) {
        self.p.push(p);
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
            lacking: Lacks::clone(&self.lacks_of(key, group)),
            ..self.counted(&[group])
        };
        let described = Described {
            values,
            about,
            interval,
        };
        let statistics = told::values(|statistic| statistic.of_group, &described);
        self.push(key, &counted, statistics, why, None);
        Ok(())
    }

    /// What the observations of a group lack.
    pub(super) fn lacks_of(&self, key: &[String], group: &Group) -> Rc<Lacks> {
        if let Some(known) = self.lacks.borrow().get(key) {
            return Rc::clone(known);
        }
        let documents = group.documents.iter();
        let own = documents.map(|(id, one)| (id, one.has_value()));
        let mut lacking = self.parts.lacks(key, own);
        let documents = group.documents.values();
        let with_value = documents.filter(|one| one.has_value());
        let inherited = with_value.clone().map(|one| one.lacks.iter().collect());
        let unit = wording::plural(self.observation());
        lacking.inherit(&unit, with_value.count(), inherited);
        let lacking = Rc::new(lacking);
        let mut known = self.lacks.borrow_mut();
        known.insert(key.to_vec(), Rc::clone(&lacking));
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
            ..self.counted(&[&unanswered])
        };
        let statistics = told::values(|statistic| statistic.of_answers, &about);
        self.push(key, &counted, statistics, why, None);
        Ok(())
    }

    /// One contrast, tested; `levels` are those that any contrast pools.
    pub(super) fn compare(
        &mut self,
        contrast: &Contrast,
        levels: &BTreeSet<&Vec<String>>,
    ) -> Result<(), Failure> {
        let options = TOptions {
            ddof: self.stats.ddof,
            level: self.stats.level,
            magnitude: contrast.magnitude,
        };
        let test = one_sample_t(&contrast.differences, &options)
            .map_err(|error| Failure::new(error.to_string()))?;
        let groups: Vec<&Group> = contrast
            .corners
            .iter()
            .flat_map(|corner| corner.groups.values().copied())
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
        let counted = self.counted(&groups);
        let counted = Counted {
            n: Some(test.n),
            unit: "pair".to_owned(),
            missing: self.missing(contrast.dropped),
            // Pairs that were dropped where the statistics that are compared were computed are gone from here too.
            dropped: contrast.dropped + counted.dropped,
            lacking: self.lacking(contrast, levels),
            ..counted
        };
        let sides = contrast.corners.iter().map(|corner| {
            let about = described(&corner.values(), self.stats)?;
            Ok((corner.sign, about))
        });
        let sides = sides.collect::<Result<_, Failure>>()?;
        let compared = Compared { test, p, sides };
        let statistics = told::values(|statistic| statistic.of_test, &compared);
        let behind = self.beside(contrast, &compared);
        self.push(
            &contrast.group,
            &counted,
            statistics,
            why,
            Some(behind.into()),
        );
        self.push_p(vec![p]);
        Ok(())
    }

    /// What is behind the statistics that the test is not on, as JSON: of the mean of a level all it has, of a difference
    /// of means all that each side has, of which `n` is the smallest.
    fn beside(&self, contrast: &Contrast, compared: &Compared) -> String {
        let own = STATISTICS.iter().filter_map(|statistic| {
            let value = statistic.of_test?;
            let corners = match statistic.rests {
                Rests::OnRow => return None,
                Rests::OnLevel => contrast.corners.get(..1).unwrap_or_default(),
                Rests::OnSides => &contrast.corners,
            };
            let groups = || corners.iter().flat_map(|corner| &corner.groups);
            let mut lacking = Lacks::default();
            for (key, group) in groups() {
                lacking.join(&self.lacks_of(key, group));
            }
            let all: Vec<&Group> = groups().map(|(_, group)| *group).collect();
            let sizes: BTreeSet<usize> =
                corners.iter().map(|corner| corner.values().len()).collect();
            let counted = Counted {
                n: sizes.first().copied(),
                unit: self.observation().to_owned(),
                lacking,
                ..self.counted(&all)
            };
            let empty = corners.iter().find(|corner| corner.values().is_empty());
            let empty = empty.and_then(|corner| corner.groups.values().next());
            let why = empty
                .filter(|_| value(compared).is_none())
                .copied()
                .map(nothing);
            Some((statistic.name, behind::own(&counted, why)))
        });
        let own: BTreeMap<&str, behind::Own> = own.collect();
        serde_json::to_string(&own).unwrap_or_default()
    }

    /// How the statistics are computed, as JSON.
    fn computed(&self) -> Scalar {
        let alternative = || Some(self.stats.alternative.to_string());
        let measure = self.stats.test.measure();
        let tests = |measure: &Measure| measure.gives.iter().any(|one| one.holds == Holds::PValue);
        let how = How {
            test: match self.stats.test {
                Test::Mean | Test::Unscored => None,
                Test::PairedT => alternative(),
                Test::Measured(measure) => alternative().filter(|_| tests(measure)),
            },
            ddof: match self.stats.test {
                Test::Mean | Test::PairedT => Some(self.stats.ddof.into()),
                Test::Unscored | Test::Measured(_) => None,
            },
            level: self.stats.level,
            of_truth: self.of_truth,
            measure: measure.map(|measure| measure.name.to_owned()),
            shared: measure.is_some() && !self.stats.pair.is_empty(),
        };
        Scalar::from(serde_json::to_string(&how).unwrap_or_default())
    }

    /// What the pairs of a contrast lack.
    fn lacking(&self, contrast: &Contrast<'_>, levels: &BTreeSet<&Vec<String>>) -> Lacks {
        let pooled: Vec<&String> = self
            .stats
            .pair
            .iter()
            .filter(|pair| pair.pool)
            .map(|pair| &pair.axis)
            .collect();
        let mut lacking = if pooled.is_empty() {
            let documents = contrast.documents.iter();
            let own = documents.map(|(id, complete)| (*id, *complete));
            self.parts.lacks(&contrast.group, own)
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

    /// What groups say themselves of what is behind them.
    pub(super) fn counted(&self, groups: &[&Group]) -> Counted {
        let mut counted = Counted::default();
        for group in groups {
            counted.repeats = counted.repeats.max(group.repeats);
            counted.missing += self.missing(group.missing.values().sum());
            counted.dropped += group.dropped;
            for (reason, times) in &group.unscored {
                *counted.unscored.entry(reason.clone()).or_default() += times;
            }
        }
        let of_statistics = self.stats.of_statistics();
        counted.over = of_statistics.then(|| plural(&self.stats.over));
        counted
    }

    /// How many parts are missing: only what averages statistics has parts.
    fn missing(&self, parts: u64) -> u64 {
        if self.stats.of_statistics() { parts } else { 0 }
    }

    /// The table, with corrected p-values where they were asked for.
    pub(super) fn finish(mut self) -> Result<Output, Failure> {
        if let Some(correction) = self.stats.corrects() {
            for test in 0..told::p_values_of(self.stats.test).len() {
                let corrected = self.corrected(correction, test)?;
                for (row, (p, family)) in self.rows.iter_mut().zip(&corrected) {
                    row.push(Scalar::from(*p));
                    row.extend(told::told(&FAMILY, family));
                }
            }
        }
        let groups = self.stats.groups().map(|name| (name.to_owned(), false));
        let columns = groups.chain(self.stats.gives()).enumerate();
        let columns = columns.map(|(index, (name, is_number))| {
            let cells = self.rows.iter().map(|row| row[index].clone()).collect();
            (name, told::typed(is_number, cells))
        });
        Ok(Output::of(Frame::new(columns.collect())?))
    }

    /// The corrected p-value of each row's test at this place of its tests, and its family.
    fn corrected(
        &self,
        correction: Correction,
        test: usize,
    ) -> Result<Vec<(Option<f64>, Family)>, Failure> {
        let within = self.stats.family.iter().map(|name| {
            let at = self.stats.groups().position(|group| group == name);
            at.ok_or_else(|| {
                Failure::new(format!(
                    "`family` names `{name}`, which groups nothing here"
                ))
            })
        });
        let within: Vec<usize> = within.collect::<Result<_, _>>()?;
        let mut families: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for (row, cells) in self.rows.iter().enumerate() {
            let family = within.iter().map(|&column| cells[column].to_string());
            families.entry(family.collect()).or_default().push(row);
        }
        let mut corrected = vec![<(Option<f64>, Family)>::default(); self.rows.len()];
        for (values, rows) in &families {
            let named = self.stats.family.iter().zip(values);
            let named: Vec<String> = named
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            let raw: Vec<Option<f64>> = rows.iter().map(|&row| self.p[row][test]).collect();
            let adjusted =
                adjust(&raw, correction.into()).map_err(|error| Failure::new(error.to_string()))?;
            let tests = raw.iter().flatten().count() as u64;
            for (&row, p) in rows.iter().zip(adjusted) {
                let family = Family {
                    correction: correction.name().to_owned(),
                    name: named.join(", "),
                    tests,
                    undefined: rows.len() as u64 - tests,
                };
                corrected[row] = (p, family);
            }
        }
        Ok(corrected)
    }
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
