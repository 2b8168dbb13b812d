//! What stages ask models, whatever they make of the answers: rows become questions.
//!
//! Who asks, how many at a time, and where answers are kept is the engine's business.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;

use super::refused::why_not;
use super::rows::each;
use super::{Missing, NOT_APPLICABLE, Output, Reading, StageName, Written, reason_column};
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::base::wording::count;
use crate::frame::{ColumnView, Frame, FrameError};
use crate::models::ask::{CallError, Message, Needs, Question, Reply, Role};
use crate::models::score::{Reason, Scale};
use crate::models::spec::ModelSpec;
use crate::models::template::Template;
use crate::toml::Place;

/// What a stage asks.
#[derive(Clone, Debug)]
pub struct Asking {
    /// The stage it reads.
    pub from: StageName,
    /// Who answers.
    pub model: ModelSpec,
    /// What is asked; only for models that read a prompt.
    pub prompt: Option<Prompt>,
    /// The metrics that templates are told of; none for texts.
    pub metrics: Arc<[String]>,
    /// The scale that templates are told of.
    pub scale: Scale,
    /// How often each row is asked.
    pub repeats: u32,
    /// How many more times a reply that was cut off by the length limit is asked for.
    pub retry_cut: u32,
    /// The JSON schema that replies are held to.
    pub schema: Option<Arc<serde_json::Value>>,
    /// Whether the calls are handed in as a batch.
    pub batch: bool,
    /// The columns that the stage adds, which its input cannot have.
    pub adds: Vec<String>,
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
    /// How replies begin, where the spec says it beside the template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefill: Option<String>,
    /// Those of them that prompts need not show whole. In no key: what is sent does not depend on it.
    #[serde(skip)]
    pub partly: Vec<String>,
    /// Whether replies begin with what they are told, by `prefill` or by a last turn of the template.
    #[serde(skip)]
    pub begins: bool,
    /// Where the template takes what it is given for lists and objects.
    #[serde(skip)]
    pub lists: Vec<TakesApart>,
}

/// A place in a template that takes a column for a list or an object.
#[derive(Clone, Debug, PartialEq)]
pub struct TakesApart {
    /// The column.
    pub column: String,
    /// The field that it reads there of each element, if it is one.
    pub field: Option<String>,
    /// Where it stands.
    pub place: Option<Place>,
}

/// How prompts show a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shows {
    /// All of it.
    Whole,
    /// Cut, changed, or not always.
    Part,
}

/// What one row's question came to.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The reply, or why there is none.
    pub reply: Result<Reply, CallError>,
    /// The stored call, if it is one that is stored.
    pub call: Option<Digest>,
}

/// Why there is no score and no text where a call has no reply.
pub(super) fn why_no_reply(error: &CallError) -> Reason {
    match error {
        CallError::NotRecorded { .. } => Reason::NotRecorded,
        CallError::NotApplicable(why) => Reason::NotApplicable(why.clone()),
        CallError::TooLong(how) => Reason::TooLong(how.clone()),
        CallError::Refused(_) => Reason::Refused,
        other => Reason::Failed(other.to_string()),
    }
}

/// What a stage makes of answers.
pub(crate) trait ReadsAnswers: Send + Sync {
    /// What one answer says.
    fn read(&self, answer: &Answer) -> Read;

    /// The table of some rows and their answers, `repeats` for each row in order.
    fn tabulate(&self, input: &Frame, answers: Vec<(Answer, Read)>) -> Result<Output, Failure>;
}

/// What an answer says.
#[derive(Clone, Debug)]
pub(crate) enum Read {
    /// Scores.
    Scores(Reading),
    /// A text.
    Text(Written),
}

impl Read {
    /// The scores, if it says any.
    pub(super) fn scores(self) -> Option<Reading> {
        match self {
            Self::Scores(reading) => Some(reading),
            Self::Text(_) => None,
        }
    }

    /// The score of each metric, where there is one.
    pub(crate) fn numbers(&self) -> Vec<Option<f64>> {
        match self {
            Self::Scores(reading) => {
                let scores = reading
                    .verdicts
                    .iter()
                    .map(|verdict| verdict.outcome.score());
                scores.collect()
            }
            Self::Text(_) => Vec::new(),
        }
    }

    /// The text, if it says one.
    pub(super) fn text(self) -> Option<Written> {
        match self {
            Self::Text(written) => Some(written),
            Self::Scores(_) => None,
        }
    }
}

/// What the answers of a stage should come to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected {
    /// What is missing where it does not.
    pub(crate) what: Missing,
    /// The share that may be missing.
    pub(crate) limit: f64,
    /// Into how many each answer is counted.
    pub(crate) parts: u64,
}

/// The rows of a table, ready to become questions.
#[derive(Debug)]
pub struct Rows {
    asking: Asking,
    template: Option<Template>,
    frame: Arc<Frame>,
    /// How many rows of the table that they are a part of stand before them.
    before: usize,
    matched: Vec<String>,
    needs_text: bool,
    /// Whether a row without a text says why.
    looks_why: bool,
    /// The variables that may lack a value in some rows, each with the column of reasons.
    reasons: Vec<(String, String)>,
}

impl Rows {
    /// Checks that the model finds what it needs to know of a row of `frame`.
    ///
    /// # Errors
    /// When a column is missing.
    pub fn new(
        asking: Asking,
        template: Option<Template>,
        frame: Arc<Frame>,
        needs: Needs<'_>,
    ) -> Result<Self, Failure> {
        let (matched, needs_text) = match needs {
            Needs::Prompt => (Vec::new(), false),
            Needs::Text => (Vec::new(), true),
            Needs::Columns(names) => (names.to_vec(), false),
        };
        if let Some(name) = asking.adds.iter().find(|name| frame.has(name)) {
            return Err(Failure::new(format!(
                "the documents have a column `{name}`, which the stage adds"
            ))
            .hint("rename it, or leave it out with `columns` in the source"));
        }
        let variables = asking.prompt.iter().flat_map(|prompt| &prompt.variables);
        let text = needs_text.then(|| "text".to_owned());
        for name in variables.chain(&matched).chain(&text) {
            frame.column(name).map_err(|error| {
                Failure::from(error).hint(format!("the columns come from `{}`", asking.from))
            })?;
        }
        let variables = || asking.prompt.iter().flat_map(|prompt| &prompt.variables);
        let reads_text = needs_text || variables().any(|name| name == "text");
        let recorded = !needs_text && template.is_none() && frame.has(NOT_APPLICABLE);
        let reasons = variables().map(|name| (name.clone(), reason_column(name)));
        Ok(Self {
            looks_why: reads_text || recorded,
            reasons: reasons.filter(|(_, reasons)| frame.has(reasons)).collect(),
            asking,
            template,
            frame,
            before: 0,
            matched,
            needs_text,
        })
    }

    /// The same as a part of a table, before which so many rows stand.
    #[must_use]
    pub fn behind(self, before: usize) -> Self {
        Self { before, ..self }
    }

    /// The rows.
    pub fn frame(&self) -> &Arc<Frame> {
        &self.frame
    }

    /// How many rows there are.
    pub fn count(&self) -> usize {
        self.frame.rows()
    }

    /// What the model matches its replies on, of all rows.
    ///
    /// # Errors
    /// When a column is missing.
    pub fn matched(&self) -> Result<BTreeSet<Vec<String>>, FrameError> {
        let columns = self.matched.iter().map(|name| self.frame.column(name));
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        let cell = |column: &ColumnView<'_>, row| column.text(row).unwrap_or_default().into_owned();
        let rows = (0..self.count()).map(|row| columns.iter().map(|c| cell(c, row)).collect());
        Ok(rows.collect())
    }

    /// The document of a row, for messages.
    pub fn document(&self, row: usize) -> String {
        let id = self
            .frame
            .column("doc_id")
            .ok()
            .and_then(|column| column.text(row).map(Cow::into_owned));
        id.unwrap_or_else(|| format!("row {}", self.before + row + 1))
    }

    /// Why there is nothing to ask about a row: it has no text, where the model is to be given one.
    pub fn not_applicable(&self, row: usize) -> Option<String> {
        self.looks_why
            .then(|| why_not(&self.frame, row))
            .flatten()
            .or_else(|| self.not_generated(row))
    }

    /// Why a text that the prompt would show was not generated.
    fn not_generated(&self, row: usize) -> Option<String> {
        self.reasons.iter().find_map(|(name, reasons)| {
            let why = self.frame.column(reasons).ok()?;
            let why = why.text(row)?;
            Some(format!("there is no `{name}`: {why}"))
        })
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
            messages: self.messages(row)?.into(),
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
            metrics: Arc::clone(&self.asking.metrics),
            repeat,
            attempt: 0,
            schema: self.asking.schema.clone(),
        })
    }

    /// Puts all questions together without asking any, so that a prompt that cannot be sent is found before the
    /// first call is paid.
    ///
    /// # Errors
    /// The first row whose prompt cannot be rendered or does not show what it has to, and how many more there are.
    pub fn rehearse(&self) -> Result<(), Failure> {
        if self.template.is_none() {
            return Ok(());
        }
        let wrong: Vec<Failure> = each(self.count(), |row| match self.not_applicable(row) {
            Some(_) => None,
            None => self.messages(row).err(),
        })
        .into_iter()
        .flatten()
        .collect();
        let more = wrong.len().saturating_sub(1);
        match wrong.into_iter().next() {
            None => Ok(()),
            Some(first) if more == 0 => Err(first),
            Some(first) => Err(Failure {
                message: format!(
                    "{}; so it is with {}",
                    first.message,
                    count(more, "other row")
                ),
                ..first
            }),
        }
    }

    /// What is to be known of each row's question; nothing of a row about which there is none.
    ///
    /// # Errors
    /// The same.
    pub fn each_question<T: Send>(
        &self,
        know: impl Fn(&Question) -> T + Sync + Send,
    ) -> Result<Vec<Option<T>>, Failure> {
        let known = each(self.count(), |row| match self.not_applicable(row) {
            Some(_) => Ok(None),
            None => Ok(Some(know(&self.question(row, 0)?))),
        });
        known.into_iter().collect()
    }

    fn messages(&self, row: usize) -> Result<Vec<Message>, Failure> {
        let (Some(template), Some(prompt)) = (&self.template, &self.asking.prompt) else {
            return Ok(Vec::new());
        };
        let values = prompt
            .variables
            .iter()
            .map(|name| Ok((name.as_str(), self.frame.column(name)?.scalar(row))))
            .collect::<Result<Vec<_>, FrameError>>()?;
        let (metrics, scale) = (&self.asking.metrics, &self.asking.scale);
        let rendered = template.prompt(values.into_iter(), &prompt.partly, metrics, scale);
        let mut messages = rendered.map_err(|failure| {
            let message = format!("{} (document `{}`)", failure.message, self.document(row));
            Failure { message, ..failure }
        })?;
        if let Some(system) = &self.asking.model.system {
            match messages.first_mut() {
                // Many chat templates take one message of the system only.
                Some(first) if first.role == Role::System => {
                    first.content = format!("{system}\n{}", first.content);
                }
                _ => messages.insert(0, message(Role::System, system)),
            }
        }
        if let Some(prefill) = &prompt.prefill {
            messages.push(message(Role::Assistant, prefill));
        }
        Ok(messages)
    }
}

fn message(role: Role, content: &str) -> Message {
    let content = content.to_owned();
    Message { role, content }
}
