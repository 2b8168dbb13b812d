//! Measures: statistics over columns with roles, each with what it needs, which settings it takes and which columns it gives.
//!
//! A measure is one item of [`FAMILIES`] and one file beside this one; a spec names it in `test = "…"`. Whoever adds one adds
//! both. The formulas are pure functions of numbers in the folders beside this; a measure takes its rows apart for them.
//! It must not know tables, specs or how values are shown.

mod agreement;
mod corrected;
mod correlation;
mod data;
mod definition;
mod distance;
mod error_bars;
mod outcome;
mod preference;
mod proportion;
mod rank_tests;
mod read;
mod rows;
mod samples;
mod settings;

pub use data::{Cell, Data, Role};
pub use definition::{Column, Holds, Measure, column};
pub use outcome::{Code, Given, Line, NoValue};
pub use settings::{Setting, Settings};

/// All measures, family by family, in the order of the docs.
pub const FAMILIES: &[&[&Measure]] = &[
    correlation::ALL,
    agreement::ALL,
    rank_tests::ALL,
    distance::ALL,
    proportion::ALL,
    error_bars::ALL,
    preference::ALL,
    corrected::ALL,
];

/// All measures in their order.
pub fn all() -> impl Iterator<Item = &'static Measure> {
    FAMILIES.iter().flat_map(|family| family.iter().copied())
}

/// The measure of a name.
pub fn named(name: &str) -> Option<&'static Measure> {
    all().find(|measure| measure.name == name)
}

/// The name of the measure that compares the same items, of one that takes its samples for independent.
pub fn paired(measure: &Measure) -> Option<&'static str> {
    Some(match measure.name {
        "mann-whitney" => "wilcoxon",
        "kruskal-wallis" => "friedman",
        "effect-size-independent" => "effect-size",
        "share-difference" => "mcnemar",
        _ => return None,
    })
}
