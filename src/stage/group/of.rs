//! What aggregates are of: a value of each row, or the reason why there is none.

use crate::base::failure::Failure;
use crate::frame::{ColumnView, Frame};
use crate::stage::{Aggregate, Call, Holds, passed_on, sortable, why_absent};

/// What an aggregate is of: a value of each row, or the reason why there is none.
pub(super) struct Of<'f> {
    pub(super) view: ColumnView<'f>,
    /// As it is written.
    pub(super) name: &'f str,
    pub(super) input: &'f Frame,
    /// Where it is no column of the table, why there is no value.
    pub(super) reasons: Option<&'f [Option<String>]>,
    /// The columns that it is made of.
    pub(super) parts: Vec<String>,
}

impl Of<'_> {
    /// Why a row has no value: as it was said of the row, and as it is said of what is made of it.
    pub(super) fn why(&self, row: usize) -> (String, String) {
        if let Some(reasons) = self.reasons {
            let why = reasons[row]
                .clone()
                .unwrap_or_else(|| "no value".to_owned());
            return (why.clone(), why);
        }
        let why = why_absent(self.input, self.name, row);
        let why = why.unwrap_or_else(|| "no value".to_owned());
        let passed = passed_on(self.name, &why);
        (why, passed)
    }
}

/// What a column holds.
pub(super) fn held(view: &ColumnView<'_>) -> Holds {
    match view.kind() {
        "text" => Holds::Text,
        "numbers" | "whole numbers" => Holds::Numbers,
        "truth values" => Holds::Truth,
        "JSON" => Holds::Json,
        _ => Holds::Unknown,
    }
}

/// Refuses what an aggregate cannot be made of.
pub(super) fn fits(call: &Call<'_, '_, '_>, of: &Of<'_>) -> Result<(), Failure> {
    let (holds, name) = (held(&of.view), call.aggregate.name());
    let (wanted, fine, hint) = if call.aggregate.of_condition() {
        let hint = "write a condition, such as `score == 1`";
        ("true or false", holds == Holds::Truth, hint)
    } else if call.aggregate.of_number() {
        let hint = "write `|float` behind it to read texts as numbers";
        (
            "numbers",
            matches!(holds, Holds::Numbers | Holds::Truth),
            hint,
        )
    } else if matches!(call.aggregate, Aggregate::Min | Aggregate::Max) {
        if holds == Holds::Text {
            sortable(&of.view, of.name)?;
        }
        let hint = "write `list` to keep all of them";
        ("values with an order", holds != Holds::Json, hint)
    } else {
        return Ok(());
    };
    // A column without any value fits everything.
    if fine || (0..of.view.len()).all(|row| of.view.lacks(row)) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "`{}`: `{name}` needs {wanted}, and this is {}",
        call.text,
        of.view.kind()
    ))
    .hint(hint))
}
