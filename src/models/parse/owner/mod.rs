//! Whose a value is that does not name its metric: the verdict's, unless words around it name something else.
//!
//! A heading of a few words, a line such as `Criterion: style`, an opening phrase (`As for style, …`) or a remark
//! (`4 - style`) may name another aspect, another text or another time. What is named there and is not known makes the
//! value ambiguous. Must not read values.

mod words;

use self::words::{
    ADVERBS, ASPECTS, BESIDE, FILLERS, HARMLESS, MORE, NO_ASPECTS, OPENINGS, OWNERS, POLITE,
    QUALIFIERS, REVISIONS, SUPPOSING,
};
use super::metrics::Metrics;
use super::value::{has, is_known};

/// How many lines above a value are looked at.
const LINES: usize = 12;

/// The most words of a heading without marks.
const TITLE: usize = 4;

/// The most words of a label.
const LABEL: usize = 3;

/// The most words of an opening phrase.
const PHRASE: usize = 9;

/// The words of a text, with apostrophes.
fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    let parts = text.split(|c: char| !(c.is_alphabetic() || matches!(c, '\'' | '\u{2019}')));
    parts.filter(|word| !word.is_empty())
}

/// Whether words name something that is neither a metric asked for nor the verdict.
fn names_something(text: &str, metrics: &Metrics) -> bool {
    metrics.mentions(text).next().is_none()
        && words(text).any(|word| !(is_known(word) || has(&HARMLESS, word)))
}

/// Whether a word is the name of an aspect, by the look of it.
fn is_aspect(word: &str) -> bool {
    const ENDS: [&str; 6] = ["acy", "ance", "ence", "ency", "ity", "ness"];
    let small = word.to_ascii_lowercase();
    has(&ASPECTS, word)
        || (small.len() > 5
            && ENDS.iter().any(|end| small.ends_with(end))
            && !has(&NO_ASPECTS, word)
            && !is_known(word)
            && !has(&HARMLESS, word))
}

/// Whether what stands around an unnamed value names another owner; `at` is where its label starts, or itself; `firm`
/// values are those in marks and behind `final`, which a section rarely has for itself.
pub(super) fn is_anothers(
    text: &str,
    (at, end): (usize, usize),
    firm: bool,
    metrics: &Metrics,
) -> bool {
    let line_start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let before = &text[line_start..at];
    if is_introduced_by_another(before, metrics) {
        return true;
    }
    let leads = words(before).count() <= TITLE;
    match leads
        .then(|| above(text, line_start, firm, metrics))
        .flatten()
    {
        Some(another) => another,
        None => behind(&text[end.min(text.len())..], metrics),
    }
}

/// Whether the words before a value on its line name another owner: `Style | Score: 4`, `Input: … Score: 4`.
fn is_introduced_by_another(before: &str, metrics: &Metrics) -> bool {
    let bare = undecorated(before);
    bare.contains(char::is_alphabetic)
        && (opens_elsewhere(last_sentence(bare), metrics)
            || owner(bare).is_some_and(|owner| names_something(owner, metrics))
            || label(bare).is_some_and(|label| names_something(label, metrics)))
}

/// The part of a line behind its last full sentence.
fn last_sentence(line: &str) -> &str {
    let ends = line.match_indices(['.', '!', '?', ';']);
    let mut ends = ends.filter(|(at, _)| line[at + 1..].starts_with(' '));
    ends.next_back()
        .map_or(line, |(at, _)| line[at + 1..].trim_start())
}

/// A line without the marks, bullets and numbers it begins with.
fn undecorated(line: &str) -> &str {
    let marks = |c: char| c.is_whitespace() || "#*_`>-+\u{2022}|[(".contains(c);
    let rest = line.trim_start_matches(marks);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    match rest[digits..].strip_prefix(['.', ')']) {
        Some(rest) if digits > 0 => rest.trim_start_matches(marks),
        _ => rest,
    }
}

/// The few words before the first colon, bar or dash of a line.
fn label(line: &str) -> Option<&str> {
    let end = line
        .char_indices()
        .find(|(at, c)| match c {
            ':' | '|' | '\u{ff1a}' => true,
            '-' | '\u{2013}' | '\u{2014}' => line[..*at].ends_with(' '),
            _ => false,
        })?
        .0;
    let label = line[..end].trim_end_matches(['*', '_', '`', ' ']);
    let plain = !label.contains(['.', ',', '!', '?', ';']) && label.contains(char::is_alphabetic);
    // Another score.
    let behind = line[end..].trim_start_matches([':', '\u{ff1a}', '*', '_', ' ']);
    let plain = plain && !behind.starts_with(|c: char| c.is_numeric());
    (plain && words(label).count() <= LABEL).then_some(label)
}

/// What a line such as `Criterion: style` says a score is for.
fn owner(line: &str) -> Option<&str> {
    let (name, owner) = line.split_once([':', '='])?;
    let mut name = words(name);
    let known = name.next().is_some_and(|word| has(&OWNERS, word)) && name.next().is_none();
    let owner = owner.split(['.', ';', '(', '-']).next().unwrap_or(owner);
    (known && owner.contains(char::is_alphabetic)).then_some(owner)
}

/// Whether the lines above name another owner; `None` where they name nobody.
fn above(text: &str, line_start: usize, firm: bool, metrics: &Metrics) -> Option<bool> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = indent(text[line_start..].split('\n').next().unwrap_or_default());
    let (mut prose, mut blank) = (false, false);
    for line in text[..line_start.saturating_sub(1)]
        .rsplit('\n')
        .take(LINES)
    {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            blank = true;
            continue;
        }
        let bare = undecorated(trimmed);
        if !bare.contains(char::is_alphabetic) {
            if trimmed.contains(char::is_numeric) {
                return None;
            }
            continue;
        }
        let heading = trimmed.starts_with('#');
        if !prose {
            if let Some(owner) = owner(bare) {
                return Some(names_something(owner, metrics));
            }
            // An entry of a list owns only what is indented below it.
            let entry = trimmed.starts_with(['-', '+', '\u{2022}'])
                || trimmed.starts_with("* ")
                || trimmed.starts_with(|c: char| c.is_ascii_digit());
            if !(entry && own <= indent(line)) && is_title(bare) {
                return Some(names_something(bare, metrics));
            }
            if let (Some(name), false, false) = (label(bare), blank, entry) {
                let rest = bare[name.len()..].trim_start_matches([':', '*', '_', ' ', '-']);
                return (!rest.starts_with(|c: char| c.is_ascii_digit() || c == '['))
                    .then(|| names_something(name, metrics));
            }
        }
        if heading {
            return (!firm).then(|| names_something(bare, metrics));
        }
        prose = true;
    }
    None
}

/// Whether a line is a heading of a few words and no sentence.
fn is_title(bare: &str) -> bool {
    let name = bare.split('(').next().unwrap_or(bare);
    let name = name.trim_end_matches(['*', '_', '`', ' ', ':']);
    let count = words(name).count();
    // `Relevance.`, but no sentence of one word.
    let name = match name.strip_suffix('.') {
        Some(name) if is_aspect(name) => name,
        Some(_) => return false,
        None => name,
    };
    (1..=TITLE).contains(&count)
        && !name.contains(|c: char| {
            c.is_numeric() || ".,;:!?|=<>{}\"\u{3002}\u{ff01}\u{ff1f}\u{ff0c}\u{ff1a}".contains(c)
        })
}

/// Whether what follows a value names another owner, or supposes it.
fn behind(rest: &str, metrics: &Metrics) -> bool {
    let mut lines = rest.split('\n');
    let line = lines.next().unwrap_or_default();
    let gap =
        |c: char| c.is_whitespace() || "/0123456789]})([*_`.,;:|-\u{2013}\u{2014}".contains(c);
    let clause = line.trim_start_matches(gap);
    let clause = clause
        .split(['.', ';', ')', ']', '('])
        .next()
        .unwrap_or_default();
    let mut first = words(clause);
    let supposes = matches!(
        (first.next(), first.next()),
        (Some(first), Some("it")) if has(&["had", "if", "once", "were"], first)
    );
    if supposes || is_for_aspect(clause, metrics) {
        return true;
    }
    let next = lines.map(undecorated).find(|line| !line.is_empty());
    next.and_then(owner)
        .is_some_and(|owner| names_something(owner, metrics))
}

/// Whether a clause says no more than which aspect a score is for.
fn is_for_aspect(clause: &str, metrics: &Metrics) -> bool {
    let mut aspects = words(clause).filter(|word| !has(&FILLERS, word)).peekable();
    aspects.peek().is_some() && aspects.all(is_aspect) && metrics.mentions(clause).next().is_none()
}

/// Whether brackets or words right behind a number say that it is no score: `(number of typos)`, `(rank)`.
pub(super) fn is_qualified(rest: &str, metrics: &Metrics) -> bool {
    let rest = rest.trim_start_matches(['*', '_', '`', ' ']);
    let counts = |text: &str| text.starts_with("number of ") || text.starts_with("the number of ");
    if let Some(rest) = rest.strip_prefix(':') {
        return counts(rest.trim_start());
    }
    let Some(inside) = rest.strip_prefix(['(', '[']) else {
        return false;
    };
    let Some(inside) = inside
        .find([')', ']', '\n'])
        .map(|end| inside[..end].trim())
    else {
        return false;
    };
    let qualifies = |word: &str| has(&QUALIFIERS, word);
    counts(inside)
        || is_for_aspect(inside, metrics)
        || (words(inside).any(qualifies)
            && words(inside).all(|word| qualifies(word) || has(&BESIDE, word))
            && !inside.contains(char::is_numeric))
}

/// Whether a sentence up to its verb or value speaks of something else than the verdict: another aspect, another time,
/// what would be.
pub(super) fn opens_elsewhere(sentence: &str, metrics: &Metrics) -> bool {
    let sentence = undecorated(sentence);
    if label(sentence).is_some_and(|label| names_something(label, metrics)) {
        return true;
    }
    let mut all = words(sentence);
    let (Some(first), second) = (all.next(), all.next()) else {
        return false;
    };
    let then = |list: &[&str]| second.is_some_and(|word| has(list, word));
    let past = words(sentence).any(|word| has(&["ago", "yesterday"], word));
    let would_have = || {
        let mut last = words(sentence).rev();
        last.next().is_some_and(|word| has(&["have"], word))
            && last.next().is_some_and(|word| has(&["would"], word))
    };
    let polite = has(&["if", "were"], first)
        && words(sentence)
            .skip(1)
            .take(2)
            .any(|word| has(&POLITE, word))
        && words(sentence)
            .skip(1)
            .take(2)
            .any(|word| has(&["forced", "i", "pressed"], word));
    if past
        || would_have()
        || (has(&SUPPOSING, first) && !polite && !then(&["again"]))
        || (has(&["with"], first) && then(&MORE))
        || (has(&["after"], first) && then(&REVISIONS))
    {
        return true;
    }
    let named = |text: &str| metrics.mentions(text).next().is_some();
    let opening = sentence.split(',').next().unwrap_or(sentence);
    if has(&ADVERBS, first) && opening.len() < sentence.len() && words(opening).count() == 1 {
        return true;
    }
    let wise =
        ["-wise,", "wise,"].iter().any(|end| sentence.contains(end)) && words(opening).count() <= 2;
    let wise = wise || then(&["wise"]);
    if wise && !has(&["likewise", "otherwise"], first) {
        return !named(opening);
    }
    let scale = words(opening).any(|word| has(&["scale"], word));
    // `As an expert, I give it a 4.`, `With these slips, I give it a 4.`
    let role = (has(&["as"], first) && !then(&["far", "for", "regards", "to"]))
        || (has(&["with"], first) && !then(&["regard", "regards", "respect"]));
    has(&OPENINGS, first)
        && !(scale || role)
        && phrase(sentence).is_some_and(|phrase| names_something(phrase, metrics))
}

/// The phrase before the clause that gives a score: `As for style` of `As for style, I'd give it`.
fn phrase(sentence: &str) -> Option<&str> {
    const GIVERS: [&str; 7] = ["i", "i'd", "i'll", "it", "my", "this", "we"];
    let (phrase, rest) = match sentence.split_once([',', ':']) {
        Some((phrase, rest)) => (phrase, rest),
        None => {
            let at = sentence.find(" I ").or_else(|| sentence.find(" I'"))?;
            sentence.split_at(at)
        }
    };
    let giver = words(rest).next().is_some_and(|word| has(&GIVERS, word));
    let reason = words(phrase).nth(1).is_some_and(|word| {
        has(
            &["all", "being", "having", "how", "its", "these", "those"],
            word,
        )
    });
    (giver && !reason && words(phrase).count() <= PHRASE).then_some(phrase)
}

/// Whether the label at the start of a fraction names something else: `Customer rating: 4/5`.
pub(super) fn labels_another(sentence: &str, metrics: &Metrics) -> bool {
    let sentence = undecorated(sentence);
    let ends = sentence
        .trim_end_matches(['*', '_', '`', ' '])
        .ends_with([':', '=']);
    ends && label(sentence).is_some_and(|label| names_something(label, metrics))
}

/// Whether the name of a metric at `name` stands behind its own value, so that what follows on `value`'s line is
/// another's: `Score: 4 - Fluency` above `Score: 2 - Coherence`.
pub(super) fn follows_value(part: &str, name: usize, value: &str) -> bool {
    let start = part[..name].rfind('\n').map_or(0, |end| end + 1);
    let before = undecorated(&part[start..name]);
    let broken = value.contains('\n');
    if before.is_empty() || !(broken || value.trim().is_empty()) {
        return false;
    }
    let end = before.trim_end_matches(|c: char| " *_`-\u{2013}\u{2014}:,|([])/".contains(c));
    let end = [" for", " on"]
        .iter()
        .find_map(|word| end.strip_suffix(word))
        .map_or(end, str::trim_end)
        .trim_end_matches([',', ' ']);
    let leads = broken || before.starts_with(|c: char| c.is_ascii_digit());
    if leads && end.ends_with(|c: char| c.is_ascii_digit()) {
        return end.len() <= 24;
    }
    broken && has(&OWNERS, end) && values_lead(part)
}

/// Whether the first line of a part that says what a score is for stands below a score: then names stand behind values.
fn values_lead(part: &str) -> bool {
    for line in part.split('\n') {
        let bare = undecorated(line);
        if owner(bare).is_some() {
            return false;
        }
        let mut all = words(bare);
        if all
            .next()
            .is_some_and(|word| has(&["grade", "mark", "rating", "score"], word))
            && bare.contains(|c: char| c.is_ascii_digit())
        {
            return true;
        }
    }
    false
}
