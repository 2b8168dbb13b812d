//! The parser `error-spans`: blocks of a location, an explanation and a severity, then the verdict on the whole.
//!
//! ```text
//! Error 1:
//! Location: "the exact words"
//! Explanation: why they are wrong
//! Severity: 3
//!
//! Overall score: Poor
//! Explanation of the score: …
//! ```
//!
//! The rule:
//!
//! 1. Thoughts are not part of the answer. Emphasis, bullets, numbering, headings and fences around any part do not
//!    matter, nor do capitals and a remark in brackets behind a key (`Location (implicit):`).
//! 2. A block begins at `Error 1` (`Issue`, `Span`, `Problem` …), or at a location where the block before has one
//!    already. Its parts are `Location`, `Explanation`, `Severity` and `Category` (each with the words that models write
//!    instead, see `line`), in any order, over several lines, or on one line parted by `|` or `;`. Of a part that is
//!    given twice the first counts, but explanations go on.
//! 3. A block that names nothing is no error: without a part, or with `None` where its location should be and no
//!    severity.
//! 4. A severity is a number, or a word as written (`major`); `N/A` is none, and so is what is not understood.
//! 5. What stands in blocks, and in the explanation of the score, is about no verdict: all else is read as `likert`
//!    reads it (see there), so that `Overall score: Poor` is the verdict and `Severity: 3` is not.
//!    A place in marks, of JSON or with `FINAL` that says something else within a block makes the verdict `ambiguous`.
//! 6. Where errors are numbered from 1 again behind a verdict, the form is written anew: the later errors count.
//! 7. An object of JSON with a list of `errors` (`issues`, `spans` …) is read as `json` reads it, the entries of the list
//!    as blocks.
//! 8. Without a block there are no errors where the reply says so (`No Error`, an empty list); else nothing is known of
//!    them.
//!
//! Must not look for the locations in the judged text.

mod block;
mod line;
mod reader;
mod severity;

pub(super) use self::block::Block;
pub(super) use self::reader::read;

#[cfg(test)]
mod tests;
