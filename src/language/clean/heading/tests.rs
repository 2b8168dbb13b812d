//! Which paragraphs are headings, and which are not.

use super::number::is_numeral;
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
