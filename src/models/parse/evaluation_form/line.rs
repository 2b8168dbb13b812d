//! Lines of a form and the marks that lead them.
//!
//! A form is sometimes written on a single line (`1) Fluency Issues: … 2) FINAL …`), so a line
//! here also begins where a numbered form entry begins. Must not read labels or texts.

use std::ops::Range;

use super::heading;
use super::hit::Hit;
use super::label::{self, Strength};

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
        let rest = line[lead.end..].trim_start();
        lead.end = line.len() - rest.len();
        // So most lines begin.
        if rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '[' | '"')) {
            return lead;
        }
        let after = |n: usize| rest[n..].chars().next();
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        if hashes > 0 {
            lead.heading = true;
            lead.end += hashes;
        } else if rest.starts_with("->") {
            lead.end += 2;
        } else if let Some(n) = list_number(rest) {
            lead.bullet = true;
            lead.end += n;
        } else if let Some(c @ ('-' | '+' | '•' | '–' | '—' | '‣' | '●')) = rest.chars().next()
            && after(c.len_utf8()).is_none_or(|c| c.is_whitespace() || c == '[' || c == '*')
        {
            lead.bullet = true;
            lead.end += c.len_utf8();
        } else if rest.starts_with('*') && after(1).is_none_or(char::is_whitespace) {
            lead.bullet = true;
            lead.end += 1;
        } else {
            return lead;
        }
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
pub(super) fn lines(reply: &str, part: &Range<usize>, hits: &[Hit]) -> Vec<Range<usize>> {
    let text = &reply[part.clone()];
    let breaks = hits.iter().filter_map(|hit| entry_start(reply, part, hit));
    let of_any = heading::entries(text).map(|at| part.start + at);
    let mut breaks: Vec<usize> = breaks.chain(of_any).collect();
    breaks.sort_unstable();
    breaks.dedup();
    let mut breaks = breaks.into_iter().peekable();
    let mut lines = Vec::new();
    let mut start = part.start;
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]);
    for end in ends {
        let end = part.start + end;
        let mut from = start;
        while let Some(&at) = breaks.peek()
            && at < end
        {
            breaks.next();
            if at > from {
                lines.push(from..at);
                from = at;
            }
        }
        lines.push(from..end);
        start = end + 1;
    }
    lines
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
    let entry = || {
        hit.strength() == Strength::Final || heading::tail(&reply[hit.name.end..part.end]).is_some()
    };
    ((1..=3).contains(&digits) && entry()).then(|| {
        let number = trimmed - digits;
        // Bold that opens before the numbering belongs to the entry.
        let bold = before[..number].iter().rev().take_while(|b| **b == b'*');
        floor + number - bold.count()
    })
}

/// Where the first word of a line stands behind marks of emphasis.
pub(super) fn first_word(line: &str, lead: Lead) -> usize {
    let rest = line[lead.end..].trim_start_matches(label::is_filler);
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
