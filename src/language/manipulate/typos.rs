//! \[41\] Typos: letters give way to neighbours on the keyboard (thesis, Eq. 3.17).
//!
//! The thesis draws among all characters; in the published data every sixth typo is a letter typed over
//! a blank, which joins two words. Here words keep their bounds and only letters are typed over.

use super::density::Density;
use super::edit::{Change, NotApplicable};
use super::keyboard::neighbours;

use super::{About, Damaged, Intensity, Job, Letters, Refusal, Target, Work};
use crate::base::draw::Draw;
use crate::language::text::Span;

/// \[41\] Letters become their neighbours on the keyboard (Eq. 3.2, 3.17).
#[derive(Clone, Copy, Debug)]
pub struct Typos;

impl Work for Typos {
    type Settings = Letters;

    const ABOUT: About = About {
        usual: Some(Intensity::Percent { start: 2, end: 2 }),
        counts_tokens: true,
        ..About::of("typos", Some(41), Target::Fluency)
    };

    fn perform(settings: &Letters, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        let text = job.subject.text;
        job.make(job.subject.tokens, |operations, draw| {
            typos(text, operations, settings.density, draw)
        })
    }
}

/// Replaces `operations` different letters, each by one beside it on a QWERTY keyboard, in the same case.
///
/// Only the 26 English letters are typed over; a letter with an accent of its own character is none.
/// Eq. 3.2 takes its percentage of the text's tokens, so 2 % are about one letter in 230.
///
/// # Errors
/// When the text has too few letters.
pub fn typos(
    text: &str,
    operations: usize,
    density: Density,
    draw: &mut Draw,
) -> Result<Vec<Change>, NotApplicable> {
    let letters = letters(text);
    let chosen = density.choose(text, &letters, operations, ("typo", "letter"), draw)?;
    Ok(chosen
        .into_iter()
        .enumerate()
        .map(|(operation, number)| {
            let place = letters[number];
            let letter = place.of(text).chars().next().unwrap_or_default();
            let beside = neighbours(letter).as_bytes();
            let mut new = char::from(beside[draw.below(beside.len())]);
            if letter.is_ascii_uppercase() {
                new.make_ascii_uppercase();
            }
            Change::new(operation, place, new)
        })
        .collect())
}

/// The letters that have neighbours, without those that carry a combining accent.
fn letters(text: &str) -> Vec<Span> {
    let mut following = text.chars().skip(1);
    text.char_indices()
        .filter_map(|(at, letter)| {
            let accent = matches!(following.next(), Some('\u{300}'..='\u{36f}'));
            (letter.is_ascii_alphabetic() && !accent).then(|| Span::new(at, at + 1))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::manipulate::edit::apply;

    fn typed(text: &str, operations: usize, seed: u64) -> Result<String, NotApplicable> {
        let mut draw = Draw::new(seed, &["typos"]);
        let changes = typos(text, operations, Density::Widespread, &mut draw)?;
        Ok(apply(text, changes).unwrap().0)
    }

    #[test]
    fn only_letters_are_typed_over_and_keep_their_case() {
        let text = "On the 29th, “É” — e\u{301}té...\r\nsaid I!";
        for seed in 0..20 {
            let result = typed(text, 12, seed).unwrap();
            for (now, before) in result.chars().zip(text.chars()) {
                assert_eq!(now.is_ascii_uppercase(), before.is_ascii_uppercase());
                assert_eq!(now.is_ascii_lowercase(), before.is_ascii_lowercase());
                assert!(now == before || neighbours(before).contains(now.to_ascii_lowercase()));
            }
            let changed = result
                .chars()
                .zip(text.chars())
                .filter(|(now, before)| now != before);
            assert_eq!(changed.count(), 12);
        }
        assert_eq!(
            typed(text, 14, 0).unwrap_err().0,
            "14 typos need 14 letters, and there are 13"
        );
    }

    #[test]
    fn every_letter_and_every_neighbour_may_be_drawn() {
        let seen: std::collections::BTreeSet<String> =
            (0..300).map(|seed| typed("po", 1, seed).unwrap()).collect();
        assert_eq!(
            seen.into_iter().collect::<Vec<_>>(),
            ["lo", "oo", "pi", "pk", "pl", "pp"]
        );
    }
}
