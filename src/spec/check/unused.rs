//! What is there and changes no table: stages that nothing reads, axes that set nothing that runs.

use std::collections::{BTreeMap, BTreeSet};

use super::Context;
use super::grid::Grid;
use crate::spec::{Declared, Layers, Problem, Problems};
use crate::stage::{Kind, StageName};

/// Warns of stages that nothing reads, neither in the base nor in an ablation.
pub(super) fn stages(layers: &Layers, unread: &[StageName], problems: &mut Problems) {
    for name in unread {
        let path = [name.kind.name().to_owned(), name.name.clone()];
        problems.push(
            Problem::warning("lint::unread", format!("nothing reads `{name}`"))
                .label_at(layers.place_of_key(&path), "its result appears in no table")
                .help(if Kind::OF_DOCUMENTS.contains(&name.kind) {
                    "add an `export` or a table of it, or remove it"
                } else {
                    "add a table that shows it, or remove it"
                }),
        );
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
            problems.push(
                Problem::warning(
                    "lint::idle-axis",
                    format!("axis `{}` changes no stage", axis.name),
                )
                .label_at(
                    context
                        .layers
                        .place_of_key(&["axes".to_owned(), axis.name.clone()]),
                    "what it sets is used by no stage",
                )
                .help("set a parameter of a stage that is run, or remove the axis"),
            );
        }
    }
}
