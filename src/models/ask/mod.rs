//! Questions, replies, and the trait of models that answer calls.
//!
//! One trait and few providers. A provider turns one [`Question`] into one [`Reply`]; the engine,
//! not the provider, owns the store of calls, single flight, concurrency and retries. A provider
//! must not read the cache, the clock of another call, or the environment.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::models::parse::Finish;

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// The exact text.
    pub content: String,
}

/// Who speaks in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Standing instructions.
    System,
    /// The prompt.
    User,
    /// An earlier reply.
    Assistant,
}

/// What a judge asks about one row. Which parts are filled depends on [`Model::needs`].
#[derive(Clone, Debug)]
pub struct Question {
    /// The rendered conversation (for [`Needs::Prompt`]).
    pub messages: Arc<[Message]>,
    /// The text to judge (for [`Needs::Text`]).
    pub text: String,
    /// The values to match on, in the model's order (for [`Needs::Columns`]).
    pub columns: Vec<String>,
    /// The metrics to score, in order.
    pub metrics: Arc<[String]>,
    /// 0-based number of this repeat.
    pub repeat: u32,
    /// 0-based number of this attempt, after replies that the length limit cut off.
    pub attempt: u32,
    /// The JSON schema that the reply is held to, where the judge wants one.
    pub schema: Option<Arc<serde_json::Value>>,
}

/// What a provider wants to know of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs<'m> {
    /// The rendered prompt. Such calls cost something and are remembered one by one.
    Prompt,
    /// The text itself: recomputed when needed, never stored as a call.
    Text,
    /// The values of these columns: looked up when needed, never stored as a call.
    Columns(&'m [String]),
}

/// How many tokens of the prompt the server says it read, cached ones included.
pub const PROMPT_TOKENS: &str = "prompt_tokens";

/// How many tokens the server says the model wrote, thoughts included.
pub const COMPLETION_TOKENS: &str = "completion_tokens";

/// A model's answer, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The text, unchanged.
    pub text: String,
    /// Why the model stopped.
    pub finish: Finish,
    /// What the model thought before it answered, where the server keeps that apart from the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thoughts: Option<String>,
    /// The model's name as the server reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The revision (system fingerprint) as the server reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// Counts the server reports: [`PROMPT_TOKENS`], [`COMPLETION_TOKENS`] and the server's own others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub usage: BTreeMap<String, u64>,
    /// Log-probabilities per token, where they were asked for: a list of
    /// `{token, logprob, top: [{token, logprob}]}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<serde_json::Value>,
    /// Milliseconds from sending to the whole reply.
    #[serde(default)]
    pub latency_ms: u64,
    /// Whether the question was not known when it came, so that nobody could see whether the server had cut
    /// the prompt.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unchecked: bool,
}

impl Question {
    /// How the reply begins, if the question says so: by a last message of the assistant, which the model goes on from.
    pub fn begins(&self) -> Option<&str> {
        let last = self.messages.last()?;
        (last.role == Role::Assistant).then_some(last.content.as_str())
    }

    /// The seed to send where the spec has one: another for every repeat and for every time a reply that was
    /// cut off is asked for again, or the same reply would come back and count as another.
    pub fn seed(&self, seed: u64) -> u64 {
        seed.wrapping_add(u64::from(self.repeat) + (u64::from(self.attempt) << 16))
    }
}

impl CallError {
    /// Whether the same call may be answered when it is made again.
    pub fn may_heal(&self) -> bool {
        matches!(
            self,
            Self::Busy { .. } | Self::Unreachable(_) | Self::Broken(_)
        )
    }
}

impl Reply {
    /// The reply with how it begins, where servers send only what the model added. Some send all of it: what begins as
    /// it should is whole.
    #[must_use]
    pub fn whole(mut self, begins: Option<&str>) -> Self {
        let lacks = begins.filter(|begins| !self.text.starts_with(begins));
        if let Some(begins) = lacks {
            self.text.insert_str(0, begins);
            // Nothing is known of the probability of what it was told.
            if let Some(serde_json::Value::Array(tokens)) = &mut self.logprobs {
                tokens.insert(
                    0,
                    serde_json::json!({"token": begins, "logprob": null, "top": [], "given": true}),
                );
            }
        }
        self
    }

    /// A complete reply of which only the text is known.
    pub fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            finish: Finish::Stop,
            thoughts: None,
            model: None,
            revision: None,
            usage: BTreeMap::new(),
            logprobs: None,
            latency_ms: 0,
            unchecked: false,
        }
    }
}

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The recorded outputs hold none for this row.
    #[error("no recorded reply")]
    NotRecorded {
        /// What is recorded that differs in case or blanks alone, if anything is.
        near: Option<String>,
    },
    /// The row has no text to ask about, and why not; nobody was asked.
    #[error("{0}")]
    NotApplicable(String),
    /// The recorded outputs hold several for this row.
    #[error("{0}")]
    Ambiguous(String),
    /// The model declined to answer.
    #[error("{0}")]
    Refused(String),
    /// The prompt does not fit into the model's context; it was not sent, or the server said so.
    #[error("{0}")]
    TooLong(String),
    /// The server asks for patience: it is limited or overloaded, and would answer later.
    #[error("{message}")]
    Busy {
        /// What it said.
        message: String,
        /// How long it asks to wait.
        after: Option<Duration>,
    },
    /// Nothing was sent: the server cannot be reached.
    #[error("{0}")]
    Unreachable(String),
    /// The call broke in a way that may not happen again: a lost connection, half a reply, an error of the
    /// server.
    #[error("{0}")]
    Broken(String),
    /// The call failed for this row.
    #[error("{0}")]
    Failed(String),
    /// No call of this model can succeed; the stage stops.
    #[error("{0}")]
    Fatal(String),
}

/// Something that answers questions.
#[async_trait]
pub trait Model: Send + Sync {
    /// What the provider wants to know of a row.
    fn needs(&self) -> Needs<'_>;

    /// Answers one question, asked at the place of this number where the model is served at several.
    ///
    /// # Errors
    /// [`CallError`]; never an invented reply.
    async fn ask(&self, question: &Question, place: usize) -> Result<Reply, CallError>;

    /// Looks whether a reply that came earlier is one to this question.
    ///
    /// # Errors
    /// [`CallError`], if it is not.
    async fn check(&self, _: &Question, _: &Reply) -> Result<(), CallError> {
        Ok(())
    }

    /// Whether a reply may end for want of tokens, so that it has to be read to know whether another is asked for.
    fn may_cut(&self) -> bool {
        true
    }

    /// What it holds and no row asks for, in words; rows by the columns that [`Model::needs`] names.
    fn left_over(&self, _: &BTreeSet<Vec<String>>) -> Option<String> {
        None
    }
}

/// A model that cannot be asked, and why: what it said before may still be read.
#[derive(Clone, Debug)]
pub struct Silent(pub String);

#[async_trait]
impl Model for Silent {
    fn needs(&self) -> Needs<'_> {
        Needs::Prompt
    }

    async fn ask(&self, _: &Question, _: usize) -> Result<Reply, CallError> {
        Err(CallError::Fatal(self.0.clone()))
    }
}
