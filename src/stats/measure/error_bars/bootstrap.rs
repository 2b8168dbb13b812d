//! `bootstrap`.

use crate::stats::StatsError;
use crate::stats::measure::Holds::{Number, Tested, Whole};
use crate::stats::measure::read::choice;
use crate::stats::measure::rows::{clustered, number};
use crate::stats::measure::{Data, Line, Measure, Role, Setting, Settings, column};
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
    let value = |row| {
        let value = number(data, Role::Value, row, settings)?;
        if !paired {
            return Ok(value);
        }
        let reference = number(data, Role::Reference, row, settings)?;
        Ok(value
            .zip(reference)
            .map(|(value, reference)| value - reference))
    };
    let mut found = clustered(data, value)?;
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
