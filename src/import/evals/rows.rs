//! The two tables that results of tools come to, and what their readers share.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::base::wording::shorten;
use crate::frame::{ColumnData, Frame, FrameError};
use crate::import::{Kind, Problem};

/// What was read of all files.
#[derive(Debug, Default)]
pub struct Evals {
    pub(super) answers: Vec<Answer>,
    pub(super) judgements: Vec<Judgement>,
    pub(super) names: BTreeSet<String>,
    /// Which evaluations there are of a task and a model, in the order in which they were read.
    runs: BTreeMap<(Option<String>, Option<String>), Vec<String>>,
    /// The judges of the last answer, and how many there are of each name.
    judges: (usize, BTreeMap<String, usize>),
}

/// A text that was judged.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) doc_id: String,
    pub(super) item: String,
    pub(super) task: Option<String>,
    pub(super) model: Option<String>,
    /// The how-many-th evaluation of the task and the model it is of.
    pub(super) run: i64,
    pub(super) repeat: i64,
    pub(super) question: Option<String>,
    pub(super) target: Option<String>,
    pub(super) text: Option<String>,
    pub(super) no_text: Option<String>,
}

/// What one judge said of it.
#[derive(Debug, Default)]
pub(super) struct Judgement {
    /// Where the answer stands.
    pub(super) answer: usize,
    pub(super) judge: String,
    pub(super) verdict: Option<String>,
    pub(super) score: Option<f64>,
    pub(super) no_score: Option<String>,
    pub(super) reply: Option<String>,
}

impl Evals {
    /// How many answers there are, and how many judgements.
    pub fn counts(&self) -> (usize, usize) {
        (self.answers.len(), self.judgements.len())
    }

    /// How many judgements hold no score.
    pub fn unscored(&self) -> usize {
        let scores = self.judgements.iter().map(|one| one.score);
        scores.filter(Option::is_none).count()
    }

    /// The how-many-th evaluation of a task and a model this is, told by a mark of its own.
    pub(super) fn run(&mut self, task: Option<&str>, model: Option<&str>, mark: &str) -> i64 {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let known = self.runs.entry((owned(task), owned(model))).or_default();
        let at = known.iter().position(|other| other == mark);
        let at = at.unwrap_or_else(|| {
            known.push(mark.to_owned());
            known.len() - 1
        });
        i64::try_from(at + 1).unwrap_or(i64::MAX)
    }

    /// Adds what a judge said of an answer. If it said something before, this is of a second judge of its name.
    pub(super) fn judge(&mut self, mut judgement: Judgement) {
        if self.judges.0 != judgement.answer {
            self.judges = (judgement.answer, BTreeMap::new());
        }
        let known = &mut self.judges.1;
        let name = judgement.judge.clone();
        while known.contains_key(&judgement.judge) {
            let number = known.entry(name.clone()).or_insert(1);
            *number += 1;
            judgement.judge = format!("{name}#{number}");
        }
        known.insert(judgement.judge.clone(), 1);
        self.judgements.push(judgement);
    }

    /// Adds an answer, unless one of its name is there; with its place.
    pub(super) fn answer(
        &mut self,
        answer: Answer,
        path: &str,
        problems: &mut Vec<Problem>,
    ) -> Option<usize> {
        if !self.names.insert(answer.doc_id.clone()) {
            let detail = format!("`{}` was read before", shorten(&answer.doc_id, 80));
            problems.push(Problem::new(Kind::Twice, path, detail));
            return None;
        }
        self.answers.push(answer);
        Some(self.answers.len() - 1)
    }

    /// The texts that were judged.
    ///
    /// # Errors
    /// When they make no table.
    pub fn answers(&self) -> Result<Frame, FrameError> {
        let column = |of: fn(&Answer) -> Option<&String>| {
            ColumnData::Text(self.answers.iter().map(|one| of(one).cloned()).collect())
        };
        let runs = self.answers.iter().map(|one| Some(one.run));
        let repeats = self.answers.iter().map(|one| Some(one.repeat));
        table(vec![
            ("doc_id", column(|one| Some(&one.doc_id))),
            ("item", column(|one| Some(&one.item))),
            ("task", column(|one| one.task.as_ref())),
            ("model", column(|one| one.model.as_ref())),
            ("run", ColumnData::Int(runs.collect())),
            ("epoch", ColumnData::Int(repeats.collect())),
            ("question", column(|one| one.question.as_ref())),
            ("target", column(|one| one.target.as_ref())),
            ("text", column(|one| one.text.as_ref())),
            ("no_text", column(|one| one.no_text.as_ref())),
        ])
    }

    /// What was said of them, a row for each answer and judge.
    ///
    /// # Errors
    /// When they make no table.
    pub fn judgements(&self) -> Result<Frame, FrameError> {
        let column = |of: fn(&Judgement) -> Option<&String>| {
            ColumnData::Text(self.judgements.iter().map(|one| of(one).cloned()).collect())
        };
        let own = || self.judgements.iter().map(|one| &self.answers[one.answer]);
        let answer = |of: fn(&Answer) -> Option<&String>| {
            ColumnData::Text(own().map(|one| of(one).cloned()).collect())
        };
        let scores = self.judgements.iter().map(|one| one.score);
        table(vec![
            ("doc_id", answer(|one| Some(&one.doc_id))),
            ("judge", column(|one| Some(&one.judge))),
            ("item", answer(|one| Some(&one.item))),
            ("task", answer(|one| one.task.as_ref())),
            ("model", answer(|one| one.model.as_ref())),
            (
                "run",
                ColumnData::Int(own().map(|one| Some(one.run)).collect()),
            ),
            (
                "epoch",
                ColumnData::Int(own().map(|one| Some(one.repeat)).collect()),
            ),
            ("verdict", column(|one| one.verdict.as_ref())),
            ("value", ColumnData::Float(scores.collect())),
            ("no_value", column(|one| one.no_score.as_ref())),
            ("reply", column(|one| one.reply.as_ref())),
        ])
    }
}

fn table(columns: Vec<(&str, ColumnData)>) -> Result<Frame, FrameError> {
    let named = columns
        .into_iter()
        .map(|(name, data)| (name.to_owned(), data));
    Frame::new(named.collect())
}

/// A value as text: texts as they are, absent ones none, all else as JSON.
pub(super) fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// A text that says something.
pub(super) fn said(value: &Value) -> Option<String> {
    text_of(value).filter(|text| !text.trim().is_empty())
}

/// A JSON object, or the problem that it is none.
pub(super) fn json(bytes: &[u8], path: &str, problems: &mut Vec<Problem>) -> Option<Value> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.trim_start_matches('\u{feff}'),
        Err(error) => {
            let detail = format!("at byte {}", error.valid_up_to());
            problems.push(Problem::new(Kind::NotUtf8, path, detail));
            return None;
        }
    };
    let text = &without_nan(text);
    match crate::base::json::read_as::<Value>(text) {
        Ok(value) if value.is_object() => Some(value),
        Ok(_) => {
            problems.push(Problem::new(Kind::Foreign, path, "an object is needed"));
            None
        }
        Err(error) => {
            problems.push(Problem::new(Kind::Foreign, path, error.to_string()));
            None
        }
    }
}

/// The text with `null` for what Python writes where a number is none: `NaN`, `Infinity`, `-Infinity`. Texts stay.
fn without_nan(text: &str) -> String {
    const NONE: [&str; 3] = ["NaN", "-Infinity", "Infinity"];
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    let mut inside = false;
    while let Some(at) = rest.find(['"', '\\', 'N', 'I', '-']) {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let none = NONE.iter().find(|none| rest.starts_with(**none));
        let (taken, put) = match (none, inside) {
            (Some(none), false) => (none.len(), "null"),
            _ => {
                let escaped = inside && rest.starts_with('\\');
                let next = rest.chars().take(1 + usize::from(escaped));
                let length = next.map(char::len_utf8).sum();
                inside ^= rest.starts_with('"');
                (length, &rest[..length])
            }
        };
        plain.push_str(put);
        rest = &rest[taken..];
    }
    plain + rest
}

/// A name of an answer that no other has: its task, model, item, run and repeat.
pub(super) fn name(
    (task, model): (Option<&str>, Option<&str>),
    item: &str,
    run: i64,
    repeat: i64,
) -> String {
    let parts = [task, model, Some(item)].into_iter().flatten();
    let mut name = parts.collect::<Vec<_>>().join("/");
    if run > 1 {
        name = format!("{name}@{run}");
    }
    if repeat > 1 {
        name = format!("{name}#{repeat}");
    }
    name
}
