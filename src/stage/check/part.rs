//! What parts of tables and of figures have in common: the stage whose rows they show, and what tells those apart.

use super::{Context, names};
use super::{Known, RowShape};
use crate::base::wording::{list_of, nearest};
use crate::stage::StageName;
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
