//! What a spec says to a measure: the columns of its roles, and its settings.
//!
//! A role or a setting of the library has one line here, with the key by which a spec gives it; nothing here knows a measure.

use std::collections::BTreeMap;

use serde::Serialize;

use super::raw::RawStats;
use crate::frame::Scalar;
use crate::stage::judge::compare::{CONTENDER, OPPONENT, ORDER};
use crate::stats::Tail;
use crate::stats::measure::{Measure, Role, Setting, Settings};
use crate::toml::OneOrMany;

/// A role that a key of the spec gives a column to.
pub(super) struct Key {
    pub(super) role: Role,
    /// What its column holds, in an example.
    pub(super) example: &'static str,
    /// The column that is taken where the spec names none and the rows have it.
    pub(super) usual: Option<&'static str>,
    /// What its cells are.
    pub(super) cells: Cells,
    /// The columns that the spec names.
    pub(super) written: fn(&RawStats) -> Option<Vec<String>>,
}

/// What the cells of a role are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cells {
    /// Names, by which rows are told apart.
    Names,
    /// Names of what rows belong to, which does not tell them apart.
    Groups,
    /// The same as values: numbers, or labels.
    Values,
    /// Numbers.
    Numbers,
}

fn one(name: Option<&String>) -> Option<Vec<String>> {
    name.map(|name| vec![name.clone()])
}

fn many(names: Option<&OneOrMany<String>>) -> Option<Vec<String>> {
    names.map(|names| names.0.clone())
}

/// The keys of roles; those of items and values are `over` and `value`.
pub(super) const KEYS: [Key; 11] = [
    Key {
        role: Role::Reference,
        example: "human",
        usual: None,
        cells: Cells::Values,
        written: |raw| one(raw.reference.as_ref()),
    },
    Key {
        role: Role::Rival,
        example: "other",
        usual: None,
        cells: Cells::Values,
        written: |raw| one(raw.rival.as_ref()),
    },
    Key {
        role: Role::Rater,
        example: "judge",
        usual: None,
        cells: Cells::Names,
        written: |raw| many(raw.raters.as_ref()),
    },
    Key {
        role: Role::System,
        example: "model",
        usual: None,
        cells: Cells::Names,
        written: |raw| many(raw.systems.as_ref()),
    },
    Key {
        role: Role::Sample,
        example: "genre",
        usual: None,
        cells: Cells::Names,
        written: |raw| many(raw.samples.as_ref()),
    },
    Key {
        role: Role::Cluster,
        example: "doc_id",
        usual: None,
        cells: Cells::Groups,
        written: |raw| many(raw.cluster.as_ref()),
    },
    Key {
        role: Role::Contender,
        example: CONTENDER,
        usual: Some(CONTENDER),
        cells: Cells::Names,
        written: |raw| one(raw.contender.as_ref()),
    },
    Key {
        role: Role::Opponent,
        example: OPPONENT,
        usual: Some(OPPONENT),
        cells: Cells::Names,
        written: |raw| one(raw.opponent.as_ref()),
    },
    Key {
        role: Role::Order,
        example: ORDER,
        usual: Some(ORDER),
        cells: Cells::Names,
        written: |raw| one(raw.order.as_ref()),
    },
    Key {
        role: Role::Length,
        example: "words",
        usual: None,
        cells: Cells::Numbers,
        written: |raw| one(raw.length.as_ref()),
    },
    Key {
        role: Role::OpponentLength,
        example: "opponent_words",
        usual: None,
        cells: Cells::Numbers,
        written: |raw| one(raw.opponent_length.as_ref()),
    },
];

/// The key of a role.
pub(super) fn key_of(role: Role) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.role == role)
}

/// A setting, its key, and whether a spec has it.
type Written = (Setting, &'static str, fn(&RawStats) -> bool);

/// The keys of settings.
pub(super) const SETTINGS: [Written; 12] = [
    (Setting::Level, "level", |raw| raw.level.is_some()),
    (Setting::Alternative, "alternative", |raw| {
        raw.alternative.is_some()
    }),
    (Setting::Method, "method", |raw| raw.method.is_some()),
    (Setting::Categories, "categories", |raw| {
        raw.categories.is_some()
    }),
    (Setting::Weights, "weights", |raw| raw.weights.is_some()),
    (Setting::Positive, "positive", |raw| raw.positive.is_some()),
    (Setting::Scale, "scale", |raw| raw.scale.is_some()),
    (Setting::At, "at", |raw| raw.at.is_some()),
    (Setting::Resamples, "resamples", |raw| {
        raw.resamples.is_some() || raw.seed.is_some()
    }),
    (Setting::Base, "base", |raw| raw.base.is_some()),
    (Setting::Power, "power", |raw| raw.power.is_some()),
    (Setting::Least, "least", |raw| raw.least.is_some()),
];

/// The columns that the spec gives to roles, by their keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Roles(BTreeMap<&'static str, Vec<String>>);

impl Roles {
    /// Those that are written.
    pub(super) fn of(raw: &RawStats) -> Self {
        let written = KEYS
            .iter()
            .filter_map(|key| Some((key.role.key(), (key.written)(raw)?)));
        // Without a name nothing is named: rows count for themselves.
        Self(written.filter(|(_, names)| !names.is_empty()).collect())
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The columns of a role, if the spec names them.
    pub(super) fn get(&self, role: Role) -> Option<&[String]> {
        self.0.get(role.key()).map(Vec::as_slice)
    }

    /// All columns that are named.
    pub(super) fn columns(&self) -> impl Iterator<Item = &String> {
        self.0.values().flatten()
    }

    /// The columns of each role that a measure looks at: those that are named, else the usual ones that rows have.
    pub(super) fn found(
        &self,
        measure: &Measure,
        has: impl Fn(&str) -> bool,
    ) -> Vec<(&'static Key, Vec<String>)> {
        let looked_at = KEYS.iter().filter(|key| looks_at(measure, key.role));
        let columns = looked_at.filter_map(|key| {
            let named = self.get(key.role).map(<[String]>::to_vec);
            let usual = key.usual.filter(|name| has(name));
            let columns = named.or_else(|| usual.map(|name| vec![name.to_owned()]))?;
            Some((key, columns))
        });
        columns.collect()
    }
}

/// Whether a measure looks at the column of a role.
pub(super) fn looks_at(measure: &Measure, role: Role) -> bool {
    measure.needs.contains(&role) || measure.takes.contains(&role)
}

/// Whether the values of a measure may be labels: its settings name some.
pub(super) fn takes_labels(measure: &Measure) -> bool {
    let names = [Setting::Categories, Setting::Positive];
    names.iter().any(|name| measure.settings.contains(name))
}

/// What the spec says beyond what all tests have; what it does not say has its default.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Asked {
    /// Which of several definitions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// All labels in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<Scalar>,
    /// How much a disagreement counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// The label that counts as a hit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positive: Option<Scalar>,
    /// The ends of the scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f64; 2]>,
    /// The points for which it is computed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<f64>,
    /// How often is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resamples: Option<u32>,
    /// What draws start from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The level that others are measured from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<Scalar>,
    /// The planned power of a test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power: Option<f64>,
    /// The fewest rows of a part that counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<usize>,
}

impl Asked {
    /// Whether nothing is said.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The settings of a computation; `of_truth`: its values are truth values, which are 1 and 0.
    pub(super) fn settings(&self, level: f64, alternative: Tail, of_truth: bool) -> Settings {
        let label = |label: &Scalar| match label {
            Scalar::Bool(truth) if of_truth => u8::from(*truth).to_string(),
            label => label.to_string(),
        };
        let usual = Settings::default();
        Settings {
            level,
            alternative,
            method: self.method.clone(),
            categories: self.categories.iter().map(label).collect(),
            weights: self.weights.clone(),
            positive: self.positive.as_ref().map(label),
            scale: self.scale,
            at: self.at.clone(),
            resamples: self.resamples.unwrap_or(usual.resamples),
            seed: self.seed.unwrap_or(usual.seed),
            base: self.base.as_ref().map(label),
            power: self.power.unwrap_or(usual.power),
            least: self.least.unwrap_or(usual.least),
        }
    }
}
