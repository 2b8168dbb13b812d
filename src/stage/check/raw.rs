//! Models as they are written.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::logprobs::RawLogprobs;
use crate::models::dialect::{Dialect, dialects};
use crate::models::local::{LocalKind, locals};
use crate::models::spec::ThinkingSwitch;
use crate::toml::OneOrMany;
use crate::toml::Plain;

macro_rules! providers {
    (
        [$($(#[$local_doc:meta])* $local_name:literal: $local_folder:ident, $local:ident;)*]
        $($(#[$doc:meta])* $name:literal: $folder:ident, $dialect:ident;)*
    ) => {
        /// Who answers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
        pub(crate) enum RawProvider {
            $($(#[$local_doc])* #[serde(rename = $local_name)] $local,)*
            $($(#[$doc])* #[serde(rename = $name)] $dialect,)*
        }

        impl RawProvider {
            /// The same, with all that are servers as one.
            pub(super) fn sort(self) -> ProviderSort {
                match self {
                    $(Self::$local => ProviderSort::Local(LocalKind::$local),)*
                    $(Self::$dialect => ProviderSort::Served(Dialect::$dialect),)*
                }
            }
        }
    };
}

macro_rules! with_servers {
    ($($locals:tt)*) => {
        dialects!(providers [$($locals)*]);
    };
}

locals!(with_servers);

/// What answers.
#[derive(Clone, Copy)]
pub(super) enum ProviderSort {
    /// A provider without a server.
    Local(LocalKind),
    /// A server.
    Served(Dialect),
}

/// A model.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawModel {
    /// Who answers.
    pub(crate) provider: Option<RawProvider>,
    /// The model's name as its provider knows it; the name of this table by default.
    pub(crate) model: Option<String>,
    /// A revision to pin.
    pub(crate) revision: Option<String>,
    /// Standing instructions, sent as the system message.
    pub(crate) system: Option<String>,
    /// Sampling temperature.
    pub(crate) temperature: Option<f64>,
    /// Nucleus sampling: the probability mass that is kept.
    pub(crate) top_p: Option<f64>,
    /// How many of the likeliest tokens are kept.
    pub(crate) top_k: Option<u32>,
    /// The longest reply, in tokens.
    pub(crate) max_tokens: Option<u32>,
    /// The model's own seed.
    pub(crate) seed: Option<u64>,
    /// Texts at which the model stops.
    pub(crate) stop: Option<OneOrMany<String>>,
    /// Whether and how it thinks before it answers.
    pub(crate) thinking: Option<RawThinking>,
    /// Asks for log-probabilities, with this many alternatives for every token. For `recorded`: the column with the
    /// log-probabilities of a reply's tokens, as JSON.
    pub(crate) logprobs: Option<RawLogprobs>,
    /// Further fields of every request, such as `{ repetition_penalty = 1.05 }`.
    pub(crate) extra: Option<IndexMap<String, serde_json::Value>>,
    /// The context window: prompt and reply together, in tokens. A prompt that does not fit
    /// is not sent: it is unscored.
    pub(crate) context: Option<u64>,
    /// The model's tokenizer: the name of an encoding such as `o200k_base`, or a `tokenizer.json`. By default, tokens
    /// are estimated.
    pub(crate) tokenizer: Option<String>,
    /// Where it is served: a url such as `http://127.0.0.1:8000/v1`, or several that share the load.
    /// Not in the cache key.
    pub(crate) base_url: Option<OneOrMany<String>>,
    /// The environment variable that holds the key. Not in the cache key. The key itself never goes into a spec.
    pub(crate) api_key_env: Option<String>,
    /// Names that the server may report for the model besides its own; `"*"` allows any. Not in the cache key.
    pub(crate) reported: Option<OneOrMany<String>>,
    /// How many calls may be in flight at once; 16 by default. Not in the cache key.
    pub(crate) concurrency: Option<u32>,
    /// How many requests may be sent in a minute. Not in the cache key.
    pub(crate) requests_per_minute: Option<f64>,
    /// How many tokens may be read and written in a minute. Not in the cache key.
    pub(crate) tokens_per_minute: Option<f64>,
    /// How often a call that failed is retried; 5 by default. With 0, a deferred call is not retried either. Not in the cache key.
    pub(crate) retries: Option<u32>,
    /// How many seconds one attempt may take; 600 by default. Not in the cache key.
    pub(crate) timeout: Option<f64>,
    /// How many seconds after submission a batch is first polled; later pauses grow to a minute.
    /// 5 by default. Not in the cache key.
    pub(crate) batch_poll: Option<f64>,
    /// Price of a million input tokens. Not in the cache key.
    pub(crate) input_price: Option<f64>,
    /// Price of a million output tokens. Not in the cache key.
    pub(crate) output_price: Option<f64>,
    /// The price of a call in a batch, as a share of the normal price; 0.5 by default. Not in the cache key.
    pub(crate) batch_price: Option<f64>,
    /// How it is served beside the jobs of a cluster, for `run --on slurm`. Not in the cache key.
    pub(crate) serve: Option<RawServe>,
    /// For `scripted`: the script, a TOML file.
    pub(crate) script: Option<String>,
    /// For `recorded`: the files with the outputs (parquet, jsonl or csv).
    pub(crate) files: Option<OneOrMany<String>>,
    /// For `recorded`: the column with the reply.
    pub(crate) text: Option<String>,
    /// For `recorded`: the column that says why the model stopped (`stop`, `length`, or another server's word such as `max_tokens`).
    pub(crate) finish: Option<String>,
    /// For `recorded`: columns whose text holds several settings, and its pattern:
    /// `{ settings = "sr-{scan}_sor-{overlap}" }`. `match` and `where` may name the parts.
    pub(crate) parts: Option<IndexMap<String, String>>,
    /// For `recorded`: recorded column = column of the judge's input that it must equal.
    #[serde(rename = "match")]
    pub(crate) matching: Option<IndexMap<String, String>>,
    /// For `recorded`: use only rows with these values.
    #[serde(rename = "where")]
    pub(crate) keep: Option<IndexMap<String, OneOrMany<Plain>>>,
    /// For `recorded`: replies end with a dashed line and `finish_reason: …`, which is not the model's.
    pub(crate) trailer: Option<bool>,
}

/// How jobs of a cluster serve the model. Put it into `tribunal.local.toml`; it is not in the cache key.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawServe {
    /// The command that serves it, for a shell: `vllm serve org/model --port {port}`. `{port}` is a free port of the node,
    /// also in the variable `PORT`.
    pub(crate) command: Option<String>,
    /// The path that answers 200 once the server is ready; `/health` by default.
    pub(crate) health: Option<String>,
    /// GPUs of a job: `2`, or `"a100:2"`. By default those of `[slurm]`.
    pub(crate) gpus: Option<Plain>,
    /// Processors of a job. By default those of `[slurm]`.
    pub(crate) cpus: Option<u32>,
    /// Memory of a job, such as `"64G"`. By default that of `[slurm]`.
    pub(crate) memory: Option<String>,
    /// How many seconds the server may take until it is ready; 1200 by default.
    pub(crate) ready_within: Option<f64>,
}

/// Whether and how a model thinks before it answers.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawThinking {
    /// Whether the model is to think.
    pub(crate) on: Option<bool>,
    /// How the model is told to think or not; by default it is not told.
    pub(crate) by: Option<ThinkingSwitch>,
    /// With `by = "system"`: the line that turns thinking on, and the line that turns it off;
    /// `["/think", "/no_think"]` by default.
    pub(crate) lines: Option<[String; 2]>,
    /// With `by = "parameter"`: how hard, in the server's own word, such as `low`.
    pub(crate) effort: Option<String>,
    /// With `by = "parameter"`: how many tokens it may think.
    pub(crate) budget: Option<u32>,
    /// The tag around its thoughts, which are not part of the answer; `think` by default.
    pub(crate) tag: Option<String>,
    /// Whether its chat template writes the opening tag, so that replies have only the closing one.
    pub(crate) opened: Option<bool>,
}

/// A program that finds sentences, words and entities in texts.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawAnnotator {
    /// The program and its arguments; it reads and writes JSON lines. Not in the cache key, since paths
    /// differ between machines: whatever changes its answers must change `version`.
    pub(crate) command: Option<OneOrMany<String>>,
    /// The name and version that the program reports; they are part of the cache key of everything made with it.
    pub(crate) version: Option<String>,
}
