//! How `concat` stages are written, and what that means.

use std::collections::BTreeSet;

use super::Concat;
use super::raw::RawConcat;
use crate::stage::StageName;
use crate::stage::check::{Checking, RowShape, Written, columns, gathered};
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
        gathered::check(checking, &path("over"), &over, problems);
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
