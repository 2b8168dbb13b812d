//! The parser `json`: an object with a score per metric.
//!
//! The object may stand anywhere in the reply, fenced as code or not, with prose and other objects
//! around it. The rule:
//!
//! 1. `<think>…</think>` is not part of the answer; a reply with only one of the two tags is unscored
//!    (`think-not-closed`), unless the prompt [opens](super::Thoughts) the tag.
//! 2. Every object in the answer is looked at. Beside JSON this takes what models write for it: comments
//!    (`//`, `#`, `/* */`), commas too many or none at all, single quotes, keys without quotes, `None` and
//!    `NaN`, line breaks and unescaped quotation marks in strings.
//! 3. A value belongs to a metric by its key (`fluency`, `Fluency Score`, `final_fluency_rating`,
//!    `fluencyScore`, `score_fluency`, `Fluency (1-5)`; capitals do not matter and `_`, `-` and blanks are the
//!    same), as `score`, `rating`, `grade`, `mark` or `value` in the object under that key, or
//!    as one of these beside `"metric": "fluency"` (also `aspect`,
//!    `criterion`, `dimension`, `name`). Such keys count at the top of an object and up to two objects
//!    down; arrays are no level of their own.
//! 4. A value is a number, or a string that is a value by the grammar of all parsers (see `value`): `"4"`, `"4,5"`,
//!    `"4/5 points"`, `"4 - good"`. `null`, `N/A` and the like say that there is no score. Other strings, `true` and
//!    arrays say nothing. Under keys that speak of something else (`max_scores`, `previous`, `example`, `weights`)
//!    nothing is read; a top or scale that is not the one asked for (`"out_of": 10`) makes the numbers beside it
//!    `ambiguous`.
//! 5. Within one object the level nearest to its top that has a value decides: the scores of sections do not
//!    stand against the score of the whole. Where several objects in one array speak of a metric, they are
//!    sections and count as one level lower. Different values on the deciding level are `ambiguous`.
//! 6. Of several objects that differ about a metric the later one decides if the words before it announce it
//!    (`Final:`, `Corrected:`), flagged as [`contradicted`](super::Reading::contradicted); otherwise they are
//!    `ambiguous`. An object behind words for an example or a draft does not count. Under keys of which nothing is
//!    known, or beside a number that may be another top or a deduction, a value is `ambiguous`.
//! 7. An object that is not complete, because it is malformed or the reply ends in it, counts only where no
//!    complete one speaks of the metric; what stood in it up to there counts. When the reply was cut by the
//!    length limit, a number must be followed by something: `4` may have become `4.5`.
//! 8. With a single metric, `score`, `rating`, `grade`, `mark` or `value` at the top of an object that names nobody counts
//!    where no object names the metric; `final`, `final_score` and the like count there as the metric's name does.
//! 9. A number outside of the objects that says something else, behind a label or in whatever form behind the object,
//!    leaves no verdict: `ambiguous`.
//! 10. A number off the scale is unscored (`off-scale`), so are percentages; `3-4` is `ambiguous`.
//!
//! Issues are the entries of `issues`, `errors` or `problems` (also `fluency_issues`) on the same levels, of
//! every object, repetitions included: strings, with or without a `[LABEL]`, or objects with `label`, `type` or
//! `category`, and `text`, `description`, `explanation`, `quote`, `span`, `issue`, `error` or `problem`. They may
//! be grouped by metric, by label, or by both (`"issues": {"fluency": {"[GRAMMAR]": ["…"]}}`). Those of a metric
//! that is not asked for are dropped: under its key beside that of one asked for, or where `metric` names it.
//!
//! What falls short: a reply that is one JSON *string* with an object in it is not unpacked; of a sentence with
//! unescaped quotation marks around words before a comma (`"says "no", "yes""`) the rest of the object is lost;
//! a metric of two words is not found under a key in camel case.

mod cursor;
mod explanation;
mod foreign;
mod issues;
mod key;
mod keys;
mod lists;
mod objects;
mod paths;
mod reader;
mod scan;
mod schema;
mod spans;
mod tally;
mod text;
mod tree;
mod value;
mod walk;
mod words;

pub(super) use self::reader::read;
pub(super) use keys::Keys;
pub(super) use lists::lists;
pub(super) use objects::Objects;
pub use paths::Paths;
pub use schema::schema;
pub(super) use spans::spans;

#[cfg(test)]
mod tests;
