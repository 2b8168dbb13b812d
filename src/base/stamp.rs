//! Whether a file is as it was, by what the system says of it.

use std::fs::{File, Metadata};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// The longest step of a clock that file systems have (that of FAT).
const STEP: Duration = Duration::from_secs(2);

/// What the system says of a file: its length, when it was written, when anything about it was changed, in nanoseconds, and
/// its number on the disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp(u64, u64, u64, u64);

impl Stamp {
    /// What it says of this file.
    pub(crate) fn of(found: &Metadata) -> Option<Self> {
        let nanos = |time: SystemTime| {
            let since = time.duration_since(UNIX_EPOCH).ok()?;
            u64::try_from(since.as_nanos()).ok()
        };
        let modified = nanos(found.modified().ok()?)?;
        #[cfg(unix)]
        let (changed, number) = {
            use std::os::unix::fs::MetadataExt;
            let seconds = u64::try_from(found.ctime()).ok()?;
            let part = u64::try_from(found.ctime_nsec()).ok()?;
            let changed = seconds.checked_mul(1_000_000_000)?.checked_add(part)?;
            (changed, found.ino())
        };
        #[cfg(not(unix))]
        let (changed, number) = (found.created().ok().and_then(nanos).unwrap_or(0), 0);
        Some(Self(found.len(), modified, changed, number))
    }

    /// The same of an open file.
    pub(crate) fn of_file(file: &File) -> Option<Self> {
        Self::of(&file.metadata().ok()?)
    }

    /// Whether the last change is so long ago that another one would show.
    pub(crate) fn is_settled(&self, now: SystemTime) -> bool {
        let last = UNIX_EPOCH + Duration::from_nanos(self.1.max(self.2));
        now.duration_since(last).is_ok_and(|ago| ago > STEP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_shows_once_a_clock_has_made_a_step_since_the_last() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let stamp = Stamp::of_file(file.as_file()).unwrap();
        assert!(!stamp.is_settled(SystemTime::now()));
        let later = UNIX_EPOCH + Duration::from_nanos(stamp.1.max(stamp.2)) + 2 * STEP;
        assert!(stamp.is_settled(later));
        // A clock that was put back says nothing.
        assert!(!stamp.is_settled(UNIX_EPOCH));
    }
}
