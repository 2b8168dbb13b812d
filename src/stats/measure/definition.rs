//! What a measure says of itself: its name, what it reads, and its columns.

use super::data::{Data, Role};
use super::outcome::Line;
use super::settings::{Setting, Settings};
use crate::stats::StatsError;

/// A statistic, or several of one computation.
pub struct Measure {
    /// As `test = "…"` names it.
    pub name: &'static str,
    /// What it answers, in one sentence of the docs.
    pub about: &'static str,
    /// What one of the `n` is: `item`, `pair`, `comparison`, `cluster`.
    pub unit: &'static str,
    /// The columns that it cannot do without.
    pub needs: &'static [Role],
    /// The columns that it looks at where the spec names them.
    pub takes: &'static [Role],
    /// The settings that it looks at.
    pub settings: &'static [Setting],
    /// Columns that tell the lines of one group apart, where there are several.
    pub keys: &'static [&'static str],
    /// Its columns in their order; the first is shown where nothing is named. `ci_low` and `ci_high` are of the first; another
    /// column's ends and p-value are called after it: `spearman_ci_low`, `spearman_p`.
    pub gives: &'static [Column],
    /// Computes it of one group. An error is the caller's mistake, never a property of the data.
    pub compute: fn(&Data, &Settings) -> Result<Vec<Line>, StatsError>,
}

impl Measure {
    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&'static Column> {
        self.gives.iter().find(|column| column.name == name)
    }

    /// The column with the p-value of a column that a test is on: of several tests each has its own, called after it.
    pub fn p_of(&self, tested: &str) -> Option<&'static str> {
        self.column(tested)
            .filter(|column| column.holds == Holds::Tested)?;
        let own = format!("{tested}_p");
        let p = |name: &str| self.column(name).filter(|p| p.holds == Holds::PValue);
        Some(p(&own).or_else(|| p("p"))?.name)
    }

    /// The columns with p-values that are of families of tests: `p`, and of several tests each its own.
    pub fn p_values(&self) -> impl Iterator<Item = &'static str> + use<'_> {
        let all = self.gives.iter().map(|column| column.name);
        all.filter(|name| {
            let tested = name.strip_suffix("_p").unwrap_or_default();
            let holds = self.column(name).map(|column| column.holds);
            holds == Some(Holds::PValue) && (*name == "p" || self.p_of(tested) == Some(name))
        })
    }

    /// The columns with the ends of the interval around a column.
    pub fn ends_of(&self, name: &str) -> Option<[String; 2]> {
        let own = ["ci_low", "ci_high"].map(|end| format!("{name}_{end}"));
        let main = ["ci_low", "ci_high"].map(str::to_owned);
        let there = |ends: &[String; 2]| ends.iter().all(|end| self.column(end).is_some());
        let is_main = self.gives.first().is_some_and(|first| first.name == name);
        let both = [Some(own), Some(main).filter(|_| is_main)];
        both.into_iter().flatten().find(there)
    }

    /// Whether a test is on a column, or it is what the test says.
    pub fn is_of_a_test(&self, name: &str) -> bool {
        let column = self.column(name);
        column.is_some_and(|column| matches!(column.holds, Holds::Tested | Holds::PValue))
    }
}

impl PartialEq for Measure {
    /// Names tell measures apart.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl std::fmt::Debug for Measure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Measure").field(&self.name).finish()
    }
}

/// A column of a measure's result.
pub struct Column {
    /// Its name, in the words of the field.
    pub name: &'static str,
    /// What it is, in the docs and below tables.
    pub about: &'static str,
    /// What it holds.
    pub holds: Holds,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A number that a test is on: marks of significance may stand at it.
    Tested,
    /// A number.
    Number,
    /// A whole number.
    Whole,
    /// A p-value.
    PValue,
    /// Names.
    Text,
}

/// A column, for the lists of measures.
pub const fn column(name: &'static str, holds: Holds, about: &'static str) -> Column {
    Column { name, about, holds }
}
