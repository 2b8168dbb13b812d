//! Which columns can be keys, by whose values rows are grouped and put together.

use crate::base::failure::Failure;
use crate::base::wording::shorten;
use crate::frame::{Frame, FrameError};
use crate::stage::columns::{Looking, NO_COLUMN};
use crate::stage::{Columns, Holds, Mistake};

const HELP: &str = "name a column of texts, numbers or truth values";

/// Refuses columns of lists or objects: the same numbers and keys are written in several ways.
///
/// # Errors
/// A column that is not there, or that is no key.
pub(super) fn no_key<'n>(
    table: &Frame,
    names: impl IntoIterator<Item = &'n String>,
) -> Result<(), Failure> {
    for name in names {
        if table.column(name)?.kind() == "JSON" {
            let failure =
                Failure::new(format!("`{name}` holds lists or objects, which are no key"));
            return Err(failure.hint(HELP));
        }
    }
    Ok(())
}

/// Two rows of a group that differ in a column, in words, with the group.
pub(super) fn difference(
    table: &Frame,
    name: &str,
    by: &[String],
    mut rows: impl Iterator<Item = usize>,
) -> Result<Option<String>, FrameError> {
    let column = table.column(name)?;
    let Some(first) = rows.next() else {
        return Ok(None);
    };
    let value = column.text(first);
    let Some(other) = rows.find(|&row| column.text(row) != value) else {
        return Ok(None);
    };
    let shown = |row: usize| match column.text(row) {
        Some(text) => format!("`{}`", shorten(&text, 40)),
        None => "no value".to_owned(),
    };
    Ok(Some(format!(
        "row {} has {}, row {} has {} ({})",
        first + 1,
        shown(first),
        other + 1,
        shown(other),
        named(table, by, first)?
    )))
}

/// The group of a row, in words.
pub(super) fn named(table: &Frame, by: &[String], row: usize) -> Result<String, FrameError> {
    let named = by.iter().map(|name| {
        let value = table.column(name)?.scalar(row);
        Ok(format!("{name} = {value}"))
    });
    let named = named.collect::<Result<Vec<String>, FrameError>>()?;
    Ok(if named.is_empty() {
        "all rows are one group".to_owned()
    } else {
        named.join(", ")
    })
}

/// Notes a column that is known to be no key; `at` are the steps of the setting that names it.
pub(super) fn lack_of_key(
    looking: &mut Looking<'_>,
    columns: &Columns,
    at: &[&str],
    (name, element): (&str, &str),
    from: &str,
) -> bool {
    let lists = columns.holds(name) == Holds::Json;
    if lists {
        looking.lack(Mistake {
            code: NO_COLUMN,
            at: (
                at.iter().map(|&step| step.to_owned()).collect(),
                Some(element.to_owned()),
            ),
            message: format!("`{name}` of `{from}` holds lists or objects, which are no key"),
            label: "no key",
            help: HELP.to_owned(),
            place: None,
        });
    }
    lists
}
