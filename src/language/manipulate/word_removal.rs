//! \[45\] Word removal: words are left out (thesis, Eq. A.6).
//!
//! Eq. 3.2 takes the percentage of all tokens, but only words of letters and digits alone are removed, so
//! that punctuation stays: `house,` is a token and no such word. In 65 published gold documents 85 % of
//! the tokens are such words, so much higher percentages are not applicable.

use super::density::Density;
use super::edit::{Change, NotApplicable};
use super::gap::{nothing_left, with_gaps};

use super::{About, Damaged, Intensity, Job, Letters, Refusal, Target, Work};
use crate::base::draw::Draw;
use crate::language::text::Span;

/// \[45\] Words are taken out (Eq. A.6).
#[derive(Clone, Copy, Debug)]
pub struct WordRemoval;

impl Work for WordRemoval {
    type Settings = Letters;

    const ABOUT: About = About {
        usual: Some(Intensity::Count(50)),
        counts_tokens: true,
        ..About::of("word-removal", Some(45), Target::Fluency)
    };

    fn perform(settings: &Letters, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        let text = job.subject.text;
        job.make(job.subject.tokens, |operations, draw| {
            remove_words(text, operations, settings.density, draw)
        })
    }
}

/// Removes `operations` words, each with one of the blanks beside it; a line keeps its break where words are
/// left on both sides.
///
/// # Errors
/// When there are too few words of letters and digits alone, or when nothing would be left of the text.
pub fn remove_words(
    text: &str,
    operations: usize,
    density: Density,
    draw: &mut Draw,
) -> Result<Vec<Change>, NotApplicable> {
    let words = removable(text);
    let chosen = density.choose(text, &words, operations, ("removal", "plain word"), draw)?;
    let chosen: Vec<Span> = chosen.into_iter().map(|number| words[number]).collect();
    let taken = with_gaps(text, &chosen);
    if operations > 0 && nothing_left(text, &taken) {
        return Err(NotApplicable(
            "removing every word would leave nothing of the text".to_owned(),
        ));
    }
    Ok(taken
        .into_iter()
        .enumerate()
        .map(|(operation, span)| Change::new(operation, span, ""))
        .collect())
}

/// The tokens between blanks that are letters and digits alone.
fn removable(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut open: Option<(usize, bool)> = None;
    for (at, letter) in text.char_indices() {
        if letter.is_whitespace() {
            if let Some((start, true)) = open.take() {
                found.push(Span::new(start, at));
            }
        } else {
            let (start, plain) = open.unwrap_or((at, true));
            open = Some((start, plain && letter.is_alphanumeric()));
        }
    }
    if let Some((start, true)) = open {
        found.push(Span::new(start, text.len()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::manipulate::edit::apply;

    fn without(
        text: &str,
        operations: usize,
        density: Density,
        seed: u64,
    ) -> Result<String, NotApplicable> {
        let mut draw = Draw::new(seed, &["word-removal"]);
        let changes = remove_words(text, operations, density, &mut draw)?;
        Ok(apply(text, changes).unwrap().0)
    }

    #[test]
    fn words_go_with_one_blank_and_punctuation_stays() {
        let text = "He came, 3 days late,\nto the good-natured\nman";
        let result = without(text, 6, Density::Widespread, 0).unwrap();
        assert_eq!(result, "came, late,\ngood-natured");
        for seed in 0..20 {
            let result = without(text, 3, Density::Widespread, seed).unwrap();
            assert_eq!(result.split_whitespace().count(), 6);
            assert!(!result.contains("  ") && !result.contains(" \n") && !result.contains("\n "));
        }
    }

    #[test]
    fn every_word_may_be_drawn() {
        let seen: std::collections::BTreeSet<String> = (0..60)
            .map(|seed| without("a b, c d", 1, Density::Widespread, seed).unwrap())
            .collect();
        assert_eq!(
            seen.into_iter().collect::<Vec<_>>(),
            ["a b, c", "a b, d", "b, c d"]
        );
    }

    #[test]
    fn dense_removals_lie_in_one_region() {
        let text = "word ".repeat(200);
        for seed in 0..10 {
            let mut draw = Draw::new(seed, &[]);
            let changes = remove_words(&text, 10, Density::Dense, &mut draw).unwrap();
            assert!(changes[9].span.end - changes[0].span.start <= 126);
        }
    }

    #[test]
    fn too_few_words_and_an_empty_rest_are_said() {
        assert_eq!(
            without("no: 1 two", 3, Density::Widespread, 0)
                .unwrap_err()
                .0,
            "3 removals need 3 plain words, and there are 2"
        );
        assert_eq!(
            without(" one two ", 2, Density::Widespread, 0)
                .unwrap_err()
                .0,
            "removing every word would leave nothing of the text"
        );
    }
}
