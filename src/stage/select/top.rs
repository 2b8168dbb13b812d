//! `top`: the first rows in the order of a column, of all rows or of each group.

use indexmap::IndexMap;
use serde::Serialize;

use super::lengths::without;
use crate::base::failure::Failure;
use crate::base::wording::{count, some_of};
use crate::frame::{ColumnView, Frame, FrameError};
use crate::stage::keys::no_key;
use crate::stats::short;

/// The first rows in the order of a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Top {
    /// The column with numbers.
    pub by: String,
    /// How many rows.
    pub n: usize,
    /// Smallest instead of largest first.
    pub smallest: bool,
    /// The columns that group the rows: so many of each group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<String>,
}

/// A row with its value.
type Valued = (f64, usize);

impl Top {
    /// The first of `rows`, in the order of the table. Those without a value cannot be among them, and a warning
    /// counts them. Absent values of `within` are a group of their own.
    ///
    /// # Errors
    /// A missing column, one of text where numbers are needed, or one of lists in `within`.
    pub(super) fn first(
        &self,
        input: &Frame,
        rows: Vec<usize>,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<usize>, Failure> {
        let column = input.column(&self.by)?;
        no_key(input, &self.within)?;
        let within = self.within.iter().map(|name| input.column(name));
        let within = within.collect::<Result<Vec<ColumnView<'_>>, FrameError>>()?;
        let (all, mut absent) = (rows.len(), 0);
        let mut groups: IndexMap<Vec<Option<String>>, Vec<Valued>> = IndexMap::new();
        for row in rows {
            let key = within.iter().map(|column| owned(column, row)).collect();
            // A group without any value is one of fewer rows than asked for.
            let group = groups.entry(key).or_default();
            match column.number(row)? {
                Some(value) => group.push((value, row)),
                None => absent += 1,
            }
        }
        warnings.extend((absent > 0).then(|| self.absent(absent, all)));
        for group in groups.values_mut() {
            group.sort_by(|a, b| {
                let order = a.0.total_cmp(&b.0);
                let order = if self.smallest {
                    order
                } else {
                    order.reverse()
                };
                order.then(a.1.cmp(&b.1))
            });
        }
        warnings.extend(self.told(&groups));
        let first = groups.values().flat_map(|group| group.iter().take(self.n));
        let mut kept: Vec<usize> = first.map(|(_, row)| *row).collect();
        kept.sort_unstable();
        Ok(kept)
    }

    /// That some rows have no value.
    fn absent(&self, absent: usize, all: usize) -> String {
        let said = without(absent, all, &self.by);
        format!("{said} and cannot be among the first")
    }

    /// Where the boundary lies among equal values, and which groups are too small.
    fn told(&self, groups: &IndexMap<Vec<Option<String>>, Vec<Valued>>) -> Vec<String> {
        let ties = groups.iter().filter_map(|(key, rows)| {
            let tie = self.tie(rows)?;
            Some((self.name(key), tie))
        });
        let ties: Vec<(String, String)> = ties.collect();
        let mut told = Vec::new();
        match ties.as_slice() {
            [] => {}
            [(_, tie)] if self.within.is_empty() => told.push(tie.clone()),
            [(group, tie)] => told.push(format!("of `{group}` {tie}")),
            [(group, tie), ..] => told.push(format!(
                "in {} of {} equal values are on both sides of the boundary, and those that come first are kept; of `{group}` {tie}",
                ties.len(),
                count(groups.len(), "group")
            )),
        }
        if !self.within.is_empty() {
            let small = groups.iter().filter(|(_, rows)| rows.len() < self.n);
            let small: Vec<String> = small.map(|(key, _)| self.name(key)).collect();
            if !small.is_empty() {
                told.push(format!(
                    "{} of {} fewer rows with a value than the {} asked for: {}",
                    small.len(),
                    match groups.len() {
                        1 => "1 group has".to_owned(),
                        n => format!("{n} groups have"),
                    },
                    self.n,
                    some_of(&small)
                ));
            }
        }
        told
    }

    /// A group, by the values of its columns.
    fn name(&self, key: &[Option<String>]) -> String {
        let values = self.within.iter().zip(key);
        let values = values.map(|(name, value)| match value {
            Some(value) => format!("{name}={value}"),
            None => format!("no {name}"),
        });
        values.collect::<Vec<_>>().join(", ")
    }

    /// That rows with the same value are on both sides of the boundary, if so.
    fn tie(&self, sorted: &[Valued]) -> Option<String> {
        let last = sorted.get(self.n.checked_sub(1)?)?.0;
        let next = sorted.get(self.n)?.0;
        if last.total_cmp(&next).is_ne() {
            return None;
        }
        let same = |rows: &[Valued]| {
            let equal = rows
                .iter()
                .filter(|(value, _)| value.total_cmp(&last).is_eq());
            equal.count()
        };
        Some(format!(
            "{} of {} with `{}` = {} are among the first {}, those that come first",
            same(&sorted[..self.n]),
            count(same(sorted), "row"),
            self.by,
            short(last),
            self.n
        ))
    }
}

/// The text of a cell.
fn owned(column: &ColumnView<'_>, row: usize) -> Option<String> {
    column.text(row).map(std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::ColumnData;

    fn scores() -> Frame {
        let text = |values: [Option<&str>; 7]| {
            ColumnData::Text(values.map(|value| value.map(str::to_owned)).to_vec())
        };
        Frame::new(vec![
            (
                "doc_id".to_owned(),
                text([
                    Some("b"),
                    Some("a"),
                    Some("b"),
                    None,
                    Some("a"),
                    Some("b"),
                    Some("c"),
                ]),
            ),
            (
                "score".to_owned(),
                ColumnData::Float(vec![
                    Some(1.0),
                    Some(2.0),
                    Some(3.0),
                    Some(1.0),
                    None,
                    Some(3.0),
                    None,
                ]),
            ),
        ])
        .unwrap()
    }

    fn kept(top: &Top) -> (Vec<usize>, Vec<String>) {
        let mut warnings = Vec::new();
        let scores = scores();
        let rows = top.first(&scores, (0..scores.rows()).collect(), &mut warnings);
        (rows.unwrap(), warnings)
    }

    fn of_each(n: usize) -> Top {
        Top {
            by: "score".to_owned(),
            n,
            smallest: false,
            within: vec!["doc_id".to_owned()],
        }
    }

    #[test]
    fn the_first_of_every_group_come_in_the_order_of_the_table() {
        let (rows, warnings) = kept(&of_each(2));
        assert_eq!(rows, [1, 2, 3, 5]);
        assert_eq!(
            warnings,
            [
                "2 of 7 rows have no value in `score` and cannot be among the first",
                "3 of 4 groups have fewer rows with a value than the 2 asked for: `doc_id=a`, `no doc_id` and `doc_id=c`"
            ]
        );
    }

    #[test]
    fn ties_are_told_of_the_group_that_has_them() {
        let (rows, warnings) = kept(&of_each(1));
        assert_eq!(rows, [1, 2, 3]);
        assert_eq!(
            warnings[1],
            "of `doc_id=b` 1 of 2 rows with `score` = 3 are among the first 1, those that come first"
        );
        let smallest = Top {
            smallest: true,
            ..of_each(1)
        };
        let (rows, warnings) = kept(&smallest);
        assert_eq!(rows, [0, 1, 3]);
        assert_eq!(warnings.len(), 2, "{warnings:?}");
    }

    #[test]
    fn a_key_without_groups_is_what_it_was() {
        let top = Top {
            within: Vec::new(),
            ..of_each(1)
        };
        assert_eq!(
            serde_json::to_string(&top).unwrap(),
            r#"{"by":"score","n":1,"smallest":false}"#
        );
    }

    #[test]
    fn lists_are_no_key_of_groups() {
        let lists = ["[1]", "[1.0]"].map(|list| Some(list.to_owned()));
        let columns = vec![
            ("doc_id".to_owned(), ColumnData::Json(lists.to_vec())),
            ("score".to_owned(), ColumnData::Int(vec![Some(1), Some(2)])),
        ];
        let input = Frame::new(columns).unwrap();
        let failure = of_each(1).first(&input, vec![0, 1], &mut Vec::new());
        assert_eq!(
            failure.unwrap_err().message,
            "`doc_id` holds lists or objects, which are no key"
        );
    }
}
