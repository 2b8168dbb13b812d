//! `figure` stages: what is shown where, and how the figure looks.

use super::needs;
use super::part::{self, Common};
use super::raw::{RawFigure, RawFigurePart};
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
            // Of a pair `y` is the value.
            y: if form.is_of_pairs() {
                Vec::new()
            } else {
                raw.y.clone().unwrap_or_default().0
            },
            series: raw.series.clone().unwrap_or_default().0,
            numeric: form.is_of_pairs() || raw.numeric.unwrap_or_default(),
        };
        needs::check(context, at, raw, form, &fields, problems);
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
            Form::Histogram => Counted::Bins(raw.bins.unwrap_or(20)),
            Form::Scatter if raw.fit == Some(true) => Counted::Fit,
            Form::Violins | Form::Ecdf | Form::Density | Form::Scatter => Counted::Values,
            Form::BlandAltman => Counted::Agreement,
            Form::Stacked => Counted::Shares,
            Form::Confusion => Counted::Matrix,
            Form::Reliability => Counted::Calibration(raw.bins.unwrap_or(10)),
            Form::Bars | Form::Points | Form::Lines | Form::Intervals | Form::Heatmap => {
                Counted::Not
            }
        };
        (problems.errors() == before).then_some(Figure {
            form,
            counted,
            panels: fields.panels,
            x: fields.x,
            numeric: fields.numeric,
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
            format!("a figure cannot have {bins} bins"),
            &format!("write a number from 1 to {BINS}"),
        );
    }
    if let Some(width) = raw
        .bandwidth
        .filter(|&width| !(width.is_finite() && width > 0.0))
    {
        wrong(
            "bandwidth",
            format!("a bandwidth of {width} is not possible"),
            "write a number above 0, in the unit of the values",
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
