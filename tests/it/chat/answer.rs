//! What the model says: a pure function of what it is asked.

use super::asked::Asked;
use super::schema::{self, Draw};

/// An answer before it is written down in some dialect.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) text: String,
    /// The tool that is handed the text.
    pub(super) tool: Option<String>,
    pub(super) finish: Finish,
    pub(super) model: String,
    pub(super) prompt_tokens: u64,
    pub(super) completion_tokens: u64,
}

/// Why the model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finish {
    Stop,
    Length,
    Refusal,
}

impl Answer {
    /// The answer of a model with which nothing is wrong.
    pub(super) fn to(asked: &Asked) -> Self {
        let mut draw = Draw::new(&asked.prompt);
        let text = match &asked.schema {
            Some(schema) => schema::instance(schema, schema, &mut draw).to_string(),
            None => form(&mut draw),
        };
        Self {
            completion_tokens: words(&text) + 4,
            text,
            tool: asked.tool.clone(),
            finish: Finish::Stop,
            model: asked.model.clone(),
            prompt_tokens: asked.prompt_tokens,
        }
    }

    /// Says this instead.
    pub(super) fn say(&mut self, text: String) {
        self.completion_tokens = words(&text) + 4;
        self.text = text;
    }

    /// All tokens, read and written.
    pub(super) fn tokens(&self) -> u64 {
        self.prompt_tokens + self.completion_tokens
    }
}

/// An evaluation form with scores from 1 to 5 in steps of a half, and one issue or none per metric.
fn form(draw: &mut Draw) -> String {
    let metrics = ["Fluency", "Coherence"];
    let issues = metrics.map(|metric| {
        let issue = match draw.below(4) {
            0 => "None".to_owned(),
            nth => format!("- [ISSUE-{nth}] to do with {}", metric.to_lowercase()),
        };
        format!("{metric} Issues:\n{issue}\n")
    });
    let scores = metrics.map(|metric| {
        let score = 1.0 + draw.below(9) as f64 / 2.0;
        format!("FINAL {metric} Score: {score}\n")
    });
    format!("Evaluation Form:\n{}{}", issues.concat(), scores.concat())
}

/// What counts as the number of tokens: whitespace-separated words.
pub(super) fn words(text: &str) -> u64 {
    text.split_whitespace().count() as u64
}
