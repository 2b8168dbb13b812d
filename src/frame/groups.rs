//! Which rows of a table have the same values in some columns.

use polars::frame::DataFrame;
use polars::prelude::{Column, Float64Chunked, GroupsIndicator, IdxSize, IntoColumn};

use super::{Frame, FrameError};

/// Rows in groups, in order of first appearance; the rows of a group are in their own order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    /// Where the rows of each group begin, and where the last ones end.
    starts: Vec<usize>,
    rows: Vec<IdxSize>,
}

impl Groups {
    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows of a group.
    pub fn rows(&self, group: usize) -> impl ExactSizeIterator<Item = usize> + Clone {
        let rows = &self.rows[self.starts[group]..self.starts[group + 1]];
        rows.iter().map(|&row| row as usize)
    }

    /// The first row of each group that has any.
    pub fn firsts(&self) -> Vec<usize> {
        (0..self.len())
            .filter_map(|group| self.rows(group).next())
            .collect()
    }

    /// Puts the rows of each group into another order; `sort` gets the rows of one group.
    pub fn sort(&mut self, sort: impl Fn(&mut [IdxSize])) {
        for group in 0..self.len() {
            sort(&mut self.rows[self.starts[group]..self.starts[group + 1]]);
        }
    }

    /// The same groups, and so many more without rows behind them.
    pub fn and_empty(&mut self, more: usize) {
        let end = self.rows.len();
        self.starts.extend(std::iter::repeat_n(end, more));
    }
}

impl Frame {
    /// The rows that have the same values in these columns; absent values are the same. Without columns all rows are one
    /// group, also where there are none.
    ///
    /// # Errors
    /// When a column is not there.
    pub fn groups(&self, by: &[String]) -> Result<Groups, FrameError> {
        for name in by {
            self.column(name)?;
        }
        if by.is_empty() {
            let rows = IdxSize::try_from(self.rows()).map_err(|_| FrameError::TooManyRows)?;
            return Ok(Groups {
                starts: vec![0, self.rows()],
                rows: (0..rows).collect(),
            });
        }
        let keys = by.iter().map(|name| finite(self.0.column(name)?));
        let keys = DataFrame::new(self.rows(), keys.collect::<Result<_, _>>()?)?;
        let found = keys
            .group_by_stable(by.iter().map(String::as_str))?
            .into_groups();
        let mut groups = Groups {
            starts: Vec::with_capacity(found.len() + 1),
            rows: Vec::with_capacity(self.rows()),
        };
        groups.starts.push(0);
        for group in found.iter() {
            match group {
                GroupsIndicator::Idx((_, rows)) => groups.rows.extend(rows.iter()),
                GroupsIndicator::Slice([start, len]) => groups.rows.extend(start..start + len),
            }
            groups.starts.push(groups.rows.len());
        }
        Ok(groups)
    }
}

/// A column in which numbers that are not finite are absent, as they are to all who read it.
fn finite(column: &Column) -> Result<Column, FrameError> {
    if !column.dtype().is_float() {
        return Ok(column.clone());
    }
    let wide = column.cast(&polars::prelude::DataType::Float64)?;
    let cells = wide.f64()?.iter();
    // Negative zero is zero.
    let cells = cells.map(|cell| cell.filter(|cell| cell.is_finite()).map(|cell| cell + 0.0));
    let cells: Float64Chunked = cells.collect();
    Ok(cells.into_column().with_name(column.name().clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::ColumnData;

    fn groups(columns: Vec<(&str, ColumnData)>) -> Vec<Vec<usize>> {
        let names: Vec<String> = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        let columns = columns
            .into_iter()
            .map(|(name, data)| (name.to_owned(), data));
        let groups = Frame::new(columns.collect())
            .unwrap()
            .groups(&names)
            .unwrap();
        (0..groups.len())
            .map(|group| groups.rows(group).collect())
            .collect()
    }

    fn text(values: &[Option<&str>]) -> ColumnData {
        ColumnData::Text(
            values
                .iter()
                .map(|value| value.map(str::to_owned))
                .collect(),
        )
    }

    #[test]
    fn groups_come_in_order_of_first_appearance_and_absent_values_are_one() {
        let one = text(&[Some("b"), None, Some("a"), Some("b"), None]);
        let other = ColumnData::Int(vec![Some(1), None, Some(1), Some(1), None]);
        assert_eq!(
            groups(vec![("one", one.clone()), ("other", other.clone())]),
            [vec![0, 3], vec![1, 4], vec![2]]
        );
        assert_eq!(
            groups(vec![("one", one)]),
            [vec![0, 3], vec![1, 4], vec![2]]
        );
        assert_eq!(groups(vec![("other", other)]), [vec![0, 2, 3], vec![1, 4]]);
    }

    #[test]
    fn an_absent_value_is_not_an_empty_text_and_zero_has_no_sign() {
        assert_eq!(
            groups(vec![("one", text(&[Some(""), None, Some("")]))]),
            [vec![0, 2], vec![1]]
        );
        let zeros = ColumnData::Float(vec![Some(0.0), Some(-0.0), None]);
        assert_eq!(groups(vec![("one", zeros)]), [vec![0, 1], vec![2]]);
    }

    #[test]
    fn without_columns_all_rows_are_one_group() {
        let frame = Frame::new(vec![("a".to_owned(), text(&[]))]).unwrap();
        assert_eq!(frame.groups(&[]).unwrap().len(), 1);
        assert_eq!(frame.groups(&["a".to_owned()]).unwrap().len(), 0);
        assert!(frame.groups(&["b".to_owned()]).is_err());
    }
}
