//! The sentences at the end of a run.

use std::collections::BTreeMap;
use std::path::Path;

use crate::base::wording::{counted, many, thousands, time};
use crate::engine::{Summary, money};

/// What a run came to: stages, calls, scores, where the tables are, and how to go on.
pub fn summary(summary: &Summary, folder: Option<&Path>, resume: &str) -> String {
    let mut lines = vec![work(summary)];
    if summary.tokens_read + summary.tokens_written > 0 {
        let cost = summary
            .cost
            .map_or(String::new(), |cost| format!("; {} spent", money(cost)));
        lines.push(format!(
            "{} input and {} output tokens{cost}",
            thousands(summary.tokens_read),
            thousands(summary.tokens_written)
        ));
    }
    let counts = &summary.counts;
    if counts.written + counts.unwritten.values().sum::<u64>() > 0 {
        lines.push(outcomes(
            "text",
            counts.written,
            "missing",
            &counts.unwritten,
        ));
    }
    let unscored: u64 = counts.unscored.values().sum();
    if counts.scored + unscored > 0 {
        lines.push(outcomes(
            "score",
            counts.scored,
            "unscored",
            &counts.unscored,
        ));
    }
    if counts.contradicted > 0 {
        let are = if counts.contradicted == 1 {
            "is"
        } else {
            "are"
        };
        lines.push(format!(
            "{} {are} from replies that give several for one metric (docs/models.md says which counts)",
            many(counts.contradicted, "score")
        ));
    }
    if counts.scored == 0 && unscored > 0 && !summary.interrupted {
        lines.push(
            "nothing was scored: `tribunal call SPEC` shows a prompt and its reply".to_owned(),
        );
    }
    if summary.failed + summary.skipped > 0 && !summary.interrupted {
        lines.push(failures(summary));
    }
    if summary.interrupted {
        let why = summary.limit.as_deref().unwrap_or("interrupted");
        lines.push(format!("{why}; everything finished is saved"));
        lines.push(format!("to resume:\n  {resume}"));
    }
    if let Some(folder) = folder.filter(|_| !summary.interrupted && summary.failed == 0) {
        lines.push(format!("tables are in {}", folder.display()));
    }
    lines.join("\n")
}

/// What was done, and what did not need to be.
fn work(summary: &Summary) -> String {
    let (known, were) = match (summary.reused, summary.calls_reused) {
        (n, 0) => (many(n as u64, "stage"), if n == 1 { "was" } else { "were" }),
        (n, replies) => {
            let stages = many(n as u64, "stage");
            (format!("{stages} and {}", many(replies, "reply")), "were")
        }
    };
    let mut text = format!(
        "{} and {} ran in {}; {known} {were} cached",
        many(summary.ran as u64, "stage"),
        many(summary.calls_answered, "call"),
        time(summary.seconds),
    );
    if summary.calls_failed > 0 {
        text = format!(
            "{text}; {} without a usable reply",
            many(summary.calls_failed, "call")
        );
    }
    text
}

/// What failed, and what was not run because of it.
fn failures(summary: &Summary) -> String {
    let failed = many(summary.failed as u64, "stage");
    match (summary.failed, summary.skipped) {
        (_, 0) => format!("{failed} failed"),
        (0, skipped) => format!("{} not run", many(skipped as u64, "stage")),
        (_, skipped) => format!("{failed} failed, {} not run", thousands(skipped as u64)),
    }
}

/// What there is, and what there is not with its reasons.
fn outcomes(noun: &str, there: u64, missing: &str, reasons: &BTreeMap<String, u64>) -> String {
    let all: u64 = reasons.values().sum();
    let detail = if reasons.is_empty() {
        String::new()
    } else {
        format!(" ({})", counted(reasons))
    };
    format!(
        "{}, {} {missing}{detail}",
        many(there, noun),
        thousands(all)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(change: impl FnOnce(&mut Summary)) -> String {
        let mut ended = Summary {
            ran: 12,
            seconds: 0.61,
            ..Summary::default()
        };
        change(&mut ended);
        summary(&ended, Some(Path::new("reports/x")), "tribunal run x.toml")
    }

    #[test]
    fn what_did_not_happen_is_not_named_among_failures() {
        let one = said(|s| s.failed = 1);
        assert!(one.ends_with("\n1 stage failed"), "{one}");
        let more = said(|s| (s.failed, s.skipped) = (2, 1400));
        assert!(more.ends_with("\n2 stages failed, 1,400 not run"), "{more}");
    }

    #[test]
    fn an_interrupted_run_ends_with_the_command_that_goes_on() {
        let text = said(|s| s.interrupted = true);
        assert!(
            text.ends_with(
                "\ninterrupted; everything finished is saved\nto resume:\n  tribunal run x.toml"
            ),
            "{text}"
        );
    }

    #[test]
    fn large_numbers_are_set_apart() {
        let text = said(|s| {
            s.reused = 1;
            s.calls_reused = 1200;
            s.counts.scored = 90_392;
            s.counts.unscored = BTreeMap::from([("cut-by-length".to_owned(), 3922)]);
        });
        assert_eq!(
            text,
            "12 stages and 0 calls ran in 0.61 s; 1 stage and 1,200 replies were cached\n\
             90,392 scores, 3,922 unscored (3,922 cut by length)\n\
             tables are in reports/x"
        );
    }
}
