//! Models as a checked spec describes them.

use std::path::PathBuf;

use serde::Serialize;

use crate::model::RecordedFile;

/// A model. What is serialised is part of keys; the rest is not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelSpec {
    /// The name under `[models]`.
    #[serde(skip)]
    pub name: String,
    /// Who answers.
    pub provider: Provider,
    /// The name the provider knows it by, where that matters.
    pub model: Option<String>,
    /// The revision, if one is pinned.
    pub revision: Option<String>,
    /// The system message.
    pub system: Option<String>,
    /// Sampling parameters.
    pub sampling: Sampling,
    /// How hard it may be worked.
    #[serde(skip)]
    pub limits: Limits,
    /// What it costs.
    #[serde(skip)]
    pub prices: Prices,
}

/// Who answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Provider {
    /// The built-in baseline, by version.
    Heuristic(u32),
    /// Replies made elsewhere.
    Recorded {
        /// The files, already absolute; their content enters keys as digests.
        #[serde(skip)]
        files: Vec<PathBuf>,
        /// How rows find their replies.
        how: RecordedFile,
    },
    /// A script.
    Scripted {
        /// The script, already absolute; its content enters keys as a digest.
        #[serde(skip)]
        script: PathBuf,
    },
}

impl Provider {
    /// Whether it is asked with a rendered prompt, which costs something.
    pub fn reads_prompts(&self) -> bool {
        matches!(self, Self::Scripted { .. })
    }
}

/// How a model draws its words. Absent values are the provider's defaults.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sampling {
    /// Temperature.
    pub temperature: Option<f64>,
    /// Nucleus sampling.
    pub top_p: Option<f64>,
    /// How many of the likeliest tokens are kept.
    pub top_k: Option<u32>,
    /// The longest reply, in tokens.
    pub max_tokens: Option<u32>,
    /// The model's own seed.
    pub seed: Option<u64>,
    /// Texts at which the model stops.
    pub stop: Vec<String>,
}

/// How hard a model may be worked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Calls under way at once.
    pub concurrency: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { concurrency: 16 }
    }
}

/// What a model costs, per million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prices {
    /// Tokens sent.
    pub input: Option<f64>,
    /// Tokens received.
    pub output: Option<f64>,
}
