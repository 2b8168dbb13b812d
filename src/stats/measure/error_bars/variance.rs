//! `variance`.

use crate::stats::StatsError;
use crate::stats::measure::Holds::{Number, Whole};
use crate::stats::measure::rows::{column_numbers, nothing, number};
use crate::stats::measure::{
    Code, Data, Given, Line, Measure, NoValue, Role, Setting, Settings, column,
};
use crate::stats::variance::{Variance, variance};

/// Numbers of repeats where the spec names none.
const USUAL: [f64; 5] = [1.0, 2.0, 3.0, 5.0, 10.0];

pub(super) const VARIANCE: Measure = Measure {
    name: "variance",
    about: "how much of the variance lies between items and how much between repeats, and what more repeats would bring",
    unit: "value",
    needs: &[Role::Item, Role::Value],
    takes: &[Role::Rater],
    settings: &[Setting::At, Setting::Positive],
    keys: &["repeats"],
    gives: &[
        column(
            "se",
            Number,
            "the standard error of the mean of these items with so many repeats each",
        ),
        column(
            "var_between",
            Number,
            "the variance between items, at least 0",
        ),
        column(
            "var_within",
            Number,
            "the variance between repeats of an item",
        ),
        column(
            "share_within",
            Number,
            "the share of the variance of one value that lies within items",
        ),
        column(
            "var_between_raw",
            Number,
            "the variance between items as the formula gives it, which may be below 0",
        ),
        column("ms_between", Number, "the mean square between items"),
        column("ms_within", Number, "the mean square within items"),
        column(
            "n0",
            Number,
            "the mean number of repeats, as unequal numbers count",
        ),
        column("items", Whole, "how many items"),
        column(
            "items_to_halve",
            Whole,
            "how many items with as many repeats as now would halve the standard error",
        ),
        column(
            "repeats_to_halve",
            Whole,
            "how many repeats of the same items would halve it",
        ),
    ],
    compute,
};

fn compute(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    let (mut values, mut items, mut dropped) = (Vec::new(), Vec::new(), 0);
    for (row, item) in column_numbers(data, Role::Item).into_iter().enumerate() {
        match (number(data, Role::Value, row, settings)?, item) {
            (Some(value), Some(item)) => {
                values.push(value);
                items.push(item);
            }
            _ => dropped += 1,
        }
    }
    let at = if settings.at.is_empty() {
        &USUAL[..]
    } else {
        &settings.at
    };
    let found = variance(&values, &items)?;
    items.sort_unstable();
    items.dedup();
    let line = |&repeats: &f64| {
        let mut line = match &found {
            Ok(found) => described(found, repeats, dropped),
            Err(why) => nothing(values.len(), dropped, VARIANCE.gives, why),
        };
        line.set("items", items.len());
        line.keys = vec![repeats.to_string()];
        line
    };
    Ok(at.iter().map(line).collect())
}

fn described(found: &Variance, repeats: f64, dropped: usize) -> Line {
    let mut line = Line::of(found.n, dropped);
    let se: Given = if repeats > 0.0 {
        found.se(repeats).into()
    } else {
        let why = format!("{repeats} repeats are none");
        Given::Nothing(NoValue::new(Code::InvalidParameter, why))
    };
    line.set("se", se);
    line.set("var_between", found.between);
    line.set("var_within", found.within);
    line.set("share_within", found.share_within());
    line.set("var_between_raw", found.between_raw);
    line.set("ms_between", found.ms_between);
    line.set("ms_within", found.ms_within);
    line.set("n0", found.n0);
    line.set("items_to_halve", 4 * found.items);
    line.set("repeats_to_halve", found.repeats_to_halve());
    line
}
