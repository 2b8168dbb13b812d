//! Numbers as headings write them: `IV`, `12`, `TWENTY-ONE`, `FIRST`, `TWENTY-FIRST`, `LAST`.
//!
//! Knows nothing of headings; numbers above 3999 (Roman), 999 (digits) and 99 (words) are none.

const ONES: [&str; 19] = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = [
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];
const ORDINALS: [&str; 19] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
];
const TENTHS: [&str; 8] = [
    "twentieth",
    "thirtieth",
    "fortieth",
    "fiftieth",
    "sixtieth",
    "seventieth",
    "eightieth",
    "ninetieth",
];
const ROMAN: [(&str, usize); 13] = [
    ("M", 1000),
    ("CM", 900),
    ("D", 500),
    ("CD", 400),
    ("C", 100),
    ("XC", 90),
    ("L", 50),
    ("XL", 40),
    ("X", 10),
    ("IX", 9),
    ("V", 5),
    ("IV", 4),
    ("I", 1),
];

/// The number at the beginning of a text, and what follows it; none where it does not begin with a
/// whole number word.
pub(crate) fn leading(text: &str) -> Option<(usize, &str)> {
    let (word, rest) = word(text);
    roman(word)
        .or_else(|| digits(word))
        .map(|value| (value, rest))
        .or_else(|| leading_words(text))
}

/// Whether a text is a number in words and nothing else, whatever its case, or the word `LAST`, which
/// stands for one.
pub(crate) fn is_in_words(text: &str) -> bool {
    text.eq_ignore_ascii_case("last")
        || leading_words(text).is_some_and(|(_, rest)| rest.is_empty())
}

/// The number in words at the beginning of a text, and what follows it.
fn leading_words(text: &str) -> Option<(usize, &str)> {
    let (word, rest) = word(text);
    if let Some(tens) = place(&TENS, word) {
        let tens = (tens + 1) * 10;
        let unit = rest.strip_prefix(['-', ' ']).map(self::word);
        if let Some((unit, rest)) = unit
            && let Some(unit) = place(&ONES[..9], unit).or_else(|| place(&ORDINALS[..9], unit))
        {
            return Some((tens + unit, rest));
        }
        return Some((tens, rest));
    }
    let tenth = || place(&TENTHS, word).map(|tens| (tens + 1) * 10);
    let value = place(&ONES, word)
        .or_else(|| place(&ORDINALS, word))
        .or_else(tenth)?;
    Some((value, rest))
}

/// The value of a Roman numeral in capitals, written as it should be: `IV`, not `IIII`.
pub(crate) fn roman(word: &str) -> Option<usize> {
    let (mut rest, mut value) = (word, 0);
    for (digit, worth) in ROMAN {
        for _ in 0..3 {
            let Some(after) = rest.strip_prefix(digit) else {
                break;
            };
            rest = after;
            value += worth;
        }
    }
    // Read loosely, written strictly: what comes out the same is a numeral.
    (rest.is_empty() && value > 0 && write_roman(value) == word).then_some(value)
}

fn write_roman(mut value: usize) -> String {
    let mut written = String::new();
    for (digit, worth) in ROMAN {
        while value >= worth {
            written.push_str(digit);
            value -= worth;
        }
    }
    written
}

fn digits(word: &str) -> Option<usize> {
    let short = (1..=3).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit());
    short.then(|| word.parse().ok()).flatten()
}

fn place(words: &[&str], word: &str) -> Option<usize> {
    let found = words.iter().position(|w| w.eq_ignore_ascii_case(word))?;
    Some(found + 1)
}

/// The letters and digits a text begins with, and the rest.
fn word(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_are_read_however_they_are_written() {
        for (text, value, rest) in [
            ("IV. The", 4, ". The"),
            ("XLIX", 49, ""),
            ("12.  TITLE", 12, ".  TITLE"),
            ("TWENTY-ONE: X", 21, ": X"),
            ("Thirty", 30, ""),
            ("Twenty days", 20, " days"),
            ("FIRST.", 1, "."),
            ("nineteen", 19, ""),
            ("THIRTEENTH", 13, ""),
            ("TWENTIETH.", 20, "."),
            ("Thirty-First, or", 31, ", or"),
        ] {
            assert_eq!(leading(text), Some((value, rest)), "{text}");
        }
    }

    #[test]
    fn words_that_only_look_like_numerals_are_none() {
        for text in [
            "IIII", "VX", "IC", "DIM", "CIVIL", "Once", "1914", "", " I", "iv", "É",
        ] {
            assert_eq!(leading(text), None, "{text}");
        }
    }

    #[test]
    fn a_number_in_words_is_nothing_else() {
        for text in ["ONE", "TWENTY-ONE", "Nineteenth", "twenty-second", "LAST"] {
            assert!(is_in_words(text), "{text}");
        }
        for text in ["ONE DAY", "TWENTY-TEN", "IV", "12", "LASTLY", ""] {
            assert!(!is_in_words(text), "{text}");
        }
    }

    #[test]
    fn every_roman_numeral_is_its_own_value() {
        for value in 1..4000 {
            assert_eq!(roman(&write_roman(value)), Some(value));
        }
    }
}
