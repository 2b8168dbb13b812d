//! Whether a prompt shows a list, or an object: of every element what the template shows of one.
//!
//! A template that goes through a list and leaves some of it out (`issues[:3]`) gives the model less than the table holds.
//! Where a condition of the template decides by an element's own fields (`if issue.severity > 3`), it is said there what
//! is left out.

use std::collections::BTreeMap;

use minijinja::value::Value;

use super::condition::Condition;
use super::reading::{Access, How, Part, Path, Reading, Step};
use super::shown::{Lost, Shown};
use super::{absent, json};
use crate::base::json::Json;
use crate::base::wording::count;

/// A text or a number within a list, and where it stands.
struct Leaf<'j> {
    /// The positions that lead to it where the template goes to each element.
    at: Vec<usize>,
    /// As `issues[2].location`.
    name: String,
    json: &'j Json,
}

/// What is shown, where a search for the next goes on.
struct Search<'p> {
    /// Turn by turn.
    prompt: &'p [&'p str],
    turn: usize,
    from: usize,
}

impl<'r> Shown<'r> {
    /// What of a list or an object a prompt does not show. Nothing, if it shows what the template uses of it.
    pub(super) fn lost_of_list(&self, name: &'r str) -> Option<Lost<'r>> {
        let value = self.values.get(name)?;
        let json = json::cell(value)?;
        let mut all = Vec::new();
        leaves(json, &mut Vec::new(), name.to_owned(), &mut all);
        if all.is_empty() || self.shows_value(value) {
            return None;
        }
        let parts = self.reading.parts.iter();
        let parts: Vec<&Part> = parts.filter(|part| part.path.column == name).collect();
        // A column that only decides need not be shown.
        let first = parts.first()?;
        let shown: Vec<&&Part> = parts.iter().filter(|part| part.how == How::Shown).collect();
        if shown.is_empty() {
            let what = match json {
                Json::List(list) => format!("nothing of its {}", count(list.len(), "element")),
                _ => "nothing of it".to_owned(),
            };
            return Some(lost(name, first, format!("{what} is in the prompt")));
        }
        shown
            .into_iter()
            .find_map(|part| self.lost_of_part(name, json, part))
    }

    fn lost_of_part(&self, name: &'r str, json: &'r Json, part: &'r Part) -> Option<Lost<'r>> {
        let mut found = Vec::new();
        reach(
            json,
            &part.path.steps,
            &mut Vec::new(),
            name.to_owned(),
            &mut found,
        );
        let mut search = Search {
            prompt: &self.prompt,
            turn: 0,
            from: 0,
        };
        let counted = self.reading.numbers.contains(&part.path.to_string());
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for leaf in found {
            let reached =
                |guard: &Condition| self.holds(guard, &part.path, &leaf.at) != Some(false);
            let numbers = matches!(leaf.json, Json::Number(_) | Json::Long(_));
            if !part.guards.iter().all(reached) || numbers && counted {
                continue;
            }
            let forms = forms(leaf.json);
            let times = seen.entry(forms[0].clone()).or_default();
            *times += 1;
            let times = *times;
            let mut there = forms
                .iter()
                .any(|form| search.next(form, numbers) || search.times(form, numbers) >= times);
            // As filters of the template make it, if it is there once.
            if !there && times == 1 && !numbers {
                there = self.shows(&forms[0]);
            }
            if !there {
                let all = count(forms[0].chars().count(), "character");
                let what = match (leaf.json, times) {
                    (Json::Text(_), 1) => {
                        format!(
                            "the {all} of `{}` are not in the prompt unchanged",
                            leaf.name
                        )
                    }
                    (Json::Text(_), _) => format!(
                        "the {all} of `{}`, which it holds {times} times by then, are not there as often",
                        leaf.name
                    ),
                    _ => format!(
                        "the number {} of `{}` is not in the prompt",
                        forms[0], leaf.name
                    ),
                };
                return Some(lost(name, part, what));
            }
        }
        None
    }

    /// Whether a condition holds, of the elements at these positions.
    fn holds(&self, guard: &Condition, path: &Path, at: &[usize]) -> Option<bool> {
        let mut values = self.values.clone();
        for (name, within) in &self.reading.within {
            let value = of_element(self.values, within, path, at);
            if let Some(value) = value {
                values.insert(name, value);
            }
        }
        guard.holds(&values)
    }
}

fn lost<'r>(name: &'r str, part: &'r Part, what: String) -> Lost<'r> {
    Lost {
        name,
        at: Some((&part.template, part.line)),
        what: Some(what),
        list: true,
    }
}

/// The value of one element, where another path goes the same way to it.
fn of_element(
    values: &BTreeMap<&str, Value>,
    within: &Path,
    path: &Path,
    at: &[usize],
) -> Option<Value> {
    if within.column != path.column {
        return None;
    }
    let mut value = values.get(within.column.as_str())?.clone();
    let mut at = at.iter();
    let mut same = true;
    for (place, step) in within.steps.iter().enumerate() {
        same &= path.steps.get(place) == Some(step);
        value = match step {
            Step::Field(name) => value.get_attr(name).ok()?,
            Step::Each | Step::Values if !same => return None,
            Step::Each => value.get_item_by_index(*at.next()?).ok()?,
            Step::Values => {
                let key = value.try_iter().ok()?.nth(*at.next()?)?;
                value.get_item(&key).ok()?
            }
        };
    }
    // A field that is not there is absent, as one is that holds `null`.
    Some(if value.is_undefined() || absent::is_absent(&value) {
        Value::from(())
    } else {
        value
    })
}

/// The texts and numbers that lie at the end of steps, or below it.
fn reach<'j>(
    json: &'j Json,
    steps: &[Step],
    at: &mut Vec<usize>,
    name: String,
    found: &mut Vec<Leaf<'j>>,
) {
    let Some((step, rest)) = steps.split_first() else {
        leaves(json, at, name, found);
        return;
    };
    match (step, json) {
        (Step::Field(field), Json::Object(object)) => {
            if let Some(value) = object.get(field) {
                reach(value, rest, at, format!("{name}.{field}"), found);
            }
        }
        (Step::Each, Json::List(list)) => {
            for (place, value) in list.iter().enumerate() {
                at.push(place);
                reach(value, rest, at, format!("{name}[{place}]"), found);
                at.pop();
            }
        }
        (Step::Values, Json::Object(object)) => {
            for (place, (key, value)) in object.iter().enumerate() {
                at.push(place);
                reach(value, rest, at, format!("{name}.{key}"), found);
                at.pop();
            }
        }
        _ => {}
    }
}

/// All texts and numbers within something. Truth values and `null` are what a template makes of them.
fn leaves<'j>(json: &'j Json, at: &mut Vec<usize>, name: String, found: &mut Vec<Leaf<'j>>) {
    match json {
        Json::List(list) => {
            for (place, value) in list.iter().enumerate() {
                leaves(value, at, format!("{name}[{place}]"), found);
            }
        }
        Json::Object(object) => {
            for (key, value) in object {
                leaves(value, at, format!("{name}.{key}"), found);
            }
        }
        Json::Text(text) if text.trim().is_empty() => {}
        Json::Text(_) | Json::Number(_) | Json::Long(_) => found.push(Leaf {
            at: at.clone(),
            name,
            json,
        }),
        Json::Null | Json::Bool(_) => {}
    }
}

/// How a text or a number may stand in a prompt.
fn forms(json: &Json) -> Vec<String> {
    match json {
        Json::Text(text) => vec![text.clone()],
        number => {
            let written = number.to_string();
            let whole = written.strip_suffix(".0").map(str::to_owned);
            std::iter::once(written).chain(whole).collect()
        }
    }
}

impl Search<'_> {
    /// Whether something comes after what was found before: elements stand in their order in most prompts.
    fn next(&mut self, text: &str, number: bool) -> bool {
        let mut from = self.from;
        for (turn, said) in self.prompt.iter().enumerate().skip(self.turn) {
            if let Some(at) = find(&said[from..], text, number) {
                self.turn = turn;
                self.from = from + at + text.len();
                return true;
            }
            from = 0;
        }
        false
    }

    /// How often something is in the prompt.
    fn times(&self, text: &str, number: bool) -> usize {
        let mut times = 0;
        for said in self.prompt {
            let mut from = 0;
            while let Some(at) = find(&said[from..], text, number) {
                times += 1;
                from += at + text.len();
            }
        }
        times
    }
}

/// Where a text stands; a number is not part of a longer one.
fn find(prompt: &str, text: &str, number: bool) -> Option<usize> {
    let bytes = prompt.as_bytes();
    memchr::memmem::find_iter(bytes, text.as_bytes()).find(|&at| {
        let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        let end = at + text.len();
        let fraction = bytes.get(end) == Some(&b'.') && digit(bytes.get(end + 1));
        let before = at.checked_sub(1).map(|at| &bytes[at]);
        let within = digit(before) || before == Some(&b'.') && at >= 2 && digit(bytes.get(at - 2));
        !number || !(digit(bytes.get(end)) || fraction || within)
    })
}

impl Reading {
    /// Whether a template shows a column or something within it.
    pub(super) fn shows_some(&self, column: &str) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| part.path.column == column && part.how == How::Shown)
    }

    /// Where a template takes for a list or an object what is a text.
    pub(super) fn text_taken_apart(&self, values: &BTreeMap<&str, Value>) -> Option<&Access> {
        self.accesses.iter().find(|access| {
            let value = values.get(access.path.column.as_str());
            value.is_some_and(|value| value.as_str().is_some())
        })
    }
}

#[cfg(test)]
mod tests;
