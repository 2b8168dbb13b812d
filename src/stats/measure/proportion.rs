//! Shares and their differences.

use super::Holds::{Number, PValue, Tested, Whole};
use super::samples::{Samples, hits, line_of_two};
use super::{Code, Data, Line, Measure, NoValue, Role, Setting, Settings, column};
use crate::stats::interval::check_level;
use crate::stats::proportion as of;
use crate::stats::{Interval, StatsError, share as share_of};

/// The measures of this file.
pub(super) const ALL: &[&Measure] = &[&SHARE, &SHARE_DIFFERENCE];

const SHARE: Measure = Measure {
    name: "share",
    about: "how often a label occurs, with an interval that stays between 0 and 1",
    unit: "item",
    needs: &[Role::Value],
    takes: &[Role::Item],
    settings: &[Setting::Level, Setting::Positive],
    keys: &[],
    gives: &[
        column("share", Number, "hits over items"),
        column("ci_low", Number, "the lower end of Wilson's interval"),
        column("ci_high", Number, "its upper end"),
        column("hits", Whole, "how many items count"),
        column(
            "wilson_cc_low",
            Number,
            "the lower end of Wilson's interval with continuity correction",
        ),
        column("wilson_cc_high", Number, "its upper end"),
        column(
            "exact_low",
            Number,
            "the lower end of the interval of Clopper and Pearson",
        ),
        column("exact_high", Number, "its upper end"),
    ],
    compute: share,
};

fn share(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let labels = hits(data, Role::Value, settings)?;
    let n = labels.iter().flatten().count();
    let count = count(labels.into_iter().flatten());
    let mut line = Line::of(n, data.len() - n);
    line.set("hits", count as f64);
    let all = share_of(count, n as u64, settings.level)?;
    let Some(share) = all.share else {
        return Ok(vec![line.without(nobody("there is no value"))]);
    };
    line.set("share", share);
    let ends = |line: &mut Line, names: [&'static str; 2], interval: Option<Interval>| {
        let unknown = || NoValue::new(Code::Undefined, "the interval has no finite ends");
        let interval = interval.ok_or_else(unknown);
        line.set(names[0], interval.clone().map(|interval| interval.low));
        line.set(names[1], interval.map(|interval| interval.high));
    };
    let (trials, level) = (n as u64, settings.level);
    ends(&mut line, ["ci_low", "ci_high"], all.interval);
    let corrected = of::wilson_corrected(count, trials, level);
    ends(&mut line, ["wilson_cc_low", "wilson_cc_high"], corrected);
    let exact = of::clopper_pearson(count, trials, level);
    ends(&mut line, ["exact_low", "exact_high"], exact);
    Ok(vec![line])
}

const SHARE_DIFFERENCE: Measure = Measure {
    name: "share-difference",
    about: "how much more often a label occurs in one sample than in another",
    unit: "value",
    needs: &[Role::Value, Role::Sample],
    takes: &[Role::Item],
    settings: &[Setting::Level, Setting::Positive, Setting::Base],
    keys: &[],
    gives: &[
        column(
            "difference",
            Tested,
            "the share of the first sample less that of the second",
        ),
        column("ci_low", Number, "the lower end of Newcombe's interval"),
        column("ci_high", Number, "its upper end"),
        column(
            "z",
            Number,
            "`difference` over its standard error where both shares are the pooled one",
        ),
        column("p", PValue, "the p-value of `z`"),
        column("share1", Number, "the share of the first sample"),
        column("share2", Number, "that of the second"),
        column("hits1", Whole, "how many values of the first sample count"),
        column("hits2", Whole, "how many of the second"),
        column("n1", Whole, "how many values the first sample has"),
        column("n2", Whole, "how many the second has"),
    ],
    compute: share_difference,
};

fn share_difference(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let (mut line, [a, b]) = match line_of_two(Samples::hits(data, settings)?, settings) {
        Ok(read) => read,
        Err(line) => return Ok(vec![line]),
    };
    let sides = [a, b].map(|sample| (count(sample.iter().copied()), sample.len() as u64));
    for ((hits, n), names) in sides.iter().zip([("hits1", "share1"), ("hits2", "share2")]) {
        line.set(names.0, *hits as f64);
        if *n > 0 {
            line.set(names.1, *hits as f64 / *n as f64);
        }
    }
    let [first, second] = sides;
    let test = match of::share_difference(first, second, settings.level) {
        Ok(test) => test,
        Err(why) => return Ok(vec![line.without(why)]),
    };
    line.set("difference", test.difference);
    let unknown = || NoValue::new(Code::Undefined, "the interval has no finite ends");
    let interval = test.interval.ok_or_else(unknown);
    line.set("ci_low", interval.clone().map(|interval| interval.low));
    line.set("ci_high", interval.map(|interval| interval.high));
    line.set("z", test.z);
    line.set("p", test.p);
    Ok(vec![line])
}

fn count(hits: impl Iterator<Item = bool>) -> u64 {
    hits.filter(|hit| *hit).count() as u64
}

fn nobody(why: &str) -> NoValue {
    NoValue::new(Code::TooFew, why)
}
