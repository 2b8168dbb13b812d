//! `export` stages.

use std::collections::BTreeSet;

use super::Context;
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

/// Refuses a file of rows that bears the name of a table: both lie in one folder.
pub(super) fn check_names(context: &Context<'_>, raw: &RawSpec, problems: &mut Problems) {
    for name in raw
        .export
        .keys()
        .filter(|name| raw.table.contains_key(*name))
    {
        let at = ["export".to_owned(), name.clone()];
        problems.push(
            Problem::error(
                "spec::bad-name",
                format!("a table is called `{name}` already"),
            )
            .label_at(context.layers.place_of_key(&at), "taken")
            .help("give the file another name: both are written to one folder"),
        );
    }
}
