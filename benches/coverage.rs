//! Whether intervals of 95 % hold the truth in 93 to 97 % of 10,000 simulated experiments each, beside the interval that takes
//! rows for independent, or the judge for right, where that one fails.
//!
//! Every experiment has its own stream of draws, so the shares are the same in every run. Widths are means.
//! `cargo bench --bench coverage -- 1000` simulates fewer.

mod measure;

use measure::say;
use rayon::prelude::*;
use tribunal::stats::cluster::{ClusterSe, clustered_mean};
use tribunal::stats::corrected::{Calibration, Lambda, ppi, rogan_gladen};
use tribunal::stats::normal::normal_quantile;
use tribunal::stats::preference::{Comparison, bradley_terry};
use tribunal::stats::resample::{Stream, bootstrap_mean};
use tribunal::stats::{TOptions, one_sample_t, wilson};

/// Experiments of each kind.
const EXPERIMENTS: u64 = 10_000;
const LEVEL: f64 = 0.95;
/// Resamples of each bootstrap.
const RESAMPLES: usize = 2_000;

/// The ends of an interval, and the truth.
type Found = (Option<[f64; 2]>, f64);

fn main() {
    let asked = std::env::args().skip(1).find_map(|word| word.parse().ok());
    let experiments: u64 = asked.unwrap_or(EXPERIMENTS);
    say(&format!(
        "{experiments} experiments each, level 0.95: share that holds the truth, mean width, none"
    ));
    let simulate = |names: &[&str], one: &(dyn Fn(&mut Stream) -> Vec<Found> + Sync)| {
        let all: Vec<Vec<Found>> = (0..experiments)
            .into_par_iter()
            .map(|number| one(&mut Stream::new(95, number)))
            .collect();
        for (at, name) in names.iter().enumerate() {
            let found: Vec<Found> = all.iter().map(|found| found[at]).collect();
            let held: Vec<(f64, bool)> = found
                .iter()
                .filter_map(|(ends, truth)| {
                    ends.map(|[low, high]| (high - low, low <= *truth && *truth <= high))
                })
                .collect();
            let n = held.len() as f64;
            let share = held.iter().filter(|held| held.1).count() as f64 / n;
            let width = held.iter().map(|held| held.0).sum::<f64>() / n;
            say(&format!(
                "{name:<66} {:>6.2} %  {width:>8.4}  {:>5}",
                100.0 * share,
                found.len() - held.len()
            ));
        }
    };
    simulate(
        &[
            "clustered mean, 40 clusters of 2 to 8, half the variance between",
            "  rows taken for independent",
            "  BCa of clusters",
            "  BCa of rows",
        ],
        &in_clusters,
    );
    simulate(
        &[
            "BCa, 60 values with exponential tails",
            "  percentile",
            "  t",
        ],
        &skewed,
    );
    simulate(
        &["Wilson, 40 of any share", "  share ± z·√(p(1 − p)/n)"],
        &shares,
    );
    simulate(
        &["Bradley-Terry, 5 models, 20 comparisons of each two"],
        &|stream| comparisons(stream, 0.0),
    );
    simulate(
        &[
            "Bradley-Terry, 40 items judged in all pairs, items favour models",
            "  comparisons taken for independent",
        ],
        &|stream| comparisons(stream, 1.5),
    );
    simulate(
        &[
            "PPI, tuned, 60 labels and 600 values of a judge who is 0.3 too high",
            "  PPI with the judge's full weight",
            "  the 60 labels alone, t",
            "  the judge's values, as if they were right",
        ],
        &predicted,
    );
    simulate(
        &[
            "Rogan-Gladen, 100 labels and 500 judgements",
            "  Lang and Reiczigel",
            "  the judge's share, as if it were right",
        ],
        &rates,
    );
}

/// Two independent normal numbers (G. Box and M. Muller, 1958).
fn normal(stream: &mut Stream) -> f64 {
    let radius = (-2.0 * (1.0 - stream.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * stream.unit()).cos()
}

fn t(values: &[f64]) -> Option<[f64; 2]> {
    let test = one_sample_t(values, &TOptions::default()).ok()?;
    test.interval.map(|interval| [interval.low, interval.high])
}

fn around(at: f64, se: f64) -> Option<[f64; 2]> {
    let z = normal_quantile(f64::midpoint(1.0, LEVEL))?;
    Some([at - z * se, at + z * se])
}

fn bootstrap(
    values: &[f64],
    clusters: Option<&[usize]>,
    stream: &mut Stream,
) -> [Option<[f64; 2]>; 2] {
    let seed = stream.bits();
    let Ok(found) = bootstrap_mean(values, clusters, RESAMPLES, seed, LEVEL) else {
        return [None; 2];
    };
    [found.bca, found.percentile].map(|ends| ends.ok().map(|ends| [ends.low, ends.high]))
}

fn in_clusters(stream: &mut Stream) -> Vec<Found> {
    let (mut values, mut clusters) = (Vec::new(), Vec::new());
    for cluster in 0..40 {
        let shift = normal(stream);
        for _ in 0..2 + stream.bits() % 7 {
            values.push(shift + normal(stream));
            clusters.push(cluster);
        }
    }
    let found = clustered_mean(&values, &clusters).ok();
    let ends = found.and_then(|found| found.interval(ClusterSe::Cr1, LEVEL).ok());
    let [whole, _] = bootstrap(&values, Some(&clusters), stream);
    let [rows, _] = bootstrap(&values, None, stream);
    vec![
        (ends.map(|ends| [ends.low, ends.high]), 0.0),
        (t(&values), 0.0),
        (whole, 0.0),
        (rows, 0.0),
    ]
}

fn skewed(stream: &mut Stream) -> Vec<Found> {
    let values: Vec<f64> = (0..60).map(|_| -(1.0 - stream.unit()).ln()).collect();
    let [bca, percentile] = bootstrap(&values, None, stream);
    vec![(bca, 1.0), (percentile, 1.0), (t(&values), 1.0)]
}

fn shares(stream: &mut Stream) -> Vec<Found> {
    let n = 40;
    let truth = stream.unit();
    let hits = (0..n).filter(|_| stream.unit() < truth).count() as u64;
    let p = hits as f64 / n as f64;
    let ends = wilson(hits, n, LEVEL).map(|ends| [ends.low, ends.high]);
    vec![
        (ends, truth),
        (around(p, (p * (1.0 - p) / n as f64).sqrt()), truth),
    ]
}

/// Five models; `favour` is how much an item favours one model over another, which all its comparisons share.
fn comparisons(stream: &mut Stream, favour: f64) -> Vec<Found> {
    const STRENGTHS: [f64; 5] = [0.8, 0.4, 0.0, -0.4, -0.8];
    let items = if favour > 0.0 { 40 } else { 20 };
    let (mut all, mut clusters) = (Vec::new(), Vec::new());
    for item in 0..items {
        let shifts = STRENGTHS.map(|_| favour * normal(stream));
        for contender in 0..5 {
            for opponent in contender + 1..5 {
                let ahead = STRENGTHS[contender] + shifts[contender]
                    - STRENGTHS[opponent]
                    - shifts[opponent];
                let won = stream.unit() < 1.0 / (1.0 + (-ahead).exp());
                all.push(Comparison {
                    contender,
                    opponent,
                    share: f64::from(u8::from(won)),
                });
                clusters.push(item);
            }
        }
    }
    // The middle strength is 0 by symmetry, however items favour models.
    let middle = |clusters: Option<&[usize]>| {
        let fitted = bradley_terry(5, &all, clusters).ok()?;
        around(fitted.strengths[2], fitted.se(2))
    };
    if favour > 0.0 {
        vec![(middle(Some(&clusters)), 0.0), (middle(None), 0.0)]
    } else {
        vec![(middle(None), 0.0)]
    }
}

fn predicted(stream: &mut Stream) -> Vec<Found> {
    let pair = |stream: &mut Stream| {
        let human = normal(stream);
        [human, human + 0.3 + 0.7 * normal(stream)]
    };
    let labelled: Vec<[f64; 2]> = (0..60).map(|_| pair(stream)).collect();
    let unlabelled: Vec<f64> = (0..600).map(|_| pair(stream)[1]).collect();
    let with = |lambda| {
        let found = ppi(&labelled, &unlabelled, lambda, LEVEL).ok()?.ok()?;
        let ends = found.interval.ok()?;
        Some([ends.low, ends.high])
    };
    let humans: Vec<f64> = labelled.iter().map(|pair| pair[0]).collect();
    vec![
        (with(Lambda::Tuned), 0.0),
        (with(Lambda::One), 0.0),
        (t(&humans), 0.0),
        (t(&unlabelled), 0.0),
    ]
}

fn rates(stream: &mut Stream) -> Vec<Found> {
    let (truth, tpr, tnr) = (0.6, 0.9, 0.7);
    let seen = |hit: bool, stream: &mut Stream| stream.unit() < if hit { tpr } else { 1.0 - tnr };
    let mut counts = Calibration::default();
    for at in 0..100 {
        let hit = at < 60;
        let seen = seen(hit, stream);
        if hit {
            counts.positives += 1;
            counts.true_positives += usize::from(seen);
        } else {
            counts.negatives += 1;
            counts.true_negatives += usize::from(!seen);
        }
    }
    for _ in 0..500 {
        let hit = stream.unit() < truth;
        let seen = seen(hit, stream);
        counts.n += 1;
        counts.hits += usize::from(seen);
    }
    let as_it_is = wilson(counts.hits as u64, counts.n as u64, LEVEL);
    let Ok(found) = rogan_gladen(&counts, LEVEL) else {
        return vec![(None, truth); 3];
    };
    vec![
        (found.interval.ok().map(|ends| [ends.low, ends.high]), truth),
        (found.adjusted.ok().map(|ends| [ends.low, ends.high]), truth),
        (as_it_is.map(|ends| [ends.low, ends.high]), truth),
    ]
}
