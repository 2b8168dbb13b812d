//! Axes: what they set, which values they take, and what the values are called.

use std::collections::{BTreeMap, BTreeSet};

use super::grid::{self, Grid};
use super::stages::is_name;
use super::targets;
use crate::base::wording::count;
use crate::frame::Scalar;
use crate::spec::raw::{RawAxis, RawSpec};
use crate::stage::check::Axis;
use crate::stage::check::{Context, columns};
use crate::toml::{Place, Plain, Problem, Problems, Tree};

pub(super) fn check(
    context: &Context<'_>,
    raw: &RawSpec,
    base: Option<&Grid>,
    problems: &mut Problems,
) -> Grid {
    let mut grid = Grid::default();
    for (name, axis) in &raw.axes {
        // Beside another axis one value may well stand twice.
        let zipped = raw.grid.zip.iter().any(|names| names.contains(name));
        let before = problems.errors();
        axis_check(context, name, axis, zipped, &mut grid, problems);
        if problems.errors() > before {
            grid.astray.push(name.clone());
        }
    }
    targets::clashes(context, &grid, problems);
    grid::combine(context, raw, base, &mut grid, problems);
    grid
}

fn axis_check(
    context: &Context<'_>,
    name: &str,
    axis: &RawAxis,
    zipped: bool,
    grid: &mut Grid,
    problems: &mut Problems,
) {
    let at = |key: &str| vec!["axes".to_owned(), name.to_owned(), key.to_owned()];
    let header = &at("")[..2];
    let missing = |key: &str, example: &str| {
        context
            .problem(
                "spec::missing-key",
                format!("axis `{name}` has no `{key}`"),
                header,
                &format!("`{key}` is missing here"),
            )
            .help(format!("add `{key} = {example}`"))
    };
    let mut targets = Vec::new();
    for (index, target) in axis.set.iter().flatten().enumerate() {
        let mut place = at("set");
        if context
            .layers
            .tree()
            .get(&place)
            .is_some_and(|tree| tree.elements().is_some())
        {
            place.push(index.to_string());
        }
        match targets::of_axis(context, target, context.place(&place).as_ref()) {
            Err(problem) => problems.push(problem),
            Ok(path) => targets.push(path),
        }
    }
    if axis.set.is_none() && !context.is_written(header, "set") {
        problems.push(missing("set", "\"judge.vanilla.model\""));
    }
    let values: Vec<(Tree, Place)> = (0..axis.values.as_ref().map_or(0, Vec::len))
        .filter_map(|index| {
            let mut path = at("values");
            path.push(index.to_string());
            Some((
                context.layers.tree().get(&path)?.clone(),
                context.place(&path)?,
            ))
        })
        .collect();
    if values.is_empty() {
        if axis.values.is_some() {
            context
                .problem(
                    "spec::missing-key",
                    format!("axis `{name}` has no values"),
                    &at("values"),
                    "nothing in here",
                )
                .help("name at least one value, or remove the axis")
                .tell(problems);
        } else if !context.is_written(header, "values") {
            problems.push(missing("values", "[...]"));
        }
        return;
    }
    let taken = columns::taken(name);
    if taken || !is_name(name) {
        Problem::error(
                "spec::bad-name",
                format!("an axis cannot be called `{name}`"),
            )
            .label_at(
                context.layers.place_of_key(header),
                if taken { "taken" } else { "not a name to use here" },
            )
            .help(if taken {
                "an axis becomes a column, and documents, judges or statistics already have one of this name"
            } else {
                "use letters, digits, `-` and `_`, beginning with a letter or digit"
            })
            .tell(problems);
        return;
    }
    if let Some(names) = names(context, axis, &values, &at("names"), zipped, problems) {
        grid.axes.push(Axis {
            name: name.to_owned(),
            values: names,
        });
        grid.targets.push(targets);
        grid.values.push(values);
    }
}

/// What the values are called: one type for all, so that the column has one.
fn names(
    context: &Context<'_>,
    axis: &RawAxis,
    values: &[(Tree, Place)],
    at: &[String],
    zipped: bool,
    problems: &mut Problems,
) -> Option<Vec<Scalar>> {
    let name = &at[1];
    let scalars: Vec<Scalar> = match &axis.names {
        Some(names) if names.len() == values.len() => {
            names.iter().map(|name| name.0.clone()).collect()
        }
        Some(names) => {
            let message = format!(
                "axis `{name}` has {} and {}",
                count(values.len(), "value"),
                count(names.len(), "name")
            );
            context
                .problem(
                    "spec::axis-names",
                    message,
                    at,
                    "one name per value is needed",
                )
                .label_at(
                    context.place(&[at[0].clone(), name.clone(), "values".to_owned()]),
                    "the values",
                )
                .help("give every value one name, in the same order")
                .tell(problems);
            return None;
        }
        None => {
            let mut scalars = Vec::new();
            for (value, place) in values {
                match value.deserialize::<Plain>() {
                    Ok(plain) => scalars.push(plain.0),
                    Err(_) => {
                        Problem::error(
                            "spec::axis-names",
                            format!(
                                "{} has no name as a value of axis `{name}`",
                                value.describe()
                            ),
                        )
                        .label(place.clone(), "not text or a number")
                        .help("give the values names with `names = [\"...\", ...]`")
                        .tell(problems);
                        return None;
                    }
                }
            }
            scalars
        }
    };
    let mut seen = BTreeSet::new();
    for (index, (scalar, (_, place))) in scalars.iter().zip(values).enumerate() {
        if !seen.insert(scalar.to_string()) {
            let named = context.place(&[at, &[index.to_string()]].concat());
            let (message, place, help) = if axis.names.is_some() {
                (
                    format!("two values of axis `{name}` are called `{scalar}`"),
                    named,
                    "give each value a name of its own",
                )
            } else {
                (
                    format!("axis `{name}` has the value `{scalar}` twice"),
                    Some(place.clone()),
                    "remove one of the two",
                )
            };
            Problem::error("spec::axis-twice", message)
                .label_at(place, "again here")
                .help(help)
                .tell(problems);
            return None;
        }
    }
    if axis.names.is_some() {
        crossed(context, at, values, &scalars, problems);
    }
    let numbers: Option<Vec<f64>> = scalars.iter().map(Scalar::number).collect();
    if axis.names.is_some() && !zipped {
        same_values(context, name, values, &scalars, problems);
    }
    let one_type = scalars
        .windows(2)
        .all(|pair| std::mem::discriminant(&pair[0]) == std::mem::discriminant(&pair[1]));
    Some(match numbers {
        _ if one_type => scalars,
        // `[0, 0.5]` are numbers, to be compared as such.
        Some(numbers) => numbers.into_iter().map(Scalar::Float).collect(),
        None => scalars
            .into_iter()
            .map(|scalar| Scalar::Text(scalar.to_string()))
            .collect(),
    })
}

/// Warns of a value that is called what another value is: `values = [10, 20]` beside `names = ["20", "10"]`.
fn crossed(
    context: &Context<'_>,
    at: &[String],
    values: &[(Tree, Place)],
    names: &[Scalar],
    problems: &mut Problems,
) {
    let written: BTreeMap<String, usize> = values
        .iter()
        .enumerate()
        .filter_map(|(index, (value, _))| {
            Some((value.deserialize::<Plain>().ok()?.0.to_string(), index))
        })
        .collect();
    let crossed = names.iter().enumerate().find_map(|(index, name)| {
        let other = *written.get(&name.to_string())?;
        let own = values[index].0.deserialize::<Plain>().ok()?.0.to_string();
        (other != index && own != name.to_string()).then_some((index, own))
    });
    let Some((index, own)) = crossed else { return };
    Problem::warning(
        "lint::crossed-names",
        format!(
            "the value `{own}` of axis `{}` is called `{}`, which is another of its values",
            at[1], names[index]
        ),
    )
    .label_at(
        context.place(&[at, &[index.to_string()]].concat()),
        "the name of another value",
    )
    .help("put the names in the order of the values, or leave them out")
    .tell(problems);
}

/// Warns of two names for one value: what is compared along the axis would be the same rows twice.
fn same_values(
    context: &Context<'_>,
    axis: &str,
    values: &[(Tree, Place)],
    names: &[Scalar],
    problems: &mut Problems,
) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (later, (value, place)) in values.iter().enumerate() {
        let first = *seen.entry(value.to_json().to_string()).or_insert(later);
        if first == later {
            continue;
        }
        Problem::warning(
            "lint::same-value",
            format!(
                "`{}` and `{}` are one value of axis `{axis}`",
                names[first], names[later]
            ),
        )
        .label(place.clone(), "again here")
        .label_at(
            context.place(&["axes", axis, "values", &first.to_string()].map(str::to_owned)),
            "here already",
        )
        .help("remove one of the two, or correct its value")
        .tell(problems);
    }
}
