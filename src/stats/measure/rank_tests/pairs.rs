//! Tests and effect sizes of pairs: a value and what it is held against, item by item.

use crate::stats::StatsError;
use crate::stats::measure::Holds::{Number, PValue, Tested, Text, Whole};
use crate::stats::measure::read::{Complete, choice};
use crate::stats::measure::samples::{hits, set_p};
use crate::stats::measure::{Code, Data, Line, Measure, NoValue, Role, Setting, Settings, column};
use crate::stats::rank::{self as of, Differences, Zeros};

/// What tests of pairs need and take.
const NEEDS: &[Role] = &[Role::Value, Role::Reference];
const TAKES: &[Role] = &[Role::Item];

pub(super) const WILCOXON: Measure = Measure {
    name: "wilcoxon",
    about: "whether differences of pairs lie symmetrically around 0, by their ranks",
    unit: "pair",
    needs: NEEDS,
    takes: TAKES,
    settings: &[Setting::Alternative, Setting::Method],
    keys: &[],
    gives: &[
        column(
            "w_plus",
            Tested,
            "the sum of the ranks of differences above 0",
        ),
        column(
            "w_minus",
            Number,
            "the sum of the ranks of differences below 0",
        ),
        column(
            "p",
            PValue,
            "`p_exact`; `p_asymptotic` where there are more than 200 differences other than 0",
        ),
        column("p_method", Text, "which of both `p` is"),
        column(
            "p_exact",
            PValue,
            "the share of all signs of the observed mid-ranks that give a sum as extreme",
        ),
        column("p_asymptotic", PValue, "the p-value of `z`"),
        column("p_asymptotic_cc", PValue, "the p-value of `z_cc`"),
        column(
            "z",
            Number,
            "`w_plus` less its mean over its standard deviation, with ties",
        ),
        column("z_cc", Number, "`z` with a continuity correction of ½"),
        column("zeros", Whole, "how many differences are 0"),
        column("mean", Number, "the mean difference"),
    ],
    compute: wilcoxon,
};

fn wilcoxon(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    let unknown = StatsError::Choice {
        setting: "method",
        known: "`wilcox`, which drops differences of 0 before ranking, and `pratt`, which does after",
    };
    let zeros = [("wilcox", Zeros::Drop), ("pratt", Zeros::Rank)];
    let zeros = choice(settings.method.as_deref(), &zeros, unknown)?;
    let (mut line, differences) = match read(data)? {
        Ok(read) => read,
        Err(line) => return Ok(vec![line]),
    };
    let values = &differences.values;
    line.set("zeros", values.iter().filter(|d| **d == 0.0).count());
    let ranks = match of::wilcoxon(values, zeros, settings.alternative) {
        Ok(ranks) => ranks,
        Err(why) => return Ok(vec![line.without(why)]),
    };
    line.set("w_plus", ranks.plus);
    line.set("w_minus", ranks.minus);
    line.set("z", ranks.z);
    line.set("z_cc", ranks.z_corrected);
    line.set("p_asymptotic", ranks.p_normal);
    line.set("p_asymptotic_cc", ranks.p_corrected);
    line.set("p_exact", ranks.p_exact.clone());
    set_p(
        &mut line,
        [("exact", ranks.p_exact), ("asymptotic", Ok(ranks.p_normal))],
    );
    Ok(vec![line])
}

pub(super) const SIGN: Measure = Measure {
    name: "sign",
    about: "whether differences of pairs are above 0 as often as below",
    unit: "pair",
    needs: NEEDS,
    takes: TAKES,
    settings: &[Setting::Alternative],
    keys: &[],
    gives: &[
        column(
            "win_share",
            Tested,
            "the share of differences above 0 among those other than 0",
        ),
        column(
            "p",
            PValue,
            "the exact binomial p-value of `wins` among `wins` and `losses`",
        ),
        column("wins", Whole, "differences above 0"),
        column("losses", Whole, "differences below 0"),
        column("ties", Whole, "differences of 0, which the test leaves out"),
        column("mean", Number, "the mean difference"),
    ],
    compute: sign,
};

fn sign(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    let (mut line, differences) = match read(data)? {
        Ok(read) => read,
        Err(line) => return Ok(vec![line]),
    };
    let signs = of::sign_test(&differences.values, settings.alternative);
    line.set("wins", signs.wins as f64);
    line.set("losses", signs.losses as f64);
    line.set("ties", signs.ties as f64);
    line.set("win_share", signs.share);
    line.set("p", signs.p);
    Ok(vec![line])
}

pub(super) const PERMUTATION: Measure = Measure {
    name: "permutation",
    about: "whether the mean difference of pairs is 0, by giving differences other signs",
    unit: "pair",
    needs: NEEDS,
    takes: TAKES,
    settings: &[Setting::Alternative, Setting::Method, Setting::Resamples],
    keys: &[],
    gives: &[
        column("mean", Tested, "the mean difference"),
        column(
            "p",
            PValue,
            "`p_exact`; `p_monte_carlo` where there are too many signs to go through, or where `method` asks for it",
        ),
        column("p_method", Text, "which of both `p` is"),
        column(
            "p_exact",
            PValue,
            "the share of all signs that give a mean as far from 0",
        ),
        column(
            "p_monte_carlo",
            PValue,
            "the same among drawn signs, (b + 1)/(B + 1) of B draws",
        ),
    ],
    compute: permutation,
};

fn permutation(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    let unknown = StatsError::Choice {
        setting: "method",
        known: "`exact`, which draws only where it must, and `monte-carlo`",
    };
    let methods = [("exact", false), ("monte-carlo", true)];
    let drawn = choice(settings.method.as_deref(), &methods, unknown)?;
    let (mut line, differences) = match read(data)? {
        Ok(read) => read,
        Err(line) => return Ok(vec![line]),
    };
    let flips = match of::flips(&differences) {
        Ok(flips) => flips,
        Err(why) => return Ok(vec![line.without(why)]),
    };
    let tail = settings.alternative;
    let exact = of::flip_exact(&flips, tail);
    let monte_carlo = if drawn || exact.is_err() {
        of::flip_monte_carlo(&flips, tail, settings.resamples, settings.seed)
    } else {
        let why = "nothing is drawn, since all signs were gone through";
        Err(NoValue::new(Code::InvalidParameter, why))
    };
    line.set("p_exact", exact.clone());
    line.set("p_monte_carlo", monte_carlo.clone());
    let mut both = [("exact", exact), ("Monte Carlo", monte_carlo)];
    if drawn {
        both.reverse();
    }
    set_p(&mut line, both);
    Ok(vec![line])
}

pub(super) const MCNEMAR: Measure = Measure {
    name: "mcnemar",
    about: "whether two shares of the same items differ, by the items that only one side has",
    unit: "pair",
    needs: NEEDS,
    takes: TAKES,
    settings: &[Setting::Positive],
    keys: &[],
    gives: &[
        column(
            "difference",
            Tested,
            "the share of hits of the values less that of the reference",
        ),
        column(
            "p",
            PValue,
            "the exact p-value: twice the smaller binomial tail",
        ),
        column("p_mid", PValue, "the mid-p value"),
        column(
            "chi2",
            Number,
            "(b − c)²/(b + c) of `only_value` and `only_reference`",
        ),
        column("p_chi2", PValue, "the p-value of `chi2`"),
        column("chi2_cc", Number, "(|b − c| − 1)²/(b + c)"),
        column("p_chi2_cc", PValue, "the p-value of `chi2_cc`"),
        column(
            "only_value",
            Whole,
            "items that count on the side of the values alone",
        ),
        column(
            "only_reference",
            Whole,
            "items that count on the side of the reference alone",
        ),
    ],
    compute: mcnemar,
};

fn mcnemar(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    let sides = [Role::Value, Role::Reference].map(|role| hits(data, role, settings));
    let [values, reference] = sides;
    let (values, reference) = (values?, reference?);
    let pairs = values.iter().zip(&reference);
    let complete: Vec<(bool, bool)> = pairs.filter_map(|(a, b)| (*a).zip(*b)).collect();
    let n = complete.len();
    let only = |first: bool| {
        let those = complete.iter().filter(|pair| **pair == (first, !first));
        those.count() as u64
    };
    let (b, c) = (only(true), only(false));
    let mut line = Line::of(n, data.len() - n);
    line.set("only_value", b as f64);
    line.set("only_reference", c as f64);
    if n > 0 {
        line.set("difference", (b as f64 - c as f64) / n as f64);
    }
    let test = match of::mcnemar(n as u64, b, c) {
        Ok(test) => test,
        Err(why) => return Ok(vec![line.without(why)]),
    };
    line.set("p", test.p_exact);
    line.set("p_mid", test.p_mid);
    line.set("chi2", test.chi2);
    line.set("p_chi2", test.p_chi2);
    line.set("chi2_cc", test.chi2_corrected);
    line.set("p_chi2_cc", test.p_corrected);
    Ok(vec![line])
}

pub(super) const EFFECT_SIZE: Measure = Measure {
    name: "effect-size",
    about: "how large differences of pairs are, in units of their spread and in ranks",
    unit: "pair",
    needs: NEEDS,
    takes: TAKES,
    settings: &[],
    keys: &[],
    gives: &[
        column(
            "dz",
            Number,
            "the mean difference over the sd of the differences",
        ),
        column(
            "g_z",
            Number,
            "`dz` with the exact correction of Hedges for few pairs",
        ),
        column(
            "d_av",
            Number,
            "the mean difference over the mean of both sds",
        ),
        column(
            "d_av_rms",
            Number,
            "the mean difference over the root of the mean of both variances",
        ),
        column(
            "rank_biserial",
            Number,
            "the rank sum of differences above 0 less that below, over both; zeros dropped",
        ),
        column("mean", Number, "the mean difference"),
    ],
    compute: effect_size,
};

fn effect_size(data: &Data, _: &Settings) -> Result<Vec<Line>, StatsError> {
    let complete = Complete::read(data, [Role::Value, Role::Reference], |_| true)?;
    let [left, right] = &complete.columns;
    let (mut line, differences) = match line_of(&complete) {
        Ok(read) => read,
        Err(line) => return Ok(vec![line]),
    };
    let sizes = of::paired(left, right, &differences)?;
    line.set("dz", sizes.dz);
    line.set("g_z", sizes.g_z);
    line.set("d_av", sizes.d_av);
    line.set("d_av_rms", sizes.d_av_rms);
    line.set("rank_biserial", sizes.rank_biserial);
    Ok(vec![line])
}

/// The differences of complete pairs, with a line that holds their mean; or a line without values.
fn read(data: &Data) -> Result<Result<(Line, Differences), Line>, StatsError> {
    let complete = Complete::read(data, [Role::Value, Role::Reference], |_| true)?;
    Ok(line_of(&complete))
}

fn line_of(complete: &Complete<2>) -> Result<(Line, Differences), Line> {
    let mut line = Line::of(complete.n(), complete.dropped);
    let [left, right] = &complete.columns;
    let Some(differences) = of::differences(left, right) else {
        let why = NoValue::new(Code::Undefined, "a difference is too large for a number");
        return Err(line.without(why));
    };
    let too_few = || NoValue::new(Code::TooFew, "there is no complete pair");
    line.set("mean", differences.mean().ok_or_else(too_few));
    Ok((line, differences))
}
