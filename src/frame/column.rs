//! Reading one column of a table.
//!
//! Narrow integer and float types, dates and categories of foreign files are widened here, once,
//! so that stages see the five types of tables only.

use std::borrow::Cow;

use polars::prelude::{
    BinaryChunked, BooleanChunked, Column, DataType, Float64Chunked, Int64Chunked, StringChunked,
};

use super::{ColumnData, FrameError, Scalar};

/// What a column of lists and objects holds, in words.
pub(super) const JSON: &str = "JSON";

/// A readable view of one column.
#[derive(Clone, Debug)]
pub struct ColumnView<'f> {
    name: &'f str,
    cells: Cells<'f>,
}

#[derive(Clone, Debug)]
pub(super) enum Cells<'f> {
    Text(Cow<'f, StringChunked>),
    Int(Cow<'f, Int64Chunked>),
    Float(Cow<'f, Float64Chunked>),
    Bool(Cow<'f, BooleanChunked>),
    Json(&'f BinaryChunked),
    Null(usize),
}

impl<'f> ColumnView<'f> {
    pub(super) fn of(name: &str, column: &'f Column) -> Result<Self, FrameError> {
        let cells = match column.dtype() {
            DataType::String => Cells::Text(Cow::Borrowed(column.str()?)),
            DataType::Int64 => Cells::Int(Cow::Borrowed(column.i64()?)),
            DataType::Float64 => Cells::Float(Cow::Borrowed(column.f64()?)),
            DataType::Boolean => Cells::Bool(Cow::Borrowed(column.bool()?)),
            DataType::Binary => Cells::Json(column.binary()?),
            DataType::Null => Cells::Null(column.len()),
            dtype if dtype.is_integer() => match column.strict_cast(&DataType::Int64) {
                Ok(whole) => Cells::Int(Cow::Owned(whole.i64()?.clone())),
                // Whole numbers too large for the column stay as they are.
                Err(_) => Cells::Text(Cow::Owned(column.cast(&DataType::String)?.str()?.clone())),
            },
            dtype if dtype.is_float() => {
                Cells::Float(Cow::Owned(column.cast(&DataType::Float64)?.f64()?.clone()))
            }
            DataType::Date
            | DataType::Datetime(..)
            | DataType::Categorical(..)
            | DataType::Enum(..) => {
                Cells::Text(Cow::Owned(column.cast(&DataType::String)?.str()?.clone()))
            }
            other => {
                return Err(FrameError::UnsupportedType {
                    name: name.to_owned(),
                    dtype: other.to_string(),
                });
            }
        };
        Ok(Self {
            name: column.name().as_str(),
            cells,
        })
    }

    /// The column's name.
    pub fn name(&self) -> &'f str {
        self.name
    }

    /// The cell in this row; a float that is not finite counts as absent.
    pub fn scalar(&self, row: usize) -> Scalar {
        match &self.cells {
            Cells::Text(c) => c.get(row).map_or(Scalar::Null, Scalar::from),
            Cells::Int(c) => c.get(row).map_or(Scalar::Null, Scalar::Int),
            Cells::Float(c) => Scalar::from(c.get(row)),
            Cells::Bool(c) => c.get(row).map_or(Scalar::Null, Scalar::Bool),
            Cells::Json(c) => {
                json(c, row).map_or(Scalar::Null, |text| Scalar::Json(text.to_owned()))
            }
            Cells::Null(_) => Scalar::Null,
        }
    }

    /// All cells.
    pub fn scalars(&self) -> Vec<Scalar> {
        (0..self.len()).map(|row| self.scalar(row)).collect()
    }

    /// The canonical text of the cell in this row (see [`Scalar`]); absent if there is no value.
    pub fn text(&self, row: usize) -> Option<Cow<'_, str>> {
        match &self.cells {
            Cells::Text(c) => c.get(row).map(Cow::Borrowed),
            Cells::Json(c) => json(c, row).map(Cow::Borrowed),
            _ => match self.scalar(row) {
                Scalar::Null => None,
                value => Some(Cow::Owned(value.to_string())),
            },
        }
    }

    /// The cell in this row as a number: true is 1 and false is 0, so that their mean is a share.
    ///
    /// # Errors
    /// When the cell holds text or JSON.
    pub fn number(&self, row: usize) -> Result<Option<f64>, FrameError> {
        match &self.cells {
            // A column without any value has no type of its own.
            Cells::Text(_) | Cells::Json(_) if self.lacks(row) => Ok(None),
            Cells::Text(_) | Cells::Json(_) => Err(FrameError::WrongType {
                name: self.name.to_owned(),
                found: self.kind().to_owned(),
                wanted: "numbers",
            }),
            Cells::Bool(c) => Ok(c.get(row).map(f64::from)),
            _ => Ok(self.scalar(row).number()),
        }
    }

    /// The cells, by their type.
    pub(super) fn cells(&self) -> &Cells<'f> {
        &self.cells
    }

    /// Whether the cell in this row is empty.
    pub fn lacks(&self, row: usize) -> bool {
        match &self.cells {
            Cells::Text(c) => c.get(row).is_none(),
            Cells::Int(c) => c.get(row).is_none(),
            Cells::Float(c) => c.get(row).is_none_or(|value| !value.is_finite()),
            Cells::Bool(c) => c.get(row).is_none(),
            Cells::Json(c) => c.get(row).is_none(),
            Cells::Null(_) => true,
        }
    }

    /// Whether no row has a value.
    pub(super) fn has_no_value(&self) -> bool {
        let values = match &self.cells {
            Cells::Text(c) => c.len() - c.null_count(),
            Cells::Int(c) => c.len() - c.null_count(),
            Cells::Float(c) => c.len() - c.null_count(),
            Cells::Bool(c) => c.len() - c.null_count(),
            Cells::Json(c) => c.len() - c.null_count(),
            Cells::Null(_) => 0,
        };
        values == 0
    }

    /// The cells as a column of a new table, of this one's type also where there are none.
    pub fn data(&self) -> ColumnData {
        if self.has_no_value() {
            self.absent(self.len())
        } else {
            ColumnData::infer(self.scalars())
        }
    }

    /// As many absent cells of this column's type.
    pub(super) fn absent(&self, rows: usize) -> ColumnData {
        match &self.cells {
            Cells::Text(_) | Cells::Null(_) => ColumnData::Text(vec![None; rows]),
            Cells::Int(_) => ColumnData::Int(vec![None; rows]),
            Cells::Float(_) => ColumnData::Float(vec![None; rows]),
            Cells::Bool(_) => ColumnData::Bool(vec![None; rows]),
            Cells::Json(_) => ColumnData::Json(vec![None; rows]),
        }
    }

    /// What the column holds, in words.
    pub fn kind(&self) -> &'static str {
        match &self.cells {
            Cells::Text(_) => "text",
            Cells::Int(_) => "whole numbers",
            Cells::Float(_) => "numbers",
            Cells::Bool(_) => "truth values",
            Cells::Json(_) => JSON,
            Cells::Null(_) => "no values",
        }
    }

    /// Whether it holds texts, and not what is shown as such.
    pub(crate) fn is_text(&self) -> bool {
        matches!(&self.cells, Cells::Text(Cow::Borrowed(_)))
    }

    /// Whether it holds lists and objects.
    pub fn is_json(&self) -> bool {
        matches!(&self.cells, Cells::Json(_))
    }

    /// Whether it holds truth values.
    pub fn is_truth(&self) -> bool {
        matches!(&self.cells, Cells::Bool(_))
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match &self.cells {
            Cells::Text(c) => c.len(),
            Cells::Int(c) => c.len(),
            Cells::Float(c) => c.len(),
            Cells::Bool(c) => c.len(),
            Cells::Json(c) => c.len(),
            Cells::Null(len) => *len,
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The JSON of a cell. Tables that are read have been seen to hold text there.
fn json(cells: &BinaryChunked, row: usize) -> Option<&str> {
    std::str::from_utf8(cells.get(row)?).ok()
}
