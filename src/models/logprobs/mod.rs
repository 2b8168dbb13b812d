//! Log-probabilities of a reply's tokens: how they are written, which token stands where, the mean of a verdict over the
//! marks of its scale, and how likely a whole reply was.
//!
//! The mean of the marks, weighted by the probabilities of their tokens, is the expectation of G-Eval (Liu et al., 2023).
//! Must not look for verdicts: a parser says where one stands.

mod align;
mod expected;
mod forms;
mod likelihood;
mod marks;
mod token;

pub use self::align::{placed, spans};
pub use self::expected::{Expectation, expected, sole};
pub use self::forms::stored;
pub use self::likelihood::{Likelihood, likelihood};
pub use self::marks::{Marks, Unfit};
pub use self::token::{Token, Unusable, tokens};
