//! What can go wrong with a program that annotates, in sentences for the user.

use std::fmt;
use std::io;
use std::process::ExitStatus;

use thiserror::Error;

use super::PROTOCOL;
use crate::base::wording::count;

/// Why there are no annotations.
#[derive(Debug, Error)]
pub enum ExternalError {
    /// There is no program to start.
    #[error(
        "the command of the annotator is empty: write a list of the program and its arguments, such as \
         `[\"python3\", \"tools/annotate_spacy.py\"]`"
    )]
    NoCommand,
    /// The program cannot be started.
    #[error("cannot start the annotator `{program}`: {problem}")]
    Start {
        /// The first word of the command.
        program: String,
        /// Why.
        problem: io::Error,
    },
    /// A file for the texts, or the pipe with the replies, does not work.
    #[error("cannot talk to the annotator `{command}`: {problem}")]
    Talk {
        /// The command.
        command: String,
        /// Why.
        problem: io::Error,
    },
    /// The run is to stop.
    #[error("the annotator was stopped")]
    Stopped,
    /// The program does not do what it should.
    #[error("the annotator `{command}` {failure}{complaints}")]
    Failed {
        /// The command.
        command: String,
        /// What it does instead.
        failure: Failure,
        /// The end of what it wrote to standard error, introduced; or nothing.
        complaints: String,
    },
}

impl ExternalError {
    /// The document whose reply is wrong, counted from 0, where it is that.
    pub fn document(&self) -> Option<usize> {
        match self {
            Self::Failed {
                failure: Failure::Reply(ReplyError::Document { document, .. }),
                ..
            } => Some(*document),
            _ => None,
        }
    }
}

/// What a program does that should annotate.
#[derive(Debug, Error)]
pub enum Failure {
    /// It says something that is no reply.
    #[error("gave an invalid answer: {0}")]
    Reply(#[from] ReplyError),
    /// It writes a line that is longer than any reply.
    #[error(
        "wrote a line of more than {limit} bytes after {}: write one line for each document",
        count(*answered, "reply")
    )]
    LongLine {
        /// How long a line may be there.
        limit: u64,
        /// How many documents it had answered.
        answered: usize,
    },
    /// It goes on after the last document.
    #[error(
        "wrote more than {}: write one line for each document, and anything else to standard error",
        count(*asked, "reply")
    )]
    TooMany {
        /// How many documents there are.
        asked: usize,
    },
    /// It ended too early, or not with status 0.
    #[error(
        "ended ({status}) after it had answered {answered} of {}",
        count(*asked, "document")
    )]
    Ended {
        /// How it ended.
        status: ExitStatus,
        /// How many documents it had answered.
        answered: usize,
        /// How many documents there are.
        asked: usize,
    },
}

/// A reply that is no reply to what was asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplyError {
    /// The first line is something else.
    #[error(
        "the first line should be a greeting such as `{{\"annotator\": \"spacy 3.8.11 en_core_web_sm 3.8.0\", \
         \"protocol\": 1}}`, and is `{line}` ({problem})"
    )]
    NoGreeting {
        /// The line, shortened.
        line: String,
        /// What the JSON parser says.
        problem: String,
    },
    /// It speaks another version of the protocol.
    #[error("it speaks protocol {found}, and only {PROTOCOL} is understood here")]
    OtherProtocol {
        /// The version in its greeting.
        found: u64,
    },
    /// It is another program, model or version than the one that results are kept under.
    #[error(
        "it calls itself `{found}`, and the spec declares `{declared}`: install that version, or declare \
         this one (texts are then annotated anew)"
    )]
    OtherAnnotator {
        /// The name in the spec.
        declared: String,
        /// The name in its greeting.
        found: String,
    },
    /// The reply to one document is wrong.
    #[error("in the reply to the document with `id` {document}, {problem}")]
    Document {
        /// The document's place in what was asked, counted from 0, which is its id.
        document: usize,
        /// What is wrong.
        problem: Problem,
    },
}

/// What is wrong with the reply to a document.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// It is not JSON, or not of the right form.
    #[error("the line `{line}` cannot be read: {problem}")]
    Unreadable {
        /// The line, shortened.
        line: String,
        /// What the JSON parser says.
        problem: String,
    },
    /// It belongs to another document.
    #[error(
        "`id` is {found}: there must be one reply for each document, in the order of the requests"
    )]
    OtherDocument {
        /// The id in the reply.
        found: u64,
    },
    /// Something that was asked for is not there.
    #[error("`{field}` was asked for and is missing")]
    Missing {
        /// What was asked for.
        field: &'static str,
    },
    /// A place lies outside the text.
    #[error(
        "{place} lies outside the text, which has {characters} characters: places count characters (code \
         points), not bytes"
    )]
    Outside {
        /// Where it is written.
        place: Place,
        /// The length of the text.
        characters: usize,
    },
    /// A stretch holds nothing, or ends before it starts.
    #[error("{0} is empty: the end is the first character that no longer belongs to it")]
    Empty(Place),
    /// A stretch starts before the one before it ends.
    #[error(
        "{0} starts before the one before it ends: entries must stand in the order of the text, without overlap"
    )]
    OutOfOrder(Place),
    /// A word or entity has a blank at its start or end, the usual sign of places that count bytes.
    #[error(
        "{0} starts or ends with a blank: leave blanks out, and count characters (code points), not bytes"
    )]
    Blank(Place),
}

/// One entry of a list, as the program wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The list it stands in.
    pub field: &'static str,
    /// Its place in the list, counted from 0.
    pub index: usize,
    /// First character.
    pub start: usize,
    /// First character that no longer belongs to it.
    pub end: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            field,
            index,
            start,
            end,
        } = self;
        write!(f, "`{field}[{index}]` (characters {start} to {end})")
    }
}
