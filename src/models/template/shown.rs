//! Whether a prompt shows what it has to: every text it is given, whole, and no value that is absent.
//!
//! A template that cuts, changes or drops a text gives the model something else to judge than what the table says was
//! judged. What a template is allowed to leave out is said in the spec, not guessed here.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::Environment;
use minijinja::value::Value;

use super::condition::Condition;
use super::json;
use super::reading::{Chain, Reading, Use};
use crate::base::wording::count;

/// So many bytes of a text are looked for before the rest is compared.
const BEGINNING: usize = 32;

/// So many forms of a text are looked for: filters follow one another in a few ways.
const FORMS: usize = 12;

/// What is judged, of the columns that a template is given: `report`, or else `text`.
pub fn judged<'n>(given: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let named = given
        .into_iter()
        .filter(|name| ["report", "text"].contains(name));
    named.min()
}

/// A text that a prompt should show and does not, or not all of it.
pub(super) struct Lost<'r> {
    /// The column.
    pub(super) name: &'r str,
    /// The template that uses it, and the line, if one does.
    pub(super) at: Option<(&'r str, usize)>,
    /// What of it is missing, in words; nothing, where it has no value.
    pub(super) what: Option<String>,
    /// Whether it is a list or an object.
    pub(super) list: bool,
}

/// A prompt, and what it was made of.
pub(super) struct Shown<'r> {
    pub(super) reading: &'r Reading,
    pub(super) environment: &'r Environment<'r>,
    pub(super) values: &'r BTreeMap<&'r str, Value>,
    /// The columns that need not be shown whole.
    pub(super) partly: &'r [String],
    /// What is said, turn by turn: no text goes from one into the next.
    pub(super) prompt: Vec<&'r str>,
}

impl<'r> Shown<'r> {
    /// The first text, in the order of the template, that a prompt does not show whole.
    ///
    /// What is judged has to be there whatever conditions say, unless another column stands in its place. Any other
    /// text has to be there where the template uses it, but for uses under conditions that do not hold.
    pub(super) fn lost(&self) -> Option<Lost<'r>> {
        // A spec gives a template only what it uses.
        let used = |name: &&str| {
            let mut uses = self.reading.uses.iter();
            self.reading.asked.contains(*name) || uses.any(|used| used.name == *name)
        };
        let judged = judged(self.values.keys().copied().filter(used));
        let mut any = judged.is_some();
        let judged = judged.filter(|name| !self.is_partly(name));
        if let Some(lost) = judged.and_then(|name| self.lost_judged(name)) {
            return Some(lost);
        }
        let mut looked_at: BTreeSet<&str> = judged.into_iter().collect();
        for (name, value) in self.values {
            if looked_at.contains(name) || json::cell(value).is_none() {
                continue;
            }
            any |= self.is_partly(name) || self.reading.shows_some(name);
            if self.is_partly(name) {
                continue;
            }
            if let Some(lost) = self.lost_of_list(name) {
                return Some(lost);
            }
        }
        let mut missing: Option<Lost<'r>> = None;
        for used in &self.reading.uses {
            let name = used.name.as_str();
            let Some(text) = self.text(name).filter(|_| !looked_at.contains(name)) else {
                continue;
            };
            if self.is_partly(name) {
                any = true;
                continue;
            }
            let reached =
                |guard: &Condition| guard.orders(name) || guard.holds(self.values) != Some(false);
            let must = used.guards.iter().all(reached);
            if must {
                looked_at.insert(name);
            } else if any {
                continue;
            }
            if self.shows(text) {
                any = true;
            } else if must || missing.is_none() {
                let lost = Lost {
                    name,
                    at: Some(place(used)),
                    what: Some(what_misses(text, &self.prompt)),
                    list: false,
                };
                if must {
                    return Some(lost);
                }
                missing = Some(lost);
            }
        }
        // Where nothing is named as what is judged, the prompt shows one of its texts at least.
        missing.filter(|_| !any)
    }

    /// What is judged, if the prompt does not show it and nothing stands in its place.
    fn lost_judged(&self, name: &'r str) -> Option<Lost<'r>> {
        let value = self.values.get(name)?;
        if json::cell(value).is_some() && !self.is_replaced(name) {
            return self.lost_of_list(name);
        }
        let text = match value.as_str() {
            Some(text) => Some(text.to_owned()),
            None if value.is_none() => None,
            None => Some(value.to_string()),
        };
        let there = text.as_ref();
        if there.is_some_and(|text| text.trim().is_empty() || self.shows(text))
            || self.is_replaced(name)
        {
            return None;
        }
        Some(Lost {
            name,
            at: self
                .reading
                .uses
                .iter()
                .find(|used| used.name == name)
                .map(place),
            what: there.map(|text| what_misses(text, &self.prompt)),
            list: false,
        })
    }

    /// Whether the prompt shows another column where it would show this one: the template says which takes the other's
    /// place, as in `{{ translation or text }}`.
    fn is_replaced(&self, name: &str) -> bool {
        let others = replacements(self.reading, name, self.values);
        others.into_iter().any(|other| {
            let text = self.text(other);
            text.is_some_and(|text| self.is_partly(other) || self.shows(text))
        })
    }

    fn is_partly(&self, name: &str) -> bool {
        self.partly.iter().any(|partly| partly == name)
    }

    /// A text that there is.
    fn text(&self, name: &str) -> Option<&'r str> {
        let text = self.values.get(name)?.as_str()?;
        (!text.trim().is_empty()).then_some(text)
    }

    /// Whether a list or an object stands in the prompt as it is written, or as filters of the template make it.
    pub(super) fn shows_value(&self, value: &Value) -> bool {
        self.has(&value.to_string())
            || self.reading.chains.iter().any(|chain| {
                let made = filtered(self.environment, chain, value.clone());
                made.is_some_and(|made| self.has(&made))
            })
    }

    /// Whether a text stands in the prompt byte for byte, or as filters of the template that leave all of it there make
    /// it, one after the other.
    pub(super) fn shows(&self, text: &str) -> bool {
        if self.has(text) {
            return true;
        }
        let mut forms = vec![text.to_owned()];
        let mut at = 0;
        while let Some(form) = forms.get(at).cloned() {
            at += 1;
            for chain in &self.reading.chains {
                let Some(made) = filtered(self.environment, chain, Value::from(form.as_str()))
                else {
                    continue;
                };
                if self.has(&made) {
                    return true;
                }
                // As part of something larger that is written as JSON, a text lies between other quotes.
                let json = chain.iter().any(|(filter, _)| filter == "tojson");
                let inside = made
                    .strip_prefix('"')
                    .and_then(|made| made.strip_suffix('"'));
                if inside.is_some_and(|inside| json && self.has(inside)) {
                    return true;
                }
                if forms.len() < FORMS && !forms.contains(&made) {
                    forms.push(made);
                }
            }
        }
        false
    }

    /// Whether a turn has a text.
    fn has(&self, text: &str) -> bool {
        self.prompt.iter().any(|turn| has(turn, text))
    }
}

/// Where a variable is used.
fn place(used: &Use) -> (&str, usize) {
    (&used.template, used.line)
}

/// The columns that have a value and in whose place the template would else show one, or that it shows where one has no
/// value.
pub(super) fn replacements<'r>(
    reading: &'r Reading,
    name: &'r str,
    values: &BTreeMap<&str, Value>,
) -> BTreeSet<&'r str> {
    let is_there = |name: &str| values.get(name).is_some_and(|value| !value.is_none());
    let mut found = BTreeSet::new();
    for used in &reading.uses {
        for (at, guard) in used.guards.iter().enumerate() {
            if used.name == name {
                let others = guard.there_if(false);
                found.extend(
                    others
                        .into_iter()
                        .filter(|other| *other != name && is_there(other)),
                );
            } else if !is_there(name) && guard.there_if(false).contains(&name) {
                let mut rest = used
                    .guards
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != at);
                if is_there(&used.name) && rest.all(|(_, guard)| guard.holds(values) != Some(false))
                {
                    found.insert(used.name.as_str());
                }
            }
        }
    }
    found
}

/// Whether a prompt has a text. Long texts are found by their beginning and compared once, which is much faster than
/// searching for all of them.
fn has(prompt: &str, text: &str) -> bool {
    let beginning = &text[..text.floor_char_boundary(BEGINNING)];
    let rest = &text.as_bytes()[beginning.len()..];
    let found = memchr::memmem::find_iter(prompt.as_bytes(), beginning.as_bytes())
        .any(|at| prompt.as_bytes()[at + beginning.len()..].starts_with(rest));
    // The search passes over occurrences that overlap.
    found || repeats(beginning) && prompt.contains(text)
}

/// Whether a text may begin within itself.
fn repeats(beginning: &str) -> bool {
    let bytes = beginning.as_bytes();
    (1..bytes.len()).any(|by| bytes.starts_with(&bytes[by..]))
}

/// What filters make of a text.
fn filtered(environment: &Environment<'_>, chain: &Chain, mut value: Value) -> Option<String> {
    let mut state = environment.empty_state();
    for (filter, arguments) in chain {
        let mut all = vec![value];
        all.extend(arguments.iter().cloned());
        value = state.apply_filter(filter, &all).ok()?;
    }
    Some(value.to_string())
}

/// What of a text a prompt does not have, in words.
fn what_misses(text: &str, prompt: &[&str]) -> String {
    let beginning = &text[..text.floor_char_boundary(BEGINNING / 2)];
    let within = |turn: &&str| {
        let found = memchr::memmem::find_iter(turn.as_bytes(), beginning.as_bytes());
        let shared = found.map(|at| {
            let pairs = turn[at..].chars().zip(text.chars());
            pairs.take_while(|(one, other)| one == other).count()
        });
        shared.max()
    };
    let longest = prompt.iter().filter_map(within).max();
    let all = count(text.chars().count(), "character");
    match longest {
        Some(shown) => {
            format!("only the first {shown} of its {all} are in the prompt unchanged")
        }
        None => format!("its {all} are not in the prompt unchanged"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_wherever_it_begins_and_however_it_repeats_itself() {
        let long = "ab".repeat(40) + "c";
        for text in ["a", "abc", &long, "é€x"] {
            assert!(has(&format!("x {text} y"), text), "{text}");
            assert!(has(&format!("ab{text}"), text), "{text}");
            assert!(
                !has(&text[..text.floor_char_boundary(text.len() - 1)], text),
                "{text}"
            );
        }
        assert!(!has(&"ab".repeat(60), &long));
    }

    #[test]
    fn what_is_missing_is_told_by_how_much_is_there() {
        let text = "It was a bright cold day in April.";
        assert_eq!(
            what_misses(text, &["It is.", "Grade: It was a bright cold"]),
            "only the first 20 of its 34 characters are in the prompt unchanged"
        );
        assert_eq!(
            what_misses(text, &["Grade: (too long)"]),
            "its 34 characters are not in the prompt unchanged"
        );
    }
}
