//! Where a text stands that somebody quotes.
//!
//! Only what is quoted letter for letter and stands there once is found: a quotation that was shortened or mended, or
//! that fits in two places, has no place. A short one has to stand there as words of its own.

use std::ops::Range;

use memchr::memmem::Finder;

/// Shorter quotations are part of longer words by chance. In characters.
const SHORT: usize = 12;

/// The shortest that is looked for: single letters are everywhere. In characters.
const SHORTEST: usize = 3;

/// Opening marks and what closes each.
const MARKS: [(char, char); 6] = [
    ('“', '”'),
    ('"', '"'),
    ('‘', '’'),
    ('«', '»'),
    ('„', '“'),
    ('`', '`'),
];

/// The places in `text` that `remark` quotes, in bytes, in their order: what it puts in quotation marks, or all of it.
pub fn quoted(remark: &str, text: &str) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut add = |words: &str, marked: bool| {
        let words = words
            .trim()
            .trim_end_matches(['.', ',', '…'])
            .trim_start_matches('…');
        let is_long = |least: usize| words.chars().nth(least - 1).is_some();
        let place = if is_long(SHORT) {
            only_place(words, text)
        } else if marked && is_long(SHORTEST) {
            only_word(words, text)
        } else {
            None
        };
        if let Some(start) = place {
            let place = start..start + words.len();
            if !places.contains(&place) {
                places.push(place);
            }
        }
    };
    add(remark, false);
    for (open, close) in MARKS {
        // A pair of equal marks opens and closes in turn.
        let mut rest = remark;
        while let Some((_, inside)) = rest.split_once(open) {
            let Some((words, after)) = inside.split_once(close) else {
                break;
            };
            add(words, true);
            rest = after;
        }
    }
    places.sort_by_key(|place| (place.start, place.end));
    places
}

/// Where some words start, if they stand in one place.
fn only_place(words: &str, text: &str) -> Option<usize> {
    let finder = Finder::new(words);
    let mut places = finder.find_iter(text.as_bytes());
    match (places.next(), places.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Where some words start, if they stand in one place that is not inside of a longer word.
fn only_word(words: &str, text: &str) -> Option<usize> {
    let finder = Finder::new(words);
    let is_own = |start: &usize| {
        let before = text[..*start].chars().next_back();
        let after = text[start + words.len()..].chars().next();
        let inside = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        !inside(before) && !inside(after)
    };
    let mut places = finder.find_iter(text.as_bytes()).filter(is_own);
    match (places.next(), places.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "The miller sleeped badly. “Who is there?” he asked. The wind blew, the wind blew.";

    fn found(remark: &str) -> Vec<&'static str> {
        let places = quoted(remark, TEXT);
        places.into_iter().map(|place| &TEXT[place]).collect()
    }

    #[test]
    fn what_stands_in_quotation_marks_is_found_with_or_without_its_last_stop() {
        for remark in [
            "wrong form in “The miller sleeped badly.”",
            "wrong form in \"The miller sleeped badly\"",
            "`The miller sleeped badly…` is wrong",
            "The miller sleeped badly",
        ] {
            assert_eq!(found(remark), ["The miller sleeped badly"], "{remark}");
        }
    }

    #[test]
    fn a_short_quotation_is_found_where_its_words_stand_alone_and_once() {
        assert_eq!(found("\"sleeped\" is not a word"), ["sleeped"]);
        assert_eq!(found("repeats “he asked”"), ["he asked"]);
        for remark in [
            "\"sleep\" is too short",
            "“wind” twice",
            "\"he\" stands alone",
            "badly",
        ] {
            assert!(found(remark).is_empty(), "{remark}");
        }
    }

    #[test]
    fn what_stands_twice_or_is_altered_has_no_place() {
        for remark in [
            "“the wind blew, the wind blew, the wind” drags",
            "“The miller slept badly” would do",
            "an open “The miller",
            "",
        ] {
            assert!(found(remark).is_empty(), "{remark}");
        }
        assert!(found("“he wind blew” comes twice").is_empty());
    }

    #[test]
    fn several_quotations_come_in_the_order_of_the_text() {
        let remark = "“Who is there?” after \"miller sleeped badly\"";
        assert_eq!(found(remark), ["miller sleeped badly", "Who is there?"]);
    }
}
