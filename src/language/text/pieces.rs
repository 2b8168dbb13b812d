//! Pieces: a text cut into its paragraphs, sections or chapters, nothing left out.

use super::paragraphs::paragraphs;
use super::scan::numbered;
use super::{NoChapters, Paragraph, Scan, Scope, Span};

/// Cuts a text before each of its units (see [`Scope::units`]) but the first.
///
/// Headings belong to what they stand above; what belongs to no unit otherwise (headings at the end,
/// paragraphs too short, a few paragraphs between two headings that make no section) belongs to the
/// piece before it, or to the first. A text with letters but without units is one piece.
///
/// # Errors
/// When chapters are asked for and the text has no reliable ones.
pub fn pieces(text: &str, scope: Scope, min_chars: usize) -> Result<Vec<Scan>, NoChapters> {
    let units = scope.units(text, min_chars)?;
    let paragraphs = paragraphs(text);
    let mut ends = beginnings(&units, &paragraphs);
    ends.extend((!paragraphs.is_empty()).then_some(text.len()));
    Ok(numbered(&ends))
}

/// Where the units but the first begin, with the headings above them.
fn beginnings(units: &[Span], paragraphs: &[Paragraph]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut units = units.iter().skip(1).peekable();
    // Where the headings above the present paragraph begin.
    let mut headings: Option<usize> = None;
    for paragraph in paragraphs {
        let start = paragraph.span.start;
        // A unit begins with its indentation.
        if units.next_if(|unit| unit.start <= start).is_some() {
            found.push(headings.unwrap_or(start));
        }
        headings = paragraph.heading.then(|| headings.unwrap_or(start));
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BOOK: &str =
        "TITLE\n\nCHAPTER I\n\nTHE STORM\n\nAaaaa.\n\nB.\n\nCHAPTER II\n\nCcccc.\n\nTHE END\n";

    fn texts(text: &str, scope: Scope, min_chars: usize) -> Vec<&str> {
        let found = pieces(text, scope, min_chars).unwrap();
        found.iter().map(|scan| scan.span.of(text)).collect()
    }

    #[test]
    fn headings_belong_to_what_they_stand_above() {
        assert_eq!(
            texts(BOOK, Scope::Paragraph, 1),
            [
                "TITLE\n\nCHAPTER I\n\nTHE STORM\n\nAaaaa.\n\n",
                "B.\n\n",
                "CHAPTER II\n\nCcccc.\n\nTHE END\n"
            ]
        );
        assert_eq!(
            texts(BOOK, Scope::Chapter, 1),
            [
                "TITLE\n\nCHAPTER I\n\nTHE STORM\n\nAaaaa.\n\nB.\n\n",
                "CHAPTER II\n\nCcccc.\n\nTHE END\n"
            ]
        );
    }

    #[test]
    fn what_belongs_to_no_unit_stays_with_the_piece_before() {
        assert_eq!(texts(BOOK, Scope::Paragraph, 3).len(), 2);
        assert_eq!(texts(BOOK, Scope::Section, 8).len(), 1);
        assert_eq!(texts(BOOK, Scope::Section, 3000), [BOOK]);
    }

    #[test]
    fn a_text_without_letters_has_no_pieces() {
        assert!(texts(" \n\n", Scope::Paragraph, 0).is_empty());
        assert!(pieces("A a.", Scope::Chapter, 0).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn pieces_put_together_are_the_text(text in "(CHAPTER I|[aé.]{1,4}|II|\n|\n\n| ){0,30}", least in 0usize..8) {
            for scope in [Scope::Paragraph, Scope::Section] {
                let found = pieces(&text, scope, least).unwrap();
                let whole: String = found.iter().map(|scan| scan.span.of(&text)).collect();
                prop_assert_eq!(whole, if text.trim().is_empty() { "" } else { &text });
                let units = scope.units(&text, least).unwrap();
                let held = |unit: &Span| {
                    let indentation = unit.len() - unit.of(&text).trim_start().len();
                    let letters = Span::new(unit.start + indentation, unit.end);
                    found.iter().any(|scan| scan.span.contains(letters))
                };
                prop_assert!(units.iter().all(held));
                prop_assert!(found.len() == units.len().max(1) || text.trim().is_empty());
                prop_assert!(found.iter().zip(1..).all(|(scan, number)| scan.number == number));
            }
        }
    }
}
