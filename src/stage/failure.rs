//! Why a stage could not finish.

use std::fmt;

use crate::frame::FrameError;
use crate::text::{TaggerError, TokenizerError};

/// A stage's failure: what happened, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What is wrong, and where.
    pub message: String,
    /// How to repair it.
    pub hint: Option<String>,
}

impl Failure {
    /// A failure without a hint.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
        }
    }

    /// Adds how to repair it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds how to repair it, unless that is said already.
    #[must_use]
    pub fn or_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint.get_or_insert_with(|| hint.into());
        self
    }

    /// Puts the place in front of the message.
    #[must_use]
    pub fn at(mut self, place: impl fmt::Display) -> Self {
        self.message = format!("`{place}`: {}", self.message);
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

impl From<FrameError> for Failure {
    fn from(error: FrameError) -> Self {
        let failure = Self::new(error.to_string());
        match error {
            FrameError::TooLarge(_) => failure.hint(
                "read it with the program that made it, and store it as jsonl or in several files",
            ),
            FrameError::Damaged(_) => failure.hint("copy or download the file again"),
            FrameError::NotParquet(_) => failure
                .hint("write the table as parquet, or give the file the ending it should have"),
            FrameError::NotUtf8 { .. } => failure.hint("save the file as UTF-8 text"),
            FrameError::NoColumn { .. }
            | FrameError::WrongType { .. }
            | FrameError::UnsupportedType { .. }
            | FrameError::NotFinite { .. }
            | FrameError::Line { .. }
            | FrameError::TooManyRows
            | FrameError::Write(_)
            | FrameError::Polars(_) => failure,
        }
    }
}

impl From<TokenizerError> for Failure {
    fn from(error: TokenizerError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<TaggerError> for Failure {
    fn from(error: TaggerError) -> Self {
        Self::new(error.to_string())
    }
}
