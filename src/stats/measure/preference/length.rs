//! `length-controlled`.

use crate::stats::interval::check_level;
use crate::stats::measure::Holds::{Number, Tested};
use crate::stats::measure::rows::{column_numbers, number};
use crate::stats::measure::{Code, Data, Line, Measure, NoValue, Role, Setting, Settings, column};
use crate::stats::preference::{Lengths, length_controlled};
use crate::stats::{StatsError, mean};

use super::read::share;

pub(super) const LENGTH_CONTROLLED: Measure = Measure {
    name: "length-controlled",
    about: "the win rate that the contender would have with texts as long as the opponent's",
    unit: "comparison",
    needs: &[Role::Value, Role::Length, Role::OpponentLength],
    takes: &[Role::Item, Role::Cluster],
    settings: &[Setting::Level],
    keys: &[],
    gives: &[
        column(
            "length_controlled",
            Tested,
            "the win rate at equal length: 1/(1 + e^−`intercept`)",
        ),
        column(
            "ci_low",
            Number,
            "the lower end of its interval, from that of `intercept`",
        ),
        column("ci_high", Number, "its upper end"),
        column("win_rate", Number, "the win rate as it is"),
        column("intercept", Number, "the log-odds of a win at equal length"),
        column(
            "se",
            Number,
            "the standard error of `intercept`, of clusters where there are some",
        ),
        column(
            "slope",
            Number,
            "how much the log-odds rise with tanh(difference of lengths / its standard deviation)",
        ),
        column("slope_se", Number, "the standard error of `slope`"),
    ],
    compute,
};

fn compute(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let clustered = data.column(Role::Cluster).is_some();
    let plain = Settings::default();
    let (mut rows, mut dropped) = (Vec::new(), 0);
    for (row, cluster) in column_numbers(data, Role::Cluster).into_iter().enumerate() {
        let lengths =
            [Role::Length, Role::OpponentLength].map(|role| number(data, role, row, &plain));
        let [own, other] = lengths;
        match (share(data, row)?, own?, other?, cluster) {
            (Some(share), Some(own), Some(other), Some(cluster)) => rows.push(Lengths {
                share,
                longer: own - other,
                cluster,
            }),
            _ => dropped += 1,
        }
    }
    let mut line = Line::of(rows.len(), dropped);
    let shares: Vec<f64> = rows.iter().map(|row| row.share).collect();
    let none = || NoValue::new(Code::TooFew, "there is no comparison");
    line.set("win_rate", mean(&shares).ok_or_else(none));
    let fitted = length_controlled(&rows, clustered)?;
    let not_finite = || NoValue::new(Code::Undefined, "the interval is not finite");
    let interval = fitted
        .clone()
        .and_then(|fitted| fitted.interval(settings.level).ok_or_else(not_finite));
    line.set_ends(["ci_low", "ci_high"], interval.clone());
    line.set(
        "length_controlled",
        fitted.clone().map(|fitted| fitted.rate()),
    );
    line.set("intercept", fitted.clone().map(|fitted| fitted.intercept));
    line.set("se", fitted.clone().map(|fitted| fitted.se_intercept));
    line.set("slope", fitted.clone().map(|fitted| fitted.slope));
    line.set("slope_se", fitted.map(|fitted| fitted.se_slope));
    Ok(vec![line])
}
