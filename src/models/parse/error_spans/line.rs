//! What a line of a reply with blocks of errors is, by the key with which it begins.
//!
//! Must not know what stands above or below it.

use crate::models::parse::metrics::Metrics;
use crate::models::parse::value::has;

/// The longest key, in bytes.
const LONGEST: usize = 80;

/// A part of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Location,
    Explanation,
    Severity,
    Category,
}

/// What a line is; texts behind keys by where they start in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    Blank,
    /// A fence of code.
    Fence,
    /// The head of a block, with its number if it has one.
    Head(Option<u32>, usize),
    Part(Part, usize),
    /// Where the verdict on the whole stands.
    Verdict,
    /// Why the verdict is what it is.
    Reason(usize),
    /// That there are no errors.
    NoError,
    Text,
}

/// Words for an error in the heads of blocks.
const ERRORS: [&str; 10] = [
    "annotation",
    "error",
    "fault",
    "finding",
    "flaw",
    "issue",
    "item",
    "mistake",
    "problem",
    "span",
];

/// Words for the place of an error.
const LOCATIONS: [&str; 10] = [
    "excerpt",
    "location",
    "passage",
    "phrase",
    "place",
    "quotation",
    "quote",
    "segment",
    "span",
    "where",
];

/// Words for what is wrong, and for why a verdict is what it is.
const EXPLANATIONS: [&str; 10] = [
    "analysis",
    "comment",
    "description",
    "explanation",
    "justification",
    "rationale",
    "reason",
    "reasoning",
    "reasons",
    "why",
];

/// Words for the kind of an error.
const CATEGORIES: [&str; 4] = ["category", "kind", "subtype", "type"];

/// Words for a verdict, of which a key of one must have one.
const VERDICTS: [&str; 14] = [
    "assessment",
    "choice",
    "conclusion",
    "evaluation",
    "grade",
    "judgement",
    "judgment",
    "label",
    "mark",
    "overall",
    "quality",
    "rating",
    "score",
    "verdict",
];

/// Words that may stand beside them in keys.
const BESIDE: [&str; 12] = [
    "a", "answer", "final", "for", "given", "likert", "my", "of", "summary", "text", "the", "this",
];

/// Words that may stand beside those for a part.
const OF_ERRORS: [&str; 9] = [
    "an", "brief", "error", "exact", "for", "level", "of", "text", "the",
];

/// Words that may stand beside `severity`.
const OF_SEVERITY: [&str; 6] = ["error", "level", "of", "rating", "score", "the"];

impl Line {
    /// Reads a line without its break.
    pub(super) fn read(line: &str, metrics: &Metrics) -> Self {
        let start = line.len() - bare(line).len();
        let text = line[start..].trim_end();
        if text.is_empty() {
            let fence = line.trim_start().starts_with("```");
            return if fence { Self::Fence } else { Self::Blank };
        }
        if line.trim_start().starts_with("```") {
            return Self::Fence;
        }
        let Some((key, value)) = key(text) else {
            return if says_no_error(text) {
                Self::NoError
            } else {
                Self::Text
            };
        };
        let value = start + value;
        let colon = line[..value]
            .trim_end_matches(['*', '_', '`', ' '])
            .ends_with([':', '\u{ff1a}']);
        Self::of_key(key, value, colon, metrics).unwrap_or_else(|| {
            if says_no_error(text) {
                Self::NoError
            } else {
                Self::Text
            }
        })
    }

    fn of_key(key: &str, value: usize, colon: bool, metrics: &Metrics) -> Option<Self> {
        let words: Vec<&str> = words(without_aside(key)).collect();
        if let [error, number @ ..] = &words[..]
            && has(&ERRORS, error)
        {
            let number: Option<Option<u32>> = match number {
                [] if colon && !has(&LOCATIONS, error) => Some(None),
                [number] | ["no" | "number", number] => number.parse().ok().map(Some),
                _ => None,
            };
            if let Some(number) = number {
                return Some(Self::Head(number, value));
            }
        }
        let all = |kind: &[&str], beside: &[&str]| {
            words.iter().any(|word| has(kind, word))
                && words
                    .iter()
                    .all(|word| has(kind, word) || has(beside, word))
        };
        if colon {
            for (part, kind) in [
                (Part::Severity, &["severity"][..]),
                (Part::Location, &LOCATIONS),
                (Part::Category, &CATEGORIES),
                (Part::Explanation, &EXPLANATIONS),
            ] {
                let beside = if part == Part::Severity {
                    &OF_SEVERITY[..]
                } else {
                    &OF_ERRORS
                };
                if all(kind, beside) && (part != Part::Severity || !supposes(key)) {
                    return Some(Self::Part(part, value));
                }
            }
        }
        // Names of metrics stand for a verdict as much as its words do.
        let mut rest = without_aside(key).to_owned();
        let named: Vec<_> = metrics
            .mentions(without_aside(key))
            .map(|(_, name)| name)
            .collect();
        for name in named.iter().rev() {
            rest.replace_range(name.clone(), " ");
        }
        let others: Vec<&str> = self::words(&rest).collect();
        let of_verdict = |word: &&str| has(&VERDICTS, word) || has(&BESIDE, word);
        let any = !named.is_empty() || others.iter().any(|word| has(&VERDICTS, word));
        if any && others.iter().all(of_verdict) {
            return Some(Self::Verdict);
        }
        let reason = others.iter().any(|word| has(&EXPLANATIONS, word));
        let known = others
            .iter()
            .all(|word| of_verdict(word) || has(&EXPLANATIONS, word));
        (colon && reason && known).then_some(Self::Reason(value))
    }
}

/// A line without emphasis, heading, bullet and numbering before it.
fn bare(line: &str) -> &str {
    let mark = |c: char| c.is_whitespace() || "*_#>`+|\u{2022}-\u{2013}".contains(c);
    let rest = line.trim_start_matches(mark);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = rest[digits..].strip_prefix(['.', ')']);
    match numbered.filter(|_| (1..=3).contains(&digits)) {
        Some(behind) if behind.starts_with([' ', '\t', '*', '_']) => {
            behind.trim_start_matches(mark)
        }
        _ => rest,
    }
}

/// The key with which a text begins, and where what follows it starts: behind a colon, a sign between blanks, or with the
/// line.
fn key(text: &str) -> Option<(&str, usize)> {
    let near = &text[..text.floor_char_boundary(LONGEST)];
    let mut depth = 0_usize;
    for (at, c) in near.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ':' | '\u{ff1a}' if depth == 0 => {
                let behind = at + c.len_utf8();
                let value = text[behind..]
                    .trim_start_matches(|c: char| c.is_whitespace() || "*_".contains(c));
                return Some((&near[..at], text.len() - value.len()));
            }
            '-' | '\u{2013}' | '\u{2014}' | '=' if depth == 0 && near[..at].ends_with(' ') => {
                return Some((&near[..at], at));
            }
            _ => {}
        }
    }
    (text.len() <= LONGEST).then_some((text, text.len()))
}

/// A key without what stands in brackets.
fn without_aside(key: &str) -> &str {
    key.split(['(', '[', '\u{ff08}']).next().unwrap_or_default()
}

/// Whether brackets behind a key hold words that are no scale: `Severity (if it counted): 2`.
fn supposes(key: &str) -> bool {
    let aside = &key[without_aside(key).len()..];
    words(aside).count() > 1 && !aside.contains(|c: char| c.is_ascii_digit())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    parts.filter(|word| !word.is_empty())
}

/// Whether a line says that there are no errors.
pub(super) fn says_no_error(text: &str) -> bool {
    let text = &text[..text.floor_char_boundary(LONGEST)];
    let clause = text
        .split(['.', '(', ',', ';', '\u{2014}'])
        .next()
        .unwrap_or_default();
    let words: Vec<&str> = words(clause).collect();
    let [first, rest @ ..] = &words[..] else {
        return false;
    };
    let no = has(&["no", "none", "zero"], first);
    let errors = ["errors", "issues", "mistakes", "problems"];
    let beside = [
        "are",
        "been",
        "detected",
        "found",
        "have",
        "identified",
        "present",
        "significant",
        "were",
    ];
    let any = rest
        .iter()
        .any(|word| has(&ERRORS, word) || has(&errors, word));
    let known = |word: &&str| has(&ERRORS, word) || has(&errors, word) || has(&beside, word);
    no && any && rest.iter().all(known)
}
