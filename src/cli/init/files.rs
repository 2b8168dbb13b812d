//! What a first experiment is written to.

/// Paths below the folder, and texts.
pub(super) type Files = Vec<(String, String)>;

pub(super) const SPEC: &str = "experiments/first.toml";
pub(super) const LOCAL: &str = "tribunal.local.toml";
