//! One verb form turned from the past into the present, or from the present into the past.

use super::irregular::{irregular, is_compound};
use super::lemma::lemma;
use super::regular::{is_past, with_ed, with_s};
use crate::language::text::Tag;

/// What a finite verb agrees with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// `I`.
    First,
    /// `he`, `she`, `it`, anything singular.
    Third,
    /// `we`, `you`, `they`, anything plural.
    Other,
}

/// Modals with a past: present and past. `must` and `ought` have none.
const MODALS: [(&str, &str); 4] = [
    ("can", "could"),
    ("may", "might"),
    ("will", "would"),
    ("shall", "should"),
];

/// The past tense of a verb given by its base (`go` → `went`), `was` for `be`; none where only a guess
/// would be possible: for compounds of irregular verbs that the tables lack (`proofread`), and for words
/// whose spelling depends on a stress that is not known.
pub fn past(base: &str) -> Option<String> {
    if let Some(form) = irregular(base).and_then(|verb| verb.past.first()) {
        return Some((*form).to_owned());
    }
    with_ed(base).filter(|form| is_past(form) || !is_compound(base))
}

/// The third person singular of a verb given by its base (`go` → `goes`).
pub fn third_person(base: &str) -> String {
    match base {
        "be" => "is".to_owned(),
        "have" => "has".to_owned(),
        _ => with_s(base),
    }
}

/// The same verb in the other tense, spelled with the capitals of `word`: `Was` → `Is`, `WENT` → `GO`.
///
/// None where the form has no tense, where no verb is known for it, for a modal without a past, and
/// where both tenses look alike (`they put`).
pub fn flip(word: &str, tag: Tag, subject: Subject) -> Option<String> {
    let form = word.to_lowercase();
    let flipped = match tag {
        Tag::Md => flip_modal(&form)?.to_owned(),
        Tag::Vbd => present(&form, &lemma(&form, tag)?, subject),
        Tag::Vbz | Tag::Vbp => match lemma(&form, tag)?.as_str() {
            "be" if form == "are" => "were".to_owned(),
            base => past(base)?,
        },
        _ => return None,
    };
    (flipped != form).then(|| like(word, &flipped))
}

fn flip_modal(form: &str) -> Option<&'static str> {
    MODALS.iter().find_map(|&(present, past)| {
        if form == present {
            Some(past)
        } else {
            (form == past).then_some(present)
        }
    })
}

fn present(form: &str, base: &str, subject: Subject) -> String {
    match (form, subject) {
        ("was", Subject::First) => "am".to_owned(),
        ("was", _) => "is".to_owned(),
        ("were", _) => "are".to_owned(),
        (_, Subject::Third) => third_person(base),
        (_, Subject::First | Subject::Other) => base.to_owned(),
    }
}

/// `form`, with its capitals where `model` has them: all, the first, or none.
pub(super) fn like(model: &str, form: &str) -> String {
    let mut letters = model.chars().filter(|letter| letter.is_alphabetic());
    let first = letters.next().is_some_and(char::is_uppercase);
    let mut rest = letters.peekable();
    if first && rest.peek().is_some() && rest.all(char::is_uppercase) {
        return form.to_uppercase();
    }
    let mut letters = form.chars();
    match letters.next() {
        Some(initial) if first => initial.to_uppercase().chain(letters).collect(),
        _ => form.to_owned(),
    }
}
