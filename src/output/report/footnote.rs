//! The notes under a table: which averages lack parts, which tests are not defined, why a value does not exist.
//!
//! It decides which notes there are and how they are marked, not how a format draws them.

use indexmap::IndexMap;

use super::lack::told;
use super::layout::{Cell, one_line};
use super::text::put;

/// The mark of a value that is made of fewer parts than its neighbours.
pub(crate) const PARTIAL: &str = "†";
/// The mark where a mark of significance would stand, were the test defined.
pub(crate) const UNDEFINED: &str = "‡";
/// Marks of values that do not exist; longer lists are lettered, since doubled signs are hard to tell apart.
const SIGNS: [&str; 4] = ["§", "¶", "‖", "#"];

/// A note that holds for more places than this counts the others.
const MOST_PLACES: usize = 3;

/// One note under a table and the mark that leads to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footnote {
    /// What stands at the cell and before the note.
    pub mark: String,
    /// What the note says; one line.
    pub text: String,
}

/// Why there is no value, where that needs a note of its own.
pub(crate) fn remark(cell: &Cell) -> Option<String> {
    let none = cell.value.is_none() && cell.undefined.is_none();
    none.then(|| one_line(cell.why_none.as_deref().unwrap_or("no value")))
}

/// Whether a cell has a value that is made of fewer parts than its neighbours.
pub(crate) fn is_partial(cell: &Cell) -> bool {
    cell.value.is_some() && (cell.missing > 0 || !cell.lacks.is_empty())
}

/// How an incomplete average is described: `over 3 of 5 models`.
pub(crate) fn lacking(cell: &Cell) -> String {
    if !cell.lacks.is_empty() {
        return one_line(&super::lack::words(&cell.lacks));
    }
    let over = one_line(cell.over.as_deref().unwrap_or("parts"));
    match cell.parts {
        Some(parts) => format!(
            "over {} of {parts} {over}",
            parts.saturating_sub(cell.missing)
        ),
        None => format!("incomplete ({over} without a value: {})", cell.missing),
    }
}

/// The notes on cells that lack parts; `place` names a cell where a table has several such notes.
pub(crate) fn partial<'c>(
    cells: impl Iterator<Item = (&'c Cell, String)> + Clone,
) -> Vec<Footnote> {
    let partial = cells.filter(|(cell, _)| is_partial(cell));
    let lacks = partial
        .clone()
        .flat_map(|(cell, place)| cell.lacks.iter().map(move |lack| (place.clone(), lack)));
    let mut notes = told(lacks);
    let mut bare: IndexMap<String, Vec<String>> = IndexMap::new();
    for (cell, place) in partial.filter(|(cell, _)| cell.lacks.is_empty()) {
        bare.entry(lacking(cell)).or_default().push(place);
    }
    notes.extend(bare);
    marked_alike(PARTIAL, notes)
}

/// The notes on tests that are not defined: what they are called, and the places of each.
pub(crate) fn undefined<'c>(reasons: impl Iterator<Item = (&'c str, String)>) -> Vec<Footnote> {
    let mut notes: IndexMap<String, Vec<String>> = IndexMap::new();
    for (why, place) in reasons {
        let text = format!("not defined: {}", one_line(why));
        notes.entry(text).or_default().push(place);
    }
    marked_alike(UNDEFINED, notes.into_iter().collect())
}

/// Notes under one sign. Where there are several, each says which cells it is about.
pub(crate) fn marked_alike(sign: &str, notes: Vec<(String, Vec<String>)>) -> Vec<Footnote> {
    let several = notes.len() > 1;
    let footnote = |(text, mut places): (String, Vec<String>)| {
        places.dedup();
        let text = one_line(&text);
        Footnote {
            mark: sign.to_owned(),
            text: if several {
                format!("{text} ({})", listed(&places, String::clone))
            } else {
                text
            },
        }
    };
    notes.into_iter().map(footnote).collect()
}

/// Some places, and how many more there are; `said` is asked for those that are named only.
pub(crate) fn listed<P>(places: &[P], said: impl Fn(&P) -> String) -> String {
    let few = places.len() <= MOST_PLACES;
    let shown = if few { places.len() } else { MOST_PLACES - 1 };
    let named: Vec<String> = places[..shown].iter().map(said).collect();
    let mut out = named.join("; ");
    if !few {
        let rest = places.len() - shown;
        put!(out, "; and {rest} more");
    }
    out
}

/// Gives each different remark a mark, in order of appearance.
pub(crate) fn marked(remarks: Vec<String>) -> Vec<Footnote> {
    let signs = remarks.len() <= SIGNS.len();
    let mark = |index: usize| {
        if signs {
            SIGNS[index].to_owned()
        } else {
            format!("({})", letters(index))
        }
    };
    remarks
        .into_iter()
        .enumerate()
        .map(|(index, text)| Footnote {
            mark: mark(index),
            text,
        })
        .collect()
}

/// `a` to `z`, then `aa`, `ab`, …
fn letters(index: usize) -> String {
    let mut left = index;
    let mut out = Vec::new();
    loop {
        out.push(char::from(b'a' + u8::try_from(left % 26).unwrap_or(0)));
        if left < 26 {
            break;
        }
        left = left / 26 - 1;
    }
    out.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on_after_z() {
        assert_eq!(
            [0, 25, 26, 701, 702].map(letters).join(" "),
            "a z aa zz aaa"
        );
    }

    #[test]
    fn more_notes_than_signs_are_lettered() {
        let notes = marked((0..5).map(|index| index.to_string()).collect());
        assert_eq!(notes[4].mark, "(e)");
        assert_eq!(marked(vec!["one".into(), "two".into()])[1].mark, "¶");
    }

    #[test]
    fn an_average_that_lacks_parts_says_how_many_it_has() {
        let cell = Cell {
            value: Some(1.0),
            missing: 2,
            parts: Some(5),
            over: Some("models".into()),
            ..Cell::default()
        };
        assert_eq!(lacking(&cell), "over 3 of 5 models");
        let unknown = Cell {
            parts: None,
            ..cell
        };
        assert_eq!(lacking(&unknown), "incomplete (models without a value: 2)");
    }

    #[test]
    fn several_reasons_under_one_sign_name_their_cells() {
        let place = |index: usize| format!("row {index}");
        let reasons = |n: usize| (0..n).map(|at| ("all differences are 0", place(at)));
        let one: Vec<Footnote> = undefined(reasons(5));
        assert_eq!(one[0].text, "not defined: all differences are 0");
        let other = [("only 1 complete pair", "row 9".to_owned())];
        let two: Vec<String> = undefined(reasons(5).chain(other))
            .into_iter()
            .map(|note| format!("{} {}", note.mark, note.text))
            .collect();
        assert_eq!(
            two,
            [
                "‡ not defined: all differences are 0 (row 0; row 1; and 3 more)",
                "‡ not defined: only 1 complete pair (row 9)"
            ]
        );
    }
}
