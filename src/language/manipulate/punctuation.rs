//! \[44\] Punctuation removal: single marks are left out (thesis, Eq. A.4 and A.5).
//!
//! Only the marks go. Where one stood alone between two blanks, both blanks stay.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::density::Density;
use super::edit::{Change, NotApplicable};

use super::words::{is_punctuation, is_typographic};
use super::{About, Damaged, Job, Refusal, Target, Work};
use crate::base::draw::Draw;
use crate::language::text::Span;

/// \[44\] Punctuation marks are taken out (Eq. A.4, A.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PunctuationRemoval {
    /// Spread over the text, or close together.
    pub density: Density,
    /// Which marks may be taken out.
    pub marks: Marks,
}

impl Work for PunctuationRemoval {
    type Settings = Self;

    const ABOUT: About = About::of("punctuation-removal", Some(44), Target::Fluency);

    fn perform(settings: &Self, job: &mut Job<'_>) -> Result<Damaged, Refusal> {
        let text = job.subject.text;
        let marks = marks(text, settings.marks);
        job.make(marks.len(), |operations, draw| {
            remove_punctuation(text, &marks, operations, settings.density, draw)
        })
    }
}

/// Which characters are punctuation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Marks {
    /// The 32 characters of Python's `string.punctuation`, as in the thesis. In books set with “ ” ’ — the
    /// quotation marks, apostrophes and dashes are then none.
    #[default]
    Ascii,
    /// These and the typographic ones: “ ” ‘ ’ « » – — … and their like.
    Typographic,
}

/// The punctuation characters of a text, in order: what Eq. A.4 takes its percentage of.
pub fn marks(text: &str, marks: Marks) -> Vec<Span> {
    text.char_indices()
        .filter(|&(_, letter)| match marks {
            Marks::Ascii => is_punctuation(letter) && !is_typographic(letter),
            Marks::Typographic => is_punctuation(letter),
        })
        .map(|(at, letter)| Span::new(at, at + letter.len_utf8()))
        .collect()
}

/// Removes `operations` of the marks that [`marks`] found.
///
/// Dense: marks are rarer than Eq. 3.3 supposes, so the region is nearly always (at 10 %, in 63 of 65
/// published gold documents) a run of neighbouring marks all of which go; see [`Density::choose`].
///
/// # Errors
/// When there are too few marks.
pub fn remove_punctuation(
    text: &str,
    marks: &[Span],
    operations: usize,
    density: Density,
    draw: &mut Draw,
) -> Result<Vec<Change>, NotApplicable> {
    let chosen = density.choose(
        text,
        marks,
        operations,
        ("removal", "punctuation mark"),
        draw,
    )?;
    Ok(chosen
        .into_iter()
        .enumerate()
        .map(|(operation, number)| Change::new(operation, marks[number], ""))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::manipulate::edit::apply;

    fn without(
        text: &str,
        set: Marks,
        operations: usize,
        seed: u64,
    ) -> Result<String, NotApplicable> {
        let mut draw = Draw::new(seed, &["punctuation"]);
        let marks = marks(text, set);
        let changes = remove_punctuation(text, &marks, operations, Density::Widespread, &mut draw)?;
        Ok(apply(text, changes).unwrap().0)
    }

    #[test]
    fn python_knows_thirty_two_marks() {
        let all: String = (0..=0x10_ffff).filter_map(char::from_u32).collect();
        let python = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
        let found: String = marks(&all, Marks::Ascii)
            .iter()
            .map(|mark| mark.of(&all))
            .collect();
        assert_eq!(found, python);
        let typographic: Vec<&str> = marks(&all, Marks::Typographic)
            .iter()
            .map(|mark| mark.of(&all))
            .collect();
        assert!(
            ["“", "”", "‘", "’", "—", "–", "…", "«", "¿"]
                .iter()
                .all(|mark| typographic.contains(mark))
        );
        assert!(
            typographic
                .iter()
                .all(|mark| !mark.contains(char::is_alphanumeric))
        );
        assert!(
            typographic
                .iter()
                .all(|mark| !mark.contains(char::is_whitespace))
        );
    }

    #[test]
    fn so_many_marks_go_and_nothing_else() {
        let text = "“Well--no,” he said: 'it’s late…'";
        for seed in 0..10 {
            assert_eq!(
                without(text, Marks::Ascii, 6, seed).unwrap(),
                "“Wellno” he said it’s late…"
            );
            assert_eq!(
                without(text, Marks::Typographic, 10, seed).unwrap(),
                "Wellno he said its late"
            );
        }
        assert_eq!(
            without(text, Marks::Ascii, 7, 0).unwrap_err().0,
            "7 removals need 7 punctuation marks, and there are 6"
        );
    }

    #[test]
    fn every_mark_may_be_drawn() {
        let seen: std::collections::BTreeSet<String> = (0..60)
            .map(|seed| without("a,b.c!", Marks::Ascii, 2, seed).unwrap())
            .collect();
        assert_eq!(
            seen.into_iter().collect::<Vec<_>>(),
            ["a,bc", "ab.c", "abc!"]
        );
    }
}
