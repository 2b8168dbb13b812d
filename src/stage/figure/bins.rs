//! Counting the values of a figure's rows in bins of one width.

use indexmap::IndexMap;

use super::Made;
use super::values::without_value;
use crate::frame::Scalar;
use crate::stage::stats::one_of;

/// The most bins there can be.
pub(crate) const MOST: u32 = 200;

/// For each place the bins between the least and the greatest value of all, each with how many values lie in it: from
/// its lower end up to, and without, its upper end. A bin that holds nothing has a row too.
pub(super) fn bins(rows: Vec<Made>, about: u32) -> Vec<Made> {
    let values = || rows.iter().filter_map(|row| row.value);
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let width = Width::of((high - low) / f64::from(about.clamp(1, MOST)));
    let first = width.place(low);
    let count = if low <= high {
        width.place(high) - first + 1.0
    } else {
        0.0
    };
    let mut places: IndexMap<Vec<String>, (Vec<u64>, Vec<Made>)> = IndexMap::new();
    for row in rows {
        let (counts, without) = places
            .entry(row.fields.clone())
            .or_insert_with(|| (vec![0; count as usize], Vec::new()));
        match row.value {
            Some(value) => {
                if let Some(count) = counts.get_mut((width.place(value) - first) as usize) {
                    *count += 1;
                }
            }
            None => without.push(row),
        }
    }
    let mut made = Vec::new();
    for (fields, (counts, without)) in places {
        for (index, count) in counts.into_iter().enumerate() {
            let from = first + index as f64;
            made.push(Made {
                fields: fields.clone(),
                value: Some(count as f64),
                interval: (Some(width.end(from)), Some(width.end(from + 1.0))),
                bound: None,
                reference: false,
                counts: one_of(i64::try_from(count).unwrap_or(i64::MAX)),
                computed: Scalar::Null,
                undefined: None,
                why: None,
                r: None,
            });
        }
        made.extend(without_value(without));
    }
    made
}

/// The width of bins.
struct Width {
    width: f64,
    /// How many decimals it has.
    decimals: usize,
}

impl Width {
    /// A round one (1, 2, 2.5 or 5 times a power of ten) of at least this.
    fn of(least: f64) -> Self {
        if !(least.is_finite() && least > 0.0) {
            return Self {
                width: 1.0,
                decimals: 0,
            };
        }
        let exponent = least.log10().floor() as i32;
        let power = 10f64.powi(exponent);
        let factors = [(1.0, 0), (2.0, 0), (2.5, 1), (5.0, 0)];
        let found = factors
            .into_iter()
            .find(|(factor, _)| factor * power >= least * (1.0 - 1e-9));
        let (factor, more) = found.unwrap_or((10.0, 0));
        Self {
            width: factor * power,
            decimals: usize::try_from(more - exponent).unwrap_or_default(),
        }
    }

    /// The bin, counted from 0, that a value lies in. A value at an end is in the bin that begins there, although 0.3 is
    /// a little less than three times 0.1 in binary numbers.
    fn place(&self, value: f64) -> f64 {
        let at = value / self.width;
        let error = (at.abs() * 4.0 * f64::EPSILON).max(1e-9);
        let near = at.round();
        if (at - near).abs() <= error {
            near
        } else {
            at.floor()
        }
    }

    /// Where a bin begins, with the decimals of the width and no more.
    fn end(&self, place: f64) -> f64 {
        let end = place * self.width;
        let rounded = format!("{end:.*}", self.decimals);
        rounded.parse().unwrap_or(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(value: f64) -> Made {
        Made {
            fields: Vec::new(),
            value: Some(value),
            interval: (None, None),
            bound: None,
            reference: false,
            counts: one_of(1),
            computed: Scalar::Null,
            undefined: None,
            why: None,
            r: None,
        }
    }

    #[test]
    fn a_value_at_an_end_of_bins_is_in_the_one_that_begins_there() {
        for (step, about) in [
            (0.1, 10),
            (0.01, 10),
            (0.25, 4),
            (0.7, 7),
            (5.0, 20),
            (1e-7, 10),
        ] {
            let values = (-3..=10).map(|at| f64::from(at) * step);
            let bins = bins(values.map(made).collect(), about);
            let counts = bins.iter().filter_map(|bin| bin.value);
            let (from, to) = (bins[0].interval.0, bins[bins.len() - 1].interval.1);
            assert_eq!(counts.map(|count| count as u64).sum::<u64>(), 14, "{step}");
            assert!(
                from <= Some(-3.0 * step) && to > Some(10.0 * step),
                "{step}"
            );
        }
        let tenths = [
            "0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1",
        ];
        let values = tenths.map(|text| text.parse::<f64>().unwrap());
        let bins = bins(values.map(made).into(), 10);
        let counts: Vec<_> = bins.iter().filter_map(|bin| bin.value).collect();
        assert_eq!(counts, [1.0; 11]);
        let ends: Vec<_> = bins.iter().filter_map(|bin| bin.interval.0).collect();
        assert_eq!(ends, values);
        assert_eq!(bins[10].interval.1, Some(1.1));
    }
}
