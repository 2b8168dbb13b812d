use proptest::prelude::*;

use super::super::Span;
use super::words;

fn parted(text: &str) -> String {
    words(text, Span::whole(text))
        .iter()
        .map(|span| span.of(text))
        .collect::<Vec<_>>()
        .join("|")
}

#[test]
fn contractions_are_parted_at_both_apostrophes() {
    assert_eq!(
        parted("I can't, won’t; Tom's"),
        "I|ca|n't|,|wo|n’t|;|Tom|'s"
    );
    assert_eq!(
        parted("I’ll they're we’ve I'm he'd"),
        "I|’ll|they|'re|we|’ve|I|'m|he|'d"
    );
    assert_eq!(parted("couldn't've cannot"), "could|n't|'ve|can|not");
    assert_eq!(parted("DON'T LET'S"), "DO|N'T|LET|'S");
    assert_eq!(parted("'Tis ’twas"), "'T|is|’t|was");
}

#[test]
fn an_apostrophe_within_a_word_does_not_part_it() {
    assert_eq!(
        parted("o'clock O’Brien ma'am drown'd"),
        "o'clock|O’Brien|ma'am|drown'd"
    );
    assert_eq!(parted("goin' with ’em"), "goin'|with|’em");
}

#[test]
fn quotes_and_possessives_of_plurals_are_marks() {
    assert_eq!(parted("“Yes,” he said."), "“|Yes|,|”|he|said|.");
    assert_eq!(parted("the boys' 'yes'"), "the|boys|'|'|yes|'");
    assert_eq!(parted("‘Don’t!’"), "‘|Do|n’t|!|’");
}

#[test]
fn dashes_and_ellipses_are_one_mark_each() {
    assert_eq!(parted("party--tapping — no--"), "party|--|tapping|—|no|--");
    assert_eq!(parted("well-known... so…"), "well|-|known|...|so|…");
}

#[test]
fn abbreviations_and_initials_keep_their_stop() {
    assert_eq!(
        parted("Mr. J. Doe of the U.S. at 9 p.m. spoke."),
        "Mr.|J.|Doe|of|the|U.S.|at|9|p.m.|spoke|."
    );
    assert_eq!(parted("So did I. Etc."), "So|did|I|.|Etc.");
    assert_eq!(parted("Mr..."), "Mr|...");
}

#[test]
fn numbers_stay_whole() {
    assert_eq!(parted("10,000 at 9:30, 3.14."), "10,000|at|9:30|,|3.14|.");
    assert_eq!(parted("£5 (1904)"), "£|5|(|1904|)");
}

#[test]
fn other_scripts_and_emoji_are_safe() {
    assert_eq!(
        parted("Ça va? ¿Qué? Привет, 世界。👩‍👩‍👧!"),
        "Ça|va|?|¿|Qué|?|Привет|,|世界|。|👩‍👩‍👧|!"
    );
    assert_eq!(parted("cafe\u{301} was"), "cafe\u{301}|was");
    assert_eq!(parted("\u{feff}\0a\r\nb"), "a|b");
    assert_eq!(parted(""), "");
}

#[test]
fn only_the_stretch_asked_for_is_divided() {
    let text = "one two three";
    let found = words(text, Span::new(4, 7));
    assert_eq!(found, [Span::new(4, 7)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn words_cover_all_but_blanks_and_keep_their_order(text in "[a-z'’.,\\-— \n“”0-9éA-Z\u{301}👍世]{0,40}") {
        let found = words(&text, Span::whole(&text));
        let mut end = 0;
        for span in &found {
            prop_assert!(span.start >= end && span.end > span.start);
            prop_assert!(text[end..span.start].chars().all(char::is_whitespace));
            prop_assert!(!span.of(&text).contains(char::is_whitespace));
            end = span.end;
        }
        prop_assert!(text[end..].chars().all(char::is_whitespace));
    }

    #[test]
    fn any_text_is_divided(text in "\\PC{0,40}") {
        words(&text, Span::whole(&text));
    }
}
