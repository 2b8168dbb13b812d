//! Verdicts without numbers: a line for each, or one line with commas between them.
//!
//! Only where nothing else stands in the answer. Must not choose among lists (see `reader`).

use std::sync::LazyLock;

use regex::Regex;

use super::entry::{self, is_scored, item};
use super::lines::Line;
use super::{Item, List};
use crate::models::parse::agree::Asked;

/// A mark with its meaning.
static MEANS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\W*[0-9]+(?:\.[0-9]+)?\s*=\s*\p{L}").expect("the pattern is a constant")
});

/// Signs between verdicts on a line.
const BETWEEN: [char; 6] = [',', ';', '|', '\u{3001}', '\u{ff0c}', '\u{ff1b}'];

/// The list of lines, or of verdicts on one line.
pub(super) fn plain(asked: &Asked<'_>, lines: &[Line]) -> Option<List> {
    let is_text = |line: &&Line| asked.reply[line.range.clone()].contains(char::is_alphanumeric);
    let mut lines: Vec<&Line> = lines.iter().filter(is_text).collect();
    // `Here are my verdicts:`
    if let [first, _, ..] = lines[..]
        && asked.reply[first.range.clone()].ends_with(':')
    {
        lines.remove(0);
    }
    // `1 = not at all`: the scale, written down.
    let means = |line: &&Line| MEANS.is_match(&asked.reply[line.range.clone()]);
    if asked.scale.labels.is_empty() && lines.iter().any(means) {
        return None;
    }
    let items = match lines[..] {
        [] => return None,
        [line] => in_line(asked, line)?,
        _ => {
            let of = |line: &&Line| {
                let readings = entry::text(asked, line.range.clone(), &[]);
                let stands = readings.iter().all(|reading| {
                    let place = reading.span.as_ref();
                    place.is_some_and(|place| {
                        !asked.reply[line.range.start..place.start].contains(char::is_alphanumeric)
                    })
                });
                (is_scored(&readings) && stands).then(|| item(readings, line.range.clone()))
            };
            lines.iter().map(of).collect::<Option<Vec<Item>>>()?
        }
    };
    let span = items.first()?.span.start..items.last()?.span.end;
    Some(List { items, span })
}

/// The verdicts of a line that holds nothing else.
fn in_line(asked: &Asked<'_>, line: &Line) -> Option<Vec<Item>> {
    let text = &asked.reply[line.range.clone()];
    let mut from = 0;
    let mut items = Vec::new();
    for piece in text.split(BETWEEN) {
        let place = line.range.start + from..line.range.start + from + piece.len();
        from += piece.len()
            + text[from + piece.len()..]
                .chars()
                .next()
                .map_or(0, char::len_utf8);
        let readings = entry::text(asked, place.clone(), &[]);
        let [reading] = &readings[..] else {
            return None;
        };
        let span = reading.span.clone().filter(|_| is_scored(&readings))?;
        let around = [place.start..span.start, span.end..place.end];
        let bare = |part: &std::ops::Range<usize>| {
            !asked.reply[part.clone()].contains(char::is_alphanumeric)
        };
        if !around.iter().all(bare) {
            return None;
        }
        items.push(item(readings, place));
    }
    Some(items)
}
