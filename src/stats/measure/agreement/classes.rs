//! `classification`, `classes` and `confusion`: a judge's labels against the true ones.

use std::collections::BTreeMap;

use super::super::Holds::{Number, Whole};
use super::super::{Cell, Code, Data, Line, Measure, NoValue, Role, Setting, Settings, column};
use super::gathered::Categories;
use crate::stats::agreement::{self as of, Class};
use crate::stats::correlation::Value;
use crate::stats::interval::check_level;
use crate::stats::{StatsError, wilson};

/// All classes together.
pub(super) const CLASSIFICATION: Measure = Measure {
    name: "classification",
    about: "how well a judge's labels meet the true ones",
    unit: "pair",
    needs: &[Role::Value, Role::Reference],
    takes: &[Role::Item],
    settings: &[Setting::Level, Setting::Categories, Setting::Positive],
    keys: &[],
    gives: &[
        column("accuracy", Number, "the share of labels that are right"),
        column(
            "ci_low",
            Number,
            "the lower end of its interval, after Wilson",
        ),
        column("ci_high", Number, "its upper end"),
        column(
            "balanced_accuracy",
            Number,
            "the mean recall of the classes that are true of something",
        ),
        column(
            "macro_f1",
            Number,
            "the mean F1 of the classes that occur on either side",
        ),
        column(
            "weighted_f1",
            Number,
            "the mean F1, weighted by how often a class is true",
        ),
        column(
            "macro_precision",
            Number,
            "the mean precision of the classes that the judge gives",
        ),
        column(
            "mcc",
            Number,
            "Matthews' correlation, of any number of classes",
        ),
        column("precision", Number, "the precision of `positive`"),
        column("recall", Number, "the recall of `positive`: sensitivity"),
        column(
            "specificity",
            Number,
            "the share of other labels among the pairs of which `positive` is not true",
        ),
        column("f1", Number, "the F1 of `positive`"),
    ],
    compute: classification,
};

/// Class by class.
pub(super) const CLASSES: Measure = Measure {
    name: "classes",
    about: "precision and recall of a judge, class by class",
    unit: "pair",
    needs: &[Role::Value, Role::Reference],
    takes: &[Role::Item],
    settings: &[Setting::Categories],
    keys: &["class"],
    gives: &[
        column("f1", Number, "2TP/(2TP + FP + FN)"),
        column(
            "precision",
            Number,
            "the share of the judge's labels of this class that are right",
        ),
        column(
            "recall",
            Number,
            "the share of this class that the judge finds",
        ),
        column("support", Whole, "how often the class is true"),
        column("given", Whole, "how often the judge gives it"),
        column("hits", Whole, "how often both"),
    ],
    compute: classes,
};

/// Counts of cells.
pub(super) const CONFUSION: Measure = Measure {
    name: "confusion",
    about: "how often a judge gives which label where which one is true",
    unit: "pair",
    needs: &[Role::Value, Role::Reference],
    takes: &[Role::Item],
    settings: &[Setting::Categories],
    keys: &["truth", "given"],
    gives: &[
        column("count", Whole, "how many pairs"),
        column("share", Number, "their share of all"),
        column(
            "share_of_truth",
            Number,
            "their share of those of which `truth` is true",
        ),
        column(
            "share_of_given",
            Number,
            "their share of those that the judge labels `given`",
        ),
    ],
    compute: confusion,
};

/// The most classes that are listed, and all cells of which are.
const MOST_CLASSES: usize = 300;

/// Labels as places among classes, of the rows that have both.
struct Labelled {
    classes: Vec<String>,
    categories: Categories,
    /// (true, given).
    labels: Vec<(usize, usize)>,
    dropped: usize,
}

/// Reads the labels; or why there are none, with a line of the counts.
fn labels(data: &Data, settings: &Settings) -> Result<Labelled, Line> {
    let both = |row: &usize| {
        let [value, truth] = [Role::Value, Role::Reference].map(|role| data.cell(role, *row));
        !value.is_absent() && !truth.is_absent()
    };
    let rows: Vec<usize> = (0..data.len()).filter(both).collect();
    let dropped = data.len() - rows.len();
    let cells = rows
        .iter()
        .flat_map(|&row| [Role::Reference, Role::Value].map(|role| data.cell(role, row)));
    let categories = Categories::of(cells, settings);
    let place = |cell: &Cell| categories.place(cell);
    let mut labels = Vec::with_capacity(rows.len());
    for &row in &rows {
        let truth = place(data.cell(Role::Reference, row));
        match (truth, place(data.cell(Role::Value, row))) {
            (Ok(truth), Ok(given)) => labels.push((truth, given)),
            (Err(why), _) | (_, Err(why)) => return Err(Line::of(rows.len(), dropped).without(why)),
        }
    }
    let classes = categories.names.clone();
    Ok(Labelled {
        classes,
        categories,
        labels,
        dropped,
    })
}

/// Refuses more classes than are listed: numbers that are no labels, mostly.
fn listed(labelled: Labelled) -> Result<Labelled, Line> {
    let classes = labelled.classes.len();
    if classes <= MOST_CLASSES {
        return Ok(labelled);
    }
    let why = format!("{classes} classes; up to {MOST_CLASSES} are listed");
    let line = Line::of(labelled.labels.len(), labelled.dropped);
    Err(line.without(NoValue::new(Code::TooMany, why)))
}

fn classification(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let Labelled {
        classes,
        labels,
        dropped,
        categories,
    } = match labels(data, settings) {
        Ok(labels) => labels,
        Err(line) => return Ok(vec![line]),
    };
    let found = of::classification(&labels, classes.len());
    let n = labels.len();
    let mut line = Line::of(n, dropped);
    let none = || NoValue::new(Code::TooFew, "no row has both labels");
    let interval = wilson(found.right as u64, n as u64, settings.level).ok_or_else(none);
    line.set_ends(["ci_low", "ci_high"], interval);
    line.set("accuracy", found.accuracy);
    line.set("balanced_accuracy", found.balanced_accuracy);
    line.set("macro_f1", found.macro_f1);
    line.set("weighted_f1", found.weighted_f1);
    line.set("macro_precision", found.macro_precision);
    line.set("mcc", found.mcc);
    let positive = settings.positive.as_ref().map_or_else(
        || {
            Err(NoValue::new(
                Code::InvalidParameter,
                "`positive` is not given",
            ))
        },
        |positive| {
            let unknown = || {
                let why = format!("`positive` is `{positive}`, which is no label here");
                NoValue::new(Code::InvalidParameter, why)
            };
            let place = categories.place(&Cell::Text(positive.clone()));
            place.map_err(|_| unknown())
        },
    );
    let class = positive.map(|place| &found.classes[place]);
    let of_class =
        |value: fn(&Class) -> &Value| class.clone().and_then(|class| value(class).clone());
    line.set("precision", of_class(|class| &class.precision));
    line.set("recall", of_class(|class| &class.recall));
    line.set("f1", of_class(|class| &class.f1));
    line.set(
        "specificity",
        class.clone().and_then(|class| {
            let negative = n - class.support;
            let right = negative - (class.given - class.hits);
            let none = || NoValue::new(Code::Undefined, "`positive` is true of all");
            (negative > 0)
                .then(|| right as f64 / negative as f64)
                .ok_or_else(none)
        }),
    );
    Ok(vec![line])
}

#[expect(clippy::unnecessary_wraps, reason = "as measures are computed")]
fn classes(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    let Labelled {
        classes,
        labels,
        dropped,
        ..
    } = match labels(data, settings).and_then(listed) {
        Ok(labels) => labels,
        Err(line) => return Ok(vec![keyed(line, [""])]),
    };
    let found = of::classification(&labels, classes.len());
    let lines = classes.iter().zip(found.classes).map(|(name, class)| {
        let mut line = keyed(Line::of(labels.len(), dropped), [name]);
        line.set("precision", class.precision);
        line.set("recall", class.recall);
        line.set("f1", class.f1);
        line.set("support", class.support);
        line.set("given", class.given);
        line.set("hits", class.hits);
        line
    });
    Ok(lines.collect())
}

fn keyed<const N: usize>(mut line: Line, keys: [&str; N]) -> Line {
    line.keys = keys.map(str::to_owned).to_vec();
    line
}

#[expect(clippy::unnecessary_wraps, reason = "as measures are computed")]
fn confusion(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    let Labelled {
        classes,
        labels,
        dropped,
        ..
    } = match labels(data, settings).and_then(listed) {
        Ok(labels) => labels,
        Err(line) => return Ok(vec![keyed(line, ["", ""])]),
    };
    let found = of::classification(&labels, classes.len());
    let mut counts = BTreeMap::<(usize, usize), usize>::new();
    for cell in &labels {
        *counts.entry(*cell).or_default() += 1;
    }
    let share = |count: usize, of: usize, why: &str| {
        let none = || NoValue::new(Code::Undefined, why);
        (of > 0).then(|| count as f64 / of as f64).ok_or_else(none)
    };
    let mut lines = Vec::with_capacity(classes.len() * classes.len());
    for (truth, true_name) in classes.iter().enumerate() {
        for (given, given_name) in classes.iter().enumerate() {
            let count = counts.get(&(truth, given)).copied().unwrap_or_default();
            let mut line = keyed(Line::of(labels.len(), dropped), [true_name, given_name]);
            line.set("count", count);
            line.set(
                "share",
                share(count, labels.len(), "no row has both labels"),
            );
            let support = found.classes[truth].support;
            line.set(
                "share_of_truth",
                share(count, support, "this class is true of nothing"),
            );
            let all = found.classes[given].given;
            line.set(
                "share_of_given",
                share(count, all, "this class is never given"),
            );
            lines.push(line);
        }
    }
    Ok(lines)
}
