//! What cannot be arranged as a table, and how that is told.
//!
//! It checks and words; it must not arrange.

use indexmap::IndexSet;

use super::layout::{Cell, Layout, place};
use super::{csv, number};
use crate::base::wording::count;

/// Why cells cannot be arranged as the layout asks.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GridError {
    /// Two cells claim one place.
    #[error(
        "two cells share the position `{place}`: cell {first} is {first_value}, cell {second} is {second_value}; add the field that distinguishes them to `rows` or `columns`, or select one of its values"
    )]
    Duplicate {
        /// Fields and values of the place.
        place: String,
        /// Position of the first cell in the input, from 1.
        first: usize,
        /// Value of the first cell, as text.
        first_value: String,
        /// Position of the second cell in the input, from 1.
        second: usize,
        /// Value of the second cell, as text.
        second_value: String,
    },
    /// A cell has more or fewer key values than the layout has fields.
    #[error("cell {cell} has {found} for the {axis} fields {fields}; give one value per field")]
    Shape {
        /// Position of the cell in the input, from 1.
        cell: usize,
        /// `row` or `column`.
        axis: &'static str,
        /// How many values it has, with the noun.
        found: String,
        /// The fields of that axis.
        fields: String,
    },
    /// A field is named twice in rows and columns.
    #[error("field `{field}` is named twice in `rows` and `columns`; remove one of the two")]
    Repeated {
        /// The field.
        field: String,
    },
    /// A field has a name that the long form of the table needs.
    #[error(
        "field `{field}` cannot be used in `rows` or `columns`: the table itself uses this name; rename it"
    )]
    Reserved {
        /// The field.
        field: String,
    },
}

/// Refuses fields that stand twice or bear the name of a measure.
pub(crate) fn check_fields(layout: &Layout) -> Result<(), GridError> {
    let mut seen = IndexSet::new();
    for field in layout.fields() {
        if !seen.insert(field) {
            return Err(GridError::Repeated {
                field: field.to_owned(),
            });
        }
        if csv::NAMES.contains(&field) {
            return Err(GridError::Reserved {
                field: field.to_owned(),
            });
        }
    }
    Ok(())
}

/// Refuses cells whose keys do not fit the fields.
pub(crate) fn check_shape(layout: &Layout, cells: &[Cell]) -> Result<(), GridError> {
    for (index, cell) in cells.iter().enumerate() {
        for (axis, fields, values) in [
            ("row", &layout.rows, &cell.row),
            ("column", &layout.columns, &cell.column),
        ] {
            if fields.len() != values.len() {
                let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
                return Err(GridError::Shape {
                    cell: index + 1,
                    axis,
                    found: count(values.len(), "value"),
                    fields: format!("({})", fields.join(", ")),
                });
            }
        }
    }
    Ok(())
}

/// The error for two cells, given by index, that claim one place.
pub(crate) fn duplicate(layout: &Layout, cells: &[Cell], first: usize, second: usize) -> GridError {
    let value = |index: usize| {
        cells[index]
            .value
            .map_or_else(|| "without a value".to_owned(), number::full)
    };
    let cell = &cells[second];
    GridError::Duplicate {
        place: place(layout.fields(), cell.row.iter().chain(&cell.column)),
        first: first + 1,
        first_value: value(first),
        second: second + 1,
        second_value: value(second),
    }
}
