//! Values that sentences give, and fractions of the scale.
//!
//! A sentence gives a value with a verb (`give`, `rate`, …) and, right before the value, a word that such
//! sentences have there; other numbers are counted things, years or chapters. Must not look at labels.

use std::sync::LazyLock;

use regex::Regex;

use super::hedge::{clause, hedged};
use super::line::is_year;
use super::part::{Reading, regex};
use super::quoted::Quoted;
use crate::models::parse::evaluation_form::label::is_filler;
use crate::models::parse::metrics::{Metrics, is_word};
use crate::models::parse::owner;
use crate::models::parse::place::Place;
use crate::models::parse::value::{self, Found, Value, digit, has, names_another};

/// Verbs that give a score. Boundaries of ASCII are much faster to look for; `is_word` knows the others.
static VERB: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)(?-u:\b)(?:give|gives|gave|rate|rates|rated|score|scores|scored|assign|award|grade|graded|say|deserves?|merits?|earns?|receives?|gets?)(?-u:\b)",
    )
});

/// Words right before a value that is given.
const BEFORE: [&str; 27] = [
    "a", "an", "as", "at", "be", "clear", "document", "essay", "full", "it", "low", "of",
    "passage", "rate", "rated", "response", "say", "scores", "scored", "solid", "story", "strong",
    "summary", "text", "that", "this", "weak",
];

/// A fraction in digits, on one line.
static FRACTION: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\p{Nd}+(?:[.,\uff0e]\p{Nd}+)?[^\S\r\n]{0,4}(?:/|\uff0f|out[^\S\r\n]{1,4}of\b)[^\S\r\n]{0,4}\p{Nd}",
    )
});

/// What may follow a value right behind its verb: `It earns 3 points.`
static POINTS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^[^\s]+[\s*_]+(?:points?|stars?)[\s*_]*(?:[.!;,)]|$|\n|out\s+of\b|overall\b|because\b|since\b)",
    )
});

/// How far behind its verb a value may stand, in bytes.
const REACH: usize = 100;

/// How far before its verb a negation may stand, in bytes.
const LOOK_BACK: usize = 24;

/// Appends the values that sentences give.
pub(super) fn given(
    reading: Reading<'_>,
    metrics: &Metrics,
    quoted: &Quoted,
    places: &mut Vec<Place>,
) {
    let part = reading.part();
    for verb in VERB.find_iter(part) {
        let end = part.floor_char_boundary(verb.end() + REACH);
        let sentence = &part[verb.end()..end];
        let mut starts = starts(sentence, reading.words).peekable();
        // Most verbs give no number: no need to look at whose they are.
        if starts.peek().is_none() {
            continue;
        }
        let before = part[..verb.start()].len().saturating_sub(LOOK_BACK);
        let before = &part[part.ceil_char_boundary(before)..verb.start()];
        if denied(before) || !is_word(part, verb.start(), verb.end()) {
            continue;
        }
        // `not worth a score of 4`: no verb, for which another one is denied.
        let noun = matches!(&*last_word(before), "a" | "an" | "the");
        let stated = || {
            let mut words = before.split_whitespace();
            words.any(|word| has(&["had", "has", "have"], word))
        };
        if noun && (stated() || hedged(&part[..verb.start()])) {
            continue;
        }
        let subject = sentence_before(part, verb.start());
        if !is_own(subject) || is_of_others(subject) || owner::opens_elsewhere(subject, metrics) {
            continue;
        }
        // What is bounded is given by no later number of the sentence either.
        let bounded = |at: &usize| !hedged(&sentence[..*at]);
        let found = starts.take_while(bounded).find_map(|at| {
            let start = verb.end() + at;
            let between = &part[verb.end()..start];
            let known = BEFORE.contains(&&*last_word(&part[verb.start()..start]));
            let right_behind = between.trim_matches(is_filler).is_empty();
            if !(known || right_behind) {
                return None;
            }
            if names_another(between)
                || between.contains(" like ")
                || !about_the_text(between, metrics)
            {
                return None;
            }
            if garbled(between) {
                let end = at
                    + sentence[at..]
                        .find(|c| digit(c).is_none())
                        .unwrap_or(sentence.len() - at);
                return Some(Found::unclear(
                    reading.from + verb.start()..reading.from + verb.end() + end,
                ));
            }
            let start = signed(part, start);
            let how = value::How {
                exact: true,
                ..reading.how()
            };
            let found = value::read(part, start, how)?;
            if !known && !POINTS.is_match(&part[start..]) {
                return None;
            }
            usable(reading, found.shifted(reading.from), quoted)
        });
        places.extend(found.map(Place::bare));
    }
}

/// Appends the fractions of the scale.
pub(super) fn fractions(
    reading: Reading<'_>,
    metrics: &Metrics,
    quoted: &Quoted,
    places: &mut Vec<Place>,
) {
    let part = reading.part();
    for fraction in FRACTION.find_iter(part) {
        let start = fraction.start();
        let joined = |c: char| c.is_alphanumeric() || "/.,-\u{2212}+".contains(c);
        if part[..start].ends_with(joined)
            || hedged(&part[..start])
            || names_another(sentence_before(part, start))
            || !about_the_text(sentence_before(part, start), metrics)
        {
            continue;
        }
        let sentence = sentence_before(part, start);
        if owner::opens_elsewhere(sentence, metrics) || owner::labels_another(sentence, metrics) {
            continue;
        }
        // What no sentence may give, no fraction in it does.
        let before = clause(&part[..start]);
        if VERB
            .find_iter(before)
            .any(|verb| denied(&before[..verb.start()]))
        {
            continue;
        }
        let found = value::read(part, start, reading.how());
        let found = found.filter(|found| match found.value {
            Value::Number { out_of, .. } => {
                out_of.is_some_and(|top| (top - reading.scale.max).abs() < f64::EPSILON)
            }
            _ => false,
        });
        let found = found.map(|found| found.shifted(reading.from));
        places.extend(
            found
                .and_then(|found| usable(reading, found, quoted))
                .map(Place::bare),
        );
    }
}

/// The value, unless it is quoted or a year.
fn usable(reading: Reading<'_>, found: Found, quoted: &Quoted) -> Option<Found> {
    let place = found.span.start - reading.from..found.span.end - reading.from;
    let digits = &reading.text[found.span.clone()];
    (!quoted.hold(&place) && !is_year(digits, &found, reading)).then_some(found)
}

/// How much before a verb is looked at for whose verdict it gives, in bytes.
const SENTENCE: usize = 200;

/// The sentence up to `at`.
fn sentence_before(part: &str, at: usize) -> &str {
    let from = part.ceil_char_boundary(at.saturating_sub(SENTENCE));
    let before = &part[from..at];
    let ends = before.match_indices(['.', '!', '?', '\n', ';']);
    let mut end = ends
        .filter(|(end, sign)| *sign == "\n" || before[end + 1..].starts_with(char::is_whitespace));
    end.next_back()
        .map_or(before, |(end, _)| &before[end + 1..])
}

/// Whether a sentence speaks of what is judged, in the words of who judges.
fn is_own(before: &str) -> bool {
    const SUBJECTS: [&str; 27] = [
        "answer",
        "article",
        "document",
        "essay",
        "fluency",
        "i",
        "i'd",
        "i'll",
        "i've",
        "it",
        "it's",
        "my",
        "novel",
        "passage",
        "piece",
        "prose",
        "quality",
        "response",
        "score",
        "story",
        "summary",
        "text",
        "that",
        "this",
        "translation",
        "we",
        "writing",
    ];
    let mut words = before.split(|c: char| !(c.is_alphabetic() || matches!(c, '\'' | '\u{2019}')));
    !names_another(before) && words.any(|word| has(&SUBJECTS, &word.replace('\u{2019}', "'")))
}

/// Whether who gives a score is somebody else: `My students gave it a 4.`
fn is_of_others(before: &str) -> bool {
    let clause = before.rsplit([',', ';', ':']).next().unwrap_or(before);
    let mut words = clause
        .rsplit(|c: char| !(c.is_alphabetic() || matches!(c, '\'' | '\u{2019}')))
        .filter(|word| !word.is_empty())
        .skip_while(|word| word.ends_with("ly") || value::is_known(word) && !has(&PRONOUNS, word));
    let last = words.next();
    last.is_some_and(|word| {
        !value::is_known(word)
            && (word.ends_with('s') || clause.to_ascii_lowercase().contains("my "))
    })
}

/// Who gives a score.
const PRONOUNS: [&str; 5] = ["i", "it", "that", "this", "we"];

/// Whether what is scored is the text or a metric that is asked for: the last noun before a number is known.
fn about_the_text(between: &str, metrics: &Metrics) -> bool {
    let between = between.rsplit('>').next().unwrap_or(between);
    let names: Vec<_> = metrics.mentions(between).map(|(_, name)| name).collect();
    let words = between.rsplit(|c: char| !(c.is_alphabetic() || matches!(c, '\'' | '\u{2019}')));
    let mut at = between.len();
    let mut noun = words
        .map(|word| {
            let end = at;
            at = between[..end.saturating_sub(word.len())]
                .char_indices()
                .next_back()
                .map_or(0, |(at, _)| at);
            (word, end)
        })
        .filter(|(word, _)| !word.is_empty())
        .skip_while(|(word, _)| {
            BEFORE.contains(&&*word.to_lowercase())
                && !has(
                    &[
                        "document", "essay", "it", "passage", "story", "summary", "text", "that",
                        "this",
                    ],
                    word,
                )
        });
    noun.next().is_none_or(|(word, end)| {
        value::is_known(word) || names.iter().any(|name| name.contains(&(end - word.len())))
    })
}

/// Whether the words before a verb take it back.
fn denied(before: &str) -> bool {
    let mut words = before.rsplit(|c: char| c.is_whitespace() || c == '*');
    let negates = |word: &str| {
        let word = word.to_lowercase();
        matches!(
            &*word,
            "not" | "never" | "cannot" | "to" | "if" | "could" | "might"
        ) || word.ends_with("n't")
            || word.ends_with("n’t")
    };
    words
        .by_ref()
        .filter(|word| !word.is_empty())
        .take(2)
        .any(negates)
}

/// Whether words stand next to one another that no sentence has so: `a score of would be`.
fn garbled(between: &str) -> bool {
    const OPEN: [&str; 10] = [
        "a", "an", "as", "at", "for", "from", "my", "of", "the", "with",
    ];
    const CLOSED: [&str; 13] = [
        "am", "are", "be", "can", "could", "is", "may", "might", "of", "should", "was", "will",
        "would",
    ];
    let mut words = between
        .split(|c: char| c.is_whitespace() || "*_`".contains(c))
        .filter(|word| !word.is_empty());
    let mut open = false;
    words.any(|word| {
        let broken = open && has(&CLOSED, word);
        open = has(&OPEN, word);
        broken
    })
}

/// Where the number at `start` starts with its sign, if a sign stands apart before it: `a -1`.
fn signed(part: &str, start: usize) -> usize {
    let before = part[..start].trim_end_matches(['-', '\u{2212}', '+']);
    let sign = part[before.len()..start].chars().next();
    match sign {
        Some(sign) if before.len() + sign.len_utf8() == start && before.ends_with(is_filler) => {
            before.len()
        }
        _ => start,
    }
}

/// Where numbers may start in what follows a verb, up to the end of the sentence.
fn starts(sentence: &str, words: bool) -> impl Iterator<Item = usize> + '_ {
    let mut before = ' ';
    let mut ended = false;
    sentence.char_indices().filter_map(move |(at, c)| {
        // A point that a blank follows, not that of a decimal number.
        ended |= before == '.' && c.is_whitespace() || matches!(c, '!' | '?' | '\n');
        let word = !before.is_alphanumeric() && !matches!(before, '.' | ',' | '/');
        let sort = if words {
            // `one` is mostly no number.
            c.is_alphabetic() && !sentence[at..].starts_with("one")
        } else {
            digit(c).is_some()
        };
        before = c;
        (word && sort && !ended).then_some(at)
    })
}

/// The last word of a text, in small letters, emphasis and quotation marks behind it left out.
fn last_word(text: &str) -> String {
    let mark = |c: char| c.is_whitespace() || "*_`\"'\u{201c}[($+-\u{2212}".contains(c);
    let text = text.trim_end_matches(mark);
    let start = text.rfind(|c: char| !c.is_alphanumeric());
    let start = start.map_or(0, |at| text.ceil_char_boundary(at + 1));
    text[start..].to_lowercase()
}
