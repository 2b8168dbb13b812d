//! `figure` stages: what is shown where, and how the figure looks.

use super::part::{self, Common};
use super::raw::{RawFigure, RawFigurePart};
use crate::base::wording::list_of;
use crate::output::chart::Form;
use crate::stage::check::RowShape;
use crate::stage::check::{Checking, Written};
use crate::stage::check::{Context, columns, condition};
use crate::stage::{BINS, Counted, Figure};
use crate::toml::Problems;

/// Columns that a figure's rows have beside those that statistics bear.
const OWN: [&str; 4] = ["low", "high", "bound", "reference"];

impl Written for Figure {
    type Raw = RawFigure;

    fn check(raw: &RawFigure, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking {
            context, at, known, ..
        } = *checking;
        let path = |key: &str| [at, &[key.to_owned()]].concat();
        let before = problems.errors();
        let form = raw.form.unwrap_or_default();
        let fields = Common {
            condition: condition::read(
                context,
                &path("where"),
                raw.condition.as_deref(),
                Some(known.axes),
                problems,
            ),
            panels: raw.panels.clone().unwrap_or_default().0,
            x: raw.x.clone().unwrap_or_default().0,
            y: raw.y.clone().unwrap_or_default().0,
            series: raw.series.clone().unwrap_or_default().0,
        };
        places(context, at, raw, form, &fields, problems);
        for (key, names) in fields.named() {
            columns::groups(context, &path(key), names.iter(), problems);
            for name in names.iter().filter(|name| OWN.contains(&name.as_str())) {
                context
                    .problem(
                        "spec::bad-name",
                        format!("a figure cannot be arranged by a column called `{name}`"),
                        &context.element(&path(key), name),
                        "taken",
                    )
                    .help(
                        "its rows already have a column of this name; rename the documents' column",
                    )
                    .tell(problems);
            }
        }
        idle(context, at, raw, form, problems);
        numbers(context, at, raw, problems);
        let parts = parts(context, at, raw, problems)
            .into_iter()
            .filter_map(|(part, place)| {
                part::check(
                    context,
                    (at, &place),
                    (raw, &part),
                    &fields,
                    known,
                    problems,
                )
            })
            .collect();
        let reference = condition::read(
            context,
            &path("reference"),
            raw.reference.as_deref(),
            Some(known.axes),
            problems,
        );
        let counted = match form {
            Form::Violins => Counted::Values,
            Form::Histogram => Counted::Bins(raw.bins.unwrap_or(20)),
            _ => Counted::Not,
        };
        (problems.errors() == before).then_some(Figure {
            form,
            counted,
            panels: fields.panels,
            x: fields.x,
            y: fields.y,
            series: fields.series,
            parts,
            nonsignificant: raw.nonsignificant,
            reference,
        })
    }

    fn shape(&self, _: &Checking<'_>) -> RowShape {
        RowShape::default()
    }
}

/// Which axes this type of figure needs, and that no field is named twice.
fn places(
    context: &Context<'_>,
    at: &[String],
    raw: &RawFigure,
    form: Form,
    fields: &Common,
    problems: &mut Problems,
) {
    missing(context, at, raw, form, problems);
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let name = form.name();
    let mut refuse = |key: &str, message: String, label: &str, help: &str| {
        context
            .problem("spec::bad-figure", message, &path(key), label)
            .help(help)
            .tell(problems);
    };
    match form {
        Form::Heatmap if raw.series.is_some() => refuse(
            "series",
            "a heatmap has no series: its colours are values".to_owned(),
            "cannot be shown",
            "put the field into `x`, `y` or `panels`",
        ),
        Form::Histogram => {
            for key in ["x", "y"] {
                let given = if key == "x" { &raw.x } else { &raw.y };
                if given.is_some() {
                    refuse(
                        key,
                        format!(
                            "a histogram has its values along the horizontal axis and no place for `{key}`"
                        ),
                        "cannot be shown",
                        "name the column that is counted with `value`; tell its rows apart with `panels` or `series`",
                    );
                }
            }
        }
        Form::Lines if raw.y.is_some() => {
            refuse(
                "y",
                "lines need `x`: they go from left to right".to_owned(),
                "cannot be shown",
                "name the field with `x`",
            );
        }
        Form::Heatmap | Form::Lines => {}
        _ if raw.x.is_some() && raw.y.is_some() => refuse(
            "y",
            format!("`{name}` have one axis for values, so one of `x` and `y` is left for a field"),
            "also `x`",
            "write `type = \"heatmap\"`, or put one of them into `panels` or `series`",
        ),
        _ => {}
    }
    if fields.panels.len() > 2 {
        refuse(
            "panels",
            format!(
                "panels are arranged by at most two fields, and {} are named",
                list_of(&fields.panels)
            ),
            "more than two",
            "name one or two fields; put others into `x` or `series`",
        );
    }
    twice(context, at, fields, problems);
}

/// No field has two places.
fn twice(context: &Context<'_>, at: &[String], fields: &Common, problems: &mut Problems) {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let mut seen = std::collections::BTreeSet::new();
    for (key, names) in fields.named() {
        for name in names {
            if !seen.insert(name) {
                context
                    .problem(
                        "spec::bad-figure",
                        format!("`{name}` is shown twice"),
                        &context.element(&path(key), name),
                        "already shown",
                    )
                    .help("leave it out of one of the two")
                    .tell(problems);
            }
        }
    }
}

/// Axes that this type of figure has to have.
fn missing(
    context: &Context<'_>,
    at: &[String],
    raw: &RawFigure,
    form: Form,
    problems: &mut Problems,
) {
    let mut missing = |key: &str, help: &str| {
        if !context.is_written(at, key) {
            context.missing(at, key).help(help).tell(problems);
        }
    };
    match form {
        Form::Heatmap => {
            missing(
                "x",
                "name the fields along the horizontal axis: `x = \"length\"`",
            );
            missing(
                "y",
                "name the fields along the vertical axis: `y = \"task\"`",
            );
        }
        Form::Lines => missing("x", "name the field along which lines go: `x = \"length\"`"),
        Form::Histogram => {}
        _ if raw.y.is_some() || context.is_written(at, "y") => {}
        _ => missing(
            "x",
            "name the field along the horizontal axis, `x = \"task\"`, or along the vertical one, `y = \"task\"`",
        ),
    }
}

/// Keys that change nothing in a figure of this type.
fn idle(
    context: &Context<'_>,
    at: &[String],
    raw: &RawFigure,
    form: Form,
    problems: &mut Problems,
) {
    let spread = form.is_distribution();
    let interval = |given: bool| given && (spread || form == Form::Heatmap);
    let given = [
        ("bins", raw.bins.is_some() && form != Form::Histogram),
        ("low", interval(raw.low.is_some())),
        ("high", interval(raw.high.is_some())),
        ("error", interval(raw.error.is_some())),
        ("nonsignificant", interval(raw.nonsignificant.is_some())),
        ("reference", interval(raw.reference.is_some())),
        (
            "line",
            raw.line.is_some() && matches!(form, Form::Heatmap | Form::Histogram),
        ),
        (
            "band",
            raw.band.is_some() && matches!(form, Form::Heatmap | Form::Histogram),
        ),
        ("range", raw.range.is_some() && form == Form::Histogram),
    ];
    for (key, _) in given.into_iter().filter(|(_, given)| *given) {
        let path = [at, &[key.to_owned()]].concat();
        context
            .problem(
                "spec::bad-figure",
                format!(
                    "`{key}` changes nothing in a figure of the type `{}`",
                    form.name()
                ),
                &path,
                "has no effect",
            )
            .help("remove it, or write another `type`")
            .tell(problems);
    }
}

fn numbers(context: &Context<'_>, at: &[String], raw: &RawFigure, problems: &mut Problems) {
    let mut wrong = |key: &str, message: String, help: &str| {
        let path = [at, &[key.to_owned()]].concat();
        context
            .problem("spec::out-of-range", message, &path, "out of range")
            .help(help)
            .tell(problems);
    };
    if let Some(level) = raw
        .nonsignificant
        .filter(|&level| !(level > 0.0 && level < 1.0))
    {
        wrong(
            "nonsignificant",
            format!("a level of significance cannot be {level}"),
            "write a number between 0 and 1, such as 0.05",
        );
    }
    if let Some(bins) = raw.bins.filter(|bins| !(1..=BINS).contains(bins)) {
        wrong(
            "bins",
            format!("a histogram cannot have {bins} bins"),
            &format!("write a number from 1 to {BINS}"),
        );
    }
    if raw.decimals.is_some_and(|digits| digits > 12) {
        wrong("decimals", "too many digits".to_owned(), "write at most 12");
    }
    for (key, size, least, most) in [
        ("width", raw.width, 200, 4000),
        ("height", raw.height, 40, 4000),
    ] {
        if let Some(size) = size.filter(|size| !(least..=most).contains(size)) {
            wrong(
                key,
                format!("a {key} of {size} pixels is not possible"),
                &format!("write a number from {least} to {most}"),
            );
        }
    }
    for (key, ends) in [("band", raw.band), ("range", raw.range)] {
        let bad = |[low, high]: &[f64; 2]| !(low.is_finite() && high.is_finite() && low < high);
        if ends.as_ref().is_some_and(bad) {
            wrong(
                key,
                format!("`{key}` must go from a lower to a higher number"),
                "write two numbers, the lower one first",
            );
        }
    }
    if raw.line.is_some_and(|line| !line.is_finite()) {
        wrong(
            "line",
            "a line needs a finite number".to_owned(),
            "write a finite number",
        );
    }
}

/// The parts with their places; a figure with `from` is one of a single part.
fn parts(
    context: &Context<'_>,
    at: &[String],
    raw: &RawFigure,
    problems: &mut Problems,
) -> Vec<(RawFigurePart, Vec<String>)> {
    if raw.part.is_empty() {
        let part = RawFigurePart {
            from: raw.from.clone(),
            ..RawFigurePart::default()
        };
        return vec![(part, at.to_vec())];
    }
    if raw.from.is_some() {
        context
            .problem(
                "spec::bad-figure",
                format!("`{}` has both parts and a `from` of its own", at.join(".")),
                &[at, &["from".to_owned()]].concat(),
                "together with `part`",
            )
            .help("write `from` in the parts; what they share may go above them")
            .tell(problems);
        return Vec::new();
    }
    let parts = raw.part.iter().enumerate();
    parts
        .map(|(index, part)| {
            let place = [at, &["part".to_owned(), index.to_string()]].concat();
            (part.clone(), place)
        })
        .collect()
}
