//! One entry of a list of issues: its labels, its text, and whether it names a fault at all.
//!
//! Must not know under which heading an entry stands.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::label::is_filler;

/// The longest label, in bytes.
const LONGEST_LABEL: usize = 42;

/// The most labels one entry can have; further brackets are text.
const MOST_LABELS: usize = 8;

/// How much of an entry is looked at to see whether it says `none`, in bytes.
const HEAD: usize = 240;

/// An entry, with ranges relative to the text it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::parse) struct Entry {
    /// What stands in the square brackets.
    pub(in crate::parse) labels: Vec<Range<usize>>,
    /// The rest, without surrounding blanks.
    pub(in crate::parse) text: Range<usize>,
    /// Labels and text together.
    pub(in crate::parse) span: Range<usize>,
}

/// How a label must be written to count as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::parse) enum Writing {
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

/// A score and whose it is, and nothing else: `Coherence: 3.5`, `Syntax: [4]/5`.
static SCORE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^[\w&/ *-]{1,60}[*_`]*:[ \t*_`]*\[?[0-9]{1,3}(?:[.,][0-9]{1,2})?\]?(?:[ ]?/[ ]?[0-9]{1,3})?[\s*_`.]*$",
    )
});

/// A fault taken back at the end of its entry.
static TAKEN_BACK: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?i)\(no (?:issues?|errors?)\)[.\s]*$"));

/// Compiles a constant.
fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant")
}

/// Whether a text starts with a label that needs no heading to be recognised.
pub(in crate::parse) fn is_labelled(text: &str) -> bool {
    label(text.trim_start_matches(is_filler), Writing::Capitals).is_some()
}

/// Splits a line into the entries written on it one behind the other: `- [A] x - [B] y`, and,
/// where the line starts with a label, `[A] x; [B] y`.
pub(in crate::parse) fn split(line: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::with_capacity(1);
    let mut start = 0;
    let labelled = is_labelled(line);
    for (at, _) in line.match_indices('[') {
        let Some(next) = entry_before(line, at, labelled).filter(|next| *next > start) else {
            continue;
        };
        if label(&line[at..], Writing::Capitals).is_some() && !line[start..next].trim().is_empty() {
            parts.push(start..next);
            start = next;
        }
    }
    parts.push(start..line.len());
    parts
}

/// Where the entry starts whose label may stand at `at`: at a bullet with blanks around it, or,
/// in a run of labelled entries, behind the end of a phrase.
fn entry_before(line: &str, at: usize, labelled: bool) -> Option<usize> {
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
    (labelled && ends && !joint).then_some(start)
}

/// Reads an entry whose bullet is already behind us.
pub(in crate::parse) fn entry(text: &str, writing: Writing) -> Entry {
    let mut rest = text.trim_start_matches(is_filler);
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
        let body = text.trim();
        let start = text.len() - text.trim_start().len();
        let text = start..start + body.len();
        return Entry {
            labels,
            span: text.clone(),
            text,
        };
    }
    let behind = at(rest);
    let between = |c: char| is_filler(c) || matches!(c, ':' | '-' | '–' | '—' | ',' | '.');
    let body = rest.trim_start_matches(between);
    let start_of_text = at(body);
    let body = body.trim_end_matches(|c: char| c.is_whitespace() || c == ';' || c == ',');
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
    let length = inside.bytes().take(LONGEST_LABEL).position(|b| b == b']')?;
    let name = &inside[..length];
    let plain = |c: char| {
        c.is_alphanumeric() || matches!(c, ' ' | '/' | '&' | ',' | '_' | '-' | '\'' | '.')
    };
    if !name.starts_with(char::is_alphabetic) || !name.chars().all(plain) {
        return None;
    }
    let word = name.split(|c: char| !c.is_alphabetic()).next()?;
    let capitals = word.chars().count() > 1 && word.chars().all(char::is_uppercase);
    let few = name.split_whitespace().count() <= 4;
    let fits = match writing {
        Writing::Capitals => capitals,
        Writing::Any => capitals || few,
    };
    fits.then_some(1..length + 1)
}

/// Skips what may stand between two labels of one entry.
fn skip_joint(text: &str) -> &str {
    let joint = |c: char| is_filler(c) || matches!(c, ',' | '/' | '&' | '+');
    let rest = text.trim_start_matches(joint);
    rest.strip_prefix("and ")
        .map_or(rest, |rest| rest.trim_start_matches(joint))
}

/// Whether a text says that there is nothing to report.
pub(in crate::parse) fn says_none(text: &str) -> bool {
    let mut end = text.len().min(HEAD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut start = text.len().saturating_sub(HEAD);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let head = &text[..end];
    // `(no issue)` ends with a bracket: the cheap test spares most texts the search.
    let begins = head.trim_start_matches(|c: char| !c.is_alphanumeric());
    (begins.starts_with(['n', 'N']) && NONE.is_match(head) && !STILL.is_match(head))
        || (text.ends_with([')', '.']) && TAKEN_BACK.is_match(&text[start..]))
}

/// Whether a text is a score and nothing else.
pub(in crate::parse) fn is_score(text: &str) -> bool {
    let ends = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    text.len() <= HEAD && ends.ends_with(|c: char| c.is_ascii_digit()) && SCORE.is_match(text)
}

/// The text of an issue: blanks collapsed, marks of bold removed.
pub(in crate::parse) fn plain(text: &str) -> String {
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
        assert_eq!(split(line).len(), 3);
        let line = "[AA] x - y - [BB] z * **[CC]** w";
        let parts: Vec<_> = split(line).into_iter().map(|part| &line[part]).collect();
        assert_eq!(parts, ["[AA] x - y ", "- [BB] z ", "* **[CC]** w"]);
        let line = "[AA] x (y) [BB], [CC] z; **[DD]** see [EE] too";
        let parts: Vec<_> = split(line).into_iter().map(|part| &line[part]).collect();
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
