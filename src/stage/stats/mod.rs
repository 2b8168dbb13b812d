//! `stats`: computes statistics over scores, or over other statistics.
//!
//! Rows are grouped by every axis that reaches the stage and by metric; within a group one
//! observation per document is left (repeats are averaged first, so that they do not count as
//! documents). `mean` describes each group; `paired-t` compares groups along one axis (Eq. 5.2) or
//! takes differences of differences along several (Eq. 5.3); `unscored` counts answers without a score. Every
//! other test is a measure of the library, which says itself what it reads and gives. A value that does not exist is counted
//! with its reason and takes part in nothing.

mod behind;
mod beside;
mod check;
mod collect;
mod contract;
mod contrast;
mod counting;
mod entries;
mod gathered;
mod lacks;
mod measured;
mod measures;
mod observe;
mod pair;
mod pooled;
mod raw;
mod record;
mod role;
mod setting;
mod shown;
mod suspect;
mod test;
#[cfg(test)]
mod tests;
mod told;
mod why;

use std::collections::BTreeSet;

use serde::Serialize;

pub(crate) use self::behind::{Behind, Counts, Support};
pub(crate) use self::beside::{Beside, only_says, says_behind, with_behind};
use self::collect::Collecting;
pub(crate) use self::counting::{Counting, as_json, one_of};
pub(crate) use self::gathered::{Fields, Gathered};
use self::lacks::{Parts, Wanted};
use self::observe::Observations;
use self::record::Records;
pub use self::setting::{Asked, Roles};
pub(crate) use self::shown::{Reader, Shows, frame, texts};
pub use self::test::Test;
pub(crate) use self::told::{FAMILY, Told, WHY, family, is_counted, is_taken, number, other};
use crate::base::failure::Failure;
use crate::frame::{ColumnData, Frame, Scalar};
use crate::stage::pool::{self, Pool};
use crate::stage::{Expression, Kind, Output, StageName};
use crate::stats::measure::{self, Column};
use crate::stats::statistic::USUAL;
use crate::stats::{Ddof, Tail};

/// The column that tells the stages apart that are read, where the spec names it and rows have none.
const JUDGE: &str = "judge";

/// Computes statistics.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stats {
    /// The stages to read; their rows are taken together.
    #[serde(skip)]
    pub from: Vec<StageName>,
    /// Whether it reads statistics as other stages left them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub of_kept: bool,
    /// What is computed.
    pub test: Test,
    /// The column with the values.
    pub value: String,
    /// Further columns with values: those of other raters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// A condition on the rows that take part.
    #[serde(rename = "where")]
    pub condition: Option<Expression>,
    /// The columns that tell observations apart (documents by default).
    pub over: Vec<String>,
    /// The columns that form groups.
    pub by: Vec<String>,
    /// Columns of `by` in which groups are alike that should be made of the same parts; all, if none is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<String>,
    /// Further groups, of rows of several values of a column of `by`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pool: Vec<Pool>,
    /// What is compared with what, outermost last.
    pub pair: Vec<Pair>,
    /// What is taken off n in the denominator of a variance.
    pub ddof: Ddof,
    /// Confidence level of intervals.
    pub level: f64,
    /// The direction of the alternative hypothesis.
    pub alternative: Tail,
    /// How p-values are corrected for multiple comparisons.
    pub correct: Option<Correction>,
    /// Columns that divide comparisons into families; by default all rows are one family.
    pub family: Vec<String>,
    /// The columns that a measure reads beside those of items and values.
    #[serde(skip_serializing_if = "Roles::is_empty")]
    pub roles: Roles,
    /// The settings of a measure.
    #[serde(skip_serializing_if = "Asked::is_empty")]
    pub asked: Asked,
}

/// Levels of a column compared with one of them: δ = level − against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pair {
    /// The column, usually an axis.
    pub axis: String,
    /// The level that is subtracted.
    pub against: String,
    /// Columns of `by` that the level that is subtracted is not told apart by: whatever it holds there,
    /// it is subtracted from rows of all their values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub regardless: Vec<String>,
    /// Whether the differences of all levels are taken together.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pool: bool,
}

/// How p-values are corrected for multiple comparisons.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Correction {
    /// Multiplied by the number of comparisons.
    Bonferroni,
    /// Holm's step-down.
    Holm,
    /// Benjamini and Hochberg's step-up, for the false discovery rate.
    BenjaminiHochberg,
    /// Benjamini and Yekutieli's step-up, for the same however the tests depend on each other.
    BenjaminiYekutieli,
}

impl Correction {
    /// As it is written in a spec.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bonferroni => "bonferroni",
            Self::Holm => "holm",
            Self::BenjaminiHochberg => "benjamini-hochberg",
            Self::BenjaminiYekutieli => "benjamini-yekutieli",
        }
    }
}

impl From<Correction> for crate::stats::Correction {
    fn from(correction: Correction) -> Self {
        match correction {
            Correction::Bonferroni => Self::Bonferroni,
            Correction::Holm => Self::Holm,
            Correction::BenjaminiHochberg => Self::BenjaminiHochberg,
            Correction::BenjaminiYekutieli => Self::BenjaminiYekutieli,
        }
    }
}

/// The column with the names of pooled groups, in the place of one that groups are formed by.
fn pooled_column(column: &str) -> String {
    format!("pooled {column}")
}

/// A table with the names of pooled groups in columns of their own.
fn named(input: &Frame, choice: &[&Pool]) -> Result<Frame, Failure> {
    let mut frame = input.clone();
    for pool in choice {
        let name = Scalar::from(pool.name.as_str());
        let cells = ColumnData::repeat(&name, input.rows());
        frame = frame.with_column(&pooled_column(&pool.column), cells)?;
    }
    Ok(frame)
}

impl Stats {
    /// The mean of a column over the values of another one.
    pub(super) fn mean_over(from: &StageName, value: &str, over: &str) -> Self {
        Self {
            from: vec![from.clone()],
            of_kept: false,
            test: Test::Mean,
            value: value.to_owned(),
            also: Vec::new(),
            condition: None,
            over: vec![over.to_owned()],
            by: Vec::new(),
            alike: Vec::new(),
            pool: Vec::new(),
            pair: Vec::new(),
            ddof: Ddof::Sample,
            level: 0.95,
            alternative: Tail::default(),
            correct: None,
            family: Vec::new(),
            roles: Roles::default(),
            asked: Asked::default(),
        }
    }

    /// Computes the statistics of `input`, the rows of all stages read: one row per group, in the
    /// order in which groups first appear.
    ///
    /// # Errors
    /// A missing column, values that are not numbers, two observations of one document in a group,
    /// a level to compare with that no row has.
    pub fn compute(&self, input: &Frame) -> Result<Output, Failure> {
        let mut warnings = Vec::new();
        let rows = self.taking_part(input, &mut warnings)?;
        warnings.extend(pool::look(input, &self.pool, &rows)?);
        let observations = self.observations(input, &rows)?;
        let mut output = self.of_observations(&observations, &[])?;
        let mut frames = vec![output.frame];
        let parts = (!self.pool.is_empty()).then(|| Parts::of(self, observations.groups(), &[]));
        for choice in pool::choices(&self.pool) {
            let rows = pool::rows(input, &choice, &rows)?;
            let wanted = parts
                .as_ref()
                .map(|parts| parts.wanted(observations.groups(), &choice));
            let pooled = self.pooled(&choice);
            let of_pooled = pooled.observations(&named(input, &choice)?, &rows)?;
            let mut more = pooled.of_observations(&of_pooled, &wanted.unwrap_or_default())?;
            let plain = |name: &str| match choice
                .iter()
                .find(|pool| pooled_column(&pool.column) == name)
            {
                Some(pool) => pool.column.clone(),
                None => name.to_owned(),
            };
            more.frame = more.frame.renamed(plain)?;
            frames.push(more.frame);
            warnings.extend(more.warnings);
        }
        output.frame = match frames.as_slice() {
            [only] => only.clone(),
            several => Frame::stack(several)?,
        };
        // What holds of groups of single values is said of pooled ones once more.
        for warning in warnings {
            if !output.warnings.contains(&warning) {
                output.warnings.push(warning);
            }
        }
        Ok(output)
    }

    /// The same over the rows of pooled groups: what told these apart as groups tells them apart as observations.
    fn pooled(&self, choice: &[&Pool]) -> Self {
        let pooled = |name: &String| choice.iter().any(|pool| pool.column == *name);
        let called = |names: &[String]| -> Vec<String> {
            let called = names.iter().map(|name| {
                if pooled(name) {
                    pooled_column(name)
                } else {
                    name.clone()
                }
            });
            called.collect()
        };
        let apart = choice.iter().map(|pool| &pool.column);
        let apart = apart.filter(|name| !self.over.contains(name));
        let pair = self.pair.iter().map(|pair| Pair {
            regardless: called(&pair.regardless),
            ..pair.clone()
        });
        Self {
            over: self.over.iter().chain(apart).cloned().collect(),
            by: called(&self.by),
            alike: called(&self.alike),
            family: called(&self.family),
            pair: pair.collect(),
            pool: Vec::new(),
            ..self.clone()
        }
    }

    /// The rows that take part.
    fn taking_part(
        &self,
        input: &Frame,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<usize>, Failure> {
        let rows: Vec<usize> = (0..input.rows()).collect();
        Ok(match &self.condition {
            Some(condition) => {
                let kept = condition.rows(input, rows)?;
                let open = self.open(condition, input, &kept.open)?;
                let mut rows = kept.noting_none(input, None, warnings);
                rows.extend(open);
                rows.sort_unstable();
                rows
            }
            None => rows,
        })
    }

    /// What is observed in some of the rows.
    fn observations(&self, input: &Frame, rows: &[usize]) -> Result<Observations, Failure> {
        let mut collecting = Collecting::new(self);
        collecting.add(input, rows.iter().copied())?;
        collecting.end()
    }

    /// The statistics of rows that are read part by part, of which all take part in groups of single values.
    fn of_parts(
        &self,
        parts: impl Iterator<Item = Result<Frame, Failure>>,
    ) -> Result<Output, Failure> {
        let mut collecting = Collecting::new(self);
        for part in parts {
            let part = part?;
            collecting.add(&part, 0..part.rows())?;
        }
        self.of_observations(&collecting.end()?, &[])
    }

    /// The statistics of what was observed, and what should have been as well.
    fn of_observations(
        &self,
        observations: &Observations,
        wanted: &[Wanted],
    ) -> Result<Output, Failure> {
        let mut warnings = observations.alike(self);
        let parts = Parts::of(self, observations.groups(), wanted);
        let of_truth = observations.of_truth;
        let mut records = Records::new(self, parts, of_truth);
        match self.test {
            Test::Mean => {
                for (group, observed) in observations.groups() {
                    records.describe(group, observed)?;
                }
            }
            Test::Unscored => {
                for (group, observed) in observations.groups() {
                    records.count_unscored(group, observed)?;
                }
            }
            Test::PairedT => {
                let contrasts = contrast::contrasts(self, observations)?;
                let levels = contrasts.iter().flat_map(|contrast| contrast.levels.keys());
                let levels: BTreeSet<&Vec<String>> = levels.collect();
                for contrast in &contrasts {
                    records.compare(contrast, &levels)?;
                }
            }
            Test::Measured(measure) => {
                let mut settings = self.asked.settings(self.level, self.alternative, of_truth);
                settings.base = settings.base.or_else(|| measured::base(self, measure));
                let sets = measured::sets(self, measure, observations)?;
                warnings.extend(suspect::look(measure, &settings, &sets)?);
                for set in &sets {
                    records.measure(measure, &settings, set)?;
                }
            }
        }
        let mut output = records.finish()?;
        output.warnings.extend(warnings);
        Ok(output)
    }

    /// Rows without a score of which a condition on the score cannot say whether they take part. No value is taken from
    /// them, but they are counted: what is unscored does not vanish because scores are looked at.
    fn open(
        &self,
        condition: &Expression,
        input: &Frame,
        undecided: &[usize],
    ) -> Result<Vec<usize>, Failure> {
        if !condition.columns().contains(&self.value) {
            return Ok(Vec::new());
        }
        let value = input.column(&self.value)?;
        let without = undecided.iter().copied();
        Ok(without.filter(|&row| value.scalar(row).is_null()).collect())
    }

    /// The columns that group rows: `by`, then all axes that are compared along.
    fn grouping(&self) -> impl Iterator<Item = &String> {
        self.by
            .iter()
            .chain(self.pair.iter().map(|pair| &pair.axis))
    }

    /// The columns that tell the rows of the result apart: `by`, then the axes that are compared along
    /// level by level, then those by which a measure tells its own rows apart.
    pub fn groups(&self) -> impl Iterator<Item = &str> {
        let axes = self.pair.iter().filter(|pair| !pair.pool);
        let axes = axes.map(|pair| &pair.axis);
        let keys = self.test.measure().map_or(&[][..], |measure| measure.keys);
        let read = self.by.iter().chain(axes).map(String::as_str);
        read.chain(keys.iter().copied())
    }

    /// How p-values are corrected, where there are any.
    fn corrects(&self) -> Option<Correction> {
        self.correct
            .filter(|_| !told::p_values_of(self.test).is_empty())
    }

    /// The columns with values.
    fn values(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.value).chain(&self.also)
    }

    /// What is shown of its rows where nothing else is named.
    fn shown(&self) -> &'static str {
        let measure = self.test.measure();
        let main = measure.and_then(|measure| {
            let numbers = |column: &&Column| column.holds != measure::Holds::Text;
            measure.gives.iter().find(numbers)
        });
        main.map_or(USUAL, |main| main.name)
    }

    /// The columns of the result beside those of its groups, and whether they hold numbers.
    fn gives(&self) -> Vec<(String, bool)> {
        told::gives(self.test, self.corrects().is_some())
    }

    /// Whether it reads statistics rather than scores.
    pub fn of_statistics(&self) -> bool {
        self.of_kept || self.from.iter().all(|name| name.kind == Kind::Stats)
    }
}
