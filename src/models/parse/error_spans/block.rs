//! The walk through the lines of an answer that finds blocks of errors, and what else is about no verdict.
//!
//! Must not read verdicts.

use std::ops::Range;

use super::line::{Line, Part, says_no_error};
use super::severity;
use crate::models::parse::metrics::Metrics;
use crate::models::parse::{ErrorSpan, Severity};

/// How much behind a sign is looked at for the next part, in bytes.
const NEAR: usize = 100;

/// What stands in blocks, and around them.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// The errors, in their order.
    pub(super) spans: Vec<ErrorSpan>,
    /// Whether the reply says that there are none.
    pub(super) none: bool,
    /// Where something stands that is about no verdict, in ascending order.
    pub(super) masked: Vec<Range<usize>>,
    /// Why the verdicts are what they are: the line of the verdict before, and where the reasons stand.
    pub(super) reasons: Vec<(Option<Range<usize>>, Range<usize>)>,
}

/// A block that is being read.
#[derive(Debug, Default)]
pub(in crate::models::parse) struct Block {
    /// Where it stands.
    pub(in crate::models::parse) place: Range<usize>,
    pub(in crate::models::parse) location: Option<String>,
    pub(in crate::models::parse) explanation: String,
    pub(in crate::models::parse) severity: Option<String>,
    pub(in crate::models::parse) category: Option<String>,
}

/// In what the walk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    /// In nothing that is known.
    Nothing,
    /// In a part of a block, or in a block without one yet.
    Block(Option<Part>),
    /// In the reason of a verdict.
    Reason,
}

/// The state of the walk.
struct Walk<'r> {
    reply: &'r str,
    found: Blocks,
    block: Option<Block>,
    within: Within,
    /// Whether a blank line stands before this one.
    blank: bool,
    /// The line of the verdict that was met last.
    verdict: Option<Range<usize>>,
    /// Whether a verdict was met since the errors were numbered from 1.
    judged: bool,
}

impl Blocks {
    /// Walks through the parts of an answer.
    pub(super) fn of(reply: &str, parts: &[Range<usize>], metrics: &Metrics) -> Self {
        let mut walk = Walk {
            reply,
            found: Self::default(),
            block: None,
            within: Within::Nothing,
            blank: false,
            verdict: None,
            judged: false,
        };
        for part in parts {
            let lines = lines(reply, part);
            let read: Vec<Line> = lines
                .iter()
                .map(|line| Line::read(&reply[line.clone()], metrics))
                .collect();
            let mut located = false;
            // Whether a location follows the line, but for blank ones.
            let mut locates = vec![false; read.len()];
            for (at, line) in read.iter().enumerate().rev() {
                locates[at] = located;
                if *line != Line::Blank {
                    located = matches!(line, Line::Part(Part::Location, _));
                }
            }
            for ((line, place), located) in read.into_iter().zip(lines).zip(locates) {
                walk.line(line, place, located, metrics);
            }
        }
        walk.end();
        walk.found
    }
}

impl Walk<'_> {
    fn line(&mut self, line: Line, place: Range<usize>, located: bool, metrics: &Metrics) {
        let blank = std::mem::replace(&mut self.blank, line == Line::Blank);
        match line {
            Line::Blank => {}
            Line::Fence => self.mask(place),
            Line::Head(number, value) if self.within != Within::Reason || located => {
                self.begin(number, &place);
                self.rest(place.start + value..place.end, metrics);
            }
            Line::Part(part, value) if self.opens(part) => {
                self.part(part, place.start + value..place.end, &place, metrics);
            }
            Line::Part(Part::Explanation, value) | Line::Reason(value) => {
                self.end();
                self.within = Within::Reason;
                let reason = place.start + value..place.end;
                self.found.reasons.push((self.verdict.clone(), reason));
                self.mask(place);
            }
            Line::Verdict => {
                self.end();
                self.within = Within::Nothing;
                self.verdict = Some(place);
                self.judged = true;
            }
            Line::NoError if self.block.as_ref().is_none_or(Block::is_empty) => {
                self.found.none = true;
                // In bold it would pass for a heading.
                self.mask(place);
            }
            Line::Head(..) | Line::Part(..) | Line::NoError | Line::Text => self.text(place, blank),
        }
    }

    /// Whether a part belongs to a block rather than to a verdict.
    fn opens(&self, part: Part) -> bool {
        match (self.within, &self.block) {
            (Within::Block(_), Some(block)) => {
                part != Part::Explanation
                    || block.explanation.is_empty()
                    || block.severity.is_none()
            }
            _ => part == Part::Location,
        }
    }

    /// A block begins.
    fn begin(&mut self, number: Option<u32>, place: &Range<usize>) {
        self.end();
        if number == Some(1) && std::mem::take(&mut self.judged) {
            // The form is written anew.
            self.found.spans.clear();
        }
        self.block = Some(Block {
            place: place.clone(),
            ..Block::default()
        });
        self.within = Within::Block(None);
        self.mask(place.clone());
    }

    /// What stands behind the head of a block on its line.
    fn rest(&mut self, place: Range<usize>, metrics: &Metrics) {
        let text = &self.reply[place.clone()];
        match Line::read(text, metrics) {
            Line::Part(part, value) => {
                self.part(part, place.start + value..place.end, &place, metrics);
            }
            Line::Blank | Line::Fence | Line::NoError => {}
            _ if says_no_error(text) => {}
            _ => {
                let quoted = text.trim_start().starts_with(is_quotation);
                let part = if quoted {
                    Part::Location
                } else {
                    Part::Explanation
                };
                self.part(part, place.clone(), &place, metrics);
            }
        }
    }

    /// A part of a block, with others behind it on its line.
    fn part(
        &mut self,
        mut part: Part,
        value: Range<usize>,
        line: &Range<usize>,
        metrics: &Metrics,
    ) {
        let key = &self.reply[line.start..value.start];
        let aside = key.contains('(');
        let mut from = value.start;
        for (at, _) in self.reply[value.clone()].match_indices([';', '|']) {
            let sign = value.start + at;
            if sign < from {
                continue;
            }
            let near = self
                .reply
                .floor_char_boundary((sign + 1 + NEAR).min(value.end));
            let near = &self.reply[sign + 1..near];
            if let Line::Part(next, start) = Line::read(near, metrics) {
                self.add(part, from..sign, line, aside);
                (part, from) = (next, sign + 1 + start);
            }
        }
        self.add(part, from..value.end, line, aside);
    }

    fn add(&mut self, part: Part, text: Range<usize>, line: &Range<usize>, aside: bool) {
        let another = |block: &Block| {
            let more = block.severity.is_some() || !block.explanation.is_empty();
            block.location.is_some() && more
        };
        let again = part == Part::Location && !aside && self.block.as_ref().is_some_and(another);
        if self.block.is_none() || again {
            self.begin(None, line);
        }
        self.mask(line.clone());
        let Some(block) = &mut self.block else { return };
        block.place.end = line.end;
        let text = self.reply[text].trim_end_matches(['|', ' ']);
        match part {
            Part::Location if block.location.is_none() => block.location = Some(text.to_owned()),
            Part::Severity if block.severity.is_none() => block.severity = Some(text.to_owned()),
            Part::Category if block.category.is_none() => block.category = Some(text.to_owned()),
            Part::Explanation => block.explain(text),
            Part::Location | Part::Severity | Part::Category => {}
        }
        self.within = Within::Block(Some(part));
    }

    /// A line that says nothing of itself.
    fn text(&mut self, place: Range<usize>, blank: bool) {
        match self.within {
            Within::Nothing => {}
            Within::Reason => {
                if let Some((_, reason)) = self.found.reasons.last_mut() {
                    reason.end = place.end;
                }
                self.mask(place);
            }
            Within::Block(part) => {
                let done = matches!(part, Some(Part::Severity | Part::Category));
                if blank && done {
                    self.end();
                    self.within = Within::Nothing;
                    return;
                }
                let text = self.reply[place.clone()].trim();
                if let Some(block) = &mut self.block {
                    block.place.end = place.end;
                    match (part, &mut block.location) {
                        (Some(Part::Location), Some(location)) if !blank => {
                            location.push(' ');
                            location.push_str(text);
                        }
                        (Some(Part::Severity | Part::Category), _) => {}
                        (None, _) if is_none(text) => {}
                        _ => block.explain(text),
                    }
                }
                self.mask(place);
            }
        }
    }

    /// The block ends.
    fn end(&mut self) {
        let Some(block) = self.block.take() else {
            return;
        };
        if block.is_void() {
            self.found.none = true;
        } else if block.severity.is_some() || !block.says_nothing() {
            self.found.spans.push(block.span());
        }
    }

    fn mask(&mut self, place: Range<usize>) {
        match self.found.masked.last_mut() {
            Some(last) if place.start < last.end => last.end = last.end.max(place.end),
            _ => self.found.masked.push(place),
        }
    }
}

impl Block {
    fn is_empty(&self) -> bool {
        self.location.is_none() && self.explanation.is_empty() && self.severity.is_none()
    }

    fn explain(&mut self, text: &str) {
        if !self.explanation.is_empty() {
            self.explanation.push(' ');
        }
        self.explanation.push_str(text);
    }

    /// Whether its place and its explanation say that there is no error. With a severity, even `N/A`, it counts as one: so
    /// do those who count lines of severities.
    fn is_void(&self) -> bool {
        let nothing = |text: &String| is_none(text);
        let explanation = self.explanation.to_ascii_lowercase();
        let no_error = ["no error", "no issue", "no mistake", "no problem"];
        self.location.as_ref().is_some_and(nothing)
            && self.severity.is_none()
            && (is_none(&explanation) || no_error.iter().any(|words| explanation.contains(words)))
    }

    /// Whether it names no error.
    fn says_nothing(&self) -> bool {
        match &self.location {
            Some(location) => is_none(location),
            None => is_none(&self.explanation),
        }
    }

    /// The error as it is handed out.
    pub(in crate::models::parse) fn span(self) -> ErrorSpan {
        let text = |text: &str| {
            let text = plain(text);
            (!text.is_empty()).then_some(text)
        };
        ErrorSpan {
            location: self
                .location
                .as_deref()
                .and_then(text)
                .map(|text| unquoted(&text).to_owned()),
            explanation: text(&self.explanation),
            severity: self
                .severity
                .as_deref()
                .map_or(Severity::None, severity::read),
            category: self.category.as_deref().and_then(text),
            span: self.place,
        }
    }
}

fn is_quotation(c: char) -> bool {
    "\"'`\u{201c}\u{2018}\u{201e}\u{ab}".contains(c)
}

/// Whether a text says that there is nothing: blank, `None`, `N/A`, `None of the others`.
fn is_none(text: &str) -> bool {
    let text = text.trim_matches(|c: char| c.is_whitespace() || "*_`.()[]".contains(c));
    let first = text
        .split(|c: char| !c.is_alphanumeric() && c != '/')
        .next()
        .unwrap_or_default();
    text.is_empty()
        || ["none", "n/a", "nothing"]
            .iter()
            .any(|none| first.eq_ignore_ascii_case(none))
        || says_no_error(text)
}

/// A text with single blanks and without marks of bold.
fn plain(text: &str) -> String {
    let text = text.replace("**", "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A quotation without its marks, and what stands between the first two where a remark in brackets follows.
fn unquoted(text: &str) -> &str {
    let Some(open) = text.chars().next().filter(|c| is_quotation(*c)) else {
        return text;
    };
    let closing = match open {
        '\u{201c}' => ['\u{201d}', '"'],
        '\u{2018}' => ['\u{2019}', '\''],
        '\u{201e}' => ['\u{201c}', '\u{201d}'],
        '\u{ab}' => ['\u{bb}', '\u{bb}'],
        other => [other, '\u{201d}'],
    };
    let inside = &text[open.len_utf8()..];
    let whole = inside.trim_end_matches(['.', ',']);
    if let Some(words) = whole.strip_suffix(closing) {
        return words.trim();
    }
    // `"has been shot" (implied)`
    let remark = closing.iter().find_map(|close| {
        let at = inside.find(&format!("{close} ("))?;
        inside.ends_with(')').then(|| inside[..at].trim())
    });
    remark.unwrap_or(text)
}

/// The lines of a part, without their breaks.
fn lines(reply: &str, part: &Range<usize>) -> Vec<Range<usize>> {
    let mut start = part.start;
    let mut lines = Vec::new();
    for line in reply[part.clone()].split_inclusive('\n') {
        let text = line.trim_end_matches(['\n', '\r']);
        lines.push(start..start + text.len());
        start += line.len();
    }
    lines
}
