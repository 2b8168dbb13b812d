//! `clean` stages as they are written.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::language::clean::Step;
use crate::toml::OneOrMany;

/// Makes raw books into clean text, step by step.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawClean {
    /// The stage to read.
    #[expect(
        dead_code,
        reason = "looked up in the tree, with its place, when stages are ordered"
    )]
    pub(crate) from: Option<String>,
    /// The steps, in this order; by default all except `unwrap` and `wikipedia-sections`.
    pub(crate) steps: Option<OneOrMany<Step>>,
}
