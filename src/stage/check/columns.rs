//! Reserved names of columns, which results have. A column of that name from elsewhere would be
//! overwritten, or two columns would bear it; that is found before a call is paid for.

use super::Context;
use crate::stage::Kind;
use crate::stage::stats::is_taken;
use crate::toml::{Problem, Problems};

/// Columns of tables alone.
const OTHERS: [&str; 3] = ["why_none", "value", "value_of"];

/// Whether documents, judges, statistics or tables have a column of this name, or a stage adds one.
pub(crate) fn taken(name: &str) -> bool {
    let brings = |kind: Kind| kind.about().columns.contains(&name);
    ["doc_id", "text"].contains(&name) || Kind::ALL.into_iter().any(brings) || of_statistics(name)
}

/// Whether statistics or tables have a column of this name.
fn of_statistics(name: &str) -> bool {
    OTHERS.contains(&name) || is_taken(name)
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
