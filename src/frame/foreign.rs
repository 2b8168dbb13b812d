//! Parquet that other programs wrote: of which types and with which values its columns may be.
//!
//! polars is built without the types that tables do not carry, and calls a file with a column of one of them damaged.

use std::collections::BTreeSet;
use std::io::Cursor;

use polars::prelude::{ArrowDataType, DataType};
use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;

use super::guard::guarded;
use super::rehearse::{memory_for, rehearse};
use super::{Frame, FrameError, checksum, depth, nested};
use crate::base::wording::size;

/// What a cell takes beside its text, in bytes.
const CELL: u64 = 24;

impl Frame {
    /// Reads parquet bytes that others wrote; with `columns`, only those that exist of them.
    ///
    /// # Errors
    /// As [`Frame::from_parquet`]; when reading takes too much memory or time; a column of a type that tables do not
    /// carry, or with numbers that are not finite.
    pub fn from_foreign_parquet(
        bytes: Vec<u8>,
        columns: Option<&[&str]>,
    ) -> Result<Self, FrameError> {
        Self::from_foreign(bytes, columns).map(|(frame, _)| frame)
    }

    /// The same, and how many bytes its cells take once each is a value of its own.
    pub(super) fn from_foreign(
        bytes: Vec<u8>,
        columns: Option<&[&str]>,
    ) -> Result<(Self, u64), FrameError> {
        if bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1") {
            guarded(|| depth::check(&bytes))?;
            rehearse(&bytes, columns)?;
            guarded(|| {
                check_names(&bytes)?;
                check_types(&bytes, columns)?;
                checksum::check(&bytes, columns)
            })?;
        }
        let most = memory_for(bytes.len() as u64);
        let frame = Self::from_parquet(bytes, columns)?;
        let expanded = frame.check_expanded(most)?;
        frame.check_finite()?;
        Ok((frame.with_nested_as_json()?, expanded))
    }

    /// Refuses tables whose cells take more than `most` bytes once each is a value of its own: in a file, and as polars
    /// reads it, any number of rows share one text. How many they take.
    fn check_expanded(&self, most: u64) -> Result<u64, FrameError> {
        let cells = self.rows() as u64 * self.0.width() as u64;
        let mut bytes = cells.saturating_mul(CELL);
        for column in self.0.columns() {
            if bytes > most {
                break;
            }
            bytes = bytes.saturating_add(match column.dtype() {
                DataType::String => lengths(column.str()?.iter().flatten()),
                DataType::Categorical(_, names) | DataType::Enum(_, names) => {
                    let codes = column.to_physical_repr().cast(&DataType::UInt32)?;
                    lengths(
                        codes
                            .u32()?
                            .iter()
                            .flatten()
                            .filter_map(|code| names.cat_to_str(code)),
                    )
                }
                DataType::List(_) | DataType::Struct(_) => {
                    nested::length(column.as_materialized_series())?
                }
                DataType::Binary => lengths(column.binary()?.iter().flatten()),
                _ => 0,
            });
        }
        if bytes > most {
            return Err(FrameError::TooLarge(format!(
                "more than {} of memory",
                size(most)
            )));
        }
        Ok(bytes)
    }

    /// Refuses numbers that are none: no value and infinitely much are different things, and neither is a number.
    fn check_finite(&self) -> Result<(), FrameError> {
        for column in self.0.columns() {
            if !column.dtype().is_float() {
                continue;
            }
            let wide = column.cast(&DataType::Float64)?;
            let values = wide.f64()?.iter().enumerate();
            let mut others = values.filter_map(|(row, value)| {
                let value = value.filter(|value| !value.is_finite())?;
                Some((row + 1, value))
            });
            if let Some((row, value)) = others.next() {
                return Err(FrameError::NotFinite {
                    name: column.name().to_string(),
                    row,
                    value: value.to_string(),
                    more: others.count(),
                });
            }
        }
        Ok(())
    }
}

/// How long cells are together, in bytes.
pub(super) fn lengths(cells: impl Iterator<Item = impl AsRef<[u8]>>) -> u64 {
    cells.fold(0, |sum, cell| {
        sum.saturating_add(cell.as_ref().len() as u64)
    })
}

/// Refuses a file with two columns of one name, which polars calls damaged.
fn check_names(bytes: &[u8]) -> Result<(), FrameError> {
    let Ok(metadata) = ParquetReader::new(Cursor::new(bytes))
        .get_metadata()
        .cloned()
    else {
        return Ok(());
    };
    let mut seen = BTreeSet::new();
    let mut fields = metadata.schema_descr.fields().iter();
    match fields.find(|field| !seen.insert(field.name())) {
        Some(field) => Err(FrameError::Twice(field.name().to_owned())),
        None => Ok(()),
    }
}

/// Refuses columns of types that tables do not carry. What cannot be read is left to whoever reads the rest.
fn check_types(bytes: &[u8], columns: Option<&[&str]>) -> Result<(), FrameError> {
    let Ok(schema) = ParquetReader::new(Cursor::new(bytes)).schema() else {
        return Ok(());
    };
    for field in schema.iter_values() {
        let name = field.name.as_str();
        if columns.is_some_and(|wanted| !wanted.contains(&name)) {
            continue;
        }
        if let Some(dtype) = not_carried(&field.dtype, 0) {
            return Err(FrameError::UnsupportedType {
                name: name.to_owned(),
                dtype,
            });
        }
    }
    Ok(())
}

/// A type that tables do not carry, in words.
fn not_carried(dtype: &ArrowDataType, depth: usize) -> Option<String> {
    use ArrowDataType as Type;
    let words = match dtype {
        Type::Decimal(precision, scale)
        | Type::Decimal32(precision, scale)
        | Type::Decimal64(precision, scale)
        | Type::Decimal256(precision, scale) => format!("decimal({precision},{scale})"),
        Type::Timestamp(_, Some(zone)) => format!("timestamp with the time zone {zone}"),
        Type::Time32(_) | Type::Time64(_) => "time of day".to_owned(),
        Type::Duration(_) | Type::Interval(_) => "duration".to_owned(),
        // Which become JSON.
        Type::Struct(_) | Type::List(_) | Type::LargeList(_) if depth >= depth::DEPTH => {
            return Some(depth::too_deep());
        }
        Type::Struct(fields) => {
            let mut within = fields.iter();
            let (field, word) =
                within.find_map(|field| Some((field, not_carried(&field.dtype, depth + 1)?)))?;
            if word == depth::too_deep() {
                return Some(word);
            }
            format!("struct with {word} in `{}`", field.name)
        }
        Type::List(of) | Type::LargeList(of) => {
            let word = not_carried(&of.dtype, depth + 1)?;
            if word == depth::too_deep() {
                return Some(word);
            }
            format!("list of {word}")
        }
        Type::Map(..) => "map".to_owned(),
        Type::FixedSizeList(..) => "list of fixed length".to_owned(),
        Type::Binary | Type::LargeBinary | Type::BinaryView if depth == 0 => return None,
        Type::Binary | Type::LargeBinary | Type::BinaryView | Type::FixedSizeBinary(_) => {
            "binary".to_owned()
        }
        Type::Dictionary(_, values, _) => return not_carried(values, depth),
        Type::Null
        | Type::Boolean
        | Type::Int8
        | Type::Int16
        | Type::Int32
        | Type::Int64
        | Type::UInt8
        | Type::UInt16
        | Type::UInt32
        | Type::UInt64
        | Type::Float32
        | Type::Float64
        | Type::Timestamp(_, None)
        | Type::Date32
        | Type::Date64
        | Type::Utf8
        | Type::LargeUtf8
        | Type::Utf8View => return None,
        other => format!("{other:?}").to_lowercase(),
    };
    Some(words)
}
