//! Locks on single bytes of a file, as far as the operating system has them.
//!
//! Never waits, and never decides what to do without locks.

use fs_err as fs;

/// What the system answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The byte is ours.
    #[cfg_attr(
        not(any(target_os = "linux", target_os = "android", target_os = "macos")),
        expect(dead_code, reason = "there are no such locks here")
    )]
    Taken,
    /// Another process has it.
    #[cfg_attr(
        not(any(target_os = "linux", target_os = "android", target_os = "macos")),
        expect(dead_code, reason = "there are no such locks here")
    )]
    Held,
    /// This system or file system has no such locks.
    Unsupported,
}

/// Tries to lock the byte at `offset`.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "macos"))]
pub(super) fn try_lock(file: &fs::File, offset: u64) -> Outcome {
    use nix::errno::Errno;
    loop {
        match set(file, offset, nix::libc::F_WRLCK) {
            Ok(()) => return Outcome::Taken,
            Err(Errno::EAGAIN | Errno::EACCES) => return Outcome::Held,
            Err(Errno::EINTR) => {}
            Err(_) => return Outcome::Unsupported,
        }
    }
}

/// Releases the byte at `offset`.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "macos"))]
pub(super) fn unlock(file: &fs::File, offset: u64) {
    // Nothing to be done about a failure: the kernel releases the lock with the process.
    while set(file, offset, nix::libc::F_UNLCK) == Err(nix::errno::Errno::EINTR) {}
}

#[cfg(any(target_os = "linux", target_os = "android", target_os = "macos"))]
fn set(file: &fs::File, offset: u64, kind: nix::libc::c_int) -> nix::Result<()> {
    use nix::fcntl::{FcntlArg, fcntl};
    use nix::libc;
    let range = libc::flock {
        l_type: kind as libc::c_short,
        l_whence: libc::SEEK_SET as libc::c_short,
        l_start: libc::off_t::try_from(offset).unwrap_or(libc::off_t::MAX - 1),
        l_len: 1,
        l_pid: 0,
    };
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let request = FcntlArg::F_OFD_SETLK(&range);
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let request = FcntlArg::F_SETLK(&range);
    fcntl(file.file(), request).map(drop)
}

/// Only threads exclude each other here.
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "macos")))]
pub(super) fn try_lock(_file: &fs::File, _offset: u64) -> Outcome {
    Outcome::Unsupported
}

/// Nothing was locked.
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "macos")))]
pub(super) fn unlock(_file: &fs::File, _offset: u64) {}
