//! What jobs are for: the calls of a model that they serve, or stages that they compute.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a job is for. Jobs of one sort take each other's work over.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crew {
    /// The calls of this model.
    Model(String),
    /// Stages that call no model, each computed by one job.
    Stages,
}

impl Crew {
    /// The crew of a model.
    pub fn of_model(name: &str) -> Self {
        Self::Model(name.to_owned())
    }
}

/// In a sentence: a model's name is marked as one.
impl fmt::Display for Crew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(name) => write!(f, "`{name}`"),
            Self::Stages => f.write_str("stages"),
        }
    }
}
