//! Long tables, part by part: a file whose groups of rows are read one at a time, and parts that are made to fit together.

use std::collections::BTreeSet;
use std::io::{Read, Seek};
use std::ops::Range;
use std::sync::Mutex;

use polars::prelude::{BinaryChunked, DataType, IntoSeries, StringChunked};
use polars_parquet_format::CompressionCodec;

use super::guard::guarded;
use super::one_group::Groups;
use super::{ColumnData, Frame, FrameError, Packed};
use crate::base::lock::lock;

/// Rows are few if they are one of so many.
const FEW: usize = 16;

/// A parquet file of ours of which a part is in memory at a time.
pub struct Parted<F> {
    file: Mutex<F>,
    groups: Groups,
    rows: Vec<usize>,
}

impl<F: Read + Seek> Parted<F> {
    /// Looks at a file's parts, and reads none.
    ///
    /// # Errors
    /// When it is not a parquet file or damaged.
    pub fn open(mut file: F) -> Result<Self, FrameError> {
        let groups = guarded(|| Groups::of(&mut file))?;
        Ok(Self {
            file: Mutex::new(file),
            rows: groups.rows()?,
            groups,
        })
    }

    /// The same for a file that has several parts; nothing, if it is another one.
    pub fn in_several(file: F) -> Option<Self> {
        Self::open(file).ok().filter(|parts| parts.rows.len() > 1)
    }

    /// How many rows each part has.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Whether all of it is packed as [`Frame::to_parquet`] packs tables.
    pub(super) fn are_packed_small(&self) -> bool {
        self.groups.are_packed(CompressionCodec::ZSTD)
    }

    /// A part, by its place.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn part(&self, at: usize) -> Result<Frame, FrameError> {
        Frame::from_parquet(self.alone(at)?, None)
    }

    /// A part with its pages as they stand there.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn packed(&self, at: usize) -> Result<(Frame, Packed), FrameError> {
        let alone = self.alone(at)?;
        let frame = Frame::from_parquet(&alone, None)?;
        Ok((frame.clone(), Packed::new(frame, alone)))
    }

    /// Some rows of a part, with nothing else in memory; few of them are read without many others.
    ///
    /// # Errors
    /// When the file cannot be read, or a row is past the end of the part.
    pub fn some_rows(&self, at: usize, rows: &[usize]) -> Result<Frame, FrameError> {
        let alone = self.alone(at)?;
        let all = self.rows.get(at).copied().unwrap_or(0);
        if rows.is_empty() || rows.len() >= all / FEW || rows.iter().any(|&row| row >= all) {
            let part = Frame::from_parquet(&alone, None)?;
            return part.take(rows)?.compact();
        }
        let one =
            |&row: &usize| Frame::rows_of_parquet(&alone, None, Some(row..row + 1))?.compact();
        Frame::joined(&rows.iter().map(one).collect::<Result<Vec<_>, _>>()?)
    }

    /// The bytes of a file that holds a part.
    fn alone(&self, at: usize) -> Result<Vec<u8>, FrameError> {
        guarded(|| self.groups.alone(&mut *lock(&self.file), at, |_| true))
    }

    /// Some columns of a part, by its place: those of them that there are.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn narrow_part(&self, at: usize, columns: &[&str]) -> Result<Frame, FrameError> {
        let wanted = |name: &str| columns.contains(&name);
        let alone = guarded(|| self.groups.alone(&mut *lock(&self.file), at, wanted))?;
        Frame::from_parquet(alone, Some(columns))
    }

    /// Some columns of all parts, those of them that there are.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn narrow(&self, columns: &BTreeSet<&str>) -> Result<Frame, FrameError> {
        let narrow = guarded(|| {
            let wanted = |name: &str| columns.contains(name);
            self.groups.narrow(&mut *lock(&self.file), wanted)
        })?;
        let columns: Vec<&str> = columns.iter().copied().collect();
        Frame::from_parquet(narrow, Some(&columns))
    }

    /// The same, with `hollow` columns beside them of which only matters which cells are absent: one that has a value
    /// everywhere is not read, and holds empty texts instead.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn hollow(
        &self,
        columns: &BTreeSet<&str>,
        hollow: &BTreeSet<&str>,
    ) -> Result<Frame, FrameError> {
        let full = |name: &&str| !columns.contains(name) && self.groups.is_full(name);
        let (full, read): (Vec<&str>, Vec<&str>) = hollow.iter().copied().partition(full);
        let frame = self.narrow(&columns.iter().copied().chain(read).collect())?;
        let rows = self.rows.iter().sum();
        let empty = || ColumnData::Text(vec![Some(String::new()); rows]);
        full.into_iter().try_fold(frame, |frame, name| {
            if frame.names().is_empty() {
                Frame::new(vec![(name.to_owned(), empty())])
            } else {
                frame.with_column(name, empty())
            }
        })
    }
}

/// Whether cells hold on to much that is not theirs: of each piece the bytes that it holds, and its own.
fn hold_more(each: impl Iterator<Item = (usize, usize)>) -> bool {
    let (held, own) = each.fold((0, 0), |(held, own), some| (held + some.0, own + some.1));
    held > own + own / 4
}

impl Frame {
    /// About how many bytes it takes in memory.
    pub fn bytes(&self) -> usize {
        self.0.estimated_size()
    }

    /// Whether another table has the same columns of the same types in the same order.
    pub fn fits(&self, other: &Self) -> bool {
        self.0.schema() == other.0.schema()
    }

    /// The rows of parts of one table.
    ///
    /// # Errors
    /// As [`Frame::stack`], for parts that do not fit.
    pub fn joined(parts: &[Self]) -> Result<Self, FrameError> {
        let Some((first, rest)) = parts.split_first() else {
            return Self::stack(parts);
        };
        if !rest.iter().all(|part| part.fits(first)) {
            return Self::stack(parts);
        }
        let mut joined = first.0.clone();
        for part in rest {
            joined.vstack_mut(&part.0)?;
        }
        joined.rechunk_mut();
        Ok(Self(joined))
    }

    /// The same rows with little else in memory: few rows that were taken of many hold on to the texts of all.
    ///
    /// # Errors
    /// Never for tables of ours.
    pub fn compact(mut self) -> Result<Self, FrameError> {
        for at in 0..self.0.width() {
            let column = &self.0.columns()[at];
            let copied = match column.dtype() {
                DataType::String => {
                    let texts = column.str()?;
                    let each = texts.downcast_iter();
                    if !hold_more(
                        each.map(|some| (some.total_buffer_len(), some.total_bytes_len())),
                    ) {
                        continue;
                    }
                    texts.iter().collect::<StringChunked>().into_series()
                }
                DataType::Binary => {
                    let cells = column.binary()?;
                    let each = cells.downcast_iter();
                    if !hold_more(
                        each.map(|some| (some.total_buffer_len(), some.total_bytes_len())),
                    ) {
                        continue;
                    }
                    cells.iter().collect::<BinaryChunked>().into_series()
                }
                _ => continue,
            };
            let copied = copied.with_name(column.name().clone());
            self.0.with_column(copied.into())?;
        }
        Ok(self)
    }

    /// Rows that stand one after the other, which takes no memory.
    #[must_use]
    pub fn slice(&self, rows: Range<usize>) -> Self {
        let start = i64::try_from(rows.start).unwrap_or(i64::MAX);
        Self(self.0.slice(start, rows.len()))
    }

    /// The same columns without a row.
    #[must_use]
    pub fn emptied(&self) -> Self {
        Self(self.0.clear())
    }
}

/// A part with the columns of `like`, in that order: those that it lacks are absent in all of its rows.
///
/// # Errors
/// When it has other columns, or one of them holds what that of `like` cannot.
pub fn aligned(part: &Frame, like: &Frame) -> Result<Frame, FrameError> {
    let mut aligned = Frame::stack(&[like.emptied(), part.clone()])?;
    aligned = aligned.select(
        &like
            .names()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>(),
    )?;
    if aligned.fits(like) {
        Ok(aligned)
    } else {
        Err(FrameError::Damaged(
            "its parts have different columns".to_owned(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::frame::ParquetStream;

    #[test]
    fn few_rows_of_many_hold_on_to_no_other_texts_once_they_are_compact() {
        let text = |row: usize| format!("text {row} ").repeat(900);
        let texts = ColumnData::text((0..100).map(text));
        let all = Frame::new(vec![("text".to_owned(), texts)]).unwrap();
        let held = |frame: &Frame| -> usize {
            let texts = frame.0.column("text").unwrap().str().unwrap();
            let each = texts.downcast_iter();
            each.fold(0, |bytes, some| bytes + some.total_buffer_len())
        };
        let few = all.take(&[3, 5]).unwrap();
        assert_eq!(held(&few), held(&all));
        let compact = few.clone().compact().unwrap();
        assert!(compact.0.equals_missing(&few.0));
        assert_eq!(held(&compact), text(3).len() + text(5).len());
        // What has little else is left as it is.
        let most: Vec<usize> = (0..90).collect();
        let most = all.take(&most).unwrap();
        assert_eq!(held(&most.clone().compact().unwrap()), held(&most));
    }

    #[test]
    fn some_rows_of_a_part_are_those_rows_however_many_they_are() {
        let rows = 0..100_usize;
        let cell = |row: usize| (row > 0).then(|| format!("text {row} ").repeat(900));
        let part = Frame::new(vec![
            (
                "n".to_owned(),
                ColumnData::Int((0..100).map(Some).collect()),
            ),
            (
                "word".to_owned(),
                ColumnData::text(rows.clone().map(|row| ["a", "b"][row % 2])),
            ),
            (
                "text".to_owned(),
                ColumnData::Text(rows.map(cell).collect()),
            ),
        ])
        .unwrap();
        let mut bytes = Vec::new();
        let mut stream = ParquetStream::begin(&mut bytes, &part).unwrap();
        for _ in 0..2 {
            stream.append(&part.to_parquet_quickly().unwrap()).unwrap();
        }
        stream.end().unwrap();
        let parts = Parted::open(Cursor::new(&bytes)).unwrap();
        let many: Vec<usize> = (0..100).step_by(2).collect();
        for wanted in [&[][..], &[0], &[99], &[7, 8, 98], &many] {
            let found = parts.some_rows(1, wanted).unwrap();
            let taken = part.take(wanted).unwrap();
            assert!(found.fits(&taken), "{wanted:?}");
            assert_eq!(found.to_jsonl().unwrap(), taken.to_jsonl().unwrap());
        }
        assert!(parts.some_rows(1, &[100]).is_err());
        assert!(parts.some_rows(2, &[0]).is_err());
    }

    #[test]
    fn a_hollow_column_says_which_cells_are_absent_and_is_read_only_where_some_are() {
        let part = |text: Option<&str>| {
            let texts = |first: Option<&str>| {
                ColumnData::Text(vec![first.map(str::to_owned), Some("b".to_owned())])
            };
            Frame::new(vec![
                ("doc_id".to_owned(), ColumnData::text(["x", "y"])),
                ("full".to_owned(), texts(Some("a"))),
                ("gaps".to_owned(), texts(text)),
            ])
            .unwrap()
        };
        let mut bytes = Vec::new();
        let mut stream = ParquetStream::begin(&mut bytes, &part(Some("a"))).unwrap();
        // The gap is in the second part alone.
        stream.push(&part(Some("a"))).unwrap();
        stream.push(&part(None)).unwrap();
        stream.end().unwrap();
        let parts = Parted::open(Cursor::new(&bytes)).unwrap();
        let cells = |frame: &Frame, name: &str| -> Vec<Option<String>> {
            let column = frame.column(name).unwrap();
            let cell = |row| column.text(row).map(std::borrow::Cow::into_owned);
            (0..frame.rows()).map(cell).collect()
        };
        let some = |texts: [&str; 4]| texts.map(|text| Some(text.to_owned())).to_vec();
        let hollow = BTreeSet::from(["full", "gaps", "none"]);
        let frame = parts.hollow(&BTreeSet::from(["doc_id"]), &hollow).unwrap();
        assert_eq!(cells(&frame, "doc_id"), some(["x", "y", "x", "y"]));
        assert_eq!(cells(&frame, "full"), some([""; 4]));
        let mut gaps = some(["a", "b", "", "b"]);
        gaps[2] = None;
        assert_eq!(cells(&frame, "gaps"), gaps);
        assert!(!frame.has("none"));
        let alone = parts
            .hollow(&BTreeSet::new(), &BTreeSet::from(["full"]))
            .unwrap();
        assert_eq!(cells(&alone, "full"), some([""; 4]));
    }
}
