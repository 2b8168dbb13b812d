//! Tables as text for other programs: csv and JSON lines.

use serde_json::{Map, Value};

use super::{Frame, FrameError, Scalar};

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
            let object: Map<String, Value> = names
                .iter()
                .zip(&columns)
                .map(|(name, column)| ((*name).to_owned(), json(column.scalar(row))))
                .collect();
            bytes.extend(Value::Object(object).to_string().into_bytes());
            bytes.push(b'\n');
        }
        Ok(bytes)
    }

    fn columns(&self) -> Result<Vec<super::ColumnView<'_>>, FrameError> {
        self.names()
            .into_iter()
            .map(|name| self.column(name))
            .collect()
    }
}

fn json(value: Scalar) -> Value {
    match value {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => value.into(),
        Scalar::Int(value) => value.into(),
        Scalar::Float(value) => value.into(),
        Scalar::Text(value) => value.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::ColumnData;

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
}
