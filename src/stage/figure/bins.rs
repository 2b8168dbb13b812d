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
    let width = width((high - low) / f64::from(about.clamp(1, MOST)));
    let first = (low / width).floor();
    let count = if low <= high {
        (high / width).floor() - first + 1.0
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
                if let Some(count) = counts.get_mut(((value / width).floor() - first) as usize) {
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
                interval: (Some(from * width), Some((from + 1.0) * width)),
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

/// A round width (1, 2, 2.5 or 5 times a power of ten) of at least this.
fn width(least: f64) -> f64 {
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let power = 10f64.powi(least.log10().floor() as i32);
    let factors = [1.0, 2.0, 2.5, 5.0];
    let factor = factors
        .into_iter()
        .find(|factor| factor * power >= least * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}
