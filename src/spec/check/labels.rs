//! Labels and orders of tables and figures: fields and values that one does not have are slips.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::grid::Grid;
use crate::base::wording::{list_of, nearest};
use crate::output::chart::Form;
use crate::stage::check::Context;
use crate::stage::{RawFigure, RawTable};
use crate::stats::statistic::{ENDS, USUAL};
use crate::toml::{OneOrMany, Plain, Problem, Problems};

/// Labels and orders as they are written, with what they may name.
struct Written<'w> {
    /// The kind of stage.
    kind: &'static str,
    /// What fields name there.
    what: &'static str,
    name: &'w str,
    fields: Vec<&'w String>,
    labels: &'w BTreeMap<String, BTreeMap<String, String>>,
    order: &'w BTreeMap<String, Vec<Plain>>,
    /// Fixed values of parts.
    set: Vec<&'w IndexMap<String, Plain>>,
    /// What means over fields are called.
    mean: Option<&'w IndexMap<String, String>>,
}

pub(super) fn of_table(
    context: &Context<'_>,
    name: &str,
    raw: &RawTable,
    grid: &Grid,
    problems: &mut Problems,
) {
    let written = Written {
        kind: "table",
        what: "rows nor columns",
        name,
        fields: [&raw.rows, &raw.columns]
            .into_iter()
            .flatten()
            .flatten()
            .collect(),
        labels: &raw.labels,
        order: &raw.order,
        set: raw.part.iter().map(|part| &part.set).collect(),
        mean: Some(&raw.mean),
    };
    check(context, &written, grid, problems);
    for (what, fields) in [("rows", &raw.rows), ("columns", &raw.columns)] {
        alike(context, (&written, what), fields.as_ref(), grid, problems);
    }
}

pub(super) fn of_figure(
    context: &Context<'_>,
    name: &str,
    raw: &RawFigure,
    grid: &Grid,
    problems: &mut Problems,
) {
    let written = Written {
        kind: "figure",
        what: "axes, series nor panels",
        name,
        fields: [&raw.x, &raw.y, &raw.series, &raw.panels]
            .into_iter()
            .flatten()
            .flatten()
            .collect(),
        labels: &raw.labels,
        order: &raw.order,
        set: raw.part.iter().map(|part| &part.set).collect(),
        mean: None,
    };
    check(context, &written, grid, problems);
    for (what, fields) in [
        ("x", &raw.x),
        ("y", &raw.y),
        ("series", &raw.series),
        ("panels", &raw.panels),
    ] {
        alike(context, (&written, what), fields.as_ref(), grid, problems);
    }
    headings(context, name, raw, &written.fields, problems);
}

/// Warns of headings of what a figure does not show.
fn headings(
    context: &Context<'_>,
    name: &str,
    raw: &RawFigure,
    fields: &[&String],
    problems: &mut Problems,
) {
    let parts = raw.part.iter();
    let columns = parts.flat_map(|part| [&part.value, &part.low, &part.high, &part.error]);
    let columns = columns.chain([&raw.value, &raw.low, &raw.high, &raw.error]);
    let mut known: BTreeSet<&str> = columns.flatten().map(String::as_str).collect();
    known.extend(fields.iter().map(|field| field.as_str()));
    // What is shown where nothing is said of it.
    if raw.value.is_none() {
        known.extend([USUAL, "score", "value"]);
    }
    known.extend(ENDS);
    known.extend(raw.line.map(|_| "line"));
    known.extend(raw.band.map(|_| "band"));
    known.extend(raw.bins.map(|_| "count"));
    known.extend(raw.identity.map(|_| "identity"));
    known.extend(raw.fit.map(|_| "fit"));
    known.extend(match raw.form {
        Some(Form::Histogram) => Some("count"),
        Some(Form::Stacked | Form::Ecdf | Form::Confusion) => Some("share"),
        Some(Form::Density) => Some("density"),
        Some(Form::Reliability) => Some("identity"),
        _ => None,
    });
    let known: Vec<&str> = known.into_iter().collect();
    for heading in raw
        .headings
        .keys()
        .filter(|heading| !known.contains(&heading.as_str()))
    {
        let at = ["figure", name, "headings", heading].map(str::to_owned);
        Problem::warning(
            "lint::idle-label",
            format!("`figure.{name}` shows nothing that is called `{heading}`"),
        )
        .label_at(context.layers.place_of_key(&at), "has no effect")
        .help(match nearest(heading, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the fields are {}", list_of(fields)),
        })
        .tell(problems);
    }
}

/// Warns of values that are called alike where nothing else tells them apart. Only values of axes are known without
/// running.
fn alike(
    context: &Context<'_>,
    (written, what): (&Written<'_>, &str),
    fields: Option<&OneOrMany<String>>,
    grid: &Grid,
    problems: &mut Problems,
) {
    let axes: Vec<usize> = fields
        .into_iter()
        .flatten()
        .filter_map(|field| grid.axes.iter().position(|axis| axis.name == *field))
        .collect();
    let called = |axis: usize, value: usize| {
        let axis = &grid.axes[axis];
        let name = axis.values[value].to_string();
        let label = written
            .labels
            .get(&axis.name)
            .and_then(|labels| labels.get(&name));
        label.cloned().unwrap_or(name)
    };
    let mut seen: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    for combo in &grid.combos {
        let values: Vec<usize> = axes.iter().map(|&axis| combo[axis]).collect();
        let labels = axes
            .iter()
            .zip(&values)
            .map(|(&axis, &value)| called(axis, value));
        let Some(other) = seen.insert(labels.collect(), values.clone()) else {
            continue;
        };
        let differs = axes.iter().zip(other.iter().zip(&values));
        let Some((&axis, (&one, &two))) = differs.clone().find(|(_, (one, two))| one != two) else {
            continue;
        };
        let field = &grid.axes[axis];
        let names = [one, two].map(|value| field.values[value].to_string());
        let at = [written.kind, written.name, "labels", &field.name].map(str::to_owned);
        let label = called(axis, two);
        Problem::warning(
            "lint::same-label",
            format!(
                "`{}` and `{}` are both called `{label}` in `{what}` of `{}.{}`",
                names[0], names[1], written.kind, written.name
            ),
        )
        .label_at(context.layers.place_of_key(&at), "the labels are ambiguous")
        .help("give each its own label, or show another field that distinguishes them")
        .tell(problems);
        // Once for each field is enough.
        return;
    }
}

/// What groups are called that pool values of a field, in whatever stage.
fn pooled(context: &Context<'_>, field: &str) -> Vec<String> {
    let tree = context.layers.tree();
    let stages = ["stats", "group"]
        .into_iter()
        .flat_map(|kind| tree.entries(&[kind]));
    let pools = stages.filter_map(|(_, stage)| stage.get(&["pool", field]).cloned());
    pools
        .flat_map(|pool| match pool.as_str() {
            Some(name) => vec![name.to_owned()],
            None => pool.children().map(|(name, _)| name.to_owned()).collect(),
        })
        .collect()
}

/// Warns of labels and orders that name nothing. Only values of axes are known without running.
fn check(context: &Context<'_>, written: &Written<'_>, grid: &Grid, problems: &mut Problems) {
    let Written {
        kind,
        what,
        name,
        fields,
        ..
    } = written;
    let labels = written.labels.iter().map(|(field, values)| {
        let values = values.keys().cloned().collect::<Vec<_>>();
        ("labels", field, values)
    });
    let orders = written.order.iter().map(|(field, values)| {
        let values = values.iter().map(ToString::to_string).collect();
        ("order", field, values)
    });
    for (key, field, values) in labels.chain(orders) {
        let at = [kind, *name, key, field].map(str::to_owned);
        // Reasons for missing scores have labels too, wherever they are counted.
        if *kind == "figure" && field == "reason" && key == "labels" {
            continue;
        }
        if !fields.contains(&field) {
            let message = format!("`{field}` names neither {what} of `{kind}.{name}`");
            let help = match nearest(field, fields) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the fields are {}", list_of(fields)),
            };
            Problem::warning("lint::idle-label", message)
                .label_at(context.layers.place_of_key(&at), "has no effect")
                .help(help)
                .tell(problems);
            continue;
        }
        let Some(axis) = grid.axes.iter().find(|axis| axis.name == *field) else {
            continue;
        };
        let set = written.set.iter().filter_map(|set| set.get(field));
        let known: BTreeSet<String> = axis
            .values
            .iter()
            .map(ToString::to_string)
            .chain(set.map(ToString::to_string))
            .chain(written.mean.and_then(|mean| mean.get(field)).cloned())
            .chain(pooled(context, field))
            .collect();
        for value in values.iter().filter(|value| !known.contains(*value)) {
            let place = if key == "labels" {
                let at = [&at[..], std::slice::from_ref(value)].concat();
                context.layers.place_of_key(&at)
            } else {
                context.place(&context.element(&at, value))
            };
            let known: Vec<&String> = known.iter().collect();
            Problem::warning(
                "lint::idle-label",
                format!("no `{field}` of `{kind}.{name}` is called `{value}`"),
            )
            .label_at(place, "has no effect")
            .help(match nearest(value, &known) {
                // Of numbers none is meant by another.
                Some(near) if value.parse::<f64>().is_err() => {
                    format!("did you mean `{near}`?")
                }
                _ => format!("there are {}", list_of(&known)),
            })
            .tell(problems);
        }
    }
}
