//! 100,000 values redrawn 10,000 times, as they are and in 10,000 clusters, in this process.
//!
//! Compared with numpy's usual loop (`x[rng.integers(0, n, n)].mean()`), where `python3`, or what `PYTHON` names, has numpy; its
//! loop does a tenth of the resamples and is counted ten times. `cargo bench --bench bootstrap -- 1000` draws less often.

mod measure;

use std::process::Command;
use std::time::Instant;

use measure::{Run, own_peak, repeat, report, say};
use tribunal::stats::resample::{Stream, bootstrap_mean};

/// Values.
const VALUES: usize = 100_000;
/// Rows of a cluster.
const ROWS: usize = 10;
/// Times.
const RESAMPLES: usize = 10_000;

/// What numpy does; prints seconds and peak memory in MB.
const NUMPY: &str = "
import sys, time, resource
import numpy as np
n, times = int(sys.argv[1]), int(sys.argv[2])
rng = np.random.default_rng(0)
x = rng.random(n)
begun = time.perf_counter()
means = np.empty(times)
for at in range(times):
    means[at] = x[rng.integers(0, n, n)].mean()
ends = np.quantile(means, [0.025, 0.975])
print(time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
";

fn main() {
    let asked = std::env::args().skip(1).find_map(|word| word.parse().ok());
    let resamples: usize = asked.unwrap_or(RESAMPLES);
    let mut stream = Stream::new(0, 0);
    let values: Vec<f64> = (0..VALUES).map(|_| stream.unit()).collect();
    let clusters: Vec<usize> = (0..VALUES).map(|at| at / ROWS).collect();
    say(&format!(
        "{VALUES} values, {resamples} resamples; peak before {:.0} MB",
        own_peak()
    ));
    let ours = |clusters: Option<&[usize]>| {
        let started = Instant::now();
        let found = bootstrap_mean(&values, clusters, resamples, 7, 0.95).expect("finite values");
        let wall = started.elapsed().as_secs_f64();
        assert!(found.bca.is_ok(), "there is an interval");
        Run {
            wall,
            cpu: f64::NAN,
            peak: own_peak(),
        }
    };
    let rows = repeat(3, || ours(None));
    report("rows", &rows, "20 times faster than numpy, flat memory");
    report("clusters of 10", &repeat(3, || ours(Some(&clusters))), "");
    let Some(numpy) = numpy((resamples / 10).max(1)) else {
        say("there is no numpy to compare with");
        return;
    };
    let theirs = Run {
        wall: numpy.wall * 10.0,
        ..numpy
    };
    report("numpy, rows", &[theirs], "");
    let least = rows
        .iter()
        .map(|run| run.wall)
        .fold(f64::INFINITY, f64::min);
    say(&format!(
        "numpy's time is {:.1} times as long",
        theirs.wall / least
    ));
}

/// A run of numpy's loop, if there is a numpy.
fn numpy(resamples: usize) -> Option<Run> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let arguments = ["-c", NUMPY, &VALUES.to_string(), &resamples.to_string()].map(str::to_owned);
    let output = Command::new(python).args(arguments).output().ok()?;
    let told = String::from_utf8(output.stdout).ok()?;
    let mut numbers = told.split_whitespace().filter_map(|word| word.parse().ok());
    Some(Run {
        wall: numbers.next()?,
        cpu: f64::NAN,
        peak: numbers.next()?,
    })
}
