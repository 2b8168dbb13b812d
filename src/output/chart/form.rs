//! The types of figures: what each is called, and what its rows are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How rows are drawn.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// A bar from zero to each value.
    Bars,
    /// A mark at each value.
    #[default]
    Points,
    /// Marks joined by lines.
    Lines,
    /// A mark at each value and the interval around it.
    Intervals,
    /// A coloured field for each value.
    Heatmap,
    /// The distribution of values, as a smooth shape.
    Violins,
    /// The distribution of values, counted in bins.
    Histogram,
    /// A mark for each pair of numbers, as large as the pair is frequent.
    Scatter,
    /// The difference of two numbers against their mean, with bias and limits of agreement.
    BlandAltman,
    /// How often each label of one column meets each of another.
    Confusion,
    /// The shares of classes, stacked to one.
    Stacked,
    /// The share of values up to each number.
    Ecdf,
    /// The density of values, as a smooth line.
    Density,
    /// How often what was predicted came true.
    Reliability,
}

impl Form {
    /// All types.
    #[cfg(test)]
    pub(super) const ALL: [Self; 14] = [
        Self::Bars,
        Self::Points,
        Self::Lines,
        Self::Intervals,
        Self::Heatmap,
        Self::Violins,
        Self::Histogram,
        Self::Scatter,
        Self::BlandAltman,
        Self::Confusion,
        Self::Stacked,
        Self::Ecdf,
        Self::Density,
        Self::Reliability,
    ];

    /// As it is written in a spec.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bars => "bars",
            Self::Points => "points",
            Self::Lines => "lines",
            Self::Intervals => "intervals",
            Self::Heatmap => "heatmap",
            Self::Violins => "violins",
            Self::Histogram => "histogram",
            Self::Scatter => "scatter",
            Self::BlandAltman => "bland-altman",
            Self::Confusion => "confusion",
            Self::Stacked => "stacked",
            Self::Ecdf => "ecdf",
            Self::Density => "density",
            Self::Reliability => "reliability",
        }
    }

    /// Whether rows are observations whose distribution is shown, rather than values to be shown each.
    pub fn is_distribution(self) -> bool {
        matches!(
            self,
            Self::Violins | Self::Histogram | Self::Ecdf | Self::Density
        )
    }

    /// Whether each row is a value with a mark of its own, in one direction, so that it may have an interval around it.
    pub fn has_intervals(self) -> bool {
        matches!(
            self,
            Self::Bars | Self::Points | Self::Lines | Self::Intervals
        )
    }

    /// Whether a row is a pair of numbers: one in the column `x`, the other in `y`.
    pub fn is_of_pairs(self) -> bool {
        matches!(self, Self::Scatter | Self::BlandAltman | Self::Reliability)
    }

    /// Whether rows are counted by their labels, and no number is read.
    pub fn is_of_labels(self) -> bool {
        matches!(self, Self::Confusion | Self::Stacked)
    }

    /// Whether values are the horizontal axis, so that neither `x` nor `y` has a place.
    pub fn lies_along_values(self) -> bool {
        matches!(self, Self::Histogram | Self::Ecdf | Self::Density)
    }
}
