//! What stands around lists and may revise them.
//!
//! Must not read verdicts.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::List;
use crate::models::parse::agree::Asked;
use crate::models::parse::value::{Standing, has, mentions, names_another, standing, states_near};

/// Words that revise what was said.
const REVISES: [&str; 40] = [
    "actually",
    "amend",
    "amended",
    "change",
    "changed",
    "changing",
    "correct",
    "corrected",
    "correction",
    "corrections",
    "doch",
    "edit",
    "erratum",
    "however",
    "instead",
    "korrektur",
    "meant",
    "misread",
    "mistake",
    "mistaken",
    "nochmals",
    "now",
    "oops",
    "rather",
    "reconsider",
    "reconsidered",
    "reconsidering",
    "reconsideration",
    "reflection",
    "replace",
    "retract",
    "reverse",
    "revise",
    "revised",
    "revising",
    "revision",
    "scratch",
    "sorry",
    "swap",
    "wait",
];

/// An element by its number in running text.
static ELEMENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:\b(?:item|question|claim|statement|fact|point|criterion|element|number|no|nr|entry|answer|q)\s*\.?\s*#?\s*|#)\d+\b")
        .expect("the pattern is made of constants")
});

/// Words that suppose another verdict.
const SUPPOSES: [&str; 8] = [
    "could", "if", "might", "must", "ought", "should", "unless", "would",
];

/// Sentences that make nothing of a list, or turn it around, without naming a verdict.
static WITHDRAWS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        \b (?:swapped|exchanged|switched|interchanged|transposed|mixed\s+up|confused) \b [^.\n]{0,40} (?: \b (?:answers?|verdicts?|them|two|scores?|labels?|ratings?|items?|above) \b | [0-9] )
      | \b (?:answers?|verdicts?|scores?|two|three|these|they) \b [^.\n]{0,30} \b (?:be|are|were) \s+ (?:swapped|exchanged|switched|interchanged|reversed) \b
      | \b (?:disregard|ignore|discard) \s+ (?:all\s+|any\s+)? (?:of\s+)? (?:these|those|the|my) \b [^.\n]{0,20} \b (?:answers?|verdicts?|scores?|ratings?|above|list) \b
      | \b (?:these|those|the|all) (?:\s+(?:answers|verdicts|scores|values|ratings))? (?:\s+above)? \s+ (?:are|were) \s+ (?:\w+\s+){0,2} (?:placeholders?|samples?|dummy|examples?|guesses|made\s+up|random|fabricated|illustrative) \b
      | \b I \s+ take \s+ (?: back \b | [^.\n]{1,25} \s back \b )
      | \b I \s+ (?:was|am|have\s+been|may\s+have\s+been) \s+ too \s+ (?:generous|lenient|harsh|strict|kind|hard|soft) \b",
    )
    .expect("the pattern is made of constants")
});

/// Sentences that change the verdict on an element named by its place: `the second deserves a 2`.
static ORDINAL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        \b (?:raise|lower|change|make|turn|set|move|upgrade|downgrade|revise) \s+ (?:the\s+)? (?:first|second|third|fourth|fifth|sixth|last|final) \b
      | \b the \s+ (?:first|second|third|fourth|fifth|sixth|last|former|latter) (?:\s+ (?:one|two|three|claim|answer|item|statement|question|verdict|score|point))? \s+ (?:deserves?|should|would|ought|must|needs|merits|is\s+(?:really|actually|rather|in\s+fact)) \b",
    )
    .expect("the pattern is made of constants")
});

/// What an end of a scale means: `1 = fully supported`.
static MEANS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?P<mark>[0-9]+)\s*(?:=|means|is)\s*(?:(?P<good>fully|completely|entirely|totally|perfectly)\b|(?P<bad>not|never|un(?:supported|true|faithful)|contradict\w*)\b)",
    )
    .expect("the pattern is made of constants")
});

/// Words for places in a text, above numbers that are no verdicts: `Sentences used:`.
const PLACES: [&str; 20] = [
    "citation",
    "citations",
    "evidence",
    "ids",
    "indices",
    "line",
    "lines",
    "page",
    "pages",
    "paragraph",
    "paragraphs",
    "passages",
    "quotes",
    "reference",
    "references",
    "sentence",
    "sentences",
    "source",
    "sources",
    "used",
];

/// Words with which such places are verdicts all the same: `Scores of the sentences:`.
const GRADED: [&str; 16] = [
    "answer",
    "answers",
    "assessment",
    "grade",
    "grades",
    "judgement",
    "judgements",
    "judgments",
    "mark",
    "marks",
    "rating",
    "ratings",
    "score",
    "scores",
    "verdict",
    "verdicts",
];

/// Whether words say that the numbers below them are places in a text.
pub(in crate::models::parse) fn names_places(asked: &Asked<'_>, words: &str) -> bool {
    let mut words = words.split(|c: char| !c.is_alphabetic());
    let graded = words.clone().any(|word| has(&GRADED, word));
    asked.scale.labels.is_empty() && !graded && words.any(|word| has(&PLACES, word))
}

/// What stands outside of lists.
fn outside<'r>(asked: &Asked<'r>, lists: &[Range<usize>]) -> Vec<&'r str> {
    let mut lists: Vec<&Range<usize>> = lists.iter().collect();
    lists.sort_by_key(|list| list.start);
    let mut pieces = Vec::new();
    for part in &asked.answer.parts {
        let mut from = part.start;
        for list in &lists {
            if list.start >= part.end || list.end <= from {
                continue;
            }
            pieces.extend(asked.reply.get(from..list.start));
            from = list.end.min(part.end);
        }
        pieces.extend(asked.reply.get(from..part.end));
    }
    pieces
}

/// Whether the words around lists of numbers state another scale, or one that is turned around.
pub(super) fn states_another(asked: &Asked<'_>, lists: &[Range<usize>]) -> bool {
    let scale = asked.scale;
    let turned = |text: &str| {
        MEANS.captures_iter(text).any(|found| {
            let mark = found["mark"].parse::<f64>().unwrap_or(f64::NAN);
            let end = if found.name("good").is_some() {
                scale.min
            } else {
                scale.max
            };
            mark.total_cmp(&end).is_eq()
        })
    };
    scale.labels.is_empty()
        && outside(asked, lists)
            .into_iter()
            .any(|text| states_near(text, scale) || turned(text))
}

/// A line below the last entry of a list that takes the list, or a verdict of it, back.
pub(super) fn revises_below(asked: &Asked<'_>, list: &List) -> Option<String> {
    let last = list.items.last()?;
    let text = asked.reply.get(last.span.clone())?;
    let (_, below) = text.split_once('\n')?;
    let mut lines = below.lines().filter(|line| !line.starts_with([' ', '\t']));
    let line = lines.find(|line| WITHDRAWS.is_match(line) || ORDINAL.is_match(line))?;
    Some(line.trim().to_owned())
}

/// Words above a list that is no judge's own.
const OTHERS: [&str; 15] = [
    "annotation",
    "annotations",
    "annotator",
    "annotators",
    "example",
    "examples",
    "expected",
    "format",
    "gold",
    "human",
    "humans",
    "options",
    "sample",
    "template",
    "people",
];

/// Whether the words above a place, or before it on its line, say that what follows is another's, an example or a draft.
pub(super) fn is_anothers(asked: &Asked<'_>, start: usize) -> bool {
    let mut parts = asked.answer.parts.iter();
    let Some(part) = parts.find(|part| part.contains(&start)) else {
        return false;
    };
    let above = &asked.reply[part.start..start];
    let mut lines = above.rsplit('\n').map(str::trim);
    let fence = |line: &&str| !line.is_empty() && !line.starts_with("```");
    let lead = lines.find(fence).unwrap_or_default();
    let lead = lead.trim_end_matches(['*', '_', '`', ' ']);
    let leads = lead.ends_with([':', '\u{ff1a}', '=']);
    let mut words = lead.split(|c: char| !c.is_alphabetic());
    leads
        && (words.any(|word| has(&OTHERS, word))
            || names_places(asked, lead)
            || names_another(lead)
            || standing(above, above.len(), asked.metrics) == Standing::Other)
}

/// The first sentence behind `from`, and outside of lists, that may revise a verdict.
pub(super) fn revises(asked: &Asked<'_>, from: usize, lists: &[Range<usize>]) -> Option<String> {
    for part in &asked.answer.parts {
        let start = part.start.max(from);
        if start >= part.end {
            continue;
        }
        let mut at = start;
        for sentence in asked.reply[start..part.end].split_inclusive(['\n', '.', '!', '?', ';']) {
            let place = at..at + sentence.len();
            at = place.end;
            let listed = |list: &&Range<usize>| list.start < place.end && place.start < list.end;
            if lists.iter().any(|list| listed(&list)) {
                continue;
            }
            let mut words = sentence.split(|c: char| !c.is_alphanumeric());
            let revises = words.any(|word| has(&REVISES, word));
            let element = ELEMENT.is_match(sentence);
            let says = !mentions(sentence, asked.scale).is_empty()
                || (asked.scale.labels.is_empty()
                    && sentence.contains(|c: char| c.is_ascii_digit()));
            let numbered = sentence.contains(|c: char| c.is_ascii_digit());
            let mut words = sentence.split(|c: char| !c.is_alphanumeric());
            let supposes = words.any(|word| has(&SUPPOSES, word));
            if WITHDRAWS.is_match(sentence)
                || ORDINAL.is_match(sentence)
                || (supposes && says)
                || (revises && (says || element || numbered))
                || (element && says)
            {
                return Some(sentence.trim().to_owned());
            }
        }
    }
    None
}
