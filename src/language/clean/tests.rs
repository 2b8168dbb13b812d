//! Whole books through all steps, and what holds for every text.
//!
//! The books were written for these tests, in the shapes that files of Project Gutenberg had in 1997,
//! 2005 and 2020.

use proptest::prelude::*;

use super::gutenberg::{Metadata, metadata};
use super::{Step, StepReport, clean, decode};
use crate::language::text::Span;

const BOOK_1997: &[u8] = include_bytes!("../../../tests/data/books/1997.txt");
const BOOK_2005: &[u8] = include_bytes!("../../../tests/data/books/2005-latin-1.txt");
const BOOK_2020: &[u8] = include_bytes!("../../../tests/data/books/2020.txt");

fn cleaned(file: &[u8]) -> (String, Vec<StepReport>) {
    let book = decode(file).unwrap().text;
    let (text, reports) = clean(&book, &Step::ALL);
    (text.into_owned(), reports)
}

fn notes(reports: &[StepReport]) -> Vec<(Step, &str)> {
    reports
        .iter()
        .flat_map(|report| report.notes.iter().map(|note| (report.step, note.as_str())))
        .collect()
}

#[test]
fn a_book_of_1997_comes_out_clean() {
    let (text, reports) = cleaned(BOOK_1997);
    assert_eq!(
        text,
        include_str!("../../../tests/data/books/1997.clean.txt")
    );
    assert_eq!(
        notes(&reports),
        [(
            Step::TitlePage,
            "5 words between the title and the first heading went: see that they were no prose"
        )]
    );
    assert_eq!(
        metadata(&decode(BOOK_1997).unwrap().text),
        Metadata {
            number: Some(99921),
            title: Some("The Lamp at Harrow Point".to_owned()),
            author: Some("Edith Marlowe".to_owned()),
            year: Some(1904),
            language: None,
            release_date: Some("May, 1997".to_owned()),
        }
    );
}

#[test]
fn a_book_of_2005_in_latin_1_comes_out_clean() {
    let (text, reports) = cleaned(BOOK_2005);
    assert_eq!(
        text,
        include_str!("../../../tests/data/books/2005-latin-1.clean.txt")
    );
    assert_eq!(
        notes(&reports),
        [
            (
                Step::AsteriskLines,
                "words went with 1 line: see whether sentences lost a part"
            ),
            (
                Step::TitlePage,
                "17 words between the title and the first heading went: see that they were no prose"
            )
        ]
    );
    let read = metadata(&decode(BOOK_2005).unwrap().text);
    assert_eq!((read.year, read.number), (Some(1911), Some(99615)));
    assert_eq!(read.title.as_deref(), Some("Café Lutèce An Idle Chronicle"));
}

#[test]
fn a_book_of_2020_comes_out_clean() {
    let (text, reports) = cleaned(BOOK_2020);
    assert_eq!(
        text,
        include_str!("../../../tests/data/books/2020.clean.txt")
    );
    assert_eq!(
        notes(&reports),
        [(
            Step::Brackets,
            "1 paragraph begins with a mark such as [1]: the text of these footnotes stays"
        )]
    );
    let read = metadata(&decode(BOOK_2020).unwrap().text);
    assert_eq!(
        (read.year, read.language.as_deref()),
        (Some(1908), Some("English"))
    );
    assert_eq!(read.release_date.as_deref(), Some("November 2, 2020"));
}

#[test]
fn an_opening_without_a_heading_is_no_title_page() {
    let opening = "“Who is there?” said Tom.\n\n“It is only I,” said Ann. He opened the door to her.\n\n\
                   The rain fell. They sat by the fire and waited.";
    let text = format!("THE HOUSE\n\n\n\n{opening}\n\n\n\nCHAPTER II\n\n\nThe next day was dry.\n");
    assert!(clean(&text, &Step::ALL).0.contains(opening));
}

#[test]
fn clean_books_stay_as_they_are() {
    for book in [BOOK_1997, BOOK_2005, BOOK_2020] {
        let (once, _) = cleaned(book);
        assert_eq!(clean(&once, &Step::ALL).0, once);
    }
}

#[test]
fn reports_say_how_much_longer_or_shorter_a_text_became() {
    let mut text = decode(BOOK_2005).unwrap().text;
    for step in Step::ALL {
        let (after, reports) = clean(&text, &[step]);
        let [report] = reports.as_slice() else {
            panic!("one report")
        };
        assert_eq!(
            text.chars().count() + report.characters_added,
            after.chars().count() + report.characters_removed,
            "{step}"
        );
        text = after.into_owned();
    }
}

/// Pieces of which texts are made: all that some step looks for, in any order. Markers begin a line,
/// or a paragraph where they must: one that only a later step uncovers would be found the second time.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "\n",
        "\n\n",
        "\n\n\n\n\n",
        "\r\n",
        "\r",
        " ",
        "  ",
        "\t",
        "\u{feff}",
        "\u{a0}",
        "\0",
        "[",
        "]",
        "[1] ",
        "[Illustration: a",
        "*",
        "* * *\n",
        "_",
        ".",
        "!",
        "?”",
        "\"",
        "’",
        "-",
        "--",
        ":",
        ";",
        ",",
        "CHAPTER I",
        "CHAPTER: ",
        "CHAPTER II.\n",
        "Chapter 3. ",
        "PART THE FIRST\n",
        "I",
        "IV.",
        "X",
        "THE SEA",
        "-THE SEA-\n",
        "PREFACE\n",
        "CONTENTS\n",
        "THE END\n",
        "BY ",
        "Mr.",
        "etc.",
        "St. ",
        "U. S.",
        "he came",
        "It was late. ",
        "Nobody",
        "and so ",
        "A Quiet House",
        "a.",
        "27",
        "  12\n",
        ".... 3\n",
        "é",
        "中文",
        "😀",
        "“Well",
        "\n*** START OF THE PROJECT GUTENBERG EBOOK X ***\n",
        "\n*** END OF THIS PROJECT GUTENBERG EBOOK X ***\n",
        "Produced by A.\n\n",
        "Transcriber’s Note\n\n",
        "Transcribers Note: a\n\n",
        "by A. Writer\n",
        "The Sea\n",
        "I. a\nII. b\n",
        "ILLUSTRATIONS\n",
        "He came home that night and found that nobody had been\n",
        "there, and so he went to bed without a light or a word\n",
        "\n\nEnd of Project Gutenberg's X\n",
        "\n*END*THE SMALL PRINT! X*END*\n",
    ])
}

fn any_text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

/// Found by the property below.
#[test]
fn texts_that_are_hard_to_clean_are_clean_after_once() {
    for text in [
        "ILLUSTRATIONS\n[Illustration: a\n\nCHAPTER II.\nTranscriber’s Note\n\nCHAPTER II.\nI. a\nII. b\n",
        "Produced by A.\n\nILLUSTRATIONS\nProduced by A.\n\n\n\n\n[Illustration: a\nCHAPTER II.\n\n",
        "CONTENTS\n.Produced by A.\n\nCONTENTS\n’\nCHAPTER: \n",
    ] {
        let (once, _) = clean(text, &Step::ALL);
        let (twice, reports) = clean(&once, &Step::ALL);
        let changed: Vec<_> = reports.iter().filter(|r| r.changes > 0).collect();
        assert_eq!(once, twice, "{changed:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn cleaning_a_clean_text_changes_nothing(text in any_text()) {
        let (once, _) = clean(&text, &Step::ALL);
        let (twice, reports) = clean(&once, &Step::ALL);
        let changed: Vec<_> = reports.iter().filter(|report| report.changes > 0).collect();
        // Of some hundred thousand texts one has a list or a title page that is one only when what stood in its middle
        // is gone, which a second cleaning takes out.
        let joined = |step| matches!(step, Step::Contents | Step::TitlePage);
        let known = changed.first().is_some_and(|first| joined(first.step));
        prop_assert!(once == twice || known, "{once:?} became {twice:?}: {changed:?}");
    }

    #[test]
    fn a_step_alone_that_was_taken_changes_nothing_more(text in any_text()) {
        for step in [
            Step::LineEnds,
            Step::AsteriskLines,
            Step::Underscores,
            Step::ParagraphBreaks,
            Step::FalseSplits,
            Step::BlankLines,
            Step::Unwrap,
        ] {
            let once = step.clean(&text).text;
            prop_assert_eq!(&step.clean(&once).text, &once, "{}", step);
        }
    }

    #[test]
    fn unwrapping_changes_white_space_alone(text in any_text()) {
        let ink = |text: &str| text.split_whitespace().collect::<String>();
        prop_assert_eq!(ink(&Step::Unwrap.clean(&text).text), ink(&text));
    }

    #[test]
    fn changes_lead_from_the_text_to_the_cleaned_text(text in any_text()) {
        for step in Step::ALL.into_iter().chain([Step::Unwrap]) {
            let cleaned = step.clean(&text);
            let (mut rebuilt, mut end) = (String::new(), 0);
            for change in &cleaned.changes {
                prop_assert!(change.span.start >= end);
                rebuilt.push_str(Span::new(end, change.span.start).of(&text));
                rebuilt.push_str(&change.new);
                end = change.span.end;
            }
            rebuilt.push_str(&text[end..]);
            prop_assert_eq!(&rebuilt, &cleaned.text, "{}", step);
        }
    }

    #[test]
    fn only_headings_line_breaks_and_dashes_are_added(text in any_text()) {
        let (_, reports) = clean(&text, &Step::ALL);
        let words = |text: &str| -> usize { text.chars().filter(|c| c.is_alphanumeric()).count() };
        let added: usize = Step::ALL
            .iter()
            .scan(text.clone(), |before, step| {
                let cleaned = step.clean(before);
                let (text, changes) = (cleaned.text.into_owned(), cleaned.changes);
                *before = text;
                Some(changes)
            })
            .flatten()
            .filter(|change| change.new != "CHAPTER: ")
            .map(|change| words(&change.new))
            .sum();
        prop_assert_eq!(added, 0);
        prop_assert_eq!(reports.len(), Step::ALL.len());
    }
}
