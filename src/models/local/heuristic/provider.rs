//! The built-in judge as a provider, and as a model that answers.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Serialize;

use super::{KNOWN, VERSION, judge};
use crate::base::failure::Failure;
use crate::models::ask::{CallError, Model, Needs, Question, Reply};
use crate::models::local::contract::{Given, Key, LocalProvider, ReadsFiles, Scores};
use crate::models::score::Scale;

/// The built-in baseline, by version.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings(u32);

static SCORES: Scores = Scores {
    metrics: &KNOWN,
    // An empty text costs nothing to judge, and the judge itself knows best what it knows.
    refuses: |metric| {
        let unknown = judge("", &[metric.to_owned()]).err()?;
        Some(unknown.to_string())
    },
    scale: Scale::HALF_POINTS_1_TO_5,
    says: "the built-in judge scores 1 to 5 in half points",
};

impl LocalProvider for Settings {
    fn keys() -> &'static [Key] {
        &[]
    }

    fn of(_: Given) -> Option<Self> {
        Some(Self(VERSION))
    }

    fn words(&self) -> String {
        format!("the built-in baseline, version {}", self.0)
    }

    fn unsent(&self) -> Option<&'static str> {
        Some("the built-in judge reads the document itself: nothing is sent")
    }

    fn looks_at(&self) -> Vec<&str> {
        vec!["text"]
    }

    fn scores(&self) -> Option<&'static Scores> {
        Some(&SCORES)
    }

    fn no_logprobs(&self) -> Option<&'static str> {
        Some("take a model on a server that gives them")
    }

    fn load(&self, _: &str, _: &str, _: &dyn ReadsFiles) -> Result<Arc<dyn Model>, Failure> {
        Ok(Arc::new(Heuristic))
    }
}

/// The built-in baseline as a model.
#[derive(Clone, Copy, Debug)]
struct Heuristic;

#[async_trait]
impl Model for Heuristic {
    fn needs(&self) -> Needs<'_> {
        Needs::Text
    }

    async fn ask(&self, question: &Question, _: usize) -> Result<Reply, CallError> {
        let text = question.text.clone();
        let metrics = Arc::clone(&question.metrics);
        let form = tokio::task::spawn_blocking(move || judge(&text, &metrics))
            .await
            .map_err(|error| CallError::Fatal(error.to_string()))?
            .map_err(|error| CallError::Fatal(error.to_string()))?;
        Ok(Reply::plain(form))
    }
}
