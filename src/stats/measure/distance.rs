//! Distances between samples, and what a sample looks like.

use super::Holds::{Number, PValue, Tested, Text, Whole};
use super::read::numbers;
use super::samples::{Samples, line_of_two, set_p};
use super::{Code, Data, Line, Measure, NoValue, Role, Setting, Settings, column};
use crate::stats::distance as of;
use crate::stats::{Ddof, StatsError, describe as described};

/// The measures of this file.
pub(super) const ALL: &[&Measure] = &[&DISTANCE, &ANDERSON_DARLING, &BIPOLARIZATION, &DESCRIBE];

const DISTANCE: Measure = Measure {
    name: "distance",
    about: "how far the distributions of two samples are apart",
    unit: "value",
    needs: &[Role::Value, Role::Sample],
    takes: &[Role::Item],
    settings: &[Setting::Scale, Setting::Base],
    keys: &[],
    gives: &[
        column(
            "ks",
            Tested,
            "the Kolmogorov–Smirnov distance, the largest gap between both empirical distributions",
        ),
        column(
            "p",
            PValue,
            "of `ks`: `p_exact`; `p_asymptotic` where both sizes multiply to more than 10⁷",
        ),
        column("p_method", Text, "which of both `p` is"),
        column(
            "p_exact",
            PValue,
            "the share of all splits of the values, ties as they are, that give a gap as large",
        ),
        column(
            "p_asymptotic",
            PValue,
            "the limit of Kolmogorov for large samples",
        ),
        column(
            "emd",
            Number,
            "the earth mover's distance, in the unit of the values",
        ),
        column(
            "emd_centred",
            Number,
            "the same after each sample's mean is taken off: what is not a shift",
        ),
        column("emd_normalised", Number, "`emd` over the length of `scale`"),
        column(
            "shift",
            Number,
            "the mean of the first sample less that of the second",
        ),
        column("n1", Whole, "how many values the first sample has"),
        column("n2", Whole, "how many the second has"),
    ],
    compute: distance,
};

fn distance(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    let (mut line, [a, b]) = match line_of_two(Samples::read(data)?, settings) {
        Ok(read) => read,
        Err(line) => return Ok(vec![line]),
    };
    let gap = match of::kolmogorov(&a, &b) {
        Ok(gap) => gap,
        Err(why) => return Ok(vec![line.without(why)]),
    };
    line.set("ks", gap.d);
    line.set("p_exact", gap.p_exact.clone());
    line.set("p_asymptotic", gap.p_asymptotic);
    set_p(
        &mut line,
        [("exact", gap.p_exact), ("asymptotic", Ok(gap.p_asymptotic))],
    );
    let moved = of::earth_mover(&a, &b);
    let normalised = moved.clone().and_then(|moved| {
        let length = length_of_scale(&[a, b].concat(), settings)?;
        Ok(moved.distance / length)
    });
    line.set("emd", moved.clone().map(|moved| moved.distance));
    line.set("emd_centred", moved.clone().map(|moved| moved.centred));
    line.set("emd_normalised", normalised);
    line.set("shift", moved.map(|moved| moved.shift));
    Ok(vec![line])
}

/// The length of the scale that all values lie on.
fn length_of_scale(values: &[f64], settings: &Settings) -> of::Value {
    let invalid = |why: String| Err(NoValue::new(Code::InvalidParameter, why));
    let Some([min, max]) = settings.scale else {
        return Err(no_scale());
    };
    let length = max - min;
    if !(length > 0.0 && length.is_finite()) {
        return invalid(format!("a scale from {min} to {max} has no length"));
    }
    match values.iter().find(|value| !(min..=max).contains(*value)) {
        Some(value) => invalid(format!(
            "{value} lies outside the scale from {min} to {max}"
        )),
        None => Ok(length),
    }
}

fn no_scale() -> NoValue {
    NoValue::new(
        Code::Incomplete,
        "`scale` does not say where the scale ends",
    )
}

const ANDERSON_DARLING: Measure = Measure {
    name: "anderson-darling",
    about: "whether two or more samples are of one distribution, with weight on its ends",
    unit: "value",
    needs: &[Role::Value, Role::Sample],
    takes: &[Role::Item],
    settings: &[Setting::Resamples],
    keys: &[],
    gives: &[
        column(
            "ad",
            Tested,
            "`a2` less its mean over its standard deviation",
        ),
        column(
            "p",
            PValue,
            "of `a2`, by drawn assignments of the values to samples, (b + 1)/(B + 1) of B draws",
        ),
        column(
            "a2",
            Number,
            "the statistic of Scholz and Stephens, with mid-ranks for ties",
        ),
        column("k", Whole, "how many samples there are"),
    ],
    compute: anderson_darling,
};

fn anderson_darling(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    let samples = Samples::read(data)?;
    let lists: Vec<Vec<f64>> = samples.named.into_values().collect();
    let mut line = Line::of(lists.iter().map(Vec::len).sum(), samples.dropped);
    line.set("k", lists.len());
    let statistic = match of::anderson_darling(&lists) {
        Ok(statistic) => statistic,
        Err(why) => return Ok(vec![line.without(why)]),
    };
    line.set("ad", statistic.standardised);
    line.set("a2", statistic.a2);
    let p = of::anderson_darling_p(&lists, settings.resamples, settings.seed);
    line.set("p", p);
    Ok(vec![line])
}

const BIPOLARIZATION: Measure = Measure {
    name: "bipolarization",
    about: "how much of a sample lies at both ends of the scale",
    unit: "value",
    needs: &[Role::Value],
    takes: &[Role::Item],
    settings: &[Setting::Scale, Setting::At],
    keys: &["k"],
    gives: &[
        column(
            "bipolarization",
            Number,
            "four times `low_share` times `high_share`: 1 where each end has half, 0 where an end has none",
        ),
        column(
            "low_share",
            Number,
            "the share of values at most k above the lower end",
        ),
        column(
            "high_share",
            Number,
            "the share of values at most k below the upper end",
        ),
    ],
    compute: bipolarization,
};

fn bipolarization(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    let values = present(data)?;
    let line = |k: &f64| {
        let mut line = Line::of(values.len(), data.len() - values.len());
        // Zero has no sign.
        line.keys = vec![(k + 0.0).to_string()];
        let scale = settings.scale.ok_or_else(no_scale);
        let ends = match scale.and_then(|scale| of::bipolarization(&values, scale, *k)) {
            Ok(ends) => ends,
            Err(why) => return line.without(why),
        };
        line.set("bipolarization", ends.bipolarization);
        line.set("low_share", ends.low);
        line.set("high_share", ends.high);
        line
    };
    if settings.at.is_empty() {
        return Ok(vec![line(&0.0)]);
    }
    Ok(settings.at.iter().map(line).collect())
}

const DESCRIBE: Measure = Measure {
    name: "describe",
    about: "what a sample looks like",
    unit: "value",
    needs: &[Role::Value],
    takes: &[Role::Item],
    settings: &[],
    keys: &[],
    gives: &[
        column("mean", Number, "the mean"),
        column("sd", Number, "the standard deviation, over n − 1"),
        column("se", Number, "`sd` over √n"),
        column("min", Number, "the smallest value"),
        column("q25", Number, "the lower quartile, type 7"),
        column(
            "median",
            Number,
            "the middle value, or the mean of the two middle ones",
        ),
        column("q75", Number, "the upper quartile, type 7"),
        column("max", Number, "the largest value"),
        column(
            "mad",
            Number,
            "the median of distances from the median, unscaled",
        ),
    ],
    compute: describe,
};

fn describe(data: &Data, _: &Settings) -> Result<Vec<Line>, StatsError> {
    let values = present(data)?;
    let about = described(&values, Ddof::Sample)?;
    let n = values.len();
    let mut line = Line::of(n, data.len() - n);
    if n == 0 {
        let why = NoValue::new(Code::TooFew, "there is no value");
        return Ok(vec![line.without(why)]);
    }
    let too_large = || NoValue::new(Code::Undefined, "the values are too large for it");
    let spread = |value: Option<f64>| {
        let too_few = || NoValue::new(Code::TooFew, "it takes 2 values");
        value.ok_or_else(if n < 2 { too_few } else { too_large })
    };
    line.set("mean", about.mean.ok_or_else(too_large));
    line.set("sd", spread(about.sd));
    line.set("se", spread(about.se));
    line.set("min", about.min.ok_or_else(too_large));
    line.set("max", about.max.ok_or_else(too_large));
    line.set("q25", of::quantile(&values, 0.25));
    line.set("median", about.median.ok_or_else(too_large));
    line.set("q75", of::quantile(&values, 0.75));
    line.set("mad", of::mad(&values));
    Ok(vec![line])
}

/// The values that are there.
fn present(data: &Data) -> Result<Vec<f64>, StatsError> {
    Ok(numbers(data, Role::Value)?.into_iter().flatten().collect())
}
