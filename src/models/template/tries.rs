//! The values with which templates are tried.
//!
//! Stand-ins are made of signs that Unicode keeps free, so that no template has one, whatever its alphabet and numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::condition::{Compared, Condition};
use super::reading::Reading;
use super::standing;
use crate::base::wording::shorten;
use crate::frame::Scalar;

/// In words, that the other variables hold what they usually do.
pub(super) const USUAL: &str = "when the other variables have values";

/// So many of the values that conditions name are tried for each variable, and so many joint ones.
const COMPARED: usize = 64;
const JOINT: usize = 64;

/// What a stand-in begins and ends with, and its digits.
const BEGIN: char = '\u{FDD1}';
const END: char = '\u{FDD2}';
const DIGITS: [char; 16] = [
    '\u{FDE0}', '\u{FDE1}', '\u{FDE2}', '\u{FDE3}', '\u{FDE4}', '\u{FDE5}', '\u{FDE6}', '\u{FDE7}',
    '\u{FDE8}', '\u{FDE9}', '\u{FDEA}', '\u{FDEB}', '\u{FDEC}', '\u{FDED}', '\u{FDEE}', '\u{FDEF}',
];

/// Values for the variables, and what sets them apart from the usual ones.
#[derive(Clone, Debug)]
pub(super) struct Values {
    pub(super) values: BTreeMap<String, Scalar>,
    pub(super) apart: String,
}

/// A word that no template has, for the variable at this place in the order of names.
pub(super) fn stand_in(index: usize) -> String {
    let mut word = String::from(BEGIN);
    let mut rest = index;
    loop {
        word.push(DIGITS[rest % DIGITS.len()]);
        rest /= DIGITS.len();
        if rest == 0 {
            break;
        }
    }
    word.push(END);
    word
}

/// Whether a text is made of a stand-in.
pub(super) fn stands_in(text: &str) -> bool {
    text.contains(['\u{FDD1}', '\u{FDD2}'])
}

/// A message without what nobody has written.
pub(super) fn without_stand_ins(message: &str) -> String {
    let kept = message
        .chars()
        .filter(|c| ![BEGIN, END].contains(c) && !DIGITS.contains(c));
    kept.collect()
}

/// The values to try: all variables there, the others absent, each of the others with values that conditions may ask
/// for, first those that they compare it with, and several of them together where conditions join them.
pub(super) fn all(
    given: &[String],
    shown: Option<&str>,
    compared: &BTreeSet<String>,
    reading: &Reading,
) -> Vec<Values> {
    let names: BTreeSet<&String> = given.iter().collect();
    let usual_value = |(index, &name): (usize, &&String)| {
        let number = reading.numbers.contains(name) && Some(name.as_str()) != shown;
        let list = standing::list(reading, name, &|place| {
            format!("{}{place}", stand_in(index))
        });
        let value = match list.filter(|_| Some(name.as_str()) != shown) {
            Some(list) => list,
            None if number => Scalar::Int(1),
            None => Scalar::Text(stand_in(index)),
        };
        (name.clone(), value)
    };
    let there: BTreeMap<String, Scalar> = names.iter().enumerate().map(usual_value).collect();
    let others = || names.iter().filter(|name| Some(name.as_str()) != shown);
    let mut absent = there.clone();
    for name in others() {
        absent.insert((*name).clone(), Scalar::Null);
    }
    let one_by_one = |values: &[(Scalar, String)]| {
        let mut all = Vec::new();
        for name in others() {
            for (value, words) in values {
                for base in [&there, &absent] {
                    let mut values = base.clone();
                    values.insert((*name).clone(), value.clone());
                    let apart = format!("when `{name}` {words}");
                    all.push(Values { values, apart });
                }
            }
        }
        all
    };
    let mut all = one_by_one(&said(compared));
    all.push(Values {
        values: there.clone(),
        apart: USUAL.to_owned(),
    });
    all.extend(one_by_one(&usual()));
    all.push(Values {
        values: absent.clone(),
        apart: "when the other variables have no values".to_owned(),
    });
    if let Some(shown) = shown {
        all.extend(joint(reading, shown, &there));
    }
    all
}

/// Values of many forms, with which something can be rendered of any template that a row can be put into.
pub(super) fn forms(given: &[String], reading: &Reading) -> Vec<Values> {
    let texts = [
        "12",
        "1.5",
        "2001-02-03",
        "12:34:56",
        "a, b; c | d / e\nf\tg",
    ];
    let texts = texts.map(Scalar::from);
    let others = [Scalar::Int(2001), Scalar::Float(1.5), Scalar::Bool(true)];
    let judged = super::judged(given.iter().map(String::as_str));
    let mut all = Vec::new();
    for value in texts.iter().chain(&others) {
        // What is judged is text; that it may be a number too is tried as well.
        for of_judged in [Scalar::from("12 a, b\nc"), value.clone()] {
            let value = |name: &String| {
                let list = standing::list(reading, name, &|_| value.to_string());
                if Some(name.as_str()) == judged {
                    of_judged.clone()
                } else if let Some(list) = list {
                    list
                } else if reading.numbers.contains(name) {
                    Scalar::Int(2001)
                } else {
                    value.clone()
                }
            };
            all.push(Values {
                values: given
                    .iter()
                    .map(|name| (name.clone(), value(name)))
                    .collect(),
                apart: USUAL.to_owned(),
            });
        }
    }
    all
}

/// Texts of many lines, with blanks where a template may take them off; numbers where one is counted with.
pub(super) fn books<'g>(
    given: &'g [String],
    lines: usize,
    numbers: &BTreeSet<String>,
    reading: &Reading,
) -> Vec<(&'g str, Scalar)> {
    let line = "Zqx, \"it's\" <1> & two.\n";
    let judged = super::judged(given.iter().map(String::as_str));
    let text = |(index, name): (usize, &'g String)| {
        let book = |place: &str| {
            let lines = line.repeat(lines);
            let stand_in = stand_in(index);
            format!(" {stand_in}: {stand_in}{index}{place}{lines} \n\n")
        };
        let list = standing::list(reading, name, &book);
        let value = match list.filter(|_| Some(name.as_str()) != judged) {
            Some(list) => list,
            None if numbers.contains(name) => Scalar::Int(1),
            None => Scalar::Text(book("")),
        };
        (name.as_str(), value)
    };
    given.iter().enumerate().map(text).collect()
}

/// What conditions compare variables with, and numbers beside it, in words.
fn said(compared: &BTreeSet<String>) -> Vec<(Scalar, String)> {
    let mut all = Vec::new();
    for value in compared.iter().take(COMPARED) {
        if let Ok(number) = value.parse::<i32>() {
            for near in [number.saturating_sub(1), number, number.saturating_add(1)] {
                all.push((Scalar::Int(near.into()), format!("is {near}")));
            }
        }
        all.push((Scalar::Text(value.clone()), format!("is `{value}`")));
    }
    all
}

/// What a condition may ask for without saying so, in words.
fn usual() -> Vec<(Scalar, String)> {
    vec![
        (Scalar::Bool(false), "is `false`".to_owned()),
        (Scalar::Bool(true), "is `true`".to_owned()),
        (Scalar::Null, "has no value".to_owned()),
        (Scalar::Int(0), "is 0".to_owned()),
        (Scalar::Int(1), "is 1".to_owned()),
        (Scalar::Text(String::new()), "is empty".to_owned()),
    ]
}

/// What variables are set to, to make conditions hold or not.
type Set = BTreeMap<String, Scalar>;

/// Values for which no use of a variable is reached, where its conditions can be met so.
fn joint(reading: &Reading, shown: &str, there: &BTreeMap<String, Scalar>) -> Vec<Values> {
    let mut sets: Vec<Set> = vec![Set::new()];
    for used in reading.uses.iter().filter(|used| used.name == shown) {
        let unreached = used
            .guards
            .iter()
            .flat_map(|guard| making(guard, false, there));
        let unreached: Vec<Set> = unreached.take(JOINT).collect();
        sets = sets
            .iter()
            .flat_map(|set| unreached.iter().filter_map(|more| both(set, more)))
            .take(JOINT)
            .collect();
    }
    sets.retain(|set| set.keys().all(|name| there.contains_key(name)));
    sets.into_iter()
        .filter(|set| !set.is_empty())
        .map(|set| {
            let words = set.iter().map(|(name, value)| in_words(name, value));
            let apart = format!("when {}", words.collect::<Vec<_>>().join(" and "));
            let mut values = there.clone();
            values.extend(set);
            Values { values, apart }
        })
        .collect()
}

/// Both sets, unless they set a variable to different values.
fn both(one: &Set, other: &Set) -> Option<Set> {
    let agree =
        |(name, value): (&String, &Scalar)| one.get(name).is_none_or(|known| known == value);
    if !other.iter().all(agree) {
        return None;
    }
    let mut both = one.clone();
    both.extend(other.clone());
    Some(both)
}

/// What makes a condition hold, or not.
fn making(condition: &Condition, hold: bool, there: &BTreeMap<String, Scalar>) -> Vec<Set> {
    let set = |name: &String, value: Scalar| vec![Set::from([(name.clone(), value)])];
    let usual = |name: &String| there.get(name).cloned().unwrap_or(Scalar::Null);
    match condition {
        Condition::Always(holds) if *holds == hold => vec![Set::new()],
        Condition::Always(_) | Condition::Unknown => Vec::new(),
        Condition::True(name) if hold => set(name, usual(name)),
        Condition::True(name) => set(name, Scalar::Null),
        Condition::Absent(name) if hold => set(name, Scalar::Null),
        Condition::Absent(name) => set(name, usual(name)),
        Condition::Not(inner) => making(inner, !hold, there),
        Condition::All(all) | Condition::Any(all) => {
            // One of them is enough, or all of them are needed.
            if matches!(condition, Condition::All(_)) != hold {
                return all
                    .iter()
                    .flat_map(|one| making(one, hold, there))
                    .collect();
            }
            let mut sets = vec![Set::new()];
            for one in all {
                let more = making(one, hold, there);
                sets = sets
                    .iter()
                    .flat_map(|set| more.iter().filter_map(|more| both(set, more)))
                    .take(JOINT)
                    .collect();
            }
            sets
        }
        Condition::Compare(name, how, with) => {
            let with = match how {
                Compared::In => with.try_iter().ok().and_then(|mut all| all.next()),
                _ => Some(with.clone()),
            };
            let Some(value) = with.and_then(|with| comparing(&with, *how, hold, &usual(name)))
            else {
                return Vec::new();
            };
            set(name, value)
        }
    }
}

/// A value that compares with one as it should.
fn comparing(with: &minijinja::Value, how: Compared, hold: bool, usual: &Scalar) -> Option<Scalar> {
    if let Some(text) = with.as_str() {
        let usual = match usual {
            Scalar::Text(usual) => usual.as_str(),
            _ => "",
        };
        return Some(Scalar::Text(match (how, hold) {
            (Compared::Equal | Compared::In, true) => text.to_owned(),
            (Compared::Equal | Compared::In, false) => usual.to_owned(),
            // Before, and behind, all that people write.
            (Compared::Less, true) | (Compared::Greater, false) => format!("\t{usual}"),
            (Compared::Less, false) | (Compared::Greater, true) => format!("\u{10FFFD}{usual}"),
        }));
    }
    let number = i64::try_from(with.clone()).ok()?;
    Some(Scalar::Int(match (how, hold) {
        (Compared::Equal | Compared::In, true) => number,
        (Compared::Less, true) | (Compared::Greater, false) => number.checked_sub(1)?,
        _ => number.checked_add(1)?,
    }))
}

fn in_words(name: &str, value: &Scalar) -> String {
    match value {
        Scalar::Null => format!("`{name}` has no value"),
        Scalar::Text(text) if text.starts_with('\t') => format!("`{name}` comes first in order"),
        Scalar::Text(text) if text.starts_with('\u{10FFFD}') => {
            format!("`{name}` comes last in order")
        }
        Scalar::Text(text) if stands_in(text) => format!("`{name}` is another text"),
        Scalar::Text(text) => format!("`{name}` is `{}`", shorten(text, 40)),
        other => format!("`{name}` is {other}"),
    }
}
