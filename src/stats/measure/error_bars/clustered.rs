//! `clustered-mean` and `clustered-difference`.

use crate::stats::cluster::{ClusterSe, ClusteredMean, clustered_mean};
use crate::stats::interval::check_level;
use crate::stats::measure::Holds::{Number, PValue, Tested, Whole};
use crate::stats::measure::read::choice;
use crate::stats::measure::rows::{Clustered, clustered, number};
use crate::stats::measure::{Code, Data, Line, Measure, NoValue, Role, Setting, Settings, column};
use crate::stats::{StatsError, TOptions, WhyNoT, paired_t, t_p};

pub(super) const MEAN: Measure = Measure {
    name: "clustered-mean",
    about: "how sure a mean is when rows come in clusters, such as all scores of one document",
    unit: "row",
    needs: &[Role::Item, Role::Value],
    takes: &[Role::Cluster],
    settings: &[Setting::Level, Setting::Method, Setting::Positive],
    keys: &[],
    gives: &[
        column(
            "mean",
            Tested,
            "the mean of all values; with `positive` the share of that label",
        ),
        column(
            "se",
            Number,
            "its standard error, which takes clusters rather than rows for independent",
        ),
        column(
            "ci_low",
            Number,
            "the lower end of its interval: t with clusters − 1 degrees of freedom",
        ),
        column("ci_high", Number, "its upper end"),
        column("clusters", Whole, "how many clusters"),
        column("df", Number, "degrees of freedom, clusters − 1"),
        column(
            "se_naive",
            Number,
            "the standard error if every row were independent",
        ),
        column(
            "se_cr0",
            Number,
            "the clustered standard error without a correction for few clusters",
        ),
        column(
            "se_cr1",
            Number,
            "the same times √(clusters / (clusters − 1))",
        ),
        column(
            "se_miller",
            Number,
            "the same from the sums of cross products within clusters",
        ),
        column(
            "design_effect",
            Number,
            "how many times the variance is that of independent rows: (`se` / `se_naive`)²",
        ),
        column("sd", Number, "the standard deviation of the values"),
    ],
    compute: mean,
};

pub(super) const DIFFERENCE: Measure = Measure {
    name: "clustered-difference",
    about: "whether two levels differ on the same items when items come in clusters",
    unit: "pair",
    needs: &[Role::Item, Role::Value, Role::Reference],
    takes: &[Role::Cluster],
    settings: &[
        Setting::Level,
        Setting::Alternative,
        Setting::Method,
        Setting::Positive,
    ],
    keys: &[],
    gives: &[
        column("mean", Tested, "the mean of value less reference"),
        column("se", Number, "its clustered standard error"),
        column(
            "ci_low",
            Number,
            "the lower end of its interval: t with clusters − 1 degrees of freedom",
        ),
        column("ci_high", Number, "its upper end"),
        column("t", Number, "`mean` / `se`"),
        column("df", Number, "degrees of freedom, clusters − 1"),
        column("p", PValue, "the p-value of `t`"),
        column("clusters", Whole, "how many clusters"),
        column("sd", Number, "the standard deviation of the differences"),
        column("dz", Number, "`mean` / `sd`"),
        column(
            "se_naive",
            Number,
            "the standard error if every pair were independent",
        ),
        column(
            "t_naive",
            Number,
            "t of the paired test, which takes pairs for independent",
        ),
        column("p_naive", PValue, "its p-value"),
    ],
    compute: difference,
};

fn kind(settings: &Settings) -> Result<ClusterSe, StatsError> {
    let choices = [
        ("cr1", ClusterSe::Cr1),
        ("cr0", ClusterSe::Cr0),
        ("miller", ClusterSe::Miller),
    ];
    let unknown = StatsError::Choice {
        setting: "method",
        known: "`cr1`, `cr0`, `miller`",
    };
    choice(settings.method.as_deref(), &choices, unknown)
}

fn mean(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let kind = kind(settings)?;
    let found = clustered(data, |row| number(data, Role::Value, row, settings))?;
    let about = clustered_mean(&found.values, &found.clusters)?;
    let mut line = described(&found, &about, kind, settings.level);
    line.set("se_cr0", about.se_cr0.clone());
    line.set("se_cr1", about.se_cr1.clone());
    line.set("se_miller", about.se_miller.clone());
    line.set("design_effect", design_effect(&about, kind));
    Ok(vec![line])
}

/// What both measures give.
fn described(found: &Clustered, about: &ClusteredMean, kind: ClusterSe, level: f64) -> Line {
    let mut line = Line::of(about.n, found.dropped);
    line.set("mean", about.mean.clone());
    line.set("se", about.se(kind).clone());
    line.set_ends(["ci_low", "ci_high"], about.interval(kind, level));
    line.set("clusters", about.clusters);
    line.set("df", about.df());
    line.set("se_naive", about.se_naive.clone());
    line.set("sd", about.sd.clone());
    line
}

fn design_effect(about: &ClusteredMean, kind: ClusterSe) -> Result<f64, NoValue> {
    let (se, naive) = (about.se(kind).clone()?, about.se_naive.clone()?);
    if naive == 0.0 {
        return Err(NoValue::new(Code::ZeroError, "all values are equal"));
    }
    Ok((se / naive).powi(2))
}

fn difference(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let kind = kind(settings)?;
    let mut pairs = Vec::new();
    let differences = |row: usize| {
        let sides = [Role::Value, Role::Reference].map(|role| number(data, role, row, settings));
        let [value, reference] = sides;
        Ok(value?.zip(reference?))
    };
    let mut found = Clustered::default();
    let clusters = crate::stats::measure::rows::clusters(data);
    for (row, cluster) in clusters.into_iter().enumerate() {
        let (Some(pair), Some(cluster)) = (differences(row)?, cluster) else {
            found.dropped += 1;
            continue;
        };
        pairs.push(pair);
        found.values.push(pair.0 - pair.1);
        found.clusters.push(cluster);
    }
    if found.values.iter().any(|value| !value.is_finite()) {
        let why = NoValue::new(Code::Undefined, "a difference exceeds the largest number");
        return Ok(vec![Line::of(pairs.len(), found.dropped).without(why)]);
    }
    let options = TOptions {
        level: settings.level,
        ..TOptions::default()
    };
    let naive = paired_t(&pairs, &options)?;
    if let (Err(WhyNoT::AllZero { .. } | WhyNoT::NoVariation { .. }), Some(mean)) =
        (naive.t, naive.mean)
    {
        // What is left of equal differences is rounding.
        found.values.fill(mean);
    }
    let about = clustered_mean(&found.values, &found.clusters)?;
    let mut line = described(&found, &about, kind, settings.level);
    let constant = naive.t.as_ref().err().map(|why| why_not(*why));
    let t = match (&about.mean, about.se(kind), &constant) {
        (Err(why), ..) | (_, Err(why), _) | (_, _, Some(why)) => Err(why.clone()),
        (Ok(_), Ok(0.0), _) => Err(NoValue::new(Code::ZeroError, "clusters do not differ")),
        (Ok(mean), Ok(se), None) => Ok(mean / se),
    };
    let p = |t: f64| {
        let p = t_p(t, about.df()?, settings.alternative);
        p.ok_or_else(|| NoValue::new(Code::Undefined, "t is too large"))
    };
    line.set("p", t.clone().and_then(p));
    line.set("t", t);
    let without =
        |value: Option<f64>| value.ok_or_else(|| constant.clone().unwrap_or_else(too_large));
    line.set("dz", without(naive.dz));
    line.set("t_naive", naive.t.map_err(why_not));
    let one_sided = naive
        .t
        .ok()
        .zip(naive.df)
        .and_then(|(t, df)| t_p(t, df, settings.alternative));
    line.set("p_naive", without(one_sided));
    Ok(vec![line])
}

fn too_large() -> NoValue {
    NoValue::new(Code::Undefined, "the differences are too large")
}

/// Why there is no t, as measures say it.
fn why_not(why: WhyNoT) -> NoValue {
    let code = match why {
        WhyNoT::TooFew { .. } => Code::TooFew,
        WhyNoT::AllZero { .. } | WhyNoT::NoVariation { .. } => Code::Constant,
        WhyNoT::TooLarge => Code::Undefined,
    };
    NoValue::new(code, why.to_string())
}
