//! Labels and orders that miss the values they were meant for, by a slip, and labels that two values share. Values of axes
//! are known without running, and the check sees to them; those of other columns are known when tables and figures are
//! there.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::base::wording::nearest;
use crate::engine::{Finished, ReadTables};
use crate::frame::Frame;
use crate::spec::{Design, Spec};
use crate::stage::Stage;

/// What the experiment's tables and figures say of their values.
type Looks<'s> = (
    &'s BTreeMap<String, BTreeMap<String, String>>,
    &'s BTreeMap<String, Vec<String>>,
);

/// A sentence for each label or place in an order that no value has, where a value without one is called nearly the same,
/// and for values that nothing tells apart. Labels may well be given for more values than there are.
pub(super) fn sentences(spec: &Spec, finished: &Finished, read: &ReadTables) -> Vec<String> {
    let mut found = Vec::new();
    for (id, frame) in read {
        let node = finished.plan.node(*id);
        let name = &node.name.name;
        if !node.variants.contains("") {
            continue;
        }
        let counted = matches!(&*node.stage, Stage::Figure(figure) if figure.form.is_of_labels());
        let (looks, fields): (Looks<'_>, Vec<&Vec<String>>) = match &*node.stage {
            Stage::Table(table) => {
                let look = &spec.base.looks[name];
                (
                    (&look.labels, &look.order),
                    vec![&table.rows, &table.columns],
                )
            }
            Stage::Figure(figure) => {
                let look = &spec.base.figures[name];
                let fields = vec![&figure.panels, &figure.x, &figure.y, &figure.series];
                ((&look.labels, &look.order), fields)
            }
            _ => continue,
        };
        let alike = fields
            .into_iter()
            .filter_map(|fields| alike(&spec.base, frame, looks.0, (fields, counted)));
        for slip in slips(&spec.base, frame, looks).into_iter().chain(alike) {
            found.push(format!("{}: {slip}", node.name));
        }
    }
    found
}

fn slips(design: &Design, frame: &Frame, (labels, orders): Looks<'_>) -> Vec<String> {
    let labels = labels.iter().map(|(field, labels)| {
        let values: Vec<&str> = labels.keys().map(String::as_str).collect();
        ("labels", field, values)
    });
    let orders = orders.iter().map(|(field, values)| {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        ("order", field, values)
    });
    let mut slips = Vec::new();
    for (key, field, named) in labels.chain(orders) {
        let of_axis = design.axes.iter().any(|axis| axis.name == *field);
        let Some(column) = frame.column(field).ok().filter(|_| !of_axis) else {
            continue;
        };
        let there: BTreeSet<String> = (0..column.len())
            .filter_map(|row| Some(column.text(row)?.into_owned()))
            .collect();
        let unnamed = there
            .iter()
            .filter(|value| !named.contains(&value.as_str()));
        let unnamed: Vec<&String> = unnamed.collect();
        for value in named.into_iter().filter(|value| !there.contains(*value)) {
            // Of numbers none is meant by another.
            if let Some(near) = nearest(value, &unnamed)
                && value.parse::<f64>().is_err()
            {
                slips.push(format!(
                    "`{key}.{field}` names `{value}`, which no row has: did you mean `{near}`?"
                ));
            }
        }
    }
    slips
}

/// What is said of two values of a column that are shown alike where no other field tells them apart.
fn alike(
    design: &Design,
    frame: &Frame,
    labels: &BTreeMap<String, BTreeMap<String, String>>,
    (fields, counted): (&[String], bool),
) -> Option<String> {
    // Without a label each value is shown as it is.
    let any = fields.iter().filter_map(|field| labels.get(field));
    any.flatten().next()?;
    let mut columns = Vec::with_capacity(fields.len());
    for field in fields {
        columns.push((frame.column(field).ok()?, labels.get(field)));
    }
    let rows = (0..frame.rows()).map(|row| {
        let texts = columns
            .iter()
            .map(|(column, _)| column.text(row).unwrap_or_default());
        texts.collect::<Vec<_>>()
    });
    // Where labels are counted, what has none is called so.
    let rows = rows.filter(|values| !counted || values.iter().any(|value| !value.is_empty()));
    let rows: Vec<Vec<Cow<'_, str>>> = rows.collect();
    let mut seen: BTreeMap<Vec<&str>, &[Cow<'_, str>]> = BTreeMap::new();
    for values in &rows {
        let called = columns.iter().zip(values).map(|((_, labels), value)| {
            let label = labels.and_then(|labels| labels.get(&**value));
            label.map_or(&**value, String::as_str)
        });
        let called: Vec<&str> = called.collect();
        let other = *seen.entry(called.clone()).or_insert(values);
        let Some(at) = (0..fields.len()).find(|&at| other[at] != values[at]) else {
            continue;
        };
        if design.axes.iter().all(|axis| axis.name != fields[at]) {
            return Some(format!(
                "`labels.{}` calls both `{}` and `{}` `{}`, which makes them ambiguous",
                fields[at], other[at], values[at], called[at]
            ));
        }
    }
    None
}
