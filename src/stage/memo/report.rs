//! A memory in words, for a judge to read.
//!
//! What a model wrote is put on one line each, blanks for line breaks and other control characters, behind
//! the mark of an entry: no text can begin a line, and so none can pass for a heading, a score or a section.

use std::fmt::Write;

use indexmap::IndexMap;

use super::Order;
use super::memory::{Memory, NO_LABEL, NO_METRIC, Section, numbers};
use crate::base::wording::count;

/// The report on a document with at least one section.
pub(super) fn report(memory: &Memory, metrics: &[String], order: Order, offsets: bool) -> String {
    let mut writer = Writer {
        text: String::new(),
        metrics,
        offsets,
    };
    let judged = count(memory.sections.len(), "judged section");
    writer.line(&format!("Report on {judged}"));
    if !memory.missing.is_empty() {
        let (which, is) = (
            numbers("section", &memory.missing),
            if matches!(memory.missing.as_slice(), [(first, last)] if first == last) {
                "is"
            } else {
                "are"
            },
        );
        writer.line(&format!(
            "Not all sections were judged: {which} {is} missing"
        ));
    }
    if let Some((from, to)) = memory.rest {
        let characters = format!(": characters {from} to {to}");
        let which = if offsets { characters.as_str() } else { "" };
        writer.line(&format!("The end of the text was not judged{which}"));
    }
    match order {
        Order::Section => writer.by_section(memory),
        Order::Label => writer.by_label(memory),
    }
    writer.text
}

/// A report that is being written.
struct Writer<'m> {
    text: String,
    metrics: &'m [String],
    offsets: bool,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn by_section(&mut self, memory: &Memory) {
        for section in &memory.sections {
            self.line("");
            let heading = self.heading(section);
            self.line(&heading);
            self.summary(section, "");
            self.line("Scores:");
            for metric in self.metrics {
                let score = score(section, metric);
                self.line(&format!("- {metric}: {score}"));
            }
            self.line("Issues:");
            for metric in self.metrics.iter().map(String::as_str).chain([NO_METRIC]) {
                let labels = section.issues.get(metric);
                let Some(labels) = labels else {
                    if metric != NO_METRIC {
                        let none = none([section], metric);
                        self.line(&format!("- {metric}: {none}"));
                    }
                    continue;
                };
                self.line(&format!("- {metric}:"));
                for (label, issues) in labels {
                    self.line(&format!("  - {}:", mark(label)));
                    for issue in issues {
                        self.line(&format!("    - {}", described(issue)));
                    }
                }
            }
        }
    }

    fn by_label(&mut self, memory: &Memory) {
        self.line("");
        self.line("Scores:");
        for section in &memory.sections {
            let scores: Vec<String> = self
                .metrics
                .iter()
                .map(|metric| format!("{metric} {}", score(section, metric)))
                .collect();
            let heading = self.heading(section);
            self.line(&format!("- {heading}: {}", scores.join(", ")));
            self.summary(section, "  ");
        }
        for metric in self.metrics.iter().map(String::as_str).chain([NO_METRIC]) {
            let labels = by_label(memory, metric);
            if labels.is_empty() && metric == NO_METRIC {
                continue;
            }
            self.line("");
            if labels.is_empty() {
                let none = none(&memory.sections, metric);
                self.line(&format!("Issues of {metric}: {none}"));
                continue;
            }
            self.line(&format!("Issues of {metric}:"));
            for Labelled { label, issues } in labels.values() {
                self.line(&format!("- {}:", mark(label)));
                for (section, issue) in issues {
                    self.line(&format!("  - section {section}: {}", described(issue)));
                }
            }
        }
    }

    /// "Section 2 (characters 8588 to 12819)".
    fn heading(&self, section: &Section) -> String {
        let mut heading = format!("Section {}", section.number);
        if self.offsets
            && let (Some(start), Some(end)) = (section.start, section.end)
        {
            let _ = write!(heading, " (characters {start} to {end})");
        }
        heading
    }

    fn summary(&mut self, section: &Section, indent: &str) {
        if let Some(summary) = &section.summary {
            let summary = one_line(summary);
            self.line(&format!("{indent}Summary: {summary}"));
        }
    }
}

/// The issues of all sections under one label.
struct Labelled<'m> {
    label: &'m str,
    /// Each with the number of its section.
    issues: Vec<(i64, &'m str)>,
}

/// The issues of all sections under each label, in the order in which labels first occur.
fn by_label<'m>(memory: &'m Memory, metric: &str) -> IndexMap<String, Labelled<'m>> {
    let mut labels: IndexMap<String, Labelled<'_>> = IndexMap::new();
    for section in &memory.sections {
        for (label, issues) in section.issues.get(metric).into_iter().flatten() {
            let labelled = labels
                .entry(label.to_lowercase())
                .or_insert_with(|| Labelled {
                    label,
                    issues: Vec::new(),
                });
            labelled
                .issues
                .extend(issues.iter().map(|issue| (section.number, issue.as_str())));
        }
    }
    labels
}

/// A score, or that there is none and why.
fn score(section: &Section, metric: &str) -> String {
    match section.scores.get(metric) {
        Some(Some(score)) => score.to_string(),
        _ => match section.unscored.get(metric) {
            Some(why) => format!("could not be scored ({})", one_line(why)),
            None => "was not scored".to_owned(),
        },
    }
}

/// What is said where no issue is named: of a section without a score nobody knows.
fn none<'m>(sections: impl IntoIterator<Item = &'m Section>, metric: &str) -> &'static str {
    let known = sections
        .into_iter()
        .any(|section| section.scores.get(metric).is_some_and(Option::is_some));
    if known { "none named" } else { "not known" }
}

/// A label as reports show it.
fn mark(label: &str) -> String {
    if label == NO_LABEL {
        NO_LABEL.to_owned()
    } else {
        format!("[{}]", one_line(label))
    }
}

/// An issue on one line.
fn described(issue: &str) -> String {
    let line = one_line(issue);
    if line.is_empty() {
        "named without a description".to_owned()
    } else {
        line
    }
}

/// A text on one line: every run of blanks, line breaks and control characters becomes one blank.
fn one_line(text: &str) -> String {
    let blank = |c: char| c.is_whitespace() || c.is_control();
    let words: Vec<&str> = text.split(blank).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
