//! The parser `likert`: a reply that is, or comes to, one number on the scale.
//!
//! The rule:
//!
//! 1. `<think>…</think>` is not part of the answer; a reply with only one of the two tags is unscored
//!    (`think-not-closed`), unless the prompt [opens](super::Thoughts) the tag.
//! 2. A score stands in one of these places, strongest first:
//!    1. *marked*: `[[4]]`, `\boxed{4}`, `<score>4</score>` (`rating`, `answer`, `grade`), `<fluency>4</fluency>`;
//!    2. behind a label of the metric with `FINAL`: `FINAL Fluency Score: 4`;
//!    3. behind such a label that names no metric: `Final answer: 4`;
//!    4. behind a label of the metric: `Fluency: 4`, `**Fluency** (1-5): 4/5`, `| Fluency | 4 |`, `Fluency score is 4`;
//!    5. behind a label that names no metric: `Score: 4`, `Rating - 4/5`, `The answer is 4`, `a score of 4`,
//!       `评分：4`; `Total: 4` where no number stands before it;
//!    6. *bare*: the first or last line is nothing but a number, or one and what it means (`4 - good`),
//!       unless that is part of a scale written down again (`5 - great` above `4 - good`; `1 = bad, 5 = great`); a
//!       sentence gives the number (`I would give this a 4.`, `It earns 4 points.`); a fraction of the scale
//!       (`4/5`, `4 out of 5`).
//! 3. With several metrics only places that name the metric count: 2.2, 2.4, and its tag.
//!    With one metric a place that does not name it is `ambiguous` where a heading, a line (`Criterion: style`), an
//!    opening phrase (`As for style, …`) or a remark (`4 - style`) names another owner (see `owner`).
//! 4. The strongest kind of place decides. If places of that kind differ, none is preferred: `ambiguous`. A
//!    reading that a weaker place contradicts is flagged as [`contradicted`](super::Reading::contradicted).
//!    A number that an object of JSON or a later sentence contradicts is `ambiguous` (see `agree`), and so is one that
//!    stands under a heading or beside a scale that is another's (see `surroundings`).
//! 5. A clause is understood whole or not at all (see `value`): a range, a choice, a sum, a correction, a condition
//!    is `ambiguous`, with its words; what is counted (`2 typos`) is no score. Neither is a number behind a word
//!    that bounds it or takes it back (`no more than 2/5`, `not a score of 4`), nor that of an example, another text
//!    or another judge. Bare, it also must not be a list number (`4. The text …`), a year, or quoted (`"…"`, `> …`).
//! 6. Where a label gives its verdict in words (`Overall score: Fair`), numbers without a label are something else.
//! 7. A number off the scale (`6`, `4/10` on a scale to 5, `80%`) is unscored (`off-scale`).
//! 8. `zero` to `ten` count in the same places where no number does, on scales up to ten; `one` not in
//!    sentences (`give it this one`).
//! 9. A number with which a cut reply ends counts if no other number on the scale begins like it: with one
//!    token to write, judges on whole numbers reply `4`; on a scale with half points that may have become `4.5`.
//! 10. Digits of full width count as others (`４／５`).
//!
//! There are no issues. What falls short: sentences are recognised by their words, in English; a score that is
//! only supposed (`a 5 would need …`) is mostly not taken for one, but `I hesitate to give it a 5.` is.

mod behind;
mod hedge;
mod label;
mod line;
mod part;
mod quoted;
mod reader;
mod sentence;

pub(super) use self::reader::read;
pub(super) use reader::{decide, may_be_marked, places};

#[cfg(test)]
mod tests;
