//! Unused parts of a spec: stages that nothing reads, axes that set nothing that runs, folders that no file
//! name uses.

use std::collections::{BTreeMap, BTreeSet};

use super::grid::Grid;
use crate::base::key::Digest;
use crate::base::wording::{list_of, nearest};
use crate::spec::raw::RawSpec;
use crate::stage::StageName;
use crate::stage::check::Context;
use crate::stage::check::Declared;
use crate::toml::{LayerKind, Layers, Problem, Problems, Tree};

/// Warns of stages that nothing reads, neither in the base nor in an ablation.
pub(super) fn stages(layers: &Layers, unread: &[StageName], problems: &mut Problems) {
    for name in unread {
        let path = [name.kind.name().to_owned(), name.name.clone()];
        Problem::warning("lint::unread", format!("nothing reads `{name}`"))
            .label_at(layers.place_of_key(&path), "its result appears in no table")
            .help(if name.kind.gives_documents() {
                "add an `export` or a table of it, or remove it"
            } else {
                "add a table that shows it, or remove it"
            })
            .tell(problems);
    }
}

/// Axes whose values end up in no table.
pub(super) fn axes(
    context: &Context<'_>,
    grid: &Grid,
    declared: &BTreeMap<StageName, Declared>,
    problems: &mut Problems,
) {
    let used: BTreeSet<usize> = declared
        .values()
        .flat_map(|stage| stage.axes.iter().copied())
        .collect();
    for (index, axis) in grid.axes.iter().enumerate() {
        if !used.contains(&index) {
            Problem::warning(
                "lint::idle-axis",
                format!("axis `{}` changes no stage", axis.name),
            )
            .label_at(
                context
                    .layers
                    .place_of_key(&["axes".to_owned(), axis.name.clone()]),
                "no stage uses what it sets",
            )
            .help("set a parameter of a stage that is run, or remove the axis")
            .tell(problems);
        }
    }
}

/// A stage as one value of an axis makes it: its name, the values of the other axes that set it, and the digest of what
/// it does.
type Made<'s> = (&'s StageName, Vec<usize>, String);

/// Two values of an axis that come to the same: whatever they set is the same stage. Beside another axis one value may
/// well stand twice.
pub(super) fn levels(
    raw: &RawSpec,
    grid: &Grid,
    declared: &BTreeMap<StageName, Declared>,
    problems: &mut Problems,
) {
    for (index, axis) in grid.axes.iter().enumerate() {
        if raw.grid.zip.iter().any(|names| names.contains(&axis.name)) {
            continue;
        }
        let mut made: Vec<Vec<Made<'_>>> = vec![Vec::new(); axis.values.len()];
        for (name, stage) in declared {
            let Some(at) = stage.axes.iter().position(|&own| own == index) else {
                continue;
            };
            for (own, stage) in &stage.variants {
                let mut others = own.clone();
                others.remove(at);
                made[own[at]].push((name, others, Digest::of(format!("{stage:?}")).to_string()));
            }
        }
        let mut seen: BTreeMap<&[Made<'_>], usize> = BTreeMap::new();
        for (later, made) in made.iter().enumerate().filter(|(_, made)| !made.is_empty()) {
            let first = *seen.entry(made).or_insert(later);
            let values = &grid.values[index];
            // Values that are written alike are told of where they stand.
            if first == later || values[first].0 == values[later].0 {
                continue;
            }
            Problem::warning(
                "lint::same-value",
                format!(
                    "`{}` and `{}` of axis `{}` give the same stages",
                    axis.values[first], axis.values[later], axis.name
                ),
            )
            .label(values[later].1.clone(), "again here")
            .label_at(Some(values[first].1.clone()), "here already")
            .help("remove one of the two, or correct its value")
            .tell(problems);
        }
    }
}

/// The folders of a project, which need no file name to use them.
const OWN: [&str; 3] = ["cache", "reports", "templates"];

/// Warns of folders that no file name uses where another is meant, and of what is said of folders that there are not.
///
/// A folder that is merely not used is no mistake: files that many specs extend, the file of a machine and the
/// environment name folders for all of them. An argument is for this run alone, and may be meant for another of its specs
/// where the files of this one know the folder, too.
pub(super) fn folders(layers: &Layers, problems: &mut Problems) {
    let mut used = BTreeSet::new();
    for (key, value) in layers.tree().entries::<&str>(&[]) {
        if !["paths", "hints", "licences"].contains(&key.as_str()) {
            names_in_braces(&value, &mut used);
        }
    }
    let named = layers.tree().entries(&["paths"]);
    let named: Vec<String> = named.into_iter().map(|(name, _)| name).collect();
    let meant: Vec<&str> = used.iter().map(String::as_str).chain(OWN).collect();
    for name in named.iter().filter(|name| !meant.contains(&name.as_str())) {
        let path = ["paths".to_owned(), name.clone()];
        let near = nearest(name, &meant);
        let problem = match (layers.layer_of(&path), near) {
            (LayerKind::Set, None) if layers.is_in_file(&path) => continue,
            (LayerKind::Set, _) => Problem::error(
                "spec::unknown-target",
                format!("no file name uses the folder `{name}`"),
            ),
            (_, Some(_)) => Problem::warning(
                "lint::idle-folder",
                format!("no file name uses the folder `{name}`"),
            ),
            (_, None) => continue,
        };
        problem
            .label_at(layers.place_of_key(&path), "sets nothing")
            .help(match near {
                Some(near) => format!("did you mean `paths.{near}`?"),
                None => format!("the folders are {}", list_of(&meant)),
            })
            .tell(problems);
    }
    for table in ["hints", "licences"] {
        for (name, _) in layers.tree().entries(&[table]) {
            if named.contains(&name) {
                continue;
            }
            let path = [table.to_owned(), name.clone()];
            Problem::warning(
                "lint::idle-folder",
                format!("`[paths]` has no folder `{name}`"),
            )
            .label_at(layers.place_of_key(&path), "is never shown")
            .help(match nearest(&name, &named) {
                Some(near) => format!("did you mean `{table}.{near}`?"),
                None if named.is_empty() => "name the folder under `[paths]`".to_owned(),
                None => format!("the folders are {}", list_of(&named)),
            })
            .tell(problems);
        }
    }
}

/// The names in braces in all texts of a tree.
fn names_in_braces(tree: &Tree, found: &mut BTreeSet<String>) {
    if let Some(mut rest) = tree.as_str() {
        while let Some((_, behind)) = rest.split_once('{') {
            if let Some((name, _)) = behind
                .split_once('}')
                .filter(|(name, _)| !name.contains(','))
            {
                found.insert(name.to_owned());
            }
            rest = behind;
        }
    }
    for element in tree.elements().into_iter().flatten() {
        names_in_braces(element, found);
    }
    for (_, child) in tree.children() {
        names_in_braces(child, found);
    }
}
