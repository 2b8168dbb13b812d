//! Stages: their names, what they read, and one variant per combination of the axes that set them.
//!
//! Stages are checked in the order in which they read each other, because which columns group a
//! statistic depends on the axes that reach what it reads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;

use super::edges::{self, Edges};
use super::grid::Grid;
use super::{programs, reported, unused};
use crate::base::wording::{list_of, nearest};
use crate::language::manipulate::Manipulation;
use crate::models::spec::ModelSpec;
use crate::spec::raw::RawSpec;
use crate::stage::check::Declared;
use crate::stage::check::names::Names;
use crate::stage::check::{self, Checking, Context, Known, server};
use crate::stage::{Gathers, Kind, Stage, StageName, idle_manipulations};
use crate::toml::{LayerKind, Layers, Place, Problem, Problems, Tree};

/// Whether a text can name a stage, an axis, a model or an ablation.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// One combination of the values of the axes that set a stage, and the layers that say so.
pub(super) struct Variant {
    pub(super) own: Vec<usize>,
    pub(super) layers: Layers,
}

/// Checks all stages; with them come those that nothing reads.
pub(super) fn check(
    context: &Context<'_>,
    raw: &RawSpec,
    grid: &Grid,
    problems: &mut Problems,
) -> Option<(IndexMap<StageName, Declared>, Vec<StageName>)> {
    let names = names(context, raw);
    check_names(context, &names, problems);
    let mut all: IndexMap<StageName, (Vec<usize>, Vec<Variant>)> = IndexMap::new();
    let mut edges = Edges::default();
    for name in &names.all {
        let axes = own_axes(context, grid, name);
        let variants = variants(context, grid, name, &axes);
        for variant in &variants {
            edges::collect(variant, name, &names, &mut edges, problems);
        }
        all.insert(name.clone(), (axes, variants));
    }
    let order = edges::order(context, &names.all, &edges, problems)?;
    let mut known = Known {
        axes: &grid.axes,
        names: &names,
        shapes: BTreeMap::new(),
        declared: BTreeMap::new(),
    };
    for name in order {
        let (axes, variants) = &all[&name];
        let gathered = gathered(&name, variants, grid);
        let reach = reach(&name, axes, &gathered, &edges, &known.declared);
        let labels = labels(&name, axes, &reach, &edges, &known.declared);
        let path = [name.kind.name().to_owned(), name.name.clone()];
        let reaching = reach.iter().map(|&axis| grid.axes[axis].name.clone());
        let reaching: Vec<String> = reaching.collect();
        let mut built = BTreeMap::new();
        let mut combos_of: BTreeMap<Vec<usize>, Vec<&Vec<usize>>> = BTreeMap::new();
        for combo in &grid.combos {
            let own = axes.iter().map(|&axis| combo[axis]).collect();
            combos_of.entry(own).or_default().push(combo);
        }
        let (mut mistaken, mut shape) = (edges.is_astray(&name), None);
        for variant in variants {
            let context = Context {
                layers: &variant.layers,
                ..*context
            };
            let reads = edges.of(&name, &variant.own);
            let combos = combos_of.remove(&variant.own).unwrap_or_default();
            let checking = Checking {
                context: &context,
                at: &path,
                name: &name,
                reads,
                combos: &combos,
                axes: &reaching,
                known: &known,
            };
            if let Some((stage, own)) = check::check(&checking, problems) {
                built.insert(variant.own.clone(), Arc::new(stage));
                mistaken |= own.is_none();
                shape = shape.or(own.filter(|_| known.knows(reads)));
            }
        }
        // What comes out of a mistaken stage is not known, and nothing below it is blamed.
        if let Some(shape) = shape.filter(|_| !mistaken) {
            known.shapes.insert(name.clone(), shape);
        }
        if name.kind == Kind::Manipulate && built.len() == variants.len() {
            let applied: Vec<Manipulation> =
                built.values().filter_map(|stage| applied(stage)).collect();
            idle_manipulations(context, &path, &applied, problems);
        }
        known.declared.insert(
            name,
            Declared {
                axes: axes.clone(),
                reach,
                labels,
                variants: built,
            },
        );
    }
    reported::check(context, &known.declared, problems);
    programs::check(context, &known.declared, problems);
    let mut declared = known.declared;
    let models = declared.values().flat_map(|stage| stage.variants.values());
    let models: Vec<&ModelSpec> = models.filter_map(|stage| stage.model()).collect();
    server::indistinct(context, models.into_iter(), problems);
    if problems.has_errors() {
        return None;
    }
    let unread = edges::unread(&names.all, &edges);
    let unread = unread.into_iter().cloned().collect();
    unused::axes(context, grid, &declared, problems);
    unused::levels(raw, grid, &declared, problems);
    let stages = names
        .all
        .iter()
        .filter_map(|name| declared.remove_entry(name))
        .collect();
    Some((stages, unread))
}

/// The longest name, in bytes, of which every computer makes a file, with an ending and words in front.
pub(super) const LONGEST_NAME: usize = 200;

/// Says that a name is too long.
pub(super) fn too_long(what: &str, name: &str, place: Option<Place>) -> Problem {
    let message = format!("{what} has a name of {} characters", name.chars().count());
    Problem::error("spec::bad-name", message)
        .label_at(place, "too long for a file or folder")
        .help(format!("write at most {LONGEST_NAME}"))
}

fn check_names(context: &Context<'_>, names: &Names, problems: &mut Problems) {
    for name in &names.all {
        if name.name.len() > LONGEST_NAME {
            let path = [name.kind.name().to_owned(), name.name.clone()];
            let place = context.layers.place_of_key(&path);
            problems.push(too_long("a stage", &name.name, place));
            continue;
        }
        if !is_name(&name.name) {
            let path = [name.kind.name().to_owned(), name.name.clone()];
            Problem::error(
                "spec::bad-name",
                format!("`{}` cannot be the name of a stage", name.name),
            )
            .label_at(context.layers.place_of_key(&path), "not a name to use here")
            .help("use letters, digits, `-` and `_`, beginning with a letter or digit")
            .tell(problems);
        }
    }
    for name in &names.all {
        let path = [name.kind.name().to_owned(), name.name.clone()];
        // A stage that only an argument or a variable names is a slip, not a new stage.
        let from_outside = [LayerKind::Env, LayerKind::Set];
        if from_outside.contains(&context.layers.layer_of(&path)) {
            let others: Vec<String> = names
                .all
                .iter()
                .filter(|other| *other != name)
                .map(ToString::to_string)
                .collect();
            Problem::error("spec::unknown-target", format!("there is no `{name}`"))
                .label_at(context.layers.place_of_key(&path), "sets nothing")
                .help(match nearest(&name.to_string(), &others) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the stages are {}", list_of(&others)),
                })
                .tell(problems);
        }
    }
    // Tables that cannot be read are no stages either, and that was told.
    if names.all.is_empty() && !problems.has_errors() {
        Problem::error("spec::empty", "the spec has no stages".to_owned())
            .help("`tribunal init` writes a small experiment to start from")
            .tell(problems);
    }
}

/// The axes that set a stage's own parameters, or those of a model it may use.
fn own_axes(context: &Context<'_>, grid: &Grid, name: &StageName) -> Vec<usize> {
    let sets = |axis: usize, table: &str, entry: &str| {
        grid.targets[axis]
            .iter()
            .any(|path| path[0] == table && path.get(1).is_some_and(|step| step == entry))
    };
    let mut models: BTreeSet<String> = BTreeSet::new();
    if name.kind.asks() {
        let path = [
            name.kind.name().to_owned(),
            name.name.clone(),
            "model".to_owned(),
        ];
        models.extend(
            context
                .layers
                .tree()
                .get(&path)
                .and_then(Tree::as_str)
                .map(str::to_owned),
        );
        // An axis names the model by itself, or among other parameters of the stage.
        for (axis, targets) in grid.targets.iter().enumerate() {
            for target in targets {
                let Some(rest) = path.strip_prefix(target.as_slice()) else {
                    continue;
                };
                let named = grid.values[axis]
                    .iter()
                    .filter_map(|(value, _)| value.get(rest)?.as_str());
                models.extend(named.map(str::to_owned));
            }
        }
    }
    (0..grid.axes.len())
        .filter(|&axis| {
            sets(axis, name.kind.name(), &name.name)
                || models.iter().any(|model| sets(axis, "models", model))
        })
        .collect()
}

fn variants(context: &Context<'_>, grid: &Grid, name: &StageName, axes: &[usize]) -> Vec<Variant> {
    let own: BTreeSet<Vec<usize>> = grid
        .combos
        .iter()
        .map(|combo| axes.iter().map(|&axis| combo[axis]).collect())
        .collect();
    own.into_iter()
        .map(|own| {
            let overrides: Vec<(Vec<String>, Tree, Place)> = axes
                .iter()
                .zip(&own)
                .flat_map(|(&axis, &value)| {
                    let (tree, place) = &grid.values[axis][value];
                    grid.targets[axis]
                        .iter()
                        .filter(|path| {
                            path[0] == "models"
                                || (path[0] == name.kind.name() && path[1] == name.name)
                        })
                        .map(|path| (path.clone(), tree.clone(), place.clone()))
                })
                .collect();
            Variant {
                own,
                layers: context.layers.with_overrides(&overrides),
            }
        })
        .collect()
}

/// The axes that do not reach a stage although they reach what it reads, because all its variants gather them.
fn gathered(name: &StageName, variants: &[Variant], grid: &Grid) -> BTreeSet<usize> {
    let all: BTreeSet<usize> = (0..grid.axes.len()).collect();
    match name.kind.gathers() {
        Gathers::Nothing => BTreeSet::new(),
        Gathers::All => all,
        Gathers::Over => {
            let path = ["over"].map(str::to_owned);
            let table = [name.kind.name().to_owned(), name.name.clone()];
            let named = |variant: &Variant| -> BTreeSet<usize> {
                let tree = variant.layers.tree().get(&[&table[..], &path].concat());
                let (one, several) =
                    tree.map_or((None, None), |tree| (tree.as_str(), tree.elements()));
                let several = several.into_iter().flatten().filter_map(Tree::as_str);
                let names: Vec<&str> = one.into_iter().chain(several).collect();
                let is_named = |axis: &usize| names.contains(&grid.axes[*axis].name.as_str());
                all.iter().copied().filter(is_named).collect()
            };
            let mut gathered = variants.iter().map(named);
            let first = gathered.next().unwrap_or_default();
            gathered.fold(first, |all, one| &all & &one)
        }
    }
}

/// The axes that reach a stage: those that set it and those that reach what it reads in any of its variants, but for what
/// it gathers.
fn reach(
    name: &StageName,
    axes: &[usize],
    gathered: &BTreeSet<usize>,
    edges: &Edges,
    declared: &BTreeMap<StageName, Declared>,
) -> BTreeSet<usize> {
    let read = edges
        .all(name)
        .into_iter()
        .filter_map(|from| declared.get(from));
    let read = read.flat_map(|declared| &declared.reach);
    let read = read.filter(|axis| !gathered.contains(axis));
    axes.iter().chain(read).copied().collect()
}

/// The axes whose values a stage adds as columns. Where tables are put together, rows of one that an axis does not reach
/// are of its value as all others; a group may be one of no rows, which hold no value of an axis.
fn labels(
    name: &StageName,
    axes: &[usize],
    reach: &BTreeSet<usize>,
    edges: &Edges,
    declared: &BTreeMap<StageName, Declared>,
) -> Vec<usize> {
    match name.kind {
        Kind::Join | Kind::Concat => {}
        Kind::Group => return reach.iter().copied().collect(),
        _ => return axes.to_vec(),
    }
    let reaches_all = |axis: &usize| {
        let read = edges
            .all(name)
            .into_iter()
            .filter_map(|from| declared.get(from));
        read.into_iter()
            .all(|declared| declared.reach.contains(axis))
    };
    let uneven = reach
        .iter()
        .filter(|axis| !reaches_all(axis) && !axes.contains(axis));
    axes.iter().chain(uneven).copied().collect()
}

/// What a stage applies to documents.
fn applied(stage: &Stage) -> Option<Manipulation> {
    match stage {
        Stage::Manipulate(manipulate) => Some(manipulate.recipe.as_ref()?.manipulation()),
        _ => None,
    }
}

/// The names of all stages of a spec.
fn names(context: &Context<'_>, raw: &RawSpec) -> Names {
    let of = |kind: Kind| {
        let names = raw.names(kind).into_iter();
        names.map(move |name| StageName::new(kind, name))
    };
    let names = Kind::ALL.into_iter().flat_map(of);
    let elsewhere =
        |name: &StageName| name.kind == Kind::Source && is_elsewhere(context, &name.name);
    Names::new(names.filter(|name| !elsewhere(name)).collect())
}

/// Whether a source is only named, by the file of this machine, to say where its books are fetched
/// from: for the specs that have it.
fn is_elsewhere(context: &Context<'_>, name: &str) -> bool {
    let path = ["source".to_owned(), name.to_owned()];
    let keys = context.layers.tree().entries(&path);
    !keys.is_empty()
        && keys.iter().all(|(key, _)| key == "mirror")
        && context.layers.layer_of(&path) == LayerKind::Local
}
