//! What is wrong with the files of an import.

use std::fmt;

/// One file that is damaged, missing or not what its place says, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The sort of problem, by which they are counted.
    pub kind: Kind,
    /// The file, from the imported folder on, with `/` between its steps.
    pub path: String,
    /// What is wrong with it; empty where the kind says it all.
    pub detail: String,
}

impl Problem {
    /// A problem of a file.
    pub(super) fn new(kind: Kind, path: &str, detail: impl Into<String>) -> Self {
        Self {
            kind,
            path: path.to_owned(),
            detail: detail.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        Ok(())
    }
}

/// The sorts of problems, those that cost a row first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The file cannot be opened or read.
    Unreadable,
    /// The bytes are not UTF-8.
    NotUtf8,
    /// There is nothing in the file, or nothing but blanks.
    Empty,
    /// The file is not the JSON that belongs there.
    Json,
    /// The file, or a part of it, is not what the tool writes.
    Foreign,
    /// A file that the metadata names, or that others of its folder lead to expect, is not there.
    Missing,
    /// An output does not end with its `finish_reason` line.
    NoFinishReason,
    /// Two files hold what there can be once.
    Twice,
    /// A document that no metadata describes.
    Undescribed,
    /// What was exchanged cannot be told from the texts.
    Exchange,
    /// A prompt that is no format string.
    Prompt,
    /// A file or folder whose name says nothing of what it holds.
    Unknown,
}

impl Kind {
    /// The kind in one word or two, as it stands in the list of problems.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::NotUtf8 => "not UTF-8",
            Self::Empty => "empty",
            Self::Json => "not the JSON it should be",
            Self::Foreign => "not what the tool writes",
            Self::Missing => "missing",
            Self::NoFinishReason => "no finish reason",
            Self::Twice => "twice",
            Self::Undescribed => "without metadata",
            Self::Exchange => "exchange unknown",
            Self::Prompt => "not a format string",
            Self::Unknown => "not recognised",
        }
    }

    /// What was done about files of this kind.
    pub fn outcome(self) -> &'static str {
        match self {
            Self::Unreadable | Self::Foreign | Self::NotUtf8 | Self::Empty | Self::Prompt => {
                "left out"
            }
            Self::Json => {
                "an output is kept as it is, without the summaries in it; metadata is left out"
            }
            Self::Missing => "there is nothing to import",
            Self::NoFinishReason => "imported, with an empty `finish_reason`",
            Self::Twice => "one of the two is imported",
            Self::Undescribed => "imported, without title, author, year and genre",
            Self::Exchange => "imported, with what can be told",
            Self::Unknown => "passed over",
        }
    }
}
