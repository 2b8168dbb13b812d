//! Differences of paired numbers, as whole multiples of a common step where there is one.
//!
//! 4.3 − 4.1 and 3.3 − 3.1 differ in the sixteenth digit, and so do differences of means of three repeats. A test on ranks
//! or permutations must see them as equal. Scores are nearly always fractions of a small common denominator: then the
//! differences are computed as whole numbers, exactly. Where there is none, they are subtracted as they are.

/// The powers of ten and the numbers of repeats among whose products a common denominator is looked for.
const POWERS: u32 = 7;
const REPEATS: u32 = 24;

/// Above this, not all whole numbers are doubles, nor would be their sums.
const LARGEST: f64 = 4_503_599_627_370_496.0;

/// Whether two numbers are equal; zero has no sign.
pub(in crate::stats) fn same(left: f64, right: f64) -> bool {
    (left + 0.0).total_cmp(&(right + 0.0)).is_eq()
}

/// Differences in units of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Differences {
    /// Whole numbers where there is a common denominator, the plain differences otherwise.
    pub values: Vec<f64>,
    /// How many steps are 1; none where the differences are plain.
    pub denominator: Option<f64>,
}

impl Differences {
    /// The differences in the unit of the data: equal ones are the same number to the last bit.
    pub fn in_unit(&self) -> Vec<f64> {
        let one = self.denominator.unwrap_or(1.0);
        self.values.iter().map(|steps| steps / one).collect()
    }

    /// Their mean in the unit of the data.
    pub fn mean(&self) -> Option<f64> {
        let mean = crate::stats::mean(&self.values)?;
        Some(mean / self.denominator.unwrap_or(1.0))
    }
}

/// `left − right`, pair by pair; none where a difference is not finite.
pub fn differences(left: &[f64], right: &[f64]) -> Option<Differences> {
    let pairs = || left.iter().zip(right);
    let denominator = denominator(&[left, right]);
    let values: Vec<f64> = match denominator {
        Some(q) => pairs()
            .map(|(a, b)| (a * q).round() - (b * q).round())
            .collect(),
        None => pairs().map(|(a, b)| a - b).collect(),
    };
    let finite = values.iter().all(|value| value.is_finite());
    finite.then_some(Differences {
        values,
        denominator,
    })
}

/// The first denominator of which all numbers are the nearest doubles to whole multiples.
pub fn denominator(columns: &[&[f64]]) -> Option<f64> {
    let fits = |q: f64| {
        let whole = |value: f64| {
            let steps = (value * q).round();
            steps.abs() <= LARGEST && same(steps / q, value)
        };
        columns
            .iter()
            .all(|column| column.iter().all(|&value| whole(value)))
    };
    (0..POWERS).find_map(|power| {
        let ten = 10_f64.powi(power.cast_signed());
        let mut of_ten = (1..=REPEATS).map(|repeats| ten * f64::from(repeats));
        of_ten.find(|&q| fits(q))
    })
}
