//! Tests and effect sizes of two independent samples.

use crate::stats::StatsError;
use crate::stats::measure::Holds::{Number, PValue, Tested, Text, Whole};
use crate::stats::measure::read::choice;
use crate::stats::measure::samples::{Samples, line_of_two, set_p};
use crate::stats::measure::{Data, Line, Measure, Role, Setting, Settings, column};
use crate::stats::rank::{self as of, Exact};

/// What they need.
const NEEDS: &[Role] = &[Role::Value, Role::Sample];

pub(super) const MANN_WHITNEY: Measure = Measure {
    name: "mann-whitney",
    about: "whether values of one sample tend to be greater than those of another",
    unit: "value",
    needs: NEEDS,
    takes: &[Role::Item],
    settings: &[Setting::Alternative, Setting::Method, Setting::Base],
    keys: &[],
    gives: &[
        column(
            "auc",
            Tested,
            "the probability that a value of the first sample is greater, ties half",
        ),
        column(
            "p",
            PValue,
            "`p_exact`; `p_asymptotic` where that does not exist",
        ),
        column("p_method", Text, "which of both `p` is"),
        column(
            "p_exact",
            PValue,
            "the share of all splits of the values that give a `u1` as extreme; with ties up to 10⁶ splits, more with `method = \"exact\"`",
        ),
        column("p_asymptotic", PValue, "the p-value of `z`"),
        column(
            "p_asymptotic_cc",
            PValue,
            "the same with a continuity correction of ½",
        ),
        column(
            "z",
            Number,
            "`u1` less its mean over its standard deviation, with ties",
        ),
        column(
            "u1",
            Number,
            "pairs of a value each that the first sample wins, ties half",
        ),
        column("u2", Number, "pairs that the second wins, ties half"),
        column("n1", Whole, "how many values the first sample has"),
        column("n2", Whole, "how many the second has"),
    ],
    compute: mann_whitney,
};

fn mann_whitney(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    let unknown = StatsError::Choice {
        setting: "method",
        known: "`usual` and `exact`, which goes through more splits of tied values",
    };
    let methods = [("usual", Exact::Usual), ("exact", Exact::Asked)];
    let method = choice(settings.method.as_deref(), &methods, unknown)?;
    let (mut line, [a, b]) = match line_of_two(Samples::read(data)?, settings) {
        Ok(read) => read,
        Err(line) => return Ok(vec![line]),
    };
    let test = match of::mann_whitney(&a, &b, settings.alternative, method) {
        Ok(test) => test,
        Err(why) => return Ok(vec![line.without(why)]),
    };
    line.set("u1", test.u1);
    line.set("u2", test.u2);
    line.set("auc", test.auc);
    line.set("z", test.z);
    line.set("p_asymptotic", test.p_normal.clone());
    line.set("p_asymptotic_cc", test.p_corrected);
    line.set("p_exact", test.p_exact.clone());
    set_p(
        &mut line,
        [("exact", test.p_exact), ("asymptotic", test.p_normal)],
    );
    Ok(vec![line])
}

pub(super) const EFFECT_SIZE_INDEPENDENT: Measure = Measure {
    name: "effect-size-independent",
    about: "how far two samples are apart, in units of their spread and in ranks",
    unit: "value",
    needs: NEEDS,
    takes: &[Role::Item],
    settings: &[Setting::Base],
    keys: &[],
    gives: &[
        column(
            "hedges_g",
            Number,
            "`cohens_d` with the exact correction for few values",
        ),
        column("hedges_g_approx", Number, "`cohens_d` times 1 − 3/(4n − 9)"),
        column(
            "cohens_d",
            Number,
            "the difference of both means over their pooled sd",
        ),
        column(
            "cliffs_delta",
            Number,
            "how much more often a value of the first sample is greater than smaller",
        ),
        column(
            "rank_biserial",
            Number,
            "the rank-biserial correlation, which is `cliffs_delta`",
        ),
        column("n1", Whole, "how many values the first sample has"),
        column("n2", Whole, "how many the second has"),
    ],
    compute: effect_size,
};

fn effect_size(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    let (mut line, [a, b]) = match line_of_two(Samples::read(data)?, settings) {
        Ok(read) => read,
        Err(line) => return Ok(vec![line]),
    };
    let sizes = of::independent(&a, &b)?;
    line.set("hedges_g", sizes.hedges_g);
    line.set("hedges_g_approx", sizes.hedges_g_approx);
    line.set("cohens_d", sizes.cohens_d);
    line.set("cliffs_delta", sizes.cliffs_delta.clone());
    line.set("rank_biserial", sizes.cliffs_delta);
    Ok(vec![line])
}
