//! Which rows of two tables belong together: those whose keys are equal.
//!
//! polars finds them; what it leaves open is settled here. Keys are brought to one type first, an absent key is equal to
//! nothing, and pairs are in the order of the left rows, then of the right ones.

use std::collections::BTreeMap;

use polars::frame::DataFrame;
use polars::prelude::{
    AnyValue, BooleanChunked, ChunkApply, Column, DataFrameJoinOps, DataType, GroupsIndicator,
    IdxCa, IdxSize, Int64Chunked, IntoColumn, IntoSeries, JoinArgs, JoinType, JoinValidation,
    MaintainOrderJoin, NewChunkedArray, PolarsError, Series,
};

use super::column::Cells;
use super::{ColumnView, Frame, FrameError};

/// Rows of two tables that belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Each row of the left table, as often as it has a partner, and once if it has none; in order.
    pub left: Vec<usize>,
    /// The row of the right table beside it.
    pub right: Vec<Option<usize>>,
}

/// The most pairs there can be: so many rows can still be held in memory.
pub const MOST_PAIRS: usize = 50_000_000;

/// Why rows cannot be put together.
#[derive(Debug)]
pub enum Unpaired {
    /// Two rows of the right table have the same key.
    Twice(usize, usize),
    /// Columns of a key hold values that are never equal: the place in the key, and what the two hold.
    Types(usize, &'static str, &'static str),
    /// There are more pairs than [`MOST_PAIRS`]: how many.
    TooMany(usize),
    /// A column is not there, or cannot be read.
    Frame(FrameError),
}

impl From<FrameError> for Unpaired {
    fn from(error: FrameError) -> Self {
        Self::Frame(error)
    }
}

impl From<PolarsError> for Unpaired {
    fn from(error: PolarsError) -> Self {
        Self::Frame(error.into())
    }
}

/// The names that the columns of a key have while rows are put together.
fn name(at: usize) -> String {
    format!("key{at}")
}

const LEFT: &str = "left";
const RIGHT: &str = "right";

impl Frame {
    /// Puts the rows of two tables together on pairs of columns, one of each table. With `unique`, two rows of the right
    /// table with one key are refused.
    ///
    /// # Errors
    /// See [`Unpaired`].
    pub fn pairs(
        &self,
        other: &Self,
        on: &[(String, String)],
        unique: bool,
    ) -> Result<Pairs, Unpaired> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (at, (here, there)) in on.iter().enumerate() {
            let (one, two) = (self.column(here)?, other.column(there)?);
            let kind =
                common(&one, &two).ok_or_else(|| Unpaired::Types(at, one.kind(), two.kind()))?;
            left.push(key(&one, &kind, &name(at)));
            right.push(key(&two, &kind, &name(at)));
        }
        if self.rows() == 0 || other.rows() == 0 {
            if let Some((first, second)) = twice(&right).filter(|_| unique) {
                return Err(Unpaired::Twice(first, second));
            }
            return Ok(Pairs {
                left: (0..self.rows()).collect(),
                right: vec![None; self.rows()],
            });
        }
        if !unique {
            let pairs = how_many(&left, &right)?;
            if pairs > MOST_PAIRS {
                return Err(Unpaired::TooMany(pairs));
            }
        }
        let numbered = |mut keys: Vec<Column>, name: &str, rows: usize| {
            let numbers = (0..rows).map(|row| row as IdxSize);
            let numbers = IdxCa::from_iter_values(name.into(), numbers);
            keys.push(numbers.into_series().into_column());
            DataFrame::new(rows, keys)
        };
        let beside = numbered(right.clone(), RIGHT, other.rows())?;
        let here = numbered(left, LEFT, self.rows())?;
        let names: Vec<String> = (0..on.len()).map(name).collect();
        let args = JoinArgs {
            validation: if unique {
                JoinValidation::ManyToOne
            } else {
                JoinValidation::ManyToMany
            },
            nulls_equal: false,
            maintain_order: MaintainOrderJoin::LeftRight,
            ..JoinArgs::new(JoinType::Left)
        };
        let joined = here.join(&beside, &names, &names, args, None);
        let joined = match joined {
            Ok(joined) => joined,
            Err(error) => {
                return Err(match twice(&right).filter(|_| unique) {
                    Some((first, second)) => Unpaired::Twice(first, second),
                    None => Unpaired::from(error),
                });
            }
        };
        let numbers = |name: &str| -> Result<Vec<Option<usize>>, Unpaired> {
            let column = joined.column(name)?;
            let rows = column.idx()?.iter();
            Ok(rows.map(|row| row.map(|row| row as usize)).collect())
        };
        let mut pairs: Vec<(usize, Option<usize>)> = numbers(LEFT)?
            .into_iter()
            .flatten()
            .zip(numbers(RIGHT)?)
            .collect();
        // Of several partners of one row polars does not say in which order they come.
        if !unique && !pairs.is_sorted() {
            pairs.sort_unstable();
        }
        let (left, right) = pairs.into_iter().unzip();
        Ok(Pairs { left, right })
    }

    /// The rows at these positions, in this order; where there is none, every cell is absent.
    ///
    /// # Errors
    /// When a position is past the end.
    pub fn take_or_absent(&self, rows: &[Option<usize>]) -> Result<Self, FrameError> {
        let index = rows.iter().map(|row| {
            let row = row.map(IdxSize::try_from).transpose();
            row.map_err(|_| FrameError::TooManyRows)
        });
        let index: Vec<Option<IdxSize>> = index.collect::<Result<_, _>>()?;
        let index = IdxCa::from_iter_options("".into(), index.into_iter());
        Ok(Self(self.0.take(&index)?))
    }

    /// The same table with a column beside it, under a name that it does not have.
    ///
    /// # Errors
    /// When the lengths differ or the column is not there.
    pub fn with_column_of(
        mut self,
        name: &str,
        other: &Self,
        column: &str,
    ) -> Result<Self, FrameError> {
        let mut column = other.0.column(column)?.clone();
        column.rename(name.into());
        self.0.with_column(column)?;
        Ok(self)
    }
}

/// The type in which two columns are compared; none, where no value of one can be one of the other.
fn common(one: &ColumnView<'_>, two: &ColumnView<'_>) -> Option<DataType> {
    let of = |view: &ColumnView<'_>| match view.cells() {
        _ if view.has_no_value() => None,
        Cells::Text(_) => Some(DataType::String),
        Cells::Int(_) => Some(DataType::Int64),
        Cells::Float(_) => Some(DataType::Float64),
        Cells::Bool(_) => Some(DataType::Boolean),
        Cells::Json(_) => Some(DataType::Binary),
        Cells::Null(_) => None,
    };
    match (of(one), of(two)) {
        (Some(DataType::Int64), Some(DataType::Float64))
        | (Some(DataType::Float64), Some(DataType::Int64)) => Some(DataType::Int64),
        (Some(one), Some(two)) => (one == two).then_some(one),
        (Some(only), None) | (None, Some(only)) => Some(only),
        (None, None) => Some(DataType::String),
    }
}

/// A column of a key, in the type in which it is compared.
fn key(view: &ColumnView<'_>, kind: &DataType, name: &str) -> Column {
    let series = match view.cells() {
        // One without any value has whatever type the other has.
        _ if view.has_no_value() => {
            let kind = match kind {
                DataType::Boolean => &DataType::Int64,
                kind => kind,
            };
            Series::full_null("".into(), view.len(), kind)
        }
        Cells::Text(cells) => cells.as_ref().clone().into_series(),
        Cells::Json(cells) => (*cells).clone().into_series(),
        Cells::Int(cells) => cells.as_ref().clone().into_series(),
        Cells::Float(cells) if *kind == DataType::Int64 => {
            let whole = cells.iter().map(|value| value.and_then(whole));
            Int64Chunked::from_iter_options("".into(), whole).into_series()
        }
        // A number that is none is absent.
        Cells::Float(cells) => {
            let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
            cells.apply(finite).into_series()
        }
        Cells::Bool(cells) => as_numbers(cells),
        Cells::Null(rows) => Series::full_null("".into(), *rows, kind),
    };
    let mut column = series.into_column();
    column.rename(name.into());
    column
}

fn as_numbers(cells: &BooleanChunked) -> Series {
    let numbers = cells.iter().map(|value| value.map(i64::from));
    Int64Chunked::from_iter_options("".into(), numbers).into_series()
}

/// A whole number, if a float is one and says exactly which.
fn whole(value: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let is_whole = value.fract() == 0.0 && value.abs() <= EXACT;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it is whole and not too large"
    )]
    is_whole.then_some(value as i64)
}

/// How many pairs rows with these keys make, a row of the left without a partner being one; where there cannot be more
/// than [`MOST_PAIRS`], how many there can be.
fn how_many(left: &[Column], right: &[Column]) -> Result<usize, FrameError> {
    let rows = |keys: &[Column]| keys.first().map_or(0, Column::len);
    let (here, there) = (rows(left), rows(right));
    let most = here.saturating_mul(there);
    if most <= MOST_PAIRS {
        return Ok(most);
    }
    let mut both = DataFrame::new(here, left.to_vec())?;
    both.vstack_mut(&DataFrame::new(there, right.to_vec())?)?;
    let names: Vec<String> = (0..left.len()).map(name).collect();
    let groups = both.group_by_stable(&names)?.into_groups();
    let mut pairs = 0_usize;
    for group in groups.iter() {
        let (rows, first): (Vec<IdxSize>, IdxSize) = match group {
            GroupsIndicator::Idx((first, rows)) => (rows.to_vec(), first),
            GroupsIndicator::Slice([start, len]) => ((start..start + len).collect(), start),
        };
        let ours = rows.iter().filter(|row| (**row as usize) < here).count();
        let absent = |key: &Column| key.get(first as usize).is_ok_and(|value| value.is_null());
        let partners = if both.columns().iter().any(absent) {
            0
        } else {
            rows.len() - ours
        };
        pairs = pairs.saturating_add(ours.saturating_mul(partners.max(1)));
    }
    Ok(pairs)
}

/// The first two rows with the same key, none of whose columns is absent.
fn twice(keys: &[Column]) -> Option<(usize, usize)> {
    let rows = keys.first()?.len();
    let mut seen: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    (0..rows).find_map(|row| {
        let cell = |column: &Column| {
            let value = column.get(row).ok()?;
            (!value.is_null()).then(|| match value {
                // A zero has two signs and is one number.
                AnyValue::Float64(value) => (value + 0.0).to_string(),
                value => value.str_value().into_owned(),
            })
        };
        let key = keys.iter().map(cell).collect::<Option<Vec<String>>>()?;
        let first = *seen.entry(key).or_insert(row);
        (first != row).then_some((first, row))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::ColumnData;

    fn frame(columns: Vec<(&str, ColumnData)>) -> Frame {
        let columns = columns.into_iter();
        Frame::new(
            columns
                .map(|(name, data)| (name.to_owned(), data))
                .collect(),
        )
        .unwrap()
    }

    fn on(names: &[(&str, &str)]) -> Vec<(String, String)> {
        let names = names.iter();
        names
            .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
            .collect()
    }

    #[test]
    fn an_absent_key_is_equal_to_nothing() {
        let cells = || ColumnData::Text(vec![None, Some("ä".to_owned()), Some(String::new())]);
        let (left, right) = (frame(vec![("a", cells())]), frame(vec![("b", cells())]));
        let pairs = left.pairs(&right, &on(&[("a", "b")]), true).unwrap();
        assert_eq!(pairs.left, [0, 1, 2]);
        assert_eq!(pairs.right, [None, Some(1), Some(2)]);
        let two = on(&[("a", "b"), ("a", "b")]);
        assert_eq!(left.pairs(&right, &two, true).unwrap(), pairs);
    }

    #[test]
    fn whole_numbers_are_the_same_numbers_as_floats_and_texts_are_none() {
        let whole = frame(vec![("a", ColumnData::Int(vec![Some(2000), Some(1)]))]);
        let float = ColumnData::Float(vec![Some(1.5), Some(2000.0), None]);
        let float = frame(vec![("a", float)]);
        let pairs = whole.pairs(&float, &on(&[("a", "a")]), true).unwrap();
        assert_eq!(pairs.right, [Some(1), None]);
        let pairs = float.pairs(&whole, &on(&[("a", "a")]), true).unwrap();
        assert_eq!(pairs.right, [None, Some(0), None]);
        let text = frame(vec![("a", ColumnData::text(["2000", "1"]))]);
        let refused = whole.pairs(&text, &on(&[("a", "a")]), true).unwrap_err();
        let Unpaired::Types(0, one, two) = refused else {
            panic!("{refused:?}");
        };
        assert_eq!((one, two), ("whole numbers", "text"));
    }

    #[test]
    fn two_rows_of_the_right_table_with_one_key_are_named() {
        let left = frame(vec![("a", ColumnData::text(["x"]))]);
        let right = frame(vec![("a", ColumnData::text(["y", "x", "z", "y", "y"]))]);
        let refused = left.pairs(&right, &on(&[("a", "a")]), true).unwrap_err();
        assert!(matches!(refused, Unpaired::Twice(0, 3)), "{refused:?}");
        let none = left.take(&[]).unwrap();
        let refused = none.pairs(&right, &on(&[("a", "a")]), true).unwrap_err();
        assert!(matches!(refused, Unpaired::Twice(0, 3)), "{refused:?}");
    }

    #[test]
    fn several_partners_are_in_the_order_of_the_right_table() {
        let left = frame(vec![(
            "a",
            ColumnData::Bool(vec![Some(true), Some(false), Some(true)]),
        )]);
        let right = ColumnData::Bool(vec![Some(true), None, Some(true)]);
        let right = frame(vec![("a", right)]);
        let pairs = left.pairs(&right, &on(&[("a", "a")]), false).unwrap();
        assert_eq!(pairs.left, [0, 0, 1, 2, 2]);
        assert_eq!(pairs.right, [Some(0), Some(2), None, Some(0), Some(2)]);
    }
}
