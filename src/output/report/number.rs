//! How a number becomes text and how a printed number is read back.
//!
//! One rounding for every format: the digits come from here, a format may only exchange the minus sign. It must
//! not know about cells or tables.

/// More decimals than this carry no information in a 64-bit float, and very large counts are refused by the formatter.
const MOST_DECIMALS: usize = 17;

/// From this size on fixed notation would only add meaningless zeros.
const LARGEST_FIXED: f64 = 1e15;

/// A value with a fixed number of decimals and an ASCII minus; exact ties go to the even digit, and a value that
/// rounds to zero has no sign.
///
/// Values of 10^15 and more are written in scientific notation with the same decimals.
pub fn fixed(value: f64, decimals: usize) -> String {
    let decimals = decimals.min(MOST_DECIMALS);
    if value.abs() >= LARGEST_FIXED {
        return format!("{value:.decimals$e}");
    }
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

/// A p-value, which is never zero: one that rounds to zero is below one unit of the last decimal.
pub fn p_value(p: f64, decimals: usize) -> String {
    let text = fixed(p, decimals);
    if text.bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        return match decimals.min(MOST_DECIMALS) {
            0 => "< 1".to_owned(),
            decimals => format!("< 0.{:0>decimals$}", 1),
        };
    }
    text
}

/// The shortest text that reads back as exactly this value; zero has no sign.
pub fn full(value: f64) -> String {
    if value == 0.0 {
        return "0.0".to_owned();
    }
    format!("{value:?}")
}

/// The same number with a true minus sign (U+2212) instead of the hyphen, as typeset text wants it.
pub fn typeset(ascii: &str) -> String {
    ascii.replace('-', "\u{2212}")
}

/// A difference with its sign always shown, except for zero.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    let zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if zero || text.starts_with('-') {
        text
    } else {
        format!("+{text}")
    }
}

/// A number as printed on paper: its value and how many decimals the print shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Printed {
    /// The value of the printed digits.
    pub value: f64,
    /// Digits after the decimal point, which fix the rounding of the print.
    pub decimals: usize,
}

impl Printed {
    /// Reads plain decimal notation with an optional sign (hyphen, true minus or plus); `None` for anything else.
    pub fn read(text: &str) -> Option<Self> {
        let (negative, digits) = match text.strip_prefix(['-', '\u{2212}']) {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let only_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if !only_digits(whole)
            || !only_digits(fraction)
            || (whole.is_empty() && fraction.is_empty())
        {
            return None;
        }
        let value: f64 = format!("{whole}.{fraction}0")
            .parse()
            .ok()
            .filter(|value: &f64| value.is_finite())?;
        Some(Self {
            value: if negative { -value } else { value },
            decimals: fraction.len(),
        })
    }

    /// Whether an unrounded value may have been rounded to this print: within half a unit of the last printed
    /// decimal, with 10^-9 to spare for the error of floating arithmetic. Both neighbours of a tie are accepted.
    pub fn covers(&self, value: f64) -> bool {
        let exponent = i32::try_from(self.decimals).unwrap_or(i32::MAX);
        (value - self.value).abs() <= 0.5 * 10f64.powi(-exponent) + 1e-9
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_value_that_rounds_to_zero_has_no_sign() {
        assert_eq!(fixed(-0.0004, 3), "0.000");
        assert_eq!(fixed(-0.0, 3), "0.000");
        assert_eq!(fixed(-0.0006, 3), "-0.001");
        assert_eq!(signed(-0.0, 2), "0.00");
    }

    #[test]
    fn exact_ties_go_to_the_even_digit() {
        assert_eq!(fixed(0.125, 2), "0.12");
        assert_eq!(fixed(0.375, 2), "0.38");
        assert_eq!(fixed(2.5, 0), "2");
    }

    #[test]
    fn huge_values_and_huge_decimals_stay_readable() {
        assert_eq!(fixed(1e300, 2), "1.00e300");
        assert_eq!(fixed(1.0, usize::MAX), "1.00000000000000000");
    }

    #[test]
    fn a_p_value_is_never_shown_as_zero() {
        assert_eq!(p_value(0.000_4, 3), "< 0.001");
        assert_eq!(p_value(0.0, 2), "< 0.01");
        assert_eq!(p_value(0.000_6, 3), "0.001");
        assert_eq!(p_value(0.2, 0), "< 1");
    }

    #[test]
    fn a_printed_number_keeps_its_decimals() {
        assert_eq!(
            Printed::read("4.000"),
            Some(Printed {
                value: 4.0,
                decimals: 3
            })
        );
        assert_eq!(
            Printed::read("\u{2212}.92"),
            Some(Printed {
                value: -0.92,
                decimals: 2
            })
        );
        assert_eq!(
            Printed::read("+7"),
            Some(Printed {
                value: 7.0,
                decimals: 0
            })
        );
        for text in ["", "-", ".", "nan", "inf", "1e3", "1,5", "--1", "3.1 "] {
            assert_eq!(Printed::read(text), None, "`{text}`");
        }
    }

    #[test]
    fn half_a_unit_of_the_last_printed_decimal_is_covered() {
        let printed = Printed::read("0.170").expect("a number");
        assert!(printed.covers(0.1695));
        assert!(printed.covers(0.1705));
        assert!(!printed.covers(0.169_231));
    }

    proptest! {
        #[test]
        fn a_fixed_number_covers_the_value_it_was_made_from(value in -1e6f64..1e6, decimals in 0usize..6) {
            let printed = Printed::read(&fixed(value, decimals)).expect("fixed notation is readable");
            prop_assert_eq!(printed.decimals, decimals);
            prop_assert!(printed.covers(value));
        }

        #[test]
        fn any_text_can_be_offered_as_a_printed_number(text in ".*") {
            let _ = Printed::read(&text);
        }

        #[test]
        fn the_full_text_reads_back_as_the_same_value(value in proptest::num::f64::NORMAL) {
            prop_assert_eq!(full(value).parse::<f64>().expect("a number").to_bits(), value.to_bits());
        }
    }
}
