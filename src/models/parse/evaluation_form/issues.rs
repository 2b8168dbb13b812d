//! The walk through a reply's lines that collects its issues.
//!
//! Keeps track of the heading a line stands under. What stands under the heading of a metric that is not
//! asked for (`Coherence Issues:`, where fluency is) is dropped; a heading of that shape within a list that
//! is written otherwise than the list's own (`1) Fluency Issues:` and `Grammar issues:`) parts the list. Repetitions are kept: a judge that writes the
//! same issue a hundred times has written a hundred. Must not judge whether an issue is right.

use std::ops::Range;

use super::bullet::{self, Writing};
use super::heading::{Heading, heading};
use super::hit::Hit;
use super::line;
use crate::models::parse::Issue;
use crate::models::parse::metrics::Metrics;
use crate::models::parse::trim::{trim, trim_end, trim_start};

/// Most replies have no more issues.
const USUAL: usize = 8;

/// Collects the issues of a reply.
pub(super) fn collect(
    reply: &str,
    parts: &[Range<usize>],
    hits: &[Hit],
    metrics: &Metrics,
) -> Vec<Issue> {
    let mut walk = Walk {
        reply,
        metrics,
        found: Vec::with_capacity(USUAL),
        section: None,
        last: Last::None,
        parent: None,
    };
    let mut rest = hits;
    for part in parts {
        let inside = rest.partition_point(|hit| hit.name.start < part.end);
        let (mut mentions, later) = rest.split_at(inside);
        rest = later;
        for line in line::lines(reply, part, mentions) {
            let in_line = mentions.partition_point(|hit| hit.name.start < line.end);
            walk.line(line, &mentions[..in_line]);
            mentions = &mentions[in_line..];
        }
    }
    walk.found
}

/// A list of issues that is open.
#[derive(Debug, Clone, Copy)]
struct Section<'r> {
    metric: Option<usize>,
    /// Whether it is of a metric that is not asked for: what stands here is dropped.
    foreign: bool,
    /// The marks before its heading.
    marks: Marks<'r>,
    /// Whether an entry has been read since the heading.
    begun: bool,
}

/// The marks before a heading: without digits, `1)` and `2)` are written alike.
type Marks<'r> = &'r str;

/// What the line before was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Nothing that the next line could continue.
    None,
    /// An entry with a text, of so many issues: an indented line continues it.
    Text(usize),
    /// An entry of so many issues with labels only: the next words are its text.
    Labels(usize),
}

/// The state of the walk.
struct Walk<'r> {
    reply: &'r str,
    metrics: &'r Metrics,
    found: Vec<Issue>,
    section: Option<Section<'r>>,
    last: Last,
    /// The labelled entry that was read last: how many issues it made, and its indentation.
    parent: Option<(usize, usize)>,
}

impl<'r> Walk<'r> {
    /// Reads one line; `mentions` are the metrics named in it.
    fn line(&mut self, line: Range<usize>, mentions: &[Hit]) {
        let text = trim_end(&self.reply[line.clone()], char::is_whitespace);
        let line = line.start..line.start + text.len();
        if text.is_empty() {
            if let Last::Text(_) = self.last {
                self.last = Last::None;
            }
            return;
        }
        let lead = line::lead(text);
        let word = line::first_word(text, lead);
        let first = text.as_bytes().get(word);
        if !first.is_some_and(u8::is_ascii_alphanumeric)
            && !text[word..].contains(char::is_alphanumeric)
        {
            return;
        }
        let head = heading(self.reply, line.clone(), lead, line.start + word, mentions);
        let marks = || {
            trim(&text[..lead.end], |c| {
                c.is_whitespace() || c.is_ascii_digit()
            })
        };
        match (head, self.section) {
            // Within issues of a metric that is not asked for, a heading without a metric names no other.
            (Some(Heading::Issues { metric: None, .. } | Heading::Other), Some(section))
                if section.foreign => {}
            // Unless written as the heading of the list, it parts the issues of one metric.
            (Some(Heading::Foreign), section)
                if section.is_none_or(|section| section.foreign || section.marks == marks()) =>
            {
                self.open(None, marks());
                self.section = self.section.map(|section| Section {
                    foreign: true,
                    ..section
                });
            }
            (Some(Heading::Issues { metric, inline }), _) => {
                self.open(metric, marks());
                self.entries(inline.min(line.end)..line.end, true);
            }
            (Some(Heading::Metric { metric, inline }), Some(_)) => {
                self.open(Some(metric), marks());
                self.entries(inline.min(line.end)..line.end, true);
            }
            (Some(Heading::Scores | Heading::Other), _) => {
                self.section = None;
                self.last = Last::None;
                self.parent = None;
            }
            (_, section) => {
                let body = line.start + lead.end..line.end;
                let labelled = bullet::is_labelled(&self.reply[body.clone()]);
                let indent = text.len() - trim_start(text, char::is_whitespace).len();
                if labelled || (lead.bullet && !self.remarks(&body, indent)) {
                    self.entries(body, section.is_some());
                    self.parent = self.parent.map(|(issues, _)| (issues, indent));
                } else if !lead.bullet && !self.continues(&body, lead.indented) {
                    self.prose(body);
                }
            }
        }
    }

    /// Opens a list of issues.
    fn open(&mut self, metric: Option<usize>, marks: Marks<'r>) {
        self.parent = None;
        self.section = Some(Section {
            metric,
            foreign: false,
            marks,
            begun: false,
        });
        self.last = Last::None;
    }

    /// Reads the entries on a line. Outside of a list of issues only labelled ones count.
    fn entries(&mut self, body: Range<usize>, listed: bool) {
        let writing = if listed {
            Writing::Any
        } else {
            Writing::Capitals
        };
        let line = &self.reply[body.clone()];
        for part in bullet::split(line) {
            let lead = line::lead(&line[part.clone()]);
            let start = body.start + part.start + lead.end;
            let end = body.start + part.end;
            let entry = bullet::entry(&self.reply[start..end], writing);
            if !entry.labels.is_empty() || (listed && !entry.text.is_empty()) {
                self.entry(start, entry);
            }
        }
    }

    /// Adds an entry that starts at `start` in the reply, one issue per label.
    fn entry(&mut self, start: usize, entry: bullet::Entry) {
        let shift = |range: Range<usize>| range.start + start..range.end + start;
        let text = &self.reply[shift(entry.text.clone())];
        if let Some(section) = &mut self.section {
            section.begun = true;
            if section.foreign {
                return;
            }
        }
        if entry.labels.is_empty() && self.fill(shift(entry.text.clone())) {
            return;
        }
        self.last = Last::None;
        self.parent = None;
        let named: Vec<_> = entry.labels.into_iter().map(shift).collect();
        let reply = self.reply;
        let label = |range: &Range<usize>| &reply[range.clone()];
        let scores = |label: &str| matches!(label, "SCORE" | "SCORES");
        if bullet::says_none(text)
            || named.iter().map(label).any(bullet::says_none)
            || named.iter().map(label).any(scores)
            || (named.is_empty() && bullet::is_score(text))
            || (named.is_empty() && !text.contains(char::is_alphanumeric))
        {
            return;
        }
        let metric = match self.section.and_then(|section| section.metric) {
            Some(metric) => Some(metric),
            None => named
                .iter()
                .map(label)
                .find_map(|label| self.metrics.position(label)),
        };
        let text = bullet::plain(text);
        let issues = named.len().max(1);
        self.last = if text.is_empty() {
            Last::Labels(issues)
        } else {
            Last::Text(issues)
        };
        self.parent = (!named.is_empty()).then_some((issues, 0));
        let span = shift(entry.span);
        let issue = |named: Option<&Range<usize>>, text| Issue {
            metric: metric.map(|metric| self.metrics.name(metric).to_owned()),
            label: named.map(|range| label(range).to_owned()),
            text,
            span: span.clone(),
        };
        let (last, others) = named
            .split_last()
            .map_or((None, &[][..]), |(last, others)| (Some(last), others));
        for other in others {
            self.found.push(issue(Some(other), text.clone()));
        }
        self.found.push(issue(last, text));
    }

    /// Gives a text to an entry that has labels only; says whether there was one.
    fn fill(&mut self, text: Range<usize>) -> bool {
        let Last::Labels(issues) = self.last else {
            return false;
        };
        let plain = bullet::plain(&self.reply[text.clone()]);
        let from = self.found.len() - issues;
        for issue in &mut self.found[from..] {
            issue.text.clone_from(&plain);
            issue.span.end = text.end;
        }
        self.last = Last::Text(issues);
        true
    }

    /// Takes a bullet below and to the right of a labelled entry as a remark on that entry.
    fn remarks(&mut self, body: &Range<usize>, indent: usize) -> bool {
        match (self.parent, self.last) {
            (_, Last::Labels(_)) => false,
            (Some((issues, outer)), _) if indent > outer => {
                self.append(issues, body);
                true
            }
            _ => false,
        }
    }

    /// Takes a line that is no entry as the continuation of the one before, if it is one.
    fn continues(&mut self, body: &Range<usize>, indented: bool) -> bool {
        match self.last {
            Last::Labels(_) => self.fill(body.clone()),
            Last::Text(issues) if indented => {
                self.append(issues, body);
                true
            }
            _ => false,
        }
    }

    /// Adds to the text of the last so many issues.
    fn append(&mut self, issues: usize, body: &Range<usize>) {
        let plain = bullet::plain(&self.reply[body.clone()]);
        let from = self.found.len() - issues;
        for issue in &mut self.found[from..] {
            issue.text.push(' ');
            issue.text.push_str(&plain);
            issue.span.end = body.end;
        }
    }

    /// A paragraph: right below a heading it is an issue, below entries it ends the list.
    fn prose(&mut self, body: Range<usize>) {
        self.last = Last::None;
        self.parent = None;
        match self.section {
            Some(section) if section.foreign => {}
            Some(section) if !section.begun => self.entries(body, true),
            _ => self.section = None,
        }
    }
}
