//! Which paragraphs are headings, by their own letters alone.
//!
//! The standard form is that of the gold documents: the first paragraph of a text may be its title,
//! `-THE CANTERVILLE GHOST-`, and every other heading is a paragraph `CHAPTER: ` and what the
//! heading said. What stands around a paragraph is not looked at here; the step
//! [`chapter_headings`](super::steps::chapter_headings) does.

use super::lines::{begins, is_indented};
use super::sentence::ends_sentence;
use crate::language::text::numeral::{is_in_words, leading, roman};

/// What every standard heading begins with.
pub(super) const PREFIX: &str = "CHAPTER: ";

/// More letters than a heading has, in bytes.
const LONGEST: usize = 300;
/// More lines than a heading has.
const MOST_LINES: usize = 3;
/// No line of a title in ordinary letters is longer, in bytes.
const TITLE: usize = 60;
/// A title over the name of its author has no more lines.
const MOST_TITLE_LINES: usize = 6;
/// What may stand before the number of a chapter.
const UNITS: [&str; 5] = ["CHAPTER", "PART", "BOOK", "SECTION", "LETTER"];
/// Headings that name a part of a book, so that they are no title of one.
const PARTS: [&str; 12] = [
    "ACKNOWLEDGEMENTS",
    "ACKNOWLEDGMENTS",
    "APPENDIX",
    "CONCLUSION",
    "CONTENTS",
    "DEDICATION",
    "EPILOGUE",
    "FOREWORD",
    "INTRODUCTION",
    "POSTSCRIPT",
    "PREFACE",
    "PROLOGUE",
];
/// Words in capitals at the end of a book. `THE END` is not among them: two of the 65 gold documents
/// have a last chapter of that name, and at the end of a book no prose follows it.
const ENDINGS: [&str; 3] = ["END", "FINIS", "FIN"];
/// What a paragraph looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A heading in the standard form.
    Standard,
    /// It begins with a line that is only a number, such as `CHAPTER I.`, `PART THE FIRST` or `IV`.
    Number {
        /// The lines after it that belong to the heading.
        title_lines: usize,
        /// Whether text follows in the same paragraph.
        body: bool,
    },
    /// A heading that has its number and its title in one: `CHAPTER I. The Beginning`.
    Numbered,
    /// A few lines in capitals.
    Capitals,
    /// Anything else.
    Text,
}

/// What a paragraph looks like.
pub(super) fn shape(paragraph: &str) -> Shape {
    if paragraph.starts_with(PREFIX.trim_end()) {
        return Shape::Standard;
    }
    let mut lines = paragraph.lines();
    let Some(first) = lines.next().filter(|line| line.len() <= LONGEST) else {
        return Shape::Text;
    };
    let first = first.trim();
    if is_number(first) {
        let rest: Vec<&str> = lines.take(MOST_LINES + 1).map(str::trim).collect();
        let titles = rest.iter().take_while(|line| is_capitals(line)).count();
        return match (rest.as_slice(), titles) {
            (rest, titles) if titles == rest.len() && titles < MOST_LINES => Shape::Number {
                title_lines: titles,
                body: false,
            },
            ([line], _) if is_title_case(line) => Shape::Number {
                title_lines: 1,
                body: false,
            },
            // A line `I` over lower-case text is the pronoun.
            _ if has_unit(first) => Shape::Number {
                title_lines: titles.min(MOST_LINES - 1),
                body: true,
            },
            _ => Shape::Text,
        };
    }
    if paragraph.len() > LONGEST || lines.count() >= MOST_LINES {
        Shape::Text
    } else if is_numbered(first) && !is_numbered_prose(paragraph.trim()) {
        Shape::Numbered
    } else if !paragraph.lines().any(is_indented)
        && is_capitals(paragraph)
        // Under `NO.` a line of figures is an entry.
        && paragraph.lines().all(|line| line.contains(char::is_alphabetic))
    {
        Shape::Capitals
    } else {
        Shape::Text
    }
}

/// Whether a first paragraph is the title of its text in the standard form.
pub(super) fn is_title_line(paragraph: &str) -> bool {
    paragraph
        .strip_prefix('-')
        .and_then(|rest| rest.strip_suffix('-'))
        .is_some_and(|title| !title.is_empty() && !title.starts_with('-') && !title.ends_with('-'))
}

/// How many lines of a first paragraph, centred or not, are the title of its text; none if it has no
/// title. `next` is the paragraph after it.
///
/// A title is a few lines in capitals that name no part of a book, or, where a line such as `by A. Writer`
/// follows, a few short lines that need not be in capitals.
pub(super) fn title_lines(paragraph: &str, next: Option<&str>) -> Option<usize> {
    if paragraph.len() > 2 * LONGEST || is_title_line(paragraph) {
        return None;
    }
    let lines: Vec<&str> = paragraph.lines().map(str::trim).collect();
    let names_part = PARTS
        .iter()
        .any(|part| paragraph.trim_start().starts_with(part));
    if lines.len() <= MOST_LINES && lines.iter().all(|line| is_capitals(line)) && !names_part {
        return Some(lines.len());
    }
    let byline = lines.iter().position(|line| is_byline(line));
    let title = byline.or_else(|| {
        let next = next?.trim_start();
        let is_signed = next.lines().count() <= MOST_LINES && is_byline(next.lines().next()?);
        is_signed.then_some(lines.len())
    })?;
    // With a hyphen of its own it would look like a title that has been marked.
    let is_short = |line: &&str| {
        line.len() <= TITLE
            && !line.starts_with(['-', '—'])
            && !line.ends_with(['-', '—'])
            && !is_byline(line)
            && line.contains(char::is_alphabetic)
    };
    let begins = lines
        .first()?
        .chars()
        .find(|letter| letter.is_alphabetic())?;
    ((1..=MOST_TITLE_LINES).contains(&title)
        && begins.is_uppercase()
        && !names_part
        && lines[..title].iter().all(is_short)
        && shape(lines[0]) != Shape::Standard)
        .then_some(title)
}

/// Whether a line says who wrote a book: `by`, `By A. Writer`.
pub(super) fn is_byline(line: &str) -> bool {
    let line = line.trim();
    let Some(name) = line.get(2..).filter(|_| begins(line, "by")) else {
        return false;
    };
    let name = name.trim_start_matches([':', ' ']);
    let is_name = |word: &str| word.chars().count() < 4 || !word.starts_with(char::is_lowercase);
    line.len() <= TITLE
        && (name.is_empty()
            || line[2..].starts_with([' ', ':'])
                && name.starts_with(char::is_uppercase)
                && name.split_whitespace().all(is_name))
}

/// Whether a line is a title in ordinary letters: short, without an end mark, its longer words with
/// capitals.
pub(super) fn is_title_case(line: &str) -> bool {
    line.len() <= 60
        && line.starts_with(char::is_uppercase)
        && line.ends_with(char::is_alphanumeric)
        && line.split_whitespace().all(|word| {
            word.chars().count() < 4
                || !word
                    .trim_start_matches(['“', '"', '('])
                    .starts_with(char::is_lowercase)
        })
}

/// Whether lines are all in capitals, and no line of a title page or of a book's end.
pub(super) fn is_capitals(lines: &str) -> bool {
    let words = lines.trim_end_matches('.');
    lines.len() <= LONGEST
        && lines
            .chars()
            .filter(|letter| letter.is_alphabetic())
            .count()
            >= 2
        && lines
            .chars()
            .all(|letter| !letter.is_alphabetic() || letter.is_uppercase())
        && !lines.starts_with(['-', '—'])
        && !lines.ends_with([',', ';', ':', '-', '—'])
        && !lines.starts_with("BY ")
        && words != "BY"
        && !ENDINGS.contains(&words)
}

/// Whether a line is only the number of a chapter.
fn is_number(line: &str) -> bool {
    match after_unit(line) {
        Some(number) => {
            let number = number.trim_end_matches(['.', ':', '—', '-']);
            let article = begins(number, "THE ").then(|| &number[4..]);
            is_numeral(article.unwrap_or(number), true)
        }
        None => is_numeral(line.strip_suffix('.').unwrap_or(line), false),
    }
}

/// Whether a text is a number: Roman, in words, or (after `CHAPTER`) in figures or any case.
fn is_numeral(number: &str, after_unit: bool) -> bool {
    // Above this `MIX` and `DIM` are words.
    const LARGEST: usize = 399;
    let capitals = number.to_uppercase();
    if !after_unit && capitals != number {
        return false;
    }
    let is_roman = || roman(&capitals).is_some_and(|value| value <= LARGEST);
    let figures = (1..=4).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    is_in_words(number)
        || (figures && after_unit)
        // One letter alone may be an initial: only the small numbers pass.
        || ((after_unit || number.len() > 1 || matches!(number, "I" | "V" | "X")) && is_roman())
}

/// Whether a line begins with the number of a chapter and goes on with its title.
fn is_numbered(line: &str) -> bool {
    let Some(after) = after_unit(line) else {
        return false;
    };
    let end = after
        .find(|letter: char| !letter.is_alphanumeric())
        .unwrap_or(after.len());
    let (number, rest) = after.split_at(end);
    let title = rest.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let parted = rest
        .trim_start()
        .starts_with(['.', ':', '-', '—', '–', ','])
        || line.starts_with("CHAPTER")
        || is_capitals(line);
    is_numeral(number, true) && parted && title.starts_with(|first: char| !first.is_lowercase())
}

/// Whether a paragraph that begins with a number goes on with a sentence: `Book I. He read it.` After
/// `CHAPTER` even a sentence is a title.
fn is_numbered_prose(paragraph: &str) -> bool {
    let title = after_unit(paragraph)
        .and_then(|after| after.split_once(|letter: char| !letter.is_alphanumeric()))
        .map_or("", |(_, rest)| {
            rest.trim_start_matches(|letter: char| !letter.is_alphanumeric())
        });
    let has_small_words = title
        .split_whitespace()
        .skip(1)
        .any(|word| word.starts_with(char::is_lowercase));
    !begins(paragraph, "CHAPTER")
        && has_small_words
        && !is_title_case(title.trim_end_matches('.'))
        && ends_sentence(paragraph)
}

/// What a paragraph says about where it stands in the row of chapters: `IV.`, `CHAPTER IV` or
/// `CHAPTER: IV - The Storm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InRow {
    /// Its number.
    pub(super) number: usize,
    /// Whether it is but one letter, which may be an initial or the pronoun.
    pub(super) is_letter: bool,
}

/// The number of a chapter that a paragraph is, with its title or not; none for other paragraphs.
pub(super) fn in_row(paragraph: &str) -> Option<InRow> {
    let words = paragraph.trim();
    let words = words.strip_prefix(PREFIX).unwrap_or(words);
    let unit = UNITS[0].len();
    let words = words
        .get(unit..)
        .filter(|after| begins(words, UNITS[0]) && after.starts_with(' '))
        .map_or(words, str::trim_start);
    let (number, rest) = leading(words)?;
    let is_letter = words.len() - rest.len() == 1 && paragraph.trim().len() <= 2;
    let rest = rest.strip_prefix('.').unwrap_or(rest);
    (rest.is_empty() || rest.starts_with('\n') || rest.starts_with(" - "))
        .then_some(InRow { number, is_letter })
}

fn has_unit(line: &str) -> bool {
    after_unit(line).is_some()
}

/// What follows `CHAPTER ` or another unit at the start of a line.
fn after_unit(line: &str) -> Option<&str> {
    UNITS.iter().find_map(|unit| {
        let rest = line.get(unit.len()..)?;
        (begins(line, unit) && line.starts_with(char::is_uppercase) && rest.starts_with(' '))
            .then(|| rest.trim_start())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(title_lines: usize, body: bool) -> Shape {
        Shape::Number { title_lines, body }
    }

    #[test]
    fn a_number_alone_is_a_heading() {
        for line in [
            "CHAPTER I",
            "CHAPTER XIV.",
            "Chapter 4",
            "Chapter Two",
            "CHAPTER THE LAST",
            "PART THE FIRST",
            "CHAPTER TWENTY-ONE",
            "Chapter Twenty-one.",
            "CHAPTER THIRTEENTH",
            "Part the Twentieth",
            "TWENTY-ONE",
            "BOOK II.",
            "I",
            "IV.",
            "ONE",
            "               CHAPTER IX.",
        ] {
            assert_eq!(shape(line), number(0, false), "{line}");
        }
    }

    #[test]
    fn words_of_roman_letters_are_no_numbers() {
        for line in [
            "MIX",
            "IIII",
            "VV",
            "C",
            "Chapter did",
            "chapter i",
            "12",
            "one",
            "I--",
            "",
        ] {
            assert_ne!(shape(line), number(0, false), "{line}");
        }
    }

    #[test]
    fn roman_numbers_are_those_of_the_usual_spelling() {
        for word in ["I", "IV", "IX", "XIV", "XL", "XCIX", "CCCXCIX"] {
            assert!(is_numeral(word, true), "{word}");
        }
        for word in ["IIII", "VV", "IC", "MIX", "CCCC", "", "É"] {
            assert!(!is_numeral(word, true), "{word}");
        }
    }

    #[test]
    fn figures_and_small_letters_need_a_unit_before_them() {
        for word in ["12", "xiv", "Two", "C"] {
            assert!(is_numeral(word, true), "{word}");
            assert!(!is_numeral(word, false), "{word}");
        }
        for word in ["XIV", "TWO", "I", "X"] {
            assert!(is_numeral(word, false), "{word}");
        }
        assert!(!is_numeral("19061", true));
    }

    #[test]
    fn a_title_may_stand_in_the_next_line() {
        assert_eq!(shape("CHAPTER I\nTHE START"), number(1, false));
        assert_eq!(shape("II.\nA Quiet House"), number(1, false));
        assert_eq!(
            shape("CHAPTER I\nIt was late. Nobody came."),
            number(0, true)
        );
        assert_eq!(shape("I\nwent home"), Shape::Text);
    }

    #[test]
    fn a_number_and_a_title_may_share_a_line() {
        for line in [
            "CHAPTER I. In which we start",
            "CHAPTER 3--THE SEA",
            "Chapter I: THE NEW HOUSE",
            "PART I. Causes",
            "Part I. The Causes of the War.",
            "BOOK II. THE SEA.",
            "Chapter I. In which he reads.",
        ] {
            assert_eq!(shape(line), Shape::Numbered, "{line}");
        }
        for line in ["PART II - THE SEA", "PART II  THE SEA"] {
            assert_eq!(shape(line), Shape::Numbered, "{line}");
        }
        for line in [
            "Chapter IV was the best.",
            "Part One of it was dull.",
            "Chapter VI. was long",
            "Book in hand, he left.",
            "Book I. He read it.",
            "Part II. He read it, and then\nhe went home.",
            "NO.\n1\n2",
        ] {
            assert_eq!(shape(line), Shape::Text, "{line}");
        }
    }

    #[test]
    fn capitals_are_neither_an_ending_nor_a_signature() {
        assert_eq!(shape("THE GHOST OF NO. 7"), Shape::Capitals);
        assert_eq!(shape("“A NEW IDEA”"), Shape::Capitals);
        assert_eq!(shape("THE FINDING OF \"ROB ROY\""), Shape::Capitals);
        assert_eq!(shape("A LONG TITLE\nON TWO LINES"), Shape::Capitals);
        for line in [
            "“I--”",
            "FINIS.",
            "BY OSCAR WILDE",
            "             THE AUTHOR.",
            "1917",
            "K",
            "中文",
            "Not All CAPS",
            "A\nB C\nD E\nF G",
        ] {
            assert_eq!(shape(line), Shape::Text, "{line}");
        }
    }

    #[test]
    fn a_title_in_ordinary_letters_stands_over_a_name() {
        assert_eq!(title_lines("THE SEA\nAND\nTHE SHORE", None), Some(3));
        for (title, next, lines) in [
            ("Metamorphosis", "by Franz Kafka", 1),
            (
                "The Sea\nor\nA Year on the Shore",
                "By A. Writer\nand Others",
                3,
            ),
            (
                "   The Great Gull\n        by\n   A. Writer",
                "Once again",
                1,
            ),
            ("The Sea\nBy A. Writer", "It was late.", 1),
            (
                "THE SEA\nor a Year on It\nbeing Letters\nTO A FRIEND",
                "by A. Writer",
                4,
            ),
        ] {
            assert_eq!(title_lines(title, Some(next)), Some(lines), "{title}");
        }
        for (paragraph, next) in [
            ("It was late.", Some("By noon it rained.")),
            ("It was late.", Some("By the Sea they sat.")),
            ("It was late.", None),
            ("PREFACE", Some("by A. Writer")),
            ("by A. Writer", Some("It was late.")),
            ("1906", Some("by A. Writer")),
            (
                "He was a man of many words, and he came from a house that lay far out",
                Some("by A. Writer"),
            ),
        ] {
            assert_eq!(title_lines(paragraph, next), None, "{paragraph}");
        }
    }

    #[test]
    fn standard_forms_are_known() {
        assert_eq!(shape("CHAPTER: I"), Shape::Standard);
        assert!(is_title_line("-La Mère Bauche-"));
        for line in ["--", "-----", "- a", "--so he said--", "-"] {
            assert!(!is_title_line(line), "{line}");
        }
    }

    #[test]
    fn a_title_in_ordinary_letters_has_capitals_and_no_end_mark() {
        assert!(is_title_case("The Soldiers' Rest in the War"));
        for line in ["He went home", "Silence.", "“Come”", "and So On", ""] {
            assert!(!is_title_case(line), "{line}");
        }
    }
}
