//! Rewriting segments without the records that are no longer wanted.
//!
//! The new segment is complete and durable before it takes the old one's name, so a kill at any
//! moment leaves the old or the new one. Records are copied as they are, in order, and only if they
//! pass their check. Must only run while the cache is held alone.

use std::collections::BTreeSet;
use std::path::Path;

use fs_err as fs;

use crate::base::key::Digest;
use crate::cache::calls::record::{self, Header};
use crate::cache::calls::scan::{self, Found};
use crate::cache::calls::segment;
use crate::cache::disk::{self, Pending};
use crate::cache::error::CacheError;

/// Rewrites those segments in `folder` that hold anything but first, intact records of keys outside `drop`.
///
/// Returns how many bytes became free.
pub(super) fn compact(folder: &Path, drop: &BTreeSet<Digest>) -> Result<u64, CacheError> {
    let mut seen = BTreeSet::new();
    let mut freed = 0;
    for (number, path) in segment::list(folder)? {
        let failed = |error| CacheError::io(&path, error);
        let file = fs::File::open(&path).map_err(failed)?;
        let before = file.metadata().map_err(failed)?.len();
        let mut records: Vec<(u64, Header)> = Vec::new();
        scan::scan(&file, 0, &mut |found| {
            if let Found::Record { offset, header } = found {
                records.push((offset, header));
            }
        })
        .map_err(failed)?;
        let mut wanted = Vec::new();
        let mut after = 0;
        for (offset, header) in records {
            let intact = || read(&file, offset, &header).is_ok_and(|record| record.is_some());
            if !drop.contains(&header.key) && !seen.contains(&header.key) && intact() {
                seen.insert(header.key);
                wanted.push((offset, header));
                after += header.length();
            }
        }
        if after == before {
            continue;
        }
        if wanted.is_empty() {
            std::mem::drop(file);
            fs::remove_file(&path).map_err(failed)?;
            // The lock file is only a convenience of writers, and there are none now.
            let _ = fs::remove_file(segment::path_of(folder, number, "lock"));
            disk::sync_folder(folder)?;
        } else {
            let mut fresh = Pending::create(&path)?;
            for (offset, header) in wanted {
                if let Some(record) = read(&file, offset, &header).map_err(failed)? {
                    fresh.write(&record)?;
                }
            }
            std::mem::drop(file);
            fresh.commit()?;
        }
        freed += before - after;
    }
    Ok(freed)
}

/// The whole record at `offset`; `None` if it was altered.
fn read(file: &fs::File, offset: u64, header: &Header) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = vec![0; header.length() as usize];
    let length = disk::read_at(file, &mut bytes, offset)?;
    bytes.truncate(length);
    Ok(record::check(&bytes).is_some().then_some(bytes))
}
