//! A question and its reply, with what was read off it.

use serde::Serialize;

use super::packing::{Known, known};

/// A question and its reply.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Reply<'t> {
    /// What was sent; none where nothing was, or nobody knows.
    pub prompt: Option<&'t [Message]>,
    /// Why there is no prompt, or what must be known of it.
    pub prompt_note: Option<&'t str>,
    /// What came back, if anything did.
    pub reply: Option<&'t str>,
    /// What the model thought, where the server keeps that apart from the reply.
    pub thoughts: Option<&'t str>,
    /// Why the model stopped.
    pub finish: Option<&'t str>,
    /// What else is known of it: pairs of a label and a value.
    pub facts: Vec<(&'static str, String)>,
    /// The list of the document whose elements its verdicts are about, where they are about some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<&'t str>,
    /// What was read off it, metric by metric.
    pub scores: Vec<Score<'t>>,
    /// The issues that were read off it.
    pub issues: Vec<Issue<'t>>,
}

/// One message of a prompt.
#[derive(Clone, Debug, Serialize)]
pub struct Message {
    /// Who speaks.
    pub role: &'static str,
    /// What is said.
    pub parts: Vec<Part>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Part {
    /// A text.
    Text(String),
    /// The document that was judged, word for word.
    Document,
}

/// What was read for one metric.
#[derive(Clone, Debug, Serialize)]
pub struct Score<'t> {
    /// The metric.
    pub metric: &'t str,
    /// What it is about, where it is about an element of a list: the element as people read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<&'t String>,
    /// The place of that element, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<usize>,
    /// The score, if there is one.
    pub score: Option<f64>,
    /// What must be known of it: its label, who was chosen, what an expectation is made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
    /// Why there is none: the reason's code.
    pub unscored: Option<&'t str>,
    /// What the reason says of this reply.
    pub detail: Option<&'t str>,
    /// Whether the reply names another score for the metric too.
    pub contradicted: bool,
    /// The places in the reply that it was read from.
    pub spans: Vec<[usize; 2]>,
}

/// One fault the judge found.
#[derive(Clone, Debug, Serialize)]
pub struct Issue<'t> {
    /// The metric it is about, where the reply says so.
    pub metric: Option<&'t str>,
    /// The label.
    pub label: Option<&'t str>,
    /// What the judge wrote.
    pub text: &'t str,
    /// The places in the reply that it was read from.
    pub spans: Vec<[usize; 2]>,
    /// The places in the document that it quotes.
    pub quotes: Vec<[usize; 2]>,
}

/// A reply as it is stored: made where the reply is, on any thread.
#[derive(Clone, Debug)]
pub struct Packed {
    pub(super) json: Vec<u8>,
    pub(super) known: Known,
}

impl Reply<'_> {
    /// The reply as it is stored.
    pub fn pack(&self) -> Packed {
        // Text and numbers always have a form as JSON.
        let json = serde_json::to_vec(self).unwrap_or_default();
        let known = known(&json);
        Packed { json, known }
    }
}
