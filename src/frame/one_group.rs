//! One group of rows of a parquet file as a file of its own: a part of a long table costs what it holds, however long the table is.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use polars_parquet_format::thrift::protocol::{TCompactInputProtocol, TCompactOutputProtocol};
use polars_parquet_format::{ColumnChunk, CompressionCodec, FileMetaData, RowGroup};

use super::FrameError;

/// The mark at both ends of a parquet file.
pub(super) const MARK: &[u8] = b"PAR1";

/// The length of the footer and the mark, in bytes.
pub(super) const TAIL: usize = 8;

/// Room for what stands behind the pages of most files, so that they need not be moved for it. In bytes.
const END: usize = 16 << 10;

/// What a file says of its groups of rows.
pub(super) struct Groups(pub(super) FileMetaData);

impl Groups {
    /// Reads the end of a file and nothing else.
    ///
    /// # Errors
    /// When it is not a parquet file or damaged.
    pub(super) fn of(mut file: impl Read + Seek) -> Result<Self, FrameError> {
        let length = file
            .seek(SeekFrom::End(0))
            .map_err(|error| broken(&error))?;
        let mut ends = read(&mut file, 0..length.min(MARK.len() as u64))?;
        let tail = length.saturating_sub(TAIL as u64);
        ends.extend(read(&mut file, tail..length)?);
        check_frame(&ends)?;
        let said = ends[MARK.len()..].first_chunk().copied();
        let said = u64::from(u32::from_le_bytes(said.unwrap_or_default()));
        let footer = read(&mut file, tail.saturating_sub(said)..tail)?;
        parse(&footer)
            .map(Self)
            .ok_or_else(|| damaged("its footer cannot be read"))
    }

    /// How many rows each group has.
    ///
    /// # Errors
    /// When a count is none.
    pub(super) fn rows(&self) -> Result<Vec<usize>, FrameError> {
        let rows = self
            .0
            .row_groups
            .iter()
            .map(|group| usize::try_from(group.num_rows));
        rows.collect::<Result<_, _>>()
            .map_err(|_| damaged("its counts do not agree"))
    }

    /// Whether all columns are packed in this way.
    pub(super) fn are_packed(&self, codec: CompressionCodec) -> bool {
        let columns = self.0.row_groups.iter().flat_map(|group| &group.columns);
        let mut packed = columns.map(|column| column.meta_data.as_ref().map(|of| of.codec));
        packed.all(|packed| packed == Some(codec))
    }

    /// Whether a column has a value in every row, as far as the file says.
    pub(super) fn is_full(&self, name: &str) -> bool {
        self.0.row_groups.iter().all(|group| {
            let of_name = |column: &&ColumnChunk| {
                let of = column.meta_data.as_ref();
                of.is_some_and(|of| of.path_in_schema.first().is_some_and(|first| first == name))
            };
            let mut columns = group.columns.iter().filter(of_name).peekable();
            columns.peek().is_some()
                && columns.all(|column| {
                    let said = column
                        .meta_data
                        .as_ref()
                        .and_then(|of| of.statistics.as_ref());
                    said.and_then(|said| said.null_count) == Some(0)
                })
        })
    }

    /// The bytes of a file that holds one group.
    ///
    /// # Errors
    /// When the group is not where the file says.
    pub(super) fn alone(
        &self,
        file: impl Read + Seek,
        at: usize,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<u8>, FrameError> {
        self.some(file, at..at.saturating_add(1), wanted)
    }

    /// The bytes of a file that holds those columns of all groups that are wanted.
    ///
    /// # Errors
    /// When a group is not where the file says.
    pub(super) fn narrow(
        &self,
        file: impl Read + Seek,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<u8>, FrameError> {
        self.some(file, 0..self.0.row_groups.len(), wanted)
    }

    /// The bytes of a file that holds what is wanted of some groups. The other columns have their names in it and no more.
    pub(super) fn some(
        &self,
        mut file: impl Read + Seek,
        groups: Range<usize>,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<u8>, FrameError> {
        let lost = || damaged("a group of rows is not where its footer says");
        let mut groups = self.0.row_groups.get(groups).ok_or_else(lost)?.to_vec();
        let length = file
            .seek(SeekFrom::End(0))
            .map_err(|error| broken(&error))?;
        let mut columns: Vec<&mut ColumnChunk> = groups
            .iter_mut()
            .flat_map(|group| &mut group.columns)
            .collect();
        let mut places = Vec::new();
        for column in &columns {
            let of = column.meta_data.as_ref();
            let name = of.and_then(|of| of.path_in_schema.first());
            let place = place(column).ok_or_else(lost)?;
            places.push(name.is_some_and(|name| wanted(name)).then_some(place));
        }
        let lengths = places
            .iter()
            .flatten()
            .map(|place| place.end.saturating_sub(place.start));
        let all = lengths.fold(0, u64::saturating_add);
        // Many columns that stand in one place would take many times its memory.
        if all > length {
            return Err(lost());
        }
        let mut bytes = MARK.to_vec();
        bytes.reserve_exact(usize::try_from(all).unwrap_or(0) + END);
        for (column, place) in columns.iter_mut().zip(places) {
            if let Some(place) = place {
                let by = bytes.len().cast_signed() as i64 - place.start.cast_signed();
                read_to(&mut file, place, &mut bytes)?;
                moved(column, by);
            } else {
                stands_nowhere(column);
            }
        }
        let footer = FileMetaData {
            num_rows: groups
                .iter()
                .map(|group| group.num_rows)
                .fold(0, i64::saturating_add),
            row_groups: groups,
            // All but the groups, of which there may be many.
            version: self.0.version,
            schema: self.0.schema.clone(),
            key_value_metadata: self.0.key_value_metadata.clone(),
            created_by: self.0.created_by.clone(),
            column_orders: self.0.column_orders.clone(),
            encryption_algorithm: self.0.encryption_algorithm.clone(),
            footer_signing_key_metadata: self.0.footer_signing_key_metadata.clone(),
        };
        put_end(&footer, &mut bytes)?;
        Ok(bytes)
    }

    /// Where the columns of each group stand.
    pub(super) fn places(&self) -> Option<Vec<Vec<Range<u64>>>> {
        let groups = self.0.row_groups.iter();
        groups
            .map(|group| group.columns.iter().map(place).collect())
            .collect()
    }

    /// Where the last page of a file ends.
    ///
    /// # Errors
    /// When a group is not where the file says.
    pub(super) fn end_of_pages(&self) -> Result<usize, FrameError> {
        let lost = || damaged("a group of rows is not where its footer says");
        self.0.row_groups.iter().try_fold(MARK.len(), |end, group| {
            let place = place_of(group).ok_or_else(lost)?;
            Ok(end.max(usize::try_from(place.end).map_err(|_| lost())?))
        })
    }
}

/// Where the pages of a group stand.
fn place_of(group: &RowGroup) -> Option<Range<u64>> {
    let places: Option<Vec<Range<u64>>> = group.columns.iter().map(place).collect();
    let places = places?;
    let start = places.iter().map(|place| place.start).min().unwrap_or(0);
    let end = places.iter().map(|place| place.end).max().unwrap_or(0);
    Some(start..end)
}

/// What is said of a column whose pages, and nothing else of its file, stand so many bytes further on.
pub(super) fn moved(column: &mut ColumnChunk, by: i64) {
    column.file_offset = column.file_offset.saturating_add(by);
    (column.offset_index_offset, column.offset_index_length) = (None, None);
    (column.column_index_offset, column.column_index_length) = (None, None);
    if let Some(of) = &mut column.meta_data {
        of.data_page_offset = of.data_page_offset.saturating_add(by);
        of.dictionary_page_offset = of.dictionary_page_offset.map(|at| at.saturating_add(by));
        (of.index_page_offset, of.bloom_filter_offset) = (None, None);
    }
}

/// What is said of a column whose pages are not there: it has a place in the file, which nobody looks at.
fn stands_nowhere(column: &mut ColumnChunk) {
    moved(column, 0);
    column.file_offset = 0;
    if let Some(of) = &mut column.meta_data {
        (of.data_page_offset, of.dictionary_page_offset) = (0, None);
        // That of the mark.
        of.total_compressed_size = 4;
    }
}

/// Puts the end of a file behind its pages: the footer, how long that is, and the mark.
pub(super) fn put_end(footer: &FileMetaData, bytes: &mut Vec<u8>) -> Result<(), FrameError> {
    let before = bytes.len();
    let written = footer.write_to_out_protocol(&mut TCompactOutputProtocol::new(&mut *bytes));
    written.map_err(|error| FrameError::Write(error.to_string()))?;
    let length = u32::try_from(bytes.len() - before)
        .map_err(|_| FrameError::Write("the table has too many parts".to_owned()))?;
    bytes.extend(length.to_le_bytes());
    bytes.extend(MARK);
    Ok(())
}

/// Whether the bytes begin and end as a parquet file does.
pub(super) fn check_frame(bytes: &[u8]) -> Result<(), FrameError> {
    if bytes.is_empty() {
        Err(FrameError::NotParquet("the file is empty"))
    } else if !bytes.starts_with(MARK) {
        Err(FrameError::NotParquet("it does not begin with `PAR1`"))
    } else if bytes.len() < 12 || !bytes.ends_with(MARK) {
        Err(FrameError::Damaged("its end is missing".to_owned()))
    } else {
        Ok(())
    }
}

/// What stands in the footer of a file; nothing, where it cannot be read.
pub(super) fn parse(mut footer: &[u8]) -> Option<FileMetaData> {
    // As polars has it: what is read takes more than what is written.
    let most = footer.len().saturating_mul(128) + 1024;
    let mut input = TCompactInputProtocol::new(&mut footer, most);
    FileMetaData::read_from_in_protocol(&mut input).ok()
}

/// Where the pages of a column stand.
fn place(column: &ColumnChunk) -> Option<Range<u64>> {
    let of = column.meta_data.as_ref()?;
    let start = of.dictionary_page_offset.unwrap_or(of.data_page_offset);
    let end = start.checked_add(of.total_compressed_size)?;
    Some(u64::try_from(start).ok()?..u64::try_from(end).ok()?)
}

fn read(file: impl Read + Seek, place: Range<u64>) -> Result<Vec<u8>, FrameError> {
    let mut bytes = Vec::new();
    read_to(file, place, &mut bytes)?;
    Ok(bytes)
}

/// Reads what stands at a place, behind what was read before.
fn read_to(
    mut file: impl Read + Seek,
    place: Range<u64>,
    bytes: &mut Vec<u8>,
) -> Result<(), FrameError> {
    let length = place.end.saturating_sub(place.start);
    // Grows with what there is: a length that is not true asks for no memory.
    file.seek(SeekFrom::Start(place.start))
        .map_err(|error| broken(&error))?;
    let read = file
        .take(length)
        .read_to_end(bytes)
        .map_err(|error| broken(&error))?;
    if read as u64 == length {
        Ok(())
    } else {
        Err(damaged("its end is missing"))
    }
}

fn broken(error: &io::Error) -> FrameError {
    FrameError::Damaged(error.to_string())
}

pub(super) fn damaged(what: &str) -> FrameError {
    FrameError::Damaged(what.to_owned())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::frame::{ColumnData, Frame, ParquetStream};

    fn part(from: i64) -> Frame {
        let numbers = (from..from + 3).map(Some).collect();
        let texts = (from..from + 3).map(|n| (n != 4).then(|| format!("text {n} ").repeat(40)));
        Frame::new(vec![
            ("n".to_owned(), ColumnData::Int(numbers)),
            ("text".to_owned(), ColumnData::Text(texts.collect())),
        ])
        .unwrap()
    }

    fn file() -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut stream = ParquetStream::begin(&mut bytes, &part(0)).unwrap();
        for from in [0, 3, 6] {
            stream.push(&part(from)).unwrap();
        }
        stream.end().unwrap();
        bytes
    }

    #[test]
    fn each_group_of_a_file_is_a_file() {
        let file = file();
        let groups = Groups::of(Cursor::new(&file)).unwrap();
        assert_eq!(groups.rows().unwrap(), [3, 3, 3]);
        for (at, from) in [0, 3, 6].into_iter().enumerate() {
            let alone = groups.alone(Cursor::new(&file), at, |_| true).unwrap();
            assert!(alone.len() < file.len());
            let read = Frame::from_parquet(alone, None).unwrap();
            assert_eq!(read.to_jsonl().unwrap(), part(from).to_jsonl().unwrap());
        }
        assert!(groups.alone(Cursor::new(&file), 3, |_| true).is_err());
    }

    #[test]
    fn columns_that_stand_in_one_place_are_not_copied_from_there_again_and_again() {
        let file = file();
        let mut groups = Groups::of(Cursor::new(&file)).unwrap();
        let columns = &mut groups.0.row_groups[0].columns;
        let many = std::iter::repeat_n(columns[1].clone(), 40);
        columns.extend(many);
        let error = groups.narrow(Cursor::new(&file), |_| true).unwrap_err();
        assert!(error.to_string().contains("not where its footer says"));
        assert!(
            groups
                .narrow(Cursor::new(&file), |name| name == "n")
                .is_ok()
        );
    }

    #[test]
    fn a_file_that_was_cut_is_damaged() {
        let file = file();
        for length in 0..file.len() {
            assert!(
                Groups::of(Cursor::new(&file[..length])).is_err(),
                "{length}"
            );
        }
        let groups = Groups::of(Cursor::new(&file)).unwrap();
        assert!(groups.alone(Cursor::new(&file[..60]), 2, |_| true).is_err());
    }
}
