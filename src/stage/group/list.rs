//! Lists of all rows of a group, as JSON.

use std::fmt::Write;

use serde_json::Value;

use super::of::Of;
use crate::frame::Scalar;
use crate::stage::Call;

/// Above this not every whole number is a double.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// A list with an element for each row: a value, or an object with the fields that the call names. What is absent is
/// `null`.
pub(super) fn of(
    call: &Call<'_, '_, '_>,
    of: &[Of<'_>],
    rows: impl Iterator<Item = usize>,
) -> String {
    let fields: Option<Vec<String>> = call.fields().map(|names| {
        names
            .into_iter()
            .map(|name| Value::from(name).to_string())
            .collect()
    });
    let mut text = String::from("[");
    for (at, row) in rows.enumerate() {
        if at > 0 {
            text.push(',');
        }
        let Some(fields) = &fields else {
            element(
                &mut text,
                of.first().map_or(Scalar::Null, |of| of.view.scalar(row)),
            );
            continue;
        };
        text.push('{');
        for (at, (name, of)) in fields.iter().zip(of).enumerate() {
            if at > 0 {
                text.push(',');
            }
            text.push_str(name);
            text.push(':');
            element(&mut text, of.view.scalar(row));
        }
        text.push('}');
    }
    text.push(']');
    text
}

/// A cell as JSON; a whole number without a point, as prompts show it.
fn element(text: &mut String, cell: Scalar) {
    let _ = match cell {
        Scalar::Null => write!(text, "null"),
        Scalar::Bool(truth) => write!(text, "{truth}"),
        Scalar::Int(whole) => write!(text, "{whole}"),
        Scalar::Float(number) if number.fract() == 0.0 && number.abs() < WHOLE => {
            write!(text, "{number:.0}")
        }
        Scalar::Float(number) => write!(text, "{}", Value::from(number)),
        Scalar::Text(own) => write!(text, "{}", Value::from(own)),
        Scalar::Json(own) => write!(text, "{own}"),
    };
}
