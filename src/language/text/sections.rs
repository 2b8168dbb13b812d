//! Sections: consecutive paragraphs that together are long enough (thesis, Section 3.2.3 b).

use super::Span;
use super::paragraphs::paragraphs;

/// The sections of a text, each of at least `min_chars` characters (3000 in the thesis), counted from
/// its first letter to its last, blanks between its paragraphs included.
///
/// Paragraphs are gathered until they are long enough; then the next section begins. A heading ends
/// a section, because a section is one stretch and holds no heading. Paragraphs that are left over
/// before a heading or at the end join the section before them, or belong to none where no section
/// stands between them and the heading before: in a text of short chapters much is in no section. The
/// thesis does not say what its code does with either.
pub fn sections(text: &str, min_chars: usize) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    // What has been gathered, and its characters.
    let mut open: Option<(Span, usize)> = None;
    // Whether a section of the present stretch between two headings has been found.
    let mut joinable = false;
    for paragraph in paragraphs(text) {
        if paragraph.heading {
            join(&mut found, open.take(), joinable);
            joinable = false;
            continue;
        }
        let empty = Span::new(paragraph.span.start, paragraph.span.start);
        let (before, chars) = open.unwrap_or((empty, 0));
        let more = Span::new(before.end, paragraph.span.end).of(text);
        let chars = chars + more.chars().count();
        let gathered = Span::new(before.start, paragraph.span.end);
        if chars >= min_chars {
            found.push(gathered);
            open = None;
            joinable = true;
        } else {
            open = Some((gathered, chars));
        }
    }
    join(&mut found, open, joinable);
    found
}

fn join(found: &mut [Span], rest: Option<(Span, usize)>, joinable: bool) {
    if let (Some((rest, _)), true, Some(last)) = (rest, joinable, found.last_mut()) {
        last.end = rest.end;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str, min_chars: usize) -> Vec<&str> {
        let spans = sections(text, min_chars);
        spans.into_iter().map(|span| span.of(text)).collect()
    }

    #[test]
    fn paragraphs_are_gathered_until_they_are_long_enough() {
        let text = "Aaaa.\n\nBbbb.\n\nCccc.\n\nDddd.";
        assert_eq!(texts(text, 12), ["Aaaa.\n\nBbbb.", "Cccc.\n\nDddd."]);
        assert_eq!(texts(text, 5), ["Aaaa.", "Bbbb.", "Cccc.", "Dddd."]);
    }

    #[test]
    fn what_is_left_over_joins_the_section_before() {
        assert_eq!(
            texts("Aaaaa.\n\nBbbbb.\n\nCc.", 6),
            ["Aaaaa.", "Bbbbb.\n\nCc."]
        );
    }

    #[test]
    fn a_section_holds_no_heading() {
        let text = "CHAPTER I\n\nAaaaa.\n\nB.\n\nCHAPTER II\n\nCc.\n\nCHAPTER III\n\nDdddd.";
        assert_eq!(texts(text, 6), ["Aaaaa.\n\nB.", "Ddddd."]);
    }

    #[test]
    fn characters_are_counted_and_not_bytes() {
        assert_eq!(texts("éééé.\n\nA.", 6), ["éééé.\n\nA."]);
    }

    #[test]
    fn a_text_that_is_too_short_has_no_section() {
        assert!(texts("Aaaa.", 6).is_empty());
        assert!(texts("", 0).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn sections_are_in_order_and_long_enough(text in "[aé.\n]{0,80}", least in 0usize..20) {
            let found = sections(&text, least);
            prop_assert!(found.windows(2).all(|pair| pair[0].end < pair[1].start));
            for span in found {
                prop_assert!(span.of(&text).chars().count() >= least);
            }
        }
    }
}
