//! `agreement`: all coefficients of all raters together.

use super::super::Holds::{Number, Tested, Whole};
use super::super::{Code, Data, Line, Measure, NoValue, Role, Setting, Settings, column};
use super::gathered::{Categories, Gathered};
use crate::stats::StatsError;
use crate::stats::agreement::{self as of, Chance, Cohen, Corrected, Metric, Ratings, Weights};
use crate::stats::interval::check_level;

/// How far raters agree.
pub(super) const AGREEMENT: Measure = Measure {
    name: "agreement",
    about: "how far raters agree beyond chance: all of them together",
    unit: "item",
    needs: &[Role::Value],
    takes: &[Role::Item, Role::Rater, Role::Reference],
    settings: SETTINGS,
    keys: &[],
    gives: &[
        column(
            "agreement",
            Number,
            "the share of pairs of raters who say the same of an item, the mean over items",
        ),
        column(
            "agreement_pooled",
            Number,
            "the share of agreeing pairs among those of all items",
        ),
        column(
            "all_agree",
            Number,
            "the share of items on which all say the same",
        ),
        column("raters", Whole, "how many raters there are"),
        column(
            "observed",
            Number,
            "as `agreement`, with disagreements by `weights`",
        ),
        column("cohen", Tested, "Cohen's kappa, of two raters"),
        column("cohen_se", Number, "its standard error"),
        column(
            "cohen_ci_low",
            Number,
            "the lower end of its interval, which is not cut",
        ),
        column("cohen_ci_high", Number, "its upper end"),
        column(
            "cohen_expected",
            Number,
            "what the margins of the two raters let expect of `observed`",
        ),
        column(
            "fleiss",
            Tested,
            "Fleiss' kappa over all items with a label",
        ),
        column("fleiss_se", Number, "its standard error"),
        column("fleiss_ci_low", Number, "the lower end of its interval"),
        column("fleiss_ci_high", Number, "its upper end"),
        column(
            "fleiss_expected",
            Number,
            "what the shares of categories let expect of `observed`",
        ),
        column(
            "fleiss_complete",
            Number,
            "Fleiss' kappa over the items that every rater labelled",
        ),
        column(
            "items_complete",
            Whole,
            "how many items every rater labelled",
        ),
        column(
            "items_labelled",
            Whole,
            "how many items have a label at all",
        ),
        column("gwet", Tested, "Gwet's AC1; with `weights` his AC2"),
        column("gwet_se", Number, "its standard error"),
        column("gwet_ci_low", Number, "the lower end of its interval"),
        column("gwet_ci_high", Number, "its upper end"),
        column("gwet_expected", Number, "what it takes to be chance"),
        column(
            "alpha_nominal",
            Number,
            "Krippendorff's alpha of labels without order",
        ),
        column(
            "alpha_ordinal",
            Number,
            "Krippendorff's alpha of labels with an order",
        ),
        column("alpha_interval", Number, "Krippendorff's alpha of numbers"),
        column(
            "alpha_ratio",
            Number,
            "Krippendorff's alpha of numbers with a true zero",
        ),
        column(
            "values_paired",
            Whole,
            "how many labels stand on items with two or more",
        ),
    ],
    compute: agreement,
};

/// What agreement depends on.
pub(super) const SETTINGS: &[Setting] = &[
    Setting::Level,
    Setting::Categories,
    Setting::Scale,
    Setting::Weights,
];

/// The alphas and what they take values for.
const ALPHAS: [(&str, Metric); 4] = [
    ("alpha_nominal", Metric::Nominal),
    ("alpha_ordinal", Metric::Ordinal),
    ("alpha_interval", Metric::Interval),
    ("alpha_ratio", Metric::Ratio),
];

fn agreement(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let gathered = match Gathered::read(data)? {
        Ok(gathered) => gathered,
        Err(why) => return Ok(vec![Line::of(0, data.len()).without(why)]),
    };
    let categories = Categories::of(gathered.cells(), settings);
    let weights = categories.weights(settings)?;
    let paired = gathered.items.iter().filter(|item| item.len() > 1);
    let n = paired.clone().count();
    let mut line = Line::of(n, gathered.items.len() - n);
    let ratings = match gathered.ratings(&categories) {
        Ok(ratings) => ratings,
        Err(why) => return Ok(vec![line.without(why)]),
    };
    let raw = ratings.raw();
    line.set("agreement", raw.agreement);
    line.set("agreement_pooled", raw.pooled);
    line.set("all_agree", raw.all_agree);
    line.set("raters", ratings.raters);
    line.set(
        "values_paired",
        paired.map(std::collections::BTreeMap::len).sum::<usize>(),
    );
    set_cohen(&mut line, &ratings, weights, settings.level);
    let corrected =
        |ratings: &Ratings, chance| of::corrected(ratings, weights, chance, settings.level);
    let fleiss = corrected(&ratings, Chance::Fleiss);
    line.set("observed", fleiss.observed.clone());
    line.set("items_labelled", fleiss.items);
    let names = [
        "fleiss",
        "fleiss_se",
        "fleiss_ci_low",
        "fleiss_ci_high",
        "fleiss_expected",
    ];
    set_corrected(&mut line, names, fleiss);
    let names = [
        "gwet",
        "gwet_se",
        "gwet_ci_low",
        "gwet_ci_high",
        "gwet_expected",
    ];
    set_corrected(&mut line, names, corrected(&ratings, Chance::Gwet));
    let complete = ratings.complete();
    line.set("items_complete", complete.items.len());
    line.set(
        "fleiss_complete",
        corrected(&complete, Chance::Fleiss).coefficient,
    );
    for (name, metric) in ALPHAS {
        line.set(
            name,
            units(&gathered, &ratings, metric, &categories)
                .and_then(|units| of::krippendorff(&units, metric)),
        );
    }
    Ok(vec![line])
}

/// The values of items as a level of measurement sees them.
fn units(
    gathered: &Gathered,
    ratings: &Ratings,
    metric: Metric,
    categories: &Categories,
) -> Result<Vec<Vec<f64>>, NoValue> {
    let places = || {
        let items = ratings.items.iter();
        items
            .map(|item| item.iter().map(|(_, place)| *place as f64).collect())
            .collect()
    };
    match metric {
        Metric::Nominal => Ok(places()),
        Metric::Ordinal if categories.ordered => Ok(places()),
        Metric::Ordinal => {
            let why = "the labels have no order; `categories` gives one";
            Err(NoValue::new(Code::InvalidParameter, why))
        }
        Metric::Interval | Metric::Ratio => gathered.numbers(),
    }
}

/// Cohen's kappa of the two raters, if there are two.
fn set_cohen(line: &mut Line, ratings: &Ratings, weights: Weights, level: f64) {
    let why = match ratings.raters {
        2 => None,
        0 | 1 => Some(NoValue::new(Code::SingleRater, "kappa takes two raters")),
        raters => {
            let why = format!(
                "Cohen's kappa is of two raters, here are {raters}; `agreement-pairs` gives it pair by pair"
            );
            Some(NoValue::new(Code::Undefined, why))
        }
    };
    if let Some(why) = why {
        for name in [
            "cohen",
            "cohen_se",
            "cohen_ci_low",
            "cohen_ci_high",
            "cohen_expected",
        ] {
            line.set(name, Err::<f64, _>(why.clone()));
        }
        return;
    }
    let both = ratings.items.iter().filter_map(|item| match item[..] {
        [(_, first), (_, second)] => Some((first, second)),
        _ => None,
    });
    let cohen = of::cohen(
        &both.collect::<Vec<_>>(),
        ratings.categories,
        weights,
        level,
    );
    line.set("cohen_expected", cohen.expected.clone());
    set_kappa(line, cohen);
}

/// The columns of a kappa with its error.
pub(super) fn set_kappa(line: &mut Line, cohen: Cohen) {
    line.set("cohen", cohen.kappa);
    line.set("cohen_se", cohen.se);
    line.set_ends(["cohen_ci_low", "cohen_ci_high"], cohen.interval);
}

fn set_corrected(line: &mut Line, names: [&'static str; 5], corrected: Corrected) {
    let [coefficient, se, low, high, expected] = names;
    line.set(coefficient, corrected.coefficient);
    line.set(se, corrected.se);
    line.set_ends([low, high], corrected.interval);
    line.set(expected, corrected.expected);
}
