//! What parts of tables and of figures have in common: the stage whose rows they show, and what tells those apart.

use super::stages::{Known, Shape};
use super::{Context, edges};
use crate::base::wording::{list_of, nearest};
use crate::spec::{Problem, Problems};
use crate::stage::StageName;

/// The stage that a part at `at` of the table or figure `reader` shows; `help` says what to name where none is.
pub(super) fn stage<'k>(
    context: &Context<'_>,
    reader: &StageName,
    (from, at): (Option<&String>, &[String]),
    known: &'k Known<'_>,
    help: &'static str,
    problems: &mut Problems,
) -> Option<(StageName, &'k Shape)> {
    let Some(from) = from else {
        // Of a table or figure without parts it was said when the stages' order was found.
        if at.len() > 2 {
            problems.push(
                context
                    .problem(
                        "spec::missing-key",
                        "a part has no `from`".to_owned(),
                        at,
                        "`from` is missing here",
                    )
                    .help(help),
            );
        }
        return None;
    };
    // Whether the stage exists was reported then, too.
    let from = edges::resolve(from, reader, known.names, None, &mut Problems::new())?;
    let shape = known.shapes.get(&from)?;
    Some((from, shape))
}

/// A field at `place` that the rows of `from` do not have.
pub(super) fn lacking(
    context: &Context<'_>,
    place: &[String],
    field: &str,
    (from, shape): (&StageName, &Shape),
) -> Problem {
    let fixed = format!("give the part a fixed value with `set = {{ {field} = \"...\" }}`");
    context
        .problem(
            "spec::unknown-field",
            format!("the rows of `{from}` have no `{field}`"),
            place,
            "names a field they lack",
        )
        .help(match nearest(field, &shape.groups) {
            Some(near) => format!("did you mean `{near}`?"),
            None if shape.groups.is_empty() => {
                format!("they are not told apart by anything; {fixed}")
            }
            None => format!(
                "they are told apart by {}; or {fixed}",
                list_of(&shape.groups)
            ),
        })
}
