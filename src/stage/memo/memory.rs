//! What is remembered of a document: its sections with their scores and issues.
//!
//! Serialised, this is the column `memory`. Maps keep the order in which metrics were asked for and labels
//! first occurred.

use indexmap::IndexMap;
use serde::Serialize;

/// Under this name stand issues that bear no label.
pub(super) const NO_LABEL: &str = "no label";

/// Under this name stand issues of a judge of several metrics that it assigned to none.
pub(super) const NO_METRIC: &str = "no metric";

/// What is remembered of a document.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Memory {
    /// The sections, by their numbers.
    pub(super) sections: Vec<Section>,
    /// Numbers between the first and the last section that no section bears: first and last of each gap.
    pub(super) missing: Vec<(i64, i64)>,
    /// Where the text goes on behind its last section, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rest: Option<(i64, i64)>,
}

/// What is remembered of a section.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Section {
    /// Its number.
    #[serde(rename = "section")]
    pub(super) number: i64,
    /// Where it begins, in characters of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start: Option<i64>,
    /// Where it ends, in characters of the document, the end excluded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<i64>,
    /// Its summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<String>,
    /// Metric → score; nothing, where it could not be scored.
    pub(super) scores: IndexMap<String, Option<f64>>,
    /// Metric → why there is no score.
    pub(super) unscored: IndexMap<String, String>,
    /// Metric → label → issues.
    pub(super) issues: IndexMap<String, IndexMap<String, Vec<String>>>,
}

impl Section {
    /// Whether a score is missing.
    pub(super) fn is_unscored(&self) -> bool {
        self.scores.values().any(Option::is_none)
    }

    /// Adds an issue. Labels are one whatever their capitals, as they are first written.
    pub(super) fn add(&mut self, metric: &str, label: Option<&str>, text: String) {
        let labels = self.issues.entry(metric.to_owned()).or_default();
        let label = label.map_or(NO_LABEL, bare);
        let label = if label.is_empty() { NO_LABEL } else { label };
        let known = labels
            .keys()
            .find(|known| known.to_lowercase() == label.to_lowercase());
        let label = known.cloned().unwrap_or_else(|| label.to_owned());
        labels.entry(label).or_default().push(text);
    }
}

/// A label without brackets and blanks around it.
fn bare(label: &str) -> &str {
    label.trim_matches(|c: char| c.is_whitespace() || c == '[' || c == ']')
}

impl Memory {
    /// Of sections in order, also what is missing between them. Sections are counted from 1, or from 0
    /// where there is such a one.
    pub(super) fn of(sections: Vec<Section>) -> Self {
        let mut missing = Vec::new();
        let mut next = 1;
        for section in &sections {
            if section.number > next {
                missing.push((next, section.number - 1));
            }
            next = section.number.saturating_add(1);
        }
        Self {
            sections,
            missing,
            rest: None,
        }
    }

    /// Notes what the text of the document has behind the last section, blanks aside.
    pub(super) fn compare(&mut self, text: Option<&str>) {
        let ends = self.sections.iter().map(|section| section.end);
        let last = ends.collect::<Option<Vec<i64>>>();
        let Some(last) = last.and_then(|ends| ends.into_iter().max()) else {
            return;
        };
        let length = text.map_or(0, |text| text.trim_end().chars().count());
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        self.rest = (length > last).then_some((last, length));
    }
}

/// Numbers in words: "section 2", "sections 2, 4 to 6 and 9".
pub(super) fn numbers(noun: &str, gaps: &[(i64, i64)]) -> String {
    let shown: Vec<String> = gaps
        .iter()
        .map(|(first, last)| match last - first {
            0 => first.to_string(),
            1 => format!("{first} and {last}"),
            _ => format!("{first} to {last}"),
        })
        .collect();
    match gaps {
        [(first, last)] if first == last => format!("{noun} {first}"),
        _ => format!("{noun}s {}", shown.join(", ")),
    }
}
