//! Axes: what they set, which values they take, and which combinations are run.

use std::collections::BTreeSet;

use super::Context;
use super::stages::is_name;
use crate::frame::Scalar;
use crate::spec::raw::{RawAxis, RawSpec};
use crate::spec::{Axis, Place, Plain, Problem, Problems, Tree, schema};
use crate::stage::Kind;
use crate::wording::{count, list_of, nearest, there_are};

/// The axes with what they set, and the combinations.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    pub(super) axes: Vec<Axis>,
    /// For each axis, the paths it sets.
    pub(super) targets: Vec<Vec<Vec<String>>>,
    /// For each axis, each value and where it stands.
    pub(super) values: Vec<Vec<(Tree, Place)>>,
    pub(super) combos: Vec<Vec<usize>>,
}

pub(super) fn check(context: &Context<'_>, raw: &RawSpec, problems: &mut Problems) -> Grid {
    let mut grid = Grid::default();
    for (name, axis) in &raw.axes {
        axis_check(context, name, axis, &mut grid, problems);
    }
    clashes(context, &grid, problems);
    let groups = zipped(context, raw, &grid, problems);
    grid.combos = product(&grid, &groups);
    exclude(context, raw, &mut grid, problems);
    grid
}

fn axis_check(
    context: &Context<'_>,
    name: &str,
    axis: &RawAxis,
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
        let path: Vec<String> = target.split('.').map(str::to_owned).collect();
        let mut place = at("set");
        if context
            .layers
            .tree()
            .get(&place)
            .is_some_and(|tree| tree.elements().is_some())
        {
            place.push(index.to_string());
        }
        match bad_target(context, target, &path, context.place(&place).as_ref()) {
            Some(problem) => problems.push(problem),
            None => targets.push(path),
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
            problems.push(
                context
                    .problem(
                        "spec::missing-key",
                        format!("axis `{name}` has no values"),
                        &at("values"),
                        "nothing in here",
                    )
                    .help("name at least one value, or remove the axis"),
            );
        } else if !context.is_written(header, "values") {
            problems.push(missing("values", "[...]"));
        }
        return;
    }
    let taken = crate::stage::RESERVED.contains(&name) || ["doc_id", "text"].contains(&name);
    if taken || !is_name(name) {
        problems.push(
            Problem::error(
                "spec::bad-name",
                format!("an axis cannot be called `{name}`"),
            )
            .label_at(
                context.layers.place_of_key(header),
                if taken { "taken" } else { "not a name to use here" },
            )
            .help(if taken {
                "the axis is a column of every table below, and documents or judges have one of this name"
            } else {
                "use letters, digits, `-` and `_`, beginning with a letter or digit"
            }),
        );
        return;
    }
    if let Some(names) = names(context, axis, &values, &at("names"), problems) {
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
            problems.push(
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
                    .help("give every value one name, in the same order"),
            );
            return None;
        }
        None => {
            let mut scalars = Vec::new();
            for (value, place) in values {
                match value.deserialize::<Plain>() {
                    Ok(plain) => scalars.push(plain.0),
                    Err(_) => {
                        problems.push(
                            Problem::error(
                                "spec::axis-names",
                                format!(
                                    "{} has no name as a value of axis `{name}`",
                                    value.describe()
                                ),
                            )
                            .label(place.clone(), "not text or a number")
                            .help("give the values names with `names = [\"...\", ...]`"),
                        );
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
            problems.push(
                Problem::error("spec::axis-twice", message)
                    .label_at(place, "again here")
                    .help(help),
            );
            return None;
        }
    }
    let one_type = scalars
        .windows(2)
        .all(|pair| std::mem::discriminant(&pair[0]) == std::mem::discriminant(&pair[1]));
    Some(if one_type {
        scalars
    } else {
        scalars
            .into_iter()
            .map(|scalar| Scalar::Text(scalar.to_string()))
            .collect()
    })
}

/// Why a parameter path names no parameter, if it names none.
pub(super) fn bad_target(
    context: &Context<'_>,
    target: &str,
    path: &[String],
    place: Option<&Place>,
) -> Option<Problem> {
    let problem = |message: String, help: String| {
        Some(
            Problem::error("spec::unknown-target", message)
                .label_at(place.cloned(), "sets nothing")
                .help(help),
        )
    };
    let [table, name, parameter, ..] = path else {
        // `seed` and whole axes can be changed by an ablation, as a path of one or two steps.
        if path == ["seed"] {
            return None;
        }
        return problem(
            format!("`{target}` is not a parameter"),
            "write `kind.stage.parameter`, such as `judge.vanilla.model`".to_owned(),
        );
    };
    if table == "axes" {
        return None;
    }
    let known = match (table.as_str(), table.parse::<Kind>()) {
        ("models", _) => schema::model_parameters(),
        (_, Ok(kind)) => schema::parameters(kind),
        (_, Err(())) => {
            let mut kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
            kinds.push("models");
            let help = match nearest(table, &kinds) {
                Some(near) => format!("did you mean `{near}.{name}.{parameter}`?"),
                None => format!("a parameter begins with {}", list_of(&kinds)),
            };
            return problem(
                format!("`{table}` is neither a kind of stage nor `models`"),
                help,
            );
        }
    };
    let there: Vec<String> = context
        .layers
        .tree()
        .entries(&[table])
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    if !there.contains(name) {
        let help = match nearest(name, &there) {
            Some(near) => format!("did you mean `{table}.{near}.{parameter}`?"),
            None if there.is_empty() => format!("the spec has no table `[{table}.{name}]`"),
            None => format!("the names under `{table}` are {}", list_of(&there)),
        };
        return problem(format!("there is no `{table}.{name}`"), help);
    }
    if !known.contains(parameter) {
        let help = match nearest(parameter, &known) {
            Some(near) => format!("did you mean `{table}.{name}.{near}`?"),
            None => format!("the parameters of `{table}` are {}", list_of(&known)),
        };
        return problem(
            format!("`{table}.{name}` has no parameter `{parameter}`"),
            help,
        );
    }
    None
}

/// Parameters that two axes set: the later one would win, and the earlier one's column would lie.
fn clashes(context: &Context<'_>, grid: &Grid, problems: &mut Problems) {
    for (later, targets) in grid.targets.iter().enumerate() {
        for earlier in 0..later {
            let both = targets.iter().find(|path| {
                let within = |other: &&Vec<String>| {
                    other.starts_with(path.as_slice()) || path.starts_with(other.as_slice())
                };
                grid.targets[earlier].iter().any(|other| within(&other))
            });
            let Some(both) = both else { continue };
            let names = [earlier, later].map(|axis| grid.axes[axis].name.clone());
            let place = |name: &String| {
                context.place(&context.element(
                    &["axes".to_owned(), name.clone(), "set".to_owned()],
                    &both.join("."),
                ))
            };
            problems.push(
                Problem::error(
                    "spec::axis-clash",
                    format!(
                        "axes `{}` and `{}` both set `{}`",
                        names[0],
                        names[1],
                        both.join(".")
                    ),
                )
                .label_at(place(&names[1]), "set again here")
                .label_at(place(&names[0]), "set here")
                .help("keep one of the two, or let them set different parameters"),
            );
        }
    }
}

/// Groups of axes that advance together; every axis is in exactly one.
fn zipped(
    context: &Context<'_>,
    raw: &RawSpec,
    grid: &Grid,
    problems: &mut Problems,
) -> Vec<Vec<usize>> {
    let mut group_of: Vec<usize> = (0..grid.axes.len()).collect();
    for (index, names) in raw.grid.zip.iter().enumerate() {
        let at = |position: usize| {
            [
                "grid".to_owned(),
                "zip".to_owned(),
                index.to_string(),
                position.to_string(),
            ]
        };
        let members: Vec<usize> = names
            .iter()
            .enumerate()
            .filter_map(|(position, name)| find(context, grid, raw, name, &at(position), problems))
            .collect();
        let lengths: BTreeSet<usize> = members
            .iter()
            .map(|&axis| grid.axes[axis].values.len())
            .collect();
        if lengths.len() > 1 {
            let sizes: Vec<String> = members
                .iter()
                .map(|&axis| {
                    format!(
                        "`{}` has {}",
                        grid.axes[axis].name,
                        grid.axes[axis].values.len()
                    )
                })
                .collect();
            problems.push(
                context
                    .problem(
                        "spec::zip-lengths",
                        "axes that are zipped need the same number of values".to_owned(),
                        &at(0)[..3],
                        &sizes.join(", "),
                    )
                    .help("give them equally many values, or do not zip them"),
            );
            continue;
        }
        if let Some(&first) = members.first() {
            for &axis in &members {
                group_of[axis] = group_of[first];
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); grid.axes.len()];
    for (axis, &group) in group_of.iter().enumerate() {
        groups[group].push(axis);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

fn find(
    context: &Context<'_>,
    grid: &Grid,
    raw: &RawSpec,
    name: &str,
    at: &[String],
    problems: &mut Problems,
) -> Option<usize> {
    let found = grid.axes.iter().position(|axis| axis.name == name);
    // An axis with mistakes of its own is reported there, not as unknown here.
    if found.is_none() && !raw.axes.contains_key(name) {
        let known: Vec<&String> = raw.axes.keys().collect();
        let help = match nearest(name, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => there_are("axis", "axes", &known),
        };
        problems.push(
            Problem::error("spec::unknown-axis", format!("there is no axis `{name}`"))
                .label_at(context.layers.place_of_key(at), "not an axis")
                .help(help),
        );
    }
    found
}

/// Every combination of one position per group, the first axis varying slowest.
fn product(grid: &Grid, groups: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut combos = vec![vec![0; grid.axes.len()]];
    for group in groups {
        let length = grid.axes[group[0]].values.len();
        combos = combos
            .into_iter()
            .flat_map(|combo| {
                (0..length).map(move |value| {
                    let mut next = combo.clone();
                    for &axis in group {
                        next[axis] = value;
                    }
                    next
                })
            })
            .collect();
    }
    combos
}

fn exclude(context: &Context<'_>, raw: &RawSpec, grid: &mut Grid, problems: &mut Problems) {
    for (index, rule) in raw.grid.exclude.iter().enumerate() {
        let at = ["grid".to_owned(), "exclude".to_owned(), index.to_string()];
        let mut wanted = Vec::new();
        for (name, values) in rule {
            let mut path = at.to_vec();
            path.push(name.clone());
            let Some(axis) = find(context, grid, raw, name, &path, problems) else {
                continue;
            };
            let names: Vec<String> = grid.axes[axis]
                .values
                .iter()
                .map(ToString::to_string)
                .collect();
            let mut positions = BTreeSet::new();
            for value in values {
                match names.iter().position(|name| *name == value.to_string()) {
                    Some(position) => {
                        positions.insert(position);
                    }
                    None => problems.push(
                        context
                            .problem(
                                "spec::unknown-value",
                                format!("axis `{name}` has no value `{value}`"),
                                &path,
                                "excludes nothing",
                            )
                            .help(match nearest(&value.to_string(), &names) {
                                // Of numbers none is meant by another.
                                Some(near) if matches!(value.0, Scalar::Text(_)) => {
                                    format!("did you mean `{near}`?")
                                }
                                _ => format!("its values are {}", list_of(&names)),
                            }),
                    ),
                }
            }
            wanted.push((axis, positions));
        }
        let before = grid.combos.len();
        grid.combos.retain(|combo| {
            wanted.is_empty()
                || !wanted
                    .iter()
                    .all(|(axis, positions)| positions.contains(&combo[*axis]))
        });
        if grid.combos.is_empty() && before > 0 {
            problems.push(
                context
                    .problem(
                        "spec::nothing-left",
                        "no combination of the axes is left".to_owned(),
                        &at,
                        "excludes the last of them",
                    )
                    .help("exclude fewer combinations"),
            );
        }
    }
}
