//! The parser `evaluation-form`: one score per metric and a list of issues.
//!
//! The form the judges are asked to fill in (a list of issues per metric, then a line
//! `FINAL <Metric> Score: x` per metric) comes back in many shapes. The rule for scores:
//!
//! 1. Blanks of any kind and number count as one blank. `<think>…</think>` is not part of the
//!    answer; a reply with only one of the two tags is unscored (`think-not-closed`).
//! 2. A score is a number behind a label and a colon. Labels, strongest first:
//!    `FINAL <Metric> Score`, `<Metric> Score`, `<Metric>`. Capitals do not matter; numbering
//!    and bold may surround any part.
//! 3. A number in square brackets counts behind a label that is not bold. A bold label before
//!    `[x]`, a bare `Rating: x`, `<Metric> - x` and `<Metric> (x)` are not scores.
//! 4. Per metric the strongest label that has a value decides. Of several with `FINAL` that differ, the last counts if
//!    the reply presents it as what takes the place of those before (words of revision, a heading that calls it
//!    final), else none; or, where that is wanted, the first (see [`Finals`](super::Finals)), which is what the thesis's
//!    numbers follow. A reading that another place contradicts is flagged as
//!    [`contradicted`](super::Reading::contradicted). Weaker labels that differ are `ambiguous`, and so is a score that a
//!    weaker label right below it, or a stronger place of another form (an object of JSON, `[[4]]`), contradicts.
//!    What stands around a number may take it back as well (see `surroundings`).
//! 5. A clause is understood whole or not at all (see `value`): a range, a choice, a sum, a correction, a condition or
//!    a count is no number but `ambiguous`, with its words; so is a label that is shared (`Fluency, Coherence: 4, 3`)
//!    or stands behind words that are not known. Examples, former scores, suppositions and quotations are passed
//!    over. A number off the scale is unscored (`off-scale`). A list number that merely follows the label
//!    (`Fluency:` and on the next line `1. First point`) is no score.
//! 6. A reply that was cut by the length limit is scored if a score is found before the cut; on a scale with marks a
//!    number at the very end counts only if no other mark begins like it.
//!
//! Issues stand under headings (`<Metric> Issues:`). A heading or a score of a metric that is not asked for ends
//! the list; what stands under such a heading is dropped, and no line with a score is an issue.
//!
//! Source of the rule: the tables of the `JudgeMemo` thesis (Kleiner, 2025), recomputed from its
//! recorded replies; all of them come out under this rule on the scale of all numbers from 1 to 5. The parser
//! must not correct, round or complete what a judge wrote.

pub(super) mod bullet;
mod explanation;
mod heading;
pub(super) mod hit;
mod issues;
pub(super) mod label;
mod line;
mod reader;

pub(super) use self::reader::read;

#[cfg(test)]
mod tests;
