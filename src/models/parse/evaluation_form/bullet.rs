//! One entry of a list of issues: its labels, its text, and whether it names a fault at all.
//!
//! Must not know under which heading an entry stands.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::label::is_filler;
use crate::models::parse::trim::{trim_end, trim_start};

/// The longest label, in bytes.
const LONGEST_LABEL: usize = 42;

/// The most labels one entry can have; further brackets are text.
const MOST_LABELS: usize = 8;

/// How much of an entry is looked at to see whether it says `none`, in bytes.
const HEAD: usize = 240;

/// An entry, with ranges relative to the text it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::models::parse) struct Entry {
    /// What stands in the square brackets.
    pub(in crate::models::parse) labels: Vec<Range<usize>>,
    /// The rest, without surrounding blanks.
    pub(in crate::models::parse) text: Range<usize>,
    /// Labels and text together.
    pub(in crate::models::parse) span: Range<usize>,
}

/// How a label must be written to count as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::models::parse) enum Writing {
    /// Its first word in capitals: needed where nothing else shows an entry.
    Capitals,
    /// Any few words.
    Any,
}

/// `None`, `No major issues detected` and the like.
static NONE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^\W*(?:(?:none|n/a|nil)(?:\W|$)|nothing (?:to report|found|detected|noted|significant|notable)|no (?:[\w,/-]+ ){0,7}(?:issues?|errors?|problems?|mistakes?|flaws?)\b)",
    )
});

/// Words by which such a sentence goes on to name a fault after all; and a quotation of more than the one
/// word, which is the document's: `"None will denied it" (wrong form)`.
static STILL: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?i)^\W*none of\b|\b(?:but|however|although|except|though)\b|^\W*["“”'‘’`](?:none|nil)[^\w"“”'‘’`]+\w"#,
    )
});

/// Compiles a constant.
fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant")
}

/// Whether a text starts with a label that needs no heading to be recognised.
pub(in crate::models::parse) fn is_labelled(text: &str) -> bool {
    label(trim_start(text, is_filler), Writing::Capitals).is_some()
}

/// Splits a line into the entries written on it one behind the other: `- [A] x - [B] y`, and,
/// where the line starts with a label, `[A] x; [B] y`.
pub(in crate::models::parse) fn split(line: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut labelled = None;
    let mut brackets = memchr::memchr_iter(b'[', line.as_bytes());
    let mut start = Some(0);
    std::iter::from_fn(move || {
        let from = start?;
        let next = brackets.find_map(|at| {
            let labelled = || *labelled.get_or_insert_with(|| is_labelled(line));
            let next = entry_before(line, at, labelled).filter(|next| *next > from)?;
            let labels = label(&line[at..], Writing::Capitals).is_some();
            (labels && !line[from..next].trim().is_empty()).then_some(next)
        });
        start = next;
        Some(from..next.unwrap_or(line.len()))
    })
}

/// Where the entry starts whose label may stand at `at`: at a bullet with blanks around it, or,
/// in a run of labelled entries, behind the end of a phrase.
fn entry_before(line: &str, at: usize, labelled: impl FnOnce() -> bool) -> Option<usize> {
    let before = &line[..at];
    let before = before.strip_suffix("**").unwrap_or(before);
    let start = before.len();
    let before = before.strip_suffix(' ')?;
    if let Some(bullet) = before.strip_suffix(['-', '*', '•'])
        && bullet.ends_with([' ', '\t', '*'])
    {
        return Some(bullet.len());
    }
    let phrase = before.trim_end_matches(' ');
    // A comma right behind a label joins two labels of one entry.
    let joint = phrase.trim_end_matches([',', '*']).ends_with(']');
    let ends = phrase.ends_with([';', ',', '.', ')', '!', '?', '"', '”']);
    (ends && !joint && labelled()).then_some(start)
}

/// Reads an entry whose bullet is already behind us.
pub(in crate::models::parse) fn entry(text: &str, writing: Writing) -> Entry {
    let mut rest = trim_start(text, is_filler);
    let mut labels = Vec::new();
    let mut needed = writing;
    let at = |rest: &str| text.len() - rest.len();
    let start = at(rest);
    while labels.len() < MOST_LABELS
        && let Some(inside) = label(rest, needed)
    {
        let offset = at(rest);
        labels.push(offset + inside.start..offset + inside.end);
        rest = &rest[inside.end + 1..];
        let next = skip_joint(rest);
        if label(next, Writing::Capitals).is_none() {
            break;
        }
        rest = next;
        needed = Writing::Capitals;
    }
    if labels.is_empty() {
        let body = trim_start(text, char::is_whitespace);
        let start = text.len() - body.len();
        let text = start..start + trim_end(body, char::is_whitespace).len();
        return Entry {
            labels,
            span: text.clone(),
            text,
        };
    }
    let behind = at(rest);
    let between = |c: char| is_filler(c) || matches!(c, ':' | '-' | '–' | '—' | ',' | '.');
    let body = trim_start(rest, between);
    let start_of_text = at(body);
    let body = trim_end(body, |c| c.is_whitespace() || c == ';' || c == ',');
    let text = start_of_text..start_of_text + body.len();
    let end = if body.is_empty() { behind } else { text.end };
    Entry {
        labels,
        text,
        span: start..end,
    }
}

/// What a label at the start of the text holds (`GRAMMAR` of `[GRAMMAR]`).
fn label(text: &str, writing: Writing) -> Option<Range<usize>> {
    let inside = text.strip_prefix('[')?;
    // So most labels are written.
    let capitals = inside.bytes().take_while(u8::is_ascii_uppercase).count();
    if (2..LONGEST_LABEL).contains(&capitals) && inside[capitals..].starts_with(']') {
        return Some(1..capitals + 1);
    }
    let length = inside.bytes().take(LONGEST_LABEL).position(|b| b == b']')?;
    let name = &inside[..length];
    let word = name.split(|c: char| !c.is_alphabetic()).next()?;
    let capitals = word.chars().all(char::is_uppercase) && word.chars().nth(1).is_some();
    let fits = match writing {
        Writing::Capitals => capitals,
        Writing::Any => capitals || name.split_whitespace().count() <= 4,
    };
    let plain = |c: char| {
        c.is_alphanumeric() || matches!(c, ' ' | '/' | '&' | ',' | '_' | '-' | '\'' | '.')
    };
    (fits && !word.is_empty() && name.chars().all(plain)).then_some(1..length + 1)
}

/// Skips what may stand between two labels of one entry.
fn skip_joint(text: &str) -> &str {
    let joint = |c: char| is_filler(c) || matches!(c, ',' | '/' | '&' | '+');
    let rest = trim_start(text, joint);
    rest.strip_prefix("and ")
        .map_or(rest, |rest| rest.trim_start_matches(joint))
}

/// Whether a text says that there is nothing to report.
pub(in crate::models::parse) fn says_none(text: &str) -> bool {
    let head = &text[..text.floor_char_boundary(HEAD)];
    // `(no issue)` ends with a bracket: the cheap test spares most texts the search.
    let begins = trim_start(head, |c| !c.is_alphanumeric());
    (begins.starts_with(['n', 'N']) && NONE.is_match(head) && !STILL.is_match(head))
        || is_taken_back(text)
}

/// Whether a fault is taken back at the end of its entry.
fn is_taken_back(text: &str) -> bool {
    const ENDS: [&str; 4] = ["(no error)", "(no errors)", "(no issue)", "(no issues)"];
    let text = trim_end(text, |c| c == '.' || c.is_whitespace());
    text.ends_with(')')
        && ENDS.iter().any(|end| {
            let found = text
                .len()
                .checked_sub(end.len())
                .and_then(|at| text.get(at..));
            found.is_some_and(|found| found.eq_ignore_ascii_case(end))
        })
}

/// Whether a text is a score and whose it is, and nothing else: `Coherence: 3.5`, `Syntax: [4]/5`.
pub(in crate::models::parse) fn is_score(text: &str) -> bool {
    /// The longest name, in characters.
    const LONGEST_NAME: usize = 60;
    let Some((label, value)) = text.split_once(':').filter(|_| text.len() <= HEAD) else {
        return false;
    };
    let mark = |c: char| matches!(c, '*' | '_' | '`');
    // Signs of vowels are no letters.
    let named = |c: char| {
        c.is_alphanumeric()
            || matches!(c, '_' | '&' | '/' | ' ' | '*' | '-' | '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}')
    };
    let name = label.trim_end_matches(mark);
    let value = value.trim_start_matches(|c| mark(c) || c == ' ' || c == '\t');
    !name.is_empty()
        && name.chars().all(named)
        && name.chars().nth(LONGEST_NAME).is_none()
        && is_plain_value(value)
}

/// Whether a text is a number, in brackets or not, with the top of its scale or without: `3.5`, `[4]/5`.
fn is_plain_value(text: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let text = text.strip_prefix('[').unwrap_or(text);
    let whole = digits(text);
    let mut rest = &text[whole..];
    if let Some(decimals) = rest.strip_prefix(['.', ','])
        && digits(decimals) > 0
    {
        rest = &decimals[digits(decimals).min(2)..];
    }
    rest = rest.strip_prefix(']').unwrap_or(rest);
    if let Some(top) = rest.trim_start_matches(' ').strip_prefix('/') {
        let top = top.trim_start_matches(' ');
        let length = digits(top);
        if !(1..=3).contains(&length) {
            return false;
        }
        rest = &top[length..];
    }
    let marks = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '.');
    (1..=3).contains(&whole) && rest.chars().all(marks)
}

/// The text of an issue: blanks collapsed, marks of bold removed.
pub(in crate::models::parse) fn plain(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let bold = text.contains("**");
    for word in text.split_whitespace() {
        let before = plain.len();
        if before > 0 {
            plain.push(' ');
        }
        if !bold {
            plain.push_str(word);
            continue;
        }
        for piece in word.split("**") {
            plain.push_str(piece);
        }
        if plain.ends_with(' ') {
            plain.truncate(before);
        }
    }
    plain
}

/// Whether nothing in a text is to be dropped, as far as its bytes tell; most texts are so.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some(behind) = bytes.get(1..) else {
        return true;
    };
    // Without an early end whole blocks are compared at once.
    let odd = bytes.iter().fold(false, |odd, byte| {
        // Blanks of other scripts begin with the last of these.
        odd | matches!(byte, ..0x20 | 0x7f | 0xc2 | 0xe1..=0xe3)
    });
    let doubled = bytes.iter().zip(behind).fold(false, |any, (byte, next)| {
        any | ((byte == next) & matches!(byte, b' ' | b'*'))
    });
    !(odd || doubled || bytes.starts_with(b" ") || bytes.ends_with(b" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<&str>, &str) {
        let entry = entry(text, Writing::Any);
        let labels = entry.labels.into_iter().map(|label| &text[label]);
        (labels.collect(), &text[entry.text])
    }

    #[test]
    fn a_label_is_parted_from_its_text() {
        for text in [
            "[GRAMMAR] bad",
            "**[GRAMMAR]** bad",
            "[GRAMMAR]: bad",
            "**[GRAMMAR]:** bad ",
            "[GRAMMAR] – bad",
        ] {
            assert_eq!(read(text), (vec!["GRAMMAR"], "bad"), "{text}");
        }
        assert_eq!(read("[Word choice] bad"), (vec!["Word choice"], "bad"));
        assert_eq!(
            read("[SPELLING/Grammar] bad"),
            (vec!["SPELLING/Grammar"], "bad")
        );
    }

    #[test]
    fn several_labels_are_all_read() {
        for text in [
            "[LOGIC], [PLOT] bad",
            "[LOGIC][PLOT] bad",
            "**[LOGIC]** and **[PLOT]** bad",
            "[LOGIC] / [PLOT]: bad",
        ] {
            assert_eq!(read(text), (vec!["LOGIC", "PLOT"], "bad"), "{text}");
        }
    }

    #[test]
    fn a_bracketed_text_behind_a_label_is_text() {
        assert_eq!(
            read("[LOGIC] [a gap in time]"),
            (vec!["LOGIC"], "[a gap in time]")
        );
        assert_eq!(read("no label [here]"), (vec![], "no label [here]"));
    }

    #[test]
    fn entries_on_one_line_are_split() {
        let line = "- [AA] x - y - [BB] z * **[CC]** w";
        assert_eq!(split(line).count(), 3);
        let line = "[AA] x - y - [BB] z * **[CC]** w";
        let parts: Vec<_> = split(line).map(|part| &line[part]).collect();
        assert_eq!(parts, ["[AA] x - y ", "- [BB] z ", "* **[CC]** w"]);
        let line = "[AA] x (y) [BB], [CC] z; **[DD]** see [EE] too";
        let parts: Vec<_> = split(line).map(|part| &line[part]).collect();
        assert_eq!(
            parts,
            ["[AA] x (y) ", "[BB], [CC] z; ", "**[DD]** see [EE] too"]
        );
    }

    #[test]
    fn nothing_to_report_is_recognised() {
        for text in [
            "None",
            "none.",
            "[None]",
            "*None significant*",
            "No major issues detected.",
            "No spelling or grammar errors noted",
            "\"a\" should be \"a\" (no issue)",
            "\"None\" - the text is sound",
        ] {
            assert!(says_none(text), "{text}");
        }
        for text in [
            "None of the names fit",
            "No clear ending",
            "No issues with spelling, but the syntax is odd",
            "Nothing happens",
            "nonesuch",
            "\"None will denied its lasting virtue.\" (incorrect verb form)",
            "“none ofcthe longest yet”",
        ] {
            assert!(!says_none(text), "{text}");
        }
    }

    #[test]
    fn bold_marks_and_surplus_blanks_are_dropped() {
        assert_eq!(
            plain("**Abrupt\r\n  turn**: here ** !"),
            "Abrupt turn: here !"
        );
    }
}
