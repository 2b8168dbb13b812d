//! The checksums of the pages of parquet files. polars does not look at them, and a damaged number is a number.
//!
//! A page without a checksum is taken as it is: most writers leave them out unless they are told otherwise.

use std::ops::Range;

use polars_parquet_format::PageHeader;
use polars_parquet_format::thrift::protocol::TCompactInputProtocol;

use super::FrameError;
use super::parquet::places;

/// The longest header of a page that is read, in bytes: the smallest and largest value stand in it.
const LONGEST_HEADER: usize = 1 << 20;

/// Compares the pages of some columns, or of all, with the checksums that they have.
pub(super) fn check(bytes: &[u8], columns: Option<&[&str]>) -> Result<(), FrameError> {
    let wanted = |name: &str| columns.is_none_or(|columns| columns.contains(&name));
    // What cannot be read is left to whoever reads the rest.
    for (name, place) in places(bytes, wanted).unwrap_or_default() {
        if are_damaged(bytes, place).unwrap_or(false) {
            return Err(FrameError::Damaged(format!(
                "a page of column `{name}` is not what its checksum says"
            )));
        }
    }
    Ok(())
}

/// Whether a page between two places has a checksum that is not its own; none where they cannot be told apart.
fn are_damaged(bytes: &[u8], place: Range<u64>) -> Option<bool> {
    let place = usize::try_from(place.start).ok()?..usize::try_from(place.end).ok()?;
    let mut rest = bytes.get(place)?;
    while !rest.is_empty() {
        let mut input = TCompactInputProtocol::new(&mut rest, LONGEST_HEADER);
        let header = PageHeader::read_from_in_protocol(&mut input).ok()?;
        let length = usize::try_from(header.compressed_page_size).ok()?;
        let (page, after) = rest.split_at_checked(length)?;
        if let Some(sum) = header.crc
            && sum.cast_unsigned() != crc32fast::hash(page)
        {
            return Some(true);
        }
        rest = after;
    }
    Some(false)
}
