//! What the file system of a folder can do for processes on several machines: tried, not guessed.

use std::fs::TryLockError;
use std::io;
use std::path::Path;

use fs_err as fs;

use super::claims::Claims;

/// What a file system can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Its sort, such as `nfs4` or `lustre`, where the system says.
    pub sort: Option<String>,
    /// Whether only one of two can make a file: what claims on calls rest on.
    pub makes_once: bool,
    /// Whether a file takes the place of another in one step.
    pub replaces: bool,
    /// Whether files can be locked at all.
    pub locks: bool,
    /// Whether other machines see the same folder, as far as the sort tells.
    pub shared: Shared,
}

/// Whether other machines see a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// They do.
    Yes,
    /// They do not: a disk of this machine, or its memory.
    No,
    /// The sort does not tell.
    Unknown,
}

/// Tries a folder out, with files of its own that are removed again.
///
/// # Errors
/// When nothing can be written there.
pub fn examine(folder: &Path) -> io::Result<Abilities> {
    let own = tempfile::Builder::new()
        .prefix(".tmp-trial")
        .tempdir_in(folder)?;
    let claims = Claims::at(own.path().to_owned());
    let first = claims.take("trial", None, "one")?;
    let second = claims.take("trial", None, "two")?;
    let (old, new) = (own.path().join("old"), own.path().join("new"));
    fs::write(&old, "old")?;
    fs::write(&new, "new")?;
    let replaces =
        fs::rename(&new, &old).is_ok() && fs::read_to_string(&old)? == "new" && !new.exists();
    let locked = fs::File::create(own.path().join("lock"))?;
    let locks = !matches!(locked.file().try_lock(), Err(TryLockError::Error(_)));
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let real = fs::canonicalize(folder)?;
    let sort = sort_of(&mounts, &real);
    Ok(Abilities {
        makes_once: first.is_some() && second.is_none(),
        replaces,
        locks,
        shared: sort.as_deref().map_or(Shared::Unknown, shared),
        sort,
    })
}

/// The sort of file system that a path lies on, from the list of mounts.
fn sort_of(mounts: &str, path: &Path) -> Option<String> {
    let lines = mounts.lines().filter_map(|line| {
        let mut fields = line.split(' ');
        let at = fields.nth(1)?.replace("\\040", " ");
        Some((at, fields.next()?.to_owned()))
    });
    // Of those on the way the deepest, and of two at one place the later.
    let found = lines.filter(|(at, _)| path.starts_with(at));
    found.max_by_key(|(at, _)| at.len()).map(|(_, sort)| sort)
}

fn shared(sort: &str) -> Shared {
    const NETWORK: [&str; 14] = [
        "nfs",
        "nfs4",
        "lustre",
        "gpfs",
        "beegfs",
        "ceph",
        "cifs",
        "smb3",
        "glusterfs",
        "fuse.glusterfs",
        "orangefs",
        "panfs",
        "wekafs",
        "fuse.sshfs",
    ];
    const LOCAL: [&str; 10] = [
        "ext2", "ext3", "ext4", "xfs", "btrfs", "tmpfs", "zfs", "overlay", "f2fs", "ramfs",
    ];
    match sort {
        sort if NETWORK.contains(&sort) => Shared::Yes,
        sort if LOCAL.contains(&sort) => Shared::No,
        _ => Shared::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_of_this_machine_can_do_all_that_claims_need() {
        let folder = tempfile::tempdir().unwrap();
        let can = examine(folder.path()).unwrap();
        assert!(can.makes_once && can.replaces, "{can:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_deepest_mount_says_which_sort_it_is() {
        let mounts = "\
/dev/sda1 / ext4 rw 0 0
server:/home /home nfs4 rw,vers=4.2 0 0
tmpfs /home/me/fast\\040disk tmpfs rw 0 0
scratch@tcp:/scratch /scratch lustre rw,flock 0 0
";
        let cases = [
            ("/var/x", Some("ext4"), Shared::No),
            ("/home/me/project/cache", Some("nfs4"), Shared::Yes),
            ("/home/me/fast disk/cache", Some("tmpfs"), Shared::No),
            ("/scratch/cache", Some("lustre"), Shared::Yes),
        ];
        for (path, sort, is_shared) in cases {
            let found = sort_of(mounts, Path::new(path));
            assert_eq!(found.as_deref(), sort, "{path}");
            assert_eq!(found.as_deref().map(shared), Some(is_shared), "{path}");
        }
        assert_eq!(sort_of("", Path::new("/x")), None);
        assert_eq!(shared("zzz"), Shared::Unknown);
    }
}
