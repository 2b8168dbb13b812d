//! Which columns of a stored table are read.

use std::collections::BTreeSet;

use fs_err as fs;

use crate::frame::{Frame, FrameError};

/// Columns of a table.
#[derive(Debug)]
pub(super) enum Pick {
    /// Those of these that there are.
    Only(Vec<String>),
    /// All but these.
    But(BTreeSet<&'static str>),
}

impl Pick {
    /// These columns of a table that is in memory.
    pub(super) fn of(&self, frame: &Frame) -> Frame {
        match self {
            Self::Only(names) => frame.only(&names.iter().map(String::as_str).collect()),
            Self::But(names) => frame.without(&names.iter().copied().collect::<Vec<_>>()),
        }
    }

    /// These columns of a table in a file, of which no more is read than holds them.
    ///
    /// # Errors
    /// When the file is damaged.
    pub(super) fn read(&self, file: &fs::File) -> Result<Frame, FrameError> {
        match self {
            Self::Only(names) => Frame::from_parquet_file(file, &all(names)),
            Self::But(over) => {
                let mut names = Frame::names_in_parquet(file)?;
                names.retain(|name| !over.contains(name.as_str()));
                Frame::from_parquet_file(file, &all(&names))
            }
        }
    }

    /// Their names, if it is known by them which they are.
    pub(super) fn names(&self) -> Option<Vec<&str>> {
        match self {
            Self::Only(names) => Some(all(names)),
            Self::But(_) => None,
        }
    }
}

fn all(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}
