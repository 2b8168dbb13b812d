//! Models as a checked spec describes them.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::cluster::profile::Serve;
use crate::language::text::TokenizerSpec;
use crate::models::dialect::Dialect;
use crate::models::local::{Local, LocalProvider};
use crate::models::parse::Thoughts;

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
    /// Whether and how the model thinks before it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<Thinking>,
    /// Further fields of the request, as the server knows them.
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    pub extra: serde_json::Map<String, serde_json::Value>,
    /// The longest prompt and reply together, in tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<u64>,
    /// What a token is to the model; without it tokens are estimated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokenizer: Option<TokenizerSpec>,
    /// Names that the server may report for the model beside its own.
    #[serde(skip)]
    pub reported: Vec<String>,
    /// How hard it may be worked.
    #[serde(skip)]
    pub limits: Limits,
    /// What it costs.
    #[serde(skip)]
    pub prices: Prices,
    /// How it is served beside the jobs of a cluster, if it is.
    #[serde(skip)]
    pub serve: Option<Arc<Serve>>,
}

impl ModelSpec {
    /// The name that it is asked for by.
    pub fn asked(&self) -> &str {
        self.model.as_deref().unwrap_or(&self.name)
    }

    /// Where thoughts stand in its replies.
    pub fn thoughts(&self) -> Thoughts<'_> {
        match &self.thinking {
            Some(thinking) => Thoughts {
                tag: &thinking.tag,
                opened: thinking.opened,
            },
            None => Thoughts::default(),
        }
    }
}

/// Who answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Provider {
    /// A provider without a server.
    Local(Local),
    /// A server.
    Served(Server),
}

impl Provider {
    /// Whether it is asked with a rendered prompt, which costs something.
    pub fn reads_prompts(&self) -> bool {
        self.local().is_none_or(|local| local.unsent().is_none())
    }

    /// The provider, if it is no server.
    pub fn local(&self) -> Option<&dyn LocalProvider> {
        match self {
            Self::Local(local) => Some(local.provider()),
            Self::Served(_) => None,
        }
    }

    /// Where the model is served, if it is by a server.
    pub fn server(&self) -> Option<&Server> {
        match self {
            Self::Served(server) => Some(server),
            Self::Local(_) => None,
        }
    }
}

/// Where a model is served. Of it keys hold the name of the dialect, which shapes requests.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Server {
    /// How it is spoken to.
    pub dialect: Dialect,
    /// The urls under which it is served, such as `http://127.0.0.1:8000/v1`; the load is spread over them.
    #[serde(skip)]
    pub base_urls: Vec<String>,
    /// The environment variable that holds the key, if one is needed.
    #[serde(skip)]
    pub key: Option<String>,
}

/// Whether and how a model thinks before it answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thinking {
    /// Whether the model is to think.
    pub on: bool,
    /// How it is told.
    pub by: ThinkingSwitch,
    /// For [`ThinkingSwitch::System`]: the line added to the system message when on and when off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<[String; 2]>,
    /// For [`ThinkingSwitch::Parameter`]: how hard, in the server's own word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<String>,
    /// For [`ThinkingSwitch::Parameter`]: how many tokens it may think.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<u32>,
    /// The tag whose contents are thoughts and no answer: `think` stands for `<think>…</think>`.
    pub tag: String,
    /// Whether the model's template writes the opening tag, so that replies have the closing one alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub opened: bool,
}

/// How a model is told whether to think.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ThinkingSwitch {
    /// The model is not told; thoughts are only removed from its replies.
    #[default]
    Untold,
    /// By a flag of the chat template (`chat_template_kwargs.enable_thinking`), as of Qwen3 on vLLM.
    Template,
    /// By a line of the system message, such as `/no_think`.
    System,
    /// By a parameter of the request: `reasoning_effort` (OpenAI) or `thinking` (Anthropic).
    Parameter,
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
    /// Log-probabilities of so many alternatives are reported for every token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<u32>,
}

/// How hard a model may be worked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The most calls in flight at once.
    pub concurrency: u32,
    /// The most requests sent in a minute.
    pub requests_per_minute: Option<f64>,
    /// The most tokens, read and written, in a minute.
    pub tokens_per_minute: Option<f64>,
    /// How many more times a call that broke, or was put off, is made.
    pub retries: u32,
    /// How long one attempt may take.
    pub timeout: Duration,
    /// How long to wait before a batch is first looked at; later pauses are longer.
    pub batch_poll: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            concurrency: 16,
            requests_per_minute: None,
            tokens_per_minute: None,
            retries: 5,
            timeout: Duration::from_mins(10),
            batch_poll: Duration::from_secs(5),
        }
    }
}

/// What a model costs, per million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prices {
    /// Tokens sent.
    pub input: Option<f64>,
    /// Tokens received.
    pub output: Option<f64>,
    /// What a call costs in a batch, as a share of its price.
    pub batch: Option<f64>,
}
