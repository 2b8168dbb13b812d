//! `brackets`: what stands in square brackets goes: illustrations, footnotes, editors' words.
//!
//! A pair may be nested and go over lines. It may go over paragraphs only when it begins with a
//! word such as `Illustration` or `Footnote`; and it may not be longer than such a thing is. The
//! signs of a pair that is too long or goes over paragraphs without such a word, and signs without a
//! partner, go alone: what was between them stays, so a forgotten bracket cannot eat a book. Round
//! and curly brackets stay.
//!
//! A pair glued into a word, as in `govern[m]ent`, is a letter that an editor restored: its signs go
//! alone. One glued to a sign of arithmetic, as in `x[1]=3`, is no editor's: it stays, and a note
//! says so (several pairs in a row, `x[1][2]=3`, are not told and go). Quotation marks around nothing
//! but a pair go with it.
//!
//! Of a footnote that is marked `[1]` and not `[Footnote 1: …]` only the mark goes, as in the thesis;
//! a note counts the paragraphs that begin with a mark.

use crate::base::wording::{count, count_of};
use crate::language::clean::change::{Cleaned, Rewrite};
use crate::language::clean::lines::{begins, with_gap};
use crate::language::text::Span;

/// Longest labelled pair, in bytes: footnotes of several paragraphs.
const LABELLED: usize = 10_000;
/// Longest other pair, in bytes.
const PLAIN: usize = 2_000;
/// What a pair that may hold several paragraphs begins with.
const LABELS: [&str; 10] = [
    "Illustration",
    "Footnote",
    "Sidenote",
    "Transcriber",
    "Note",
    "Editor",
    "Frontispiece",
    "Music",
    "Map",
    "Caption",
];

/// Takes out bracketed pieces, with the line they stood on where nothing else is on it.
pub fn clean(text: &str) -> Cleaned<'_> {
    let found = find(text);
    let mut rewrite = Rewrite::of(text);
    let mut footnotes = 0;
    for piece in together(text, found.pieces) {
        footnotes += usize::from(marks_footnote(text, piece));
        rewrite.remove(with_blanks(text, piece));
    }
    if footnotes > 0 {
        rewrite.note(format!(
            "{} with a mark such as [1]: the text of these footnotes stays",
            count_of(footnotes, "paragraph begins", "paragraphs begin")
        ));
    }
    if found.too_long > 0 {
        rewrite.note(format!(
            "{} more than a caption or a footnote and stayed, without the brackets",
            count_of(
                found.too_long,
                "pair of brackets holds",
                "pairs of brackets hold"
            )
        ));
    }
    if found.formulas > 0 {
        rewrite.note(format!(
            "{} part of a formula, as in x[1]=3, and stayed",
            count_of(
                found.formulas,
                "pair of brackets is",
                "pairs of brackets are"
            )
        ));
    }
    if found.single > 0 {
        rewrite.note(format!(
            "{} without a partner went alone",
            count(found.single, "bracket")
        ));
    }
    rewrite.finish()
}

/// What there is to take out.
struct Found {
    /// Pairs with their content, and single signs, in order and apart.
    pieces: Vec<Span>,
    /// Pairs whose content stays.
    too_long: usize,
    /// Pairs that stay as they are.
    formulas: usize,
    /// Signs without a partner.
    single: usize,
}

/// Pairs the brackets, keeping the outermost pairs that may go.
fn find(text: &str) -> Found {
    let mut open: Vec<usize> = Vec::new();
    let mut pieces: Vec<Span> = Vec::new();
    // Opening signs of pairs whose content stays. What lies inside a pair was pushed after the pair
    // was opened, so it is at the end of both lists when the pair closes.
    let mut kept_open: Vec<usize> = Vec::new();
    let mut formulas: Vec<usize> = Vec::new();
    let mut single = 0;
    // A pair that was opened before the last paragraph break holds it.
    let mut last_break = 0;
    let mut line_is_blank = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\n' => {
                if line_is_blank {
                    last_break = at;
                }
                line_is_blank = true;
                continue;
            }
            b' ' | b'\t' | b'\r' => continue,
            b'[' => open.push(at),
            b']' => match open.pop() {
                Some(start) if may_go(text, Span::new(start, at + 1), start < last_break) => {
                    let pair = Span::new(start, at + 1);
                    match role(text, pair) {
                        Role::Note => {
                            while pieces.pop_if(|inner| inner.start > start).is_some() {}
                            while kept_open.pop_if(|inner| *inner > start).is_some() {}
                            while formulas.pop_if(|inner| *inner > start).is_some() {}
                            pieces.push(with_quotes(text, pair));
                        }
                        // No pair lies inside letters, so the order of the list is kept.
                        Role::Letters => {
                            pieces.push(Span::new(start, start + 1));
                            pieces.push(Span::new(at, at + 1));
                        }
                        Role::Formula => formulas.push(start),
                    }
                }
                Some(start) => {
                    kept_open.push(start);
                    pieces.push(Span::new(at, at + 1));
                }
                None => {
                    single += 1;
                    pieces.push(Span::new(at, at + 1));
                }
            },
            _ => {}
        }
        line_is_blank = false;
    }
    single += open.len();
    let too_long = kept_open.len();
    pieces.extend(
        open.into_iter()
            .chain(kept_open)
            .map(|at| Span::new(at, at + 1)),
    );
    pieces.sort_unstable();
    Found {
        pieces,
        too_long,
        formulas: formulas.len(),
        single,
    }
}

/// What a pair is to the words around it.
enum Role {
    /// Something that is no part of the text.
    Note,
    /// Letters restored within a word.
    Letters,
    /// Part of a formula.
    Formula,
}

fn role(text: &str, pair: Span) -> Role {
    let (before, after) = (&text[..pair.start], &text[pair.end..]);
    let content = &text[pair.start + 1..pair.end - 1];
    let after_word = before.ends_with(char::is_alphanumeric);
    let restored = !content.is_empty() && content.chars().all(char::is_lowercase);
    if after_word && after.starts_with(['=', '+', '/', '^', '<', '>']) {
        Role::Formula
    } else if after_word && restored && after.starts_with(char::is_lowercase) {
        Role::Letters
    } else {
        Role::Note
    }
}

/// A pair with the quotation marks that would be left around nothing.
fn with_quotes(text: &str, pair: Span) -> Span {
    let (before, after) = (&text[..pair.start], &text[pair.end..]);
    [("“", "”"), ("‘", "’"), ("\"", "\"")]
        .iter()
        .find(|(open, close)| before.ends_with(open) && after.starts_with(close))
        .map_or(pair, |(open, close)| {
            Span::new(pair.start - open.len(), pair.end + close.len())
        })
}

/// Whether a pair is short enough for what it seems to be.
fn may_go(text: &str, pair: Span, holds_break: bool) -> bool {
    let content = &text[pair.start + 1..pair.end];
    if LABELS.iter().any(|label| begins(content, label)) {
        pair.len() <= LABELLED
    } else {
        pair.len() <= PLAIN && !holds_break
    }
}

/// Makes one of pieces that only blanks part, so that a line of them is seen to hold nothing else.
fn together(text: &str, pieces: Vec<Span>) -> Vec<Span> {
    let mut joined: Vec<Span> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match joined.last_mut() {
            // Two pairs may share a quotation mark.
            Some(last)
                if text
                    .get(last.end..piece.start)
                    .is_none_or(|gap| gap.trim_matches(BLANKS).is_empty()) =>
            {
                last.end = last.end.max(piece.end);
            }
            _ => joined.push(piece),
        }
    }
    joined
}

const BLANKS: [char; 2] = [' ', '\t'];

/// A piece with the blanks that would otherwise be left double: its whole line where nothing else is
/// on it, else those on one side.
fn with_blanks(text: &str, piece: Span) -> Span {
    let before = text[..piece.start].trim_end_matches(BLANKS);
    let after = text[piece.end..].trim_start_matches(BLANKS);
    let starts_line = before.is_empty() || before.ends_with('\n');
    let ends_line = after.is_empty() || after.starts_with(['\n', '\r']);
    let after_blanks = text.len() - after.len();
    if starts_line && ends_line {
        let line_break = if after.starts_with("\r\n") {
            2
        } else {
            usize::from(!after.is_empty())
        };
        with_gap(text, Span::new(before.len(), after_blanks + line_break))
    } else if starts_line {
        Span::new(piece.start, after_blanks)
    } else if ends_line
        || after_blanks > piece.end
        || after.starts_with(['.', ',', ';', ':', '!', '?'])
    {
        Span::new(before.len(), piece.end)
    } else {
        piece
    }
}

/// Whether a piece is the mark of a footnote that follows it: `[1]` or `[A]` at the start of a
/// paragraph.
fn marks_footnote(text: &str, piece: Span) -> bool {
    let mark = piece.of(text);
    let before = text[..piece.start].trim_end_matches(BLANKS);
    let starts_paragraph = before.is_empty()
        || before
            .strip_suffix('\n')
            .is_some_and(|before| before.trim_end_matches([' ', '\t', '\r']).ends_with('\n'));
    starts_paragraph
        && (3..=5).contains(&mark.len())
        && mark[1..mark.len() - 1]
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'*')
        && text[piece.end..]
            .trim_start_matches(BLANKS)
            .starts_with(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> String {
        clean(text).text.into_owned()
    }

    #[test]
    fn a_piece_goes_with_the_blank_before_it() {
        assert_eq!(cleaned("He [the king] came."), "He came.");
        assert_eq!(cleaned("He came [1]."), "He came.");
        assert_eq!(
            cleaned("He came[1] and went.[2]\nNobody"),
            "He came and went.\nNobody"
        );
        assert_eq!(cleaned("He [sic]\ncame"), "He\ncame");
        assert_eq!(cleaned("  [1] A note."), "  A note.");
    }

    #[test]
    fn quotation_marks_around_a_piece_go_with_it() {
        assert_eq!(cleaned("“[He laughed.]” she wrote."), "she wrote.");
        assert_eq!(cleaned("So \"[He laughed.]\" she wrote."), "So she wrote.");
        assert_eq!(cleaned("“[a [b] “[c]”]”"), "");
        assert_eq!(cleaned("\"[a]\"[b]\""), "");
    }

    #[test]
    fn a_pair_within_a_word_or_a_formula_is_no_note() {
        assert_eq!(cleaned("the govern[m]ent fell"), "the government fell");
        assert_eq!(cleaned("came[1]and went[A]again"), "cameand wentagain");
        let done = clean("x[1]=3 and x[2]+1.");
        assert_eq!(done.text, "x[1]=3 and x[2]+1.");
        assert_eq!(
            done.notes,
            ["2 pairs of brackets are part of a formula, as in x[1]=3, and stayed"]
        );
        assert_eq!(cleaned("[a x[1]=3 b] c"), "c");
    }

    #[test]
    fn a_line_of_pieces_goes_whole() {
        assert_eq!(cleaned("One\n[Illustration]\ntwo"), "One\ntwo");
        assert_eq!(cleaned("One\r\n  [a] [b]\r\ntwo"), "One\r\ntwo");
        assert_eq!(cleaned("[Decoration]"), "");
    }

    #[test]
    fn a_piece_may_be_nested_and_go_over_lines_and_paragraphs() {
        assert_eq!(
            cleaned("A\n\n[Illustration: The ghost [at left]\n\nwalks. _Page 7_]\n\nB"),
            "A\n\nB"
        );
        assert_eq!(cleaned("a [b [c] [d]\ne] f"), "a f");
    }

    #[test]
    fn a_pair_without_a_label_holds_no_paragraph_break() {
        let cleaned = clean("He [said\n\nMuch more] here.");
        assert_eq!(cleaned.text, "He said\n\nMuch more here.");
        assert_eq!(
            cleaned.notes,
            [
                "1 pair of brackets holds more than a caption or a footnote and stayed, without the brackets"
            ]
        );
    }

    #[test]
    fn a_forgotten_bracket_eats_nothing() {
        let text = format!(
            "[Illustration: a\n\n{}See [1] there.]",
            "Words. ".repeat(2_000)
        );
        let done = clean(&text);
        assert!(
            done.text.ends_with("See there."),
            "{}",
            &done.text[done.text.len() - 40..]
        );
        assert!(done.text.starts_with("Illustration: a"));
        let done = clean("a [ b ] c ] d [ e");
        assert_eq!(done.text, "a c d e");
        assert_eq!(done.notes, ["2 brackets without a partner went alone"]);
    }

    #[test]
    fn the_text_of_a_footnote_with_a_mark_stays_and_is_noted() {
        let done = clean("He came.[1]\n\n[1] In 1904.\n\n  [2] Or 1905.\n[3] x");
        assert_eq!(done.text, "He came.\n\nIn 1904.\n\n  Or 1905.\nx");
        assert_eq!(
            done.notes,
            ["2 paragraphs begin with a mark such as [1]: the text of these footnotes stays"]
        );
    }

    #[test]
    fn no_bracket_is_left_whatever_the_nesting() {
        for text in ["[[[", "]]]", "[a]]", "[[a]", "][", "[\n\n[\n\n]x]"] {
            assert!(!cleaned(text).contains(['[', ']']), "{text}");
        }
    }
}
