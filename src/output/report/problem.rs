//! What is wrong with a file of expected values or notes: place, fault, repair.
//!
//! It words problems; it must not look for them.

use std::fmt;

/// One thing wrong with a file of expected values or notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
    /// How to repair it.
    pub repair: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "line {}, column {}: {}; {}",
            self.line, self.column, self.what, self.repair
        )
    }
}

/// Everything wrong with a file, in order of place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// The problems ordered by place; those at one place keep the order in which they were found.
    pub(crate) fn sorted(mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|problem| (problem.line, problem.column));
        Self(problems)
    }
}
