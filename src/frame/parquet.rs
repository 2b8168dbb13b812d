//! Tables as parquet: the form in the cache, in reports, and of recorded outputs.

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;

use polars::error::PolarsError;
use polars::prelude::DataType;
use polars_io::SerReader;
use polars_io::parquet::read::{ParallelStrategy, ParquetReader};
use polars_io::parquet::write::{ParquetCompression, ParquetWriter, StatisticsOptions};
use polars_parquet::write::ZstdLevel;

use super::guard::guarded;
use super::one_group::{Groups, check_frame, damaged};
use super::{Frame, FrameError, depth};

/// How hard zstd tries. At level 3 articles take a tenth less room, and half as much time again to pack.
const LEVEL: i32 = 1;

/// The most rows of a group.
pub(super) const ROWS: usize = 1 << 20;

/// Least and greatest values are looked at by nobody, and of long texts they are long too.
pub(super) const STATISTICS: StatisticsOptions = StatisticsOptions {
    min_value: false,
    max_value: false,
    distinct_count: false,
    null_count: true,
    binary_statistics_truncate_length: None,
};

impl Frame {
    /// Writes the table as parquet in little room (zstd), for people. The same table gives the same bytes.
    ///
    /// # Errors
    /// When polars cannot encode it.
    pub fn to_parquet(&self) -> Result<Vec<u8>, FrameError> {
        let zstd = ZstdLevel::try_new(LEVEL)?;
        let mut frame = self.0.clone();
        // One chunk per column: the bytes must depend on the rows, not on how they were put together.
        frame.rechunk_mut();
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes)
            .with_compression(ParquetCompression::Zstd(Some(zstd)))
            .with_statistics(STATISTICS)
            .with_row_group_size(Some(ROWS))
            .finish(&mut frame)?;
        Ok(bytes)
    }

    /// Reads parquet bytes; with `columns`, only those that exist of them.
    ///
    /// # Errors
    /// When the bytes are not a parquet file or are damaged.
    pub fn from_parquet(
        bytes: impl AsRef<[u8]>,
        columns: Option<&[&str]>,
    ) -> Result<Self, FrameError> {
        Self::rows_of_parquet(bytes.as_ref(), columns, None)
    }

    /// The same, or some rows of it that stand one after the other, without unpacking many others.
    pub(super) fn rows_of_parquet(
        bytes: &[u8],
        columns: Option<&[&str]>,
        wanted: Option<Range<usize>>,
    ) -> Result<Self, FrameError> {
        check_frame(bytes)?;
        guarded(|| depth::check(bytes))?;
        let unread = |error: PolarsError| FrameError::Damaged(in_words(&error));
        guarded(|| {
            let length = bytes.len() as u64;
            // On this thread alone, see `guard`.
            let mut reader =
                ParquetReader::new(Cursor::new(bytes)).read_parallel(ParallelStrategy::None);
            let metadata = reader.get_metadata().map_err(unread)?;
            // polars believes these counts and asks for memory to match; a process that asks for
            // too much is ended on the spot, and no guard helps.
            let rows: usize = metadata
                .row_groups
                .iter()
                .fold(0, |rows, group| group.num_rows().saturating_add(rows));
            let mut columns_of = metadata.row_groups.iter().flat_map(|group| {
                let rows = group.num_rows();
                group
                    .parquet_columns()
                    .iter()
                    .map(move |column| (column, rows))
            });
            let agree = columns_of.all(|(column, rows)| {
                let nested = column.descriptor().path_in_schema.len() > 1;
                let place = column.byte_range();
                place.start < place.end
                    && place.end <= length
                    && (nested || usize::try_from(column.num_values()) == Ok(rows))
            });
            if !agree || rows != metadata.num_rows || u32::try_from(rows).is_err() {
                return Err(damaged("its counts do not agree"));
            }
            if let Some(wanted) = columns {
                let schema = reader.schema().map_err(unread)?;
                // In the file's order, each once: polars panics on a name that is asked for twice.
                let present = schema
                    .iter_names()
                    .filter(|name| wanted.contains(&name.as_str()))
                    .map(ToString::to_string)
                    .collect();
                reader = reader.with_columns(Some(present));
            }
            if let Some(wanted) = wanted {
                reader = reader.with_slice(Some((wanted.start, wanted.len())));
            }
            let frame = reader.finish().map_err(unread)?;
            for column in frame.columns() {
                let is_text = |cell: &[u8]| std::str::from_utf8(cell).is_ok();
                if *column.dtype() == DataType::Binary
                    && !column.binary()?.iter().flatten().all(is_text)
                {
                    return Err(FrameError::Damaged(format!(
                        "column `{}` holds bytes that are no text",
                        column.name()
                    )));
                }
            }
            Ok(Self(frame))
        })
    }
}

impl Frame {
    /// Reads those of some columns that there are, and of the file no more than holds them: tables of replies are
    /// large, and little of them is looked at.
    ///
    /// # Errors
    /// As [`Frame::from_parquet`], or when the file cannot be read.
    pub fn from_parquet_file(
        mut file: impl Read + Seek,
        columns: &[&str],
    ) -> Result<Self, FrameError> {
        let narrow = guarded(|| {
            let groups = Groups::of(&mut file)?;
            groups.narrow(&mut file, |name| columns.contains(&name))
        });
        Self::from_parquet(narrow?, Some(columns))
    }

    /// The names of the columns of a parquet file, of which nothing else is read.
    ///
    /// # Errors
    /// As [`Frame::from_parquet_file`].
    pub fn names_in_parquet(file: impl Read + Seek) -> Result<Vec<String>, FrameError> {
        let bytes = end_of(file)?;
        let unread = || damaged("its footer cannot be read");
        guarded(|| depth::names(&bytes).ok_or_else(unread))
    }
}

impl Frame {
    /// Whether a parquet file of ours has columns of JSON.
    pub(super) fn has_json(bytes: &[u8]) -> Result<bool, FrameError> {
        check_frame(bytes)?;
        guarded(|| {
            depth::check(bytes)?;
            let mut reader = ParquetReader::new(Cursor::new(bytes));
            let schema = reader.schema();
            let schema = schema.map_err(|error| FrameError::Damaged(in_words(&error)))?;
            let mut fields = schema.iter_values();
            Ok(fields.any(|field| DataType::from_arrow_field(field) == DataType::Binary))
        })
    }
}

/// The end of a file, behind as many zeros as it has bytes before.
pub(super) fn end_of(mut file: impl Read + Seek) -> Result<Vec<u8>, FrameError> {
    let broken = |error: io::Error| FrameError::Damaged(error.to_string());
    let length = file.seek(SeekFrom::End(0)).map_err(broken)?;
    // Memory that is never written to is not taken, so that what is not read costs nothing.
    let mut bytes = vec![0; usize::try_from(length).map_err(|_| FrameError::TooManyRows)?];
    let mut read = |bytes: &mut [u8], place: Range<u64>| {
        file.seek(SeekFrom::Start(place.start))?;
        file.read_exact(&mut bytes[place.start as usize..place.end as usize])
    };
    let tail = length.saturating_sub(8);
    read(&mut bytes, 0..length.min(4)).map_err(broken)?;
    read(&mut bytes, tail..length).map_err(broken)?;
    check_frame(&bytes)?;
    let footer = bytes[tail as usize..].first_chunk().copied();
    let footer = u64::from(u32::from_le_bytes(footer.unwrap_or_default()));
    read(&mut bytes, tail.saturating_sub(footer)..tail).map_err(broken)?;
    guarded(|| depth::check(&bytes))?;
    // What polars cannot read is damaged, whatever else can be read of it.
    guarded(|| places(&bytes, |_| false))?;
    Ok(bytes)
}

/// Where the columns that are wanted of a group of rows stand in a parquet file, of which the end has to be there, with their
/// names.
pub(super) fn places(
    bytes: &[u8],
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<(String, Range<u64>)>, FrameError> {
    let mut reader = ParquetReader::new(Cursor::new(bytes));
    let metadata = reader.get_metadata();
    let metadata = metadata.map_err(|error| FrameError::Damaged(in_words(&error)))?;
    let mut places = Vec::new();
    let groups = metadata.row_groups.iter();
    for column in groups.flat_map(polars_parquet::read::RowGroupMetadata::parquet_columns) {
        let path = &column.descriptor().path_in_schema;
        if let Some(name) = path.first().filter(|name| wanted(name)) {
            places.push((name.to_string(), column.byte_range()));
        }
    }
    Ok(places)
}

/// What polars found, without the names of its parts in front.
pub(super) fn in_words(error: &PolarsError) -> String {
    let said = error.to_string();
    let mut words = said.as_str();
    for part in [
        "parquet: ",
        "File out of specification: ",
        "underlying IO error: ",
    ] {
        words = words.strip_prefix(part).unwrap_or(words);
    }
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(letters).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::ColumnData;

    fn file() -> Vec<u8> {
        let texts = ["one", "two", "three"].map(|text| text.repeat(20));
        Frame::new(vec![
            ("doc_id".to_owned(), ColumnData::text(["a", "b", "c"])),
            ("text".to_owned(), ColumnData::text(texts)),
            (
                "year".to_owned(),
                ColumnData::Int(vec![Some(1900), None, Some(1908)]),
            ),
        ])
        .unwrap()
        .to_parquet()
        .unwrap()
    }

    #[test]
    fn some_columns_of_a_file_are_those_of_its_bytes() {
        let file = file();
        for wanted in [&["year", "nothing"][..], &["text", "doc_id"], &[]] {
            let some = Frame::from_parquet_file(Cursor::new(&file), wanted).unwrap();
            let whole = Frame::from_parquet(file.clone(), Some(wanted)).unwrap();
            assert_eq!(some.names(), whole.names());
            assert!(some.0.equals_missing(&whole.0));
        }
        for length in 0..file.len() {
            assert!(Frame::from_parquet_file(Cursor::new(&file[..length]), &["year"]).is_err());
        }
    }

    #[test]
    fn of_a_file_only_the_columns_that_are_wanted_are_read() {
        /// Counts the bytes that are read.
        struct Counting(Cursor<Vec<u8>>, usize);
        impl Read for Counting {
            fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
                let read = self.0.read(bytes)?;
                self.1 += read;
                Ok(read)
            }
        }
        impl Seek for Counting {
            fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
                self.0.seek(to)
            }
        }
        let replies =
            (0..500).map(|number| format!("{:x}", 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(number)));
        let bytes = Frame::new(vec![
            ("reply".to_owned(), ColumnData::text(replies)),
            ("score".to_owned(), ColumnData::Int(vec![Some(3); 500])),
        ])
        .unwrap()
        .to_parquet()
        .unwrap();
        let mut file = Counting(Cursor::new(bytes.clone()), 0);
        let frame = Frame::from_parquet_file(&mut file, &["score"]).unwrap();
        assert_eq!((frame.names(), frame.rows()), (vec!["score"], 500));
        assert!(file.1 < bytes.len() / 2, "{} of {}", file.1, bytes.len());
    }

    #[test]
    fn short_numbers_are_short_in_the_file_too() {
        let numbers = ColumnData::Int(vec![Some(3), None]);
        let frame = Frame::new(vec![("exp".to_owned(), numbers)]).unwrap();
        let short = frame.clone().with_short(&["exp"]).unwrap();
        let back = Frame::from_parquet(short.to_parquet().unwrap(), None).unwrap();
        let column = back.0.column("exp").unwrap();
        assert_eq!(*column.dtype(), polars::prelude::DataType::Int16);
        let [ours, theirs] = [&back, &frame].map(|frame| frame.column("exp").unwrap().scalars());
        assert_eq!(ours, theirs);
        let long = ColumnData::Int(vec![Some(1 << 20)]);
        let long = Frame::new(vec![("exp".to_owned(), long)]).unwrap();
        assert!(long.with_short(&["exp"]).is_err());
    }

    /// Not of the pages: see `guard` for the one sort of damage there that ends the process.
    #[test]
    fn no_flipped_byte_of_the_footer_makes_reading_panic() {
        let file = file();
        let end = file.len() - 8;
        let length = u32::from_le_bytes(file[end..end + 4].try_into().unwrap());
        for at in end - length as usize..file.len() {
            for flip in [0x01, 0x55, 0x7f, 0x80, 0xff] {
                let mut damaged = file.clone();
                damaged[at] ^= flip;
                // Damage in unused bytes goes unnoticed here; keys and digests notice it.
                let _ = Frame::from_parquet(damaged, None);
            }
        }
    }

    #[test]
    fn no_missing_end_makes_reading_panic() {
        let file = file();
        for length in 0..file.len() {
            assert!(Frame::from_parquet(&file[..length], None).is_err());
        }
    }

    #[test]
    fn what_is_no_parquet_file_is_told_from_a_damaged_one() {
        let said = |bytes: &[u8]| Frame::from_parquet(bytes, None).unwrap_err().to_string();
        assert_eq!(said(b""), "not a parquet file: the file is empty");
        assert_eq!(
            said(b"doc_id,text\n"),
            "not a parquet file: it does not begin with `PAR1`"
        );
        assert_eq!(
            said(&file()[..100]),
            "the parquet file is damaged: its end is missing"
        );
    }
}
