//! The axis of values: from numbers to pixels, and where ticks stand.

use crate::output::report::number;

/// No number beyond this is drawn: the distance of two has to be a number.
pub(super) const LARGEST: f64 = 1e150;

/// Labels with more digits after the point have an exponent instead.
const MOST_DECIMALS: i32 = 8;

/// A linear axis from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) low: f64,
    pub(super) high: f64,
    /// Where `low` is, in pixels.
    pub(super) from: f64,
    /// Where `high` is, in pixels.
    pub(super) to: f64,
}

impl Scale {
    /// Where a value is, in pixels.
    pub(super) fn at(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        self.from + share.clamp(-0.5, 1.5) * (self.to - self.from)
    }
}

/// The limits of an axis that shows all these values, with a little room around them; `None` without values.
pub(super) fn limits(
    values: impl Iterator<Item = f64>,
    range: Option<(f64, f64)>,
    with_zero: bool,
) -> Option<(f64, f64)> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.filter(|value| value.is_finite()) {
        low = low.min(value);
        high = high.max(value);
    }
    let shown = low <= high;
    if !shown && range.is_none() {
        return None;
    }
    if with_zero && range.is_none() {
        (low, high) = (low.min(0.0), high.max(0.0));
    }
    let (seen_low, seen_high) = (low, high);
    if let Some((from, to)) = range {
        let (from, to) = (from.max(-1e150), to.min(1e150));
        (low, high) = (low.min(from), high.max(to));
    }
    let span = high - low;
    let room = match span {
        span if span > 0.0 => span * 0.05,
        _ if low == 0.0 => 1.0,
        _ => low.abs() * 0.1,
    };
    // What is asked for, and a zero that bars begin at, is an end without room.
    let fixed = |end: f64, limit: Option<f64>| limit == Some(end) || (with_zero && end == 0.0);
    if !fixed(
        low,
        range
            .map(|range| range.0)
            .filter(|&end| !shown || end < seen_low),
    ) {
        low -= room;
    }
    if !fixed(
        high,
        range
            .map(|range| range.1)
            .filter(|&end| !shown || end > seen_high),
    ) {
        high += room;
    }
    Some((low, high))
}

/// Where ticks stand, with their labels.
pub(super) type Ticks = [(f64, String)];

/// Ticks of an axis: round numbers, about so many, with their labels.
pub(super) fn ticks(low: f64, high: f64, about: usize, whole: bool) -> Vec<(f64, String)> {
    let step = nice((high - low) / about.max(1) as f64);
    let step = if whole { step.max(1.0).round() } else { step };
    let decimals = decimals_of(step);
    let first = (low / step - 1e-9).ceil();
    let last = (high / step + 1e-9).floor();
    let many = (last - first).clamp(-1.0, 200.0) as i64;
    (0..=many)
        .map(|index| {
            let value = (first + index as f64) * step;
            let label = match decimals {
                Some(decimals) => number::fixed(value, decimals),
                None => short(value),
            };
            (value, number::typeset(&label))
        })
        .collect()
}

/// The round number (1, 2, 2.5 or 5 times a power of ten) that is at least this.
pub(super) fn nice(least: f64) -> f64 {
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let power = 10f64.powi(least.log10().floor() as i32);
    let factors = [1.0, 2.0, 2.5, 5.0, 10.0];
    let factor = factors
        .into_iter()
        .find(|factor| factor * power >= least * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// Digits after the point that a step needs; none if that is more than are legible.
pub(super) fn decimals_of(step: f64) -> Option<usize> {
    let digits = (0..=MOST_DECIMALS).find(|&digits| {
        let scaled = step * 10f64.powi(digits);
        // Relative to the step: a small one would else be as good as the whole number 0.
        (scaled - scaled.round()).abs() < 1e-6 * scaled.abs()
    });
    digits.map(|digits| digits.unsigned_abs() as usize)
}

/// A number without the digits that only rounding put there, small ones with an exponent.
fn short(value: f64) -> String {
    let value = format!("{value:.11e}").parse().unwrap_or(value) + 0.0;
    if value == 0.0 || value.abs() >= 1e-4 {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> Vec<String> {
        ticks(low, high, 5, false)
            .into_iter()
            .map(|(_, label)| label)
            .collect()
    }

    #[test]
    fn ticks_are_round_numbers_within_the_axis() {
        assert_eq!(labels(1.0, 5.0), ["1", "2", "3", "4", "5"]);
        assert_eq!(labels(-0.31, 0.12), ["−0.3", "−0.2", "−0.1", "0.0", "0.1"]);
        assert_eq!(labels(0.0, 52_000.0), ["0", "20000", "40000"]);
        assert_eq!(labels(0.0, 1.3), ["0.0", "0.5", "1.0"]);
    }

    #[test]
    fn ticks_of_small_numbers_are_told_apart() {
        assert_eq!(
            labels(0.0, 4.2e-8),
            [
                "0.00000000",
                "0.00000001",
                "0.00000002",
                "0.00000003",
                "0.00000004"
            ]
        );
        assert_eq!(
            labels(-2e-20, 3e-20),
            ["−2e−20", "−1e−20", "0", "1e−20", "2e−20", "3e−20"]
        );
    }

    #[test]
    fn an_axis_of_one_value_has_room_around_it() {
        let (low, high) = limits([3.0].into_iter(), None, false).unwrap();
        assert!(low < 3.0 && high > 3.0);
        let (low, high) = limits([0.0].into_iter(), None, false).unwrap();
        assert!(low < 0.0 && high > 0.0);
    }

    #[test]
    fn a_range_that_is_asked_for_hides_nothing() {
        let (low, high) = limits([0.5, 6.0].into_iter(), Some((1.0, 5.0)), false).unwrap();
        assert!(low < 0.5 && high > 6.0);
        assert_eq!(
            limits([2.0].into_iter(), Some((1.0, 5.0)), false),
            Some((1.0, 5.0))
        );
        assert_eq!(limits(std::iter::empty(), None, false), None);
    }

    #[test]
    fn bars_begin_at_zero() {
        let (low, high) = limits([3.0, 4.0].into_iter(), None, true).unwrap();
        assert!(low == 0.0 && high > 4.0);
    }
}
