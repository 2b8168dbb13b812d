//! `bland-altman`: bias and limits of agreement of two measurements.

use super::super::Holds::{Number, Tested};
use super::super::read::{Complete, choice};
use super::super::{Code, Data, Line, Measure, NoValue, Role, Setting, Settings, column};
use crate::stats::agreement::bland_altman;
use crate::stats::interval::check_level;
use crate::stats::{Sides, StatsError, normal_critical};

/// Limits of agreement.
pub(super) const BLAND_ALTMAN: Measure = Measure {
    name: "bland-altman",
    about: "how far two measurements of the same lie apart: on average, and for most items",
    unit: "pair",
    needs: &[Role::Value, Role::Reference],
    takes: &[Role::Item],
    settings: &[Setting::Level, Setting::Method],
    keys: &[],
    gives: &[
        column("bias", Tested, "the mean of value less reference"),
        column("ci_low", Number, "the lower end of the interval of `bias`"),
        column("ci_high", Number, "its upper end"),
        column("sd", Number, "the standard deviation of the differences"),
        column("se", Number, "the standard error of `bias`"),
        column(
            "loa_low",
            Number,
            "the lower limit of agreement, `bias` − z·`sd`",
        ),
        column("loa_high", Number, "the upper one"),
        column("loa_se", Number, "the standard error of a limit"),
        column(
            "loa_se_1986",
            Number,
            "the same as first published, sd·√(3/n)",
        ),
    ],
    compute,
};

/// What z is.
#[derive(Clone, Copy)]
enum Z {
    /// 1.96, as published.
    Rounded,
    /// The quantile of the level.
    Exact,
}

fn compute(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let unknown = StatsError::Choice {
        setting: "method",
        known: "`1.96`, for limits as first published, and `quantile`, for those of `level`",
    };
    let choices = [("1.96", Z::Rounded), ("quantile", Z::Exact)];
    let z = match choice(settings.method.as_deref(), &choices, unknown)? {
        Z::Rounded => 1.96,
        Z::Exact => normal_critical(settings.level, Sides::Two).ok_or(StatsError::Level {
            level: settings.level,
        })?,
    };
    let complete = Complete::read(data, [Role::Value, Role::Reference], |_| true)?;
    let [values, references] = &complete.columns;
    let differences: Vec<f64> = values.iter().zip(references).map(|(a, b)| a - b).collect();
    let mut line = Line::of(complete.n(), complete.dropped);
    if differences.iter().any(|difference| !difference.is_finite()) {
        let why = "a difference exceeds the largest double";
        return Ok(vec![line.without(NoValue::new(Code::Undefined, why))]);
    }
    let found = bland_altman(&differences, z, settings.level)?;
    line.set("bias", found.bias);
    line.set_ends(["ci_low", "ci_high"], found.interval);
    line.set("sd", found.sd);
    line.set("se", found.se);
    line.set_ends(["loa_low", "loa_high"], found.limits);
    line.set("loa_se", found.limit_se);
    line.set("loa_se_1986", found.limit_se_1986);
    Ok(vec![line])
}
