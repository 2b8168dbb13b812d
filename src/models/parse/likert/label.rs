//! Values behind labels and in marks: `Score: 4`, `Fluency is 4`, `[[4]]`.
//!
//! Must not choose between places.

use std::sync::LazyLock;

use regex::Regex;

use super::behind::{Behind, behind};
use super::part::{Reading, head, regex, tail};
use crate::models::parse::evaluation_form::label::{self, is_filler};
use crate::models::parse::metrics::Metrics;
use crate::models::parse::owner;
use crate::models::parse::place::{Place, Strength};
use crate::models::parse::value::{self, Found, How, Standing, standing};

/// The word of a label that names no metric. Boundaries of ASCII are much faster to look for; the others
/// show in what stands before and behind.
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?ix) (?-u:\b) (?P<final>final[\s*_]{1,4})? (?:overall[\s*_]{1,4})? (?:likert[\s*_]{1,4})?
            (?: score|rating|grade|mark|answer|verdict|judge?ment|assessment|evaluation|pick|choice|decision
              | (?P<total>total) ) (?-u:\b)
        | (?P<last>最终|最終|最后|最後)? (?:评分|評分|得分|分数|分數)",
    )
});

/// The same on a scale with labels, where a value is hardly taken for something else: also words for a choice, and those
/// of other languages.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?ix) (?-u:\b) (?P<final>final[\s*_]{1,4})? (?:overall[\s*_]{1,4})? (?:likert[\s*_]{1,4})?
            (?:(?:better|best|preferred|winning|correct)[\s*_]{1,4})?
            (?: score|rating|grade|mark|answer|verdict|judge?ment|assessment|evaluation|pick|choice|decision
              | winner|preference|preferred|better|selection|response|option|label|vote|conclusion
              | antwort|urteil|gesamturteil|bewertung|wertung|wahl|entscheidung
              | r\u{e9}ponse|note|choix|jugement|respuesta|puntuaci\u{f3}n|elecci\u{f3}n|veredicto
              | risposta|punteggio|valutazione|scelta|resposta|pontua\u{e7}\u{e3}o|escolha
              | (?P<total>total) ) (?-u:\b)
        | (?P<last>最终|最終|最后|最後)? (?:评分|評分|得分|分数|分數|答案|回答|结论|結論|判定|評価|评价|选择|選択)",
    )
});

/// What may stand before such a word if it is to name the score of all that is judged.
static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)(?:^|[^\w\s*_`-][\s*_`]*|\n[\s*_`#>-]*|^[\s*_`#>-]+|\b(?:the|my|a|an|this|its|and|so|final|overall|new|revised|updated|adjusted|total)[\s*_]+)$",
    )
});

/// Marks in which a score is put.
static MARK: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)(?:\[\[|\\boxed\s?\{(?:\\text\s?\{)?|<(?:final[_ -]?)?(?:score|rating|answer|grade)>)[\s*_]{0,8}",
    )
});

/// Appends the values behind the names of metrics; says whether such a label gives its verdict in words.
pub(super) fn of_metrics(reading: Reading<'_>, metrics: &Metrics, places: &mut Vec<Place>) -> bool {
    let part = reading.part();
    let mut worded = false;
    let names = metrics.mentions(part);
    let mut names = names
        .map(|(metric, name)| (metric, label::around(part, name.start, name.end), name))
        .peekable();
    while let Some((metric, label, name)) = names.next() {
        let next = names.peek().map(|(_, label, _)| label.start);
        let tag = part[..name.start].ends_with('<') && part[name.end..].starts_with('>');
        if tag {
            let found = closed(reading, name.end + 1);
            places.extend(found.map(|found| Place {
                metric,
                strength: Strength::Marked,
                start: reading.from + name.start,
                found,
            }));
            continue;
        }
        let strength = match label.strength {
            label::Strength::Final => Strength::FinalMetric,
            label::Strength::Score | label::Strength::Bare => Strength::Metric,
        };
        let firm = label.strength == label::Strength::Final;
        let found = match behind(reading, metrics, label.start..label.end, next, firm) {
            Behind::Nothing => continue,
            Behind::Word => {
                worded = true;
                continue;
            }
            Behind::Found(found) => found,
        };
        let start = reading.from + label.start;
        let gap = &part[name.end..(found.span.start - reading.from).max(name.end)];
        let found = match standing(part, label.start, metrics) {
            Standing::Own if !owner::follows_value(part, label.start, gap) => found,
            Standing::Own | Standing::Doubtful => Found::unclear(start..found.span.end),
            Standing::Other => {
                places.push(Place {
                    metric,
                    strength: Strength::Disowned,
                    found,
                    start,
                });
                continue;
            }
        };
        places.push(Place {
            metric,
            strength,
            found,
            start,
        });
    }
    worded
}

/// Appends the values behind labels that name no metric, and those in marks; says whether such a label gives its
/// verdict in words.
pub(super) fn of_nobody(reading: Reading<'_>, metrics: &Metrics, places: &mut Vec<Place>) -> bool {
    let part = reading.part();
    for mark in MARK.find_iter(part) {
        let found = closed(reading, mark.end());
        places.extend(found.map(|found| Place {
            metric: 0,
            strength: Strength::Marked,
            start: reading.from + mark.start(),
            found,
        }));
    }
    let mut worded = false;
    let counted = part.find(|c: char| c.is_ascii_digit());
    let labels = if reading.scale.labels.is_empty() {
        &LABEL
    } else {
        &NAMED
    };
    for label in labels.captures_iter(part) {
        let Some(whole) = label.get(0) else { continue };
        if !BEFORE.is_match(tail(&part[..whole.start()])) {
            continue;
        }
        // The total of what was counted is no score.
        let total = label.name("total").is_some();
        if total && (counted.is_some_and(|at| at < whole.start()) || !signed(&part[whole.end()..]))
        {
            continue;
        }
        let strength = match label.name("final").or_else(|| label.name("last")) {
            Some(_) => Strength::Final,
            None => Strength::Label,
        };
        let found = match behind(
            reading,
            metrics,
            whole.range(),
            None,
            strength == Strength::Final,
        ) {
            Behind::Nothing => continue,
            Behind::Word => {
                worded = true;
                continue;
            }
            Behind::Found(found) => found,
        };
        let start = reading.from + whole.start();
        let (strength, found) = match standing(part, whole.start(), metrics) {
            Standing::Own => (strength, found),
            Standing::Doubtful => (strength, Found::unclear(start..found.span.end)),
            Standing::Other => (Strength::Disowned, found),
        };
        places.push(Place {
            metric: 0,
            strength,
            start,
            found,
        });
    }
    worded
}

/// Whether a sign joins a label to what follows.
fn signed(rest: &str) -> bool {
    rest.trim_start_matches(is_filler)
        .starts_with([':', '\u{ff1a}', '='])
}

/// The value in a mark that opens before `at` in the visible part, if it is closed behind it.
fn closed(reading: Reading<'_>, at: usize) -> Option<Found> {
    let part = reading.part();
    let inside = head(&part[at..]);
    let end = at + inside.find([']', '}', '<', '\n'])?;
    let how = How {
        firm: true,
        ..reading.how()
    };
    if part[end..].starts_with('\n') {
        return None;
    }
    value::read(&part[..end], at, how).map(|found| found.shifted(reading.from))
}
