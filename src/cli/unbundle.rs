//! `tribunal unbundle`.

use std::path::{Path, PathBuf};

use super::args::UnbundleArgs;
use super::bundle::of_bundle;
use super::output::Terminal;
use crate::base::exit::{Error, Exit};
use crate::base::wording::{count, size};
use crate::cache::FORMAT;
use crate::publish::bundle::{BundleError, Manifest, unpack};

pub(super) fn run(args: &UnbundleArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let folder = match &args.into {
        Some(folder) => folder.clone(),
        None => named_as(&args.archive)?,
    };
    let unpacked =
        unpack(&args.archive, &folder, args.expect, readable).map_err(|error| match error {
            Refused::Bundle(BundleError::Occupied { path }) if path == folder => Error::new(
                Exit::Usage,
                format!("`{}` is not an empty folder", path.display()),
            )
            .hint("name one that is not there yet: `--into FOLDER`"),
            Refused::Bundle(error) => refused(&args.archive, &error),
            Refused::Other(error) => error,
        })?;
    let manifest = &unpacked.manifest;
    terminal.tell(&format!(
        "unpacked {} to {}: {}, {}\ndigest of the manifest (blake3): {}",
        count(manifest.experiments.len(), "experiment"),
        folder.display(),
        count(manifest.files.len(), "file"),
        size(manifest.bytes()),
        unpacked.digest
    ));
    if let Some(licence) = &manifest.licence {
        terminal.tell(&format!("licence: {licence}"));
    }
    let mut lines = vec!["to write the tables, without models or network:".to_owned()];
    let specs = manifest.experiments.iter();
    let mut specs: Vec<PathBuf> = specs.map(|one| folder.join(&one.spec)).collect();
    // Many of one folder are run as that folder.
    if let [first, _, _, _, ..] = specs.as_slice()
        && specs.iter().all(|spec| spec.parent() == first.parent())
        && let Some(folder) = first.parent().map(Path::to_owned)
    {
        specs = vec![folder];
    }
    lines.extend(
        specs
            .iter()
            .map(|spec| format!("  tribunal run {} --offline", spec.display())),
    );
    terminal.out(&lines.join("\n"));
    Ok(Exit::Done)
}

/// Why an archive is not unpacked.
enum Refused {
    Bundle(BundleError),
    Other(Error),
}

impl From<BundleError> for Refused {
    fn from(error: BundleError) -> Self {
        Self::Bundle(error)
    }
}

/// Whether the results in a bundle can be read.
fn readable(manifest: &Manifest) -> Result<(), Refused> {
    if manifest.cache_format == FORMAT {
        return Ok(());
    }
    let message = format!(
        "its results are of format {}, this version of tribunal reads format {FORMAT}",
        manifest.cache_format
    );
    Err(Refused::Other(Error::new(Exit::Spec, message).hint(
        format!("use tribunal {}, which wrote it", manifest.tribunal),
    )))
}

/// The folder that an archive is unpacked to where none is named: beside where the command is given,
/// with the archive's name.
fn named_as(archive: &Path) -> Result<PathBuf, Error> {
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    match name.strip_suffix(".tar.zst") {
        Some(stem) if !stem.is_empty() => Ok(PathBuf::from(stem)),
        _ => Err(Error::new(
            Exit::Usage,
            format!("`{name}` does not end in `.tar.zst`, so it names no folder to unpack to"),
        )
        .hint("name one: `--into FOLDER`")),
    }
}

/// What is wrong with an archive, and what to do about it.
fn refused(archive: &Path, error: &BundleError) -> Error {
    let message = match error {
        BundleError::Io { .. } => return of_bundle(error),
        error => format!("`{}` was not unpacked: {error}", archive.display()),
    };
    let hint = match error {
        BundleError::Damaged(_)
        | BundleError::Unsealed
        | BundleError::Altered(_)
        | BundleError::Size { .. }
        | BundleError::Missing(_) => {
            "copy or download the archive again, and compare its digest with its sender's"
        }
        BundleError::Format { .. } => "use the version of tribunal that wrote it, or a newer one",
        BundleError::Unexpected { .. } => "this is not the bundle that the digest belongs to",
        _ => "tribunal writes no such archive: do not unpack it with another program either",
    };
    Error::new(Exit::Spec, message).hint(hint)
}
