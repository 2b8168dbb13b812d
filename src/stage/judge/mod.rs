//! `judge`: has a model score every row.
//!
//! The stage says what to ask and how to read the answer; who asks, how many at a time, and where
//! answers are kept is the engine's business.

mod check;
mod contract;
mod raw;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;

use crate::base::failure::Failure;
use crate::base::wording::{count, list_of, some_of};
use crate::frame::{ColumnData, Frame};
use crate::models::ask::{CallError, Reply};
use crate::models::parse::{Issue, Parser, Reader};
use crate::models::score::{Outcome, Reason, Scale};
use crate::models::spec::ModelSpec;
use crate::stage::asking::{Expected, Read, ReadsAnswers};
use crate::stage::contract::Ask;
use crate::stage::{Answer, Asking, Counts, Missing, Output, Prompt, StageName};

/// Has a model score every row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judge {
    /// The stage to read.
    #[serde(skip)]
    pub from: StageName,
    /// Who answers.
    pub model: ModelSpec,
    /// What is asked; only for models that read a prompt.
    pub prompt: Option<Prompt>,
    /// What is scored, in the order of the columns to come.
    pub metrics: Vec<String>,
    /// The numbers a score may be.
    pub scale: Scale,
    /// How replies are read.
    pub parse: Parser,
    /// How often each row is asked.
    pub repeats: u32,
    /// How many more times a reply that was cut off by the length limit is asked for.
    pub retry_cut: u32,
    /// What the server holds the reply to, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured: Option<Structured>,
    /// Whether the calls are handed in as a batch.
    #[serde(skip)]
    pub batch: bool,
    /// The largest share of its replies, of each metric, that may be without a score; in no key.
    #[serde(skip)]
    pub max_unscored: f64,
}

impl Ask for Judge {
    fn asking(&self) -> Asking {
        Asking {
            from: self.from.clone(),
            model: self.model.clone(),
            prompt: self.prompt.clone(),
            metrics: self.metrics.clone().into(),
            scale: self.scale,
            repeats: self.repeats,
            retry_cut: self.retry_cut,
            schema: self.schema().map(Arc::new),
            batch: self.batch,
            adds: RESERVED.map(str::to_owned).to_vec(),
        }
    }

    fn model(&self) -> &ModelSpec {
        &self.model
    }

    fn repeats(&self) -> u32 {
        self.repeats
    }

    fn looks_back(&self) -> bool {
        false
    }

    fn reader(&self) -> Result<Box<dyn ReadsAnswers>, Failure> {
        let reader = Reader::new(self.parse, &self.metrics);
        let reader = reader.map_err(|error| Failure::new(error.to_string()))?;
        Ok(Box::new(JudgeReader {
            judge: self.clone(),
            reader,
        }))
    }

    fn expected(&self) -> Expected {
        Expected {
            what: Missing::Unscored,
            limit: self.max_unscored,
            parts: self.metrics.len() as u64,
        }
    }
}

/// A judge and the parser of its replies.
struct JudgeReader {
    judge: Judge,
    reader: Reader,
}

impl ReadsAnswers for JudgeReader {
    fn read(&self, answer: &Answer) -> Read {
        Read::Scores(read_reply(&self.reader, &self.judge, &answer.reply))
    }

    fn tabulate(&self, input: &Frame, answers: Vec<(Answer, Read)>) -> Result<Output, Failure> {
        let scores = answers.into_iter();
        let scores = scores.filter_map(|(answer, read)| Some((answer, read.scores()?)));
        tabulate(&self.judge, input, scores.collect())
    }
}

impl Judge {
    /// The JSON schema that the server holds the reply to.
    fn schema(&self) -> Option<serde_json::Value> {
        let issues = self.structured? == Structured::Issues;
        let schema = self.parse.schema()?;
        Some(schema(&self.metrics, &self.scale, true, issues))
    }
}

/// The form of reply that a server enforces.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Structured {
    /// An explanation, then a score per metric.
    Scores,
    /// An explanation, a list of issues, then a score per metric.
    Issues,
}

/// What one reply says: an outcome and the issues for each metric, in their order.
#[derive(Clone, Debug)]
pub struct Reading {
    /// A score, or why there is none.
    pub outcomes: Vec<Outcome>,
    /// The issues found; those that name no metric are with each.
    pub issues: Vec<Vec<Issue>>,
    /// For each metric, whether it is scored by a reply that names another score for it too.
    pub contradicted: Vec<bool>,
}

/// Reads one answer into scores.
pub fn read_reply(reader: &Reader, judge: &Judge, reply: &Result<Reply, CallError>) -> Reading {
    let unscored = |reason: Reason| Reading {
        outcomes: vec![Outcome::Unscored(reason); judge.metrics.len()],
        issues: vec![Vec::new(); judge.metrics.len()],
        contradicted: vec![false; judge.metrics.len()],
    };
    match reply {
        Err(CallError::NotRecorded { .. }) => unscored(Reason::NotRecorded),
        Err(CallError::NotApplicable(why)) => unscored(Reason::NotApplicable(why.clone())),
        Err(CallError::TooLong(how)) => unscored(Reason::TooLong(how.clone())),
        Err(CallError::Refused(_)) => unscored(Reason::Refused),
        Err(error) => unscored(Reason::Failed(error.to_string())),
        Ok(reply) => {
            let form = reader.read(
                &reply.text,
                reply.finish,
                &judge.scale,
                judge.model.thoughts(),
            );
            let of = |metric: &String| {
                form.issues
                    .iter()
                    .filter(|issue| issue.metric.as_ref().is_none_or(|named| named == metric))
                    .cloned()
                    .collect()
            };
            let contradicted = form
                .readings
                .iter()
                .map(|reading| reading.contradicted && reading.outcome.score().is_some());
            Reading {
                contradicted: contradicted.collect(),
                issues: judge.metrics.iter().map(of).collect(),
                outcomes: form
                    .readings
                    .into_iter()
                    .map(|reading| reading.outcome)
                    .collect(),
            }
        }
    }
}

/// Puts answers into a table: one row per input row, repeat and metric, with the columns of the
/// input except `text`, then `repeat`, `metric`, `score`, `unscored`, `detail`, `issues`, `finish`,
/// `reply`, `call`. A score that does not exist is an absent cell with a reason, never a number.
///
/// `answers` holds `repeats` answers per input row, in order.
///
/// # Errors
/// Recorded replies that match a row more than once, all of them listed.
fn tabulate(
    judge: &Judge,
    input: &Frame,
    answers: Vec<(Answer, Reading)>,
) -> Result<Output, Failure> {
    check_ambiguous(&answers)?;
    let warnings = not_recorded(input, judge.repeats as usize, &answers);
    let asked = answers.len();
    let metrics = judge.metrics.len();
    let repeats = judge.repeats as usize;
    let base: Vec<usize> = (0..input.rows())
        .flat_map(|row| std::iter::repeat_n(row, repeats * metrics))
        .collect();
    let mut counts = Counts::default();
    let (mut score, mut unscored, mut detail) = (Vec::new(), Vec::new(), Vec::new());
    let (mut issues, mut finish, mut reply, mut call) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (answer, reading) in answers {
        counts.answered(&answer);
        counts.contradicted += reading.contradicted.iter().filter(|&&named| named).count() as u64;
        let (said, mut text) = match answer.reply {
            Ok(reply) => (Some(reply.finish), Some(reply.text)),
            Err(_) => (None, None),
        };
        for (index, (outcome, found)) in reading.outcomes.iter().zip(&reading.issues).enumerate() {
            match outcome {
                Outcome::Scored(value) => {
                    counts.scored += 1;
                    score.push(Some(*value));
                    unscored.push(None);
                    detail.push(None);
                }
                Outcome::Unscored(reason) => {
                    counts.unscored(&judge.metrics[index], reason.code());
                    score.push(None);
                    unscored.push(Some(reason.code().to_owned()));
                    detail.push(reason.detail());
                }
            }
            issues.push(serde_json::to_string(found).ok());
            finish.push(said.map(|finish| finish.word().to_owned()));
            // The last metric takes the text over: replies are long and there are many.
            reply.push(if index + 1 == metrics {
                text.take()
            } else {
                text.clone()
            });
            call.push(answer.call.map(|digest| digest.to_string()));
        }
    }
    let mut frame = input.without(&["text"]).take(&base)?;
    if repeats > 1 {
        let column = (0..input.rows())
            .flat_map(|_| {
                (1..=i64::from(judge.repeats)).flat_map(|k| std::iter::repeat_n(Some(k), metrics))
            })
            .collect();
        frame = frame.with_column("repeat", ColumnData::Int(column))?;
    }
    let metric = (0..asked).flat_map(|_| judge.metrics.iter().cloned());
    for (name, data) in [
        ("metric", ColumnData::text(metric)),
        ("score", ColumnData::Float(score)),
        ("unscored", ColumnData::Text(unscored)),
        ("detail", ColumnData::Text(detail)),
        ("issues", ColumnData::Text(issues)),
        ("finish", ColumnData::Text(finish)),
        ("reply", ColumnData::Text(reply)),
        ("call", ColumnData::Text(call)),
    ] {
        frame = frame.with_column(name, data)?;
    }
    Ok(Output {
        frame,
        counts,
        warnings,
    })
}

fn check_ambiguous(answers: &[(Answer, Reading)]) -> Result<(), Failure> {
    let several: Vec<&str> = answers
        .iter()
        .filter_map(|(answer, _)| match &answer.reply {
            Err(CallError::Ambiguous(what)) => Some(what.as_str()),
            _ => None,
        })
        .collect();
    if several.is_empty() {
        return Ok(());
    }
    let shown = &several[..several.len().min(5)];
    Err(Failure::new(format!(
        "{} with more than one recorded reply: {}",
        count(several.len(), "row"),
        shown.join("; ")
    ))
    .hint("add the columns that distinguish them to the model's `match` or `where`"))
}

fn not_recorded(input: &Frame, repeats: usize, answers: &[(Answer, Reading)]) -> Vec<String> {
    let missing: Vec<usize> = answers
        .iter()
        .enumerate()
        .filter(|(_, (answer, _))| matches!(answer.reply, Err(CallError::NotRecorded { .. })))
        .map(|(index, _)| index / repeats)
        .collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let near: BTreeSet<&String> = answers
        .iter()
        .filter_map(|(answer, _)| match &answer.reply {
            Err(CallError::NotRecorded { near }) => near.as_ref(),
            _ => None,
        })
        .collect();
    let near: Vec<&String> = near.into_iter().collect();
    let instead = match near.as_slice() {
        [] => String::new(),
        near => format!(
            "; {} recorded for what differs in case or blanks alone: {}",
            match near.len() {
                1 => "1 reply is".to_owned(),
                n => format!("{n} replies are"),
            },
            some_of(near)
        ),
    };
    if missing.len() == answers.len() {
        return vec![format!(
            "no recorded reply for any of {}{instead}",
            count(input.rows(), "row")
        )];
    }
    let ids = input.column("doc_id").ok();
    let name = |row: usize| match &ids {
        Some(ids) => ids.text(row).unwrap_or_default().into_owned(),
        None => format!("row {}", row + 1),
    };
    let mut names: Vec<String> = missing.iter().map(|&row| name(row)).collect();
    // A document can be missing under many settings; its name once says which.
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    vec![format!(
        "no recorded reply for {} of {}: {}{instead}",
        missing.len(),
        count(input.rows(), "row"),
        list_of(&names)
    )]
}

/// The columns a judge adds, and the one that marks statistics; an axis or document column of such a
/// name would be overwritten or misread.
pub const RESERVED: [&str; 10] = [
    "repeat", "metric", "score", "unscored", "detail", "issues", "finish", "reply", "call", "why",
];
