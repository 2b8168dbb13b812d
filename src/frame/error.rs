//! What can go wrong with a table.

use thiserror::Error;

use crate::base::failure::Failure;
use crate::base::wording::{count, did_you_mean, nearest, there_are};

/// A table could not be read, built or used as asked.
#[derive(Debug, Error)]
pub enum FrameError {
    /// A column that is needed is not there.
    #[error("there is no column `{name}`{}", instead(name, known))]
    NoColumn {
        /// The column asked for.
        name: String,
        /// The columns there are.
        known: Vec<String>,
    },
    /// A column holds another type than the one it is used as.
    #[error("column `{name}` holds {found}, not {wanted}")]
    WrongType {
        /// The column.
        name: String,
        /// What it holds.
        found: String,
        /// What is needed.
        wanted: &'static str,
    },
    /// A column of a type that tables do not carry.
    #[error(
        "column `{name}` has the unsupported type {dtype}: store it as text or number, or leave it out"
    )]
    UnsupportedType {
        /// The column.
        name: String,
        /// Its type.
        dtype: String,
    },
    /// A column with numbers that are none.
    #[error(
        "column `{name}` holds {value} in row {row}{}, which is not a number: store null where there is no value, or leave the column out",
        also(*more)
    )]
    NotFinite {
        /// The column.
        name: String,
        /// 1-based row of the first.
        row: usize,
        /// `NaN`, `inf` or `-inf`.
        value: String,
        /// In how many other rows there are such.
        more: usize,
    },
    /// A column of lists with numbers that are none.
    #[error(
        "column `{name}` holds {value} in a list, which is not a number: store null where there is no value, or leave the column out"
    )]
    NotFiniteInList {
        /// The column.
        name: String,
        /// `NaN`, `inf` or `-inf`.
        value: String,
    },
    /// A csv record that does not fit the header.
    #[error("line {line}: {message}")]
    Line {
        /// 1-based line number.
        line: u64,
        /// What is wrong there.
        message: String,
    },
    /// Bytes that are not UTF-8.
    #[error("not UTF-8 text: byte {byte} (line {line}) is 0x{value:02x}{}", utf16(*byte, *value))]
    NotUtf8 {
        /// Offset of the first bad byte.
        byte: usize,
        /// 1-based line it stands in.
        line: usize,
        /// The byte.
        value: u8,
    },
    /// More rows than a table can address.
    #[error("a table holds at most 4294967295 rows")]
    TooManyRows,
    /// Two columns of one name.
    #[error("column `{0}` appears twice")]
    Twice(String),
    /// Bytes that are no parquet file, and how that shows.
    #[error("not a parquet file: {0}")]
    NotParquet(&'static str),
    /// A parquet file that cannot be read, and why.
    #[error("the parquet file is damaged: {0}")]
    Damaged(String),
    /// A file of the cache that somebody wrote to while it was read.
    #[error("`{0}` was changed while it was read")]
    Changed(String),
    /// A parquet file that takes more to be read than its length lets expect.
    #[error(
        "reading the parquet file takes {0}: it is damaged, or stands for more rows than can be held"
    )]
    TooLarge(String),
    /// A table that cannot be written as text, and why.
    #[error("the table cannot be written: {0}")]
    Write(String),
    /// What polars refused.
    #[error("{0}")]
    Polars(#[from] polars::error::PolarsError),
}

/// In how many more rows.
fn also(more: usize) -> String {
    match more {
        0 => String::new(),
        _ => format!(" and in {}", count(more, "other")),
    }
}

/// The column that was meant, or all there are.
fn instead(name: &str, known: &[String]) -> String {
    match nearest(name, known) {
        Some(_) => did_you_mean(name, known),
        None => format!("; {}", there_are("column", "columns", known)),
    }
}

/// What a file says of itself that begins with the byte order mark of another encoding.
fn utf16(byte: usize, value: u8) -> &'static str {
    if byte == 0 && (0xfe..).contains(&value) {
        ", as UTF-16 begins"
    } else {
        ""
    }
}

impl FrameError {
    /// Decodes UTF-8, naming the first byte that is not; a byte order mark is dropped.
    ///
    /// # Errors
    /// [`FrameError::NotUtf8`].
    pub fn decode(bytes: &[u8]) -> Result<&str, Self> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let byte = error.valid_up_to();
            Self::NotUtf8 {
                byte,
                line: String::from_utf8_lossy(&bytes[..byte])
                    .matches('\n')
                    .count()
                    + 1,
                value: bytes[byte],
            }
        })?;
        Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
    }
}

impl From<FrameError> for Failure {
    fn from(error: FrameError) -> Self {
        let failure = Self::new(error.to_string());
        match error {
            FrameError::TooLarge(_) => failure.hint(
                "read it with the program that made it, and store it as jsonl or in several files",
            ),
            FrameError::Changed(_) => {
                failure.hint("run again: what was changed is found and made again")
            }
            FrameError::Damaged(_) => failure.hint("copy or download the file again"),
            FrameError::NotParquet(_) => {
                failure.hint("write the table as parquet, or correct the file's ending")
            }
            FrameError::NotUtf8 { .. } => failure.hint("save the file as UTF-8 text"),
            FrameError::NoColumn { .. }
            | FrameError::WrongType { .. }
            | FrameError::UnsupportedType { .. }
            | FrameError::NotFinite { .. }
            | FrameError::NotFiniteInList { .. }
            | FrameError::Line { .. }
            | FrameError::Twice(_)
            | FrameError::TooManyRows
            | FrameError::Write(_)
            | FrameError::Polars(_) => failure,
        }
    }
}
