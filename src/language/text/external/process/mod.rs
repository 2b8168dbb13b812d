//! Drives the program that annotates: hands it the texts, reads its replies.
//!
//! There is no time limit: a model may take minutes to load, and a slow one hours to answer.

use std::collections::BTreeMap;

use super::error::{ExternalError, Failure};
use super::reply::{check_greeting, decode};
use super::{Want, encode};
use crate::base::program::{LINE, Program, Run, Trouble, complained};
use crate::language::text::Annotations;

/// How many more bytes a line may have for each byte of the text. A word, a sentence and an entity for each character
/// take fewer.
const LINE_PER_BYTE: u64 = 128;

/// What the program said about all the texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotated {
    /// The annotations, one for each text, in the order of the texts.
    pub documents: Vec<Annotations>,
    /// How often it gave an entity a label that is unknown here, such as `PER`.
    pub ignored: BTreeMap<String, usize>,
    /// How often it gave a word a tag that the Penn Treebank does not have, such as `VERB`.
    pub foreign: BTreeMap<String, usize>,
}

/// Has a program annotate texts; `declared` is the name and version that its greeting must give. Where there are no texts
/// it is not started; when the run is to `stop`, it is stopped.
pub fn annotate(
    command: &[String],
    declared: &str,
    texts: &[&str],
    want: Want,
    stop: &dyn Fn() -> bool,
) -> Result<Annotated, ExternalError> {
    if texts.is_empty() {
        return Ok(Annotated::default());
    }
    let limit = |text: &&str| LINE.saturating_add(LINE_PER_BYTE.saturating_mul(text.len() as u64));
    let run = Run {
        command,
        lines: [LINE].into_iter().chain(texts.iter().map(limit)).collect(),
        patience: None,
        stop,
    };
    let mut driven = Driven {
        command,
        program: None,
        answered: 0,
        asked: texts.len(),
    };
    let requests = texts.iter().enumerate();
    let requests = requests.map(|(id, text)| encode(id, text, want));
    let program = Program::start(run, requests).map_err(|trouble| driven.troubled(trouble))?;
    driven.program = Some(program);
    let greeting = driven.line()?;
    check_greeting(&greeting, declared).map_err(|error| driven.failed(error))?;
    let mut annotated = Annotated::default();
    for (document, text) in texts.iter().enumerate() {
        let line = driven.line()?;
        let reply = decode(&line, document, text, want).map_err(|error| driven.failed(error))?;
        driven.answered += 1;
        annotated.documents.push(reply.annotations);
        for (all, of_one) in [
            (&mut annotated.ignored, reply.ignored),
            (&mut annotated.foreign, reply.foreign),
        ] {
            for (label, times) in of_one {
                *all.entry(label).or_default() += times;
            }
        }
    }
    driven.finish()?;
    Ok(annotated)
}

/// A program under way, and how far it got.
struct Driven<'c> {
    command: &'c [String],
    program: Option<Program<'c>>,
    answered: usize,
    asked: usize,
}

impl Driven<'_> {
    fn line(&mut self) -> Result<Vec<u8>, ExternalError> {
        let line = self
            .program
            .as_mut()
            .ok_or(ExternalError::NoCommand)?
            .line();
        line.map_err(|trouble| self.troubled(trouble))
    }

    /// Sees that it says no more and ends well.
    fn finish(&mut self) -> Result<(), ExternalError> {
        let program = self.program.as_mut().ok_or(ExternalError::NoCommand)?;
        match program.finish() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(self.troubled(Trouble::Ended(status))),
            Err(trouble) => Err(self.troubled(trouble)),
        }
    }

    fn troubled(&mut self, trouble: Trouble) -> ExternalError {
        let (answered, asked) = (self.answered, self.asked);
        let program = || self.command.first().cloned().unwrap_or_default();
        match trouble {
            Trouble::NoCommand => ExternalError::NoCommand,
            // It may say nothing for as long as it likes.
            Trouble::Stopped | Trouble::Silent(_) => ExternalError::Stopped,
            Trouble::Start(problem) => ExternalError::Start {
                program: program(),
                problem,
            },
            Trouble::Talk(problem) => ExternalError::Talk {
                command: self.command.join(" "),
                problem,
            },
            Trouble::Long(limit) => self.failed(Failure::LongLine { limit, answered }),
            Trouble::More => self.failed(Failure::TooMany { asked }),
            Trouble::Ended(status) => self.failed(Failure::Ended {
                status,
                answered,
                asked,
            }),
        }
    }

    /// Stops it, and says why.
    fn failed(&mut self, failure: impl Into<Failure>) -> ExternalError {
        let complaints = self.program.as_mut().map(Program::last_words);
        ExternalError::Failed {
            command: self.command.join(" "),
            failure: failure.into(),
            complaints: complained(&complaints.unwrap_or_default()),
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
