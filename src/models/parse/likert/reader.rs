//! The choice among the places of a reply.
//!
//! Must not know how places look (see `label`, `line` and `sentence`).

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::label;
use super::part::Reading as Text;
use super::quoted::Quoted;
use super::{line, sentence};
use crate::models::parse::agree::{self, Asked, Verdict};
use crate::models::parse::offers::Offers;
use crate::models::parse::place::{Place, Strength};
use crate::models::parse::value::{Value, is_whole};
use crate::models::parse::visible::Visible;
use crate::models::parse::{Finish, Form};
use crate::models::score::Scale;

/// The highest scale on which number words count.
const TEN: f64 = 10.0;

/// Reads what of a reply is answer.
pub(in crate::models::parse) fn read(asked: &Asked<'_>) -> Form {
    let labelled = !asked.scale.labels.is_empty();
    let mut places = places(asked, false);
    let disowned = |place: &Place| place.strength == Strength::Disowned;
    if places.iter().all(disowned) && asked.scale.max <= TEN && !labelled {
        places = self::places(asked, true);
    }
    decide(asked, &places)
}

/// The choice among places: the strongest kind decides, if those of that kind agree.
pub(in crate::models::parse) fn decide(asked: &Asked<'_>, places: &[Place]) -> Form {
    let verdict = |metric| {
        let of = || {
            let own =
                |place: &&Place| place.metric == metric && place.strength < Strength::Disowned;
            places.iter().filter(own)
        };
        let strength = of().map(|place| place.strength).min()?;
        let (mut best, mut others) = (Offers::default(), Offers::default());
        for place in of() {
            let offers = if place.strength == strength {
                &mut best
            } else {
                &mut others
            };
            offers.add(place.found.clone(), place.start);
        }
        let (found, span) = best.verdict()?;
        Some(Verdict {
            contradicted: others.contradict(&found),
            found: Some(found),
            span,
            strength,
        })
    };
    let mut verdicts: Vec<Option<Verdict>> = (0..asked.metrics.len()).map(verdict).collect();
    agree::with_objects(asked, &mut verdicts);
    agree::with_later(asked.reply, &mut verdicts, places);
    Form {
        readings: agree::readings(asked, verdicts),
        issues: Vec::new(),
        spans: None,
        items: None,
    }
}

/// The marks `[[4]]` and `\boxed{4}`.
static BRACKETS: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("[["));
static BOXED: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("\\boxed"));

/// Whether a score may stand in marks or in a tag somewhere, as far as a quick look tells.
pub(in crate::models::parse) fn may_be_marked(asked: &Asked<'_>) -> bool {
    let parts = asked.answer.parts.iter();
    let texts = parts.map(|part| &asked.reply.as_bytes()[part.clone()]);
    texts.into_iter().any(|text| {
        memchr::memchr(b'<', text).is_some()
            || BRACKETS.find(text).is_some()
            || BOXED.find(text).is_some()
    })
}

/// Every place of the answer with a value, but for those in objects that are about no verdict.
pub(in crate::models::parse) fn places(asked: &Asked<'_>, words: bool) -> Vec<Place> {
    let words = words || !asked.scale.labels.is_empty();
    let Asked {
        reply,
        answer,
        finish,
        scale,
        metrics,
        ..
    } = *asked;
    let alone = metrics.len() == 1;
    let mut places = Vec::new();
    let mut worded = false;
    for part in &answer.parts {
        let text = Text {
            text: &reply[..part.end],
            from: part.start,
            words,
            scale,
        };
        worded |= label::of_metrics(text, metrics, &mut places);
        if alone {
            worded |= label::of_nobody(text, metrics, &mut places);
            let quoted = Quoted::of(text.part());
            sentence::given(text, metrics, &quoted, &mut places);
            if !words && scale.labels.is_empty() {
                sentence::fractions(text, metrics, &quoted, &mut places);
            }
        }
    }
    if alone {
        for (line, beside) in ends(reply, answer) {
            let text = Text {
                text: reply,
                from: line.start,
                words,
                scale,
            };
            line::values(text, line, beside, &mut places);
        }
    }
    places.retain(|place| !asked.objects().hide(asked, place.start));
    if finish == Finish::Length {
        drop_cut(&mut places, reply, scale);
    }
    drop_other(&mut places);
    // Where the verdict is a word, a number without a label is something else.
    if worded {
        places.retain(|place| place.strength < Strength::Bare);
    }
    places
}

/// Drops words that are no label where labels are, unless they stand as firmly as these.
fn drop_other(places: &mut Vec<Place>) {
    let is_other = |place: &Place| matches!(place.found.value, Value::Other);
    if places.iter().any(is_other) {
        let named: Vec<(usize, Strength)> = places
            .iter()
            .filter(|place| !is_other(place))
            .map(|place| (place.metric, place.strength))
            .collect();
        let of = |place: &Place| named.iter().any(|(metric, _)| *metric == place.metric);
        let firm = |place: &Place| {
            let at = (place.metric, place.strength);
            place.strength < Strength::Bare && named.contains(&at)
        };
        places.retain(|place| !(is_other(place) && of(place) && !firm(place)));
    }
}

/// Drops the places in which a reply was cut, and those that would have counted no more than these.
fn drop_cut(places: &mut Vec<Place>, reply: &str, scale: &Scale) {
    let cut = |place: &&Place| !is_whole(&place.found, reply, scale);
    let cut: Vec<_> = places
        .iter()
        .filter(cut)
        .map(|place| (place.metric, place.strength))
        .collect();
    let weaker = |place: &Place| {
        let mut cut = cut.iter();
        cut.any(|(metric, strength)| *metric == place.metric && *strength <= place.strength)
    };
    places.retain(|place| !weaker(place));
}

/// The first and the last line of the answer that have a letter or digit, each with the line beside it
/// that has one too.
fn ends(reply: &str, answer: &Visible) -> Vec<(Range<usize>, Option<Range<usize>>)> {
    let mut first: Vec<Range<usize>> = Vec::with_capacity(2);
    let mut last: Option<(Range<usize>, Option<Range<usize>>)> = None;
    for part in &answer.parts {
        let mut start = part.start;
        for line in reply[part.clone()].split_inclusive('\n') {
            let text = line.trim_end();
            if text.contains(char::is_alphanumeric) {
                let range = start..start + text.len();
                if first.len() < 2 {
                    first.push(range.clone());
                }
                last = Some((range, last.map(|(line, _)| line)));
            }
            start += line.len();
        }
    }
    let mut first = first.into_iter();
    let first = first.next().zip(first.next());
    let first = first.map(|(line, beside)| (line, Some(beside)));
    first.into_iter().chain(last).collect()
}
