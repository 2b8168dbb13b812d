//! Agreement pair by pair, and the ceiling that raters set among themselves.

use super::super::Holds::{Number, Tested, Whole};
use super::super::{Cell, Code, Data, Line, Measure, NoValue, Role, Settings, column};
use super::coefficients::{SETTINGS, set_kappa};
use super::gathered::{Categories, Gathered, REFERENCE};
use crate::stats::agreement::{Cohen, Weights, cohen};
use crate::stats::correlation::{Value, kendall, pearson, spearman};
use crate::stats::interval::check_level;
use crate::stats::{StatsError, mean};

/// The most raters of whom all pairs are looked at.
const MOST_RATERS: usize = 200;

/// Every pair of raters.
pub(super) const AGREEMENT_PAIRS: Measure = Measure {
    name: "agreement-pairs",
    about: "how far each two raters agree, and each with a reference",
    unit: "item",
    needs: &[Role::Value],
    takes: &[Role::Item, Role::Rater, Role::Reference],
    settings: SETTINGS,
    keys: &["rater", "against"],
    gives: &[
        column(
            "agreement",
            Number,
            "the share of items of which both say the same",
        ),
        column("cohen", Tested, "Cohen's kappa by `weights`"),
        column("cohen_se", Number, "its standard error"),
        column(
            "cohen_ci_low",
            Number,
            "the lower end of its interval, which is not cut",
        ),
        column("cohen_ci_high", Number, "its upper end"),
        column(
            "pearson",
            Number,
            "Pearson's r of both, where they are numbers",
        ),
        column("spearman", Number, "Spearman's rho"),
        column("kendall", Number, "Kendall's tau-b"),
    ],
    compute: agreement_pairs,
};

/// Raters among themselves beside raters and the reference.
pub(super) const CEILING: Measure = Measure {
    name: "ceiling",
    about: "how far raters agree among themselves, beside how far each agrees with a reference",
    unit: "item",
    needs: &[Role::Item, Role::Rater, Role::Value],
    takes: &[Role::Reference],
    settings: SETTINGS,
    keys: &["between"],
    gives: &[
        column(
            "agreement",
            Number,
            "the share of items of which two say the same, the mean over pairs",
        ),
        column(
            "cohen",
            Number,
            "Cohen's kappa by `weights`, the mean over pairs that have one",
        ),
        column(
            "pearson",
            Number,
            "Pearson's r, the mean over pairs that have one",
        ),
        column(
            "spearman",
            Number,
            "Spearman's rho, the mean over pairs that have one",
        ),
        column(
            "kendall",
            Number,
            "Kendall's tau-b, the mean over pairs that have one",
        ),
        column("pairs", Whole, "how many pairs have an item in common"),
        column("pairs_kappa", Whole, "how many of them have a kappa"),
        column(
            "pairs_correlation",
            Whole,
            "how many of them have correlations",
        ),
    ],
    compute: ceiling,
};

/// Two raters and what they have in common.
struct Pair {
    raters: [usize; 2],
    /// How many items both rated.
    n: usize,
    agreement: Value,
    cohen: Cohen,
    pearson: Value,
    spearman: Value,
    kendall: Value,
}

fn nothing(data: &Data, keys: &[&str], why: NoValue) -> Vec<Line> {
    let mut line = Line::of(0, data.len()).without(why);
    line.keys = keys.iter().map(|key| (*key).to_owned()).collect();
    vec![line]
}

/// All pairs in the order of the raters' names, the reference last.
fn pairs(
    gathered: &Gathered,
    settings: &Settings,
) -> Result<Result<Vec<Pair>, NoValue>, StatsError> {
    let categories = Categories::of(gathered.cells(), settings);
    let weights = categories.weights(settings)?;
    let raters = gathered.raters.len();
    if raters > MOST_RATERS {
        let why = format!("{raters} raters; pairs are looked at of up to {MOST_RATERS}");
        return Ok(Err(NoValue::new(Code::TooMany, why)));
    }
    if raters < 2 {
        return Ok(Err(NoValue::new(Code::SingleRater, "it takes two raters")));
    }
    let mut pairs = Vec::new();
    for first in 0..raters {
        for second in first + 1..raters {
            match pair(
                gathered,
                [first, second],
                &categories,
                (weights, settings.level),
            ) {
                Ok(pair) => pairs.push(pair),
                Err(why) => return Ok(Err(why)),
            }
        }
    }
    Ok(Ok(pairs))
}

fn pair(
    gathered: &Gathered,
    raters: [usize; 2],
    categories: &Categories,
    (weights, level): (Weights, f64),
) -> Result<Pair, NoValue> {
    let both: Vec<[&Cell; 2]> = gathered
        .items
        .iter()
        .filter_map(|item| Some([item.get(&raters[0])?, item.get(&raters[1])?]))
        .collect();
    let mut places = Vec::with_capacity(both.len());
    for [first, second] in &both {
        places.push((categories.place(first)?, categories.place(second)?));
    }
    let n = both.len();
    let same = places
        .iter()
        .filter(|(first, second)| first == second)
        .count();
    let few = || NoValue::new(Code::TooFew, "no item has a label of both");
    let numbers: Option<(Vec<f64>, Vec<f64>)> = both
        .iter()
        .map(|[first, second]| Some((first.number()?, second.number()?)))
        .collect();
    let numbers =
        numbers.ok_or_else(|| NoValue::new(Code::InvalidParameter, "the labels are no numbers"));
    let of = |coefficient: fn(&[f64], &[f64]) -> Value| {
        numbers.clone().and_then(|(x, y)| coefficient(&x, &y))
    };
    Ok(Pair {
        raters,
        n,
        agreement: (n > 0).then(|| same as f64 / n as f64).ok_or_else(few),
        cohen: cohen(&places, categories.names.len(), weights, level),
        pearson: of(pearson),
        spearman: of(spearman),
        kendall: of(|x, y| kendall(x, y).tau),
    })
}

fn agreement_pairs(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let gathered = match Gathered::read(data)? {
        Ok(gathered) => gathered,
        Err(why) => return Ok(nothing(data, &["", ""], why)),
    };
    let found = match pairs(&gathered, settings)? {
        Ok(found) => found,
        Err(why) => return Ok(nothing(data, &["", ""], why)),
    };
    let items = gathered.items.len();
    let lines = found.into_iter().map(|pair| {
        let mut line = Line::of(pair.n, items - pair.n);
        line.keys = pair
            .raters
            .map(|rater| gathered.raters[rater].clone())
            .to_vec();
        line.set("agreement", pair.agreement);
        set_kappa(&mut line, pair.cohen);
        line.set("pearson", pair.pearson);
        line.set("spearman", pair.spearman);
        line.set("kendall", pair.kendall);
        line
    });
    Ok(lines.collect())
}

fn ceiling(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let gathered = match Gathered::read(data)? {
        Ok(gathered) => gathered,
        Err(why) => return Ok(nothing(data, &["raters"], why)),
    };
    let found = match pairs(&gathered, settings)? {
        Ok(found) => found,
        Err(why) => return Ok(nothing(data, &["raters"], why)),
    };
    let with_reference = |pair: &&Pair| {
        gathered
            .reference
            .is_some_and(|reference| pair.raters.contains(&reference))
    };
    let (against, among): (Vec<&Pair>, Vec<&Pair>) = found.iter().partition(with_reference);
    let mut lines = vec![mean_of(&gathered, "raters", &among)];
    if data.column(Role::Reference).is_some() {
        lines.push(mean_of(&gathered, REFERENCE, &against));
    }
    Ok(lines)
}

/// The means over pairs; n is how many items at least one of the pairs has in common.
fn mean_of(gathered: &Gathered, between: &str, pairs: &[&Pair]) -> Line {
    let common = |item: &&std::collections::BTreeMap<usize, Cell>| {
        let has_reference = gathered.reference.is_some_and(|it| item.contains_key(&it));
        let raters = item.len() - usize::from(has_reference);
        if between == REFERENCE {
            has_reference && raters > 0
        } else {
            raters > 1
        }
    };
    let n = gathered.items.iter().filter(common).count();
    let mut line = Line::of(n, gathered.items.len() - n);
    line.keys = vec![between.to_owned()];
    let of = |value: fn(&Pair) -> &Value| {
        let values = pairs.iter().map(|pair| value(pair));
        let first = values.clone().find_map(|value| value.clone().err());
        let values: Vec<f64> = values.flatten().copied().collect();
        let none =
            || first.unwrap_or_else(|| NoValue::new(Code::SingleRater, "there is no such pair"));
        (values.len(), mean(&values).ok_or_else(none))
    };
    let (common, agreement) = of(|pair| &pair.agreement);
    let (kappas, kappa) = of(|pair| &pair.cohen.kappa);
    let (correlations, pearson) = of(|pair| &pair.pearson);
    line.set("agreement", agreement);
    line.set("cohen", kappa);
    line.set("pearson", pearson);
    line.set("spearman", of(|pair| &pair.spearman).1);
    line.set("kendall", of(|pair| &pair.kendall).1);
    line.set("pairs", common);
    line.set("pairs_kappa", kappas);
    line.set("pairs_correlation", correlations);
    line
}
