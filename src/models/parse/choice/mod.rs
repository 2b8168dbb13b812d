//! The parser `choice`: one of the labels of the scale, such as yes or no, A or B.
//!
//! The rule:
//!
//! 1. `<think>…</think>` is not part of the answer, as with all parsers.
//! 2. A choice stands in the places in which `likert` looks for a value (marks, labels with a colon, a first or last line,
//!    a table, an object of JSON), and, with one metric, in a sentence that chooses: `I choose A.`, `The better answer is
//!    B.`, `Answer A is better than answer B.`, `It is a tie.`
//! 3. A choice is a label of the scale or one of its aliases (see `value`), with its reason or without: `(A)`, `**No**`,
//!    `Yes, because …`. A sentence chooses only if nothing in it denies, doubts or supposes the choice.
//! 4. Two places of the strongest kind that name different labels, both labels in one place, `not A`, `either`: no choice
//!    (`ambiguous`, with the words). A number or another word in the place of a label is `off-scale`.
//!
//! There are no issues. What falls short: sentences are recognised by their words, in English and a few forms of other
//! languages; labels that are discussed but not chosen give no choice.

mod reader;
mod sentence;

pub(super) use self::reader::read;

#[cfg(test)]
mod tests;
