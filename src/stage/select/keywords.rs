//! Keeping rows by the words that their columns hold, as one leaves out poems and plays by what their
//! headings say.

use regex::Regex;
use serde::Serialize;

use crate::base::failure::Failure;
use crate::frame::{ColumnView, Frame, FrameError};

/// Which words must or must not occur, and where they are looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Keywords {
    /// The columns that are searched.
    pub columns: Vec<String>,
    /// Search only this many characters at the beginning of each; all by default.
    pub first: Option<usize>,
    /// One of these must occur, if any are given.
    pub any: Vec<String>,
    /// None of these may occur.
    pub none: Vec<String>,
}

impl Keywords {
    /// Those of `rows` that qualify. Words are found whole and whatever their case: `poem` is in
    /// `A Poem.` and not in `poems`.
    ///
    /// # Errors
    /// A missing column.
    pub fn rows(&self, frame: &Frame, mut rows: Vec<usize>) -> Result<Vec<usize>, Failure> {
        let columns = self
            .columns
            .iter()
            .map(|name| frame.column(name))
            .collect::<Result<Vec<_>, FrameError>>()?;
        let any = pattern(&self.any)?;
        let none = pattern(&self.none)?;
        rows.retain(|&row| {
            let holds = |pattern: &Regex| {
                columns
                    .iter()
                    .any(|column| pattern.is_match(&self.searched(column, row)))
            };
            any.as_ref().is_none_or(holds) && !none.as_ref().is_some_and(holds)
        });
        Ok(rows)
    }

    fn searched(&self, column: &ColumnView<'_>, row: usize) -> String {
        let text = column.text(row).unwrap_or_default();
        match self.first {
            Some(first) => text.chars().take(first).collect(),
            None => text.into_owned(),
        }
    }
}

/// A pattern for any of these words; nothing, where there are none.
fn pattern(words: &[String]) -> Result<Option<Regex>, Failure> {
    if words.is_empty() {
        return Ok(None);
    }
    let words: Vec<String> = words
        .iter()
        .map(|keyword| {
            let parts: Vec<String> = keyword.split_whitespace().map(regex::escape).collect();
            parts.join(r"\s+")
        })
        .collect();
    // Not `\b`: a keyword may begin or end with a mark, and `_Poems_` in italics is the word too.
    let apart = r"[^\p{L}\p{N}]";
    let pattern = format!("(?i)(?:^|{apart})(?:{})(?:$|{apart})", words.join("|"));
    Regex::new(&pattern)
        .map(Some)
        .map_err(|error| Failure::new(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::ColumnData;

    fn kept(any: &[&str], none: &[&str], first: Option<usize>) -> Vec<usize> {
        let frame = Frame::new(vec![
            (
                "genre".to_owned(),
                ColumnData::Text(vec![
                    Some("Short stories".to_owned()),
                    Some("Poems; nature".to_owned()),
                    None,
                ]),
            ),
            (
                "text".to_owned(),
                ColumnData::text(["A tale.", "A rose.", "DRAMA in three acts. A tale."]),
            ),
        ])
        .unwrap();
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let keywords = Keywords {
            columns: words(&["genre", "text"]),
            first,
            any: words(any),
            none: words(none),
        };
        keywords.rows(&frame, vec![0, 1, 2]).unwrap()
    }

    #[test]
    fn words_are_found_whole_whatever_their_case() {
        assert_eq!(kept(&[], &["poems", "drama"], None), [0]);
        assert_eq!(kept(&[], &["poem"], None), [0, 1, 2]);
        assert_eq!(kept(&["tale"], &[], None), [0, 2]);
        assert_eq!(kept(&["short stories"], &[], None), [0]);
    }

    #[test]
    fn only_the_beginning_is_searched_where_that_is_said() {
        assert_eq!(kept(&["acts"], &[], Some(5)), [] as [usize; 0]);
    }
}
