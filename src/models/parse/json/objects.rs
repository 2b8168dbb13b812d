//! What the objects of a reply say about each metric, and the choice among them.
//!
//! Must not know how objects are written (see `scan`) or what their keys mean (see `walk`).

use std::cell::OnceCell;
use std::ops::Range;

use super::foreign::foreign;
use super::scan::Scanner;
use super::tally::Naming;
use super::tree::{Object, Root};
use super::walk::verdicts;
use crate::models::parse::Finish;
use crate::models::parse::agree::{Asked, Verdict};
use crate::models::parse::offers::Offers;
use crate::models::parse::value::{Standing, has, names_another, standing};

/// The objects of a reply.
#[derive(Debug, Default)]
pub(in crate::models::parse) struct Objects {
    /// Each, and whether the words before it say that it is another's.
    roots: Vec<(Root, bool)>,
    /// Per metric the one that counts; none where there are no objects.
    best: Vec<Option<Best>>,
    /// Where something stands that is about no verdict, in ascending order.
    foreign: OnceCell<Vec<Range<usize>>>,
}

/// The object that counts for a metric so far.
#[derive(Debug)]
struct Best {
    verdict: Verdict,
    /// Lower is stronger.
    rank: (Naming, bool),
}

impl Objects {
    /// Finds and reads them.
    pub(in crate::models::parse) fn of(asked: &Asked<'_>) -> Self {
        let (reply, metrics) = (asked.reply, asked.metrics);
        let mut objects = Self::default();
        for part in &asked.answer.parts {
            // Of a reply whose end nobody knows a number at the very end of an open object may lack digits.
            let cut =
                matches!(asked.finish, Finish::Length | Finish::Unknown) && part.end == reply.len();
            let mut behind = part.start;
            for root in Scanner::new(&reply[..part.end], part.start, cut) {
                let words = before(&reply[behind..root.object.span.start]);
                behind = root.object.span.end;
                let said = verdicts(asked, &root.object);
                // What is said around an object that names no metric does not matter.
                let own = &reply[root.object.span.clone()];
                let concerned =
                    said.iter().any(Option::is_some) || metrics.mentions(own).next().is_some();
                let another = concerned && {
                    let line = &reply[behind..part.end];
                    let line = &line[..line.floor_char_boundary(LOOK_BACK)];
                    let above = &reply[part.start..root.object.span.start];
                    disowns(line.split('\n').next().unwrap_or_default())
                        || standing(above, above.len(), metrics) == Standing::Other
                };
                objects.best.resize_with(metrics.len(), || None);
                for (place, said) in objects.best.iter_mut().zip(said) {
                    let Some((verdict, naming)) = said else {
                        continue;
                    };
                    if !another {
                        let rank = (naming, !root.complete);
                        compare(place, verdict, rank, announces(words));
                    } else if let (Some(held), Some(found)) = (place, &verdict.found)
                        && !is_example(words)
                    {
                        held.verdict.hear_later(found, verdict.span.start);
                    }
                }
                objects.roots.push((root, another));
            }
        }
        objects
    }

    /// The objects as they are written.
    pub(super) fn roots(&self) -> impl Iterator<Item = &Object> {
        self.roots.iter().map(|(root, _)| &root.object)
    }

    /// What is said about each metric; nothing where there are no objects.
    pub(in crate::models::parse) fn verdicts(&self) -> impl Iterator<Item = Option<&Verdict>> {
        self.best.iter().map(|best| Some(&best.as_ref()?.verdict))
    }

    /// Whether a place lies in an object where nothing is about the verdict: under the key of a former score, say.
    pub(in crate::models::parse) fn hide(&self, asked: &Asked<'_>, place: usize) -> bool {
        if !self.hold(place) {
            return false;
        }
        let foreign = self.foreign.get_or_init(|| {
            let mut found = Vec::new();
            for (root, another) in &self.roots {
                if *another {
                    found.push(root.object.span.clone());
                } else {
                    foreign(asked, &root.object, &mut found);
                }
            }
            found
        });
        let before = foreign.partition_point(|part| part.start <= place);
        before > 0 && place < foreign[before - 1].end
    }

    /// Whether a place lies in an object.
    pub(super) fn hold(&self, place: usize) -> bool {
        self.at(place).is_some()
    }

    /// The object in which a place lies.
    pub(in crate::models::parse) fn at(&self, place: usize) -> Option<Range<usize>> {
        let before = self
            .roots
            .partition_point(|(root, _)| root.object.span.start <= place);
        let (root, _) = self.roots.get(before.checked_sub(1)?)?;
        (place < root.object.span.end).then(|| root.object.span.clone())
    }
}

/// How much before an object is looked at, in bytes.
const LOOK_BACK: usize = 100;

/// The words on the last line before an object that has any.
fn before(text: &str) -> &str {
    let near = &text[text.ceil_char_boundary(text.len().saturating_sub(LOOK_BACK))..];
    let lines = near.rsplit('\n').map(str::trim);
    let fence = |line: &str| {
        let mark = line.strip_prefix("```");
        mark.is_some_and(|name| !name.contains(char::is_whitespace))
    };
    let mut lines = lines.filter(|line| !line.is_empty() && !fence(line));
    lines.next().unwrap_or_default()
}

/// Whether the words right behind an object say that it is none: `(draft)`, `is the draft`.
fn disowns(line: &str) -> bool {
    let clause = line.split(['.', '!', '{']).next().unwrap_or_default();
    // What leads on speaks of what follows.
    if clause.trim_end().ends_with(':') {
        return false;
    }
    names_another(clause)
        || clause
            .split(|c: char| !c.is_alphabetic())
            .any(|word| word.eq_ignore_ascii_case("superseded"))
}

/// Whether words say of nothing but what follows them that it is an example: `An example of the form:`.
fn is_example(words: &str) -> bool {
    let sentence = words.rsplit(['.', '!', '}']).next().unwrap_or_default();
    let mut words = sentence.split(|c: char| !c.is_alphabetic()).filter(|word| {
        !word.is_empty() && !has(&["a", "an", "for", "here", "is", "one", "the"], word)
    });
    words.next().is_some_and(|word| {
        has(
            &[
                "dummy",
                "example",
                "format",
                "illustration",
                "placeholder",
                "sample",
                "schema",
                "template",
            ],
            word,
        )
    })
}

/// Whether words announce the verdict that takes the place of what stood before.
fn announces(words: &str) -> bool {
    const WORDS: [&str; 14] = [
        "actual",
        "amended",
        "answer",
        "corrected",
        "correction",
        "final",
        "finally",
        "instead",
        "no",
        "now",
        "revised",
        "revision",
        "updated",
        "verdict",
    ];
    words
        .split(|c: char| !c.is_alphabetic())
        .any(|word| has(&WORDS, word))
}

/// Lets a later object take the place of the one held, unless that is stronger; of two that differ neither counts
/// unless the later one is `announced`.
fn compare(place: &mut Option<Best>, verdict: Verdict, rank: (Naming, bool), announced: bool) {
    let Some(held) = place else {
        *place = Some(Best { verdict, rank });
        return;
    };
    // An object that names nobody says nothing against one that names the metric.
    if held.rank.0 != rank.0 {
        if rank.0 < held.rank.0 {
            *held = Best { verdict, rank };
        }
        return;
    }
    let differs = differ(&held.verdict, &verdict);
    let contradicted = held.verdict.contradicted || differs;
    if differs
        && !(announced && held.rank >= rank)
        && let (Some(first), Some(second)) = (&held.verdict.found, &verdict.found)
    {
        let mut offers = Offers::default();
        offers.add(first.clone(), held.verdict.span.start);
        offers.add(second.clone(), verdict.span.start);
        if let Some((found, span)) = offers.verdict() {
            held.verdict.found = Some(found);
            held.verdict.span = span;
        }
    } else if held.rank >= rank {
        *held = Best { verdict, rank };
    }
    held.verdict.contradicted = contradicted;
}

/// Whether two objects say different things about a metric.
fn differ(held: &Verdict, other: &Verdict) -> bool {
    match (&held.found, &other.found) {
        (Some(held), Some(other)) => held.differs(other),
        (held, other) => held.is_some() != other.is_some(),
    }
}
