//! The footer of parquet files, which says what stands where.

use polars_parquet_format::FileMetaData;
use polars_parquet_format::thrift::protocol::TCompactInputProtocol;

/// The length of the footer and the mark, in bytes.
pub(super) const TAIL: usize = 8;

/// What stands in the footer of a file; nothing, where it cannot be read.
pub(super) fn parse(mut footer: &[u8]) -> Option<FileMetaData> {
    // As polars has it: what is read takes more than what is written.
    let most = footer.len().saturating_mul(128) + 1024;
    let mut input = TCompactInputProtocol::new(&mut footer, most);
    FileMetaData::read_from_in_protocol(&mut input).ok()
}
