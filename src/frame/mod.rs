//! Tables: the only thing that flows between stages.
//!
//! A [`Frame`] is a polars `DataFrame` narrowed to five column types (text, integer, float,
//! boolean, JSON), each cell possibly absent. The narrowing is what lets every stage treat a parquet
//! file written by pandas, a csv and an earlier stage's result alike. polars is named here and
//! nowhere else, so that its frequent releases touch one folder.
//!
//! This module must not know about stages, specs or the cache.

mod build;
mod checksum;
mod column;
mod csv;
mod depth;
mod error;
mod foreign;
mod foreign_parts;
mod groups;
mod guard;
mod join;
mod jsonl;
mod keep;
mod lines;
mod nested;
mod one_group;
mod packed;
mod parquet;
mod parts;
mod quick;
mod rehearse;
mod scalar;
mod stream;
mod write;

use std::collections::BTreeSet;

use polars::frame::DataFrame;
use polars::prelude::{DataType, IdxSize};

pub use self::build::ColumnData;
pub use self::column::ColumnView;
pub use self::csv::Records;
pub use self::error::FrameError;
pub use self::foreign_parts::{ForeignParts, Seekable};
pub use self::groups::Groups;
pub use self::guard::silence_guarded_panics;
pub use self::join::{MOST_PAIRS, Pairs, Unpaired};
pub use self::jsonl::Mixed;
pub use self::keep::Keep;
pub use self::lines::{Fresh, Lines};
pub use self::packed::Packed;
pub use self::parts::{Parted, aligned};
pub use self::rehearse::{rehearse_with, rehearsed};
pub use self::scalar::Scalar;
pub use self::stream::ParquetStream;

/// A table of rows and named columns.
#[derive(Clone, Debug)]
pub struct Frame(DataFrame);

impl Frame {
    /// Builds a table from named columns of equal length.
    ///
    /// # Errors
    /// When two columns share a name or the lengths differ.
    pub fn new(columns: Vec<(String, ColumnData)>) -> Result<Self, FrameError> {
        build::frame(columns).map(Self)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.0.height()
    }

    /// The column names, in order.
    pub fn names(&self) -> Vec<&str> {
        self.0
            .get_column_names()
            .into_iter()
            .map(polars::prelude::PlSmallStr::as_str)
            .collect()
    }

    /// Whether a column of this name exists.
    pub fn has(&self, name: &str) -> bool {
        self.0.get_column_index(name).is_some()
    }

    /// A view of one column.
    ///
    /// # Errors
    /// [`FrameError::NoColumn`], naming the columns there are.
    pub fn column(&self, name: &str) -> Result<ColumnView<'_>, FrameError> {
        match self.0.column(name) {
            Ok(column) => ColumnView::of(name, column),
            Err(_) => Err(FrameError::NoColumn {
                name: name.to_owned(),
                known: self.names().into_iter().map(str::to_owned).collect(),
            }),
        }
    }

    /// The rows at these positions, in this order; a position may be repeated.
    ///
    /// # Errors
    /// When a position is past the end.
    pub fn take(&self, rows: &[usize]) -> Result<Self, FrameError> {
        let index: Vec<IdxSize> = rows
            .iter()
            .map(|&row| IdxSize::try_from(row).map_err(|_| FrameError::TooManyRows))
            .collect::<Result<_, _>>()?;
        let index = polars::prelude::IdxCa::from_vec("".into(), index);
        Ok(Self(self.0.take(&index)?))
    }

    /// The same table with a column added at the end, or replaced in place.
    ///
    /// # Errors
    /// When the length differs from the table's.
    pub fn with_column(mut self, name: &str, data: ColumnData) -> Result<Self, FrameError> {
        self.0.with_column(data.into_polars(name))?;
        Ok(self)
    }

    /// The same table with whole numbers in 16 bits in these columns, for files whose readers expect that.
    ///
    /// # Errors
    /// When a column is not there or holds what does not fit.
    pub fn with_short(mut self, names: &[&str]) -> Result<Self, FrameError> {
        for name in names {
            let short = self.0.column(name)?.strict_cast(&DataType::Int16)?;
            self.0.with_column(short)?;
        }
        Ok(self)
    }

    /// The same table, its columns under the names that they are `called`.
    ///
    /// # Errors
    /// When two columns are called the same.
    pub fn renamed(self, called: impl Fn(&str) -> String) -> Result<Self, FrameError> {
        let names: Vec<String> = self.names().into_iter().map(called).collect();
        self.called(&names)
    }

    /// The same table, its columns under these names.
    ///
    /// # Errors
    /// When two columns are called the same, or there are not as many names.
    pub fn called(mut self, names: &[impl AsRef<str>]) -> Result<Self, FrameError> {
        self.0.set_column_names(names)?;
        Ok(self)
    }

    /// The table with all columns of another behind its own; those of the same name take the place of its own.
    ///
    /// # Errors
    /// When the numbers of rows differ.
    pub fn beside(mut self, other: &Self) -> Result<Self, FrameError> {
        for column in other.0.columns() {
            self.0.with_column(column.clone())?;
        }
        Ok(self)
    }

    /// The same table without these columns; names that are not there are passed over.
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Self {
        Self(self.0.drop_many(names.iter().copied()))
    }

    /// The named columns alone, in this order.
    ///
    /// # Errors
    /// When one is not there, or named twice.
    pub fn select(&self, names: &[String]) -> Result<Self, FrameError> {
        for name in names {
            self.column(name)?;
        }
        Ok(Self(self.0.select(names.iter().map(String::as_str))?))
    }

    /// Only those of the named columns that there are, in the table's order.
    #[must_use]
    pub fn only(&self, wanted: &BTreeSet<&str>) -> Self {
        let others: Vec<&str> = self
            .names()
            .into_iter()
            .filter(|name| !wanted.contains(name))
            .collect();
        self.without(&others)
    }

    /// Stacks tables: the union of their columns in order of first appearance, absent cells where
    /// a table lacks a column. A column that is integer here and float there becomes float; any
    /// other difference of types becomes text. One without any value keeps its type.
    ///
    /// # Errors
    /// When polars refuses, which for types of ours it has no reason to.
    pub fn stack(frames: &[Self]) -> Result<Self, FrameError> {
        build::stack(frames)
    }
}
