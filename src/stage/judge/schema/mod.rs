//! A judge's own JSON schema: what the server holds replies to, and where in them the scores stand.

mod against;
mod check;

use std::path::PathBuf;

use serde::Serialize;

pub(super) use self::check::check;
use crate::models::parse::Paths;

/// A schema with the places of what is read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OwnSchema {
    /// The file; its content enters keys as a digest.
    #[serde(skip)]
    pub file: PathBuf,
    /// The path of each metric's score.
    pub scores: Vec<String>,
    /// The path of the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// Whether the spec gives the metrics their paths one by one; in no key.
    #[serde(skip)]
    pub(super) each: bool,
}

impl OwnSchema {
    /// The places of what is read.
    pub(super) fn paths(&self) -> Paths {
        Paths {
            scores: self.scores.iter().map(|path| keys(path)).collect(),
            explanation: self.explanation.as_deref().map(keys),
        }
    }
}

/// The keys of a path, from the top of the object down.
fn keys(path: &str) -> Vec<String> {
    path.split('.').map(str::to_owned).collect()
}
