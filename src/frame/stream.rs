//! A parquet file that is written while its rows come: files of a group of rows each, one behind the other under one footer.

use std::io::{self, Cursor, Write};

use polars_parquet_format::FileMetaData;

use super::one_group::{Groups, MARK, damaged, moved, put_end};
use super::{Frame, FrameError};

/// A parquet file to which rows are added. The same tables give the same bytes.
pub struct ParquetStream<W> {
    to: W,
    /// How much is written, in bytes.
    written: usize,
    /// What is said of it.
    footer: FileMetaData,
}

impl<W: Write> ParquetStream<W> {
    /// Begins a file of tables with the columns of `first`, none of whose rows is written yet.
    ///
    /// # Errors
    /// When polars cannot encode such a table, or the file cannot be written to.
    pub fn begin(mut to: W, first: &Frame) -> Result<Self, FrameError> {
        let file = first.emptied().to_parquet()?;
        let Groups(mut footer) = Groups::of(Cursor::new(&file))?;
        footer.row_groups.clear();
        to.write_all(MARK).map_err(|error| failed(&error))?;
        Ok(Self {
            to,
            written: MARK.len(),
            footer,
        })
    }

    /// Adds rows, packed as [`Frame::to_parquet`] packs them.
    ///
    /// # Errors
    /// When the columns are not those of the first table, or the rows cannot be written.
    pub fn push(&mut self, frame: &Frame) -> Result<(), FrameError> {
        self.append(&frame.to_parquet()?)
    }

    /// Adds the rows of a parquet file of ours.
    ///
    /// # Errors
    /// When the columns are not those of the first table, or the rows cannot be written.
    pub fn append(&mut self, file: &[u8]) -> Result<(), FrameError> {
        let groups = Groups::of(Cursor::new(file))?;
        let end = groups.end_of_pages()?;
        let Groups(said) = groups;
        if said.schema != self.footer.schema {
            return Err(damaged("its parts have different columns"));
        }
        self.to
            .write_all(&file[MARK.len()..end])
            .map_err(|error| failed(&error))?;
        for mut group in said.row_groups {
            if group.num_rows == 0 {
                continue;
            }
            let by = (self.written - MARK.len()).cast_signed() as i64;
            group
                .columns
                .iter_mut()
                .for_each(|column| moved(column, by));
            group.file_offset = group.file_offset.map(|place| place + by);
            group.ordinal = i16::try_from(self.footer.row_groups.len()).ok();
            self.footer.num_rows += group.num_rows;
            self.footer.row_groups.push(group);
        }
        self.written += end - MARK.len();
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When the end cannot be written.
    pub fn end(mut self) -> Result<(), FrameError> {
        let mut end = Vec::new();
        put_end(&self.footer, &mut end)?;
        self.to.write_all(&end).map_err(|error| failed(&error))?;
        self.to.flush().map_err(|error| failed(&error))
    }
}

fn failed(error: &io::Error) -> FrameError {
    FrameError::Write(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::ColumnData;

    fn part(from: i64, absent: bool) -> Frame {
        let texts = (from..from + 3).map(|n| (!absent).then(|| format!("text {n} ").repeat(40)));
        Frame::new(vec![
            (
                "n".to_owned(),
                ColumnData::Int((from..from + 3).map(Some).collect()),
            ),
            ("text".to_owned(), ColumnData::Text(texts.collect())),
        ])
        .unwrap()
    }

    fn stream(parts: &[Frame], pack: impl Fn(&Frame) -> Vec<u8>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut stream = ParquetStream::begin(&mut bytes, &parts[0]).unwrap();
        for part in parts {
            stream.append(&pack(part)).unwrap();
        }
        stream.end().unwrap();
        bytes
    }

    #[test]
    fn parts_that_are_put_together_are_one_table_however_they_are_packed() {
        let parts = [part(0, false), part(3, true), part(6, false)];
        let whole = Frame::joined(&parts).unwrap().to_jsonl().unwrap();
        let small = stream(&parts, |part| part.to_parquet().unwrap());
        let quick = stream(&parts, |part| part.to_parquet_quickly().unwrap());
        assert_ne!(small, quick);
        for file in [small, quick] {
            let read = Frame::from_parquet(file, None).unwrap();
            assert_eq!(read.to_jsonl().unwrap(), whole);
        }
    }

    #[test]
    fn a_table_without_rows_has_its_columns() {
        let none = [part(0, false).emptied()];
        let read = Frame::from_parquet(stream(&none, |part| part.to_parquet().unwrap()), None);
        let read = read.unwrap();
        assert_eq!((read.names(), read.rows()), (vec!["n", "text"], 0));
    }

    #[test]
    fn other_columns_are_refused() {
        let mut bytes = Vec::new();
        let mut stream = ParquetStream::begin(&mut bytes, &part(0, false)).unwrap();
        let other = part(0, false).without(&["n"]);
        assert!(stream.push(&other).is_err());
    }
}
