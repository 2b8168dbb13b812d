//! What JSON replies say, shape by shape. The replies are made up for these tests.

mod choice;
mod issues;
mod properties;
mod shapes;

use super::*;
use crate::models::parse::{Finish, Form, Issue, Parser, Reader, Thoughts};
use crate::models::score::{Outcome, Reason, Scale};

fn names(metrics: &[&str]) -> Vec<String> {
    metrics.iter().map(|name| (*name).to_owned()).collect()
}

/// Reads a reply on the scale from 1 to 5.
fn read(metrics: &[&str], reply: &str, finish: Finish) -> Form {
    let reader = Reader::new(Parser::Json, &names(metrics)).unwrap();
    reader.read(reply, finish, &Scale::ANY_1_TO_5, Thoughts::default())
}

/// Reads a reply that ended by itself for the default metrics.
fn form(reply: &str) -> Form {
    read(&["fluency", "coherence"], reply, Finish::Stop)
}

/// The fluency score of a reply.
fn fluency(reply: &str) -> Option<f64> {
    form(reply).readings[0].outcome.score()
}

/// Why a reply has no fluency score.
fn why(reply: &str, finish: Finish) -> Option<Reason> {
    let form = read(&["fluency", "coherence"], reply, finish);
    form.readings[0].outcome.reason().cloned()
}
