//! `unwrap`: one line for every paragraph of prose that was wrapped at a fixed width.
//!
//! Not in the thesis, whose gold documents keep their line breaks, and not among the usual steps. It
//! is for those whose judge should see paragraphs as a book has them; it belongs at the end.
//!
//! Lines that begin equally far in are prose when most of them could not have taken in the next word.
//! So verse, lists, addresses, tables and headings keep their lines; so do four or more long lines that
//! all begin with a capital, or two or more of those that are indented, which may be verse. A hyphen or
//! dash at the end of a line stays and no blank comes after it: files of Project Gutenberg do not part
//! words at the end of lines.

use crate::language::clean::change::{Cleaned, Rewrite};
use crate::language::clean::heading::{Shape, shape};
use crate::language::clean::lines::{indentation, is_indented, lines_in, paragraphs};
use crate::language::clean::sentence::begins_sentence;
use crate::language::text::Span;

/// A line that has not so many characters together with the next word was not broken by a width.
const NARROWEST: usize = 50;
/// By so many characters a line may stay below the longest of its paragraph, with the next word.
const SLACK: usize = 8;
/// So many lines that are not indented and all begin with a capital are verse.
const VERSE: usize = 4;

/// Joins the lines of prose.
pub fn clean(text: &str) -> Cleaned<'_> {
    let mut rewrite = Rewrite::of(text);
    for paragraph in paragraphs(text) {
        if shape(paragraph.span.of(text)) != Shape::Text {
            continue;
        }
        let lines: Vec<Span> = lines_in(text, paragraph.span).collect();
        let mut start = 0;
        while start < lines.len() {
            let end = run_end(text, &lines, start);
            let run = &lines[start..end];
            let letters: Vec<&str> = run.iter().map(|line| line.of(text).trim_end()).collect();
            if is_wrapped(&letters) {
                for (pair, before) in run.windows(2).zip(&letters) {
                    let from = pair[0].start + before.len();
                    let to = pair[1].start + indentation(pair[1].of(text));
                    let blank = if before.ends_with(['-', '—']) {
                        ""
                    } else {
                        " "
                    };
                    rewrite.replace(Span::new(from, to), blank);
                }
            }
            start = end;
        }
    }
    rewrite.finish()
}

/// Where the lines end that begin as far in as this one does; the first lines of a paragraph may begin
/// further in than those after them.
fn run_end(text: &str, lines: &[Span], start: usize) -> usize {
    let inward = |at: usize| lines.get(at).map(|line| indentation(line.of(text)));
    let after = |from: usize, as_far: Option<usize>| {
        (from..lines.len())
            .find(|&at| inward(at) != as_far)
            .unwrap_or(lines.len())
    };
    let end = after(start, inward(start));
    // Up to its end, or what was joined would look like the first line of another run.
    let whole = start == 0 && inward(end) == Some(0) && after(end, Some(0)) == lines.len();
    if whole { lines.len() } else { end }
}

/// Whether lines were broken by a width.
fn is_wrapped(lines: &[&str]) -> bool {
    let rest = lines.get(1..).unwrap_or_default();
    if rest.is_empty() {
        return false;
    }
    let length = |line: &str| line.chars().count();
    let longest = lines.iter().map(|line| length(line)).max().unwrap_or(0);
    let needed = NARROWEST.max(longest.saturating_sub(SLACK));
    let full = lines
        .iter()
        .zip(rest)
        .filter(|(line, next)| {
            let word = next.split_whitespace().next().map_or(0, length);
            length(line) + 1 + word >= needed
        })
        .count();
    let least = if is_indented(rest[0]) { 2 } else { VERSE };
    let verse = lines.len() >= least && lines.iter().all(|line| begins_sentence(line.trim_start()));
    full * 4 >= rest.len() * 3 && !verse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> String {
        clean(text).text.into_owned()
    }

    const WRAPPED: &str = "It was a bright morning when the two of them went down to the\n\
                           harbour and looked for the boat that had been promised to them,\n\
                           and nobody was there.";

    #[test]
    fn wrapped_prose_becomes_one_line() {
        let one = WRAPPED.replace('\n', " ");
        assert_eq!(
            cleaned(&format!("{WRAPPED}\n\n  {WRAPPED}\n")),
            format!("{one}\n\n  {one}\n")
        );
        assert_eq!(clean(WRAPPED).changes.len(), 2);
        assert!(clean(&one).changes.is_empty());
    }

    #[test]
    fn a_quotation_set_further_in_is_a_line_of_its_own() {
        let quoted = WRAPPED.replace('\n', "\n    ");
        let one = WRAPPED.replace('\n', " ");
        let done = format!("{one}\n    {one}");
        assert_eq!(cleaned(&format!("{WRAPPED}\n    {quoted}")), done);
        assert!(clean(&done).changes.is_empty());
        let verse = "    For him, for them, a daughter bade it rise at last,\n    \
                     Memorial of the charities that now are past.";
        assert_eq!(
            cleaned(&format!("{WRAPPED}\n{verse}")),
            format!("{one}\n{verse}")
        );
    }

    #[test]
    fn hyphens_and_dashes_at_the_end_of_a_line_stay_without_a_blank() {
        let text = "It was a bright morning when the two of them went to the good-\n\
                    tempered man who had the boat and was waiting for them there--\n\
                    or so they thought.";
        assert!(cleaned(text).contains("the good-tempered man"));
        assert!(cleaned(text).ends_with("for them there--or so they thought."));
    }

    #[test]
    fn verse_lists_letters_and_headings_keep_their_lines() {
        for text in [
            "The rain comes down upon the sea,\nthe wind goes up the hill,\nand nobody has come to me",
            "  The rain comes down upon the grey and never-resting sea,\n  And nobody has come to me",
            "The rain comes down upon the grey and ever restless sea, my dear,\n\
             And no one who has ever gone has ever once come back from here,\n\
             The wind goes up the hill at noon and down the hill at night again,\n\
             And nobody has come to me, and nobody will come till then.",
            "221 Baker Street,\nLondon,\nJune 3.",
            "CHAPTER I\nTHE VERY LONG TITLE OF A CHAPTER THAT GOES ON AND ON AND\nON",
            "A boat      3\nA lantern   17",
            "One line.",
            "",
        ] {
            assert_eq!(cleaned(text), text);
        }
    }
}
