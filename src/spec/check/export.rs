//! `export` stages.

use std::collections::BTreeSet;

use super::{Context, is_same_file};
use crate::spec::raw::{RawExport, RawSpec};
use crate::spec::{Problem, Problems};
use crate::stage::{Export, StageName};

pub(super) fn check(
    context: &Context<'_>,
    at: &[String],
    raw: &RawExport,
    from: Vec<StageName>,
    problems: &mut Problems,
) -> Export {
    let columns = raw.columns.clone().unwrap_or_default().0;
    let mut seen = BTreeSet::new();
    if let Some(twice) = columns.iter().find(|column| !seen.insert(column.as_str())) {
        let path = [at, &["columns".to_owned()]].concat();
        problems.push(
            context
                .problem(
                    "spec::bad-value",
                    format!("the column `{twice}` is named twice"),
                    &path,
                    "each column once",
                )
                .help("remove one of the two"),
        );
    }
    Export {
        from,
        columns,
        format: raw.format.unwrap_or_default(),
    }
}

/// Refuses figures and files of rows that bear the name of a table or of each other: all lie in one folder.
pub(super) fn check_names(context: &Context<'_>, raw: &RawSpec, problems: &mut Problems) {
    let tables = || raw.table.keys().map(|name| ("a table", name));
    let figures = || raw.figure.keys().map(|name| ("a figure", name));
    let mut refuse = |kind: &str, name: &String, taken: Option<(&str, &String)>| {
        let Some((other, taken)) = taken else {
            return;
        };
        let at = [kind.to_owned(), name.clone()];
        problems.push(
            Problem::error(
                "spec::bad-name",
                if taken == name {
                    format!("{other} is called `{name}` already")
                } else {
                    format!("{other} is called `{taken}`, and `{name}` differs in case alone")
                },
            )
            .label_at(context.layers.place_of_key(&at), "taken")
            .help(format!(
                "give the {} another name: both are written to one folder",
                if kind == "export" { "file" } else { kind }
            )),
        );
    };
    // Many file systems know no case.
    let same = |one: &str, other: &str| one == other || is_same_file(one, other);
    for (index, name) in raw.table.keys().enumerate() {
        let taken = tables().take(index).find(|(_, taken)| same(taken, name));
        refuse("table", name, taken);
    }
    for (index, name) in raw.figure.keys().enumerate() {
        let mut taken = tables().chain(figures().take(index));
        refuse("figure", name, taken.find(|(_, taken)| same(taken, name)));
    }
    for (index, name) in raw.export.keys().enumerate() {
        let exports = raw.export.keys().take(index).map(|name| ("a file", name));
        let mut taken = tables().chain(figures()).chain(exports);
        refuse("export", name, taken.find(|(_, taken)| same(taken, name)));
    }
}
