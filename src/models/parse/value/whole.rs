//! Numbers with which a cut reply ends.
//!
//! Must not know where they stand.

use super::found::{Found, Value};
use super::labels;
use crate::models::parse::marks::marks;
use crate::models::score::Scale;

/// The most marks of a scale on which such a number may count.
const MOST_MARKS: usize = 1001;

/// Whether a value of a cut reply is whole: something follows it, or no other mark of the scale begins like it.
pub(in crate::models::parse) fn is_whole(found: &Found, reply: &str, scale: &Scale) -> bool {
    // The sign of a decimal with which a reply ends may have had digits behind it.
    let behind = reply.get(found.span.end..).unwrap_or_default();
    if !matches!(behind, "" | "." | "," | "\u{ff0e}" | "\u{66b}") {
        return true;
    }
    if matches!(found.value, Value::Label { .. }) {
        return !labels::may_go_on(&reply[found.span.clone()], scale);
    }
    let Value::Number { value, out_of } = found.value else {
        return false;
    };
    if out_of.is_some_and(|top| top.total_cmp(&scale.max).is_ne()) {
        return false;
    }
    // A word goes on as its number does: `four and a half`.
    let written = value.to_string();
    let other =
        |mark: &f64| mark.total_cmp(&value).is_ne() && mark.to_string().starts_with(&written);
    marks(scale, MOST_MARKS).is_some_and(|marks| !marks.iter().any(other))
}
