//! Observations: one value per group and document.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::Stats;
use crate::base::wording;
use crate::output::report::Lack;
use crate::stats::measure::{Cell, Role};

/// What was observed of one document in one group.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Observed {
    /// Its value: the mean over those repeats that have one.
    Value(f64),
    /// It has a value, which is no number.
    Label,
    /// No value, and why.
    Nothing(String),
}

/// One document of a group.
#[derive(Clone, Debug)]
pub(super) struct Observation {
    pub(super) observed: Observed,
    /// What it is made of fewer of than others: repeats, or what its own rows say.
    pub(super) lacks: Vec<Lack>,
    /// What a measure reads of it, in the order of its roles.
    pub(super) cells: Vec<Cell>,
}

/// The observations of one group, by document, and what could not be observed.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) documents: BTreeMap<Vec<String>, Observation>,
    /// Rows without a score, by reason; with repeats there may be several per document. Of
    /// statistics, those that each of them left out.
    pub(super) unscored: BTreeMap<String, u64>,
    /// Statistics that do not exist, by why.
    pub(super) missing: BTreeMap<String, u64>,
    /// Rows with a value; with repeats there may be several per document.
    pub(super) scored: u64,
    /// How many rows are averaged to an observation at most, one for each repeat; of statistics what they say themselves.
    pub(super) repeats: u64,
    /// Of statistics: incomplete pairs that they dropped themselves.
    pub(super) dropped: u64,
}

impl Observation {
    pub(super) fn has_value(&self) -> bool {
        !matches!(self.observed, Observed::Nothing(_))
    }

    /// Its value, if that is a number.
    pub(super) fn value(&self) -> Option<f64> {
        match self.observed {
            Observed::Value(value) => Some(value),
            Observed::Label | Observed::Nothing(_) => None,
        }
    }
}

impl Group {
    /// The values, in the order of the documents' ids.
    pub(super) fn values(&self) -> Vec<f64> {
        let documents = self.documents.values();
        documents.filter_map(Observation::value).collect()
    }
}

/// All observations: group key (in the order of `by`, then pair axes) → group. In rows of a level that
/// is subtracted, the columns that it is not told apart by are empty.
pub(super) struct Observations {
    pub(super) groups: IndexMap<Vec<String>, Group>,
    /// Stands for a group that no row is of.
    pub(super) none: Group,
    /// Columns in which some rows have no value and others an empty text: both are in one group.
    pub(super) nameless: Vec<String>,
    /// The roles of what a measure reads.
    pub(super) roles: Vec<Role>,
    /// Whether the values are truth values.
    pub(super) of_truth: bool,
}

/// Empties those columns of a group's key that a level in it is not told apart by.
pub(super) fn regardless(stats: &Stats, key: &mut [String]) {
    for (index, pair) in stats.pair.iter().enumerate() {
        if key[stats.by.len() + index] != pair.against {
            continue;
        }
        for name in &pair.regardless {
            if let Some(at) = stats.by.iter().position(|by| by == name) {
                key[at].clear();
            }
        }
    }
}

impl Observations {
    pub(super) fn groups(&self) -> impl Iterator<Item = (&Vec<String>, &Group)> {
        self.groups.iter()
    }

    pub(super) fn group(&self, key: &[String]) -> Option<&Group> {
        self.groups.get(key)
    }

    /// The same, without observations where there is no such group.
    pub(super) fn group_or_none(&self, key: &[String]) -> &Group {
        self.group(key).unwrap_or(&self.none)
    }

    /// The roles of the cells of groups, in their order.
    pub(super) fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// Groups that no reader can tell apart, in sentences.
    pub(super) fn alike(&self, stats: &Stats) -> Vec<String> {
        let mut told: Vec<String> = self
            .nameless
            .iter()
            .map(|name| {
                format!("rows without a `{name}` and rows in which it is empty are one group")
            })
            .collect();
        for (at, name) in stats.grouping().enumerate() {
            let mut shown: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
            for value in self.groups.keys().map(|key| key[at].as_str()) {
                let words: Vec<&str> = value.split_whitespace().collect();
                shown.entry(words.join(" ")).or_default().insert(value);
            }
            for values in shown.into_values().filter(|values| values.len() > 1) {
                let values: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
                let values = wording::list_of(&values).replace('`', "");
                told.push(format!(
                    "groups of `{name}` differ only in blanks: {values}"
                ));
            }
        }
        told
    }
}
