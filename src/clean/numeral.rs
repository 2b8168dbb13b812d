//! Numbers of chapters: Roman, in words, in figures.

/// Numbers in words.
const NUMBERS: [&str; 33] = [
    "ONE",
    "TWO",
    "THREE",
    "FOUR",
    "FIVE",
    "SIX",
    "SEVEN",
    "EIGHT",
    "NINE",
    "TEN",
    "ELEVEN",
    "TWELVE",
    "THIRTEEN",
    "FOURTEEN",
    "FIFTEEN",
    "SIXTEEN",
    "SEVENTEEN",
    "EIGHTEEN",
    "NINETEEN",
    "TWENTY",
    "FIRST",
    "SECOND",
    "THIRD",
    "FOURTH",
    "FIFTH",
    "SIXTH",
    "SEVENTH",
    "EIGHTH",
    "NINTH",
    "TENTH",
    "ELEVENTH",
    "TWELFTH",
    "LAST",
];

/// Whether a word is a number: Roman, in words, or (after `CHAPTER`) in figures or any case.
pub(super) fn is_numeral(word: &str, after_unit: bool) -> bool {
    let capitals = word.to_uppercase();
    if !after_unit && capitals != word {
        return false;
    }
    let figures = !word.is_empty() && word.len() <= 4 && word.bytes().all(|b| b.is_ascii_digit());
    NUMBERS.contains(&capitals.as_str())
        || (figures && after_unit)
        // One letter alone may be an initial: only the small numbers pass.
        || (is_roman(&capitals) && (after_unit || word.len() > 1 || matches!(word, "I" | "V" | "X")))
}

/// Whether a word is a Roman number below 400, in the usual spelling.
fn is_roman(word: &str) -> bool {
    const DIGITS: [(&str, u32); 9] = [
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
    let mut rest = word;
    let mut spelled = String::new();
    let mut value = 0;
    for (digit, worth) in DIGITS {
        while let Some(shorter) = rest.strip_prefix(digit) {
            rest = shorter;
            value += worth;
            if value >= 400 {
                return false;
            }
        }
    }
    if !rest.is_empty() || value == 0 {
        return false;
    }
    for (digit, worth) in DIGITS {
        while value >= worth {
            spelled.push_str(digit);
            value -= worth;
        }
    }
    spelled == word
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
