//! Names of tables, figures and files, which lie in one folder.

use std::collections::BTreeMap;

use crate::output::report::folder::RESERVED;
use crate::spec::raw::RawSpec;
use crate::stage::check::Context;
use crate::toml::{Problem, Problems};

/// Refuses tables with the names of our own files, and tables, figures and files of rows that bear one name: all lie in
/// one folder. Where letters' case does not count, names that differ in nothing else are one.
pub(super) fn check_names(context: &Context<'_>, raw: &RawSpec, problems: &mut Problems) {
    let tables = raw.table.keys().map(|name| ("table", name));
    let figures = raw.figure.keys().map(|name| ("figure", name));
    let files = raw.export.keys().map(|name| ("export", name));
    let mut taken: BTreeMap<String, (&str, &String)> = BTreeMap::new();
    for (kind, name) in tables.chain(figures).chain(files) {
        let mut refuse = |message: String, label: &str, why: &str| {
            let at = [kind.to_owned(), name.clone()];
            Problem::error("spec::bad-name", message)
                .label_at(context.layers.place_of_key(&at), label)
                .help(format!("give the {} another name: {why}", word(kind)))
                .tell(problems);
        };
        let folded = name.to_ascii_lowercase();
        if kind == "table" && RESERVED.contains(&folded.as_str()) {
            let file = if folded == "index" { "html" } else { "json" };
            refuse(
                format!("`{name}` cannot be the name of a table"),
                "not a name to use here",
                &format!("`{folded}.{file}` is a file of every report folder"),
            );
            continue;
        }
        match taken.get(&folded) {
            Some((other, same)) if *same == name => refuse(
                format!("a {} is called `{name}` already", word(other)),
                "taken",
                "both are written to one folder",
            ),
            Some((other, same)) => refuse(
                format!(
                    "a {} is called `{same}`, which differs from `{name}` only in case",
                    word(other)
                ),
                "taken on disks that ignore case",
                "both are written to one folder, and many disks ignore case",
            ),
            None => {
                taken.insert(folded, (kind, name));
            }
        }
    }
}

/// What a kind is called in messages.
fn word(kind: &str) -> &str {
    if kind == "export" { "file" } else { kind }
}
