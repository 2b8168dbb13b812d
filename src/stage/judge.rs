//! `judge`: has a model score every row.
//!
//! The stage says what to ask and how to read the answer; who asks, how many at a time, and where
//! answers are kept is the engine's business.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;

use super::refused::why_not;
use super::{Counts, Failure, NOT_APPLICABLE, Output, StageName};
use crate::frame::{ColumnData, Frame, FrameError};
use crate::key::Digest;
use crate::model::{CallError, Message, Needs, Question, Reply, Role};
use crate::parse::evaluation_form::{Issue, Reader};
use crate::score::{Outcome, Reason, Scale};
use crate::spec::ModelSpec;
use crate::template::Template;
use crate::wording::{count, list_of};

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
}

/// A template and the columns it is given.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prompt {
    /// The template's name, as in `templates/<name>.j2`; its content enters keys as a digest.
    pub name: String,
    /// Digest of the template with all it includes.
    pub digest: Digest,
    /// Columns handed over as variables of the same name.
    pub variables: Vec<String>,
}

/// How a reply is read.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Parser {
    /// Labelled issues and one score per metric, in the shapes models write.
    #[default]
    EvaluationForm,
}

/// What one row's question came to.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The reply, or why there is none.
    pub reply: Result<Reply, CallError>,
    /// The stored call, if it is one that is stored.
    pub call: Option<Digest>,
}

/// What one reply says: an outcome and the issues for each metric, in their order.
#[derive(Clone, Debug)]
pub struct Reading {
    /// A score, or why there is none.
    pub outcomes: Vec<Outcome>,
    /// The issues found; those that name no metric are with each.
    pub issues: Vec<Vec<Issue>>,
}

/// Reads one answer into scores.
pub fn read_reply(reader: &Reader, judge: &Judge, reply: &Result<Reply, CallError>) -> Reading {
    let unscored = |reason: Reason| Reading {
        outcomes: vec![Outcome::Unscored(reason); judge.metrics.len()],
        issues: vec![Vec::new(); judge.metrics.len()],
    };
    match reply {
        Err(CallError::NotRecorded) => unscored(Reason::NotRecorded),
        Err(CallError::NotApplicable(why)) => unscored(Reason::NotApplicable(why.clone())),
        Err(CallError::TooLong(how)) => unscored(Reason::TooLong(how.clone())),
        Err(CallError::Refused(_)) => unscored(Reason::Refused),
        Err(error) => unscored(Reason::Failed(error.to_string())),
        Ok(reply) => {
            let form = reader.read(&reply.text, reply.finish, &judge.scale);
            let of = |metric: &String| {
                form.issues
                    .iter()
                    .filter(|issue| issue.metric.as_ref().is_none_or(|named| named == metric))
                    .cloned()
                    .collect()
            };
            Reading {
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

/// The rows of a table, ready to become questions.
#[derive(Debug)]
pub struct Rows {
    judge: Judge,
    template: Option<Template>,
    frame: Arc<Frame>,
    matched: Vec<String>,
    needs_text: bool,
    metrics: Arc<[String]>,
}

impl Rows {
    /// Checks that the judge's model finds what it needs to know of a row of `frame`.
    ///
    /// # Errors
    /// When a column is missing.
    pub fn new(
        judge: &Judge,
        template: Option<Template>,
        frame: Arc<Frame>,
        needs: Needs<'_>,
    ) -> Result<Self, Failure> {
        let (matched, needs_text) = match needs {
            Needs::Prompt => (Vec::new(), false),
            Needs::Text => (Vec::new(), true),
            Needs::Columns(names) => (names.to_vec(), false),
        };
        if let Some(name) = RESERVED.iter().find(|name| frame.has(name)) {
            return Err(Failure::new(format!(
                "the documents have a column `{name}`, which a judge adds"
            ))
            .hint("rename it, or leave it out with `columns` in the source"));
        }
        let variables = judge.prompt.iter().flat_map(|prompt| &prompt.variables);
        let text = needs_text.then(|| "text".to_owned());
        for name in variables.chain(&matched).chain(&text) {
            frame.column(name).map_err(|error| {
                Failure::from(error).hint(format!("the columns come from `{}`", judge.from))
            })?;
        }
        Ok(Self {
            judge: judge.clone(),
            template,
            frame,
            matched,
            needs_text,
            metrics: judge.metrics.clone().into(),
        })
    }

    /// The document of a row, for messages.
    pub fn document(&self, row: usize) -> String {
        let id = self
            .frame
            .column("doc_id")
            .ok()
            .and_then(|column| column.text(row).map(Cow::into_owned));
        id.unwrap_or_else(|| format!("row {}", row + 1))
    }

    /// Why there is nothing to ask about a row: it has no text, where the model is to be given one.
    pub fn not_applicable(&self, row: usize) -> Option<String> {
        let mut variables = self
            .judge
            .prompt
            .iter()
            .flat_map(|prompt| &prompt.variables);
        let reads_text = self.needs_text || variables.any(|name| name == "text");
        let recorded =
            !self.needs_text && self.template.is_none() && self.frame.has(NOT_APPLICABLE);
        (reads_text || recorded)
            .then(|| why_not(&self.frame, row))
            .flatten()
    }

    /// The question for one row.
    ///
    /// # Errors
    /// When the template cannot be rendered with this row's values.
    pub fn question(&self, row: usize, repeat: u32) -> Result<Question, Failure> {
        let cell = |name: &str| -> Result<String, Failure> {
            let column = self.frame.column(name)?;
            Ok(column.text(row).unwrap_or_default().into_owned())
        };
        Ok(Question {
            messages: self.messages(row)?,
            text: if self.needs_text {
                cell("text")?
            } else {
                String::new()
            },
            columns: self
                .matched
                .iter()
                .map(|name| cell(name))
                .collect::<Result<_, _>>()?,
            metrics: Arc::clone(&self.metrics),
            repeat,
            schema: None,
        })
    }

    fn messages(&self, row: usize) -> Result<Vec<Message>, Failure> {
        let (Some(template), Some(prompt)) = (&self.template, &self.judge.prompt) else {
            return Ok(Vec::new());
        };
        let values = prompt
            .variables
            .iter()
            .map(|name| Ok((name.as_str(), self.frame.column(name)?.scalar(row))))
            .collect::<Result<Vec<_>, FrameError>>()?;
        let prompt = template
            .render(values.into_iter(), &self.judge.metrics, &self.judge.scale)
            .map_err(|failure| {
                let message = format!("{} (document `{}`)", failure.message, self.document(row));
                Failure { message, ..failure }
                    .or_hint("a template can ask first: `{% if ... is defined %}`")
            })?;
        let system = self
            .judge
            .model
            .system
            .iter()
            .map(|text| (Role::System, text.clone()));
        Ok(system
            .chain([(Role::User, prompt)])
            .map(|(role, content)| Message { role, content })
            .collect())
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
pub fn tabulate(
    judge: &Judge,
    input: &Frame,
    answers: Vec<(Answer, Reading)>,
) -> Result<Output, Failure> {
    check_ambiguous(&answers)?;
    let warnings = not_recorded(input, judge.repeats as usize, &answers)?;
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
        if let Ok(reply) = &answer.reply {
            if let Some(model) = &reply.model {
                *counts.models.entry(model.clone()).or_default() += 1;
            }
            for (what, n) in &reply.usage {
                *counts.usage.entry(what.clone()).or_default() += n;
            }
        }
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
                    *counts.unscored.entry(reason.code().to_owned()).or_default() += 1;
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
    .hint("add the columns that tell them apart to the model's `match` or `where`"))
}

fn not_recorded(
    input: &Frame,
    repeats: usize,
    answers: &[(Answer, Reading)],
) -> Result<Vec<String>, Failure> {
    let missing: Vec<usize> = answers
        .iter()
        .enumerate()
        .filter(|(_, (answer, _))| matches!(answer.reply, Err(CallError::NotRecorded)))
        .map(|(index, _)| index / repeats)
        .collect();
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    if missing.len() == answers.len() {
        return Ok(vec![format!(
            "no recorded reply for any of {}",
            count(input.rows(), "row")
        )]);
    }
    let ids = input.column("doc_id")?;
    let names: Vec<String> = missing
        .iter()
        .map(|&row| ids.text(row).unwrap_or_default().into_owned())
        .collect();
    Ok(vec![format!(
        "no recorded reply for {} of {}: {}",
        missing.len(),
        count(input.rows(), "row"),
        list_of(&names)
    )])
}

/// The columns a judge adds, and the one that marks statistics; an axis or document column of such a
/// name would be overwritten or misread.
pub const RESERVED: [&str; 10] = [
    "repeat", "metric", "score", "unscored", "detail", "issues", "finish", "reply", "call", "why",
];
