//! Lines of a form and the marks that lead them.
//!
//! A form is sometimes written on a single line (`1) Fluency Issues: … 2) FINAL …`), so a line
//! here also begins where a numbered form entry begins. Must not read labels or texts.

use std::ops::Range;

use super::heading;
use super::hit::Hit;
use super::label::{self, Strength};
use crate::models::parse::trim::trim_start;

/// How many bytes before a label are searched for its numbering.
const LOOK_BACK: usize = 16;

/// The marks before the first word of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Lead {
    /// `#` marks: a heading.
    pub(super) heading: bool,
    /// A bullet or a list number.
    pub(super) bullet: bool,
    /// Whether the line starts with a blank.
    pub(super) indented: bool,
    /// Where the marks end.
    pub(super) end: usize,
}

/// Reads the marks at the start of a line.
pub(super) fn lead(line: &str) -> Lead {
    let mut lead = Lead {
        indented: line.starts_with([' ', '\t']),
        ..Lead::default()
    };
    loop {
        let rest = trim_start(&line[lead.end..], char::is_whitespace);
        lead.end = line.len() - rest.len();
        // So most lines begin.
        let first = rest.as_bytes().first();
        if first.is_none_or(|b| b.is_ascii_alphabetic() || b"[\"".contains(b)) {
            return lead;
        }
        let mut signs = rest.chars();
        let (first, behind) = (signs.next(), signs.next());
        let apart = behind.is_none_or(char::is_whitespace);
        lead.end += match first {
            Some('#') => {
                lead.heading = true;
                rest.bytes().take_while(|b| *b == b'#').count()
            }
            Some('-') if behind == Some('>') => 2,
            Some('0'..='9') => match list_number(rest) {
                Some(length) => {
                    lead.bullet = true;
                    length
                }
                None => return lead,
            },
            Some(c @ ('-' | '+' | '•' | '–' | '—' | '‣' | '●'))
                if apart || matches!(behind, Some('[' | '*')) =>
            {
                lead.bullet = true;
                c.len_utf8()
            }
            Some('*') if apart => {
                lead.bullet = true;
                1
            }
            _ => return lead,
        };
    }
}

/// The length of a list number (`3)`, `3.`) at the start of a text.
fn list_number(text: &str) -> Option<usize> {
    let digits = text.bytes().take(4).take_while(u8::is_ascii_digit).count();
    if !(1..=3).contains(&digits) || !text[digits..].starts_with(['.', ')']) {
        return None;
    }
    let next = text[digits + 1..].chars().next();
    (!next.is_some_and(|c| c.is_ascii_digit())).then_some(digits + 1)
}

/// The lines of one visible part, as ranges of the reply without line ends.
pub(super) fn lines(
    reply: &str,
    part: &Range<usize>,
    hits: &[Hit],
) -> impl Iterator<Item = Range<usize>> {
    let text = &reply[part.clone()];
    let breaks = hits.iter().filter_map(|hit| entry_start(reply, part, hit));
    let of_any = heading::entries(text).map(|at| part.start + at);
    let mut breaks: Vec<usize> = breaks.chain(of_any).collect();
    breaks.sort_unstable();
    let mut breaks = breaks.into_iter().peekable();
    let mut ends = memchr::memchr_iter(b'\n', text.as_bytes())
        .chain([text.len()])
        .map(move |end| part.start + end);
    let mut rest = ends.next().map(|end| part.start..end);
    std::iter::from_fn(move || {
        let line = rest.take()?;
        while breaks.next_if(|at| *at <= line.start).is_some() {}
        match breaks.next_if(|at| *at < line.end) {
            Some(at) => {
                rest = Some(at..line.end);
                Some(line.start..at)
            }
            None => {
                rest = ends.next().map(|end| line.end + 1..end);
                Some(line)
            }
        }
    })
}

/// Where the numbered form entry starts whose first words are this mention of a metric.
fn entry_start(reply: &str, part: &Range<usize>, hit: &Hit) -> Option<usize> {
    let start = hit.label.start;
    let floor = part.start.max(start.saturating_sub(LOOK_BACK));
    let before = &reply.as_bytes()[floor..start];
    let trimmed = before
        .iter()
        .rposition(|b| !b.is_ascii_whitespace() && *b != b'*')?;
    if !matches!(before[trimmed], b')' | b'.' | b':') {
        return None;
    }
    let digits = before[..trimmed]
        .iter()
        .rev()
        .take_while(|b| b.is_ascii_digit())
        .count();
    if !(1..=3).contains(&digits) {
        return None;
    }
    let number = trimmed - digits;
    // Bold that opens before the numbering belongs to the entry.
    let bold = before[..number].iter().rev().take_while(|b| **b == b'*');
    let start = floor + number - bold.count();
    // A line begins at the start of one anyway.
    let begins = start == part.start || reply.as_bytes()[start - 1] == b'\n';
    let entry = || {
        hit.strength() == Strength::Final || heading::tail(&reply[hit.name.end..part.end]).is_some()
    };
    (!begins && entry()).then_some(start)
}

/// Where the first word of a line stands behind marks of emphasis.
pub(super) fn first_word(line: &str, lead: Lead) -> usize {
    let rest = trim_start(&line[lead.end..], label::is_filler);
    line.len() - rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn led(line: &str) -> (&str, bool, bool) {
        let lead = lead(line);
        (&line[lead.end..], lead.bullet, lead.heading)
    }

    #[test]
    fn bullets_and_list_numbers_lead_a_line() {
        for line in ["- a", "* a", " • a", "1) a", "12. a", "- 1. a", "+ a"] {
            assert_eq!(led(line), ("a", true, false), "{line}");
        }
        assert_eq!(led("-[A]"), ("[A]", true, false));
        assert_eq!(led("-> 1) a"), ("a", true, false));
        assert_eq!(led("### a"), ("a", false, true));
    }

    #[test]
    fn words_numbers_and_bold_do_not() {
        for line in ["a", "3.5 a", "**a**", "*a*", "---", "-5 degrees", "1999. a"] {
            assert_eq!(led(line), (line, false, false), "{line}");
        }
    }
}
