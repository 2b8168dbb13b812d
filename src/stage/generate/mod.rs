//! `generate`: has a model write a text for every row.

mod check;
mod contract;
mod previous;
mod raw;

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

pub use self::previous::Previous;
pub(super) use self::previous::whole;
use crate::base::failure::Failure;
use crate::base::json;
use crate::frame::{ColumnData, Frame};
use crate::models::parse::{Finish, visible};
use crate::models::score::{Reason, Scale};
use crate::models::spec::ModelSpec;
use crate::stage::asking::{Expected, Read, ReadsAnswers, why_no_reply};
use crate::stage::contract::Ask;
use crate::stage::likelihood::{self, Likelihoods};
use crate::stage::refused::without_record;
use crate::stage::{
    Answer, Asking, Counts, Holds, Missing, Output, Prompt, Said, StageName, passed_on,
    reason_column,
};

/// Has a model write a text for every row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Generate {
    /// The stage to read.
    #[serde(skip)]
    pub from: StageName,
    /// Who writes.
    pub model: ModelSpec,
    /// What is asked.
    pub prompt: Prompt,
    /// The column that what it writes goes into; `text` takes the place of the text.
    pub into: String,
    /// What it is to write.
    pub shape: Shape,
    /// The file with the JSON schema that the server holds it to; its content enters keys as a digest.
    #[serde(skip)]
    pub schema: Option<PathBuf>,
    /// Whether each section is also given what was written about the one before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<Previous>,
    /// Whether it notes how likely each text was.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub logprobs: bool,
    /// How often each row is asked.
    pub repeats: u32,
    /// How many more times a text that was cut off by the length limit is asked for.
    pub retry_cut: u32,
    /// Whether the calls are handed in as a batch.
    #[serde(skip)]
    pub batch: bool,
    /// The largest share of its texts that may be missing; in no key.
    #[serde(skip)]
    pub max_unwritten: f64,
}

/// What a generated text is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Any text.
    #[default]
    Text,
    /// One JSON value, in a fence or alone.
    Json,
}

/// The text that a reply gives, or why it gives none.
pub type Written = Result<String, Reason>;

/// What the file with the schema is to the stage.
pub(crate) const SCHEMA: &str = "schema";

impl Ask for Generate {
    fn asking(&self) -> Asking {
        Asking {
            from: self.from.clone(),
            model: self.model.clone(),
            prompt: Some(self.prompt.clone()),
            metrics: [].into(),
            scale: Scale::HALF_POINTS_1_TO_5,
            repeats: self.repeats,
            retry_cut: self.retry_cut,
            schema: None,
            batch: self.batch,
            adds: self.adds(),
        }
    }

    fn model(&self) -> &ModelSpec {
        &self.model
    }

    fn repeats(&self) -> u32 {
        self.repeats
    }

    fn looks_back(&self) -> bool {
        self.previous.is_some()
    }

    fn in_parts(&self) -> bool {
        self.previous.is_none()
    }

    fn reader(&self, _said: &Arc<Said>) -> Result<Box<dyn ReadsAnswers>, Failure> {
        Ok(Box::new(self.clone()))
    }

    fn expected(&self) -> Expected {
        Expected {
            what: Missing::Unwritten,
            limit: self.max_unwritten,
            parts: 1,
        }
    }
}

impl ReadsAnswers for Generate {
    fn read(&self, answer: &Answer) -> Read {
        Read::Text(self.written(answer))
    }

    fn tabulate(&self, input: &Frame, answers: Vec<(Answer, Read)>) -> Result<Output, Failure> {
        let texts = answers.into_iter();
        let texts = texts.filter_map(|(answer, read)| Some((answer, read.text()?)));
        self.table(input, texts.collect())
    }
}

impl Generate {
    /// The columns that it adds, which its input cannot have.
    pub fn adds(&self) -> Vec<String> {
        let mut adds: Vec<String> = ["finish", "call"]
            .map(|what| format!("{}_{what}", self.into))
            .to_vec();
        if self.into != "text" {
            adds.extend([self.into.clone(), reason_column(&self.into)]);
        }
        if self.previous.is_some() {
            let previous = self.previous_column();
            adds.extend([reason_column(&previous), previous]);
        }
        if self.logprobs {
            adds.extend(likelihood::names(Some(&self.into)));
        }
        if self.repeats > 1 {
            adds.push("repeat".to_owned());
        }
        adds
    }

    /// What the column of its texts holds. `text` is text, whatever it is written in.
    fn holds(&self) -> Holds {
        match self.shape {
            Shape::Json if self.into != "text" => Holds::Json,
            Shape::Json | Shape::Text => Holds::Text,
        }
    }

    fn data(&self, texts: Vec<Option<String>>) -> ColumnData {
        match self.holds() {
            Holds::Json => ColumnData::Json(texts),
            _ => ColumnData::Text(texts),
        }
    }

    /// The column with what was written about the section before.
    fn previous_column(&self) -> String {
        format!("previous_{}", self.into)
    }

    /// Reads one answer: its text without thoughts and without blanks around it.
    ///
    /// A text that was cut off by the length limit is none: half a summary would be taken for a whole
    /// one.
    fn written(&self, answer: &Answer) -> Written {
        let reply = answer.reply.as_ref().map_err(why_no_reply)?;

        let visible = visible::visible(&reply.text, reply.finish, self.model.thoughts());
        if reply.finish == Finish::Length {
            return Err(Reason::CutByLength);
        }
        if visible.unclosed {
            return Err(Reason::ThinkNotClosed);
        }
        let text: String = visible
            .parts
            .into_iter()
            .map(|part| &reply.text[part])
            .collect();
        let text = text.trim();
        if text.is_empty() {
            return Err(Reason::NoReply);
        }
        match self.shape {
            Shape::Text => Ok(text.to_owned()),
            Shape::Json => json_value(text).ok_or(Reason::NotJson),
        }
    }

    /// Puts what was written into a table: one row per input row and repeat, with the columns of the
    /// input and, for `into = "summary"`, `summary`, `no_summary` (why there is none),
    /// `summary_finish` and `summary_call`; with `previous` also `previous_summary`, absent for the first
    /// section, and `no_previous_summary`, why there is none for another; with `logprobs` also `summary_logprob` and
    /// `summary_perplexity`.
    ///
    /// `answers` holds `repeats` answers per input row, in order; with `previous` of all rows at once.
    ///
    /// # Errors
    /// Columns that do not fit the table, sections that cannot be told apart.
    fn table(&self, input: &Frame, answers: Vec<(Answer, Written)>) -> Result<Output, Failure> {
        let repeats = self.repeats as usize;
        let base: Vec<usize> = (0..input.rows())
            .flat_map(|row| std::iter::repeat_n(row, repeats))
            .collect();
        let mut counts = Counts::default();
        let (mut texts, mut missing) = (Vec::new(), Vec::new());
        let (mut finish, mut call) = (Vec::new(), Vec::new());
        let mut likelihoods = Likelihoods::default();
        for (answer, written) in answers {
            counts.answered(&answer);
            if self.logprobs {
                let found = likelihoods.of(&answer, &self.model);
                let found = match &written {
                    Ok(_) => found,
                    Err(reason) => Err(passed_on(&self.into, &reason.to_string())),
                };
                likelihoods.push(&found, 1);
            }
            match written {
                Ok(text) => {
                    counts.written += 1;
                    texts.push(Some(text));
                    missing.push(None);
                }
                Err(reason) => {
                    *counts
                        .unwritten
                        .entry(reason.code().to_owned())
                        .or_default() += 1;
                    texts.push(None);
                    missing.push(Some(reason.to_string()));
                }
            }
            let said = answer.reply.ok().map(|reply| reply.finish);
            finish.push(said.map(|finish| finish.word().to_owned()));
            call.push(answer.call.map(|digest| digest.to_string()));
        }
        let mut frame = if self.into == "text" {
            without_record(input).without(&["text"])
        } else {
            input.clone()
        };
        frame = frame.take(&base)?;
        if repeats > 1 {
            let column = (0..input.rows())
                .flat_map(|_| (1..=i64::from(self.repeats)).map(Some))
                .collect();
            frame = frame.with_column("repeat", ColumnData::Int(column))?;
        }
        if let Some(previous) = &self.previous {
            let before = previous.of(input, repeats, &texts, &missing)?;
            let why = before.iter().map(|before| before.as_ref().err().cloned());
            let why = why.collect();
            let column = before
                .into_iter()
                .map(|before| before.ok().flatten().map(str::to_owned));
            let name = self.previous_column();
            frame = frame
                .with_column(&name, self.data(column.collect()))?
                .with_column(&reason_column(&name), ColumnData::Text(why))?;
        }
        let named = |what: &str| format!("{}_{what}", self.into);
        for (name, data) in [
            (self.into.clone(), self.data(texts)),
            (reason_column(&self.into), ColumnData::Text(missing)),
            (named("finish"), ColumnData::Text(finish)),
            (named("call"), ColumnData::Text(call)),
        ] {
            frame = frame.with_column(&name, data)?;
        }
        let warnings = likelihoods.warning().into_iter().collect();
        if self.logprobs {
            frame = likelihoods.add(frame, Some(&self.into))?;
        }
        Ok(Output {
            frame,
            counts,
            warnings,
        })
    }
}

/// The one JSON value that a text is, in a fence or alone.
fn json_value(text: &str) -> Option<String> {
    let inside = text.strip_prefix("```").and_then(|rest| {
        let (_, rest) = rest.split_once('\n')?;
        rest.trim_end().strip_suffix("```")
    });
    let json = inside.unwrap_or(text).trim();
    json::check(json).ok()?;
    Some(json.to_owned())
}
