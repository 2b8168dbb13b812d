//! Things as they are compressed, and what they are known by.

use std::cell::RefCell;
use std::io::{self, Read as _};

use flate2::bufread::GzDecoder;
use libdeflater::{CompressionLvl, Compressor};

/// What a thing is known by. Of a million things there is one such for each in memory, so it is as long as it must be.
pub(super) type Known = [u8; 16];

/// What equal things are known by.
pub(super) fn known(json: &[u8]) -> Known {
    let mut known = Known::default();
    known.copy_from_slice(&blake3::hash(json).as_bytes()[..16]);
    known
}

/// How hard it is compressed. At level 4 a page takes 5 % less room, and a fifth more time; at level 1 it takes 4 % more, and a
/// quarter less. At those above 7 and below 2 the head is another.
const LEVEL: i32 = 2;

/// What every chunk begins with: no time, no name, no sort of system.
const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

thread_local! {
    /// Made once for each thread, and not for each chunk.
    static COMPRESSOR: RefCell<Compressor> =
        RefCell::new(Compressor::new(CompressionLvl::new(LEVEL).unwrap_or_default()));
}

/// The JSON compressed: without a time or a name in its head, so that the bytes follow from the JSON. The script of the page
/// (`unpack.js`) reads no other heads.
pub(super) fn gzip(json: &[u8]) -> Vec<u8> {
    COMPRESSOR.with_borrow_mut(|compressor| {
        let mut packed = vec![0; compressor.gzip_compress_bound(json.len())];
        // There is room for whatever comes out.
        let length = compressor.gzip_compress(json, &mut packed);
        packed.truncate(length.unwrap_or_default());
        packed
    })
}

/// What was [packed](gzip), if that is no more than so much, and nothing else stands before or behind it.
pub(super) fn gunzip(gzip: &[u8], most: usize) -> io::Result<Vec<u8>> {
    let no = || io::Error::from(io::ErrorKind::InvalidData);
    if !gzip.starts_with(&HEAD) {
        return Err(no());
    }
    let mut decoder = GzDecoder::new(gzip);
    let mut bytes = Vec::new();
    (&mut decoder)
        .take(most as u64 + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() > most || !decoder.get_ref().is_empty() {
        return Err(no());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, GzBuilder};

    use super::*;

    #[test]
    fn what_was_packed_comes_back_and_nothing_that_was_packed_otherwise() {
        let json = b"[\"a lamp\"]".repeat(100);
        let packed = gzip(&json);
        assert_eq!(gunzip(&packed, json.len()).unwrap(), json);
        assert!(gunzip(&packed, json.len() - 1).is_err());
        assert!(gunzip(&[&packed[..], b"x"].concat(), json.len()).is_err());
        assert!(gunzip(&packed[..packed.len() - 1], json.len()).is_err());
        let mut named = GzBuilder::new()
            .filename("a")
            .write(Vec::new(), Compression::default());
        named.write_all(&json).unwrap();
        assert!(gunzip(&named.finish().unwrap(), json.len()).is_err());
        // A bomb costs no more than what was expected.
        let bomb = gzip(&vec![0; 1 << 24]);
        assert!(gunzip(&bomb, 100).is_err());
    }
}
