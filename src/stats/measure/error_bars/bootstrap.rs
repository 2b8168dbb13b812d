//! `bootstrap`.

use crate::stats::StatsError;
use crate::stats::measure::Holds::{Number, Tested, Whole};
use crate::stats::measure::read::choice;
use crate::stats::measure::rows::{clustered, number};
use crate::stats::measure::{Data, Line, Measure, Role, Setting, Settings, column};
use crate::stats::rank::differences;
use crate::stats::resample::bootstrap_mean;

pub(super) const BOOTSTRAP: Measure = Measure {
    name: "bootstrap",
    about: "how sure a mean is, by drawing rows (or whole clusters of them) again",
    unit: "row",
    needs: &[Role::Item, Role::Value],
    takes: &[Role::Reference, Role::Cluster],
    settings: &[
        Setting::Level,
        Setting::Method,
        Setting::Resamples,
        Setting::Positive,
    ],
    keys: &[],
    gives: &[
        column(
            "mean",
            Tested,
            "the mean; with a reference that of value less reference",
        ),
        column(
            "se",
            Number,
            "the standard deviation of the means of resamples",
        ),
        column(
            "ci_low",
            Number,
            "the lower end of the interval that `method` names: `bca` unless it says `percentile`",
        ),
        column("ci_high", Number, "its upper end"),
        column(
            "percentile_low",
            Number,
            "the lower quantile of the means of resamples",
        ),
        column("percentile_high", Number, "the upper quantile"),
        column(
            "bca_low",
            Number,
            "the lower end of the interval corrected for bias and skewness",
        ),
        column("bca_high", Number, "its upper end"),
        column(
            "bias",
            Number,
            "z of the share of resamples with a smaller mean",
        ),
        column(
            "acceleration",
            Number,
            "how the standard error changes with the mean, by leaving one out",
        ),
        column("se_limit", Number, "what `se` tends to with more resamples"),
        column(
            "clusters",
            Whole,
            "how many clusters are drawn from; rows, where they are not clustered",
        ),
        column("resamples", Whole, "how often was drawn"),
    ],
    compute,
};

fn compute(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    let unknown = StatsError::Choice {
        setting: "method",
        known: "`bca`, `percentile`",
    };
    let bca = choice(
        settings.method.as_deref(),
        &[("bca", true), ("percentile", false)],
        unknown,
    )?;
    let paired = data.column(Role::Reference).is_some();
    let mut found = if paired {
        let differences = paired_differences(data, settings)?;
        clustered(data, |row| Ok(differences[row]))?
    } else {
        clustered(data, |row| number(data, Role::Value, row, settings))?
    };
    let mut clusters = found.clusters.clone();
    clusters.sort_unstable();
    clusters.dedup();
    // Where each row is a cluster of its own, rows are drawn.
    let clustered = data.column(Role::Cluster).is_some() || clusters.len() < found.values.len();
    let of_row = clustered.then_some(found.clusters.as_slice());
    let resamples = settings.resamples as usize;
    let about = bootstrap_mean(
        &found.values,
        of_row,
        resamples,
        settings.seed,
        settings.level,
    )?;
    let mut line = Line::of(found.values.len(), std::mem::take(&mut found.dropped));
    line.set_ends(
        ["percentile_low", "percentile_high"],
        about.percentile.clone(),
    );
    line.set_ends(["bca_low", "bca_high"], about.bca.clone());
    let chosen = if bca { &about.bca } else { &about.percentile };
    line.set_ends(["ci_low", "ci_high"], chosen.clone());
    line.set("mean", about.mean);
    line.set("se", about.se);
    line.set("bias", about.bias);
    line.set("acceleration", about.acceleration);
    line.set("se_limit", about.se_limit);
    line.set("clusters", clusters.len());
    line.set("resamples", resamples);
    Ok(vec![line])
}

/// Value less reference of each row that has both; equal differences are one number, or rounding would be drawn from.
fn paired_differences(data: &Data, settings: &Settings) -> Result<Vec<Option<f64>>, StatsError> {
    let (mut rows, mut left, mut right) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..data.len() {
        let value = number(data, Role::Value, row, settings)?;
        let reference = number(data, Role::Reference, row, settings)?;
        if let Some((value, reference)) = value.zip(reference) {
            rows.push(row);
            left.push(value);
            right.push(reference);
        }
    }
    let differences = match differences(&left, &right) {
        Some(differences) => differences.in_unit(),
        // One that exceeds the largest number is reported where the mean is computed.
        None => left.iter().zip(&right).map(|(a, b)| a - b).collect(),
    };
    let mut found = vec![None; data.len()];
    for (row, difference) in rows.into_iter().zip(differences) {
        found[row] = Some(difference);
    }
    Ok(found)
}
