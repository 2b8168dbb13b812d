//! What a figure is made of: rows, and the wish how they should look.
//!
//! Plain data. It must not arrange or draw anything.

use std::collections::BTreeMap;

use super::form::Form;
use crate::output::report::{How, Lack};

/// One thing to be shown: where it stands, its value, and what is missing from it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Values of the panel fields.
    pub panel: Vec<String>,
    /// Values of the fields along the horizontal axis.
    pub x: Vec<String>,
    /// Values of the fields along the vertical axis.
    pub y: Vec<String>,
    /// Values of the fields that tell series apart.
    pub series: Vec<String>,
    /// The value; `None` when it does not exist. Of a histogram how many values lie between `low` and `high`.
    pub value: Option<f64>,
    /// Where its interval, or its bin, begins.
    pub low: Option<f64>,
    /// Where its interval, or its bin, ends.
    pub high: Option<f64>,
    /// The coefficient of correlation, of a row that is an end of a fitted line.
    pub r: Option<f64>,
    /// A test value not farther from zero than this is not significant.
    pub bound: Option<f64>,
    /// Whether a line is drawn at the value across the panel; of pairs of numbers, whether it is one of bias or fit.
    pub reference: bool,
    /// Scores, pairs or rows behind the value.
    pub n: Option<u64>,
    /// What one of them is, where that is known: `pair`, `document`.
    pub unit: Option<String>,
    /// How the value was computed, where that is known.
    pub how: Option<How>,
    /// How many repeats are averaged to one of them at most.
    pub repeats: u64,
    /// Outputs that were read and gave no score, and rows without a value.
    pub unscored: u64,
    /// These by reason.
    pub reasons: BTreeMap<String, u64>,
    /// Pairs left out because one side is missing.
    pub dropped: u64,
    /// Parts of an average that have no value.
    pub missing: u64,
    /// What the value is made of fewer of than others.
    pub lacks: Vec<Lack>,
    /// Why the test behind the value, or its interval, is not defined.
    pub undefined: Option<String>,
    /// Why there is no value.
    pub why: Option<String>,
}

/// How a figure looks, and what its fields are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Style {
    /// What ids in the SVG begin with; different for any two figures of one page.
    pub id: String,
    /// How rows are drawn.
    pub form: Form,
    /// The heading.
    pub title: String,
    /// A sentence below.
    pub caption: Option<String>,
    /// Fields whose values name the panels; of two the first names the rows of panels.
    pub panels: Vec<String>,
    /// Fields along the horizontal axis.
    pub x: Vec<String>,
    /// Fields along the vertical axis.
    pub y: Vec<String>,
    /// Fields that tell series apart.
    pub series: Vec<String>,
    /// The column that is shown.
    pub value: String,
    /// What the whiskers are, in words, where there are any.
    pub whiskers: Option<String>,
    /// The level of significance that the band is for.
    pub level: Option<f64>,
    /// Between these the background is shaded.
    pub band: Option<(f64, f64)>,
    /// A line is drawn at this value.
    pub line: Option<f64>,
    /// A line is drawn where both axes have the same number.
    pub identity: bool,
    /// Whether `x` holds numbers, which stand as far apart as they are.
    pub numeric: bool,
    /// Whether values, intervals and n stand in columns beside the marks.
    pub numbers: bool,
    /// The standard deviation of the kernel of densities, where it is given.
    pub bandwidth: Option<f64>,
    /// What to show for a field itself, or for the value: field → heading.
    pub headings: BTreeMap<String, String>,
    /// What to show for a value: field → value → label.
    pub labels: BTreeMap<String, BTreeMap<String, String>>,
    /// The order of a field's values; others follow in order of first appearance.
    pub order: BTreeMap<String, Vec<String>>,
    /// The axis of values reaches at least so far.
    pub range: Option<(f64, f64)>,
    /// Digits after the point in the fields of a heatmap and in what marks say.
    pub decimals: Option<usize>,
    /// Width in pixels.
    pub width: Option<u32>,
    /// Height of a panel in pixels.
    pub height: Option<u32>,
}

impl Style {
    /// Whether numbers lie along the horizontal axis, rather than places for labels.
    pub(super) fn goes_by_numbers(&self) -> bool {
        self.numeric || self.form.is_of_pairs() || self.form.lies_along_values()
    }

    /// What something that is no field is called, unless a heading says otherwise.
    pub(super) fn called(&self, name: &str, usual: &str) -> String {
        super::text::clean(self.headings.get(name).map_or(usual, String::as_str))
    }

    /// The heading of a field, or its name where none is given.
    pub fn heading(&self, field: &str) -> String {
        super::text::clean(self.headings.get(field).map_or(field, String::as_str))
    }

    /// The headings of fields, in one line.
    pub fn headings_of(&self, fields: &[String]) -> String {
        joined(fields.iter().map(|field| self.heading(field)))
    }

    /// The labels of a key, in one line; fields whose label is empty are left out.
    pub fn label(&self, fields: &[String], key: &[String]) -> String {
        joined(fields.iter().zip(key).map(|(field, value)| {
            let labels = self.labels.get(field);
            let label = labels.and_then(|labels| labels.get(value));
            super::text::clean(label.map_or(value, String::as_str))
        }))
    }

    /// What a reason for a missing score is called.
    pub fn reason(&self, code: &str) -> String {
        let label = self.labels.get("reason").and_then(|all| all.get(code));
        super::text::clean(
            &label
                .cloned()
                .unwrap_or_else(|| code.replace(['-', '_'], " ")),
        )
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}
