//! Writing files of reports whole or not at all (see [`whole`]), and saying why it could not be done.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::base::exit::{Error, Exit};
use crate::base::regular;
pub(crate) use crate::base::whole::clear;
use crate::base::whole::{self, Pending as Unkept};

/// Puts `bytes` at `path`; a file that holds them already is left alone.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    // What is no file, such as a pipe, is not read, and makes room.
    if regular::read(path, bytes.len() as u64).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    whole::replace(path, bytes).map_err(|error| failed(path, &error))
}

pub(crate) fn failed(path: &Path, error: &io::Error) -> Error {
    let failed = Error::new(
        Exit::Broken,
        format!("can't write `{}`: {error}", path.display()),
    );
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => failed.hint(
            "free some space, then run again: finished results are cached and only written again",
        ),
        _ => failed,
    }
}

/// A file that is written bit by bit and is not there until it is kept; dropped, it never was.
pub(crate) struct Pending<'p>(&'p Path, Unkept);

impl<'p> Pending<'p> {
    /// Begins a file that will be at `path`.
    pub(crate) fn begin(path: &'p Path) -> Result<Self, Error> {
        let begun = Unkept::begin(path).map_err(|error| failed(path, &error))?;
        Ok(Self(path, begun))
    }

    /// Where to write.
    pub(crate) fn file(&mut self) -> &mut File {
        self.1.file()
    }

    /// Puts it in its place.
    pub(crate) fn keep(self) -> Result<(), Error> {
        self.1.keep().map_err(|error| failed(self.0, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn what_stands_in_the_place_of_a_file_and_is_none_makes_room() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        for path in [pipe, link] {
            replace(&path, b"x").unwrap();
            assert_eq!(fs_err::read(&path).unwrap(), b"x");
        }
    }

    #[test]
    fn a_failure_names_the_file_that_was_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gone/a.md");
        let error = replace(&path, b"x").unwrap_err();
        assert!(error.message.contains("gone/a.md"), "{error}");
    }
}
