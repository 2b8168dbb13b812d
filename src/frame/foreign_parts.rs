//! Parquet that other programs wrote, a group of rows at a time: a file need not fit into memory.
//!
//! Some groups are read as a file of their own, with all that is asked of such a file (`foreign`). Here is what has to hold of
//! all groups together. Whatever is unusual is left to the reading of the whole, which knows what to say of it.

use std::io::{Cursor, Read, Seek, SeekFrom};
use std::ops::Range;

use polars::prelude::DataType;
use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;

use super::guard::guarded;
use super::one_group::{Groups, damaged};
use super::parquet::end_of;
use super::rehearse::memory_for;
use super::{Frame, FrameError};

/// Groups that take fewer bytes in the file are read together: each reading starts a process.
const TOGETHER: u64 = 4 << 20;

/// Bytes that are read here and there.
pub trait Seekable: Read + Seek {}

impl<F: Read + Seek> Seekable for F {}

/// The groups of rows of a file, some at a time.
pub struct ForeignParts<'f> {
    file: &'f mut dyn Seekable,
    groups: Groups,
    /// Which groups are read together.
    parts: Vec<Range<usize>>,
    /// What all cells may take together, in bytes, as in the reading of the whole.
    left: u64,
}

impl<'f> ForeignParts<'f> {
    /// Looks at a file's groups, and reads none; nothing, where there are no several.
    ///
    /// # Errors
    /// When it is not a parquet file or damaged, or when two readers of its end do not see the same.
    pub fn open(file: &'f mut dyn Seekable) -> Result<Option<Self>, FrameError> {
        let length = file
            .seek(SeekFrom::End(0))
            .map_err(|error| FrameError::Damaged(error.to_string()))?;
        let groups = guarded(|| Groups::of(&mut *file))?;
        if groups.rows()?.len() < 2 {
            return Ok(None);
        }
        let lengths = guarded(|| agree(&groups, file, length))?;
        Ok(Some(Self {
            file,
            groups,
            parts: together(&lengths),
            left: memory_for(length),
        }))
    }

    /// How many parts there are.
    pub fn count(&self) -> usize {
        self.parts.len()
    }

    /// The rows of a part; with `columns`, only those that exist of them. Each is to be asked for once.
    ///
    /// # Errors
    /// As [`Frame::from_foreign_parquet`]; when all parts so far take too much; a column whose texts depend on what other
    /// parts hold.
    pub fn part(&mut self, at: usize, columns: Option<&[&str]>) -> Result<Frame, FrameError> {
        let wanted = |name: &str| columns.is_none_or(|columns| columns.contains(&name));
        let groups = self.parts.get(at).cloned().unwrap_or_default();
        let alone = guarded(|| self.groups.some(&mut *self.file, groups, wanted))?;
        let (part, bytes) = Frame::from_foreign(alone, columns)?;
        let left = self.left.checked_sub(bytes);
        self.left = left.ok_or_else(|| FrameError::TooLarge("too much memory".to_owned()))?;
        let counted =
            |dtype: &DataType| matches!(dtype, DataType::Categorical(..) | DataType::Enum(..));
        if part
            .0
            .columns()
            .iter()
            .any(|column| counted(column.dtype()))
        {
            return Err(damaged("its texts are counted"));
        }
        Ok(part)
    }
}

/// Which groups of these lengths are read together.
fn together(lengths: &[u64]) -> Vec<Range<usize>> {
    let (mut parts, mut start, mut bytes) = (Vec::new(), 0, 0_u64);
    for (at, length) in lengths.iter().enumerate() {
        bytes = bytes.saturating_add(*length);
        if bytes >= TOGETHER || at + 1 == lengths.len() {
            parts.push(start..at + 1);
            (start, bytes) = (at + 1, 0);
        }
    }
    parts
}

/// Sees that a file says of its groups what it says of itself, and that polars reads its end in the same way. How many bytes
/// the groups take.
fn agree(groups: &Groups, file: &mut dyn Seekable, length: u64) -> Result<Vec<u64>, FrameError> {
    let differ = || damaged("its counts do not agree");
    let rows = groups.rows()?;
    let all = rows.iter().try_fold(0_u32, |all, &rows| {
        all.checked_add(u32::try_from(rows).ok()?)
    });
    if all.is_none_or(|all| i64::from(all) != groups.0.num_rows) {
        return Err(differ());
    }
    let end = end_of(file)?;
    let mut reader = ParquetReader::new(Cursor::new(&end));
    let theirs = reader.get_metadata().map_err(|_| differ())?;
    let theirs = theirs.row_groups.iter().map(|group| {
        let columns = group.parquet_columns().iter();
        let places = columns.map(polars_parquet::read::ColumnChunkMetadata::byte_range);
        (group.num_rows(), places.collect::<Vec<_>>())
    });
    let places = groups.places().ok_or_else(differ)?;
    if !theirs.eq(rows.into_iter().zip(places.iter().cloned())) {
        return Err(differ());
    }
    // Also of columns that nobody wants, as where the whole is read.
    let is_there = |place: &Range<u64>| place.start < place.end && place.end <= length;
    if !places.iter().flatten().all(is_there) {
        return Err(differ());
    }
    let taken = |group: &Vec<Range<u64>>| {
        let lengths = group.iter().map(|place| place.end - place.start);
        lengths.fold(0, u64::saturating_add)
    };
    let taken: Vec<u64> = places.iter().map(taken).collect();
    // Groups that stand in one place would take many times its memory.
    if taken.iter().copied().fold(0, u64::saturating_add) > length {
        return Err(differ());
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{ColumnData, ParquetStream};

    fn rows(from: i64) -> Frame {
        let text = |n: i64| (n % 7 != 3).then(|| format!("text {n} ").repeat(60));
        let lists = (from..from + 5).map(|n| (n % 3 > 0).then(|| format!("[{n}]")));
        Frame::new(vec![
            (
                "doc_id".to_owned(),
                ColumnData::text((from..from + 5).map(|n| n.to_string())),
            ),
            (
                "text".to_owned(),
                ColumnData::Text((from..from + 5).map(text).collect()),
            ),
            (
                "n".to_owned(),
                ColumnData::Float((from..from + 5).map(|n| Some(n as f64 / 8.0)).collect()),
            ),
            ("list".to_owned(), ColumnData::Json(lists.collect())),
        ])
        .unwrap()
    }

    fn bytes(groups: i64) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut stream = ParquetStream::begin(&mut bytes, &rows(0)).unwrap();
        for group in 0..groups {
            stream.push(&rows(group * 5)).unwrap();
        }
        stream.end().unwrap();
        bytes
    }

    /// With so many groups in each part.
    fn read(file: &[u8], together: usize, columns: Option<&[&str]>) -> Result<Frame, FrameError> {
        let mut file = Cursor::new(file);
        let mut parts = ForeignParts::open(&mut file)?.expect("several groups");
        let count = parts.groups.0.row_groups.len();
        let starts = (0..count).step_by(together);
        parts.parts = starts.map(|at| at..count.min(at + together)).collect();
        let parts: Vec<Frame> = (0..parts.count())
            .map(|at| parts.part(at, columns))
            .collect::<Result<_, _>>()?;
        Frame::joined(&parts)
    }

    #[test]
    fn all_parts_are_what_the_file_is() {
        let all = bytes(6);
        for columns in [None, Some(&["doc_id", "n"][..]), Some(&["nothing", "list"])] {
            let whole = Frame::from_foreign_parquet(all.clone(), columns).unwrap();
            for together in [1, 2, 4, 9] {
                let read = read(&all, together, columns).unwrap();
                assert!(read.fits(&whole), "{columns:?}, {together}");
                assert_eq!(read.to_jsonl().unwrap(), whole.to_jsonl().unwrap());
            }
        }
        assert!(
            ForeignParts::open(&mut Cursor::new(bytes(1)))
                .unwrap()
                .is_none()
        );
    }

    #[test]
    fn small_groups_are_read_together_and_large_ones_alone() {
        assert_eq!(
            together(&[1, TOGETHER, 2, TOGETHER - 1, 5]),
            [0..2, 2..4, 4..5]
        );
        assert_eq!(together(&[TOGETHER; 3]), [0..1, 1..2, 2..3]);
        assert!(together(&[]).is_empty());
    }

    #[test]
    fn a_file_that_is_cut_is_damaged() {
        let all = bytes(3);
        for length in (0..all.len()).step_by(7) {
            assert!(
                ForeignParts::open(&mut Cursor::new(&all[..length])).is_err(),
                "{length}"
            );
        }
    }

    #[test]
    fn groups_that_stand_in_one_place_or_are_counted_otherwise_are_not_read_in_parts() {
        let all = bytes(3);
        let altered = |alter: &dyn Fn(&mut Groups)| {
            let mut groups = Groups::of(Cursor::new(&all)).unwrap();
            alter(&mut groups);
            let end = groups.end_of_pages().unwrap();
            let mut bytes = all[..end].to_vec();
            super::super::one_group::put_end(&groups.0, &mut bytes).unwrap();
            ForeignParts::open(&mut Cursor::new(bytes)).map(|parts| parts.is_some())
        };
        assert!(altered(&|_| {}).unwrap());
        assert!(altered(&|groups| groups.0.num_rows += 1).is_err());
        assert!(altered(&|groups| groups.0.row_groups[1].num_rows = -1).is_err());
        let nowhere = |groups: &mut Groups| {
            let column = &mut groups.0.row_groups[2].columns[2].meta_data;
            column.as_mut().unwrap().total_compressed_size = 0;
        };
        assert!(altered(&nowhere).is_err());
        let repeated = |groups: &mut Groups| {
            let one = groups.0.row_groups[0].clone();
            groups.0.row_groups = vec![one; 40];
            groups.0.num_rows = 200;
        };
        assert!(altered(&repeated).is_err());
    }
}
