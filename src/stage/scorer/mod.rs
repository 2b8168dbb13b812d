//! `scorer`: has a program of the user's score or parse every row.
//!
//! The program reads one JSON object per line, a row each, and answers each with one line, in the same order, after a
//! first line that says what it is:
//!
//! ```text
//! ◂ {"scorer": "exact 1", "protocol": 1}
//! ▸ {"id": 0, "text": "Paris", "reference": "Paris"}
//! ◂ {"id": 0, "scores": {"exact": 1}}
//! ▸ {"id": 1, "text": "", "reference": "Rome"}
//! ◂ {"id": 1, "scores": {"exact": null}, "reason": "no answer"}
//! ```
//!
//! All rows are there from the beginning, so that it may read as many as it likes before it answers. Where it dies or says
//! nothing for too long it is started again (`drive`); what it said is kept row by row, so that no run asks for it twice.

mod answer;
mod check;
mod contract;
mod drive;
mod raw;
mod row;
mod run;
mod table;
#[cfg(test)]
mod tests;

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::models::score::Scale;
use crate::stage::{Holds, Program, StageName};

/// The version of the protocol that is spoken with programs.
const PROTOCOL: u64 = 1;

/// The columns that a row of scores has.
const OWN: [&str; 6] = [
    "metric",
    "score",
    "label",
    "unscored",
    "detail",
    "explanation",
];

/// Has a program of the user's score or parse every row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scorer {
    /// The stage to read.
    #[serde(skip)]
    pub from: StageName,
    /// The program.
    pub program: Program,
    /// The columns that it is handed.
    pub columns: Vec<String>,
    /// What it scores, in the order of the rows to come.
    pub metrics: Vec<String>,
    /// The numbers a score may be; every finite one, where there is no scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<Scale>,
    /// Further columns that it gives.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gives: Vec<(String, Given)>,
    /// How long it may say nothing.
    #[serde(skip)]
    pub timeout: Duration,
    /// How often it may be started again.
    #[serde(skip)]
    pub restarts: u32,
    /// How many of it may run side by side.
    #[serde(skip)]
    pub processes: u32,
    /// The largest share of rows that may be without a score.
    #[serde(skip)]
    pub max_unscored: f64,
}

/// What a column holds that a program gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Given {
    /// Numbers.
    Number,
    /// Texts.
    Text,
    /// `true` and `false`.
    Boolean,
    /// Lists and objects.
    Json,
}

impl Given {
    /// The same, as columns say it.
    fn holds(self) -> Holds {
        match self {
            Self::Number => Holds::Numbers,
            Self::Text => Holds::Text,
            Self::Boolean => Holds::Truth,
            Self::Json => Holds::Json,
        }
    }
}

impl Scorer {
    /// The columns of its scores.
    fn own(&self) -> impl Iterator<Item = &str> {
        let labels = self
            .scale
            .as_ref()
            .is_some_and(|scale| !scale.labels.is_empty());
        let scores = !self.metrics.is_empty();
        let own = OWN.into_iter();
        own.filter(move |&name| scores && (labels || name != "label"))
    }

    /// The columns that it adds.
    fn adds(&self) -> impl Iterator<Item = &str> {
        self.own()
            .chain(self.gives.iter().map(|(name, _)| name.as_str()))
    }
}
