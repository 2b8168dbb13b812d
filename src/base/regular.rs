//! Reading files that are files: not devices and pipes, which have no end, nor what the system shows of itself as files,
//! and no more than a caller can use.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use crate::base::wording::size;

/// The largest spec, or file that a spec extends: some hundred thousand lines.
pub const SPEC: u64 = 4_000_000;

/// The largest template. What is long belongs into a column.
pub const TEMPLATE: u64 = 1_000_000;

/// The largest file of printed values, notes, schemas and the like.
pub const TEXT: u64 = 64_000_000;

/// Files of data: whatever memory holds.
pub const DATA: u64 = u64::MAX;

/// Folders in which a system shows processes, devices and itself: what stands there changes while it is read, and the
/// environment of a process, with its keys, is a file like any other.
const SYSTEM: [&str; 3] = ["/proc", "/sys", "/dev"];

/// The one folder among them where people keep files, in memory.
const MEMORY: &str = "/dev/shm";

/// Whether a path leads to what the system shows of itself, once links are followed.
///
/// # Errors
/// When it leads nowhere.
pub fn is_of_system(path: &Path) -> io::Result<bool> {
    if cfg!(not(unix)) {
        return Ok(false);
    }
    let real = std::fs::canonicalize(path)?;
    Ok(SYSTEM.iter().any(|folder| real.starts_with(folder)) && !real.starts_with(MEMORY))
}

/// The bytes of a file, of which there may be `most`.
///
/// # Errors
/// What the system says; or that it is no file, before it is opened, since opening a pipe would wait; or that it is
/// larger than that. The path is in none of it.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    let mut content = Vec::new();
    if length <= most {
        content.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))?;
        // What grows while it is read, or does not say how long it is.
        file.take(most.saturating_add(1))
            .read_to_end(&mut content)?;
    }
    if length > most || content.len() as u64 > most {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it is larger than {}", size(most)),
        ));
    }
    Ok(content)
}

/// A file, opened to be read.
///
/// # Errors
/// As [`read`].
pub fn open(path: &Path) -> io::Result<File> {
    check(&std::fs::metadata(path)?)?;
    if is_of_system(path)? {
        let what = "nothing is read from `/proc`, `/sys` and `/dev`, where the system shows itself";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
    }
    let mut options = OpenOptions::new();
    options.read(true);
    // Should a pipe have taken its place by now, opening it does not wait.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        nix::fcntl::OFlag::O_NONBLOCK.bits(),
    );
    let file = options.open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

fn check(found: &std::fs::Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    if found.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "it is a folder",
        ));
    }
    let what = "it is a device, a pipe or a socket, not a file";
    Err(io::Error::new(io::ErrorKind::InvalidInput, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        let error = read(&path, 4).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "it is larger than 0.0 kB");
        let error = read(folder.path(), 4).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
    }

    #[test]
    #[cfg(unix)]
    fn devices_and_pipes_are_refused_and_nothing_waits_for_them() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        for path in [&pipe, &link] {
            let error = read(path, DATA).unwrap_err();
            assert_eq!(
                error.to_string(),
                "it is a device, a pipe or a socket, not a file"
            );
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_the_system_shows_of_itself_is_not_read_by_any_name() {
        let folder = tempfile::tempdir().unwrap();
        for (name, leads_to) in [("file", "/proc/self/environ"), ("folder", "/proc/self")] {
            std::os::unix::fs::symlink(leads_to, folder.path().join(name)).unwrap();
        }
        for path in [
            "file",
            "folder/environ",
            "/proc/self/maps",
            "/sys/kernel/uevent_seqnum",
        ] {
            let path = folder.path().join(path);
            if !path.exists() {
                continue;
            }
            let said = read(&path, DATA).unwrap_err().to_string();
            assert!(said.starts_with("nothing is read from `/proc`"), "{said}");
            assert!(is_of_system(&path).unwrap());
        }
        assert!(!is_of_system(folder.path()).unwrap());
        assert!(is_of_system(Path::new("/dev")).unwrap());
        if Path::new(MEMORY).is_dir() {
            assert!(!is_of_system(Path::new(MEMORY)).unwrap());
        }
    }
}
