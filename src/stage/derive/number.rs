//! Numbering rows: 1, 2, … within a group, in their order, in that of a column, or drawn.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::base::draw::{Draw, Source};
use crate::base::failure::Failure;
use crate::frame::{ColumnData, Frame, Scalar};
use crate::stage::StageName;
use crate::stage::keys::no_key;
use crate::stage::{Reasons, passed_on, sortable, why_absent};

/// How rows are numbered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Number {
    /// The columns whose values are the same within a group.
    pub within: Vec<String>,
    /// The column in whose order they are numbered.
    pub by: Option<String>,
    /// Largest first.
    pub largest: bool,
    /// In an order that is drawn.
    pub draw: bool,
}

impl Number {
    /// The table with the column `name`.
    ///
    /// # Errors
    /// A column that is not there, or one of lists that is to be a key.
    pub(super) fn add(
        &self,
        frame: Frame,
        name: &str,
        stage: &StageName,
        seed: u64,
    ) -> Result<Frame, Failure> {
        let mut numbers: Vec<Option<i64>> = vec![None; frame.rows()];
        let mut reasons = Reasons::default();
        no_key(&frame, &self.within)?;
        let groups = frame.groups(&self.within)?;
        let place = self.places(&frame, name, stage, seed)?;
        for group in 0..groups.len() {
            let mut rows: Vec<usize> = groups.rows(group).collect();
            rows.retain(|&row| place.has(row));
            rows.sort_by(|&one, &other| place.order(one, other, self.largest));
            for (number, row) in (1..).zip(rows) {
                numbers[row] = Some(number);
            }
        }
        for (row, number) in numbers.iter().enumerate() {
            let by = self.by.as_ref().filter(|_| number.is_none());
            reasons.push(by.map(|by| {
                let why = why_absent(&frame, by, row);
                passed_on(by, why.as_deref().unwrap_or("no value"))
            }));
        }
        let frame = frame.with_column(name, ColumnData::Int(numbers))?;
        reasons.add(frame, name)
    }

    /// What rows are numbered by.
    fn places(
        &self,
        frame: &Frame,
        name: &str,
        stage: &StageName,
        seed: u64,
    ) -> Result<Places, Failure> {
        if self.draw {
            let ids = frame.column("doc_id")?;
            let source = Source::new(seed, &[&stage.to_string(), name]);
            let mut draws: BTreeMap<String, Draw> = BTreeMap::new();
            let drawn = (0..frame.rows()).map(|row| {
                let id = ids.text(row).unwrap_or_default().into_owned();
                let draw = draws.entry(id).or_insert_with_key(|id| source.draw(&[id]));
                draw.bits()
            });
            return Ok(Places::Drawn(drawn.collect()));
        }
        Ok(match &self.by {
            Some(by) => {
                let column = frame.column(by)?;
                sortable(&column, by)?;
                Places::By(column.scalars())
            }
            None => Places::OfRows,
        })
    }
}

/// What rows are numbered by.
enum Places {
    OfRows,
    Drawn(Vec<u64>),
    By(Vec<Scalar>),
}

impl Places {
    fn has(&self, row: usize) -> bool {
        match self {
            Self::By(cells) => !cells[row].is_null(),
            _ => true,
        }
    }

    /// Which of two rows is first; where neither is, they stay as they are.
    fn order(&self, one: usize, other: usize, largest: bool) -> Ordering {
        match self {
            Self::OfRows => Ordering::Equal,
            Self::Drawn(drawn) => drawn[one].cmp(&drawn[other]),
            Self::By(cells) => {
                let order = cells[one].order(&cells[other]);
                if largest { order.reverse() } else { order }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::Kind;

    fn errors() -> Frame {
        Frame::new(vec![
            (
                "doc_id".to_owned(),
                ColumnData::text(["a", "b", "a", "b", "a"]),
            ),
            (
                "severity".to_owned(),
                ColumnData::Int(vec![Some(2), Some(5), Some(4), None, Some(4)]),
            ),
        ])
        .unwrap()
    }

    fn numbers(number: &Number, frame: Frame, seed: u64) -> Vec<Option<i64>> {
        let stage = StageName::new(Kind::Derive, "some");
        let frame = number.add(frame, "at", &stage, seed).unwrap();
        let at = frame.column("at").unwrap();
        let cells = at.scalars().into_iter().map(|cell| match cell {
            Scalar::Int(number) => Some(number),
            _ => None,
        });
        cells.collect()
    }

    #[test]
    fn rows_are_numbered_within_their_group_in_the_order_of_a_column() {
        let mut number = Number {
            within: vec!["doc_id".to_owned()],
            by: Some("severity".to_owned()),
            ..Number::default()
        };
        let some = |numbers: [i64; 5]| numbers.map(|n| Some(n).filter(|&n| n > 0)).to_vec();
        assert_eq!(numbers(&number, errors(), 0), some([1, 1, 2, 0, 3]));
        number.largest = true;
        assert_eq!(numbers(&number, errors(), 0), some([3, 1, 1, 0, 2]));
        number.by = None;
        assert_eq!(numbers(&number, errors(), 0), some([1, 1, 2, 2, 3]));
        number.within.clear();
        assert_eq!(numbers(&number, errors(), 0), some([1, 2, 3, 4, 5]));
    }

    #[test]
    fn a_row_without_a_place_has_no_number_and_says_why() {
        let number = Number {
            by: Some("severity".to_owned()),
            ..Number::default()
        };
        let stage = StageName::new(Kind::Derive, "some");
        let frame = number.add(errors(), "at", &stage, 0).unwrap();
        let why = frame.column("no_at").unwrap();
        assert_eq!(why.text(3).as_deref(), Some("no `severity`: no value"));
        assert_eq!(why.text(0), None);
    }

    #[test]
    fn drawn_numbers_depend_on_the_seed_and_the_document_alone() {
        let number = Number {
            within: vec!["doc_id".to_owned()],
            draw: true,
            ..Number::default()
        };
        let rows = |of: &[usize]| errors().take(of).unwrap();
        let all = numbers(&number, errors(), 7);
        let of_a = numbers(&number, rows(&[0, 2, 4]), 7);
        assert_eq!([all[0], all[2], all[4]], of_a[..]);
        let seeds: std::collections::BTreeSet<_> = (0..20)
            .map(|seed| numbers(&number, errors(), seed))
            .collect();
        assert!(seeds.len() > 1);
    }
}
