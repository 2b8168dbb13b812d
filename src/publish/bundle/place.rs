//! The folder that a bundle is unpacked to: it is there whole, or as it was.
//!
//! Files go to a temporary folder on the same file system, which is renamed when all is right.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::error::{BundleError, MANIFEST};

/// Where a bundle is to stand.
pub(super) struct Place {
    folder: PathBuf,
    /// Whether the folder is there already, and empty.
    there: bool,
}

impl Place {
    /// A folder that is not there yet, or is empty.
    ///
    /// # Errors
    /// When it is something else.
    pub(super) fn of(folder: &Path) -> Result<Self, BundleError> {
        let there = match fs_err::read_dir(folder) {
            Ok(mut entries) => {
                if entries.next().is_some() {
                    return Err(BundleError::Occupied {
                        path: folder.to_owned(),
                    });
                }
                true
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // A link that leads nowhere is found when it is not followed.
                if folder.symlink_metadata().is_ok() {
                    return Err(BundleError::Occupied {
                        path: folder.to_owned(),
                    });
                }
                false
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(BundleError::Occupied {
                    path: folder.to_owned(),
                });
            }
            Err(error) => return Err(BundleError::io(folder, &error)),
        };
        Ok(Self {
            folder: folder.to_owned(),
            there,
        })
    }

    /// A temporary folder for the files: within an empty folder, which may be somebody's current one
    /// and is not replaced, or else beside the folder to come.
    pub(super) fn begin(&self) -> Result<TempDir, BundleError> {
        let io = |error: io::Error| BundleError::io(&self.folder, &error);
        let within = if self.there {
            self.folder.clone()
        } else {
            let absolute = std::path::absolute(&self.folder).map_err(io)?;
            absolute.parent().map_or(absolute.clone(), Path::to_owned)
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".tribunal-");
        #[cfg(unix)]
        let permissions = {
            // It becomes the folder itself, with the rights of any new one.
            use std::os::unix::fs::PermissionsExt;
            std::fs::Permissions::from_mode(0o777)
        };
        #[cfg(unix)]
        builder.permissions(permissions);
        builder.tempdir_in(within).map_err(io)
    }

    /// Gives the files their place.
    pub(super) fn finish(self, unpacked: TempDir) -> Result<(), BundleError> {
        let io = |error: io::Error| BundleError::io(&self.folder, &error);
        if !self.there {
            fs_err::rename(unpacked.path(), &self.folder).map_err(io)?;
            // It is where it belongs: nothing is to be removed any more.
            let _ = unpacked.keep();
            return Ok(());
        }
        let entries = fs_err::read_dir(unpacked.path()).map_err(io)?;
        let mut names = entries
            .map(|entry| Ok(entry?.file_name()))
            .collect::<Result<Vec<_>, io::Error>>()
            .map_err(io)?;
        // A folder with a manifest is one that was unpacked whole.
        names.sort_by_key(|name| name == MANIFEST);
        let mut moved: Vec<PathBuf> = Vec::new();
        for name in names {
            let place = self.folder.join(&name);
            if let Err(error) = fs_err::rename(unpacked.path().join(&name), &place) {
                for place in &moved {
                    let _ = fs_err::remove_dir_all(place).or_else(|_| fs_err::remove_file(place));
                }
                return Err(io(error));
            }
            moved.push(place);
        }
        Ok(())
    }
}
