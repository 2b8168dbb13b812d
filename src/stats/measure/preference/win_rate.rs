//! `win-rate`.

use crate::stats::StatsError;
use crate::stats::cluster::clustered_mean;
use crate::stats::interval::check_level;
use crate::stats::measure::Holds::{Number, PValue, Tested, Whole};
use crate::stats::measure::rows::column_numbers;
use crate::stats::measure::{Data, Line, Measure, Role, Setting, Settings, column};
use crate::stats::normal::normal_interval;
use crate::stats::preference::decided;

use super::half::of_clusters;
use super::read::share;

pub(super) const WIN_RATE: Measure = Measure {
    name: "win-rate",
    about: "how much of the wins is the contender's",
    unit: "comparison",
    needs: &[Role::Value],
    takes: &[Role::Item, Role::Cluster],
    settings: &[Setting::Level],
    keys: &[],
    gives: &[
        column(
            "win_rate",
            Tested,
            "the mean share of the win; a tie is half",
        ),
        column(
            "se",
            Number,
            "its standard error, of clusters where there are some",
        ),
        column(
            "ci_low",
            Number,
            "the lower end of its interval: z, or where a cluster is named t with clusters − 1 degrees of freedom, cut to 0 to 1",
        ),
        column("ci_high", Number, "its upper end"),
        column(
            "se_naive",
            Number,
            "the standard error if comparisons were independent",
        ),
        column("wins", Whole, "shares above ½"),
        column("losses", Whole, "shares below ½"),
        column("ties", Whole, "shares of exactly ½"),
        column("discrete_rate", Number, "wins and half the ties among all"),
        column("decided_rate", Number, "wins among wins and losses"),
        column(
            "decided_low",
            Number,
            "the lower end of Wilson's interval of `decided_rate`",
        ),
        column("decided_high", Number, "its upper end"),
        column(
            "p",
            PValue,
            "whether wins and losses differ: the sign test's p-value, or where a cluster is named that of t, whether `win_rate` is ½",
        ),
        column(
            "clusters",
            Whole,
            "how many clusters; comparisons, where they are not clustered",
        ),
    ],
    compute,
};

fn compute(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let clustered = data.column(Role::Cluster).is_some();
    let (mut shares, mut clusters, mut dropped) = (Vec::new(), Vec::new(), 0);
    for (row, cluster) in column_numbers(data, Role::Cluster).into_iter().enumerate() {
        match (share(data, row)?, cluster) {
            (Some(share), Some(cluster)) => {
                shares.push(share);
                clusters.push(cluster);
            }
            _ => dropped += 1,
        }
    }
    let n = shares.len();
    let about = clustered_mean(&shares, &clusters)?;
    let mut line = Line::of(n, dropped);
    line.set("win_rate", about.mean.clone());
    line.set("se_naive", about.se_naive.clone());
    line.set("clusters", about.clusters);
    let counts = decided(shares, settings.level)?;
    line.set("wins", counts.wins);
    line.set("losses", counts.losses);
    line.set("ties", counts.ties);
    let halves = (2 * counts.wins + counts.ties) as f64;
    line.set(
        "discrete_rate",
        about.mean.clone().map(|_| halves / (2 * n) as f64),
    );
    line.set("decided_rate", counts.rate);
    line.set_ends(["decided_low", "decided_high"], counts.interval.clone());
    if clustered {
        let known = of_clusters(&about, settings.level);
        line.set("se", about.se_cr1);
        line.set_ends(["ci_low", "ci_high"], known.ends);
        line.set("p", known.p);
    } else {
        let ends = about
            .mean
            .and_then(|mean| normal_interval(mean, about.se_naive.clone()?, settings.level));
        line.set("se", about.se_naive);
        line.set_ends(["ci_low", "ci_high"], ends);
        line.set("p", counts.p);
    }
    Ok(vec![line])
}
