//! Shortfalls: stages with failed calls, or with more replies without a score than are allowed.
//!
//! Found from the stage and what is stored beside its result, so a cached result comes to the same each time.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::asking::Expected;
use super::contract::How;
use super::{Counts, Stage, StageName};
use crate::base::wording::{counted, thousands};
use crate::models::score::Reason;

/// What a stage under one combination of axis values got too little of. It has a result all the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shortfall {
    /// The stage with its axis values.
    pub node: String,
    /// The stage.
    pub stage: String,
    /// What is too much.
    pub what: Missing,
    /// The metric, of a judge that has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// How many.
    pub missing: u64,
    /// Of how many that were expected.
    pub of: u64,
    /// How many, by reason.
    pub reasons: BTreeMap<String, u64>,
    /// The share that is allowed; of failed calls none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
}

/// What there is too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// Calls that failed, after all attempts.
    FailedCalls,
    /// Replies without a score.
    Unscored,
    /// Texts that were not written.
    Unwritten,
}

impl Missing {
    /// The parameter that allows more; none for failed calls.
    pub fn parameter(self) -> Option<&'static str> {
        match self {
            Self::FailedCalls => None,
            Self::Unscored => Some("max-unscored"),
            Self::Unwritten => Some("max-unwritten"),
        }
    }
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = match self.what {
            Missing::FailedCalls => "calls",
            Missing::Unscored => "scores",
            Missing::Unwritten => "texts",
        };
        write!(
            f,
            "{} of {} {of}",
            thousands(self.missing),
            thousands(self.of)
        )?;
        let Some((parameter, limit)) = self.what.parameter().zip(self.limit) else {
            return f.write_str(" failed for good");
        };
        if let Some(metric) = &self.metric {
            write!(f, " for `{metric}`")?;
        }
        let reasons = counted(&self.reasons);
        write!(
            f,
            " are missing ({reasons}), more than `{parameter} = {limit}` allows"
        )
    }
}

/// The reason of a call that failed, also of one to a program.
pub(crate) const FAILED: &str = "failed";

/// What a stage got too little of, by what is counted of it: failed calls first, then metrics by name.
pub fn shortfalls(
    node: &dyn Fn() -> String,
    name: &StageName,
    stage: &Stage,
    counts: &Counts,
) -> Vec<Shortfall> {
    let expected = match stage.how() {
        How::Asks(asks) => Some(asks.expected()),
        How::Computes(computes) => computes.expected(),
    };
    let Some(Expected { what, limit, parts }) = expected else {
        return Vec::new();
    };
    let (there, missing) = match what {
        Missing::Unwritten => (counts.written, &counts.unwritten),
        Missing::Unscored | Missing::FailedCalls => (counts.scored, &counts.unscored),
    };
    let answers = Answers {
        what,
        limit,
        parts,
        there,
        missing,
    };
    let lack = |what, metric, of, reasons: BTreeMap<String, u64>, limit| Shortfall {
        node: node(),
        stage: name.to_string(),
        what,
        metric,
        missing: reasons.values().sum(),
        of,
        reasons,
        limit,
    };
    let mut all = Vec::new();
    let expected = answers.expected();
    let failed = answers.missing.get(FAILED).copied().unwrap_or_default();
    if failed > 0 {
        let (failed, of) = match counts.asked {
            0 => (failed / answers.parts, expected / answers.parts),
            asked => (counts.failed, asked),
        };
        let calls = BTreeMap::from([(FAILED.to_owned(), failed)]);
        all.push(lack(Missing::FailedCalls, None, of, calls, None));
    }
    // Results that were stored before metrics were counted apart are looked at as a whole.
    let whole = answers.parts == 1 || counts.unscored_of.is_empty();
    let (groups, of) = if whole {
        (vec![(None, answers.missing)], expected)
    } else {
        let each = counts.unscored_of.iter();
        let each = each.map(|(metric, reasons)| (Some(metric.clone()), reasons));
        (each.collect(), expected / answers.parts)
    };
    for (metric, reasons) in groups {
        let reasons = unexpected(reasons);
        let missing: u64 = reasons.values().sum();
        // Calls that failed were named above; alone they need no second word.
        let only_failed = reasons.keys().all(|reason| reason == FAILED);
        if missing as f64 / of.max(1) as f64 > answers.limit && !only_failed {
            all.push(lack(answers.what, metric, of, reasons, Some(answers.limit)));
        }
    }
    all
}

/// What a stage's answers came to.
struct Answers<'c> {
    what: Missing,
    limit: f64,
    /// Into how many each is counted.
    parts: u64,
    there: u64,
    missing: &'c BTreeMap<String, u64>,
}

impl Answers<'_> {
    /// How many were expected.
    fn expected(&self) -> u64 {
        self.there + unexpected(self.missing).values().sum::<u64>()
    }
}

/// The reasons but those of answers that nobody expected.
fn unexpected(reasons: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let counted = reasons.iter();
    counted
        .filter(|(reason, _)| !Reason::by_design(reason))
        .map(|(reason, n)| (reason.clone(), *n))
        .collect()
}
