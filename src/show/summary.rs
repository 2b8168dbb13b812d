//! The sentences at the end of a run.

use std::path::Path;

use crate::engine::Summary;
use crate::wording::count;

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
    if summary.calls_reused > 0 {
        let reused = usize::try_from(summary.calls_reused).unwrap_or(usize::MAX);
        first = format!("{first}, and {} stored", count(reused, "reply"));
    }
    lines.push(first);
    let unscored: u64 = summary.counts.unscored.values().sum();
    if summary.counts.scored + unscored > 0 {
        let reasons: Vec<String> = summary
            .counts
            .unscored
            .iter()
            .map(|(reason, n)| format!("{n} {}", reason.replace('-', " ")))
            .collect();
        let detail = if reasons.is_empty() {
            String::new()
        } else {
            format!(" ({})", reasons.join(", "))
        };
        let scores = usize::try_from(summary.counts.scored).unwrap_or(usize::MAX);
        lines.push(format!(
            "{}, {unscored} unscored{detail}",
            count(scores, "score")
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
        lines.push(format!(
            "interrupted; everything finished is saved. to go on: {resume}"
        ));
    }
    if let Some(folder) = folder.filter(|_| !summary.interrupted && summary.failed == 0) {
        lines.push(format!("tables are in {}", folder.display()));
    }
    lines.join("\n")
}

fn time(seconds: f64) -> String {
    if seconds < 60.0 {
        format!("{seconds:.2} s")
    } else {
        let whole = seconds.round() as u64;
        format!("{} min {} s", whole / 60, whole % 60)
    }
}
