//! What governs a place: the heading or the words with a colon under which it stands.
//!
//! What stands under a heading is the verdict where every word of the heading is known to speak of the verdict on
//! this text; under another heading it is in doubt. Prose leads up to nothing. Must not read values, or the words on
//! the place's own line.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::LazyLock;

use super::before::Standing;
use super::{leading, words};
use crate::models::parse::metrics::Metrics;
use crate::models::parse::trim::trim;

/// How many lines above a place are looked at.
const LINES: usize = 12;

/// How much above a place is looked at, in bytes.
const LOOK_BACK: usize = 600;

/// The longest line that is a heading, in bytes.
const LONGEST: usize = 200;

/// The longest name before the value of a line that is a score, in bytes.
const LONGEST_NAME: usize = 60;

/// Whose the values are that stand on the lines below `above`.
pub(in crate::models::parse) fn governs(above: &str, metrics: &Metrics) -> Standing {
    let from = above.ceil_char_boundary(above.len().saturating_sub(LOOK_BACK));
    let above = &above[from..];
    let line_end = |before: usize| memchr::memrchr(b'\n', &above.as_bytes()[..before]);
    // Not what stands before the place on its own line.
    let mut end = line_end(above.len());
    let (mut prose, mut apart) = (false, false);
    // Whether a list stands above a blank line: then its heading is none of the place.
    let (mut blank, mut list) = (false, false);
    for _ in 0..LINES {
        let Some(stop) = end else { break };
        end = line_end(stop);
        let line = &above[end.map_or(0, |end| end + 1)..stop];
        if prose && is_plain(line) {
            continue;
        }
        let line = trim(line, char::is_whitespace);
        if line.is_empty() {
            // A heading reaches through prose up to a blank line, one with `#` also behind it.
            apart |= prose;
            blank |= !prose;
            continue;
        }
        // Apart from prose only a heading with `#` says anything.
        if apart && !line.starts_with('#') {
            if line.trim_end_matches(MARKS).ends_with(COLONS) {
                return Standing::Own;
            }
            continue;
        }
        if !prose && !apart && names_part(line) {
            return Standing::Doubtful;
        }
        if passes(line) {
            blank |= !prose && line.starts_with("```");
            continue;
        }
        // A label of issues under which there is none.
        if line
            .trim_start_matches(['-', '*', '+', ' '])
            .starts_with('[')
            && line.ends_with(':')
        {
            prose = true;
            continue;
        }
        if is_heading(line) {
            if apart && !line.starts_with('#') {
                return Standing::Own;
            }
            return match heading(line, metrics) {
                _ if list && !line.starts_with('#') => Standing::Own,
                Standing::Doubtful if prose => Standing::Own,
                standing => standing,
            };
        }
        if !prose && !apart && is_title(line) {
            return Standing::Doubtful;
        }
        list |= !prose && blank && line.starts_with(['-', '*', '+', '\u{2022}']);
        prose = true;
    }
    Standing::Own
}

/// Whether a line has words and is no heading, by its first and last sign.
fn is_plain(line: &str) -> bool {
    let line = line.trim_ascii().as_bytes();
    let (Some(first), Some(last)) = (line.first(), line.last()) else {
        return false;
    };
    !b"#*".contains(first) && !b":*_`".contains(last) && last.is_ascii()
}

/// Marks of emphasis behind a line, and blanks.
const MARKS: [char; 4] = ['*', '_', '`', ' '];

/// What ends a line that leads on.
const COLONS: [char; 2] = [':', '\u{ff1a}'];

/// Whether a line introduces what follows it.
fn is_heading(line: &str) -> bool {
    let bare = line.trim_end_matches(MARKS);
    if bare.len() > 2 * LONGEST {
        return bare.ends_with(':');
    }
    let bold = line.len() > 4 && line.starts_with("**") && bare.len() + 2 <= line.len();
    line.starts_with('#')
        || bare.ends_with(COLONS)
        || (bold
            && !line.contains(". ")
            && !bare.ends_with('.')
            && line[2..].find("**").is_some_and(|at| at + 4 >= line.len()))
}

/// Whether a line names one of several texts, judges or tries, and is no sentence: `Text B`, `Reviewer 2`.
fn is_title(line: &str) -> bool {
    let bare = line.trim_matches(['*', '_', '`', '[', ']', '{', '}']);
    let Some((noun, which)) = bare.split_once(' ') else {
        return class(bare) & OTHER != 0;
    };
    let letter = which.len() == 1 && which.starts_with(|c: char| c.is_ascii_alphabetic());
    let number = words::number(which).is_some() || which.bytes().all(|b| b.is_ascii_digit());
    (letter || number) && words::has(&COUNTED, noun)
}

/// Parts of a text.
const PARTS: [&str; 11] = [
    "act",
    "chapter",
    "page",
    "paragraph",
    "part",
    "scene",
    "section",
    "segment",
    "sentence",
    "stanza",
    "verse",
];

/// Whether a line says which part of a text is spoken of: `chapter: 2`.
fn names_part(line: &str) -> bool {
    let Some((noun, which)) = line.split_once(':') else {
        return false;
    };
    let which = which.trim();
    words::has(&PARTS, noun.trim_start_matches(['-', '*', ' ']))
        && !which.is_empty()
        && which.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a line is no prose: a rule, a fence, another score, a row of a table.
fn passes(line: &str) -> bool {
    if line.starts_with("```") || line.starts_with('|') || !line.contains(char::is_alphanumeric) {
        return true;
    }
    let Some(digit) = line.bytes().position(|b| b.is_ascii_digit()) else {
        return names_label(line);
    };
    // Behind the number of a list.
    let (start, rest) = match line[digit..].split_once([')', '.']) {
        Some((number, rest)) if digit == 0 && number.bytes().all(|b| b.is_ascii_digit()) => {
            (line.len() - rest.len(), rest)
        }
        _ => (0, line),
    };
    let Some(value) = rest.bytes().position(|b| b.is_ascii_digit()) else {
        return false;
    };
    let name = rest[..value].trim_end_matches(['*', '_', '`', ' ', '[']);
    let behind =
        rest[value..].trim_start_matches(|c: char| c.is_ascii_digit() || ".,/".contains(c));
    start + value <= start + LONGEST_NAME
        && name.ends_with([':', '=', '|', '-', '\u{2013}', '\u{2014}', '\u{ff1a}'])
        && behind.len() <= LONGEST
        && !behind.ends_with(':')
}

/// Whether a line is a name and a word or two for its value: `Fluency: Good`.
fn names_label(line: &str) -> bool {
    let plain = |text: &str| {
        let text = text.trim_matches(|c: char| c == ' ' || MARKS.contains(&c) || "-#".contains(c));
        let words = text.split(' ').count();
        !text.is_empty() && words <= 2 && text.bytes().all(|b| b.is_ascii_alphabetic() || b == b' ')
    };
    line.len() <= LONGEST_NAME
        && line
            .split_once(':')
            .is_some_and(|(name, value)| plain(name) && plain(value))
}

/// Headings of a list that is empty.
const NONE: [&str; 6] = [
    "no error",
    "no error found",
    "no errors",
    "no errors found",
    "no issues",
    "no issues found",
];

/// Whose the values below a heading are.
fn heading(line: &str, metrics: &Metrics) -> Standing {
    let title = line.trim_matches(|c: char| !c.is_alphanumeric());
    if title.contains(' ') && is_title(title) {
        return Standing::Doubtful;
    }
    // `**No errors**`
    if NONE.iter().any(|none| title.eq_ignore_ascii_case(none)) {
        return Standing::Own;
    }
    let mut bare = line.trim_matches(|c: char| !c.is_alphanumeric() && !"()".contains(c));
    if bare.len() > LONGEST {
        bare = &bare[bare.ceil_char_boundary(bare.len() - LONGEST)..];
    }
    // Only the last sentence leads on.
    let mut ends = bare.match_indices(['.', '!', '?', ';']);
    let last = ends.rfind(|(at, _)| bare[at + 1..].starts_with(' '));
    let last = last.map_or(bare, |(at, _)| bare[at + 1..].trim_start());
    spoken(last, metrics)
}

/// Whose a value is that these words introduce.
pub(super) fn spoken(text: &str, metrics: &Metrics) -> Standing {
    // Few words need them.
    let names = OnceCell::new();
    let named = |at: usize| {
        let all = || metrics.mentions(text).map(|(_, name)| name).collect();
        let names: &Vec<Range<usize>> = names.get_or_init(all);
        names.iter().any(|name| name.contains(&at))
    };
    let issues = ends_with_list(text);
    let (mut other, mut own, mut known, mut form) = (false, false, true, false);
    let mut negated = 0_usize;
    let mut counted = false;
    let mut at = 0;
    for word in text.split(|c: char| !(c.is_alphabetic() || matches!(c, '\'' | '\u{2019}'))) {
        let start = at;
        at = text[start + word.len()..]
            .chars()
            .next()
            .map_or(text.len(), |c| start + word.len() + c.len_utf8());
        if word.is_empty() {
            continue;
        }
        negated = negated.saturating_sub(1);
        let class = class(word);
        let says = class & (NEGATES | FORM | OTHER | COUNTS) != 0;
        if (says || (class == 0 && !issues)) && named(start) {
            own = true;
            continue;
        }
        if class & NEGATES != 0 {
            negated = 3;
        } else if class & FORM != 0 {
            form = true;
        } else if class & OTHER != 0 {
            other |= negated == 0;
        } else if class & VERDICT != 0 {
            own = true;
        } else {
            known &= class & KNOWN != 0;
        }
        counted |= class & COUNTS != 0;
    }
    let own = own || (form && metrics.mentions(text).next().is_some());
    if other || (form && !own) {
        Standing::Other
    } else if known || (issues && !counted) {
        Standing::Own
    } else {
        Standing::Doubtful
    }
}

/// Whether the last word of a heading speaks of issues.
pub(super) fn ends_with_list(text: &str) -> bool {
    let end = text.trim_end_matches(|c: char| !c.is_alphabetic());
    let word = end.rsplit(|c: char| !c.is_alphabetic()).next();
    word.is_some_and(|word| words::has(&["errors", "issues", "none", "problems"], word))
}

/// What a word of a heading says.
const NEGATES: u8 = 1;
const FORM: u8 = 2;
const OTHER: u8 = 4;
const VERDICT: u8 = 8;
const KNOWN: u8 = 16;
const COUNTS: u8 = 32;

/// The words of all lists by length, each with what it says: one look for a word instead of one per list.
static CLASSES: LazyLock<Vec<Vec<(&str, u8)>>> = LazyLock::new(|| {
    let lists: [(&[&'static str], u8); 9] = [
        (&["no", "not"], NEGATES),
        (&FORMS, FORM),
        (&HEADINGS, OTHER),
        (&leading::ANOTHERS, OTHER),
        (&leading::VERDICTS, VERDICT),
        (&words::OWN, KNOWN),
        (&leading::LEADS, KNOWN),
        (&["correction"], KNOWN),
        (&["count", "counts", "number", "severity"], COUNTS),
    ];
    let mut classes: Vec<Vec<(&str, u8)>> = Vec::new();
    for (list, class) in lists {
        for word in list {
            if classes.len() <= word.len() {
                classes.resize(word.len() + 1, Vec::new());
            }
            let words = &mut classes[word.len()];
            match words.binary_search_by_key(word, |(known, _)| known) {
                Ok(at) => words[at].1 |= class,
                Err(at) => words.insert(at, (word, class)),
            }
        }
    }
    classes
});

/// What a word of a heading says, whatever its capitals.
fn class(word: &str) -> u8 {
    let mut small = [0; words::LONGEST];
    let (Some(words), Some(place)) = (CLASSES.get(word.len()), small.get_mut(..word.len())) else {
        return 0;
    };
    place.copy_from_slice(word.as_bytes());
    place.make_ascii_lowercase();
    let found = words.binary_search_by(|(known, _)| known.as_bytes().cmp(place));
    found.map_or(0, |at| words[at].1)
}

/// Words of a heading below which nothing is the verdict, unless the heading speaks of the verdict too.
const FORMS: [&str; 5] = ["format", "schema", "structure", "style", "template"];

/// Words of a heading below which nothing is the verdict.
const HEADINGS: [&str; 14] = [
    "draft",
    "earlier",
    "example",
    "examples",
    "former",
    "hypothetical",
    "hypothetically",
    "initial",
    "original",
    "preliminary",
    "previous",
    "prior",
    "reference",
    "sample",
];

/// What there may be several of, each with a score of its own.
pub(super) const COUNTED: [&str; 47] = [
    "act",
    "annotator",
    "answer",
    "article",
    "aspect",
    "attempt",
    "author",
    "candidate",
    "case",
    "chapter",
    "condition",
    "criterion",
    "critic",
    "dimension",
    "document",
    "draft",
    "essay",
    "excerpt",
    "item",
    "judge",
    "model",
    "option",
    "output",
    "page",
    "paragraph",
    "part",
    "passage",
    "person",
    "question",
    "rater",
    "reader",
    "response",
    "reviewer",
    "round",
    "run",
    "scene",
    "section",
    "segment",
    "sentence",
    "stanza",
    "story",
    "student",
    "summary",
    "system",
    "text",
    "verse",
    "version",
];

/// Whether a word may stand in words that lead up to a verdict.
pub(in crate::models::parse) fn is_known(word: &str) -> bool {
    words::has(&words::OWN, word)
        || words::has(&leading::LEADS, word)
        || words::has(&leading::VERDICTS, word)
}
