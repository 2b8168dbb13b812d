//! `transitivity`.

use crate::stats::StatsError;
use crate::stats::measure::Holds::{Number, Whole};
use crate::stats::measure::Settings;
use crate::stats::measure::rows::nothing;
use crate::stats::measure::{Data, Line, Measure, Role, column};
use crate::stats::preference::triads;

use super::read::compared;

pub(super) const TRANSITIVITY: Measure = Measure {
    name: "transitivity",
    about: "whether the judge's choices put the contenders in an order, or in circles",
    unit: "comparison",
    needs: &[Role::Contender, Role::Opponent, Role::Value],
    takes: &[Role::Item],
    settings: &[],
    keys: &[],
    gives: &[
        column(
            "cyclic_share",
            Number,
            "cyclic triples among the decided: A beats B, B beats C, C beats A",
        ),
        column("cyclic", Whole, "cyclic triples"),
        column(
            "triads",
            Whole,
            "triples in which each two are decided by a strict majority",
        ),
        column("undecided", Whole, "the other triples"),
        column(
            "zeta",
            Number,
            "the coefficient of consistence: 1 without circles, 0 with as many as there can be",
        ),
        column("models", Whole, "how many contenders"),
    ],
    compute,
};

fn compute(data: &Data, _: &Settings) -> Result<Vec<Line>, StatsError> {
    let found = compared(data)?;
    let n = found.comparisons.len();
    let counted = match triads(found.names.len(), &found.comparisons) {
        Ok(counted) => counted,
        Err(why) => return Ok(vec![nothing(n, found.dropped, TRANSITIVITY.gives, &why)]),
    };
    let mut line = Line::of(n, found.dropped);
    line.set("cyclic_share", counted.cyclic_share);
    line.set("cyclic", counted.cyclic);
    line.set("triads", counted.decided);
    line.set("undecided", counted.undecided);
    line.set("zeta", counted.zeta);
    line.set("models", counted.contenders);
    Ok(vec![line])
}
