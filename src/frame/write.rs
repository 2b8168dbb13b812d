//! Tables as text for other programs: csv and JSON lines.

use std::borrow::Cow;
use std::io::{Cursor, Read, Seek, Write};

use indexmap::IndexMap;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::column::JSON;
use super::{ColumnData, Frame, FrameError, ParquetStream, Parted, Scalar};
use crate::base::json;

impl<F: Read + Seek> Parted<F> {
    /// Writes a table of several parts for other programs, as [`Frame::parquet_for_others`] has it, part by part.
    ///
    /// # Errors
    /// As [`Frame::from_parquet`], or when it cannot be written.
    pub fn write_for_others(&self, to: impl Write) -> Result<(), FrameError> {
        let part = |at| self.part(at)?.with_json_as_text();
        let mut stream = ParquetStream::begin(to, &part(0)?)?;
        for at in 0..self.rows().len() {
            stream.push(&part(at)?)?;
        }
        stream.end()
    }
}

impl Frame {
    /// Comma-separated values with a header line; an absent cell is empty.
    ///
    /// # Errors
    /// When a column holds what no table of ours does.
    pub fn to_csv(&self) -> Result<Vec<u8>, FrameError> {
        let names = self.names();
        let columns = self.columns()?;
        let mut writer = csv::Writer::from_writer(Vec::new());
        let written = |error: csv::Error| FrameError::Write(error.to_string());
        writer.write_record(&names).map_err(written)?;
        for row in 0..self.rows() {
            let cells = columns
                .iter()
                .map(|column| column.text(row).unwrap_or_default().into_owned());
            writer.write_record(cells).map_err(written)?;
        }
        writer
            .into_inner()
            .map_err(|error| FrameError::Write(error.to_string()))
    }

    /// JSON lines: one object per row, absent cells as `null`.
    ///
    /// # Errors
    /// When a column holds what no table of ours does.
    pub fn to_jsonl(&self) -> Result<Vec<u8>, FrameError> {
        let names = self.names();
        let columns = self.columns()?;
        let mut bytes = Vec::new();
        for row in 0..self.rows() {
            let mut object: IndexMap<&str, Box<RawValue>> = IndexMap::new();
            for (name, column) in names.iter().zip(&columns) {
                let value = written(column.scalar(row));
                let value = value.map_err(|error| FrameError::Write(error.to_string()))?;
                object.insert(*name, value);
            }
            let line = serde_json::to_vec(&object);
            bytes.extend(line.map_err(|error| FrameError::Write(error.to_string()))?);
            bytes.push(b'\n');
        }
        Ok(bytes)
    }

    /// A parquet file for other programs: the same bytes, unless it was packed quickly, which takes more room and is not
    /// known to old programs, or has columns of JSON, which become text.
    ///
    /// # Errors
    /// As [`Frame::from_parquet`].
    pub fn parquet_for_others(bytes: &[u8]) -> Result<Vec<u8>, FrameError> {
        let parts = Parted::open(Cursor::new(bytes))?;
        if parts.are_packed_small() && !Self::has_json(bytes)? {
            return Ok(bytes.to_vec());
        }
        if parts.rows().len() < 2 {
            let whole = Self::from_parquet(bytes, None)?;
            return whole.with_json_as_text()?.to_parquet();
        }
        let mut packed = Vec::new();
        parts.write_for_others(&mut packed)?;
        Ok(packed)
    }

    /// The same table for programs that know no columns of JSON: they get its text.
    ///
    /// # Errors
    /// When a column holds what no table of ours does.
    fn with_json_as_text(&self) -> Result<Self, FrameError> {
        let mut frame = self.clone();
        for (name, column) in self.names().into_iter().zip(self.columns()?) {
            if column.kind() == JSON {
                let text = |row| column.text(row).map(Cow::into_owned);
                let texts = (0..column.len()).map(text).collect();
                frame = frame.with_column(name, ColumnData::Text(texts))?;
            }
        }
        Ok(frame)
    }

    fn columns(&self) -> Result<Vec<super::ColumnView<'_>>, FrameError> {
        self.names()
            .into_iter()
            .map(|name| self.column(name))
            .collect()
    }
}

fn written(value: Scalar) -> serde_json::Result<Box<RawValue>> {
    let value: Value = match value {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => value.into(),
        Scalar::Int(value) => value.into(),
        Scalar::Float(value) => value.into(),
        Scalar::Text(value) => value.into(),
        // On one line, with all its digits.
        Scalar::Json(value) => return RawValue::from_string(json::read(&value)?.to_string()),
    };
    to_raw_value(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_get_is_packed_small_and_knows_no_json() {
        let part = |from: i64| {
            let lists = ["[1]", "[2,3]"].map(|list| Some(list.to_owned()));
            Frame::new(vec![
                ("n".to_owned(), ColumnData::Int(vec![Some(from), None])),
                ("list".to_owned(), ColumnData::Json(lists.into())),
            ])
            .unwrap()
        };
        let mut stored = Vec::new();
        let mut stream = ParquetStream::begin(&mut stored, &part(0)).unwrap();
        for from in [0, 2] {
            stream
                .append(&part(from).to_parquet_quickly().unwrap())
                .unwrap();
        }
        stream.end().unwrap();
        for (stored, rows) in [(part(0).to_parquet_quickly().unwrap(), 2), (stored, 4)] {
            let given = Frame::parquet_for_others(&stored).unwrap();
            assert!(
                Parted::open(Cursor::new(&given))
                    .unwrap()
                    .are_packed_small()
            );
            assert!(!Frame::has_json(&given).unwrap());
            let [given, stored] =
                [given, stored].map(|file| Frame::from_parquet(file, None).unwrap());
            assert_eq!(given.rows(), rows);
            assert_eq!(given.to_csv().unwrap(), stored.to_csv().unwrap());
            // What is so packed is left as it is.
            let small = given.to_parquet().unwrap();
            assert_eq!(Frame::parquet_for_others(&small).unwrap(), small);
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let frame = Frame::new(vec![
            ("doc_id".to_owned(), ColumnData::text(["a", "b"])),
            (
                "text".to_owned(),
                ColumnData::Text(vec![Some("one, \"two\"\nthree".to_owned()), None]),
            ),
            ("n".to_owned(), ColumnData::Int(vec![Some(3), None])),
        ])
        .unwrap();
        for back in [
            Frame::from_csv(&frame.to_csv().unwrap(), &["doc_id"]).unwrap(),
            Frame::from_jsonl(&frame.to_jsonl().unwrap()).unwrap(),
        ] {
            for name in ["doc_id", "text", "n"] {
                assert_eq!(
                    back.column(name).unwrap().scalars(),
                    frame.column(name).unwrap().scalars(),
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn other_programs_get_json_as_text() {
        let cells = vec![Some("[1,{\"a\":12345678901234567890123}]".to_owned()), None];
        let frame = Frame::new(vec![
            ("doc_id".to_owned(), ColumnData::text(["a", "b"])),
            ("made".to_owned(), ColumnData::Json(cells.clone())),
        ])
        .unwrap();
        let made = |frame: &Frame| frame.column("made").unwrap().scalars();
        let text = frame.with_json_as_text().unwrap();
        assert_eq!(text.column("made").unwrap().kind(), "text");
        assert_eq!(made(&text)[0].to_string(), made(&frame)[0].to_string());
        assert_eq!(
            String::from_utf8(frame.to_csv().unwrap()).unwrap(),
            "doc_id,made\na,\"[1,{\"\"a\"\":12345678901234567890123}]\"\nb,\n"
        );
        let back = Frame::from_jsonl(&frame.to_jsonl().unwrap()).unwrap();
        assert_eq!(made(&back), made(&frame));
    }
}
