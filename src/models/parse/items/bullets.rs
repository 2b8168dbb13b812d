//! Lists with a bullet for each element.
//!
//! Must not choose among lists (see `reader`).

use super::List;
use super::entry::{self, item, says};
use super::lines::{Line, of_all};
use crate::models::parse::agree::Asked;

/// The list of bullets, if each says something in the place of a verdict.
pub(super) fn bullets(asked: &Asked<'_>, lines: &[Line]) -> Option<List> {
    let bullet =
        |line: &&Line| line.marker.is_none() && content(&asked.reply[line.range.clone()]).is_some();
    let indent = lines.iter().filter(bullet).map(|line| line.indent).min()?;
    let mut items = Vec::new();
    for line in lines
        .iter()
        .filter(bullet)
        .filter(|line| line.indent <= indent + 1)
    {
        let from = content(&asked.reply[line.range.clone()])?;
        let place = line.range.start + from..line.range.end;
        if of_all(&asked.reply[place.clone()]) {
            return None;
        }
        let readings = entry::text(asked, place, &[]);
        if !readings.iter().any(says) {
            return None;
        }
        items.push(item(readings, line.range.clone()));
    }
    let span = items.first()?.span.start..items.last()?.span.end;
    Some(List { items, span })
}

/// Where what a bullet is of begins on its line.
fn content(line: &str) -> Option<usize> {
    let text = line.trim_start();
    let rest = text.strip_prefix(['-', '*', '+', '\u{2022}', '\u{2023}', '\u{25cf}'])?;
    let inside = rest.trim_start();
    (inside.len() < rest.len() && !inside.is_empty()).then_some(line.len() - inside.len())
}
