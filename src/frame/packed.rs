//! Parts of tables beside their pages as they are stored: a column of long texts that stays as it was is not packed again.

use std::io::Cursor;

use polars::error::PolarsError;
use polars::prelude::{Column, DataType};
use polars_parquet::parquet::compression::Compression;
use polars_parquet::parquet::metadata::{ColumnChunkMetadata, FileMetadata};
use polars_parquet::parquet::read::{PageReader, read_metadata};
use polars_parquet::write::{CompressedPage, DynStreamingIterator, FallibleStreamingIterator};

use super::Frame;

/// Rows and the bytes of a parquet file of ours that holds them in one group.
pub struct Packed {
    rows: Frame,
    file: Vec<u8>,
}

/// What a parquet file says of itself, beside its bytes.
pub(super) struct Pages<'p> {
    packed: &'p Packed,
    said: FileMetadata,
}

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.file.len())
    }
}

impl Packed {
    pub(super) fn new(rows: Frame, file: Vec<u8>) -> Self {
        Self { rows, file }
    }

    /// Its pages; nothing, where they cannot be found.
    pub(super) fn pages(&self) -> Option<Pages<'_>> {
        let said = read_metadata(&mut Cursor::new(&self.file)).ok()?;
        (said.row_groups.len() == 1).then_some(Pages { packed: self, said })
    }
}

impl Pages<'_> {
    /// The pages of a column that holds just these texts, if packing them again would give the same.
    pub(super) fn of(
        &self,
        column: &Column,
    ) -> Option<DynStreamingIterator<'static, CompressedPage, PolarsError>> {
        let rows = &self.packed.rows.0;
        let name = column.name();
        let before = rows.column(name).ok()?;
        let are_texts = |column: &Column| *column.dtype() == DataType::String;
        if !are_texts(column) || !are_texts(before) {
            return None;
        }
        if !before.str().ok()?.iter().eq(column.str().ok()?.iter()) {
            return None;
        }
        let mut columns = self.said.row_groups[0].parquet_columns().iter();
        let of = columns.find(|of| of.descriptor().path_in_schema[..] == [name.clone()])?;
        if !is_packed_quickly(of) {
            return None;
        }
        let place = of.byte_range();
        let place = usize::try_from(place.start).ok()?..usize::try_from(place.end).ok()?;
        let bytes = self.packed.file.get(place)?.to_vec();
        // What reading the head of a page may take.
        let most = bytes.len().saturating_mul(128);
        let pages = PageReader::new(Cursor::new(bytes.into()), of, Vec::new(), most);
        Some(DynStreamingIterator::new(OneByOne { pages, page: None }))
    }
}

/// Pages as the writer of parquet takes them.
struct OneByOne {
    pages: PageReader,
    page: Option<CompressedPage>,
}

impl FallibleStreamingIterator for OneByOne {
    type Item = CompressedPage;
    type Error = PolarsError;

    fn advance(&mut self) -> Result<(), PolarsError> {
        self.page = self.pages.next().transpose()?;
        if let Some(CompressedPage::Data(page)) = &mut self.page {
            // The reader leaves it open, since a row may hold several values. Ours hold one.
            page.num_rows = Some(page.num_values());
        }
        Ok(())
    }

    fn get(&self) -> Option<&CompressedPage> {
        self.page.as_ref()
    }
}

/// Whether a column is packed as [`Frame::to_parquet_quickly`] packs long texts.
fn is_packed_quickly(of: &ColumnChunkMetadata) -> bool {
    of.compression() == Compression::Lz4Raw && of.dictionary_page_offset().is_none()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::frame::{ColumnData, ParquetStream, Parted};

    fn table(texts: Vec<Option<String>>) -> Frame {
        let words = (0..texts.len()).map(|row| Some(["a", "b"][row % 2].to_owned()));
        Frame::new(vec![
            ("word".to_owned(), ColumnData::Text(words.collect())),
            ("text".to_owned(), ColumnData::Text(texts)),
        ])
        .unwrap()
    }

    fn stored(parts: &[Frame], pack: impl Fn(&Frame) -> Vec<u8>) -> Parted<Cursor<Vec<u8>>> {
        let mut bytes = Vec::new();
        let mut stream = ParquetStream::begin(&mut bytes, &parts[0]).unwrap();
        for part in parts {
            stream.append(&pack(part)).unwrap();
        }
        stream.end().unwrap();
        Parted::open(Cursor::new(bytes)).unwrap()
    }

    proptest! {
        // Each of some pages, whose packing takes its time where nothing is optimised.
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn what_is_packed_over_what_it_was_made_of_has_the_bytes_that_it_has_without(
            texts in prop::collection::vec(prop::option::weighted(0.9, "(?s).{0,300}"), 1..20),
            times in 1_usize..10,
            changed in prop::option::of(0_usize..20),
            quickly in any::<bool>(),
        ) {
            let long = |text: Option<String>| text.map(|text| text.repeat(times * 40));
            let texts: Vec<Option<String>> = texts.into_iter().map(long).collect();
            let parts = [table(vec![None]), table(texts.clone())];
            let file = stored(&parts, |part| {
                if quickly { part.to_parquet_quickly().unwrap() } else { part.to_parquet().unwrap() }
            });
            let (rows, packed) = file.packed(1).unwrap();
            prop_assert_eq!(rows.to_jsonl().unwrap(), parts[1].to_jsonl().unwrap());
            let mut texts = texts;
            if let Some(text) = changed.and_then(|row| texts.get_mut(row)) {
                *text = Some("another".to_owned());
            }
            let added = ColumnData::text((0..rows.rows()).map(|row| row.to_string()));
            for made in [
                table(texts.clone()).with_column("added", added.clone()).unwrap(),
                table(texts.clone()).without(&["word"]),
                table(texts[1..].to_vec()),
                rows.clone().with_column("added", added).unwrap(),
            ] {
                let over = made.to_parquet_over(Some(&packed)).unwrap();
                prop_assert!(over == made.to_parquet_quickly().unwrap());
            }
        }
    }

    #[test]
    fn the_pages_of_a_long_text_that_stays_are_taken() {
        let text = "one two three ".repeat(20_000);
        let parts = [
            table(vec![Some(text.clone()), None]),
            table(vec![Some(text.clone())]),
        ];
        let file = stored(&parts, |part| part.to_parquet_quickly().unwrap());
        let (rows, packed) = file.packed(0).unwrap();
        let pages = packed.pages().unwrap();
        let column = |name: &str| rows.0.column(name).unwrap().clone();
        assert!(pages.of(&column("text")).is_some());
        // That of a dictionary.
        assert!(pages.of(&column("word")).is_none());
        let other = table(vec![Some(text), Some(String::new())]);
        assert!(pages.of(other.0.column("text").unwrap()).is_none());
    }
}
