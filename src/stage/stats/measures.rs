//! What a spec says to a measure: whether that is what the measure needs, and nothing that it does not look at.
//!
//! Everything is said of the lists of a measure; none is named here.

use std::collections::BTreeSet;

use super::measured::role_of_other;
use super::raw::RawStats;
use super::setting::{Asked, KEYS, Key, SETTINGS, key_of, looks_at};
use super::{Pair, Test, told};
use crate::base::wording::{list_of, nearest};
use crate::stage::check::{Context, columns};
use crate::stats::measure::{Data, Measure, Role, Setting};
use crate::stats::{DEFAULT_LEVEL, StatsError, Tail};
use crate::toml::{Plain, Problem, Problems};

/// The stage being checked: its place, and what it says.
pub(super) struct Asking<'c> {
    pub(super) context: &'c Context<'c>,
    pub(super) at: &'c [String],
    pub(super) raw: &'c RawStats,
}

impl Asking<'_> {
    fn path(&self, key: &str) -> Vec<String> {
        [self.at, &[key.to_owned()]].concat()
    }

    fn bad(&self, key: &str, message: String, label: &str) -> Problem {
        self.context
            .problem("spec::bad-test", message, &self.path(key), label)
    }

    /// Refuses roles and settings that a test does not look at.
    pub(super) fn idle(&self, test: Test, problems: &mut Problems) {
        let measure = test.measure();
        let name = test.name();
        let looked_at = |role| measure.is_some_and(|measure| looks_at(measure, role));
        let independent = |key: &Key| {
            // That each row counts for itself can be said of every mean.
            let none = (key.written)(self.raw).is_some_and(|names| names.is_empty());
            none && key.role == Role::Cluster && test != Test::Unscored
        };
        let roles = KEYS.iter().filter(|key| (key.written)(self.raw).is_some());
        let roles = roles.filter(|key| !looked_at(key.role) && !independent(key));
        let roles = roles.map(|key| key.role.key());
        let takes = |setting| measure.is_some_and(|measure| measure.settings.contains(&setting));
        let own =
            |setting| measure.is_none() && matches!(setting, Setting::Level | Setting::Alternative);
        let settings = SETTINGS.iter().filter(|(_, _, written)| written(self.raw));
        let settings = settings.filter(|(setting, ..)| !takes(*setting) && !own(*setting));
        let settings = settings.map(|(_, key, _)| *key);
        let ddof = (measure.is_some() && self.raw.ddof.is_some()).then_some("ddof");
        for key in roles.chain(settings).chain(ddof) {
            let key = if key == "resamples" && self.raw.resamples.is_none() {
                "seed"
            } else {
                key
            };
            let message = format!("`{name}` does not look at `{key}`");
            self.bad(key, message, "has no effect")
                .help(match measure {
                    Some(measure) => format!("remove it; {}", looks_at_words(measure)),
                    None => "remove it, or write another `test`".to_owned(),
                })
                .tell(problems);
        }
        if let Some(measure) = measure.filter(|_| told::p_values_of(test).is_empty()) {
            for (key, written) in [
                ("correct", self.raw.correct.is_some()),
                ("family", self.raw.family.is_some()),
            ] {
                if written {
                    let message = format!(
                        "`{}` gives no `p`, so `{key}` changes nothing",
                        measure.name
                    );
                    self.bad(key, message, "has no effect")
                        .help("remove it, or write another `test`")
                        .tell(problems);
                }
            }
        }
    }

    /// Refuses what a measure needs and is not there, and a `pair` that says nothing to it.
    pub(super) fn needs(&self, measure: &'static Measure, pair: &[Pair], problems: &mut Problems) {
        self.pair(measure, pair, problems);
        let several = self.raw.value.iter().flatten().count() > 1;
        let rater_by_column = several && self.raw.raters.is_none();
        if several && !(rater_by_column && looks_at(measure, Role::Rater)) {
            let (message, help) = if looks_at(measure, Role::Rater) {
                (
                    "both `value` and `raters` say who rated".to_owned(),
                    "name one column of values, or leave `raters` out",
                )
            } else {
                (
                    format!("`{}` takes one column of values", measure.name),
                    "name one; a stage for each computes it of several",
                )
            };
            self.bad("value", message, "several columns")
                .help(help)
                .tell(problems);
        }
        let other = pair
            .first()
            .and_then(|_| role_of_other(measure, self.raw.reference.is_some()));
        for role in measure.needs {
            let Some(key) = key_of(*role) else { continue };
            let named = (key.written)(self.raw).is_some_and(|names| !names.is_empty());
            let given = named
                || key.usual.is_some()
                || other == Some(*role)
                || (*role == Role::Rater && rater_by_column)
                || self.context.is_written(self.at, key.role.key());
            // What is compared was said to be wrong.
            let by_pair = matches!(role, Role::Reference | Role::Sample | Role::Rival);
            if given || (by_pair && self.context.is_written(self.at, "pair")) {
                continue;
            }
            self.context
                .problem(
                    "spec::bad-test",
                    format!("`{}` needs `{}`", measure.name, key.role.key()),
                    &self.place_of_test(),
                    &format!("`{}` is missing", key.role.key()),
                )
                .help(needed(measure, key))
                .tell(problems);
        }
    }

    /// Settings that a measure does not know in this form, and columns of which it needs one of several: it says so before it
    /// has any rows.
    pub(super) fn tried(
        &self,
        measure: &'static Measure,
        (asked, pair): (&Asked, &[Pair]),
        problems: &mut Problems,
    ) {
        let settings = asked.settings(DEFAULT_LEVEL, Tail::TwoSided, false);
        match (measure.compute)(&self.without_rows(measure, pair), &settings) {
            Err(StatsError::Choice { setting, known }) => {
                self.unknown(measure, setting, known, problems);
            }
            Err(StatsError::NoColumn { columns }) => self
                .context
                .problem(
                    "spec::bad-test",
                    format!("`{}` needs {columns}", measure.name),
                    &self.place_of_test(),
                    "none of them is named",
                )
                .help(looks_at_words(measure))
                .tell(problems),
            Ok(_) | Err(_) => {}
        }
    }

    /// Rows of which there are none, with the columns that they would have.
    fn without_rows(&self, measure: &Measure, pair: &[Pair]) -> Data {
        let named = KEYS
            .iter()
            .filter(|key| (key.written)(self.raw).is_some() || key.usual.is_some());
        let named = named.map(|key| key.role);
        let other = pair
            .first()
            .and_then(|_| role_of_other(measure, self.raw.reference.is_some()));
        let several = self.raw.value.iter().flatten().count() > 1;
        let rater = several.then_some(Role::Rater);
        let roles = named
            .chain([Role::Item, Role::Value])
            .chain(other)
            .chain(rater);
        let roles = roles.filter(|role| looks_at(measure, *role));
        roles.fold(Data::of(0), |data, role| data.with(role, Vec::new()))
    }

    fn unknown(
        &self,
        measure: &'static Measure,
        setting: &str,
        known: &str,
        problems: &mut Problems,
    ) {
        let given = self.context.layers.tree().get(&self.path(setting));
        let Some(given) = given.and_then(|tree| tree.as_str()) else {
            return;
        };
        let words: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
        self.bad(
            setting,
            format!("`{}` knows no `{setting}` called `{given}`", measure.name),
            "not known",
        )
        .help(match nearest(given, &words) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it knows {known}"),
        })
        .tell(problems);
    }

    /// Where the test is named, or the stage.
    fn place_of_test(&self) -> Vec<String> {
        if self.raw.test.is_some() {
            self.path("test")
        } else {
            self.at.to_vec()
        }
    }

    /// A measure compares along one axis, or not at all.
    fn pair(&self, measure: &'static Measure, pair: &[Pair], problems: &mut Problems) {
        let Some(first) = pair.first() else { return };
        let has_reference = self.raw.reference.is_some();
        let (twice, idle) = ("said twice", "has no effect");
        let refused = match role_of_other(measure, has_reference) {
            None if has_reference && looks_at(measure, Role::Reference) => Some((
                "both `reference` and `pair` say what values are held against".to_owned(),
                twice,
                "name one of the two",
            )),
            None => Some((
                format!("`{}` compares nothing", measure.name),
                idle,
                "remove `pair`, or write another `test`",
            )),
            Some(Role::Sample) if self.raw.base.is_some() => Some((
                "both `base` and `pair` say what is compared with".to_owned(),
                twice,
                "leave `base` out",
            )),
            Some(Role::Sample) if self.raw.samples.is_some() => Some((
                "both `samples` and `pair` say what is compared".to_owned(),
                twice,
                "name one of the two",
            )),
            Some(_) if pair.len() > 1 => Some((
                format!("`{}` compares along one axis", measure.name),
                "several axes",
                "write one `pair`",
            )),
            Some(_) if first.pool => Some((
                format!("`{}` compares each level by itself", measure.name),
                idle,
                "remove `pool`",
            )),
            Some(_) => None,
        };
        if let Some((message, label, help)) = refused {
            self.bad("pair", message, label).help(help).tell(problems);
        }
    }

    /// The settings, as far as they can be taken.
    pub(super) fn settings(&self, problems: &mut Problems) -> Asked {
        let raw = self.raw;
        let mut wrong = |key: &str, message: String, help: &str| {
            self.context
                .problem(
                    "spec::out-of-range",
                    message,
                    &self.path(key),
                    "out of range",
                )
                .help(help)
                .tell(problems);
        };
        let bad = |[low, high]: &[f64; 2]| !(low.is_finite() && high.is_finite() && low < high);
        if raw.scale.as_ref().is_some_and(bad) {
            wrong(
                "scale",
                "`scale` must go from a lower to a higher number".to_owned(),
                "write its ends, the lower one first: `scale = [1, 5]`",
            );
        }
        if raw.at.iter().flatten().any(|at| !at.is_finite()) {
            wrong(
                "at",
                "`at` takes numbers".to_owned(),
                "write numbers: `at = [1, 5]`",
            );
        }
        if let Some(times) = raw.resamples.filter(|times| !RESAMPLES.contains(times)) {
            wrong(
                "resamples",
                format!("`resamples` cannot be {times}"),
                "write a number from 100 to 1000000; 10000 is usual",
            );
        }
        if let Some(power) = raw.power.filter(|&power| !(power > 0.0 && power < 1.0)) {
            wrong(
                "power",
                format!("`power` cannot be {power}"),
                "a power lies between 0 and 1, such as 0.8",
            );
        }
        if raw.least == Some(0) {
            wrong(
                "least",
                "`least` cannot be 0".to_owned(),
                "write at least 1",
            );
        }
        let categories: Vec<String> = raw
            .categories
            .iter()
            .flatten()
            .map(ToString::to_string)
            .collect();
        let at = self.path("categories");
        columns::each_once(self.context, &at, &categories, "label", problems);
        self.among(&categories, problems);
        Asked {
            method: raw.method.clone(),
            categories: raw
                .categories
                .iter()
                .flatten()
                .map(|one| one.0.clone())
                .collect(),
            weights: raw.weights.clone(),
            positive: raw.positive.as_ref().map(|one| one.0.clone()),
            scale: raw.scale,
            at: raw.at.clone().unwrap_or_default().0,
            resamples: raw.resamples,
            seed: raw.seed,
            base: raw.base.as_ref().map(|one| one.0.clone()),
            power: raw.power,
            least: raw.least,
        }
    }

    /// The label that counts as a hit is one of those that there are.
    fn among(&self, categories: &[String], problems: &mut Problems) {
        let positive = self.raw.positive.as_ref().map(Plain::to_string);
        let Some(positive) = positive.filter(|one| !categories.contains(one)) else {
            return;
        };
        if !categories.is_empty() {
            self.bad(
                "positive",
                format!("`{positive}` is none of the labels"),
                "not among `categories`",
            )
            .help(format!("the labels are {}", list_of(categories)))
            .tell(problems);
        }
    }

    /// Refuses columns of groups that the measure gives itself.
    pub(super) fn taken(
        &self,
        measure: &'static Measure,
        groups: &[String],
        problems: &mut Problems,
    ) {
        let own: BTreeSet<String> = told::gives(Test::Measured(measure), true)
            .into_iter()
            .map(|(name, _)| name)
            .chain(measure.keys.iter().map(|&key| key.to_owned()))
            .collect();
        // What every statistic bears was refused before.
        let taken = |name: &&String| own.contains(name.as_str()) && !super::is_taken(name);
        for name in groups.iter().filter(taken) {
            let by = self.context.element(&self.path("by"), name);
            let place = if self.raw.by.iter().flatten().any(|one| one == name) {
                by
            } else {
                self.path("test")
            };
            let message = format!("rows cannot be grouped by a column called `{name}`");
            Problem::error("spec::bad-name", message)
                .label_at(self.context.place(&place), "taken")
                .help(format!(
                    "`{}` gives a column of this name; rename that of the rows in a `derive` stage",
                    measure.name
                ))
                .tell(problems);
        }
    }
}

/// How often can be drawn.
const RESAMPLES: std::ops::RangeInclusive<u32> = 100..=1_000_000;

/// What a measure looks at, for those who wrote something else.
fn looks_at_words(measure: &Measure) -> String {
    let roles = measure.needs.iter().chain(measure.takes);
    let roles = roles.filter(|role| !matches!(role, Role::Item | Role::Value));
    let settings = SETTINGS
        .iter()
        .filter(|(setting, ..)| measure.settings.contains(setting));
    let keys = roles.map(|role| role.key());
    let keys: BTreeSet<&str> = keys.chain(settings.map(|(_, key, _)| *key)).collect();
    let keys: Vec<&str> = keys.into_iter().collect();
    match keys.as_slice() {
        [] => format!("`{}` looks at `value` and `over` alone", measure.name),
        keys => format!("it looks at {}", list_of(keys)),
    }
}

/// How what a measure needs is given.
fn needed(measure: &Measure, key: &Key) -> String {
    let named = format!("`{} = \"{}\"`", key.role.key(), key.example);
    let levels = "`pair = { axis = \"task\", against = \"gold\" }`";
    match key.role {
        Role::Reference => format!(
            "name the column that values are held against, {named}, or compare two levels: {levels}"
        ),
        Role::Sample => {
            format!("name the column with the samples, {named}, or two of its values: {levels}")
        }
        Role::Rival => {
            format!("name the other column of values, {named}, or compare two levels: {levels}")
        }
        Role::Rater => format!(
            "name the column that says who rated, {named}, or the columns of raters: `value = [\"first\", \"second\"]`"
        ),
        _ => format!("name the column: {named}; {}", looks_at_words(measure)),
    }
}
