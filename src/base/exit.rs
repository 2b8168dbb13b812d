//! Exit codes and the errors that lead to them.

use std::fmt;
use std::process::ExitCode;

use super::failure::Failure;

/// How the command ends. The numbers are a promise to scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: everything is done.
    Done,
    /// 1: something the command cannot explain, such as an unusable cache folder.
    Broken,
    /// 2: the arguments are wrong.
    Usage,
    /// 3: the spec, or a file it names, is wrong.
    Spec,
    /// 4: a stage failed.
    Stage,
    /// 5: printed values are not reproduced; or those of another run, where `diff` was asked to say so.
    NotReproduced,
    /// 6: stopped by `--max-calls` or `--max-cost`; what was finished is saved.
    Limit,
    /// 130: interrupted; what was finished is saved.
    Interrupted,
}

impl Exit {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Broken => 1,
            Self::Usage => 2,
            Self::Spec => 3,
            Self::Stage => 4,
            Self::NotReproduced => 5,
            Self::Limit => 6,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// An error as the command shows it.
#[derive(Debug)]
pub struct Error {
    /// What is wrong; may already be drawn over several lines.
    pub message: String,
    /// How to repair it.
    pub hint: Option<String>,
    /// How the command ends.
    pub exit: Exit,
    /// The message is drawn as it should appear and needs no `error:` in front.
    pub drawn: bool,
}

impl Error {
    /// An error in one sentence.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
            exit,
            drawn: false,
        }
    }

    /// An error that was drawn already, such as problems of a spec.
    pub fn drawn(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            drawn: true,
            ..Self::new(exit, message)
        }
    }

    /// Adds how to repair it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::new(Exit::Broken, error.to_string())
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self {
            hint: failure.hint,
            ..Self::new(Exit::Stage, failure.message)
        }
    }
}
