//! What short replies say, shape by shape. The replies are made up for these tests.

mod near;
mod properties;
mod shapes;

use crate::models::parse::{Finish, Form, Parser, Reader, Thoughts};
use crate::models::score::{Outcome, Reason, Scale};

fn names(metrics: &[&str]) -> Vec<String> {
    metrics.iter().map(|name| (*name).to_owned()).collect()
}

fn read(metrics: &[&str], reply: &str, finish: Finish, scale: &Scale) -> Form {
    let reader = Reader::new(Parser::Likert, &names(metrics)).unwrap();
    reader.read(reply, finish, scale, Thoughts::default())
}

/// What a reply that ended by itself says of fluency, the only metric, on the scale from 1 to 5.
fn one(reply: &str) -> Outcome {
    let mut form = read(&["fluency"], reply, Finish::Stop, &Scale::ANY_1_TO_5);
    form.readings.remove(0).outcome
}

/// The same of two metrics.
fn two(reply: &str) -> [Outcome; 2] {
    let metrics = ["fluency", "coherence"];
    let form = read(&metrics, reply, Finish::Stop, &Scale::ANY_1_TO_5);
    let outcomes: Vec<_> = form.readings.into_iter().map(|r| r.outcome).collect();
    outcomes.try_into().unwrap()
}

fn unscored() -> Outcome {
    Outcome::Unscored(Reason::NoScoreFound)
}

fn off_scale(found: &str) -> Outcome {
    Outcome::Unscored(Reason::OffScale(found.to_owned()))
}

fn ambiguous(found: &[&str]) -> Outcome {
    Outcome::Unscored(Reason::Ambiguous(names(found)))
}
