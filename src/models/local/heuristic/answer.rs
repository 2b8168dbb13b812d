//! The evaluation form the judge hands in, in the shape a model is asked to write.
//!
//! Quotations are the text's own words with blank space shown as one blank. A quotation must not read
//! like a score line, so it ends before the word `score` or the name of a metric.

use std::fmt::Write as _;

use super::KNOWN;
use super::finding::Finding;
use super::score::Verdict;
use super::text::{Document, is_word};

/// Issues listed per metric.
const LISTED: usize = 12;
/// Words quoted per issue.
const QUOTED: usize = 12;
/// Characters quoted per issue, for texts without blanks.
const LETTERS: usize = 160;

/// Writes the form. A metric comes with its verdict, or with the reason why it has none.
pub(super) fn write(
    document: &Document<'_>,
    metrics: &[(&str, Result<Verdict, &'static str>)],
) -> String {
    let mut form = String::from("Evaluation Form:\n");
    let mut number = 0;
    for (metric, outcome) in metrics {
        number += 1;
        let _ = writeln!(form, "{number}) {metric} Issues:");
        match outcome {
            Ok(verdict) => issues(&mut form, document, metric, &verdict.findings),
            Err(reason) => {
                let _ = writeln!(form, "- [NOT_SCORED] {reason}");
            }
        }
    }
    for (metric, outcome) in metrics {
        number += 1;
        let _ = match outcome {
            Ok(verdict) => writeln!(form, "{number}) FINAL {metric} Score: {}", verdict.score),
            Err(_) => writeln!(form, "{number}) FINAL {metric} Score: not scored"),
        };
    }
    form
}

fn issues(form: &mut String, document: &Document<'_>, metric: &str, findings: &[Finding]) {
    if findings.is_empty() {
        form.push_str("No issues found.\n");
    }
    for finding in findings.iter().take(LISTED) {
        let quotation = quotation(document, finding);
        let _ = writeln!(
            form,
            "- [{}] \"{quotation}\" {}",
            finding.label, finding.note
        );
    }
    let more = findings.len().saturating_sub(LISTED);
    if more > 0 {
        let plural = if more == 1 {
            "issue was"
        } else {
            "issues were"
        };
        let metric = metric.to_lowercase();
        let _ = writeln!(form, "- [MORE] {more} more {metric} {plural} found");
    }
}

/// The words of a finding, at most [`QUOTED`] of them, in one line.
fn quotation(document: &Document<'_>, finding: &Finding) -> String {
    let mut words = 0;
    let mut end = finding.tokens.start;
    for at in finding.tokens.clone() {
        words += usize::from(is_word(document.kind_at(at)));
        if words > QUOTED {
            break;
        }
        end = at + 1;
    }
    let raw = document.span(finding.tokens.start..end);
    let mut line = String::new();
    for c in raw.chars().take(LETTERS) {
        let c = if c.is_whitespace() || c.is_control() {
            ' '
        } else {
            c
        };
        if !(c == ' ' && line.ends_with(' ')) {
            line.push(c);
        }
    }
    let lower = line.to_ascii_lowercase();
    let cut = KNOWN
        .iter()
        .chain(&["score"])
        .filter_map(|word| lower.find(word))
        .min();
    line.truncate(cut.unwrap_or(line.len()));
    let opened =
        line.trim_start_matches(|c: char| c.is_whitespace() || "\".,;:!?)-\u{201d}".contains(c));
    opened
        .trim_end_matches(|c: char| c.is_whitespace() || c == '"')
        .to_owned()
}
