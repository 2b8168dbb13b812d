//! How large the stretches are that one operation may touch (thesis, Section 3.2.3).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Span;
use super::chapters::{NoChapters, chapters};
use super::paragraphs::{has_chars, units, with_indentation};
use super::sections::sections;

/// The size of the units of a text.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// A paragraph that is no heading.
    #[default]
    Paragraph,
    /// Consecutive paragraphs.
    Section,
    /// All that stands under a chapter heading.
    Chapter,
}

impl Scope {
    /// The fewest characters a unit has where nothing else is said: 50 for a paragraph, 3000 for a
    /// section (the thesis's numbers), and 1 for a chapter.
    pub fn default_chars(self) -> usize {
        match self {
            Self::Paragraph => 50,
            Self::Section => 3000,
            Self::Chapter => 1,
        }
    }

    /// The units of a text with at least `min_chars` characters each, in order, none overlapping
    /// another, without headings in front; for sections, `min_chars` is also what they are filled up to. The
    /// indentation of its first line belongs to a unit, so that verse that is moved stays verse, and is not
    /// counted.
    ///
    /// # Errors
    /// When chapters are asked for and the text has no reliable ones.
    pub fn units(self, text: &str, min_chars: usize) -> Result<Vec<Span>, NoChapters> {
        let mut units = match self {
            Self::Paragraph => units(text, min_chars),
            Self::Section => sections(text, min_chars),
            Self::Chapter => {
                let mut units = chapters(text)?;
                units.retain(|unit| has_chars(unit.of(text), min_chars));
                units
            }
        };
        for unit in &mut units {
            *unit = with_indentation(text, *unit);
        }
        Ok(units)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scope_has_its_units() {
        let text = "CHAPTER I\n\nAaaa.\n\nBb.\n\nCCC\n\nDd.\n\nCHAPTER II\n\nE.";
        let units = |scope: Scope, least| -> Vec<&str> {
            let spans = scope.units(text, least).unwrap();
            spans.into_iter().map(|span| span.of(text)).collect()
        };
        assert_eq!(units(Scope::Paragraph, 3), ["Aaaa.", "Bb.", "Dd."]);
        assert_eq!(units(Scope::Section, 6), ["Aaaa.\n\nBb."]);
        assert_eq!(
            units(Scope::Chapter, 1),
            ["Aaaa.\n\nBb.\n\nCCC\n\nDd.", "E."]
        );
        assert_eq!(units(Scope::Chapter, 3).len(), 1);
    }

    #[test]
    fn indentation_belongs_to_a_unit_and_does_not_count() {
        let text = "I\n\n  Aa.\n  Bb.\n\n\tCcc.\n\nII\n\n   Ddd.";
        for (scope, least, expected) in [
            (
                Scope::Paragraph,
                4,
                &["  Aa.\n  Bb.", "\tCcc.", "   Ddd."][..],
            ),
            (Scope::Section, 4, &["  Aa.\n  Bb.", "\tCcc.", "   Ddd."]),
            (Scope::Chapter, 4, &["  Aa.\n  Bb.\n\n\tCcc.", "   Ddd."]),
            (Scope::Paragraph, 5, &["  Aa.\n  Bb."]),
        ] {
            let units = scope.units(text, least).unwrap();
            let units: Vec<&str> = units.iter().map(|unit| unit.of(text)).collect();
            assert_eq!(units, expected, "{scope:?}");
        }
    }

    #[test]
    fn a_text_without_chapters_says_so() {
        assert!(Scope::Chapter.units("A a.", 1).is_err());
    }
}
