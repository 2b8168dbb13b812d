//! Why a value does not exist.

use std::fmt;

/// Why a value does not exist: a word to count by, and a sentence to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoValue {
    /// The kind of reason.
    pub code: Code,
    /// In words, without a period: "all differences are −2".
    pub why: String,
}

/// The kinds of reasons that a value does not exist for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// Fewer rows, items or pairs than it takes.
    TooFew,
    /// A column in which all values are equal.
    Constant,
    /// More than can be gone through one by one, as an exact value asks for.
    TooMany,
    /// Every comparison is a tie.
    AllTies,
    /// Only one rater.
    SingleRater,
    /// Only one category occurs.
    SingleCategory,
    /// Both sides agree in every pair.
    NoDiscordantPairs,
    /// The definition divides by zero, or asks for something that does not occur.
    Undefined,
    /// Both sides are the same.
    Identical,
    /// A correlation of ±1, which has no interval.
    PerfectCorrelation,
    /// Nothing varies, so that there is no error to state.
    ZeroError,
    /// The data do not determine the parameters.
    NotIdentifiable,
    /// The parameters run away to infinity.
    Separation,
    /// Something that the computation needs was not given for all.
    Incomplete,
    /// A setting for which it is not defined.
    InvalidParameter,
    /// The value itself is missing.
    Missing,
    /// It is defined without ties only.
    Ties,
}

impl NoValue {
    /// A reason with its words.
    pub fn new(code: Code, why: impl Into<String>) -> Self {
        let why = why.into();
        Self { code, why }
    }
}

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}
