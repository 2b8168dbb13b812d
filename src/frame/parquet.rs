//! Tables as parquet: the form in the cache, in reports, and of recorded outputs.

use std::io::Cursor;

use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;
use polars_io::parquet::write::{ParquetCompression, ParquetWriter};

use super::{Frame, FrameError};

impl Frame {
    /// Writes the table as parquet (zstd). The same table gives the same bytes.
    ///
    /// # Errors
    /// When polars cannot encode it.
    pub fn to_parquet(&self) -> Result<Vec<u8>, FrameError> {
        let mut frame = self.0.clone();
        // One chunk per column: the bytes must depend on the rows, not on how they were put together.
        frame.rechunk_mut();
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes)
            .with_compression(ParquetCompression::Zstd(None))
            .with_row_group_size(Some(1 << 20))
            .finish(&mut frame)?;
        Ok(bytes)
    }

    /// Reads parquet bytes; with `columns`, only those that exist of them.
    ///
    /// # Errors
    /// When the bytes are not a parquet file or are damaged.
    pub fn from_parquet(bytes: Vec<u8>, columns: Option<&[&str]>) -> Result<Self, FrameError> {
        let mut reader = ParquetReader::new(Cursor::new(bytes));
        if let Some(wanted) = columns {
            let schema = reader.schema()?;
            // In the file's order, each once: polars panics on a name that is asked for twice.
            let present = schema
                .iter_names()
                .filter(|name| wanted.contains(&name.as_str()))
                .map(ToString::to_string)
                .collect();
            reader = reader.with_columns(Some(present));
        }
        Ok(Self(reader.finish()?))
    }
}
