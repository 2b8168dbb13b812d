//! Which paragraphs are titles and headings, and which of them open a chapter.
//!
//! Decides by the look of one paragraph. Careful rather than complete: what is taken for a heading is
//! lost to every manipulation and every section, so a short line of speech must never be one.
//!
//! Three others ask other questions, and a wrong answer costs each something else: `clean/heading` what a raw book's
//! heading said, to write it anew; `entities/heading` where a capital proves no name; the heuristic judge which paragraphs
//! are no prose. To answer one for another changes what it makes.

use super::numeral::{leading, roman};

/// Longest heading in characters; the longest among the 65 published gold documents has 92.
const LONGEST: usize = 120;
/// Longest heading that the step `chapter-headings` has marked with `CHAPTER:`, in characters: no prose
/// begins so, and chapters of the 18th and 19th centuries have long titles.
const LONGEST_MARKED: usize = 600;
/// Longest heading that is known only by its letters.
const LONGEST_PLAIN: usize = 80;
/// Words that stand alone above parts of a book that have no number.
const NAMES: [&str; 16] = [
    "acknowledgements",
    "acknowledgments",
    "afterword",
    "appendix",
    "conclusion",
    "contents",
    "dedication",
    "epilogue",
    "finis",
    "foreword",
    "introduction",
    "postscript",
    "preface",
    "prologue",
    "summary",
    "the end",
];

/// A heading that opens a chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    /// Whether it says so (`CHAPTER IV`), or is only a Roman numeral (`IV`, `IV. The Storm`).
    pub(super) labelled: bool,
    /// Its number, where it has one.
    pub(super) number: Option<usize>,
}

/// Whether a paragraph (without blanks around it) is a heading; `first` says that it is the first of
/// its text. These are headings:
///
/// - `CHAPTER:`, `CHAPTER IV`, `Chapter 1. The …`, `PART THE SECOND`, `BOOK II`, `VOLUME 3`, and what
///   follows in the same paragraph, up to 120 characters (600 after `CHAPTER: ` in one line);
/// - a number alone (`IV`, `12.`), a Roman numeral with a title after a mark (`IV. The Storm`), a
///   number with a title in capitals (`3. GYPSY BAGMEN`);
/// - up to two lines in capitals that neither begin with a quotation mark nor end with `!`, `?`, `,`,
///   `;` or a dash;
/// - one line of at least two words without a mark at its end, in which every word of four letters or
///   more begins with a capital (`Nacogdoches Speaks`), and names such as `Preface`;
/// - the first paragraph if it stands between hyphens (`-The Feast of St. Friend-`).
pub(super) fn is_heading(paragraph: &str, first: bool) -> bool {
    let begun = paragraph.starts_with("CHAPTER: ");
    let most = if begun { LONGEST_MARKED } else { LONGEST };
    // Before anything is counted: most paragraphs are longer than any heading.
    if paragraph.len() > most * 4 {
        return false;
    }
    let lines = paragraph.lines().count();
    let marked = lines == 1 && begun;
    let longest = if marked { most } else { LONGEST };
    if paragraph.len() > longest * 4 || paragraph.chars().count() > longest || lines > 3 {
        return false;
    }
    if labelled(paragraph).is_some() || (first && between_hyphens(paragraph)) {
        return true;
    }
    let plain = lines <= 2 && paragraph.chars().count() <= LONGEST_PLAIN;
    plain && (numbered(paragraph) || in_capitals(paragraph) || lines == 1 && is_title(paragraph))
}

/// What a heading opens, unless it opens no chapter: `PART` and `BOOK` open more than a chapter,
/// plain titles and Arabic numbers alone (which may count pages) less.
pub(super) fn opening(heading: &str) -> Option<Opening> {
    if let Some((label, rest)) = labelled(heading) {
        return label.eq_ignore_ascii_case("chapter").then(|| Opening {
            labelled: true,
            number: label_number(rest),
        });
    }
    let (number, rest) = leading(heading)?;
    let numeral = &heading[..heading.len() - rest.len()];
    (roman(numeral).is_some() && numbered(heading)).then_some(Opening {
        labelled: false,
        number: Some(number),
    })
}

/// The label a heading begins with, and what follows it: a colon, or a number that is no part of a
/// sentence (`Part two of the plan failed`).
fn labelled(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_alphabetic())?;
    let (label, rest) = text.split_at(end);
    let known = ["chapter", "part", "book", "volume"]
        .iter()
        .any(|known| label.eq_ignore_ascii_case(known));
    if !known || !label.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    if rest.starts_with(':') {
        return Some((label, rest));
    }
    let number = rest.trim_start();
    let number = without_the(number);
    let (_, after) = leading(number)?;
    let sentence = after.trim_start().starts_with(char::is_lowercase);
    (!sentence).then_some((label, rest))
}

/// The number after a label, looked for behind marks and further labels: `CHAPTER: Chapter II - …`.
fn label_number(rest: &str) -> Option<usize> {
    let rest = rest.trim_start_matches([':', '.', '-', ' ']);
    if let Some((_, rest)) = labelled(rest) {
        return label_number(rest);
    }
    let (number, after) = leading(without_the(rest))?;
    // `CHAPTER: ONE DAY IN JUNE` has no number.
    let apart = after.trim_start_matches(' ').chars().next();
    apart.is_none_or(|c| !c.is_alphanumeric()).then_some(number)
}

fn without_the(text: &str) -> &str {
    let article = text.get(..4).filter(|a| a.eq_ignore_ascii_case("the "));
    article.map_or(text, |article| &text[article.len()..])
}

/// `IV`, `12.`, `IV. The Storm`, `3. GYPSY BAGMEN`.
fn numbered(text: &str) -> bool {
    let Some((_, after)) = leading(text) else {
        return false;
    };
    let number = &text[..text.len() - after.len()];
    let is_roman = roman(number).is_some();
    if !is_roman && !number.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    if after.is_empty() || after == "." {
        return true;
    }
    let marked = after.trim_start().starts_with(['.', ':', '-', '–', '—']);
    let title = after.trim_start_matches(|c: char| !c.is_alphanumeric());
    marked && (in_capitals(title) || is_roman && is_title(title.trim_end_matches('.')))
}

fn in_capitals(text: &str) -> bool {
    let shouted = text.ends_with(['!', '?', ',', ';', '-', '–', '—']);
    let spoken = text.starts_with(['"', '“', '”', '‘', '’', '\'', '«', '»', '-', '–', '—']);
    let word = text
        .split(|c: char| !c.is_alphabetic())
        .any(|word| word.chars().filter(|c| c.is_uppercase()).nth(1).is_some());
    word && !shouted && !spoken && !text.contains(char::is_lowercase)
}

fn is_title(text: &str) -> bool {
    if NAMES.iter().any(|name| {
        text.trim_end_matches('.').eq_ignore_ascii_case(name)
            && text.starts_with(char::is_uppercase)
    }) {
        return true;
    }
    let begins = text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    if !begins || !text.ends_with(char::is_alphanumeric) {
        return false;
    }
    let mut capitalised = 0;
    for word in text.split(|c: char| !c.is_alphabetic() && !"'’".contains(c)) {
        if word.starts_with(char::is_uppercase) {
            capitalised += 1;
        } else if word.chars().nth(3).is_some() {
            return false;
        }
    }
    capitalised >= 2
}

fn between_hyphens(text: &str) -> bool {
    let inside = text.strip_prefix('-').and_then(|t| t.strip_suffix('-'));
    inside.is_some_and(|t| t.contains(char::is_alphanumeric) && !t.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_known_by_their_look() {
        for text in [
            "CHAPTER IV",
            "Chapter 1. The River",
            "Chapter 1: the river",
            "CHAPTER: MRS. COW",
            "CHAPTER: SAFE!",
            "CHAPTER: THE DISADVANTAGES OF HOUSEWORK COMPARED WITH WORK IN FACTORIES,\nAND OFFICES",
            "CHAPTER XII.--The Storm",
            "CHAPTER: Chapter XIV - IN WHICH THE TRAVELLERS DESCEND THE WHOLE LENGTH OF THE VALLEY OF A GREAT \
             RIVER WITHOUT EVER THINKING OF SEEING IT",
            "PART TWO",
            "PART THE SECOND.",
            "Book II",
            "IV",
            "IX.",
            "12",
            "IV. LETTERS FROM ASIATIC VASSALS.",
            "II. The Storm",
            "3.  GYPSY BAGMEN.",
            "MR. GREWGIOUS",
            "LE MONDE QUI S'AMUSE",
            "DRAMATIS PERSONÆ",
            "THE END",
            "Preface",
            "Nacogdoches Speaks",
            "The Virginians and Daniel Boone",
        ] {
            assert!(is_heading(text, false), "{text}");
        }
    }

    #[test]
    fn a_short_line_of_speech_is_no_heading() {
        for text in [
            "“NOW I’VE GOT YOU!”",
            "\"I--\"",
            "NO!",
            "STOP, YOU;",
            "“Yes.”",
            "\"Mary Ann Brown\"",
            "‘Yes,’ said Tom",
            "—OH NO",
            "Never",
            "He knew better",
            "Dear Sir,",
            "I am",
            "I. e. the other one",
            "Part two of the plan had failed.",
            "Chapter 3 deals with the war.",
            "Chapter and verse",
            "Once more",
            "1. One bed, or folding cot,",
            "A. B.",
            "...",
            "* * *",
            "這是一個句子",
            "",
        ] {
            assert!(!is_heading(text, false), "{text}");
        }
    }

    #[test]
    fn long_paragraphs_are_no_headings() {
        assert!(!is_heading(&"CHAPTER I ".repeat(13), false));
        assert!(!is_heading("FORT GREGG\nFORT MAHONE\nFORT SEDGWICK", false));
        assert!(!is_heading(&"CAPITALS ".repeat(10), false));
    }

    #[test]
    fn hyphens_mark_a_title_only_at_the_beginning() {
        assert!(is_heading("-The Feast of St. Friend-", true));
        assert!(!is_heading("-The Feast of St. Friend-", false));
        assert!(!is_heading("--No, he said.--", true));
        assert!(!is_heading("-", true));
    }

    #[test]
    fn chapter_headings_give_their_number() {
        for (text, labelled, number) in [
            ("CHAPTER: CHAPTER IV. - THE END", true, Some(4)),
            ("CHAPTER: Chapter I: THE NEW HOUSE", true, Some(1)),
            ("CHAPTER: II", true, Some(2)),
            ("CHAPTER: ONE - THE FACT", true, Some(1)),
            ("CHAPTER: 1.  EVERYWHERE STRANGERS", true, Some(1)),
            ("CHAPTER: PART THE SECOND.", true, Some(2)),
            ("CHAPTER: ONE DAY IN JUNE", true, None),
            ("CHAPTER: THE STORM", true, None),
            ("Chapter Twenty-One", true, Some(21)),
            ("IV. The Storm", false, Some(4)),
            ("III", false, Some(3)),
        ] {
            let expected = Opening { labelled, number };
            assert_eq!(opening(text), Some(expected), "{text}");
        }
        for text in ["PART II", "THE STORM", "12", "3. GYPSY BAGMEN", "Preface"] {
            assert_eq!(opening(text), None, "{text}");
        }
    }
}
