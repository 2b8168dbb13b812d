//! What a memory or a report tells: scores and issues, in whichever of four layouts.

use std::collections::BTreeMap;

use serde_json::Value;

/// Section → what is told of it.
pub(super) type Told = BTreeMap<u64, Section>;

pub(super) const METRICS: [&str; 2] = ["fluency", "coherence"];

#[derive(Debug, Default)]
pub(super) struct Section {
    /// Metric → score.
    pub(super) scores: BTreeMap<String, Option<f64>>,
    /// Metric → label and text.
    pub(super) issues: BTreeMap<String, Vec<(String, String)>>,
}

impl Section {
    fn add(&mut self, metric: &str, label: &str, text: &str) {
        let label = label.trim_matches(['[', ']']).to_owned();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let issues = self.issues.entry(metric.to_owned()).or_default();
        issues.push((label, text));
    }

    fn add_all(&mut self, issues: &Value) {
        for (metric, labels) in issues.as_object().unwrap() {
            for (label, texts) in labels.as_object().unwrap() {
                for text in texts.as_array().unwrap() {
                    self.add(metric, label, text.as_str().unwrap());
                }
            }
        }
    }

    fn scored(&mut self, scores: &Value) {
        for metric in METRICS {
            self.scores
                .insert(metric.to_owned(), scores[metric].as_f64());
        }
    }
}

/// A memory as it was recorded: `section_01` → scores, issues.
pub(super) fn recorded_memory(text: &str) -> Told {
    let memory: Value = serde_json::from_str(text).unwrap();
    let sections = memory.as_object().unwrap().iter();
    let sections = sections.map(|(name, told)| {
        let mut section = Section::default();
        section.scored(&told["scores"]);
        section.add_all(&told["issues"]);
        (
            name.strip_prefix("section_").unwrap().parse().unwrap(),
            section,
        )
    });
    sections.collect()
}

/// A memory of ours.
pub(super) fn memory(text: &str) -> Told {
    let memory: Value = serde_json::from_str(text).unwrap();
    let sections = memory["sections"].as_array().unwrap().iter();
    let sections = sections.map(|told| {
        let mut section = Section::default();
        section.scored(&told["scores"]);
        section.add_all(&told["issues"]);
        (told["section"].as_u64().unwrap(), section)
    });
    sections.collect()
}

/// A report as it was recorded.
pub(super) fn recorded_report(text: &str) -> Told {
    let mut told = Told::new();
    let (mut number, mut metric, mut label) = (0, String::new(), String::new());
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("Section section_") {
            number = rest.split(' ').next().unwrap().parse().unwrap();
            told.insert(number, Section::default());
            continue;
        }
        let Some(section) = told.get_mut(&number) else {
            continue;
        };
        if let Some(issue) = line.strip_prefix("        • ") {
            section.add(&metric, &label, issue);
        } else if let Some(rest) = line.strip_prefix("    - ") {
            rest.strip_suffix(':').unwrap().clone_into(&mut label);
        } else if let Some(rest) = line.strip_prefix("  - ") {
            let (metric, score) = rest.split_once(": ").unwrap();
            let score = Some(score.parse().unwrap());
            section.scores.insert(metric.to_lowercase(), score);
        } else if let Some((name, _)) = line.split_once(" Issues:") {
            metric = name.trim().to_lowercase();
        }
    }
    told
}

/// A report of ours, by section.
pub(super) fn report(text: &str) -> Told {
    let mut told = Told::new();
    let (mut number, mut metric, mut label) = (0, String::new(), String::new());
    let mut issues = false;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("Section ") {
            number = rest.split(' ').next().unwrap().parse().unwrap();
            told.insert(number, Section::default());
            continue;
        }
        let Some(section) = told.get_mut(&number) else {
            continue;
        };
        if let Some(issue) = line.strip_prefix("    - ") {
            let issue = if issue == "named without a description" {
                ""
            } else {
                issue
            };
            section.add(&metric, &label, issue);
        } else if let Some(rest) = line.strip_prefix("  - ") {
            rest.strip_suffix(':').unwrap().clone_into(&mut label);
        } else if let Some(rest) = line.strip_prefix("- ") {
            let (name, score) = rest.split_once(':').unwrap();
            if issues {
                name.clone_into(&mut metric);
            } else {
                let score = score.trim().parse().ok();
                section.scores.insert(name.to_owned(), score);
            }
        } else {
            issues = line == "Issues:";
        }
    }
    told
}
