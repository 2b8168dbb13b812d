//! The words that figures are put in: numbers, places, and counts.

use super::row::{Row, Style};
use crate::base::wording::count_of;
use crate::output::report::account;
use crate::output::report::number::{fixed, typeset};

/// A number of an axis with as many digits as it has, up to four after the point.
pub(super) fn exact(value: f64) -> String {
    let text = fixed(value, 4);
    let short = if text.contains(['e', '.']) && !text.contains('e') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    typeset(short)
}

/// A number as people read it.
pub(super) fn shown(style: &Style, value: f64) -> String {
    typeset(&fixed(value, style.decimals.unwrap_or(decimals_for(value))))
}

/// Enough digits that three of them say something.
fn decimals_for(value: f64) -> usize {
    match value.abs() {
        size if size >= 1000.0 => 0,
        size if size >= 100.0 => 1,
        _ => 2,
    }
}

/// Where a row stands: `first 800 words · typos · fluency`.
pub(super) fn place(style: &Style, row: &Row) -> String {
    let parts = [
        style.label(&style.panels, &row.panel),
        style.label(&style.y, &row.y),
        style.label(&style.x, &row.x),
        style.label(&style.series, &row.series),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}

/// How many are behind a row, and how many are not.
pub(super) fn counted(row: &Row) -> String {
    let n = row
        .n
        .map(|n| format!("n = {}", account::counted(n, row.unit.as_deref())));
    let unscored = (row.unscored > 0).then(|| unscored_rows(row.unscored));
    let dropped = (row.dropped > 0).then(|| {
        count_of(
            row.dropped,
            "incomplete pair dropped",
            "incomplete pairs dropped",
        )
    });
    let parts: Vec<String> = [n, unscored, dropped].into_iter().flatten().collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!(" ({})", parts.join(", "))
    }
}

/// So many rows without a score.
pub(super) fn unscored_rows(n: u64) -> String {
    count_of(n, "row unscored", "rows unscored")
}

/// A place in front of what is said of it.
pub(super) fn prefixed(place: &str) -> String {
    if place.is_empty() {
        String::new()
    } else {
        format!("{place}: ")
    }
}
