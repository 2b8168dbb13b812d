//! The outcome of a call, as far as it says something about the server.

use std::time::Duration;

use crate::models::ask::CallError;

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A whole reply.
    Answered {
        /// The tokens it took, read and written, if the server said so.
        tokens_used: Option<u64>,
    },
    /// The server answered that this call cannot be: it lives, and says nothing about its load.
    Rejected,
    /// The server asks for patience.
    Busy {
        /// What it said.
        message: String,
        /// For so long, if it said so.
        after: Option<Duration>,
    },
    /// Nothing was sent, because the server could not be reached, and why.
    Unreachable(String),
    /// The connection was lost, the reply was cut short, or the server had an error: which of them.
    Broken(String),
    /// There was no whole reply in time, said with the time.
    TimedOut(String),
    /// Nothing was sent, because nothing was to be sent after all: the allowance is given back.
    Unsent,
    /// Nobody waited for the end.
    Abandoned,
}

impl Outcome {
    /// What an error says about the server.
    pub fn of_error(error: &CallError) -> Self {
        match error {
            CallError::Busy { message, after } => Self::Busy {
                message: message.clone(),
                after: *after,
            },
            CallError::Unreachable(why) => Self::Unreachable(why.clone()),
            CallError::Broken(why) => Self::Broken(why.clone()),
            _ => Self::Rejected,
        }
    }
}
