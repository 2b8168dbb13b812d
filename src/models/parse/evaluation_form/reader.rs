//! The choice among the places of a form that name a metric.
//!
//! Must not know how labels and numbers are written (see `label` and `number`).

use super::hit::Hit;
use super::{explanation, issues, label};
use crate::models::parse::agree::{self, Asked, Verdict};
use crate::models::parse::likert::{may_be_marked, places};
use crate::models::parse::offers::Offers;
use crate::models::parse::place::Strength;
use crate::models::parse::value::{Found, digit, has, is_whole};
use crate::models::parse::{Finals, Finish, Form};
use crate::models::score::Scale;

/// Most replies name metrics no more often.
const USUAL: usize = 8;

/// Reads what of a reply is answer.
pub(in crate::models::parse) fn read(asked: &Asked<'_>) -> Form {
    let (reply, answer) = (asked.reply, asked.answer);
    let mut hits = Vec::with_capacity(USUAL);
    for part in &answer.parts {
        let text = &reply[..part.end];
        Hit::of_part(text, part.start, asked.metrics, asked.scale, &mut hits);
    }
    let best = strongest(asked, &hits, |hit, found| {
        asked.objects().hide(asked, hit.name.start) || cut(found, reply, asked.finish, asked.scale)
    });
    let verdicts = best
        .into_iter()
        .map(|best| best.and_then(|best| best.verdict(asked.finals)));
    let mut verdicts: Vec<Option<Verdict>> = verdicts.collect();
    agree::with_objects(asked, &mut verdicts);
    for hit in &hits {
        let weaker = |verdict: &Verdict| {
            hit.strength() > label::Strength::Final || verdict.strength > Strength::FinalMetric
        };
        if let Some(verdict) = &mut verdicts[hit.metric]
            && weaker(verdict)
            && hit.label.start <= verdict.span.end + SAME_FORM
            && let Some(found) = hit.disowned().cloned().or_else(|| hit.verdict())
            && !asked.objects().hide(asked, hit.name.start)
        {
            verdict.hear_later(&found, hit.label.start);
        }
    }
    // Few replies have a place that is stronger and not among these.
    let mut held = verdicts.iter().flatten();
    let weak = held.any(|verdict| verdict.strength > Strength::FinalMetric);
    let last = |hit: &Hit| hit.strength() == label::Strength::Final;
    let stronger = weak && (asked.metrics.len() == 1 || hits.iter().any(last));
    let any = verdicts.iter().any(Option::is_some);
    let later = any && goes_on(asked, &verdicts, &hits);
    if stronger || later || (any && may_be_marked(asked)) {
        let places = places(asked, false);
        agree::with_stronger(&mut verdicts, &places);
        agree::with_later(reply, &mut verdicts, &places);
    }
    let mut readings = agree::readings(asked, verdicts);
    explanation::explain(asked, &hits, &mut readings);
    let issues = issues::collect(reply, &answer.parts, &hits, asked.metrics);
    Form {
        readings,
        issues,
        spans: None,
        items: None,
    }
}

/// Per metric the strongest places that have a value.
fn strongest(
    asked: &Asked<'_>,
    hits: &[Hit],
    passed: impl Fn(&Hit, &Found) -> bool,
) -> Vec<Option<Best>> {
    let mut best: Vec<Option<Best>> = (0..asked.metrics.len()).map(|_| None).collect();
    for hit in hits {
        let Some(mut found) = hit.verdict().filter(|found| !passed(hit, found)) else {
            continue;
        };
        let place = &mut best[hit.metric];
        match place {
            Some(held) if held.strength < hit.strength() => {}
            Some(held) if held.strength == hit.strength() => {
                let between = held.last.span.end.min(hit.label.start)..hit.label.start;
                // Of weaker labels all count anyway.
                let presented =
                    hit.strength() == label::Strength::Final && presents(&asked.reply[between]);
                // The words that present it are no doubt in it.
                if presented && let Some(stated) = hit.stated() {
                    found = stated.clone();
                }
                let differs = held.last.differs(&found);
                held.contradicted |= differs;
                held.replaced &= !differs || presented;
                held.offers.add(found.clone(), hit.label.start);
                (held.last, held.start) = (found, hit.label.start);
            }
            place => {
                let mut offers = Offers::default();
                offers.add(found.clone(), hit.label.start);
                *place = Some(Best {
                    strength: hit.strength(),
                    first: (found.clone(), hit.label.start),
                    last: found,
                    start: hit.label.start,
                    offers,
                    contradicted: false,
                    replaced: true,
                });
            }
        }
    }
    best
}

/// How far behind a verdict a weaker label belongs to the same form, in bytes.
const SAME_FORM: usize = 200;

/// Whether words with a number follow all verdicts and all labels of metrics with a value.
fn goes_on(asked: &Asked<'_>, verdicts: &[Option<Verdict>], hits: &[Hit]) -> bool {
    let values = hits
        .iter()
        .filter_map(|hit| Some(hit.value.as_ref()?.span.end));
    let ends = verdicts.iter().flatten().map(|verdict| verdict.span.end);
    let end = values.chain(ends).max().unwrap_or(0);
    let last = asked
        .answer
        .parts
        .last()
        .map_or(end, |part| part.end.max(end));
    let tail = asked.reply.get(end..last).unwrap_or_default();
    let number = |b: u8| b.is_ascii_digit() || !b.is_ascii();
    tail.bytes().any(number)
        && tail.contains(char::is_alphabetic)
        && tail.contains(|c| digit(c).is_some())
}

/// The places whose value counts.
struct Best {
    strength: label::Strength,
    /// The value of the first of them, and where its label starts.
    first: (Found, usize),
    /// The value of the last, and where its label starts.
    last: Found,
    start: usize,
    /// All their values.
    offers: Offers,
    contradicted: bool,
    /// Whether each that differs from the one before is presented as what takes its place.
    replaced: bool,
}

impl Best {
    /// The value, where label and value stand, and whether another place contradicts it.
    fn verdict(self, finals: Finals) -> Option<Verdict> {
        let last = self.strength == label::Strength::Final;
        let one = |(found, start): (Found, usize)| {
            let end = found.span.end;
            (found, start..end)
        };
        let (found, span) = match finals {
            Finals::First if last => one(self.first),
            // One value however often, or the one that takes the place of those before.
            Finals::Last if last && self.replaced => one((self.last, self.start)),
            _ => self.offers.verdict()?,
        };
        Some(Verdict {
            found: Some(found),
            span,
            strength: if last {
                Strength::FinalMetric
            } else {
                Strength::Metric
            },
            contradicted: self.contradicted,
        })
    }
}

/// Whether a reply was cut within this value: on a scale with marks, `4` may have become `4.5`. The thesis's
/// numbers, on a scale without, count such values.
fn cut(found: &Found, reply: &str, finish: Finish, scale: &Scale) -> bool {
    finish == Finish::Length && scale.step > 0.0 && !is_whole(found, reply, scale)
}

/// How much before a label is searched for words of revision, in bytes.
const LOOK_BACK: usize = 160;

/// The longest line that is a heading, in bytes.
const HEADING: usize = 80;

/// Words of a revision.
const REVISES: [&str; 26] = [
    "actually",
    "adjusted",
    "amended",
    "became",
    "becomes",
    "changed",
    "corrected",
    "correcting",
    "correction",
    "instead",
    "mistake",
    "reconsider",
    "reconsideration",
    "reconsidered",
    "reconsidering",
    "reevaluation",
    "reflection",
    "replaced",
    "rereading",
    "revised",
    "revising",
    "revision",
    "sorry",
    "update",
    "updated",
    "wait",
];

/// Words with which a heading or a line that leads on presents what follows as final.
const CONCLUDES: [&str; 5] = ["conclusion", "conclusive", "definitive", "final", "finally"];

/// Whether words between two scores present the second one as what takes the place of the first: words of revision, or a
/// heading that calls it final.
fn presents(between: &str) -> bool {
    let near = &between[between.ceil_char_boundary(between.len().saturating_sub(LOOK_BACK))..];
    let any = |text: &str, list: &[&str]| {
        text.split(|c: char| !c.is_alphabetic())
            .any(|word| has(list, word))
    };
    if any(near, &REVISES) {
        return true;
    }
    let Some((_, lines)) = between.split_once('\n') else {
        return false;
    };
    let whole = lines.rfind('\n').map_or("", |end| &lines[..end]);
    whole.lines().map(str::trim).any(|line| {
        let bare = line.trim_end_matches(['*', '_', ' ']);
        let heading = line.starts_with('#')
            || bare.ends_with([':', '\u{ff1a}'])
            || (line.starts_with("**") && bare.len() < line.len())
            || line.split_whitespace().count() <= 2;
        line.len() <= HEADING
            && heading
            // Another score, or a list of issues.
            && !bare.split_once(':').is_some_and(|(_, rest)| rest.contains(char::is_alphanumeric))
            && !line.contains("ssues")
            && (any(line, &CONCLUDES) || any(line, &REVISES))
    })
}
