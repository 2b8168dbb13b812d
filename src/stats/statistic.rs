//! The statistics that results hold: what each is called, what it is, how it is computed, and what belongs to it.
//!
//! The columns of results, what is said under tables and figures, the checks of specs and the table in `docs/report.md` are
//! made from [`STATISTICS`]: whoever adds a statistic adds an item and raises [`VERSION`].
//! It must not know who is compared with whom, nor where a statistic is shown.

use super::measure::{self, Column, Holds, Measure};
use super::{Describe, Interval, Share, TTest};

/// Raised with a statistic that is added or comes to mean something else: results of the version before are computed again.
///
/// 3: win rates of clusters are tested by clusters, means of `ppi` whose error is 0 have no interval, ends of intervals of
/// ranks are not a rank too high, and differences that only rounding tells apart are equal in `power`, `bootstrap` and
/// `pairwise-accuracy`.
pub const VERSION: u32 = 3;

/// What is shown where nothing else is named.
pub const USUAL: &str = "mean";
/// The ends of the interval of confidence.
pub const ENDS: [&str; 2] = ["ci_low", "ci_high"];
/// What a test is read off.
pub const T: &str = "t";
/// The p-value of a test.
pub const P: &str = "p";
/// Its degrees of freedom.
pub const DF: &str = "df";

/// The values of a group, described.
pub struct Described {
    /// The values, in the order of what they were observed of.
    pub values: Vec<f64>,
    /// What they look like.
    pub about: Describe,
    /// The interval of confidence around their mean.
    pub interval: Option<Interval>,
}

/// What is compared, tested.
pub struct Compared {
    /// The test on the differences of complete pairs.
    pub test: TTest,
    /// Its p-value in the direction that was asked for.
    pub p: Option<f64>,
    /// The sides, the level itself first, each with its sign and described over all that it has.
    pub sides: Vec<(f64, Describe)>,
}

/// What a statistic is to the test of its row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Nothing.
    Plain,
    /// The test is on it, so that marks of significance may stand at it.
    Tested,
    /// A p-value of the test.
    PValue,
}

/// What a statistic rests on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rests {
    /// What the counts of its row describe.
    OnRow,
    /// All that the level itself has, in a complete pair or not.
    OnLevel,
    /// All that each side has, in a complete pair or not.
    OnSides,
}

/// How a statistic is computed of `R`, if it is: its value, if there is one.
pub type ValueOf<R> = Option<fn(&R) -> Option<f64>>;

/// A statistic.
pub struct Statistic {
    /// The column it stands in.
    pub name: &'static str,
    /// What it is, in the docs.
    pub about: &'static str,
    /// What values are called under a table that does not say it, if not by name.
    pub called: Option<&'static str>,
    /// The same of tests.
    pub called_of_tests: Option<&'static str>,
    /// Its value of a group, where groups have it.
    pub of_group: ValueOf<Described>,
    /// Its value of a count of answers.
    pub of_answers: ValueOf<Share>,
    /// Its value of a test.
    pub of_test: ValueOf<Compared>,
    /// Whether it is a p-value that was corrected for the tests of its family.
    pub of_family: bool,
    /// Whether values are whole numbers.
    pub whole: bool,
    /// Whether it depends on what is taken off n in a variance.
    pub of_spread: bool,
    /// What it is to the test of its row.
    pub role: Role,
    /// What it rests on.
    pub rests: Rests,
}

/// What holds of a statistic unless its item says otherwise.
const PLAIN: Statistic = Statistic {
    name: "",
    about: "",
    called: None,
    called_of_tests: None,
    of_group: None,
    of_answers: None,
    of_test: None,
    of_family: false,
    whole: false,
    of_spread: false,
    role: Role::Plain,
    rests: Rests::OnRow,
};

/// All statistics, in the order of the columns.
pub const STATISTICS: &[Statistic] = &[
    Statistic {
        name: "count",
        about: "how many answers hold no score",
        called: Some("numbers of answers without a score"),
        of_answers: Some(|answers| answers.share.map(|_| answers.hits as f64)),
        whole: true,
        ..PLAIN
    },
    Statistic {
        name: "share",
        about: "their share of all answers",
        called: Some("shares of answers without a score"),
        of_answers: Some(|answers| answers.share),
        ..PLAIN
    },
    Statistic {
        name: USUAL,
        about: "the mean over documents (or what `over` names); of tests the mean difference of complete pairs",
        called_of_tests: Some("mean differences of pairs"),
        of_group: Some(|group| group.about.mean),
        of_test: Some(|compared| compared.test.mean),
        role: Role::Tested,
        ..PLAIN
    },
    Statistic {
        name: "sd",
        about: "the standard deviation of what `mean` is over",
        of_group: Some(|group| group.about.sd),
        of_test: Some(|compared| compared.test.sd),
        of_spread: true,
        ..PLAIN
    },
    Statistic {
        name: "se",
        about: "the standard error of `mean`",
        of_group: Some(|group| group.about.se),
        of_test: Some(|compared| compared.test.se),
        of_spread: true,
        ..PLAIN
    },
    Statistic {
        name: ENDS[0],
        about: "the lower end of the confidence interval of `mean` or `share`",
        called: Some("lower ends of confidence intervals"),
        of_group: Some(|group| group.interval.map(|interval| interval.low)),
        of_answers: Some(|answers| answers.interval.map(|interval| interval.low)),
        of_test: Some(|compared| compared.test.interval.map(|interval| interval.low)),
        of_spread: true,
        ..PLAIN
    },
    Statistic {
        name: ENDS[1],
        about: "its upper end",
        called: Some("upper ends of confidence intervals"),
        of_group: Some(|group| group.interval.map(|interval| interval.high)),
        of_answers: Some(|answers| answers.interval.map(|interval| interval.high)),
        of_test: Some(|compared| compared.test.interval.map(|interval| interval.high)),
        of_spread: true,
        ..PLAIN
    },
    Statistic {
        name: "min",
        about: "the smallest value",
        of_group: Some(|group| group.about.min),
        ..PLAIN
    },
    Statistic {
        name: "max",
        about: "the largest value",
        of_group: Some(|group| group.about.max),
        ..PLAIN
    },
    Statistic {
        name: "median",
        about: "the middle value, or the mean of the two middle ones",
        of_group: Some(|group| group.about.median),
        ..PLAIN
    },
    Statistic {
        name: T,
        about: "`mean` over `se`",
        called_of_tests: Some("t of the paired test"),
        of_test: Some(|compared| compared.test.t.ok()),
        of_spread: true,
        role: Role::Tested,
        ..PLAIN
    },
    Statistic {
        name: DF,
        about: "degrees of freedom of `t`: complete pairs less one",
        of_test: Some(|compared| compared.test.df),
        ..PLAIN
    },
    Statistic {
        name: P,
        about: "the p-value of `t`",
        called_of_tests: Some("p of the paired test"),
        of_test: Some(|compared| compared.p),
        of_spread: true,
        role: Role::PValue,
        ..PLAIN
    },
    Statistic {
        name: "dz",
        about: "`mean` over `sd`",
        called_of_tests: Some("dz, mean differences of pairs in units of their sd"),
        of_test: Some(|compared| compared.test.dz),
        of_spread: true,
        role: Role::Tested,
        ..PLAIN
    },
    Statistic {
        name: "level_mean",
        about: "the mean of the level itself over all it has, in a complete pair or not; n, unscored rows and † are those of this side",
        called_of_tests: Some("means of one side, in complete pairs or not"),
        of_test: Some(|compared| compared.sides.first().and_then(|(_, level)| level.mean)),
        rests: Rests::OnLevel,
        ..PLAIN
    },
    Statistic {
        name: "difference",
        about: "the difference of the means of both sides, each over all it has: with incomplete pairs it is not `mean`; n is that of the smaller side",
        called_of_tests: Some("differences of two means, each over all that its side has"),
        of_test: Some(difference),
        rests: Rests::OnSides,
        ..PLAIN
    },
    Statistic {
        name: "p_adjusted",
        about: "`p`, corrected for the tests of its family",
        called_of_tests: Some("corrected p of the paired test"),
        of_family: true,
        of_spread: true,
        role: Role::PValue,
        ..PLAIN
    },
];

/// What a table of means shows as Δ.
fn difference(compared: &Compared) -> Option<f64> {
    let mut sides = compared.sides.iter();
    sides.try_fold(0.0, |sum, (sign, side)| Some(sum + sign * side.mean?))
}

impl Statistic {
    /// Whether it rests on something else than its row.
    pub fn is_beside(&self) -> bool {
        self.rests != Rests::OnRow
    }
}

/// A statistic by its name.
pub fn named(name: &str) -> Option<&'static Statistic> {
    STATISTICS.iter().find(|statistic| statistic.name == name)
}

/// Whether there is a statistic of this name of which something holds.
pub fn is(name: &str, holds: fn(&Statistic) -> bool) -> bool {
    named(name).is_some_and(holds)
}

/// Whether it is a p-value, of a test or of a measure.
pub fn is_p_value(name: &str) -> bool {
    let raw = name.strip_suffix(ADJUSTED).unwrap_or(name);
    let of_measure = |column: &Column| column.name == raw && column.holds == Holds::PValue;
    is(raw, |statistic| statistic.role == Role::PValue)
        || measure::all().any(|measure| measure.gives.iter().any(of_measure))
}

/// Whether it is an end of an interval of confidence.
pub fn is_end(name: &str) -> bool {
    ENDS.iter().any(|end| {
        name.strip_suffix(end)
            .is_some_and(|of| of.is_empty() || of.ends_with('_'))
    })
}

/// Whether it is a p-value that was corrected for the other tests of its family.
pub fn is_corrected(name: &str) -> bool {
    name.ends_with(ADJUSTED) && is_p_value(name)
}

/// How a p-value is called that was corrected.
const ADJUSTED: &str = "_adjusted";

/// The column with a p-value, corrected for the other tests of its family.
pub fn adjusted(p: &str) -> String {
    format!("{p}{ADJUSTED}")
}

/// What the columns about the family of a p-value are called after: nothing for `p`, `spearman_` for `spearman_p`.
pub fn family_prefix(p: &str) -> &str {
    let raw = p.strip_suffix(ADJUSTED).unwrap_or(p);
    raw.strip_suffix(P).unwrap_or_default()
}

/// The column with the p-value of what a test is on, among those that rows have: a corrected one before the one that it is
/// made from.
pub fn p_value_of(
    name: &str,
    measure: Option<&Measure>,
    has: impl Fn(&str) -> bool,
) -> Option<String> {
    let own = match measure {
        Some(measure) => measure.p_of(name),
        None => Some(P).filter(|_| is(name, |one| one.role == Role::Tested)),
    }?;
    let both = [adjusted(own), own.to_owned()];
    both.into_iter().find(|p| has(p))
}

/// Whether the values of a column are whole numbers: counts, wherever statistics have them, and columns that say so.
pub fn is_whole(measure: Option<&str>, name: &str) -> bool {
    let of_measure = measure.and_then(|measure| measure::named(measure)?.column(name));
    match of_measure {
        Some(column) => column.holds == Holds::Whole,
        None => COUNTED.contains(&name) || is(name, |statistic| statistic.whole),
    }
}

/// The columns that count what is behind the other columns of a row.
const COUNTED: [&str; 7] = [
    "n", "unscored", "missing", "parts", "partial", "dropped", "averaged",
];

/// What a column of a measure is, in words.
pub fn about(measure: &str, column: &str) -> Option<&'static str> {
    let column = measure::named(measure)?.column(column);
    column.map(|column| column.about)
}

/// Whether it depends on what is taken off n in a variance.
pub fn is_of_spread(name: &str) -> bool {
    is(name, |statistic| statistic.of_spread)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_statistic_has_a_name_of_its_own_says_what_it_is_and_is_of_something() {
        let mut names = BTreeSet::new();
        for statistic in STATISTICS {
            let name = statistic.name;
            assert!(names.insert(name), "{name}");
            assert!(!statistic.about.is_empty(), "{name}");
            let of_others = statistic.of_group.is_some() || statistic.of_answers.is_some();
            let of_tests = statistic.of_test.is_some() || statistic.of_family;
            assert!(of_others || of_tests, "{name}");
            // Only what tests have can be called something, or rest on something, of tests.
            assert!(of_tests || statistic.called_of_tests.is_none(), "{name}");
            assert!(of_tests || !statistic.is_beside(), "{name}");
        }
    }
}
