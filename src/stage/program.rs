//! Programs of the user's that a stage starts: what of them is in keys, and when they are not started.

use serde::Serialize;

use crate::base::failure::Failure;

/// A program. Where it lies is in no key; what it calls itself is, and is checked when it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Program {
    /// The program and its arguments; none, where it must not be started.
    #[serde(skip)]
    pub command: Vec<String>,
    /// Its name and version.
    pub version: String,
}

impl Program {
    /// Takes the command away, so that it is not started; no key changes by that.
    pub fn disarm(&mut self) {
        self.command.clear();
    }

    /// Says that it was not started; `what` is what it does.
    pub(super) fn not_started(&self, what: &str) -> Failure {
        Failure::new(format!(
            "the {what} `{}` is a program, and the spec, or a file that it uses, came in a bundle: it is not started",
            self.version
        ))
        .hint("read the spec, then give `--trust` if it may start programs, call servers and use your keys")
    }
}
