//! What replies say, shape by shape. The replies are made up for these tests.

mod issues;
mod properties;
mod scores;

use crate::models::parse::{Finals, Finish, Form, Issue, MetricError, Parser, Reader, Thoughts};
use crate::models::score::{Outcome, Reason, Scale};

/// Reads a reply whose thoughts, if it has any, stand in `<think>…</think>`.
fn read(
    reply: &str,
    finish: Finish,
    metrics: &[String],
    scale: &Scale,
) -> Result<Form, MetricError> {
    let reader = Reader::new(Parser::EvaluationForm, metrics)?;
    Ok(reader.read(reply, finish, scale, Thoughts::default()))
}

/// The default metrics.
fn metrics() -> Vec<String> {
    vec!["fluency".to_owned(), "coherence".to_owned()]
}

/// Reads a reply that ended by itself on the scale from 1 to 5.
fn form(reply: &str) -> Form {
    read(reply, Finish::Stop, &metrics(), &Scale::ANY_1_TO_5).unwrap()
}

/// The fluency score of a reply.
fn fluency(reply: &str) -> Option<f64> {
    form(reply).readings[0].outcome.score()
}

/// Why a reply has no fluency score.
fn why(reply: &str, finish: Finish) -> Option<Reason> {
    let form = read(reply, finish, &metrics(), &Scale::ANY_1_TO_5).unwrap();
    form.readings[0].outcome.reason().cloned()
}
