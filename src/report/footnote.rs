//! The notes under a table: why a value does not exist, and which average lacks parts.
//!
//! It decides which notes there are and how they are marked, not how a format draws them.

use super::layout::{Cell, one_line};

/// Marks for few notes; longer lists are lettered, since doubled signs are hard to tell apart.
const SIGNS: [&str; 6] = ["†", "‡", "§", "¶", "‖", "#"];

/// One note under a table and the mark that leads to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Footnote {
    /// What stands at the cell and before the note.
    pub mark: String,
    /// What the note says; one line.
    pub text: String,
}

/// What a cell needs explained, if anything.
pub(crate) fn remark(cell: &Cell) -> Option<String> {
    if cell.value.is_none() {
        return Some(one_line(cell.why_none.as_deref().unwrap_or("no value")));
    }
    (cell.missing > 0).then(|| lacking(cell))
}

/// How an incomplete average is described: `over 3 of 5 models`.
pub(crate) fn lacking(cell: &Cell) -> String {
    let over = one_line(cell.over.as_deref().unwrap_or("parts"));
    match cell.parts {
        Some(parts) => format!(
            "over {} of {parts} {over}",
            parts.saturating_sub(cell.missing)
        ),
        None => format!("incomplete ({over} without a value: {})", cell.missing),
    }
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
        let notes = marked((0..7).map(|index| index.to_string()).collect());
        assert_eq!(notes[6].mark, "(g)");
        assert_eq!(marked(vec!["one".into(), "two".into()])[1].mark, "‡");
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
        assert_eq!(remark(&cell).as_deref(), Some("over 3 of 5 models"));
        let unknown = Cell {
            parts: None,
            ..cell
        };
        assert_eq!(
            remark(&unknown).as_deref(),
            Some("incomplete (models without a value: 2)")
        );
    }
}
