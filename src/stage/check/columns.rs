//! Reserved names of columns, which results have. A column of that name from elsewhere would be
//! overwritten, or two columns would bear it; that is found before a call is paid for.

use std::collections::BTreeSet;

use super::{Checking, Context, Known};
use crate::stage::stats::{is_counted, is_taken};
use crate::stage::{Kind, StageName};
use crate::toml::{Problem, Problems};

/// Columns of tables alone.
const OTHERS: [&str; 3] = ["why_none", "value", "value_of"];

/// Whether documents, judges, statistics or tables have a column of this name, or a stage adds one.
pub(crate) fn taken(name: &str) -> bool {
    let brings = |kind: Kind| kind.about().columns.contains(&name);
    ["doc_id", "text"].contains(&name) || Kind::ALL.into_iter().any(brings) || of_statistics(name)
}

/// Sees that a list names each of its columns, or whatever it is a list of, once.
pub(crate) fn each_once(
    context: &Context<'_>,
    at: &[String],
    names: &[String],
    what: &str,
    problems: &mut Problems,
) {
    let mut seen = BTreeSet::new();
    if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_str())) {
        context
            .problem(
                "spec::bad-value",
                format!("the {what} `{twice}` is named twice"),
                at,
                &format!("each {what} once"),
            )
            .help("remove one of the two")
            .tell(problems);
    }
}

/// Whether statistics or tables have a column of this name.
fn of_statistics(name: &str) -> bool {
    OTHERS.contains(&name) || is_taken(name)
}

/// Refuses names of columns that a stage makes: those of axes, and those with counts, which are looked up to say what is
/// behind a value.
pub(crate) fn made(checking: &Checking<'_>, at: &[String], name: &str, problems: &mut Problems) {
    let (message, help) = if name.trim().is_empty() {
        (
            "a column needs a name".to_owned(),
            "write a word".to_owned(),
        )
    } else if checking.axes.iter().any(|axis| axis == name) {
        (
            format!("`{name}` is an axis, whose values stages set"),
            "use another name".to_owned(),
        )
    } else if name == "n" && checking.name.kind == Kind::Group {
        (
            "every group has its number of rows in `n`".to_owned(),
            "leave it out, or use another name".to_owned(),
        )
    } else if is_counted(name) {
        (
            format!("a column cannot be called `{name}`"),
            "tables and statistics look there for what is behind a value; use another name"
                .to_owned(),
        )
    } else {
        return;
    };
    Problem::error("spec::bad-name", message)
        .label_at(checking.context.layers.place_of_key(at), "taken")
        .help(help)
        .tell(problems);
}

/// Whether a measure, of which the rows of one of these stages are, tells its rows apart by this column.
pub(crate) fn is_key<'s>(
    name: &str,
    known: &Known<'_>,
    mut from: impl Iterator<Item = &'s StageName>,
) -> bool {
    from.any(|from| {
        let measure = known.shapes.get(from).and_then(|shape| shape.measure);
        measure.is_some_and(|measure| measure.keys.contains(&name))
    })
}

/// Refuses columns that group rows under a name that their statistics bear.
pub(crate) fn groups<'n>(
    context: &Context<'_>,
    at: &[String],
    names: impl Iterator<Item = &'n String>,
    problems: &mut Problems,
) {
    for name in names.filter(|name| of_statistics(name)) {
        let place = context.place(&context.element(at, name));
        Problem::error(
            "spec::bad-name",
            format!("rows cannot be grouped by a column called `{name}`"),
        )
        .label_at(place, "taken")
        .help("statistics already have a column of this name; rename the documents' column")
        .tell(problems);
    }
}
