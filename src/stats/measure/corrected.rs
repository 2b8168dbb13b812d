//! Rates corrected for the judge's measured errors, from a few labels of humans.

use super::Holds::{Number, Tested, Whole};
use super::read::choice;
use super::rows::{nothing, number};
use super::{Code, Data, Line, Measure, NoValue, Role, Setting, Settings, column};
use crate::stats::corrected::{Calibration, Lambda, ppi, rogan_gladen};
use crate::stats::interval::check_level;
use crate::stats::{Ddof, StatsError, describe};

/// The measures of this file.
pub(super) const ALL: &[&Measure] = &[&CORRECTED_SHARE, &PPI];

const CORRECTED_SHARE: Measure = Measure {
    name: "corrected-share",
    about: "the true share of hits behind the judge's, from its errors on rows that humans labelled",
    unit: "unlabelled row",
    needs: &[Role::Value, Role::Reference],
    takes: &[Role::Item, Role::Sample],
    settings: &[Setting::Level, Setting::Positive, Setting::Base],
    keys: &[],
    gives: &[
        column(
            "rate",
            Tested,
            "the corrected share (p + TNR − 1)/(TPR + TNR − 1), cut to 0 to 1",
        ),
        column(
            "se",
            Number,
            "its standard error by the delta method, before the cut",
        ),
        column(
            "ci_low",
            Number,
            "the lower end of its interval, cut to 0 to 1",
        ),
        column("ci_high", Number, "its upper end"),
        column(
            "lr_low",
            Number,
            "the lower end of the interval of Lang and Reiczigel, the better one for small samples",
        ),
        column("lr_high", Number, "its upper end"),
        column(
            "judged",
            Number,
            "the judge's share of hits among rows without a human label",
        ),
        column("tpr", Number, "how many of the humans' hits the judge sees"),
        column("tnr", Number, "how many of the others it sees"),
        column("rate_raw", Number, "the corrected share before the cut"),
        column("positives", Whole, "rows that humans labelled as hits"),
        column("negatives", Whole, "rows that humans labelled otherwise"),
    ],
    compute: corrected_share,
};

const PPI: Measure = Measure {
    name: "ppi",
    about: "the mean of human values, from few of them and the judge's of all",
    unit: "row",
    needs: &[Role::Value, Role::Reference],
    takes: &[Role::Item],
    settings: &[Setting::Level, Setting::Method, Setting::Positive],
    keys: &[],
    gives: &[
        column("mean", Tested, "the estimate"),
        column("se", Number, "its standard error"),
        column("ci_low", Number, "the lower end of its interval"),
        column("ci_high", Number, "its upper end"),
        column(
            "lambda",
            Number,
            "the weight of the judge's values: tuned, or 1 with `method = \"one\"`",
        ),
        column("labelled", Whole, "rows with a human value"),
        column("unlabelled", Whole, "rows without one"),
        column("human_mean", Number, "the mean of the human values alone"),
        column("human_se", Number, "its standard error"),
        column(
            "judge_mean",
            Number,
            "the mean of all of the judge's values",
        ),
    ],
    compute: prediction_powered,
};

/// Whether a row may be without a human label: with samples, only rows of the others than that which is labelled.
fn unlabelled(data: &Data, settings: &Settings) -> impl Fn(usize) -> bool {
    let samples: Option<Vec<Option<String>>> = data
        .column(Role::Sample)
        .map(|cells| cells.iter().map(super::Cell::text).collect());
    let with_labels = |samples: &Vec<Option<String>>| {
        let labelled = (0..data.len()).filter(|&row| !data.cell(Role::Reference, row).is_absent());
        labelled
            .filter_map(|row| samples[row].clone())
            .collect::<std::collections::BTreeSet<_>>()
    };
    let labelled = match (&samples, &settings.base) {
        (Some(_), Some(base)) => std::iter::once(base.clone()).collect(),
        (Some(samples), None) => with_labels(samples),
        (None, _) => std::collections::BTreeSet::new(),
    };
    move |row| {
        let sample = samples.as_ref().and_then(|samples| samples[row].as_ref());
        sample.is_none_or(|sample| !labelled.contains(sample))
    }
}

fn corrected_share(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let may_be_unlabelled = unlabelled(data, settings);
    let (mut counts, mut dropped) = (Calibration::default(), 0);
    for row in 0..data.len() {
        let value = hit(data, Role::Value, row, settings)?;
        let reference = hit(data, Role::Reference, row, settings)?;
        match (value, reference) {
            (Some(judged), Some(true)) => {
                counts.positives += 1;
                counts.true_positives += usize::from(judged);
            }
            (Some(judged), Some(false)) => {
                counts.negatives += 1;
                counts.true_negatives += usize::from(!judged);
            }
            (Some(judged), None) if may_be_unlabelled(row) => {
                counts.n += 1;
                counts.hits += usize::from(judged);
            }
            _ => dropped += 1,
        }
    }
    let found = rogan_gladen(&counts, settings.level)?;
    let mut line = Line::of(counts.n, dropped);
    line.set("rate", found.rate);
    line.set("se", found.se);
    line.set_ends(["ci_low", "ci_high"], found.interval.clone());
    line.set_ends(["lr_low", "lr_high"], found.adjusted.clone());
    line.set("judged", found.judged);
    line.set("tpr", found.tpr);
    line.set("tnr", found.tnr);
    line.set("rate_raw", found.raw);
    line.set("positives", counts.positives);
    line.set("negatives", counts.negatives);
    Ok(vec![line])
}

/// Whether a row is a hit; without `positive` a 1 is and a 0 is not.
fn hit(
    data: &Data,
    role: Role,
    row: usize,
    settings: &Settings,
) -> Result<Option<bool>, StatsError> {
    match number(data, role, row, settings)? {
        None => Ok(None),
        Some(1.0) => Ok(Some(true)),
        Some(0.0) => Ok(Some(false)),
        Some(value) => Err(StatsError::NotAHit { index: row, value }),
    }
}

fn prediction_powered(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    let unknown = StatsError::Choice {
        setting: "method",
        known: "`tuned`, `one`",
    };
    let choices = [("tuned", Lambda::Tuned), ("one", Lambda::One)];
    let lambda = choice(settings.method.as_deref(), &choices, unknown)?;
    let (mut labelled, mut unlabelled, mut dropped) = (Vec::new(), Vec::new(), 0);
    for row in 0..data.len() {
        let human = number(data, Role::Reference, row, settings)?;
        match (number(data, Role::Value, row, settings)?, human) {
            (Some(judged), Some(human)) => labelled.push([human, judged]),
            (Some(judged), None) => unlabelled.push(judged),
            _ => dropped += 1,
        }
    }
    let n = labelled.len() + unlabelled.len();
    let mut line = match ppi(&labelled, &unlabelled, lambda, settings.level)? {
        Err(why) => nothing(n, dropped, PPI.gives, &why),
        Ok(found) => {
            let mut line = Line::of(n, dropped);
            line.set("mean", found.estimate);
            line.set("se", found.se);
            line.set_ends(["ci_low", "ci_high"], found.interval);
            line.set("lambda", found.lambda);
            line
        }
    };
    line.set("labelled", labelled.len());
    line.set("unlabelled", unlabelled.len());
    let humans: Vec<f64> = labelled.iter().map(|pair| pair[0]).collect();
    let judged: Vec<f64> = labelled
        .iter()
        .map(|pair| pair[1])
        .chain(unlabelled)
        .collect();
    let about = describe(&humans, Ddof::Sample)?;
    let few = || NoValue::new(Code::TooFew, "too few rows have a human value");
    line.set("human_mean", about.mean.ok_or_else(few));
    line.set("human_se", about.se.ok_or_else(few));
    let none = || NoValue::new(Code::TooFew, "no row has a value of the judge");
    line.set(
        "judge_mean",
        describe(&judged, Ddof::Sample)?.mean.ok_or_else(none),
    );
    Ok(vec![line])
}
