//! What stands around a verdict: whether its number may count, by the words above, beside and behind it.
//!
//! Every number that a parser would give passes here. Must not look for verdicts.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::Finals;
use super::agree::{Asked, Verdict};
use super::owner;
use super::place::Strength;
use super::value::{
    Around, Found, How, Standing, Value, begins_sentence, goes_on, is_example, is_given_anew,
    is_within_sentence, standing, standing_in_table, states_near, takes_back,
};

/// How much of the beginning of an answer is looked at for the scale, in bytes.
const HEAD: usize = 300;

/// How much before a verdict is looked at for the scale, in bytes.
const BEFORE: usize = 400;

/// How much behind a verdict is looked at, in bytes; of what is longer its end.
const BEHIND: usize = 4000;

/// Words behind a verdict that make it somebody else's.
static IMAGINED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix) (?:the\ above|(?:the|these|those)\ (?:scores?|ratings?|marks?|verdicts?|numbers?)(?:\ above)?|this|that)\ (?:is|are)\ (?:what|how)\ (?:an?|the|some|most)\ [a-z\ ]{0,30}\b(?:would|might|could)\b
        | \ban?\ (?:[a-z]+\ )?(?:grader|judge|rater|reviewer|annotator|evaluator)\ (?:would|might)\ [^.\n]{1,40}[;,.]\ *i\ would(?:\ too|\ as\ well)\b",
    )
    .expect("the pattern is a constant")
});

/// The longest line that is a number alone, in bytes.
const SHORT: usize = 8;

/// A verdict and its reply.
pub(super) struct Surroundings<'a> {
    asked: &'a Asked<'a>,
    strength: Strength,
    /// From where the verdict is introduced to where nothing of it follows; with its object, if it stands in one.
    span: Range<usize>,
    /// Whether it stands in an object.
    object: bool,
    /// The part of the answer in which it stands.
    part: Range<usize>,
}

impl<'a> Surroundings<'a> {
    pub(super) fn of(asked: &'a Asked<'a>, verdict: &Verdict) -> Self {
        let object = asked.object_at(verdict.span.start);
        let span = object.clone().unwrap_or_else(|| verdict.span.clone());
        let mut parts = asked.answer.parts.iter();
        let part = parts.find(|part| part.start <= span.start && span.start < part.end);
        Self {
            asked,
            strength: verdict.strength,
            part: part.cloned().unwrap_or_else(|| span.clone()),
            object: object.is_some(),
            span,
        }
    }

    /// The value, unclear if something around it may change it.
    pub(super) fn judge(&self, found: Found, other_scale: bool) -> Found {
        let found = if other_scale {
            found.on_another_scale()
        } else {
            found
        };
        let Some(value) = found.value() else {
            return found;
        };
        if self.is_introduced(&found)
            && !self.is_anothers()
            && !self.is_shown()
            && !self.is_one_of_several(&found)
            && !self.runs_on(value)
            && !self.is_taken_back(value)
            && !self.is_money(&found)
            && !self.may_be_negative(&found)
            && self.agrees(&found)
        {
            found
        } else {
            Found::unclear(found.span)
        }
    }

    /// Whether a sign of money stands beside a number: `$4`, `4 €`; `$4$` is mathematics.
    fn is_money(&self, found: &Found) -> bool {
        const SIGNS: [char; 4] = ['$', '\u{20ac}', '\u{a3}', '\u{a5}'];
        if !matches!(found.value, Value::Number { .. }) {
            return false;
        }
        let reply = self.asked.reply;
        let (start, end) = (found.span.start, found.span.end.max(found.span.start));
        let before = reply.get(..start).unwrap_or_default().ends_with(SIGNS);
        let behind = reply.get(end..).unwrap_or_default();
        let behind = behind.trim_start_matches(' ').starts_with(SIGNS);
        before != behind
    }

    /// Whether a number of a scale with marks below 0 stands behind a dash, which may be its sign: `Score - 2`.
    fn may_be_negative(&self, found: &Found) -> bool {
        let positive = found.value().is_some_and(|value| value > 0.0);
        if !positive || self.asked.scale.min >= 0.0 || !self.asked.scale.labels.is_empty() {
            return false;
        }
        let before = self.asked.reply.get(..found.span.start).unwrap_or_default();
        let before = before.trim_end_matches([' ', '*', '_', '`']);
        before.ends_with(['-', '\u{2013}', '\u{2014}', '\u{2212}'])
    }

    /// Whether nothing around a verdict in words makes a doubt of it.
    fn agrees(&self, found: &Found) -> bool {
        let Value::Label { label, .. } = found.value else {
            return true;
        };
        let from = self.part.start.min(found.span.start);
        let shift = |span: &Range<usize>| span.start.saturating_sub(from)..span.end - from;
        let around = Around {
            text: &self.asked.reply[from..self.part.end.max(found.span.end)],
            span: shift(&found.span),
            label,
            scale: self.asked.scale,
            bare: self.strength == Strength::Bare,
            object: self.object.then(|| shift(&self.span)),
            several: self.asked.metrics.len() > 1,
        };
        around.agrees()
    }

    /// Whether the words around a verdict make an example or a quotation of it.
    fn is_shown(&self) -> bool {
        let reply = self.asked.reply;
        let before = &reply[self.part.start..self.span.start.max(self.part.start)];
        !self.object && (is_example(before) || is_within_sentence(self.behind()))
    }

    /// Whether a number without a label stands alone on its line as others do, each the heading of a block.
    fn is_one_of_several(&self, found: &Found) -> bool {
        let (Value::Number { value, .. }, Strength::Bare) = (&found.value, self.strength) else {
            return false;
        };
        let reply = self.asked.reply;
        let start = reply[self.part.start..found.span.start.max(self.part.start)]
            .rfind('\n')
            .map_or(self.part.start, |at| self.part.start + at + 1);
        let own = reply[start..].lines().next().unwrap_or_default();
        let is_alone = |line: &str| {
            let line = line.trim_matches(|c: char| c.is_whitespace() || "*_`#.:!".contains(c));
            let line = line
                .trim_end_matches("points")
                .trim_end_matches("stars")
                .trim_end();
            let line = line.split('/').next().unwrap_or_default();
            line.parse::<f64>().ok().filter(|_| line.len() <= SHORT)
        };
        let other = |line: &str| is_alone(line).is_some_and(|other| other.total_cmp(value).is_ne());
        is_alone(own).is_some() && reply[self.part.clone()].lines().any(other)
    }

    /// Whether words around a verdict say whose its number is, or that it is no score.
    fn is_anothers(&self) -> bool {
        if self.object {
            return false;
        }
        if owner::is_qualified(self.behind(), self.asked.metrics) {
            return true;
        }
        let named = matches!(self.strength, Strength::FinalMetric | Strength::Metric);
        let reply = self.asked.reply;
        let label = reply.get(self.span.clone()).unwrap_or_default();
        let metrics = self.asked.metrics;
        if named || metrics.mentions(label).next().is_some() {
            return false;
        }
        let text = &reply[self.part.start..self.part.end.max(self.span.end)];
        let place = (
            self.span.start - self.part.start,
            self.span.end - self.part.start,
        );
        let firm = matches!(self.strength, Strength::Marked | Strength::Final);
        owner::is_anothers(text, place, firm, metrics)
    }

    /// Whether another number stands alone before a verdict, apart from all else: then what follows is the next task,
    /// which a base model makes up.
    fn runs_on(&self, value: f64) -> bool {
        let reply = self.asked.reply;
        let end = self.span.start.min(self.part.start + HEAD);
        let end = reply.floor_char_boundary(end.max(self.part.start));
        let before = &reply[self.part.start..end];
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', before.as_bytes()) {
            let line = &before[start..end];
            if (1..SHORT).contains(&line.len()) && is_other_number(line, value) {
                let above = before[..start].trim_end();
                let led = above.is_empty() || above.ends_with(['.', '!']);
                let behind = self.part.start + end + 1;
                let rest = reply[behind..].trim_start_matches('\r');
                let parted = rest.starts_with(['\n', '#']);
                let apart = before[above.len()..start].matches('\n').count() > 1;
                if led && parted && (above.is_empty() || apart) {
                    return true;
                }
            }
            start = end + 1;
        }
        false
    }

    /// Whether the words before a verdict are known to lead up to it.
    fn is_introduced(&self, found: &Found) -> bool {
        let reply = self.asked.reply;
        let text = &reply[self.part.start..self.part.end.max(self.span.start)];
        let at = self.span.start - self.part.start;
        let own = match self.strength {
            // Their labels were looked at where they were found.
            Strength::FinalMetric | Strength::Metric | Strength::Final | Strength::Label
                if !self.object =>
            {
                true
            }
            Strength::Bare => {
                let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
                standing(text, line, self.asked.metrics) == Standing::Own
            }
            _ => standing(text, at, self.asked.metrics) == Standing::Own,
        };
        own && (self.object
            || standing_in_table(text, at.max(self.value_at(found)), self.asked.metrics)
                == Standing::Own)
    }

    /// Where the value stands in the part, as far as the end of the verdict tells.
    fn value_at(&self, found: &Found) -> usize {
        if matches!(found.value, Value::Label { .. }) {
            return found.span.start.saturating_sub(self.part.start);
        }
        let end = self
            .span
            .end
            .min(self.part.end)
            .saturating_sub(self.part.start);
        let text = &self.asked.reply[self.part.start..self.part.end];
        let end = text.floor_char_boundary(end);
        text[..end]
            .trim_end_matches(|c: char| c.is_ascii_digit() || "./,* ".contains(c))
            .len()
    }

    /// What stands behind a verdict up to the end of its part, and at most so much.
    fn behind(&self) -> &'a str {
        let reply = self.asked.reply;
        let from = self.span.end.min(self.part.end);
        let to = reply.floor_char_boundary(self.part.end.min(from + BEHIND));
        reply.get(from..to).unwrap_or_default()
    }

    fn is_taken_back(&self, value: f64) -> bool {
        let scale = self.asked.scale;
        let behind = self.behind();
        let marked = self.strength == Strength::Marked || self.object;
        if marked {
            let closed = behind.trim_start_matches(|c: char| "]}>)*_`\"".contains(c));
            let closed = match closed.strip_prefix('<') {
                Some(tag) => tag.split_once('>').map_or(closed, |(_, rest)| rest),
                None => closed,
            };
            // The rest of an object that is cut, the next tag, the next object of a list.
            let next = closed.trim_start_matches([',', ' ']);
            let cut = self.object && !self.asked.reply[..self.span.end].ends_with('}');
            let parted = cut
                || closed.trim_start().starts_with('<')
                || (self.object && begins_sentence(closed))
                || (self.object && next.starts_with('{'));
            let line = closed.split('\n').next().unwrap_or_default();
            if !parted && !line.trim().is_empty() && goes_on(line, 0, value, How::plain(scale)) {
                return true;
            }
        }
        // With `finals = "first"` a score that follows takes the place of none.
        let first = self.asked.finals == Finals::First;
        let alone = self.asked.metrics.len() == 1;
        if IMAGINED.is_match(behind) {
            return true;
        }
        if takes_back(behind, value, scale)
            || (!first && is_given_anew(behind, value, scale, alone))
        {
            return true;
        }
        // What follows the last part of a long answer may do so as well.
        let reply = self.asked.reply;
        let last = reply.ceil_char_boundary(self.part.end.saturating_sub(BEHIND / 4));
        let end = &reply[last..self.part.end.max(last)];
        // Half a line says nothing for sure.
        let lines = end.split_once('\n').map_or("", |(_, lines)| lines);
        last > self.span.end + BEHIND && takes_back(lines, value, scale)
    }
}

/// Whether a line is a number and not this one.
fn is_other_number(line: &str, value: f64) -> bool {
    let number = line.split('/').next().unwrap_or_default().trim();
    let number: Option<f64> = number.parse().ok();
    number.is_some_and(|number| number.total_cmp(&value).is_ne())
}

/// Whether another scale is stated at the beginning of the answer or near the verdicts.
pub(super) fn on_another_scale<'v>(
    asked: &Asked<'_>,
    verdicts: impl Iterator<Item = &'v Verdict>,
) -> bool {
    let spans: Vec<Range<usize>> = verdicts
        .map(|verdict| {
            asked
                .object_at(verdict.span.start)
                .unwrap_or_else(|| verdict.span.clone())
        })
        .collect();
    let (Some(start), Some(end)) = (
        spans.iter().map(|span| span.start).min(),
        spans.iter().map(|span| span.end).max(),
    ) else {
        return false;
    };
    let reply = asked.reply;
    let start = start.saturating_sub(BEFORE);
    asked.answer.parts.iter().any(|part| {
        let near = |from: usize, to: usize| {
            let from = reply.ceil_char_boundary(from.max(part.start));
            let to = reply.floor_char_boundary(to.min(part.end));
            from < to && states_near(&reply[from..to], asked.scale)
        };
        near(part.start, (part.start + HEAD).min(start)) || near(start, end + BEHIND)
    })
}
