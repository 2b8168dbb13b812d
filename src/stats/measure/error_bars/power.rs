//! `power`.

use crate::stats::interval::check_level;
use crate::stats::measure::Holds::{Number, Whole};
use crate::stats::measure::read::Complete;
use crate::stats::measure::{Code, Data, Line, Measure, NoValue, Role, Setting, Settings, column};
use crate::stats::power::Plan;
use crate::stats::rank::differences;
use crate::stats::{Ddof, StatsError, describe, short};

pub(super) const POWER: Measure = Measure {
    name: "power",
    about: "which difference a paired comparison with this spread can find, and how many pairs another one takes",
    unit: "pair",
    needs: &[Role::Value, Role::Reference],
    takes: &[Role::Item],
    settings: &[Setting::Level, Setting::Power, Setting::At],
    keys: &["difference"],
    gives: &[
        column(
            "detectable",
            Number,
            "the least difference that as many pairs find with the planned power",
        ),
        column(
            "detectable_dz",
            Number,
            "the same in standard deviations of the differences",
        ),
        column(
            "detectable_normal",
            Number,
            "the same by the normal distribution, which is too hopeful of few pairs",
        ),
        column(
            "power",
            Number,
            "the probability that as many pairs find this difference",
        ),
        column(
            "pairs",
            Whole,
            "the fewest pairs that find it with the planned power",
        ),
        column("pairs_normal", Whole, "the same by the normal distribution"),
        column(
            "sd",
            Number,
            "the standard deviation of the differences seen",
        ),
    ],
    compute,
};

fn compute(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let complete = Complete::read(data, [Role::Value, Role::Reference], |_| true)?;
    let [values, references] = &complete.columns;
    let n = values.len();
    // Of differences that only rounding tells apart nothing can be planned.
    let differences = differences(values, references).map(|found| found.in_unit());
    let sd = if let Some(differences) = differences {
        let none = || {
            NoValue::new(
                Code::TooFew,
                format!("a standard deviation needs at least 2 pairs, here {n}"),
            )
        };
        describe(&differences, Ddof::Sample)?.sd.ok_or_else(none)
    } else {
        Err(NoValue::new(
            Code::Undefined,
            "a difference exceeds the largest number",
        ))
    };
    let plan = sd.map(|sd| Plan {
        sd,
        alpha: 1.0 - settings.level,
        power: settings.power,
    });
    let planned = |difference: Option<f64>| {
        let mut line = Line::of(n, complete.dropped);
        let plan = match &plan {
            Ok(plan) => plan,
            Err(why) => {
                line.keys =
                    vec![difference.map_or_else(|| "detectable".to_owned(), |at| at.to_string())];
                return line.without(why.clone());
            }
        };
        let detectable = plan.detectable(n);
        let at = difference.map_or_else(|| detectable.clone(), Ok);
        let name = difference
            .map(|at| at.to_string())
            .or_else(|| detectable.as_ref().ok().map(|&at| rounded(at)));
        line.keys = vec![name.unwrap_or_else(|| "detectable".to_owned())];
        line.set("sd", plan.sd);
        line.set("detectable_dz", detectable.clone().map(|at| at / plan.sd));
        line.set("detectable", detectable);
        line.set("detectable_normal", plan.detectable_normal(n));
        line.set("power", at.clone().and_then(|at| plan.power_of(n, at)));
        // What as many pairs just find takes as many pairs, whichever way the last digit was rounded.
        let needed = |at: f64| match difference {
            None => Ok(n as f64),
            Some(_) => plan.needed(at),
        };
        line.set("pairs", at.clone().and_then(needed));
        line.set("pairs_normal", at.and_then(|at| plan.needed_normal(at)));
        line
    };
    if settings.at.is_empty() {
        return Ok(vec![planned(None)]);
    }
    Ok(settings.at.iter().map(|&at| planned(Some(at))).collect())
}

/// With four digits, as the name of a line.
fn rounded(value: f64) -> String {
    short(format!("{value:.3e}").parse().unwrap_or(value))
}
