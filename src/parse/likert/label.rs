//! Values behind labels and in marks: `Score: 4`, `Fluency is 4`, `[[4]]`.
//!
//! Must not choose between places.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::hedge::hedged;
use super::line::begins_scale;
use super::place::{Place, Strength};
use super::value::{Follow, Numerals, regex, value};
use crate::parse::evaluation_form::label::{self, is_filler};
use crate::parse::metrics::Metrics;
use crate::parse::number::{self, Found};
use crate::score::Scale;

/// The word of a label that names no metric. Boundaries of ASCII are much faster to look for; the others
/// show in what stands before and behind.
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?ix) (?-u:\b) (?P<final>final[\s*_]{1,4})? (?:overall[\s*_]{1,4})? (?:likert[\s*_]{1,4})?
            (?: score|rating|grade|mark|answer|verdict|judge?ment|assessment|evaluation|pick|choice|decision
              | (?P<total>total) ) (?-u:\b)
        | (?P<last>最终|最終|最后|最後)? (?:评分|評分|得分|分数|分數)",
    )
});

/// What may stand before such a word if it is to name the score of all that is judged.
static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)(?:^|[^\w\s*_`-][\s*_`]*|\n[\s*_`#>-]*|^[\s*_`#>-]+|\b(?:the|my|a|an|this|its|and|so|final|overall|new|revised|updated|adjusted|total)[\s*_]+)$",
    )
});

/// What stands between a label and its value, brackets and quotation marks around the value included.
static JOINT: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?ix)^
        (?: [\s*_`"]+ (?:score|rating|grade) \b )?
        [\s*_`"']*
        (?: \([^()\n]{0,60}\) [\s*_`"']* )?
        (?: (?:on|from|out\ of) \s [^:\n]{0,60} : | (?P<sign> : | \uff1a | => | -> | = | \u2192 | \| )
          | (?P<weak> [-\u2013\u2014] \s | (?:is|was|of|would\s+be|should\s+be) \b :? ) )?
        (?P<gap> [\s*_`"'\u201c]* [\[({<$]{0,2} [\s*_`"'\u201c]* )"#,
    )
});

/// Marks in which a score is put.
static MARK: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)(?:\[\[|\\boxed\s?\{(?:\\text\s?\{)?|<(?:final[_ -]?)?(?:score|rating|answer|grade)>)[\s*_]{0,8}",
    )
});

/// How much behind a label is looked at, in bytes.
const REACH: usize = 240;

/// How much before one.
const LOOK_BACK: usize = 32;

/// How a text is read.
#[derive(Clone, Copy)]
pub(super) struct Reading<'r> {
    /// The reply up to the end of the visible part.
    pub(super) text: &'r str,
    /// Where the part starts.
    pub(super) from: usize,
    pub(super) numerals: Numerals,
    pub(super) scale: &'r Scale,
}

impl<'r> Reading<'r> {
    /// The visible part.
    pub(super) fn part(&self) -> &'r str {
        &self.text[self.from..]
    }
}

/// Appends the values behind the names of metrics.
pub(super) fn of_metrics(reading: Reading<'_>, metrics: &Metrics, places: &mut Vec<Place>) {
    let part = reading.part();
    for (metric, name) in metrics.mentions(part) {
        let tag = part[..name.start].ends_with('<') && part[name.end..].starts_with('>');
        if tag {
            let start = name.end + 1;
            let inside = part[start..].trim_start_matches(is_filler);
            let at = reading.from + part.len() - inside.len();
            let found = closed(inside, reading).map(|found| found.shifted(at));
            places.extend(found.map(|found| Place {
                metric,
                strength: Strength::Marked,
                start: reading.from + name.start,
                found,
            }));
            continue;
        }
        let label = label::around(part, name.start, name.end);
        let strength = match label.strength {
            label::Strength::Final => Strength::FinalMetric,
            label::Strength::Score | label::Strength::Bare => Strength::Metric,
        };
        let start = reading.from + label.start;
        let follow = match label.strength {
            label::Strength::Bare => Follow::Phrase,
            _ => Follow::Sentence,
        };
        let found = behind(
            reading,
            reading.from + label.start..reading.from + label.end,
            follow,
        );
        places.extend(found.map(|found| Place {
            metric,
            strength,
            found,
            start,
        }));
    }
}

/// Appends the values behind labels that name no metric, and those in marks.
pub(super) fn of_nobody(reading: Reading<'_>, places: &mut Vec<Place>) {
    let part = reading.part();
    for mark in MARK.find_iter(part) {
        let at = reading.from + mark.end();
        let found = closed(&part[mark.end()..], reading).map(|found| found.shifted(at));
        places.extend(found.map(|found| Place {
            metric: 0,
            strength: Strength::Marked,
            start: reading.from + mark.start(),
            found,
        }));
    }
    let counted = part.find(|c: char| c.is_ascii_digit());
    for label in LABEL.captures_iter(part) {
        let Some(whole) = label.get(0) else { continue };
        if !BEFORE.is_match(tail(&part[..whole.start()])) {
            continue;
        }
        // The total of what was counted is no score.
        let total = label.name("total").is_some();
        if total && (counted.is_some_and(|at| at < whole.start()) || !signed(&part[whole.end()..]))
        {
            continue;
        }
        let strength = match label.name("final").or_else(|| label.name("last")) {
            Some(_) => Strength::Final,
            None => Strength::Label,
        };
        let label = reading.from + whole.start()..reading.from + whole.end();
        let found = behind(reading, label, Follow::Sentence);
        places.extend(found.map(|found| Place {
            metric: 0,
            strength,
            start: reading.from + whole.start(),
            found,
        }));
    }
}

/// The value behind a label.
fn behind(reading: Reading<'_>, label: Range<usize>, follow: Follow) -> Option<Found> {
    let end = label.end;
    let rest = &reading.text[end..];
    // The cheap look for a digit spares most mentions in prose the search.
    let digits = reading.numerals == Numerals::Digits;
    if digits && !head(rest).bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let joint = JOINT.captures(head(rest))?;
    let whole = joint.get(0)?;
    let gap = joint.name("gap")?.as_str();
    let joined = joint.name("sign").is_some();
    let weak = joint.name("weak").is_some();
    let colon = head(rest)[..whole.end() - gap.len()].ends_with(':');
    let follow = match (joined || colon, weak) {
        (true, _) => follow,
        (false, true) => Follow::Phrase,
        (false, false) => Follow::Sign,
    };
    // Without a joint the number must stand right behind the label.
    if follow == Follow::Sign && (whole.is_empty() || whole.as_str().contains('\n')) {
        return None;
    }
    let text = &rest[whole.end()..];
    let found = value(
        text,
        gap.contains('\n'),
        reading.numerals,
        follow,
        reading.scale,
    )?;
    let after = head(&text[found.span.end..]);
    // `<4>` is put in brackets, `<4` is less.
    let closed = after.trim_start_matches(is_filler).starts_with('>');
    if (gap.contains('<') && !closed) || begins_scale(after) {
        return None;
    }
    // `It does not deserve a score of 4.`
    if weak && hedged(&reading.text[reading.from..label.start]) {
        return None;
    }
    Some(found.shifted(end + whole.end()))
}

/// Whether a sign joins a label to what follows.
fn signed(rest: &str) -> bool {
    rest.trim_start_matches(is_filler)
        .starts_with([':', '\u{ff1a}', '='])
}

/// The value in a mark, if the mark is closed behind it.
fn closed(inside: &str, reading: Reading<'_>) -> Option<Found> {
    let found = value(inside, false, reading.numerals, Follow::Sign, reading.scale)?;
    let behind = number::head(&inside[found.span.end..]).trim_start_matches(is_filler);
    behind.starts_with([']', '}', '<']).then_some(found)
}

/// As much of a text as a joint can fill.
fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(REACH)]
}

/// The end of a text, or of its last line if that is shorter.
fn tail(text: &str) -> &str {
    let start = text.len().saturating_sub(LOOK_BACK);
    &text[text.ceil_char_boundary(start)..]
}
