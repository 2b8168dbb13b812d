//! `tribunal bundle`: everything that finished experiments need, in one archive.

use std::path::{Path, PathBuf};

use super::args::BundleArgs;
use super::forecast::Told;
use super::output::Terminal;
use super::specs::load_all;
use crate::base::exit::{Error, Exit};
use crate::base::regular;
use crate::base::wording::{count, size};
use crate::publish::bundle::{BundleError, What, Written, write};
use crate::publish::{Collected, Wanted, collect};

pub(super) fn run(args: &BundleArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let loaded = load_all(&args.spec, terminal)?;
    let output = output(args)?;
    if output.exists() {
        return Err(of_bundle(&BundleError::Occupied { path: output }));
    }
    let wanted = Wanted {
        texts: args.with_texts,
        replies: !args.without_replies,
        licence: licence(args)?,
    };
    let told = Told::new(true, terminal);
    let collected = collect(&wanted, &loaded, &output, &told.sink());
    told.tell(terminal);
    let Collected {
        head,
        drafts,
        replies,
        _open,
    } = collected?;
    let written = write(&output, head, drafts).map_err(|error| of_bundle(&error))?;
    terminal.tell(&outcome(&output, &written, replies));
    Ok(Exit::Done)
}

/// What was written, and what the receiver should know of it.
fn outcome(output: &Path, written: &Written, replies: usize) -> String {
    let manifest = &written.manifest;
    let mut lines = vec![format!(
        "wrote {}: {}, {}, {}",
        output.display(),
        count(manifest.experiments.len(), "experiment"),
        count(manifest.files.len(), "file"),
        size(written.bytes)
    )];
    let rows = manifest
        .files
        .iter()
        .filter(|item| item.what == What::Result);
    let rows = count(rows.count(), "result");
    let left_out = manifest.withheld.len();
    lines.push(match (manifest.texts, left_out) {
        (true, 0) => format!("{rows}, also those that hold texts"),
        (_, 0) => rows,
        (true, _) => format!("{rows}; left out: {left_out} that hold replies"),
        (false, _) if manifest.replies => format!("{rows}; left out: {left_out} that hold texts"),
        (false, _) => format!("{rows}; left out: {left_out} that hold texts or replies"),
    });
    if manifest.replies {
        let calls = if replies > 0 {
            format!("{} of models", count(replies, "stored reply"))
        } else {
            "rows of judges".to_owned()
        };
        lines.push(format!(
            "{calls} included: what models say may quote the texts (`--without-replies` leaves them out)"
        ));
    }
    let files: usize = manifest.inputs.iter().map(|input| input.files.len()).sum();
    if files > 0 {
        lines.push(format!(
            "{} that the results were made from: by digest, not included",
            count(files, "file")
        ));
    }
    lines.push(format!(
        "digest of the manifest (blake3): {}",
        written.digest
    ));
    lines.join("\n")
}

/// Where the archive goes.
fn output(args: &BundleArgs) -> Result<PathBuf, Error> {
    if let Some(output) = &args.output {
        return Ok(output.clone());
    }
    let name = match &args.spec.specs[..] {
        [spec] => spec.file_stem().map(ToOwned::to_owned),
        _ => {
            let first = args
                .spec
                .specs
                .first()
                .map(|spec| super::project::root_of(spec));
            let root = std::path::absolute(first.unwrap_or_default().join("."))?;
            root.file_name().map(ToOwned::to_owned)
        }
    };
    let name = name.unwrap_or_else(|| "experiments".into());
    Ok(PathBuf::from(format!("{}.tar.zst", name.to_string_lossy())))
}

/// The licence that the arguments state: a sentence, or what a file holds.
fn licence(args: &BundleArgs) -> Result<Option<String>, Error> {
    let Some(licence) = &args.licence else {
        return Ok(None);
    };
    let text = if Path::new(licence).is_file() {
        let bytes = regular::read(licence.as_ref(), regular::TEXT)?;
        String::from_utf8(bytes).map_err(std::io::Error::other)?
    } else {
        licence.clone()
    };
    match text.trim() {
        "" => Err(Error::new(Exit::Usage, "the licence is empty")),
        text => Ok(Some(text.to_owned())),
    }
}

/// An error about a bundle as the command shows it.
pub(super) fn of_bundle(error: &BundleError) -> Error {
    match error {
        BundleError::Occupied { .. } => Error::new(Exit::Usage, error.to_string())
            .hint("remove it, or name another file with `--output`"),
        BundleError::Io { .. } => Error::new(Exit::Broken, error.to_string()),
        BundleError::Changed { .. } => Error::new(Exit::Broken, error.to_string())
            .hint("wait until nothing writes to it, then bundle again"),
        BundleError::Path { .. } | BundleError::Collides { .. } | BundleError::Repository(_) => {
            Error::new(Exit::Spec, error.to_string())
                .hint("rename it: a bundle must unpack on every system")
        }
        error => Error::new(Exit::Broken, error.to_string()),
    }
}
