//! Columns that rows can be put in order by: numbers, truth values, and texts that are no numbers.

use crate::base::failure::Failure;
use crate::frame::{ColumnView, Scalar};

/// Refuses a column whose order would not be what anybody means: numbers that are texts, of which `10` would come before
/// `9`, and lists and objects, which have none.
///
/// # Errors
/// Such a column.
pub(crate) fn sortable(column: &ColumnView<'_>, name: &str) -> Result<(), Failure> {
    if !matches!(column.kind(), "text" | "JSON") {
        return Ok(());
    }
    for row in 0..column.len() {
        match column.scalar(row) {
            Scalar::Text(text) if text.trim().parse::<f64>().is_ok_and(f64::is_finite) => {
                return Err(Failure::new(format!(
                    "`{name}` holds text, and `{}` in row {} is a number: as texts, `10` comes before `9`",
                    text.trim(),
                    row + 1
                ))
                .hint(format!(
                    "make numbers of them in a `derive` stage: `compute.{name} = \"{name} | float\"`"
                )));
            }
            Scalar::Json(_) => {
                return Err(Failure::new(format!(
                    "`{name}` holds lists or objects, which have no order"
                ))
                .hint(format!(
                    "compute a number of them first, such as `{name} | length`"
                )));
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{ColumnData, Frame};

    #[test]
    fn numbers_that_are_texts_have_no_order_that_is_meant() {
        let frame = Frame::new(vec![
            ("grade".to_owned(), ColumnData::text(["good", "10", "9"])),
            (
                "word".to_owned(),
                ColumnData::text(["b", "a", "1900-01-02"]),
            ),
            (
                "list".to_owned(),
                ColumnData::Json(
                    ["[1]", "[2]", "[]"]
                        .map(|text| Some(text.to_owned()))
                        .to_vec(),
                ),
            ),
        ])
        .unwrap();
        let said = |name: &str| {
            let column = frame.column(name).unwrap();
            sortable(&column, name).map_err(|failure| failure.message)
        };
        assert_eq!(
            said("grade"),
            Err("`grade` holds text, and `10` in row 2 is a number: as texts, `10` comes before `9`".to_owned())
        );
        assert_eq!(said("word"), Ok(()));
        assert!(said("list").unwrap_err().contains("no order"));
    }
}
