//! `icc`: intraclass correlations, a line for each form.

use super::super::Holds::{Number, PValue, Tested, Whole};
use super::super::read::{choice, numbers};
use super::super::{Data, Line, Measure, Role, Setting, Settings, column};
use super::gathered::Gathered;
use crate::stats::StatsError;
use crate::stats::agreement::{Model, icc};
use crate::stats::interval::check_level;

/// Intraclass correlations.
pub(super) const ICC: Measure = Measure {
    name: "icc",
    about: "how much of the variance of scores lies between items, and not between raters or in error",
    unit: "item",
    needs: &[Role::Value],
    takes: &[Role::Item, Role::Rater, Role::Reference],
    settings: &[Setting::Level, Setting::Method],
    keys: &["form"],
    gives: &[
        column("icc", Tested, "the intraclass correlation of this form"),
        column("ci_low", Number, "the lower end of its interval"),
        column("ci_high", Number, "its upper end"),
        column("f", Number, "F of the differences between items"),
        column("p", PValue, "the p-value of `f`"),
        column("df", Whole, "the degrees of freedom of items"),
        column("df_error", Whole, "the degrees of freedom of the error"),
        column("raters", Whole, "how many raters there are"),
    ],
    compute,
};

/// What a model is called, its model, and whether it is of the mean of all raters.
type Named = (&'static str, Model, bool);

const MODELS: [Named; 6] = [
    ("1,1", Model::OneWay, false),
    ("2,1", Model::Agreement, false),
    ("3,1", Model::Consistency, false),
    ("1,k", Model::OneWay, true),
    ("2,k", Model::Agreement, true),
    ("3,k", Model::Consistency, true),
];

fn compute(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let choices = MODELS.map(|(name, ..)| (name, name));
    let unknown = StatsError::Choice {
        setting: "method",
        known: "`1,1`, `2,1`, `3,1`, `1,k`, `2,k` and `3,k`",
    };
    let only = settings.method.as_deref();
    let only = only
        .map(|name| choice(Some(name), &choices, unknown))
        .transpose()?;
    let models = MODELS
        .iter()
        .filter(|(name, ..)| only.is_none_or(|only| only == *name));
    // A text is an error, wherever it stands.
    for role in [Role::Value, Role::Reference] {
        numbers(data, role)?;
    }
    let gathered = match Gathered::read(data)? {
        Ok(gathered) => gathered,
        Err(why) => {
            let line = |(name, ..): &Named| {
                let mut line = Line::of(0, data.len()).without(why.clone());
                line.keys = vec![(*name).to_owned()];
                line
            };
            return Ok(models.map(line).collect());
        }
    };
    let raters = gathered.raters.len();
    let complete = gathered
        .items
        .iter()
        .filter(|item| item.len() == raters && raters > 0);
    let scores: Vec<Vec<f64>> = complete
        .map(|item| {
            item.values()
                .filter_map(super::super::Cell::number)
                .collect()
        })
        .collect();
    let line = |&(name, model, of_mean): &Named| {
        let mut line = Line::of(scores.len(), gathered.items.len() - scores.len());
        line.keys = vec![name.to_owned()];
        line.set("raters", raters);
        let found = match icc(&scores, model, of_mean, settings.level) {
            Ok(found) => found,
            Err(why) => return line.without(why),
        };
        line.set("icc", found.icc);
        line.set_ends(["ci_low", "ci_high"], found.interval);
        line.set("f", found.f);
        line.set("p", found.p);
        line.set("df", found.df[0]);
        line.set("df_error", found.df[1]);
        line
    };
    Ok(models.map(line).collect())
}
