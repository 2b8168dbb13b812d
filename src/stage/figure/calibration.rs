//! How often what was predicted came true, in bins of the predicted share.

use indexmap::IndexMap;

use super::pairs::elsewhere;
use super::values::without_value;
use super::{Made, as_number};
use crate::base::failure::Failure;
use crate::frame::Scalar;
use crate::stage::stats::one_of;
use crate::stats::{DEFAULT_LEVEL, mean, share};

/// The rows of one panel and series.
#[derive(Default)]
struct Group {
    /// What was predicted in each bin, and how often it came true there.
    bins: Vec<(Vec<f64>, u64)>,
    without: Vec<Made>,
}

/// For each panel and series one row for each bin that holds anything: at the mean of what was predicted the share that
/// came true, with its Wilson interval. A bin holds its lower end, not its upper one; the last one holds 1.
pub(super) fn calibration(rows: Vec<Made>, x: usize, bins: u32) -> Result<Vec<Made>, Failure> {
    let mut groups: IndexMap<Vec<String>, Group> = IndexMap::new();
    for mut row in rows {
        let group = groups.entry(elsewhere(&row.fields, x)).or_default();
        group.bins.resize(bins as usize, (Vec::new(), 0));
        let predicted: Option<f64> = row.fields[x].parse().ok();
        let (Some(predicted), Some(observed)) = (predicted, row.value) else {
            if predicted.is_none() {
                row.why.get_or_insert_with(|| "no prediction".to_owned());
            }
            group.without.push(row);
            continue;
        };
        if !(0.0..=1.0).contains(&predicted) {
            return Err(refused("a prediction", predicted, "between 0 and 1")
                .hint("a `derive` stage makes a share of it: `predicted = \"confidence / 100\"`"));
        }
        if ![0.0, 1.0].contains(&observed) {
            return Err(
                refused("what is observed", observed, "true or false, 1 or 0")
                    .hint("a `derive` stage makes a truth value of it: `right = \"score >= 4\"`"),
            );
        }
        let last = group.bins.len() - 1;
        let bin = (predicted * f64::from(bins)).floor() as usize;
        let (all, hits) = &mut group.bins[bin.min(last)];
        all.push(predicted);
        *hits += u64::from(observed > 0.0);
    }
    let mut made = Vec::new();
    for (fields, group) in groups {
        for (all, hits) in group.bins.iter().filter(|(all, _)| !all.is_empty()) {
            let n = all.len();
            let found = share(*hits, n as u64, DEFAULT_LEVEL)
                .map_err(|error| Failure::new(error.to_string()))?;
            let mut fields = fields.clone();
            fields[x] = mean(all).map_or_else(String::new, as_number);
            let interval = found.interval;
            made.push(Made {
                fields,
                value: found.share,
                interval: (
                    interval.map(|interval| interval.low),
                    interval.map(|interval| interval.high),
                ),
                bound: None,
                reference: false,
                counts: one_of(i64::try_from(n).unwrap_or(i64::MAX)),
                computed: Scalar::from(format!("{{\"level\":{DEFAULT_LEVEL}}}")),
                undefined: None,
                why: None,
                r: None,
            });
        }
        let without = without_value(group.without).map(|mut row| {
            row.value = None;
            row.fields.clone_from(&fields);
            row
        });
        made.extend(without);
    }
    Ok(made)
}

fn refused(what: &str, number: f64, wanted: &str) -> Failure {
    Failure::new(format!("{what} is {number}, not {wanted}"))
}
