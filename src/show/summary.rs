//! The sentences at the end of a run.

use std::collections::BTreeMap;
use std::path::Path;

use crate::engine::{Summary, money};
use crate::wording::{count, thousands};

/// What a run came to: stages, calls, scores, where the tables are, and how to go on.
pub fn summary(summary: &Summary, folder: Option<&Path>, resume: &str) -> String {
    let mut lines = Vec::new();
    let calls = usize::try_from(summary.calls_made).unwrap_or(usize::MAX);
    let mut first = format!(
        "{} and {} ran in {}; {} known already",
        count(summary.ran, "stage"),
        count(calls, "call"),
        time(summary.seconds),
        match summary.reused {
            1 => "1 stage was".to_owned(),
            n => format!("{n} stages were"),
        }
    );
    if summary.calls_failed > 0 {
        first = format!(
            "{first}; {} of the calls came to no reply",
            summary.calls_failed
        );
    }
    if summary.calls_reused > 0 {
        let reused = usize::try_from(summary.calls_reused).unwrap_or(usize::MAX);
        first = format!("{first}, and {} stored", count(reused, "reply"));
    }
    lines.push(first);
    if summary.tokens_read + summary.tokens_written > 0 {
        let cost = summary
            .cost
            .map_or(String::new(), |cost| format!("; {} spent", money(cost)));
        lines.push(format!(
            "{} tokens read and {} written by models{cost}",
            thousands(summary.tokens_read),
            thousands(summary.tokens_written)
        ));
    }
    if summary.counts.written + summary.counts.unwritten.values().sum::<u64>() > 0 {
        lines.push(outcomes(
            "text",
            summary.counts.written,
            "missing",
            &summary.counts.unwritten,
        ));
    }
    let unscored: u64 = summary.counts.unscored.values().sum();
    if summary.counts.scored + unscored > 0 {
        let counts = &summary.counts;
        lines.push(outcomes(
            "score",
            counts.scored,
            "unscored",
            &counts.unscored,
        ));
    }
    if summary.counts.contradicted > 0 {
        let scores = usize::try_from(summary.counts.contradicted).unwrap_or(usize::MAX);
        let (scores, are) = (
            count(scores, "score"),
            if scores == 1 { "is" } else { "are" },
        );
        lines.push(format!(
            "{scores} {are} of replies that name more than one for the metric (docs/models.md: which counts)"
        ));
    }
    if summary.failed + summary.skipped > 0 && !summary.interrupted {
        lines.push(format!(
            "{} failed, {} not run",
            count(summary.failed, "stage"),
            summary.skipped
        ));
    }
    if summary.interrupted {
        let why = summary.limit.as_deref().unwrap_or("interrupted");
        lines.push(format!(
            "{why}; everything finished is saved. to go on: {resume}"
        ));
    }
    if summary.counts.scored == 0 && unscored > 0 && !summary.interrupted {
        lines.push(
            "nothing was scored: `tribunal call SPEC` shows a prompt and its reply".to_owned(),
        );
    }
    if let Some(folder) = folder.filter(|_| !summary.interrupted && summary.failed == 0) {
        lines.push(format!("tables are in {}", folder.display()));
    }
    lines.join("\n")
}

/// What there is, and what there is not with its reasons.
fn outcomes(noun: &str, there: u64, missing: &str, reasons: &BTreeMap<String, u64>) -> String {
    let all: u64 = reasons.values().sum();
    let reasons: Vec<String> = reasons
        .iter()
        .map(|(reason, n)| format!("{n} {}", reason.replace('-', " ")))
        .collect();
    let detail = if reasons.is_empty() {
        String::new()
    } else {
        format!(" ({})", reasons.join(", "))
    };
    let there = usize::try_from(there).unwrap_or(usize::MAX);
    format!("{}, {all} {missing}{detail}", count(there, noun))
}

/// A time as people say it.
pub(super) fn time(seconds: f64) -> String {
    if seconds < 60.0 {
        format!("{seconds:.2} s")
    } else {
        let whole = seconds.round() as u64;
        format!("{} min {} s", whole / 60, whole % 60)
    }
}
