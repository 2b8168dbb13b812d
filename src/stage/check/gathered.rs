//! Axes all of whose values a stage reads as one table.

use std::collections::{BTreeMap, BTreeSet};

use super::{Checking, columns};
use crate::base::wording::{list_of, nearest};
use crate::stage::StageName;
use crate::toml::Problems;

/// Checks the axes whose values are all read.
pub(crate) fn check(
    checking: &Checking<'_>,
    at: &[String],
    over: &[String],
    problems: &mut Problems,
) {
    for name in over {
        axis(checking, at, name, problems);
    }
    columns::each_once(checking.context, at, over, "axis", problems);
}

/// Checks one of them.
fn axis(checking: &Checking<'_>, at: &[String], name: &str, problems: &mut Problems) {
    let Checking { context, known, .. } = *checking;
    let reaching = |stage: &StageName, axis: usize| {
        let declared = known.declared.get(stage);
        declared.is_none_or(|declared| declared.reach.contains(&axis))
    };
    if context.is_astray(name) {
        return;
    }
    let axis = known.axes.iter().position(|axis| axis.name == name);
    let reach = checking
        .reads
        .iter()
        .filter_map(|stage| known.declared.get(stage));
    let reach: BTreeSet<usize> = reach
        .flat_map(|declared| &declared.reach)
        .copied()
        .collect();
    let there: Vec<&str> = reach
        .iter()
        .map(|&axis| known.axes[axis].name.as_str())
        .collect();
    let known_there = |help: &str| match there.as_slice() {
        [] => format!("no axis varies what it reads{help}"),
        there => format!("what it reads is varied by {}{help}", list_of(there)),
    };
    let mut refuse = |message: String, label: &str, help: String| {
        context
            .problem(
                "spec::unknown-axis",
                message,
                &context.element(at, name),
                label,
            )
            .help(help)
            .tell(problems);
    };
    let Some(axis) = axis else {
        let help = nearest(name, &there);
        return refuse(
            format!("there is no axis `{name}`"),
            "not an axis",
            help.map_or_else(|| known_there(""), |near| format!("did you mean `{near}`?")),
        );
    };
    if checking.axes.iter().any(|own| own == name) {
        return refuse(
            format!("axis `{name}` sets this stage itself"),
            "each of its values is a stage of its own",
            "leave it out, or let the axis set what is read alone".to_owned(),
        );
    }
    if let Some(stage) = checking.reads.iter().find(|stage| !reaching(stage, axis)) {
        return refuse(
            format!("axis `{name}` does not vary `{stage}`"),
            "not varied by it",
            known_there(""),
        );
    }
    let several = known.axes[axis].values.len() > 1;
    if let Some(other) = held_by(checking, axis).filter(|_| several) {
        refuse(
            format!(
                "each value of `{other}` goes with one value of `{name}`, so nothing is put together"
            ),
            "one value each",
            format!("name both: `over = [\"{name}\", \"{other}\"]`"),
        );
    }
}

/// An axis that reaches the stage and each of whose values goes with one value of another axis, as along zipped axes.
fn held_by<'c>(checking: &Checking<'c>, axis: usize) -> Option<&'c String> {
    checking.axes.iter().find(|name| {
        let other = checking
            .known
            .axes
            .iter()
            .position(|one| one.name == **name);
        let Some(other) = other else { return false };
        let mut together: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for combo in checking.combos {
            together
                .entry(combo[other])
                .or_default()
                .insert(combo[axis]);
        }
        !together.is_empty() && together.values().all(|values| values.len() == 1)
    })
}
