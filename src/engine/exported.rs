//! The rows of results that become files.

use std::sync::Arc;

use crate::frame::Parted;

/// The rows of a result, as they are stored.
#[derive(Clone)]
pub enum Exported {
    /// As parquet, in memory.
    Whole(Arc<Vec<u8>>),
    /// In the cache, from where they are read part by part.
    Long(Arc<Parted<fs_err::File>>),
}

impl std::fmt::Debug for Exported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(bytes) => write!(f, "{} bytes", bytes.len()),
            Self::Long(parts) => write!(f, "{} parts", parts.rows().len()),
        }
    }
}
