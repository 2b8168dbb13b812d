//! What was written about the section before: the summary that is handed on from section to section (thesis,
//! 4.3.2).

use std::collections::BTreeMap;

use serde::Serialize;

use crate::base::failure::Failure;
use crate::frame::{ColumnView, Frame, Scalar};

/// Which rows are sections of one document.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Previous {
    /// The columns that tell documents apart.
    pub key: Vec<String>,
}

/// Of each row, what the section before has; or why there is nothing, other than being the first.
pub(super) type Before<'t> = Vec<Result<Option<&'t str>, String>>;

impl Previous {
    /// Finds, for the rows of `input` with `repeats` texts each, the text of the section whose number is one
    /// less, in the same document and repeat.
    ///
    /// # Errors
    /// No column `section` or no column of the key, a number that is none, two rows for one section.
    pub(super) fn of<'t>(
        &self,
        input: &Frame,
        repeats: usize,
        texts: &'t [Option<String>],
        missing: &[Option<String>],
    ) -> Result<Before<'t>, Failure> {
        let sections = input.column("section").map_err(|error| {
            Failure::from(error).hint("`previous` is what was written about the section before: let the stage read a `split` stage")
        })?;
        let column = |name: &String| {
            // Without it the sections of several documents could be taken for those of one.
            input.column(name).map_err(|error| {
                Failure::from(error).hint(format!(
                    "`previous` needs `{name}`, which identifies documents: keep it among the `columns` of the `select` stage before, or leave it out of the `key` of the source"
                ))
            })
        };
        let key = self.key.iter().map(column).collect::<Result<Vec<_>, _>>()?;
        let name = |row: usize| -> Vec<Option<String>> {
            let cell = |column: &ColumnView<'_>| column.text(row).map(std::borrow::Cow::into_owned);
            key.iter().map(cell).collect()
        };
        let mut rows = BTreeMap::new();
        let mut numbers = Vec::new();
        for row in 0..input.rows() {
            let number = number(&sections, row)?;
            numbers.push(number);
            let Some(number) = number else { continue };
            if rows.insert((name(row), number), row).is_some() {
                let document = name(row).into_iter().flatten().collect::<Vec<_>>();
                return Err(Failure::new(format!(
                    "`{}` has two rows for section {number}",
                    document.join(", ")
                ))
                .hint("name the columns that identify documents in the `key` of the source, or select fewer rows"));
            }
        }
        let of = |row: usize, repeat: usize| {
            // Without a number it is no section, and without a text nobody asks about it.
            let Some(number) = numbers[row] else {
                return Ok(None);
            };
            let before = number.checked_sub(1).map(|before| (name(row), before));
            match before.and_then(|before| rows.get(&before)) {
                Some(before) => {
                    let at = before * repeats + repeat;
                    match (&texts[at], &missing[at]) {
                        (Some(text), _) => Ok(Some(text.as_str())),
                        (None, why) => Err(format!(
                            "nothing was written about section {}: {}",
                            number - 1,
                            why.as_deref().unwrap_or("no reason was given")
                        )),
                    }
                }
                None if number <= 1 => Ok(None),
                None => Err(format!("section {} is not there", number - 1)),
            }
        };
        let all = (0..input.rows()).flat_map(|row| (0..repeats).map(move |repeat| (row, repeat)));
        Ok(all.map(|(row, repeat)| of(row, repeat)).collect())
    }
}

/// The number of a section.
fn number(column: &ColumnView<'_>, row: usize) -> Result<Option<i64>, Failure> {
    whole(&column.scalar(row)).map_err(|found| {
        Failure::new(format!(
            "`{found}` in the column `section` is not a whole number from 0 up"
        ))
        .hint("number the sections of a document 1, 2, 3 and so on")
    })
}

/// A whole number from 0 up, however the table holds it; otherwise what is found.
pub(in crate::stage) fn whole(cell: &Scalar) -> Result<Option<i64>, String> {
    let number = match cell {
        Scalar::Null => return Ok(None),
        Scalar::Int(number) => Some(*number),
        // The way whole numbers come out of tables that also have absent cells.
        Scalar::Float(number) => number.to_string().parse().ok(),
        Scalar::Text(number) => number.trim().parse().ok(),
        Scalar::Bool(_) | Scalar::Json(_) => None,
    };
    match number {
        Some(number) if number >= 0 => Ok(Some(number)),
        _ => Err(cell.to_string()),
    }
}
