//! The conjunction needle: every `and` of a sentence becomes `or`, and every `or` becomes `and`.
//!
//! Source: Aksoy et al., "Semantic Needles in Document Haystacks" (2026), Appendix A, `con`.

use super::place::NeedlePlace;
use super::{Needle, Position};
use crate::language::manipulate::edit::Change;
use crate::language::manipulate::{About, Damaged, Job, Refusal, Takes, Target, Work};
use crate::language::text::{Tag, Want, Word};

/// Needle `con`: `and` and `or` change places (Semantic Needles, appendix A).
#[derive(Clone, Copy, Debug)]
pub struct ConjunctionSwap;

impl Work for ConjunctionSwap {
    type Settings = NeedlePlace;

    const ABOUT: About = About {
        wants: Want::WORDS,
        takes: Takes::Hay,
        ..About::of("conjunction-swap", None, Target::Meaning)
    };

    fn takes(place: &NeedlePlace) -> Takes {
        place.takes()
    }

    fn perform(place: &NeedlePlace, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        place.lay(Needle::Conjunction, job)
    }

    fn positions(place: &NeedlePlace) -> Vec<Position> {
        place.positions()
    }

    fn perform_each(place: &NeedlePlace, job: &mut Job<'_>) -> Result<Vec<Damaged>, Refusal> {
        place.lay_each(Needle::Conjunction, job)
    }
}

/// The swaps in the sentence that consists of `words`, one operation; none where it has no `and` or
/// `or`.
///
/// Words tagged as conjunctions only, in their case (`And` becomes `Or`). Ampersands stay, and so
/// does `both … and` around its other half. `and/or` becomes `or/and` if it comes as three words,
/// and stays if it comes as one.
pub(super) fn swap(text: &str, words: &[Word]) -> Option<Vec<Change>> {
    let changes: Vec<Change> = words
        .iter()
        .filter(|word| word.tag == Tag::Cc)
        .filter_map(|word| Some(Change::new(0, word.span, other(word.span.of(text))?)))
        .collect();
    (!changes.is_empty()).then_some(changes)
}

/// The other conjunction in the case of this one.
fn other(word: &str) -> Option<String> {
    let other = match word.to_ascii_lowercase().as_str() {
        "and" => "or",
        "or" => "and",
        _ => return None,
    };
    let mut letters = word.chars().map(char::is_uppercase);
    Some(match (letters.next(), letters.next()) {
        (Some(true), Some(true)) => other.to_uppercase(),
        (Some(true), _) => format!("{}{}", other[..1].to_uppercase(), &other[1..]),
        _ => other.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_case_is_kept() {
        assert_eq!(other("and").as_deref(), Some("or"));
        assert_eq!(other("Or").as_deref(), Some("And"));
        assert_eq!(other("AND").as_deref(), Some("OR"));
        assert_eq!(other("but"), None);
    }
}
