//! Reading one column of a table.
//!
//! Narrow integer and float types, dates and categories of foreign files are widened here, once,
//! so that stages see the four plain types only.

use std::borrow::Cow;

use polars::prelude::{
    BooleanChunked, Column, DataType, Float64Chunked, Int64Chunked, StringChunked,
};

use super::{ColumnData, FrameError, Scalar};

/// A readable view of one column.
#[derive(Clone, Debug)]
pub struct ColumnView<'f> {
    name: &'f str,
    cells: Cells<'f>,
}

#[derive(Clone, Debug)]
enum Cells<'f> {
    Text(Cow<'f, StringChunked>),
    Int(Cow<'f, Int64Chunked>),
    Float(Cow<'f, Float64Chunked>),
    Bool(Cow<'f, BooleanChunked>),
    Null(usize),
}

impl<'f> ColumnView<'f> {
    pub(super) fn of(name: &str, column: &'f Column) -> Result<Self, FrameError> {
        let cells = match column.dtype() {
            DataType::String => Cells::Text(Cow::Borrowed(column.str()?)),
            DataType::Int64 => Cells::Int(Cow::Borrowed(column.i64()?)),
            DataType::Float64 => Cells::Float(Cow::Borrowed(column.f64()?)),
            DataType::Boolean => Cells::Bool(Cow::Borrowed(column.bool()?)),
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

    /// The cell in this row; a float that is not finite counts as absent.
    pub fn scalar(&self, row: usize) -> Scalar {
        match &self.cells {
            Cells::Text(c) => c.get(row).map_or(Scalar::Null, Scalar::from),
            Cells::Int(c) => c.get(row).map_or(Scalar::Null, Scalar::Int),
            Cells::Float(c) => Scalar::from(c.get(row)),
            Cells::Bool(c) => c.get(row).map_or(Scalar::Null, Scalar::Bool),
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
            _ => match self.scalar(row) {
                Scalar::Null => None,
                value => Some(Cow::Owned(value.to_string())),
            },
        }
    }

    /// The cell in this row as a number.
    ///
    /// # Errors
    /// When the column holds text or truth values.
    pub fn number(&self, row: usize) -> Result<Option<f64>, FrameError> {
        match &self.cells {
            Cells::Text(_) | Cells::Bool(_) => Err(FrameError::WrongType {
                name: self.name.to_owned(),
                found: self.kind().to_owned(),
                wanted: "numbers",
            }),
            _ => Ok(self.scalar(row).number()),
        }
    }

    /// As many absent cells of this column's type.
    pub(super) fn absent(&self, rows: usize) -> ColumnData {
        match &self.cells {
            Cells::Text(_) | Cells::Null(_) => ColumnData::Text(vec![None; rows]),
            Cells::Int(_) => ColumnData::Int(vec![None; rows]),
            Cells::Float(_) => ColumnData::Float(vec![None; rows]),
            Cells::Bool(_) => ColumnData::Bool(vec![None; rows]),
        }
    }

    /// What the column holds, in words.
    pub fn kind(&self) -> &'static str {
        match &self.cells {
            Cells::Text(_) => "text",
            Cells::Int(_) => "whole numbers",
            Cells::Float(_) => "numbers",
            Cells::Bool(_) => "truth values",
            Cells::Null(_) => "no values",
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match &self.cells {
            Cells::Text(c) => c.len(),
            Cells::Int(c) => c.len(),
            Cells::Float(c) => c.len(),
            Cells::Bool(c) => c.len(),
            Cells::Null(len) => *len,
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
