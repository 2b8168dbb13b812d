//! `figure` stages as they are written.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::output::chart::Form;
use crate::toml::{OneOrMany, Plain, fields};

/// A figure.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawFigure {
    /// The rows shown, where one stage gives all of them: statistics, or the rows of any other stage.
    pub(crate) from: Option<String>,
    /// How they are drawn; `points` by default.
    #[serde(rename = "type")]
    pub(crate) form: Option<Form>,
    /// The column shown: `mean` of statistics, `score` of judges and `value` of counts by default.
    pub(crate) value: Option<String>,
    /// The fields along the horizontal axis.
    #[serde(default, deserialize_with = "fields")]
    pub(crate) x: Option<OneOrMany<String>>,
    /// The fields along the vertical axis: beside `x` for a heatmap or a confusion matrix, instead of `x` for a figure
    /// whose values go from left to right. Of pairs of numbers the column with the second one.
    #[serde(default, deserialize_with = "fields")]
    pub(crate) y: Option<OneOrMany<String>>,
    /// The fields that define series, each with its own colour and mark.
    #[serde(default, deserialize_with = "fields")]
    pub(crate) series: Option<OneOrMany<String>>,
    /// One or two fields with a panel for each value; of two the first names the rows of panels.
    #[serde(default, deserialize_with = "fields")]
    pub(crate) panels: Option<OneOrMany<String>>,
    /// A condition on the rows that are shown.
    #[serde(rename = "where")]
    pub(crate) condition: Option<String>,
    /// The column where the interval around a value begins; `ci_low` for `intervals`.
    pub(crate) low: Option<String>,
    /// The column where it ends; `ci_high` for `intervals`.
    pub(crate) high: Option<String>,
    /// Instead of both: a column with half the width of the interval, such as `se`.
    pub(crate) error: Option<String>,
    /// What is shown, where several stages or statistics give it.
    #[serde(default)]
    pub(crate) part: Vec<RawFigurePart>,
    /// Shades the range in which a t value is not significant at this level, two-sided, by its degrees of freedom.
    pub(crate) nonsignificant: Option<f64>,
    /// A condition; where it holds, a line is drawn at the row's value across its panel, such as that of gold documents.
    pub(crate) reference: Option<String>,
    /// Whether the values of `x` are numbers on a true scale; intervals of `lines` are then drawn as shades.
    pub(crate) numeric: Option<bool>,
    /// Whether a scatter has the straight line of least squares.
    pub(crate) fit: Option<bool>,
    /// For `histogram`: about how many bins, 20 by default. For `reliability`: how many equal bins from 0 to 1, 10 by
    /// default.
    pub(crate) bins: Option<u32>,
    /// The heading. Not in the cache key, like everything below.
    pub(crate) title: Option<String>,
    /// A sentence below the figure.
    pub(crate) caption: Option<String>,
    /// What fields and the value are called at axes and in the legend, with their units: column = heading; `line` and
    /// `band` name what is drawn at `line` and `band`, `count` the axis of a histogram's counts, `share` and `density` those
    /// of shares and densities.
    #[serde(default)]
    pub(crate) headings: BTreeMap<String, String>,
    /// What values are called: field, then value = label.
    #[serde(default)]
    pub(crate) labels: BTreeMap<String, BTreeMap<String, String>>,
    /// The order of a field's values, where it should differ from the axis's.
    #[serde(default)]
    pub(crate) order: BTreeMap<String, Vec<Plain>>,
    /// A line at this value.
    pub(crate) line: Option<f64>,
    /// Whether a line is drawn where `x` and the value are the same number.
    pub(crate) identity: Option<bool>,
    /// Whether to write the value, its interval and its n in columns to the right of marks that are arranged one below
    /// the other.
    pub(crate) numbers: Option<bool>,
    /// The standard deviation of the kernel of a density; by default Silverman's rule gives one for each line.
    pub(crate) bandwidth: Option<f64>,
    /// Shades between these two values.
    pub(crate) band: Option<[f64; 2]>,
    /// The axis of values reaches at least from the first to the second.
    pub(crate) range: Option<[f64; 2]>,
    /// Digits after the point of numbers in fields and beside marks; 2 by default.
    pub(crate) decimals: Option<u8>,
    /// The width in pixels; 720 by default.
    pub(crate) width: Option<u32>,
    /// The height of a panel in pixels; by default as high as its rows need.
    pub(crate) height: Option<u32>,
}

/// Rows of a figure from one stage.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawFigurePart {
    /// The rows shown.
    pub(crate) from: Option<String>,
    /// The column shown.
    pub(crate) value: Option<String>,
    /// The column where the interval around a value begins.
    pub(crate) low: Option<String>,
    /// The column where it ends.
    pub(crate) high: Option<String>,
    /// Instead of both: a column with half the width of the interval.
    pub(crate) error: Option<String>,
    /// A condition on the rows that are shown.
    #[serde(rename = "where")]
    pub(crate) condition: Option<String>,
    /// Fields that are called otherwise in these rows: field = column.
    #[serde(default)]
    pub(crate) rename: IndexMap<String, String>,
    /// Fields that take a fixed value in this part.
    #[serde(default)]
    pub(crate) set: IndexMap<String, Plain>,
}
