//! What a `stats` stage computes: one of the three tests that the stage knows itself, or a measure of the library.

use std::borrow::Cow;
use std::sync::LazyLock;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::stats::measure::{self, Measure};

/// What is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Test {
    /// n, mean, spread and interval of each group.
    #[default]
    Mean,
    /// Differences of matched observations and the t-test on them.
    PairedT,
    /// How many of a model's answers have no score, and their share of all answers.
    Unscored,
    /// A measure of the library.
    Measured(&'static Measure),
}

/// The tests that the stage knows itself, and what they compute.
const OWN: [(Test, &str); 3] = [
    (Test::Mean, "n, mean, spread and interval of each group."),
    (
        Test::PairedT,
        "Differences of matched observations and the t-test on them.",
    ),
    (
        Test::Unscored,
        "How many of a model's answers have no score, and their share of all answers.",
    ),
];

static NAMES: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| Test::all().map(|(test, _)| test.name()).collect());

impl Test {
    /// All tests, with what they compute.
    pub fn all() -> impl Iterator<Item = (Self, &'static str)> {
        let measures = measure::all().map(|measure| (Self::Measured(measure), measure.about));
        OWN.into_iter().chain(measures)
    }

    /// As a spec writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::PairedT => "paired-t",
            Self::Unscored => "unscored",
            Self::Measured(measure) => measure.name,
        }
    }

    /// The measure, if it is one.
    pub fn measure(self) -> Option<&'static Measure> {
        match self {
            Self::Measured(measure) => Some(measure),
            _ => None,
        }
    }

    /// The same with the error bars that rows ask for which are drawn together; nothing where there is none.
    pub(super) fn clustered(self) -> Option<Self> {
        let name = match self {
            Self::Mean => "clustered-mean",
            Self::PairedT => "clustered-difference",
            Self::Unscored => return None,
            Self::Measured(_) => return Some(self),
        };
        measure::named(name).map(Self::Measured)
    }
}

impl Serialize for Test {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Test {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        let found = Self::all().find(|(test, _)| test.name() == name);
        let unknown = || D::Error::unknown_variant(&name, &NAMES);
        found.map(|(test, _)| test).ok_or_else(unknown)
    }
}

impl JsonSchema for Test {
    fn schema_name() -> Cow<'static, str> {
        "Test".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let all = Self::all().map(|(test, about)| {
            let name = test.name();
            json_schema!({ "type": "string", "const": name, "description": about })
        });
        let all: Vec<Schema> = all.collect();
        json_schema!({ "description": "What is computed.", "oneOf": all })
    }
}
