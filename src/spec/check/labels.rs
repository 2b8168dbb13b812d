//! Labels and orders of tables and figures: fields and values that one does not have are slips.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::Context;
use super::grid::Grid;
use crate::spec::raw::{RawFigure, RawTable};
use crate::spec::{Plain, Problem, Problems};
use crate::wording::{list_of, nearest};

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
    };
    check(context, &written, grid, problems);
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
    };
    check(context, &written, grid, problems);
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
            problems.push(
                Problem::warning("lint::idle-label", message)
                    .label_at(context.layers.place_of_key(&at), "has no effect")
                    .help(help),
            );
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
            .collect();
        for value in values.iter().filter(|value| !known.contains(*value)) {
            let place = if key == "labels" {
                let at = [&at[..], std::slice::from_ref(value)].concat();
                context.layers.place_of_key(&at)
            } else {
                context.place(&context.element(&at, value))
            };
            let known: Vec<&String> = known.iter().collect();
            problems.push(
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
                }),
            );
        }
    }
}
