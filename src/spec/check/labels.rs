//! Labels and orders of tables: fields and values that a table does not have are slips.

use std::collections::BTreeSet;

use super::Context;
use super::grid::Grid;
use crate::spec::raw::RawTable;
use crate::spec::{Problem, Problems};
use crate::wording::{list_of, nearest};

/// Warns of labels and orders that name nothing. Only values of axes are known without running.
pub(super) fn check(
    context: &Context<'_>,
    name: &str,
    raw: &RawTable,
    grid: &Grid,
    problems: &mut Problems,
) {
    let fields: Vec<&String> = [&raw.rows, &raw.columns]
        .into_iter()
        .flatten()
        .flatten()
        .collect();
    let labels = raw.labels.iter().map(|(field, values)| {
        let values = values.keys().cloned().collect::<Vec<_>>();
        ("labels", field, values)
    });
    let orders = raw.order.iter().map(|(field, values)| {
        let values = values.iter().map(ToString::to_string).collect();
        ("order", field, values)
    });
    for (key, field, values) in labels.chain(orders) {
        let at = ["table", name, key, field].map(str::to_owned);
        if !fields.contains(&field) {
            let message = format!("`{field}` names neither rows nor columns of `table.{name}`");
            let help = match nearest(field, &fields) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the fields are {}", list_of(&fields)),
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
        let set = raw.part.iter().filter_map(|part| part.set.get(field));
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
                    format!("no `{field}` of `table.{name}` is called `{value}`"),
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
