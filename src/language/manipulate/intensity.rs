//! Intensity: how many operations a manipulation performs on a text.
//!
//! Pure arithmetic; what is counted (tokens, sentences, verbs, entities, marks) is the caller's.
//!
//! Half an operation is rounded to the even number (0.5 to 0, 1.5 to 2, 2.5 to 2), as Python's
//! `round` does. With it, and with tokens counted between single blanks, the numbers of operations in
//! the published data come out in all 130 documents for each of \[17\], \[24\] and \[41\]. The thesis's text
//! defines tokens by any whitespace; line breaks then divide them too, there are some 7 % more, and
//! the numbers come out in 76 documents for \[17\] and \[24\] and in 3 for \[41\].

use crate::base::draw::Draw;

/// How many operations are performed.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Intensity {
    /// This many, whatever the length of the text.
    Count(usize),
    /// An integer percentage of what can be changed, drawn uniformly from a range with both ends
    /// (thesis, 3.3.1 and Eq. 3.2, 3.12, 3.15, 3.18, 3.20, A.4). `start` must not be above `end`;
    /// if it is, `start` holds.
    Percent {
        /// The lowest percentage.
        start: u32,
        /// The highest percentage.
        end: u32,
    },
    /// So many per thousand tokens, and a few on top (thesis, Eq. 3.23, where `per_thousand` is 1 and
    /// the bias is 2 for \[17\] and 1 for \[24\]).
    PerThousand {
        /// Operations per thousand tokens; not negative.
        per_thousand: f64,
        /// Operations in every text, however short.
        bias: u64,
    },
}

impl Intensity {
    /// The number of operations for `size` things: those that a percentage is of, or the text's tokens.
    /// Draws only where a percentage has a range. A minimum, such as the two of Eq. 3.12, is for the
    /// caller to keep.
    pub fn operations(self, size: usize, draw: &mut Draw) -> usize {
        match self {
            Self::Count(operations) => operations,
            Self::Percent { start, end } => {
                let percentage = draw.between(start as usize, end as usize);
                rounded(percentage as f64 * size as f64 / 100.0)
            }
            Self::PerThousand { per_thousand, bias } => {
                rounded(per_thousand * size as f64 / 1000.0 + bias as f64)
            }
        }
    }
}

/// The nearest whole number, a half going to the even one; what is below 0 or no number becomes 0.
fn rounded(number: f64) -> usize {
    number.round_ties_even() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operations(intensity: Intensity, size: usize) -> usize {
        intensity.operations(size, &mut Draw::new(7, &["intensity"]))
    }

    fn percent(start: u32, end: u32) -> Intensity {
        Intensity::Percent { start, end }
    }

    #[test]
    fn a_count_does_not_depend_on_the_text() {
        assert_eq!(operations(Intensity::Count(3), 0), 3);
        assert_eq!(operations(Intensity::Count(3), 5000), 3);
    }

    #[test]
    fn percentages_are_of_the_size_and_halves_go_to_the_even_number() {
        assert_eq!(operations(percent(10, 10), 41), 4);
        assert_eq!(operations(percent(2, 2), 25), 0);
        assert_eq!(operations(percent(2, 2), 75), 2);
        assert_eq!(operations(percent(2, 2), 125), 2);
        assert_eq!(operations(percent(33, 33), 3), 1);
    }

    #[test]
    fn operations_per_thousand_tokens_have_a_bias() {
        let thesis = |bias| Intensity::PerThousand {
            per_thousand: 1.0,
            bias,
        };
        assert_eq!(operations(thesis(2), 1990), 4);
        assert_eq!(operations(thesis(1), 10_500), 12);
        assert_eq!(operations(thesis(2), 10_500), 12);
        assert_eq!(operations(thesis(1), 0), 1);
    }

    #[test]
    fn what_is_no_number_is_no_operation() {
        for per_thousand in [f64::NAN, -5.0, f64::NEG_INFINITY] {
            assert_eq!(
                operations(
                    Intensity::PerThousand {
                        per_thousand,
                        bias: 0
                    },
                    1000
                ),
                0
            );
        }
    }

    #[test]
    fn every_percentage_of_a_range_is_drawn_and_no_other() {
        let mut draw = Draw::new(1, &["range"]);
        let mut seen = [0; 6];
        for _ in 0..200 {
            seen[percent(2, 4).operations(100, &mut draw)] += 1;
        }
        assert_eq!((seen[0], seen[1], seen[5]), (0, 0, 0));
        assert!(seen[2..=4].iter().all(|&times| times > 40), "{seen:?}");
    }
}
