//! The numbers with which lines begin: `1.`, `2)`, `**3.**`, `Question 4:`, `Q5:`.
//!
//! Must not look at what follows them.

use std::sync::LazyLock;

use regex::Regex;

use crate::models::parse::value::has;

/// What a line begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::models::parse) struct Marker {
    /// How far it is indented, in blanks.
    pub(in crate::models::parse) indent: usize,
    /// The word before the number, in small letters; empty without one.
    pub(in crate::models::parse) word: String,
    pub(in crate::models::parse) number: usize,
    /// Word and number as written.
    pub(in crate::models::parse) name: String,
    /// Where what it numbers begins, in bytes from the start of the line.
    pub(in crate::models::parse) content: usize,
}

/// Words before a number that numbers no element.
const OTHERS: [&str; 30] = [
    "about",
    "abschnitt",
    "all",
    "chapter",
    "error",
    "evidence",
    "figure",
    "final",
    "grade",
    "in",
    "level",
    "line",
    "mark",
    "of",
    "only",
    "over",
    "page",
    "paragraph",
    "part",
    "phase",
    "rating",
    "reason",
    "round",
    "score",
    "section",
    "step",
    "table",
    "total",
    "version",
    "with",
];

static MARKER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^ (?P<indent>[\ \t]*) (?:</?[A-Za-z_]{1,20}>\s*)? (?:[-*+\u{2022}\u{2023}][\ \t]+)? (?:\#{1,6}[\ \t]+)? (?P<open> [*_`(\[]{0,4})
        (?: (?P<word> \p{L}[\p{L}_]{0,15}? ) [\ _-]? (?:(?:no|nr)\.?\ ?|\#)? | \# )?
        (?P<number> [0-9]{1,4})
        (?P<behind> [*_`)\]]{0,4})
        (?P<sign> \ ?[.:)\]]|[\u{ff1a}\u{3001}\u{ff0e}\u{ff09}]|[\ ]+[-=\u{2013}\u{2014}]|\ ?(?:->|\u{2192}))?
        (?P<marks> [*_`]{0,4})",
    )
    .expect("the pattern is made of constants")
});

/// The marker with which a line begins.
pub(in crate::models::parse) fn marker(line: &str) -> Option<Marker> {
    let found = MARKER.captures(line)?;
    let text = |name: &str| found.name(name).map_or("", |part| part.as_str());
    let (word, behind, sign) = (text("word"), text("behind"), text("sign"));
    let whole = found.get(0)?;
    let rest = &line[whole.end()..];
    let next = rest.chars().next();
    let apart = next.is_none_or(char::is_whitespace);
    let closed = behind.contains([')', ']']);
    let marked = !sign.is_empty() || closed;
    let stands = match sign.trim_start() {
        "" if closed => apart,
        // `**Question 1**` on a line of its own.
        "" => !word.is_empty() && rest.trim().is_empty(),
        "-" | "\u{2013}" | "\u{2014}" => apart,
        // Without a word this is how scales are written down: `1 = poor`.
        "=" => apart && !word.is_empty(),
        _ => apart || !next.is_some_and(|c| c.is_numeric() || c == '/'),
    };
    if !stands || (!marked && word.is_empty()) || has(&OTHERS, word) {
        return None;
    }
    let number = found.name("number")?;
    let start = found
        .name("word")
        .map_or(number.start(), |word| word.start());
    let indent = text("indent");
    // Marks behind the number belong to what follows unless they were opened before it.
    let closes = text("open").contains(['*', '_', '`']);
    let marks = if closes { 0 } else { text("marks").len() };
    let rest = &line[whole.end() - marks..];
    let content = line.len() - rest.trim_start().len();
    Some(Marker {
        indent: indent.len() + 3 * indent.matches('\t').count(),
        word: word.to_lowercase(),
        number: number.as_str().parse().ok()?,
        name: line[start..number.end()].to_owned(),
        content,
    })
}

/// The number that a name of an element is or ends with: `3`, `Q3`, `claim_3`.
pub(in crate::models::parse) fn number_of(name: &str) -> Option<usize> {
    let name = name.trim();
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (word, number) = name.split_at(name.len() - digits);
    let word = word.trim_end_matches([' ', '_', '-', '#', '.']);
    let plain = word.chars().count() <= 16 && word.chars().all(|c| c.is_alphabetic() || c == '_');
    if digits == 0 || digits > 4 || !plain || has(&OTHERS, word) {
        return None;
    }
    number.parse().ok()
}
