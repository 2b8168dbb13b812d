//! Whether a prompt shows what it has to: every text it is given, whole, and no value that is absent.
//!
//! A template that cuts, changes or drops a text gives the model something else to judge than what the table says was
//! judged. What a template is allowed to leave out is said in the spec, not guessed here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use minijinja::Environment;
use minijinja::value::{Object, ObjectRepr, Value};

use super::reading::{Chain, Reading, Use};
use crate::base::wording::count;

/// Stands around the name of an absent value in a prompt: a sign that no text has, since Unicode keeps it free.
const MARK: char = '\u{FDD0}';

/// So many bytes of a text are looked for before the rest is compared.
const BEGINNING: usize = 32;

/// A value that is absent: false, `none` to tests, and noticed where a template prints it.
#[derive(Debug)]
pub(super) struct Absent(pub(super) String);

impl Object for Absent {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn is_true(self: &Arc<Self>) -> bool {
        false
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{MARK}{}{MARK}", self.0)
    }
}

/// Whether a value is absent, for the test `is none`.
pub(super) fn is_absent(value: &Value) -> bool {
    value.is_none() || value.downcast_object_ref::<Absent>().is_some()
}

/// The absent value that a prompt prints, if it prints one.
pub(super) fn printed<'n>(prompt: &str, absent: &[&'n str]) -> Option<&'n str> {
    let at = prompt.find(MARK)?;
    let after = &prompt[at + MARK.len_utf8()..];
    let says = |name: &&&str| {
        after
            .get(..name.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(name))
    };
    // Filters may have changed the name.
    absent.iter().find(says).or(absent.first()).copied()
}

/// A text that a prompt should show and does not, or not all of it.
pub(super) struct Lost<'r> {
    /// Where the template uses it.
    pub(super) at: &'r Use,
    /// What of it is missing, in words.
    pub(super) what: String,
}

/// The first text, in the order of the template, that a prompt does not show whole.
///
/// A text is shown whole if it stands in the prompt byte for byte, or as filters of the template that leave all of it
/// there make it. One that is only used under conditions that do not hold need not be shown, and neither need those
/// named in `partly`.
pub(super) fn lost<'r>(
    reading: &'r Reading,
    environment: &Environment<'_>,
    values: &BTreeMap<&str, Value>,
    partly: &[String],
    prompt: &str,
) -> Option<Lost<'r>> {
    let mut looked_at: BTreeSet<&str> = BTreeSet::new();
    for used in &reading.uses {
        let name = used.name.as_str();
        if partly.contains(&used.name) || reading.numbers.contains(name) {
            continue;
        }
        let Some(text) = values.get(name).and_then(|value| value.as_str()) else {
            continue;
        };
        let reached = |guard: &super::condition::Condition| guard.holds(values) != Some(false);
        if text.trim().is_empty() || !used.guards.iter().all(reached) || !looked_at.insert(name) {
            continue;
        }
        let filtered = || {
            let mut chains = reading.chains.iter();
            chains.any(|chain| shows_filtered(environment, chain, text, prompt))
        };
        if !has(prompt, text) && !filtered() {
            let what = missing(text, prompt);
            return Some(Lost { at: used, what });
        }
    }
    None
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

fn shows_filtered(environment: &Environment<'_>, chain: &Chain, text: &str, prompt: &str) -> bool {
    let mut state = environment.empty_state();
    let mut value = Value::from(text);
    for (filter, arguments) in chain {
        let mut all = vec![value];
        all.extend(arguments.iter().cloned());
        match state.apply_filter(filter, &all) {
            Ok(made) => value = made,
            Err(_) => return false,
        }
    }
    let made = value.to_string();
    // As part of something larger that is written as JSON, a text lies between other quotes.
    let inside = made
        .strip_prefix('"')
        .and_then(|made| made.strip_suffix('"'));
    let json = chain.iter().any(|(filter, _)| filter == "tojson");
    has(prompt, &made)
        || inside
            .filter(|_| json)
            .is_some_and(|made| has(prompt, made))
}

/// What of a text a prompt does not have, in words.
fn missing(text: &str, prompt: &str) -> String {
    let beginning = &text[..text.floor_char_boundary(BEGINNING / 2)];
    let longest = memchr::memmem::find_iter(prompt.as_bytes(), beginning.as_bytes())
        .map(|at| {
            let pairs = prompt[at..].chars().zip(text.chars());
            pairs.take_while(|(one, other)| one == other).count()
        })
        .max();
    let all = count(text.chars().count(), "character");
    match longest {
        Some(shown) => {
            format!("only the first {shown} of its {all} are in the prompt as they stand")
        }
        None => format!("its {all} are not in the prompt as they stand"),
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
            missing(text, "Grade: It was a bright cold"),
            "only the first 20 of its 34 characters are in the prompt as they stand"
        );
        assert_eq!(
            missing(text, "Grade: (too long)"),
            "its 34 characters are not in the prompt as they stand"
        );
    }
}
