//! Stages: their names, what they read, and one variant per combination of the axes that set them.
//!
//! Stages are checked in the order in which they read each other, because which columns group a
//! statistic depends on the axes that reach what it reads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;

use super::edges::{self, Edges};
use super::grid::Grid;
use super::{
    Context, clean, export, figure, generate, judge, manipulate, measure, memo, reported, select,
    server, source, split, stats, table, truncate, unused,
};
use crate::base::wording::{list_of, nearest};
use crate::language::manipulate::Manipulation;
use crate::models::spec::ModelSpec;
use crate::spec::raw::RawSpec;
use crate::spec::text::read;
use crate::spec::{Declared, LayerKind, Layers, Place, Problem, Problems, Tree};
use crate::stage::{Judge, Kind, Stage, StageName};

/// Which columns tell the rows of a stage's results apart, and what they are.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    /// Axes that reach the stage and the columns that group its rows, in order.
    pub(super) groups: Vec<String>,
    /// For statistics: the columns that hold them.
    pub(super) statistics: Vec<String>,
    /// Whether the rows hold counts rather than scores.
    pub(super) counts: bool,
}

/// What is known of the stages checked so far.
pub(super) struct Known<'k> {
    pub(super) grid: &'k Grid,
    pub(super) names: &'k Names,
    pub(super) shapes: BTreeMap<StageName, Shape>,
    pub(super) declared: BTreeMap<StageName, Declared>,
}

impl Known<'_> {
    /// Whether everything read is free of mistakes, so that its columns are known.
    pub(super) fn knows(&self, reads: &[StageName]) -> bool {
        reads.iter().all(|name| self.shapes.contains_key(name))
    }

    /// A judge under one combination of axis values.
    pub(super) fn judge(&self, name: &StageName, combo: &[usize]) -> Option<&Judge> {
        let declared = self.declared.get(name)?;
        let own: Vec<usize> = declared.axes.iter().map(|&axis| combo[axis]).collect();
        match &**declared.variants.get(&own)? {
            Stage::Judge(judge) => Some(judge),
            _ => None,
        }
    }
}

/// All stage names, to be found with or without their kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    all: Vec<StageName>,
    /// What may be written for a stage → its positions.
    written: BTreeMap<String, Vec<usize>>,
}

impl Names {
    fn new(context: &Context<'_>, raw: &RawSpec) -> Self {
        let of = |kind: Kind, names: Vec<&String>| {
            names
                .into_iter()
                .map(move |name| StageName::new(kind, name))
                .collect::<Vec<_>>()
        };
        let sources = raw.source.keys();
        let sources = sources.filter(|name| !source::is_elsewhere(context, name));
        let all = [
            of(Kind::Source, sources.collect()),
            of(Kind::Clean, raw.clean.keys().collect()),
            of(Kind::Select, raw.select.keys().collect()),
            of(Kind::Split, raw.split.keys().collect()),
            of(Kind::Truncate, raw.truncate.keys().collect()),
            of(Kind::Manipulate, raw.manipulate.keys().collect()),
            of(Kind::Measure, raw.measure.keys().collect()),
            of(Kind::Generate, raw.generate.keys().collect()),
            of(Kind::Judge, raw.judge.keys().collect()),
            of(Kind::Memo, raw.memo.keys().collect()),
            of(Kind::Stats, raw.stats.keys().collect()),
            of(Kind::Table, raw.table.keys().collect()),
            of(Kind::Figure, raw.figure.keys().collect()),
            of(Kind::Export, raw.export.keys().collect()),
        ]
        .concat();
        let mut written: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, name) in all.iter().enumerate() {
            written.entry(name.name.clone()).or_default().push(index);
            written.entry(name.to_string()).or_default().push(index);
        }
        Self { all, written }
    }

    /// The stages that `written` may mean: `vanilla`, or `judge.vanilla` where the kind matters.
    pub(super) fn find(&self, written: &str) -> Vec<&StageName> {
        let found = self.written.get(written).into_iter().flatten();
        found.map(|&index| &self.all[index]).collect()
    }

    /// The names of the other stages of these kinds, as one would write them.
    pub(super) fn to_read(&self, reader: &StageName, kinds: &[Kind]) -> Vec<&str> {
        self.all
            .iter()
            .filter(|name| *name != reader && kinds.contains(&name.kind))
            .map(|name| name.name.as_str())
            .collect()
    }
}

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
    let names = Names::new(context, raw);
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
        grid,
        names: &names,
        shapes: BTreeMap::new(),
        declared: BTreeMap::new(),
    };
    for name in order {
        let (axes, variants) = &all[&name];
        let reach = reach(&name, axes, &edges, &known.declared);
        let mut built = BTreeMap::new();
        let mut combos_of: BTreeMap<Vec<usize>, Vec<&Vec<usize>>> = BTreeMap::new();
        for combo in &grid.combos {
            let own = axes.iter().map(|&axis| combo[axis]).collect();
            combos_of.entry(own).or_default().push(combo);
        }
        for variant in variants {
            let context = Context {
                layers: &variant.layers,
                ..*context
            };
            let reads = edges.of(&name, &variant.own);
            let combos = combos_of.remove(&variant.own).unwrap_or_default();
            if let Some((stage, shape)) = stage(
                &context,
                &name,
                (reads, combos),
                grid,
                &reach,
                &known,
                problems,
            ) {
                built.insert(variant.own.clone(), Arc::new(stage));
                // What comes out of a mistaken stage is not known, and nothing below it is blamed.
                if known.knows(reads) && !edges.is_astray(&name) {
                    known.shapes.entry(name.clone()).or_insert(shape);
                }
            }
        }
        if name.kind == Kind::Manipulate && built.len() == variants.len() {
            let applied: Vec<Manipulation> =
                built.values().filter_map(|stage| applied(stage)).collect();
            let path = [name.kind.name().to_owned(), name.name.clone()];
            manipulate::idle(context, &path, &applied, problems);
        }
        known.declared.insert(
            name,
            Declared {
                axes: axes.clone(),
                reach,
                variants: built,
            },
        );
    }
    reported::check(context, &known.declared, problems);
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
    let message = format!("{what} has a name of {} letters", name.chars().count());
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
            problems.push(
                Problem::error(
                    "spec::bad-name",
                    format!("`{}` cannot be the name of a stage", name.name),
                )
                .label_at(context.layers.place_of_key(&path), "not a name to use here")
                .help("use letters, digits, `-` and `_`, beginning with a letter or digit"),
            );
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
            problems.push(
                Problem::error("spec::unknown-target", format!("there is no `{name}`"))
                    .label_at(context.layers.place_of_key(&path), "sets nothing")
                    .help(match nearest(&name.to_string(), &others) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("the stages are {}", list_of(&others)),
                    }),
            );
        }
    }
    // Tables that cannot be read are no stages either, and that was told.
    if names.all.is_empty() && !problems.has_errors() {
        problems.push(
            Problem::error("spec::empty", "the spec has no stages".to_owned())
                .help("`tribunal init` writes a small experiment to start from"),
        );
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

/// The axes that reach a stage: those that set it and, unless it gathers, those that reach what it
/// reads in any of its variants.
fn reach(
    name: &StageName,
    axes: &[usize],
    edges: &Edges,
    declared: &BTreeMap<StageName, Declared>,
) -> BTreeSet<usize> {
    let mut reach: BTreeSet<usize> = axes.iter().copied().collect();
    if !name.kind.gathers() {
        for from in edges.all(name) {
            reach.extend(
                declared
                    .get(from)
                    .into_iter()
                    .flat_map(|declared| &declared.reach),
            );
        }
    }
    reach
}

fn stage(
    context: &Context<'_>,
    name: &StageName,
    (reads, combos): (&[StageName], Vec<&Vec<usize>>),
    grid: &Grid,
    reach: &BTreeSet<usize>,
    known: &Known<'_>,
    problems: &mut Problems,
) -> Option<(Stage, Shape)> {
    let path = [name.kind.name().to_owned(), name.name.clone()];
    let axes: Vec<String> = reach
        .iter()
        .map(|&axis| grid.axes[axis].name.clone())
        .collect();
    // Without an input, which was reported, the rest of the stage is checked all the same.
    let from = || reads.first().unwrap_or(name).clone();
    let rows = Shape {
        groups: axes.clone(),
        ..Shape::default()
    };
    match name.kind {
        Kind::Source => {
            let raw = read(context.layers, &path, problems)?;
            Some((
                Stage::Source(source::check(context, &path, &raw, problems)?),
                rows,
            ))
        }
        Kind::Select => {
            let raw = read(context.layers, &path, problems)?;
            Some((
                Stage::Select(select::check(context, &path, &raw, from(), problems)?),
                of_rows_kept(axes, reads, known),
            ))
        }
        Kind::Clean
        | Kind::Split
        | Kind::Truncate
        | Kind::Manipulate
        | Kind::Generate
        | Kind::Memo => {
            let from = (from(), reads, combos.as_slice());
            Some((
                of_documents(context, name.kind, &path, from, known, problems)?,
                rows,
            ))
        }
        Kind::Measure => {
            let raw = read(context.layers, &path, problems)?;
            let stage = measure::check(context, &path, &raw, from(), problems)?;
            let groups = axes.into_iter().chain(["metric".to_owned()]).collect();
            Some((
                Stage::Measure(stage),
                Shape {
                    groups,
                    counts: true,
                    ..Shape::default()
                },
            ))
        }
        Kind::Judge => {
            let raw = read(context.layers, &path, problems)?;
            let judge = judge::check(context, &path, &raw, from(), problems)?;
            let groups = axes.into_iter().chain(["metric".to_owned()]).collect();
            Some((
                Stage::Judge(Box::new(judge)),
                Shape {
                    groups,
                    ..Shape::default()
                },
            ))
        }
        Kind::Stats => {
            let raw = read(context.layers, &path, problems)?;
            let stats = stats::check(context, &path, &raw, reads.to_vec(), known, problems)?;
            let mut shape = stats::shape(&stats);
            // The axes that set it become columns of its result.
            let own = axes.into_iter();
            let own: Vec<String> = own.filter(|axis| !shape.groups.contains(axis)).collect();
            shape.groups.splice(0..0, own);
            Some((Stage::Stats(stats), shape))
        }
        Kind::Export => {
            let raw = read(context.layers, &path, problems)?;
            Some((
                Stage::Export(export::check(
                    context,
                    &path,
                    &raw,
                    reads.to_vec(),
                    problems,
                )),
                Shape::default(),
            ))
        }
        Kind::Table => {
            let raw = read(context.layers, &path, problems)?;
            let table = table::check(context, &path, &raw, known, problems)?;
            Some((Stage::Table(table), Shape::default()))
        }
        Kind::Figure => {
            let raw = read(context.layers, &path, problems)?;
            let figure = figure::check(context, &path, &raw, known, problems)?;
            Some((Stage::Figure(figure), Shape::default()))
        }
    }
}

/// What tells rows apart of which some are kept: the axes that reach the stage, then what told them apart before.
fn of_rows_kept(axes: Vec<String>, reads: &[StageName], known: &Known<'_>) -> Shape {
    let shape = reads.first().and_then(|from| known.shapes.get(from));
    let mut shape = shape.cloned().unwrap_or_default();
    shape.groups.retain(|group| !axes.contains(group));
    shape.groups.splice(0..0, axes);
    shape
}

/// What a stage applies to documents.
fn applied(stage: &Stage) -> Option<Manipulation> {
    match stage {
        Stage::Manipulate(manipulate) => Some(manipulate.recipe.as_ref()?.manipulation),
        _ => None,
    }
}

/// Stages whose rows are documents.
fn of_documents(
    context: &Context<'_>,
    kind: Kind,
    path: &[String],
    (from, reads, combos): (StageName, &[StageName], &[&Vec<usize>]),
    known: &Known<'_>,
    problems: &mut Problems,
) -> Option<Stage> {
    Some(match kind {
        Kind::Clean => {
            let raw = read(context.layers, path, problems)?;
            Stage::Clean(clean::check(context, path, &raw, from, problems)?)
        }
        Kind::Split => {
            let raw = read(context.layers, path, problems)?;
            Stage::Split(split::check(context, path, &raw, from, problems)?)
        }
        Kind::Truncate => {
            let raw = read(context.layers, path, problems)?;
            Stage::Truncate(truncate::check(context, path, &raw, from, problems)?)
        }
        Kind::Manipulate => {
            let raw = read(context.layers, path, problems)?;
            let stage = manipulate::check(context, path, &raw, reads, from, problems)?;
            Stage::Manipulate(Box::new(stage))
        }
        Kind::Generate => {
            let raw = read(context.layers, path, problems)?;
            let stage = generate::check(context, path, &raw, from, known, problems)?;
            Stage::Generate(Box::new(stage))
        }
        Kind::Memo => {
            let raw = read(context.layers, path, problems)?;
            Stage::Memo(memo::check(
                context, path, &raw, reads, combos, known, problems,
            )?)
        }
        _ => return None,
    })
}
