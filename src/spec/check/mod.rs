//! From a spec as written to an experiment that can be planned.
//!
//! The check collects problems instead of stopping at the first: a person repairs a file once. It
//! is pure: templates are handed in, and whether data files exist is found out when they are read.

mod axes;
mod edges;
mod export;
mod figure;
mod grid;
mod labels;
mod programs;
mod reported;
mod slurm;
mod stages;
mod table;
mod targets;
mod unused;
mod written;

use std::collections::BTreeSet;
use std::path::Path;

use indexmap::IndexMap;

use self::grid::Grid;
use super::raw::RawSpec;
use super::{Design, Spec};
use crate::base::wording::list_of;
use crate::stage::StageName;
use crate::stage::check::{Context, TemplateFiles, annotator, model, paths};
use crate::toml::{Folders, Layers, Place, Problem, Problems, Tree, read};

/// Checks a spec called `name` in the project at `root`.
///
/// The problems may be warnings only; then there is a spec.
pub fn check(
    layers: &Layers,
    name: &str,
    templates: &TemplateFiles,
    root: &Path,
) -> (Option<Spec>, Problems) {
    let mut problems = Problems::new();
    let raw = read::<RawSpec>(layers, &[], &mut problems).unwrap_or_default();
    let folders = paths::folders(layers, root);
    let (grid, base) = design(layers, templates, &folders, None, &mut problems);
    let mut unread = base.as_ref().map(|(_, unread)| unread.clone());
    let context = Context {
        layers,
        templates,
        folders: &folders,
        astray: &grid.astray,
    };
    let bare = layers.without_ablations();
    let mut ablations = Vec::new();
    let mut names = BTreeSet::new();
    let mut changed = Vec::new();
    let mut of_ablations: IndexMap<Problem, Vec<String>> = IndexMap::new();
    for (index, ablation) in raw.ablation.iter().enumerate() {
        let at = |key: &str| ["ablation".to_owned(), index.to_string(), key.to_owned()];
        let whole = &at("name")[..2];
        let Some(name) = &ablation.name else {
            if layers.tree().get(&at("name")).is_none() {
                Problem::error("spec::missing-key", "an ablation has no `name`".to_owned())
                    .label_at(layers.place_of(whole), "`name` is missing here")
                    .help("add a line `name = \"...\"`; its tables are written under that name")
                    .tell(&mut problems);
            }
            continue;
        };
        if !stages::is_name(name) || !names.insert(name.clone()) {
            let message = if stages::is_name(name) {
                format!("two ablations are called `{name}`")
            } else {
                format!("`{name}` cannot be the name of an ablation")
            };
            context
                .problem(
                    "spec::bad-name",
                    message,
                    &at("name"),
                    "not a name to use here",
                )
                .help("use letters, digits, `-` and `_`, and each name once")
                .tell(&mut problems);
            continue;
        }
        if name.len() > stages::LONGEST_NAME {
            problems.push(stages::too_long(
                "an ablation",
                name,
                context.place(&at("name")),
            ));
            continue;
        }
        if let Some(other) = names.iter().find(|other| is_same_file(other, name)) {
            problems.push(in_one_folder(&context, other, name, &at("name")));
            continue;
        }
        let changes = changes(layers, &at("set"), &context, &mut problems);
        changed.extend(places(&changes));
        let mut found = Problems::new();
        let (_, design) = design(
            &bare.with_overrides(&changes),
            templates,
            &folders,
            Some((&grid, &changes)),
            &mut found,
        );
        for problem in found.iter().filter(|problem| !problems.contains(problem)) {
            let names = of_ablations.entry(problem.clone()).or_default();
            names.push(name.clone());
        }
        if let (Some(unread), Some((_, not_here))) = (&mut unread, &design) {
            unread.retain(|name| not_here.contains(name));
        }
        ablations.extend(design.map(|(design, _)| (name.clone(), design)));
    }
    without_base(of_ablations, &mut problems);
    if let Some((base, _)) = &base {
        table::compared(&context, base, &names, &changed, &mut problems);
    }
    if !problems.has_errors() {
        unused::stages(layers, &unread.unwrap_or_default(), &mut problems);
        unused::folders(layers, &mut problems);
    }
    let page = written::page(&context, &raw, &mut problems);
    let slurm = slurm::of(&context, &raw, &mut problems);
    let spec = base
        .filter(|_| !problems.has_errors())
        .map(|(base, _)| Spec {
            name: name.to_owned(),
            formats: written::formats(&raw).collect(),
            figures: written::figures(&raw).collect(),
            title: raw.title,
            folders,
            page,
            slurm,
            base,
            ablations,
        });
    (spec, told_once(layers, problems))
}

/// Where tables are like others, a mistake in one is found in each of them.
fn told_once(layers: &Layers, problems: Problems) -> Problems {
    if layers.has_alike() {
        problems.once_by_place()
    } else {
        problems
    }
}

/// Whether files of these two names are one where the file system knows no case.
fn is_same_file(one: &str, other: &str) -> bool {
    one != other && one.to_lowercase() == other.to_lowercase()
}

/// Says that two ablations are written to what is one folder on many computers.
fn in_one_folder(context: &Context<'_>, other: &str, name: &str, at: &[String]) -> Problem {
    let message = format!("ablations `{other}` and `{name}` differ only in case");
    let label = "the same folder on many computers";
    let problem = context.problem("spec::bad-name", message, at, label);
    problem.help("give one of them another name")
}

/// Where changes are written.
fn places(changes: &Changes) -> impl Iterator<Item = (Vec<String>, Place)> + use<'_> {
    let all = changes.iter();
    all.map(|(path, _, place)| (path.clone(), place.clone()))
}

/// Tells mistakes that the experiment itself is without, each once with the ablations that make it.
fn without_base(found: IndexMap<Problem, Vec<String>>, problems: &mut Problems) {
    for (mut problem, names) in found {
        problem.message = format!("{} (ablation {})", problem.message, list_of(&names));
        problems.push(problem);
    }
}

/// The changed parameters of one ablation.
fn changes(
    layers: &Layers,
    at: &[String],
    context: &Context<'_>,
    problems: &mut Problems,
) -> Vec<(Vec<String>, Tree, Place)> {
    let mut changes = Vec::new();
    let entries = layers.tree().entries(at);
    let wrong_type = layers.tree().get(at).is_some_and(|set| !set.is_table());
    if entries.is_empty() && !wrong_type {
        context
            .problem(
                "spec::missing-key",
                "an ablation changes nothing".to_owned(),
                &at[..2],
                "`set` is missing here",
            )
            .help("add `set = { \"stage.parameter\" = value }`")
            .tell(problems);
    }
    for (key, value) in entries {
        let mut full = at.to_vec();
        full.push(key.clone());
        match targets::of_ablation(context, &key, layers.place_of_key(&full).as_ref()) {
            Err(problem) => problems.push(problem),
            Ok(path) => {
                changes.extend(layers.place_of(&full).map(|place| (path, value, place)));
            }
        }
    }
    changes
}

/// Parameters that an ablation changes: path, value, and where that is written.
type Changes = [(Vec<String>, Tree, Place)];

/// Checks one design: the base experiment, or one ablation of it (then with the base's grid and the
/// changes). With it come the stages that nothing reads.
fn design(
    layers: &Layers,
    templates: &TemplateFiles,
    folders: &Folders,
    ablation: Option<(&Grid, &Changes)>,
    problems: &mut Problems,
) -> (Grid, Option<(Design, Vec<StageName>)>) {
    let context = Context {
        layers,
        templates,
        folders,
        astray: &[],
    };
    let raw = read::<RawSpec>(layers, &[], problems).unwrap_or_default();
    let grid = axes::check(&context, &raw, ablation.map(|(base, _)| base), problems);
    let context = Context {
        astray: &grid.astray,
        ..context
    };
    match ablation {
        None => targets::without_effect(&grid, &targets::from_outside(&context), problems),
        Some((_, changes)) => targets::without_effect(&grid, changes, problems),
    }
    model::check_all(&context, raw.models.keys(), problems);
    annotator::check_all(&context, raw.annotators.keys(), problems);
    export::check_names(&context, &raw, problems);
    let looks = raw
        .table
        .iter()
        .map(|(name, table)| (name.clone(), table::look(&context, name, table, problems)))
        .collect();
    let figures = raw
        .figure
        .iter()
        .map(|(name, figure)| (name.clone(), figure::look(name, figure)))
        .collect();
    if ablation.is_none() {
        for (name, table) in &raw.table {
            labels::of_table(&context, name, table, &grid, problems);
        }
        for (name, figure) in &raw.figure {
            labels::of_figure(&context, name, figure, &grid, problems);
        }
    }
    let design = stages::check(&context, &raw, &grid, problems).map(|(stages, unread)| {
        let design = Design {
            seed: raw.seed.unwrap_or(0),
            axes: grid.axes.clone(),
            combos: grid.combos.clone(),
            stages,
            looks,
            figures,
        };
        (design, unread)
    });
    (grid, design)
}
