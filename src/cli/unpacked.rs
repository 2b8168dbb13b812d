//! A folder that a bundle was unpacked to: what the bundle knows of things that are not there.

use std::path::Path;

use super::exit::{Error, Exit};
use crate::bundle::{MANIFEST, Manifest};
use crate::engine::Absent;
use crate::regular;

/// The values that a bundle brought along from the machine that it was made on.
pub(super) const OVERRIDES: &str = "tribunal.bundle.toml";

/// What the bundle that a project was unpacked from left out; nothing, where there is none.
pub(super) fn absent(root: &Path) -> Result<Absent, Error> {
    let path = root.join(MANIFEST);
    let bytes = match regular::read(&path, regular::TEXT) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Absent::default()),
        Err(error) => {
            let message = format!("cannot read `{}`: {error}", path.display());
            return Err(Error::new(Exit::Broken, message));
        }
    };
    let manifest = Manifest::from_bytes(&bytes).map_err(|error| {
        Error::new(Exit::Spec, format!("`{}`: {error}", path.display()))
            .hint("unpack the bundle again, into another folder")
    })?;
    let root = std::path::absolute(if root.as_os_str().is_empty() {
        Path::new(".")
    } else {
        root
    })?;
    let mut absent = Absent::default();
    absent.books = manifest.books;
    absent.results = manifest.withheld;
    absent.without_replies = !manifest.replies;
    for input in manifest.inputs {
        let files = input.files.into_iter();
        let files = files.map(|file| (file.path, file.digest)).collect();
        absent.add_files(&root, &input.pattern, files);
    }
    Ok(absent)
}
