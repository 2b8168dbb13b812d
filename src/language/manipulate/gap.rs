//! Gaps: the blanks and line breaks between units or words, and which of them go when something is taken out.

use std::ops::Range;

use crate::language::text::Span;

/// What is taken out with each of the chosen spans, which are in the order of the text and do not
/// overlap: the span and one gap beside it.
///
/// Spans with nothing but blanks between them form a run. A run of three has four gaps; one stays, the
/// strongest, and that is the end of the text, else the one with most line breaks, else the first.
/// So a heading keeps its distance, a line its break, and neither an empty paragraph nor a double
/// blank comes about that was not there before.
pub(super) fn with_gaps(text: &str, chosen: &[Span]) -> Vec<Span> {
    let mut taken = Vec::with_capacity(chosen.len());
    let mut first = 0;
    while first < chosen.len() {
        let before = before(text, chosen[first].start);
        let mut gaps = vec![before];
        let mut next = first;
        loop {
            let after = after(text, chosen[next].end);
            next += 1;
            match chosen.get(next) {
                // A gap ends after its line break, and the next unit may be indented.
                Some(unit) if is_blank(text, chosen[next - 1].end..unit.start) => {
                    gaps.push(Span::new(chosen[next - 1].end, unit.start));
                }
                _ => {
                    gaps.push(after);
                    break;
                }
            }
        }
        let (mut kept, mut strongest) = (0, 0);
        for (number, &gap) in gaps.iter().enumerate() {
            let strength = strength(text, gap);
            if strength > strongest {
                (kept, strongest) = (number, strength);
            }
        }
        let end = gaps.last().map_or(0, |gap| gap.end);
        for (number, unit) in chosen[first..next].iter().enumerate() {
            taken.push(if number < kept {
                Span::new(gaps[number].start, unit.end)
            } else if number == kept && text[end..].starts_with(is_indentation) {
                // What comes to stand on the line is indented, or it was not.
                let line = text[..unit.start].trim_end_matches(is_indentation);
                Span::new(line.len().max(gaps[number].start), gaps[number + 1].end)
            } else {
                Span::new(unit.start, gaps[number + 1].end)
            });
        }
        first = next;
    }
    taken
}

/// Whether nothing but blanks is left when the spans, in order, are taken out.
pub(super) fn nothing_left(text: &str, taken: &[Span]) -> bool {
    let mut end = 0;
    let bare = taken.iter().all(|span| {
        let blank = is_blank(text, end..span.start);
        end = span.end;
        blank
    });
    bare && is_blank(text, end..text.len())
}

/// What stands between two paragraphs of the text: an empty line, in the text's kind of line break.
pub(super) fn paragraph_break(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n\r\n",
        _ => "\n\n",
    }
}

fn before(text: &str, place: usize) -> Span {
    Span::new(text[..place].trim_end().len(), place)
}

/// The gap after a place, up to the beginning of the next line with something on it: its
/// indentation is not the gap's.
fn after(text: &str, place: usize) -> Span {
    let rest = &text[place..];
    let blanks = &rest[..rest.len() - rest.trim_start().len()];
    let end = match blanks.rfind(is_break) {
        Some(at) if blanks.len() < rest.len() => at + 1,
        _ => blanks.len(),
    };
    Span::new(place, place + end)
}

fn strength(text: &str, gap: Span) -> usize {
    if gap.start == 0 || gap.end == text.len() {
        return usize::MAX;
    }
    gap.of(text).matches(is_break).count()
}

fn is_blank(text: &str, range: Range<usize>) -> bool {
    text[range].chars().all(char::is_whitespace)
}

fn is_indentation(letter: char) -> bool {
    letter.is_whitespace() && !is_break(letter)
}

fn is_break(letter: char) -> bool {
    matches!(letter, '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::text::with_indentation;

    fn without(text: &str, words: &[&str]) -> String {
        without_all(text, words, |span| with_indentation(text, span))
    }

    fn without_all(text: &str, words: &[&str], unit: impl Fn(Span) -> Span) -> String {
        let mut chosen = Vec::new();
        let mut from = 0;
        for word in words {
            let start = from + text[from..].find(word).unwrap();
            from = start + word.len();
            chosen.push(unit(Span::new(start, from)));
        }
        let mut result = String::new();
        let mut done = 0;
        for span in with_gaps(text, &chosen) {
            result.push_str(&text[done..span.start]);
            done = span.end;
        }
        result + &text[done..]
    }

    #[test]
    fn one_gap_goes_with_each_unit_and_the_strongest_stays() {
        let text = "HEAD\n\n\none\n\ntwo\n\n\nHEAD\n\n\nthree\n\nfour";
        for (words, expected) in [
            (&["one"][..], "HEAD\n\n\ntwo\n\n\nHEAD\n\n\nthree\n\nfour"),
            (&["two"], "HEAD\n\n\none\n\n\nHEAD\n\n\nthree\n\nfour"),
            (&["one", "two"], "HEAD\n\n\nHEAD\n\n\nthree\n\nfour"),
            (&["three", "four"], "HEAD\n\n\none\n\ntwo\n\n\nHEAD"),
            (&["HEAD", "four"], "one\n\ntwo\n\n\nHEAD\n\n\nthree"),
        ] {
            assert_eq!(without(text, words), expected, "{words:?}");
        }
    }

    #[test]
    fn indentation_goes_with_its_own_paragraph() {
        let text = "one\n\n    quoted\n\ntwo\n\n    quoted too";
        assert_eq!(without(text, &["quoted"]), "one\n\ntwo\n\n    quoted too");
        assert_eq!(
            without(text, &["two"]),
            "one\n\n    quoted\n\n    quoted too"
        );
        assert_eq!(
            without(text, &["one"]),
            "    quoted\n\ntwo\n\n    quoted too"
        );
    }

    #[test]
    fn words_leave_no_double_blank_and_lines_keep_their_breaks() {
        let text = "a b c\nd e\nf";
        for (words, expected) in [
            (&["b"][..], "a c\nd e\nf"),
            (&["c"], "a b\nd e\nf"),
            (&["b", "c"], "a\nd e\nf"),
            (&["c", "d"], "a b\ne\nf"),
            (&["a", "f"], "b c\nd e"),
            (&["d", "e"], "a b c\nf"),
        ] {
            assert_eq!(without(text, words), expected, "{words:?}");
        }
    }

    #[test]
    fn a_line_of_which_all_words_go_leaves_no_indentation() {
        let text = "a b\n c d\n e\nf";
        for (words, expected) in [
            (&["c", "d"][..], "a b\n e\nf"),
            (&["b", "c", "d"], "a\n e\nf"),
            (&["c", "d", "e"], "a b\n f"),
            (&["c"], "a b\n d\n e\nf"),
        ] {
            let result = without_all(text, words, |span| span);
            assert_eq!(result, expected, "{words:?}");
        }
    }

    #[test]
    fn windows_line_breaks_are_not_cut() {
        let text = "one\r\n\r\ntwo\r\n\r\nthree\r\n";
        assert_eq!(without(text, &["two"]), "one\r\n\r\nthree\r\n");
        assert_eq!(without(text, &["three"]), "one\r\n\r\ntwo\r\n");
        assert_eq!(paragraph_break(text), "\r\n\r\n");
        assert_eq!(paragraph_break("one\ntwo"), "\n\n");
    }

    #[test]
    fn a_text_of_which_only_blanks_are_left_is_noticed() {
        assert!(nothing_left(" a b ", &[Span::new(1, 2), Span::new(3, 4)]));
        assert!(!nothing_left(" a b ", &[Span::new(1, 2)]));
        assert!(nothing_left("", &[]));
    }
}
