//! A judge as a classifier.

use crate::stats::correlation::Value;
use crate::stats::{Code, NoValue};

/// A class: how well its labels are found.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// How often it is true.
    pub support: usize,
    /// How often it is given.
    pub given: usize,
    /// How often it is given where it is true.
    pub hits: usize,
    /// Hits among what was given.
    pub precision: Value,
    /// Hits among what is true.
    pub recall: Value,
    /// 2TP/(2TP + FP + FN).
    pub f1: Value,
}

/// How well labels meet the true ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Classification {
    /// Class by class.
    pub classes: Vec<Class>,
    /// How many labels are right.
    pub right: usize,
    /// Their share.
    pub accuracy: Value,
    /// The mean recall of classes that are true of something.
    pub balanced_accuracy: Value,
    /// The mean precision of classes that were given.
    pub macro_precision: Value,
    /// The mean F1 of classes that occur on either side.
    pub macro_f1: Value,
    /// The mean F1 of classes, weighted by how often they are true.
    pub weighted_f1: Value,
    /// Matthews' correlation, of any number of classes.
    pub mcc: Value,
}

fn share(part: usize, all: usize, why: &str) -> Value {
    let none = || NoValue::new(Code::Undefined, why);
    (all > 0).then(|| part as f64 / all as f64).ok_or_else(none)
}

/// Compares labels (true, given) as places among `classes`.
///
/// Matthews' correlation (B. W. Matthews, 1975) is that of J. Gorodkin, Computational Biology and Chemistry 28, 2004, for
/// more than two classes; it does not exist where a side uses a single class.
pub fn classification(labels: &[(usize, usize)], classes: usize) -> Classification {
    let (mut support, mut given, mut hits) = (
        vec![0_usize; classes],
        vec![0_usize; classes],
        vec![0_usize; classes],
    );
    for &(truth, label) in labels {
        support[truth] += 1;
        given[label] += 1;
        hits[truth] += usize::from(truth == label);
    }
    let classes: Vec<Class> = (0..classes)
        .map(|class| {
            let (support, given, hits) = (support[class], given[class], hits[class]);
            Class {
                precision: share(hits, given, "this class is never given"),
                recall: share(hits, support, "this class is true of nothing"),
                f1: share(
                    2 * hits,
                    support + given,
                    "this class occurs on neither side",
                ),
                support,
                given,
                hits,
            }
        })
        .collect();
    let n = labels.len();
    let right: usize = hits.iter().sum();
    let none = || NoValue::new(Code::TooFew, "no row has both labels");
    let mean = |of: fn(&Class) -> &Value| {
        let values: Vec<f64> = classes
            .iter()
            .filter_map(|class| of(class).clone().ok())
            .collect();
        crate::stats::mean(&values).ok_or_else(none)
    };
    let weighted: f64 = classes
        .iter()
        .filter_map(|class| Some(class.f1.clone().ok()? * class.support as f64))
        .sum();
    Classification {
        right,
        accuracy: (n > 0).then(|| right as f64 / n as f64).ok_or_else(none),
        balanced_accuracy: mean(|class| &class.recall),
        macro_precision: mean(|class| &class.precision),
        macro_f1: mean(|class| &class.f1),
        weighted_f1: (n > 0).then(|| weighted / n as f64).ok_or_else(none),
        mcc: mcc(&classes, right, n),
        classes,
    }
}

fn mcc(classes: &[Class], right: usize, n: usize) -> Value {
    if n == 0 {
        return Err(NoValue::new(Code::TooFew, "no row has both labels"));
    }
    // Whole numbers, so that nothing is rounded before the quotient.
    let sum = |of: fn(&Class) -> u128| classes.iter().map(of).sum::<u128>();
    let all = (n as u128).pow(2);
    let of_truth = all - sum(|class| (class.support as u128).pow(2));
    let of_given = all - sum(|class| (class.given as u128).pow(2));
    if of_truth == 0 || of_given == 0 {
        let side = if of_truth == 0 {
            "the truth"
        } else {
            "the judge"
        };
        return Err(NoValue::new(
            Code::Constant,
            format!("{side} uses a single class"),
        ));
    }
    let hits = (right * n) as f64;
    let together = hits - sum(|class| class.support as u128 * class.given as u128) as f64;
    if of_truth == of_given {
        return Ok(together / of_truth as f64);
    }
    Ok(together / ((of_truth as f64).sqrt() * (of_given as f64).sqrt()))
}
