//! Why a call has no outcome, and what that is to a stage.

use super::outcome::NodeError;
use crate::base::failure::Failure;
use crate::cache::CacheError;
use crate::models::ask::CallError;

/// Why a call has no outcome at all.
#[derive(Clone, Debug)]
pub(super) enum NoCall {
    /// The run was interrupted, or the stage failed, before it was asked.
    Interrupted,
    /// It is not stored, and nothing may be asked.
    Offline,
    /// It failed.
    Error(CallError),
    /// The cache cannot be used.
    Cache(String),
}

impl From<CacheError> for NoCall {
    fn from(error: CacheError) -> Self {
        Self::Cache(error.in_full())
    }
}

impl From<NoCall> for Failure {
    fn from(error: NoCall) -> Self {
        Self::new(match error {
            NoCall::Interrupted => "interrupted".to_owned(),
            NoCall::Offline => "no model may be called".to_owned(),
            NoCall::Error(error) => error.to_string(),
            NoCall::Cache(why) => why,
        })
    }
}

impl From<NoCall> for NodeError {
    fn from(error: NoCall) -> Self {
        match error {
            NoCall::Interrupted => Self::Interrupted,
            error => Self::Failed(error.into()),
        }
    }
}
