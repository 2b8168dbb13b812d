//! `compare`, `orders` and `ties` as they are written, and what follows from them.

use super::raw::RawAcrossRows;
use super::{AcrossRows, Compare, Contenders, MADE, Orders, RawCompare, SHOWN, TIE};
use crate::base::wording::list_of;
use crate::models::local::LocalProvider;
use crate::models::parse::Parser;
use crate::models::score::{Label, Scale};
use crate::models::spec::ModelSpec;
use crate::stage::check::{Checking, columns};
use crate::toml::{OneOrMany, Problems};

/// What follows from a comparison for the rest of a judge.
pub(in crate::stage::judge) struct Checked {
    /// The comparison, if there is one and it is right.
    pub(in crate::stage::judge) compare: Option<Compare>,
    /// What replies may say.
    pub(in crate::stage::judge) scale: Option<Scale>,
    /// The columns that the template is given.
    pub(in crate::stage::judge) variables: Option<OneOrMany<String>>,
}

/// What a judge's table says of comparisons.
#[derive(Clone, Copy)]
pub(in crate::stage::judge) struct Written<'r> {
    /// Its `compare`.
    pub(in crate::stage::judge) compare: Option<&'r RawCompare>,
    /// Its `orders`.
    pub(in crate::stage::judge) orders: Option<Orders>,
    /// Its `ties`.
    pub(in crate::stage::judge) ties: Option<bool>,
    /// The columns that its template is given beside the two texts.
    pub(in crate::stage::judge) variables: Option<&'r OneOrMany<String>>,
}

/// What a judge compares, with a `scale` as it is written.
pub(in crate::stage::judge) fn pair(
    raw: Written<'_>,
    parse: Parser,
    scale: Option<Scale>,
    checking: &Checking<'_>,
    problems: &mut Problems,
) -> Checked {
    let path = |key: &str| [checking.at, &[key.to_owned()]].concat();
    let Some(compare) = raw.compare else {
        if !checking.context.is_written(checking.at, "compare") {
            for key in ["orders", "ties"] {
                idle(key, "for two texts that are compared", checking, problems);
            }
        }
        return Checked {
            compare: None,
            scale,
            variables: raw.variables.cloned(),
        };
    };
    let named = raw.variables.into_iter().flatten().map(String::as_str);
    let others = named.filter(|name| !SHOWN.contains(name));
    let variables = SHOWN.into_iter().chain(others).map(str::to_owned);
    let variables: Vec<String> = variables.collect();
    let scale = scale.or_else(|| {
        let written = checking.context.is_written(checking.at, "scale");
        (parse == Parser::Choice && !written).then(|| of_two(raw.ties.unwrap_or(true)))
    });
    let labels = scale.iter().flat_map(|scale| scale.labels.iter());
    let labels: Vec<&Label> = labels.collect();
    let chooses = !labels.is_empty();
    if chooses {
        choices(&labels, raw.ties, checking, problems);
    } else {
        idle(
            "ties",
            "where replies choose one of the two",
            checking,
            problems,
        );
    }
    let compare = of(compare, &variables, checking, problems).map(|of| Compare {
        of,
        orders: raw.orders.unwrap_or_default(),
        chooses,
    });
    let added = compare.iter().flat_map(Compare::adds).chain(MADE);
    for name in added.filter(|name| checking.axes.iter().any(|axis| axis == name)) {
        checking
            .context
            .problem(
                "spec::bad-name",
                format!("`{name}` is an axis that reaches the judge, and a column of pairs"),
                &path("compare"),
                "adds this column",
            )
            .help("give the axis another name")
            .tell(problems);
    }
    Checked {
        compare,
        scale,
        variables: Some(OneOrMany(variables)),
    }
}

/// The scale of replies that name one of two texts.
fn of_two(ties: bool) -> Scale {
    let label = |name: &str, value: f64, aliases: Vec<String>| Label {
        name: name.to_owned(),
        value,
        aliases,
    };
    let called = |letter: &str, number: &str, word: &str| {
        let mut aliases = vec![number.to_owned(), word.to_owned()];
        for what in [
            "answer",
            "response",
            "text",
            "summary",
            "assistant",
            "model",
            "option",
        ] {
            aliases.extend([letter, number].map(|one| format!("{what} {one}")));
            aliases.push(format!("{word} {what}"));
        }
        aliases
    };
    let mut labels = vec![
        label("A", 1.0, called("A", "1", "first")),
        label("B", 0.0, called("B", "2", "second")),
    ];
    if ties {
        let aliases = ["C", "draw", "equal"].map(str::to_owned);
        labels.push(label(TIE, 0.5, aliases.to_vec()));
    }
    // These are a scale.
    Scale::of_labels(labels).unwrap_or(Scale::HALF_POINTS_1_TO_5)
}

/// Sees that labels say how much of a win they are for the text that is shown first.
fn choices(
    labels: &[&Label],
    ties: Option<bool>,
    checking: &Checking<'_>,
    problems: &mut Problems,
) {
    let context = checking.context;
    let written = context.is_written(checking.at, "scale");
    let path = |key: &str| [checking.at, &[key.to_owned()]].concat();
    let is = |value: f64| {
        let alike = |label: &&&Label| (label.value - value).abs() < 1e-9;
        labels.iter().find(alike)
    };
    let wrong = if let Some(label) = labels
        .iter()
        .find(|label| !(0.0..=1.0).contains(&label.value))
    {
        Some(format!(
            "`{}` = {} is no part of a win",
            label.name, label.value
        ))
    } else if let Some(label) = labels.iter().find(|label| is(1.0 - label.value).is_none()) {
        Some(format!(
            "no label is for the second text what `{}` = {} is for the first",
            label.name, label.value
        ))
    } else {
        let truth = ["yes", "no", "true", "false"];
        let asks = |label: &&&Label| truth.contains(&label.name.to_lowercase().as_str());
        labels
            .iter()
            .find(asks)
            .map(|label| format!("`{}` does not say which of two texts is chosen", label.name))
    };
    if let Some(message) = wrong.filter(|_| written) {
        context
            .problem("spec::bad-scale", message, &path("scale"), "labels of a comparison")
            .help("a label stands for how much of a win it is for the text that is shown first: `labels = { A = 1, B = 0, tie = 0.5 }`; what is said of both together is scored by numbers, `{ min = 0, max = 100, step = 1 }`")
            .tell(problems);
        return;
    }
    let (message, help) = match (ties, is(0.5)) {
        (Some(false), Some(tie)) => (
            format!("`ties` is false, and `{}` = 0.5 is a tie", tie.name),
            format!("leave `{}` out of the labels, or `ties` out", tie.name),
        ),
        (Some(true), None) => (
            "`ties` is true, and no label is a tie".to_owned(),
            "add one to the labels, `tie = 0.5`, or leave `ties` out".to_owned(),
        ),
        _ => return,
    };
    context
        .problem(
            "spec::bad-scale",
            message,
            &path("ties"),
            "contradicts the labels",
        )
        .help(help)
        .tell(problems);
}

/// Refuses a setting that nothing would look at.
fn idle(key: &str, what_for: &str, checking: &Checking<'_>, problems: &mut Problems) {
    let path = [checking.at, &[key.to_owned()]].concat();
    if checking.context.layers.tree().get(&path).is_none() {
        return;
    }
    checking
        .context
        .problem(
            "spec::no-effect",
            format!("`{key}` is {what_for}"),
            &path,
            "changes nothing here",
        )
        .help(format!("leave `{key}` out"))
        .tell(problems);
}

/// Refuses models that cannot be shown two texts.
pub(in crate::stage::judge) fn model(
    model: &ModelSpec,
    compare: &Compare,
    checking: &Checking<'_>,
    problems: &mut Problems,
) {
    let scores = model.provider.local().and_then(LocalProvider::scores);
    if scores.is_some() {
        let path = [checking.at, &["compare".to_owned()]].concat();
        let shown = match &compare.of {
            Contenders::Columns(names) => list_of(names),
            Contenders::Rows(across) => format!("`{}` of two rows", across.column),
        };
        checking
            .context
            .problem(
                "spec::wrong-input",
                format!(
                    "model `{}` scores one text, and cannot compare {shown}",
                    model.name
                ),
                &path,
                "two texts",
            )
            .help("take a model that reads prompts, or score each text by itself")
            .tell(problems);
    }
}

/// Where the texts stand.
fn of(
    raw: &RawCompare,
    variables: &[String],
    checking: &Checking<'_>,
    problems: &mut Problems,
) -> Option<Contenders> {
    match raw {
        RawCompare::Columns(names) => two_columns(names, checking, problems),
        RawCompare::Rows(raw) => {
            across_rows(raw, variables, checking, problems).map(Contenders::Rows)
        }
    }
}

fn two_columns(
    names: &[String],
    checking: &Checking<'_>,
    problems: &mut Problems,
) -> Option<Contenders> {
    let at = [checking.at, &["compare".to_owned()]].concat();
    let wrong = match names {
        [one, other] if one == other => Some(format!("`{one}` would be compared with itself")),
        [_, _] if names.iter().any(|name| name == TIE) => Some(format!(
            "a contender is called `{TIE}`, which is what no choice is called"
        )),
        [one, other] => {
            return Some(Contenders::Columns([one.clone(), other.clone()]));
        }
        names => Some(format!("two texts are compared, not {}", names.len())),
    };
    if let Some(message) = wrong {
        checking
            .context
            .problem("spec::bad-value", message, &at, "not two columns to compare")
            .help("name two columns, `compare = [\"answer_a\", \"answer_b\"]`, or one of several rows: `compare = { column = \"text\", between = \"model\" }`")
            .tell(problems);
    }
    None
}

fn across_rows(
    raw: &RawAcrossRows,
    variables: &[String],
    checking: &Checking<'_>,
    problems: &mut Problems,
) -> Option<AcrossRows> {
    let context = checking.context;
    let at = [checking.at, &["compare".to_owned()]].concat();
    let path = |key: &str| [at.as_slice(), &[key.to_owned()]].concat();
    let before = problems.errors();
    if raw.between.is_none() && !context.is_written(&at, "between") {
        context
            .missing(&at, "between")
            .help("name the column that says whose text a row has: `between = \"model\"`")
            .tell(problems);
    }
    let by = raw
        .by
        .clone()
        .map_or_else(|| vec!["doc_id".to_owned()], |by| by.0);
    let named = raw.columns.clone().unwrap_or_default().0;
    columns::each_once(context, &path("by"), &by, "column", problems);
    columns::each_once(context, &path("columns"), &named, "column", problems);
    if let Some(between) = raw.between.as_ref() {
        for (key, names) in [("by", &by), ("columns", &named)] {
            if names.contains(between) {
                context
                    .problem(
                        "spec::bad-value",
                        format!("`{between}` says whose text a row has, so it differs between rows that are compared"),
                        &context.element(&path(key), between),
                        "also in `between`",
                    )
                    .help(format!("leave it out of `{key}`"))
                    .tell(problems);
            }
        }
        if let Some(axis) = checking.axes.iter().find(|axis| *axis == between) {
            context
                .problem(
                    "spec::bad-value",
                    format!("`{axis}` is an axis, of which each table has one value"),
                    &path("between"),
                    "nobody to compare with",
                )
                .help(format!(
                    "put all values into one table first: a `concat` stage with `over = \"{axis}\"`"
                ))
                .tell(problems);
        }
    }
    let column = raw.column.clone().unwrap_or_else(|| "text".to_owned());
    // The prompt shows them beside the two texts.
    let shown = variables
        .iter()
        .filter(|name| !SHOWN.contains(&name.as_str()));
    let mut kept: Vec<String> = Vec::new();
    for name in shown.chain(&named) {
        let known = by.contains(name) || kept.contains(name) || checking.axes.contains(name);
        if !known {
            kept.push(name.clone());
        }
    }
    if kept.contains(&column) {
        context
            .problem(
                "spec::bad-value",
                format!(
                    "`{column}` is what is compared, and a prompt shows it as {}",
                    list_of(&SHOWN)
                ),
                &at,
                "also named beside it",
            )
            .help(format!("leave `{column}` out of `variables` and `columns`"))
            .tell(problems);
    }
    (problems.errors() == before).then(|| AcrossRows {
        column,
        between: raw.between.clone().unwrap_or_default(),
        by,
        columns: kept,
        baseline: raw.baseline.clone(),
        axes: checking.axes.to_vec(),
    })
}
