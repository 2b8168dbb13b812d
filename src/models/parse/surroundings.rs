//! What stands around a verdict: whether its number may count, by the words above, beside and behind it.
//!
//! Every number that a parser would give passes here. Must not look for verdicts.

use std::ops::Range;

use super::agree::{Asked, Verdict};
use super::owner;
use super::place::Strength;
use super::value::{
    Found, How, Standing, Value, begins_sentence, goes_on, standing, standing_in_table,
    states_near, takes_back,
};

/// How much of the beginning of an answer is looked at for the scale, in bytes.
const HEAD: usize = 300;

/// How much before a verdict is looked at for the scale, in bytes.
const BEFORE: usize = 400;

/// How much behind a verdict is looked at, in bytes; of what is longer its end.
const BEHIND: usize = 4000;

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
        let Value::Number { value, .. } = found.value else {
            return found;
        };
        if self.is_introduced()
            && !self.is_anothers()
            && !self.runs_on(value)
            && !self.is_taken_back(value)
        {
            found
        } else {
            Found::unclear(found.span)
        }
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
                let parted = reply[behind..].starts_with(['\n', '#']);
                if led && parted && (above.is_empty() || before[..start].ends_with("\n\n")) {
                    return true;
                }
            }
            start = end + 1;
        }
        false
    }

    /// Whether the words before a verdict are known to lead up to it.
    fn is_introduced(&self) -> bool {
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
            || standing_in_table(text, at.max(self.value_at()), self.asked.metrics)
                == Standing::Own)
    }

    /// Where the value stands in the part, as far as the end of the verdict tells.
    fn value_at(&self) -> usize {
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
        if takes_back(behind, value, scale) {
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
