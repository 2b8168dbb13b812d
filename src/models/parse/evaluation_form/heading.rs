//! Headings of a form: which lines open a list of issues, and for which metric.
//!
//! Must not read the issues below a heading.

use std::sync::LazyLock;

use regex::Regex;

use super::bullet;
use super::hit::Hit;
use super::label::{self, Strength};
use super::line::Lead;
use crate::models::parse::trim::{trim, trim_end};
use crate::models::parse::value::has;

/// What a line says about the lines below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heading {
    /// Issues follow, for a metric if the heading names exactly one; from `inline` on the line
    /// itself may hold the first of them.
    Issues {
        metric: Option<usize>,
        inline: usize,
    },
    /// Issues of a metric that is not asked for: a heading in which none of those asked for is named.
    Foreign,
    /// A metric's name on its own: what follows is about that metric.
    Metric { metric: usize, inline: usize },
    /// A score, or scores, of whatever metric.
    Scores,
    /// Something else that is no issue.
    Other,
}

/// The longest sentence taken for a heading because it ends with a colon, in bytes.
const LONGEST_SENTENCE: usize = 160;

/// How many bytes behind a metric's name belong to a heading at most.
const LONGEST_TAIL: usize = 200;

/// `Issues` with up to two words before and three behind it, a remark in round brackets, and a
/// colon or the end of the line.
static TAIL: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^(?:[ \t*_]+[\w&/-]+){0,2}?[ \t*_]+issues?(?:[ \t]+[\w&/-]+){0,3}?[ \t*_]*(?:\([^()\n]{0,40}\))?[ \t*_]*(?::[ \t*_]*|\r?\n|\r?$)",
    )
});

/// The same at the start of a line, without a metric's name in front.
static FIRST: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^(?:(?:the|main|key|major)[ \t]+){0,2}issues?(?:[ \t]+[\w&/-]+){0,7}?[ \t*_]*(?:\([^()\n]{0,40}\))?[ \t*_]*(?::[ \t*_]*|\r?$)",
    )
});

/// What may stand behind a metric's name on a line of its own.
static ALONE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^[ \t*_]*(?:\([^()\n]{0,40}\))?[ \t*_]*(?::[ \t*_]*|\r?$)"));

/// `<Words> Issues:`, of which the words may name a metric that is not asked for.
static FOREIGN: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^([\w&/-]+(?:[ \t]+[\w&/-]+){0,3}?)[ \t*_]+issues?[ \t*_]*(?:\([^()\n]{0,40}\))?[ \t*_]*(?::[ \t*_]*|\r?$)",
    )
});

/// Words that stand before `issues` and name no metric.
const GENERAL: [&str; 34] = [
    "additional",
    "all",
    "and",
    "another",
    "any",
    "certain",
    "clear",
    "common",
    "detected",
    "few",
    "found",
    "further",
    "general",
    "identified",
    "key",
    "main",
    "major",
    "minor",
    "more",
    "no",
    "notable",
    "of",
    "other",
    "overall",
    "possible",
    "potential",
    "remaining",
    "several",
    "significant",
    "some",
    "specific",
    "text",
    "the",
    "these",
];

/// The score of any metric: `FINAL <Words> Score:`, or `<Words> Score:` and a number.
static SCORED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^(?:final(?:[ \t*_]+[\w&/-]+){1,4}?[ \t*_]+(?:score|rating)[ \t*_`]*(?::|\r?$)|[\w&/-]+(?:[ \t*_]+[\w&/-]+){0,3}?[ \t*_]+(?:score|rating)[ \t*_]*:[ \t*_`]*\[?[0-9])",
    )
});

/// Where on one line an entry of a form starts, whatever metric it names.
static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^[0-9]{1,2}[).][ \t*]+(?:(?:FINAL|Final)(?:[ \t]+[\w&/-]+){1,4}?[ \t]+(?:Score|SCORE)|[A-Z][\w&/-]*(?:[ \t]+[\w&/-]+){0,3}?[ \t]+(?:Issues|ISSUES))[ \t*]*:",
    )
});

/// The word itself.
static ISSUE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i)\bissues?\b"));

/// Sentences that look back on issues instead of announcing them.
static LOOKS_BACK: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?i)\b(?:these|those|above|no) issues?\b|\bas follows\b|\brate\b"));

/// Compiles a constant.
fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant")
}

/// Reads `… Issues:` right behind a metric's name; returns its length.
pub(super) fn tail(text: &str) -> Option<usize> {
    let near = head(text);
    if !begins_with_one(near, &["issue"]) {
        return None;
    }
    TAIL.find(near).map(|found| found.end())
}

/// Where within a line the numbered entries of a form start, `1) … Issues:` and `3) FINAL … Score:`.
pub(super) fn entries(text: &str) -> impl Iterator<Item = usize> + '_ {
    let bytes = text.as_bytes();
    // A number with a sign behind it is rare: looking for those first spares most texts the search.
    memchr::memchr2_iter(b'.', b')', bytes).filter_map(move |at| {
        let digits = bytes[..at].iter().rev().take_while(|b| b.is_ascii_digit());
        let start = at - digits.count();
        // A line begins at the start of one anyway.
        if start == at || start == 0 || bytes[start - 1] == b'\n' {
            return None;
        }
        let before = &text[..start];
        let behind = text[at + 1..].trim_start_matches([' ', '\t', '*']);
        let word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if word
            || !behind.starts_with(|c: char| c.is_ascii_uppercase())
            || !begins_with_one(head(behind), &["issue", "score"])
            || !ENTRY.is_match(head(&text[start..]))
        {
            return None;
        }
        Some(start - if before.ends_with("**") { 2 } else { 0 })
    })
}

/// Reads a line whose first word stands at `word`; `mentions` are the metrics named in it.
pub(super) fn heading(
    reply: &str,
    line: std::ops::Range<usize>,
    lead: Lead,
    word: usize,
    mentions: &[Hit],
) -> Option<Heading> {
    let text = &reply[word..line.end];
    if text.starts_with('[') && !lead.heading {
        return None;
    }
    if announces_scores(text, lead.bullet) {
        return Some(Heading::Scores);
    }
    let first = mentions.first().filter(|hit| hit.label.start == word);
    if let Some(hit) = first {
        if hit.value.is_some() || hit.strength() == Strength::Final {
            return Some(Heading::Scores);
        }
        let behind = &reply[hit.name.end..line.end];
        let metric = hit.metric;
        if let Some(length) = tail(behind) {
            let inline = hit.name.end + length;
            return Some(Heading::Issues {
                metric: Some(metric),
                inline,
            });
        }
        if let Some(found) = ALONE.find(head(behind)) {
            let inline = hit.name.end + found.end();
            return Some(Heading::Metric { metric, inline });
        }
    }
    let bulleted = lead.bullet && !reply[line.start..word].contains(|c: char| c.is_ascii_digit());
    let may_head = begins_with_one(head(text), &["issue", "rating", "score"]);
    if may_head && SCORED.is_match(head(text)) {
        return Some(Heading::Scores);
    }
    if may_head
        && let Some(end) = foreign(text)
        && (!bulleted || text[..end].contains(':'))
        && mentions.iter().all(|hit| hit.name.start >= word + end)
    {
        return Some(Heading::Foreign);
    }
    let metric = only_one(mentions);
    // The cheap look at one letter spares most lines the search.
    let may_be = text.starts_with(['i', 'I', 't', 'T', 'm', 'M', 'k', 'K']);
    if may_be && let Some(found) = FIRST.find(head(text)) {
        let inline = word + found.end();
        return Some(Heading::Issues { metric, inline });
    }
    let announces = || {
        let sentence = trim_end(text, label::is_filler);
        sentence.ends_with(':') && ISSUE.is_match(sentence) && !LOOKS_BACK.is_match(sentence)
    };
    if text.len() <= LONGEST_SENTENCE && announces() {
        let inline = line.end;
        return Some(Heading::Issues { metric, inline });
    }
    let bold = trim(&reply[line.start + lead.end..line.end], char::is_whitespace);
    let all_bold =
        bold.len() > 4 && bold.starts_with("**") && (bold.ends_with("**") || bold.ends_with("**:"));
    (lead.heading || (all_bold && !lead.bullet)).then_some(Heading::Other)
}

/// Where `<Words> Issues:` ends at the start of a text, if the words may name a metric, and nothing but entries
/// follows: `Word choice issues: some are odd` is an issue by itself.
fn foreign(text: &str) -> Option<usize> {
    // The parts are looked at only where the whole matches.
    if !FOREIGN.is_match(head(text)) {
        return None;
    }
    let found = FOREIGN.captures(head(text))?;
    let mut named = found[1].split(|c: char| !c.is_alphanumeric());
    let general = |word: &str| GENERAL.iter().any(|known| word.eq_ignore_ascii_case(known));
    let end = found[0].len();
    let behind = text[end..].trim_start();
    let entries =
        behind.is_empty() || behind.starts_with(['[', '-', '*', '•']) || bullet::says_none(behind);
    (entries && !named.all(general)).then_some(end)
}

/// The metric of all mentions, if they agree.
fn only_one(mentions: &[Hit]) -> Option<usize> {
    let metric = mentions.first()?.metric;
    mentions
        .iter()
        .all(|hit| hit.metric == metric)
        .then_some(metric)
}

/// Whether a line announces scores. A bullet may well begin with one of the words alone
/// (`- Final chapter is abrupt`); there it takes two of them, or one and a colon.
fn announces_scores(text: &str, bullet: bool) -> bool {
    if !text.starts_with(['f', 'F', 'r', 'R', 's', 'S']) {
        return false;
    }
    let text = head(text);
    let length = |text: &str| {
        let length = text.find(|c: char| !c.is_alphanumeric());
        length.unwrap_or(text.len())
    };
    let known = |word: &str| has(&["final", "rating", "ratings", "score", "scores"], word);
    let (first, behind) = text.split_at(length(text));
    let mut behind = behind.chars();
    let sign = behind.next();
    let second = behind.as_str();
    known(first) && (!bullet || sign == Some(':') || known(&second[..length(second)]))
}

/// As much of a text as a heading can fill.
fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST_TAIL)]
}

/// Whether one of these words, in small letters, begins behind one of the first few blanks or marks of a text: all
/// patterns of this module need that. It spares most lines, which have none, the search.
fn begins_with_one(text: &str, words: &[&str]) -> bool {
    /// The most blanks before the last word of any pattern.
    const MOST: usize = 5;
    let bytes = text.as_bytes();
    let (mut apart, mut blanks) = (false, 0);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' if !apart => {}
            b' ' | b'\t' | b'*' => {
                blanks += usize::from(!apart);
                if blanks > MOST {
                    return false;
                }
                apart = true;
            }
            b'_' => apart = true,
            b'&' | b'/' | b'-' | b'0'..=b'9' | 0x80.. => apart = false,
            b'a'..=b'z' | b'A'..=b'Z' => {
                let begins = |word: &&str| {
                    let word = word.as_bytes();
                    let found = bytes.get(at..at + word.len());
                    // Most words differ in their first letter.
                    word.first() == Some(&byte.to_ascii_lowercase())
                        && found.is_some_and(|found| found.eq_ignore_ascii_case(word))
                };
                if words.iter().any(begins) {
                    return true;
                }
                apart = false;
            }
            _ => return false,
        }
    }
    false
}
