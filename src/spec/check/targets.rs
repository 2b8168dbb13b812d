//! Parameter paths: what an axis or an ablation may set, and who else sets it.

use super::grid::Grid;
use super::stages::is_name;
use crate::base::wording::{list_of, nearest};
use crate::spec::schema;
use crate::stage::Kind;
use crate::stage::check::{self, Context};
use crate::toml::path_of;
use crate::toml::{LayerKind, Place, Problem, Problems, Tree};

/// The path an axis sets.
///
/// # Errors
/// Why it is none that an axis can set.
pub(super) fn of_axis(
    context: &Context<'_>,
    target: &str,
    place: Option<&Place>,
) -> Result<Vec<String>, Problem> {
    let path = parsed(target, place)?;
    let first = path.first().map_or("", String::as_str);
    let (message, help) = match first {
        "seed" => (
            "an axis cannot set `seed`",
            "set it in an ablation: `set = { seed = 1 }`".to_owned(),
        ),
        "axes" | "grid" => (
            "an axis cannot change the axes",
            "change them in an ablation".to_owned(),
        ),
        "table" if path.len() > 1 => (
            "an axis cannot set a table: one table shows all its values",
            format!(
                "show both in one with `[[table.{}.part]]`, or use an ablation",
                path[1]
            ),
        ),
        _ => return known(context, target, path, place),
    };
    Err(sets_nothing(place, message.to_owned(), help))
}

/// The path an ablation changes.
///
/// # Errors
/// Why it is none that an ablation can change.
pub(super) fn of_ablation(
    context: &Context<'_>,
    target: &str,
    place: Option<&Place>,
) -> Result<Vec<String>, Problem> {
    let path = parsed(target, place)?;
    let steps: Vec<&str> = path.iter().map(String::as_str).collect();
    match steps.as_slice() {
        ["seed"] | ["grid", "zip" | "exclude"] | ["axes", _, ..] => Ok(path),
        _ => known(context, target, path, place),
    }
}

fn sets_nothing(place: Option<&Place>, message: String, help: String) -> Problem {
    Problem::error("spec::unknown-target", message)
        .label_at(place.cloned(), "sets nothing")
        .help(help)
}

fn parsed(target: &str, place: Option<&Place>) -> Result<Vec<String>, Problem> {
    path_of(target).ok_or_else(|| {
        sets_nothing(
            place,
            format!("`{target}` is not a path of keys"),
            "write `kind.stage.parameter`, with keys that hold dots in quotes".to_owned(),
        )
    })
}

/// The path, if it is one of a parameter that the spec's stages or models have.
fn known(
    context: &Context<'_>,
    target: &str,
    path: Vec<String>,
    place: Option<&Place>,
) -> Result<Vec<String>, Problem> {
    let problem = |message: String, help: String| Err(sets_nothing(place, message, help));
    // Several parameters of one stage at once: the values are tables, laid over the stage's own.
    if let [table, name] = path.as_slice()
        && (table == "models" || table.parse::<Kind>().is_ok())
        && context.layers.tree().get(&path).is_some_and(Tree::is_table)
        && is_name(name)
    {
        return Ok(path);
    }
    let [table, name, parameter, ..] = path.as_slice() else {
        return problem(
            format!("`{target}` is not a parameter"),
            "write `kind.stage.parameter`, such as `judge.vanilla.model`".to_owned(),
        );
    };
    let known = match (table.as_str(), table.parse::<Kind>()) {
        ("models", _) => schema::model_parameters(),
        (_, Ok(kind)) => check::parameters(kind),
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
        let dotted = there
            .iter()
            .find(|there| target.starts_with(&format!("{table}.{there}.")));
        let help = match nearest(name, &there) {
            _ if dotted.is_some() => {
                let name = dotted.map_or("", String::as_str);
                let rest = &target[table.len() + name.len() + 2..];
                format!("quote the name with dots: `{table}.\"{name}\".{rest}`")
            }
            Some(near) => format!("did you mean `{table}.{near}.{parameter}`?"),
            None if there.is_empty() => format!("the spec has no table `[{table}.{name}]`"),
            None => format!("the names under `{table}` are {}", list_of(&there)),
        };
        return problem(format!("there is no `{table}.{name}`"), help);
    }
    if !known.contains(&parameter.as_str()) {
        let help = match nearest(parameter, known) {
            Some(near) => format!("did you mean `{table}.{name}.{near}`?"),
            None => format!("the parameters of `{table}` are {}", list_of(known)),
        };
        return problem(
            format!("`{table}.{name}` has no parameter `{parameter}`"),
            help,
        );
    }
    Ok(path)
}

/// Parameters that two axes set: the later one would win, and the earlier one's column would lie. Two
/// may set different parameters of one table.
pub(super) fn clashes(context: &Context<'_>, grid: &Grid, problems: &mut Problems) {
    let overlap = |one: &[Vec<String>], other: &[Vec<String>]| {
        let meets = |path: &Vec<String>| {
            let mut others = other.iter();
            others.any(|other| other.starts_with(path) || path.starts_with(other))
        };
        one.iter().any(meets)
    };
    for (later, targets) in grid.targets.iter().enumerate() {
        for earlier in 0..later {
            let within = |path: &Vec<String>| {
                let set = leaves_of_axis(grid, later, path);
                grid.targets[earlier]
                    .iter()
                    .position(|other| overlap(&set, &leaves_of_axis(grid, earlier, other)))
            };
            let both = targets
                .iter()
                .enumerate()
                .find_map(|(index, path)| Some((index, within(path)?, path)));
            let Some((again, first, path)) = both else {
                continue;
            };
            let names = [earlier, later].map(|axis| &grid.axes[axis].name);
            let place = |axis: usize, target: usize| {
                let name = &grid.axes[axis].name;
                let at = ["axes".to_owned(), name.clone(), "set".to_owned()];
                let listed = [&at[..], &[target.to_string()]].concat();
                context.place(&listed).or_else(|| context.place(&at))
            };
            Problem::error(
                "spec::axis-clash",
                format!(
                    "axes `{}` and `{}` both set `{}`",
                    names[0],
                    names[1],
                    shown(path)
                ),
            )
            .label_at(place(later, again), "set again here")
            .label_at(place(earlier, first), "set here")
            .help("keep one of the two, or let them set different parameters")
            .tell(problems);
        }
    }
}

/// Changes by an ablation, an argument or a variable that every combination overrides: whoever made
/// them would believe to see their effect.
pub(super) fn without_effect(
    grid: &Grid,
    changes: &[(Vec<String>, Tree, Place)],
    problems: &mut Problems,
) {
    for (path, value, place) in changes {
        let mut leaves = Vec::new();
        leaves_of(path, value, &mut leaves);
        let setters: Vec<Option<usize>> = leaves.iter().map(|leaf| setter(grid, leaf)).collect();
        let Some(Some(&axis)) = setters
            .iter()
            .all(Option::is_some)
            .then(|| setters.iter().flatten().next())
        else {
            continue;
        };
        let name = &grid.axes[axis].name;
        Problem::error(
            "spec::no-effect",
            format!(
                "axis `{name}` sets `{}` in every combination, so this changes nothing",
                shown(path)
            ),
        )
        .label(place.clone(), "overridden by the axis")
        .help(format!("change `axes.{name}.values`"))
        .tell(problems);
    }
}

/// What arguments and variables change.
pub(super) fn from_outside(context: &Context<'_>) -> Vec<(Vec<String>, Tree, Place)> {
    let tree = context.layers.tree();
    let mut leaves = Vec::new();
    leaves_of(&[], tree, &mut leaves);
    leaves
        .into_iter()
        .filter(|path| [LayerKind::Env, LayerKind::Set].contains(&context.layers.layer_of(path)))
        .filter_map(|path| {
            let place = context.place(&path)?;
            Some((path.clone(), tree.get(&path)?.clone(), place))
        })
        .collect()
}

/// The parameters that the values of an axis set at a path of its own.
fn leaves_of_axis(grid: &Grid, axis: usize, path: &[String]) -> Vec<Vec<String>> {
    let mut leaves = Vec::new();
    for (value, _) in &grid.values[axis] {
        leaves_of(path, value, &mut leaves);
    }
    leaves
}

fn leaves_of(path: &[String], value: &Tree, leaves: &mut Vec<Vec<String>>) {
    if !value.is_table() {
        leaves.push(path.to_vec());
        return;
    }
    for (key, child) in value.children() {
        leaves_of(&[path, &[key.to_owned()]].concat(), child, leaves);
    }
}

/// The axis whose every value says what stands at a path.
fn setter(grid: &Grid, path: &[String]) -> Option<usize> {
    (0..grid.axes.len()).find(|&axis| {
        grid.targets[axis].iter().any(|target| {
            path.strip_prefix(target.as_slice())
                .is_some_and(|rest| grid.values[axis].iter().all(|(value, _)| says(value, rest)))
        })
    })
}

fn says(value: &Tree, rest: &[String]) -> bool {
    match rest {
        [first, rest @ ..] if value.is_table() => {
            value.get(&[first]).is_some_and(|value| says(value, rest))
        }
        // What is no table replaces all there was.
        _ => true,
    }
}

/// A path as one would write it.
fn shown(path: &[String]) -> String {
    let bare = |key: &str| {
        !key.is_empty()
            && key
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
    };
    let keys: Vec<String> = path
        .iter()
        .map(|key| {
            if bare(key) {
                key.clone()
            } else {
                format!("{key:?}")
            }
        })
        .collect();
    keys.join(".")
}
