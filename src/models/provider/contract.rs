//! The contract of a provider: what its servers are called and take, how a question is put to them, and how what they
//! answer is read.
//!
//! Checks of specs, requests, batches and reports know providers by this alone. Errors are read the same way for all (see
//! `fault`), for servers differ in them more than dialects do; a provider adds what only its own servers say.

use serde_json::{Map, Value};

use super::batches::Batches;
pub(super) use super::fault::Said;
use crate::models::ask::{CallError, Question, Reply};
use crate::models::spec::ModelSpec;

/// A provider.
pub(crate) struct Contract {
    /// What its servers speak, as the end of "a server that speaks …".
    pub(crate) speaks: &'static str,
    /// Where its own server is.
    pub(crate) home: &'static str,
    /// The variable that the key of that one is usually kept in.
    pub(crate) variable: &'static str,
    /// Where questions are sent to, under a base url.
    pub(crate) path: &'static str,
    /// The header that carries the key, and what stands before the key in it.
    pub(crate) key: (&'static str, &'static str),
    /// Headers of every request beside those of JSON and the key.
    pub(crate) headers: &'static [(&'static str, &'static str)],
    /// The longest reply where the spec says nothing, in tokens, if requests must say it.
    pub(crate) longest: Option<u32>,
    /// What its servers do not take; such settings are warned of.
    pub(crate) lacks: &'static [Feature],
    /// What holds for a number of tokens to think, if its servers take one.
    pub(crate) budget: Option<Budget>,
    /// Why a model cannot go on from how its reply begins, where that is known.
    pub(crate) begins_itself: fn(&ModelSpec) -> Option<&'static str>,
    /// What a question becomes: the fields of a request but for `extra`. It fails where the provider cannot say what the
    /// spec wants.
    pub(crate) request: fn(&ModelSpec, &Question) -> Result<Fields, CallError>,
    /// The reply in an answer that is no error; the url is what was asked.
    pub(crate) reply: fn(&Value, &ModelSpec, &str) -> Result<Received, CallError>,
    /// What to write in the place of a field of the request that a server refuses, if its words tell.
    pub(crate) instead: fn(&Said, &str) -> Option<&'static str>,
    /// How it takes batches, if it does.
    pub(crate) batches: Option<&'static Batches>,
}

/// The fields of a request.
pub(crate) type Fields = Map<String, Value>;

/// What not all servers take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    /// A seed.
    Seed,
    /// Log-probabilities of tokens.
    Logprobs,
    /// Flags of the model's chat template.
    ChatTemplate,
    /// A JSON schema that the reply is held to.
    Schema,
}

/// What holds for a number of tokens to think.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// The least.
    pub(crate) least: u32,
    /// Whether thoughts count as part of the reply.
    pub(crate) in_reply: bool,
    /// The only temperature of a model that thinks, if there is only one.
    pub(crate) temperature: Option<f64>,
}

/// A reply as it was received.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Received {
    /// The reply; how long it took is not known here.
    pub(crate) reply: Reply,
    /// The server's name for it.
    pub(crate) id: Option<String>,
}
