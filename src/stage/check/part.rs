//! What parts of tables and of figures have in common: the stage whose rows they show, and what tells those apart.

use super::{Context, names};
use super::{Known, RowShape};
use crate::base::wording::{list_of, nearest};
use crate::stage::{RowsOf, StageName};
use crate::toml::{Problem, Problems};

/// The stage that a part at `at` of the table or figure `reader` shows; `help` says what to name where none is.
pub(crate) fn stage<'k>(
    context: &Context<'_>,
    reader: &StageName,
    (from, at): (Option<&String>, &[String]),
    known: &'k Known<'_>,
    help: &'static str,
    problems: &mut Problems,
) -> Option<(StageName, &'k RowShape)> {
    let Some(from) = from else {
        // Of a table or figure without parts it was said when the stages' order was found.
        if at.len() > 2 {
            context
                .problem(
                    "spec::missing-key",
                    "a part has no `from`".to_owned(),
                    at,
                    "`from` is missing here",
                )
                .help(help)
                .tell(problems);
        }
        return None;
    };
    // Whether the stage exists was reported then, too.
    let from = names::resolve(from, reader, known.names, None, &mut Problems::new())?;
    let shape = known.shapes.get(&from)?;
    Some((from, shape))
}

/// A field at `place` that the rows of `from` do not have.
pub(crate) fn lacking(
    context: &Context<'_>,
    place: &[String],
    field: &str,
    (from, shape): (&StageName, &RowShape),
) -> Problem {
    let fixed = format!("give the part a fixed value with `set = {{ {field} = \"...\" }}`");
    context
        .problem(
            "spec::unknown-field",
            format!("the rows of `{from}` have no field `{field}`"),
            place,
            "not a field of these rows",
        )
        .help(match nearest(field, &shape.groups) {
            Some(near) => format!("did you mean `{near}`?"),
            None if shape.groups.is_empty() => {
                format!("they have no fields; {fixed}")
            }
            None => format!("their fields are {}; or {fixed}", list_of(&shape.groups)),
        })
}

/// The column that a part shows: the one that is written, at `at`, or the one that holds the values of such rows.
pub(crate) fn value(
    context: &Context<'_>,
    (part, at): (&[String], &[String]),
    written: Option<&String>,
    (from, shape): (&StageName, &RowShape),
    problems: &mut Problems,
) -> Option<String> {
    let usual = shape.value.map(str::to_owned);
    let Some(value) = written.cloned().or(usual) else {
        context
            .problem(
                "spec::missing-key",
                format!("no column of `{from}` is chosen to be shown"),
                part,
                "`value` is missing here",
            )
            .help("name a column that holds numbers: `value = \"year\"`")
            .tell(problems);
        return None;
    };
    if from.kind.gives(RowsOf::Statistics)
        && !shape.statistics.contains(&value)
        && !shape.groups.contains(&value)
    {
        let place = if written.is_some() { at } else { part };
        problems.push(unknown_statistic(
            context,
            place,
            &value,
            from,
            &shape.statistics,
        ));
    }
    Some(value)
}

pub(crate) fn unknown_statistic(
    context: &Context<'_>,
    at: &[String],
    value: &str,
    from: &StageName,
    there: &[String],
) -> Problem {
    context
        .problem(
            "spec::unknown-statistic",
            format!("`{from}` does not compute `{value}`"),
            at,
            "not computed",
        )
        .help(match nearest(value, there) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it computes {}", list_of(there)),
        })
}
