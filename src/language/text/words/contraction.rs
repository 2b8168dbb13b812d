//! Contractions: where `couldn't`, `Tom's` or `'tis` are parted.

use super::is_apostrophe;
use crate::language::text::WordList;

/// Endings that are words of their own, without their apostrophe.
const ENDINGS: [&str; 6] = ["s", "re", "ve", "ll", "m", "d"];

/// What may stand in front of `'d`; anything else (`drown'd`) is a verb spelled so.
static BEFORE_D: WordList = WordList::new(
    "i you he she it we they who there that this these those what where when why how nobody everybody",
);

/// Words parted although no apostrophe shows it, and how long the first part is.
const GROWN_TOGETHER: [(&str, usize); 3] = [("cannot", 3), ("gonna", 3), ("gotta", 3)];

/// Words that lost their beginning, apostrophe left out: kept whole, or (`tis`) parted after the `t`.
const CLIPPED: [&str; 11] = [
    "em", "im", "er", "bout", "cause", "twixt", "bus", "most", "way", "un", "neath",
];
const AFTER_T: [&str; 6] = ["is", "was", "were", "will", "would", "ain"];

/// Whether `text` begins with an apostrophe and a word known to have lost its beginning.
pub(super) fn is_clipped_start(text: &str) -> bool {
    let word = text.strip_prefix(is_apostrophe).unwrap_or(text);
    let end = word
        .find(|letter: char| !letter.is_alphanumeric())
        .unwrap_or(word.len());
    let word = &word[..end];
    CLIPPED.iter().any(|known| known.eq_ignore_ascii_case(word)) || after_t(word).is_some()
}

/// What follows the `t` of `tis` and its like.
fn after_t(word: &str) -> Option<&str> {
    let rest = word.strip_prefix(['t', 'T'])?;
    AFTER_T
        .iter()
        .any(|known| known.eq_ignore_ascii_case(rest))
        .then_some(rest)
}

/// Calls `part` with the length in bytes of each part of a word, in order.
pub(super) fn parts(word: &str, mut part: impl FnMut(usize)) {
    let first = word.chars().next();
    let apostrophe = first.filter(|&letter| is_apostrophe(letter));
    if let Some(mark) = apostrophe
        && let Some(rest) = after_t(&word[mark.len_utf8()..])
    {
        part(word.len() - rest.len());
        part(rest.len());
        return;
    }
    for (known, length) in GROWN_TOGETHER {
        if known.eq_ignore_ascii_case(word) {
            part(length);
            part(word.len() - length);
            return;
        }
    }
    if !word.contains(is_apostrophe) {
        part(word.len());
        return;
    }
    // From the end, so that `couldn't've` gives both of its endings; three are more than English has.
    let mut ends = [word.len(); 4];
    let mut known = 0;
    while known < 3
        && let Some(cut) = ending(&word[..ends[known]])
    {
        known += 1;
        ends[known] = cut;
    }
    let mut from = 0;
    for end in ends[..=known].iter().rev() {
        part(end - from);
        from = *end;
    }
}

/// Where the contracted ending of a word begins, if it has one and something stands before it.
fn ending(word: &str) -> Option<usize> {
    let apostrophe = word.rfind(is_apostrophe)?;
    let mark = word[apostrophe..].chars().next()?.len_utf8();
    let (before, after) = (&word[..apostrophe], &word[apostrophe + mark..]);
    if after.eq_ignore_ascii_case("t") {
        let cut = before.len().checked_sub(1)?;
        return (cut > 0 && before.ends_with(['n', 'N'])).then_some(cut);
    }
    let known = ENDINGS
        .iter()
        .any(|ending| ending.eq_ignore_ascii_case(after));
    if before.is_empty() || !known {
        return None;
    }
    let fits = match after {
        "d" | "D" => BEFORE_D
            .all()
            .iter()
            .any(|known| known.eq_ignore_ascii_case(before)),
        "m" | "M" => before.eq_ignore_ascii_case("i"),
        _ => true,
    };
    fits.then_some(apostrophe)
}
