//! What a table is made of: the cells, and the wish how to lay them out.
//!
//! Plain data. It must not arrange, round or draw anything.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::footnote::UNDEFINED;
use super::lack::Lack;

/// One number of a table with everything needed to judge it: where it stands, how many scores are behind it, and
/// what is missing from it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cell {
    /// Values of the row fields, in the order of [`Layout::rows`].
    pub row: Vec<String>,
    /// Values of the column fields, in the order of [`Layout::columns`].
    pub column: Vec<String>,
    /// The number; `None` when it does not exist, never NaN and never zero in its place.
    pub value: Option<f64>,
    /// Which statistic it is; `None` where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistic: Option<String>,
    /// The row of statistics that it is a column of, where other cells show columns of that row as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// How it was computed, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<How>,
    /// Scores or pairs of scores behind the value.
    pub n: Option<u64>,
    /// What one of them is: `pair`, `document`, `model`; `None` where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// How many repeats are averaged to one of them at most.
    #[serde(skip_serializing_if = "is_zero")]
    pub repeats: u64,
    /// Outputs that were read and gave no score.
    pub unscored: u64,
    /// The unscored outputs by reason code.
    pub reasons: BTreeMap<String, u64>,
    /// Pairs left out because one side is missing.
    pub dropped: u64,
    /// Parts of an average that have no value, such as models without outputs.
    pub missing: u64,
    /// How many parts an average should have; `None` for a value that averages no other cells.
    pub parts: Option<u64>,
    /// What the parts of an average are, in the plural: `models`, `tasks`.
    pub over: Option<String>,
    /// What the value is made of fewer of than its neighbours.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<Lack>,
    /// How many of the `n` behind the value are made of fewer parts themselves.
    #[serde(skip_serializing_if = "is_zero")]
    pub partial: u64,
    /// The p-value, when the value is one that a test is on.
    pub p: Option<f64>,
    /// Why the test that the value comes from is not defined, as a clause: `all differences are −2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
    /// The tests that the p-value was corrected over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family: Option<Family>,
    /// Why there is no value, as a clause: `no scored documents (65 not recorded)`.
    pub why_none: Option<String>,
}

/// A family of tests whose p-values were corrected together.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct Family {
    /// The correction, as in a spec.
    pub correction: String,
    /// Tests with a p-value: what the correction counts.
    pub tests: u64,
    /// Tests without one, which it does not count.
    pub undefined: u64,
    /// Which family it is, of those that were corrected apart: the stage, and the values that it holds.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
}

/// How a statistic was computed, as far as its name does not say it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct How {
    /// Of a test the direction of its alternative: `two-sided`, `greater`, `less`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// What is taken off n in the denominator of a variance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ddof: Option<u8>,
    /// Level of confidence of intervals.
    pub level: f64,
    /// Whether it is of truth values, so that a mean is a share.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub of_truth: bool,
    /// Which measure it is of, if it is of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
    /// Of a measure whether its rows share those of the level that others are held against.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// How cells become a table: which fields stand in rows and columns, in which order, under which names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    /// What the table goes by where it is referred to; the title stands in where there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Title of the table.
    pub title: String,
    /// Fields that name a row, outermost first.
    pub rows: Vec<String>,
    /// Fields that name a column, outermost first.
    pub columns: Vec<String>,
    /// What to show for a field itself: field → heading.
    pub headings: BTreeMap<String, String>,
    /// What to show for a value: field → value → label; the field `reason` names reasons for unscored outputs.
    pub labels: BTreeMap<String, BTreeMap<String, String>>,
    /// Digits after the decimal point.
    pub decimals: usize,
    /// Significance marks: a p-value below the bound gets the mark; the smallest matching bound wins.
    pub stars: Vec<(f64, String)>,
    /// Given order of values per row field; values not named follow in order of first appearance.
    pub row_order: BTreeMap<String, Vec<String>>,
    /// Given order of values per column field; values not named follow in order of first appearance.
    pub column_order: BTreeMap<String, Vec<String>>,
    /// Caption; the title stands in where there is none.
    pub caption: Option<String>,
    /// Whether n is drawn behind each value.
    pub show_n: bool,
    /// What else is to be said below the table.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            name: String::new(),
            title: String::new(),
            rows: Vec::new(),
            columns: Vec::new(),
            headings: BTreeMap::new(),
            labels: BTreeMap::new(),
            decimals: 3,
            stars: Vec::new(),
            row_order: BTreeMap::new(),
            column_order: BTreeMap::new(),
            caption: None,
            show_n: false,
            notes: Vec::new(),
        }
    }
}

impl Layout {
    /// All fields, rows before columns.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().chain(&self.columns).map(String::as_str)
    }

    /// The label of a value, or the value itself where none is given, `—` for none; control characters become blanks.
    pub fn label(&self, field: &str, value: &str) -> String {
        let label = self.labels.get(field).and_then(|labels| labels.get(value));
        one_line(label.map_or(shown(value), String::as_str))
    }

    /// The heading of a field, or its name where none is given.
    pub fn heading(&self, field: &str) -> String {
        one_line(self.headings.get(field).map_or(field, String::as_str))
    }

    /// A reason code in words: its label, or the code with blanks instead of hyphens and underscores.
    pub fn reason(&self, code: &str) -> String {
        match self
            .labels
            .get("reason")
            .and_then(|labels| labels.get(code))
        {
            Some(label) => one_line(label),
            None => one_line(&code.replace(['-', '_'], " ")),
        }
    }

    /// The mark of a p-value: that of the smallest bound it stays below, or nothing.
    pub fn star(&self, p: f64) -> &str {
        let below = self.stars.iter().filter(|(bound, _)| p < *bound);
        below
            .min_by(|left, right| left.0.total_cmp(&right.0))
            .map_or("", |(_, mark)| mark)
    }

    /// What stands where a mark of significance may stand: that of the p-value, or that the test is not defined.
    pub fn significance(&self, cell: &Cell) -> &str {
        match (cell.value, cell.p, &cell.undefined) {
            (Some(_), Some(p), _) => self.star(p),
            (None, _, Some(_)) => UNDEFINED,
            (Some(_), None, Some(_)) if !self.stars.is_empty() => UNDEFINED,
            _ => "",
        }
    }

    /// What stands above the table: the caption, or else the title.
    pub fn headline(&self) -> String {
        one_line(self.caption.as_deref().unwrap_or(&self.title))
    }
}

/// What stands where there is no value.
pub(super) const NO_VALUE: &str = "—";

/// The value of a field as it is shown: rows without one stand under `—`.
pub(crate) fn shown(value: &str) -> &str {
    if value.is_empty() { NO_VALUE } else { value }
}

/// Where a cell stands, in words: `task = 43, model = LI`.
pub(crate) fn place<'a>(
    fields: impl Iterator<Item = &'a str>,
    values: impl Iterator<Item = &'a String>,
) -> String {
    let pairs: Vec<String> = fields
        .zip(values)
        .map(|(field, value)| format!("{field} = {}", shown(value)))
        .collect();
    one_line(&pairs.join(", "))
}

/// Text made safe for one line of any output, see [`unsafe_letter`].
pub(crate) fn one_line(text: &str) -> String {
    text.chars()
        .map(|letter| if unsafe_letter(letter) { ' ' } else { letter })
        .collect()
}

/// Letters that would not be shown but obeyed: control characters could end a row or command a terminal, marks of
/// writing direction could show digits in another order; two are no letters and not allowed in a picture.
pub(crate) fn unsafe_letter(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}')
}
