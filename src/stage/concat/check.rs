//! How `concat` stages are written, and what that means.

use std::collections::{BTreeMap, BTreeSet};

use super::Concat;
use super::raw::RawConcat;
use crate::base::wording::{list_of, nearest};
use crate::stage::StageName;
use crate::stage::check::{Checking, RowShape, Written, columns};
use crate::toml::{Problem, Problems};

/// The column that says which stage a row is from, where nothing else is said.
const ORIGIN: &str = "origin";

impl Written for Concat {
    type Raw = RawConcat;

    fn check(raw: &RawConcat, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking { context, at, .. } = *checking;
        let from = checking.reads.to_vec();
        let path = |key: &str| [at, &[key.to_owned()]].concat();
        let before = problems.errors();
        let over = raw.over.clone().unwrap_or_default().0;
        for name in &over {
            gathered(checking, &path("over"), name, problems);
        }
        if from.len() == 1 && over.is_empty() && !context.is_written(at, "over") {
            context
                .problem(
                    "spec::bad-value",
                    format!("`{}` puts nothing together", at.join(".")),
                    &path("from"),
                    "one stage",
                )
                .help("name several stages, or axes whose values are put into one table: `over = [\"model\"]`")
                .tell(problems);
        }
        let wanted = raw.columns.clone().unwrap_or_default().0;
        columns::each_once(context, &path("columns"), &wanted, "column", problems);
        columns::each_once(context, &path("over"), &over, "axis", problems);
        let origin = raw.origin.clone();
        if let Some(name) = origin.as_ref().filter(|name| columns::taken(name)) {
            Problem::error(
                "spec::bad-name",
                format!("a column cannot be added under the name `{name}`"),
            )
            .label_at(context.place(&path("origin")), "taken")
            .help("documents, judges or statistics already have a column of this name; use another")
            .tell(problems);
        }
        let origin = origin.or_else(|| (from.len() > 1).then(|| ORIGIN.to_owned()));
        let (axes, uneven) = axes(checking, &from);
        (problems.errors() == before).then(|| Concat {
            origin: origin.map(|name| (name, called(&from))),
            over,
            columns: wanted,
            axes,
            uneven,
            from,
        })
    }

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        let mut shape = checking.as_read();
        shape.groups.retain(|group| !self.over.contains(group));
        shape
    }
}

/// What the stages are called in the column of origins: their names, with their kinds where two have one name.
fn called(from: &[StageName]) -> Vec<String> {
    let of = |name: &StageName| {
        let alike = from.iter().filter(|other| other.name == name.name);
        if alike.count() > 1 {
            name.to_string()
        } else {
            name.name.clone()
        }
    };
    from.iter().map(of).collect()
}

/// The axes that reach the stages, and of these those that reach only some.
fn axes(checking: &Checking<'_>, from: &[StageName]) -> (Vec<String>, Vec<String>) {
    let reach = from.iter().map(|name| {
        let declared = checking.known.declared.get(name);
        declared
            .map(|declared| declared.reach.clone())
            .unwrap_or_default()
    });
    let reach: Vec<BTreeSet<usize>> = reach.collect();
    let all: BTreeSet<usize> = reach.iter().flatten().copied().collect();
    let named = |axis: &usize| checking.known.axes[*axis].name.clone();
    let uneven = all
        .iter()
        .filter(|axis| !reach.iter().all(|reach| reach.contains(axis)));
    let uneven = uneven.map(named).collect();
    (all.iter().map(named).collect(), uneven)
}

/// Checks one of the axes whose values are all read.
fn gathered(checking: &Checking<'_>, at: &[String], name: &str, problems: &mut Problems) {
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
