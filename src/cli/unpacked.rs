//! A folder that a bundle was unpacked to: what the bundle knows of things that are not there, and what its specs may
//! not do before their reader says so.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::exit::{Error, Exit};
use super::load::Loaded;
use crate::base::regular;
use crate::engine::{Absent, TRUST};
use crate::publish::bundle::{MANIFEST, Manifest};
use crate::spec::{Design, LayerKind, tidy};
use crate::stage::Stage;

/// The values that a bundle brought along from the machine that it was made on.
pub(super) const OVERRIDES: &str = "tribunal.bundle.toml";

/// Tells specs of one project what the bundle that they came in left out. What came in one asks no server and starts no
/// program, unless it is `trusted`, and writes nowhere but in its own folder.
pub(super) fn settle(specs: &mut [Loaded], trusted: bool) -> Result<(), Error> {
    let Some(first) = specs.first() else {
        return Ok(());
    };
    let mut absent = absent(&first.root)?;
    if !trusted {
        for loaded in &mut *specs {
            let Some(bundle) = bundle_around(&loaded.path) else {
                continue;
            };
            absent.untrusted = true;
            stay_within(loaded, &bundle)?;
            let ablations = loaded.spec.ablations.iter_mut();
            disarm(&mut loaded.spec.base);
            ablations.for_each(|(_, design)| disarm(design));
        }
    }
    let absent = Arc::new(absent);
    for loaded in specs {
        loaded.absent = Arc::clone(&absent);
    }
    Ok(())
}

/// The folder of the bundle that a spec came in, also where a folder within it is a project of its own.
fn bundle_around(spec: &Path) -> Option<PathBuf> {
    let whole = absolute(spec);
    let real = fs_err::canonicalize(spec).unwrap_or_else(|_| whole.clone());
    let mut folders = whole.ancestors().chain(real.ancestors());
    let found = folders.find(|folder| folder.join(MANIFEST).symlink_metadata().is_ok());
    found.map(Path::to_owned)
}

/// Refuses folders to write to that the bundle's own files name and that are not in it.
fn stay_within(loaded: &Loaded, bundle: &Path) -> Result<(), Error> {
    let layers = &loaded.layers;
    let folders = &loaded.spec.folders;
    for (name, folder) in [("cache", &folders.cache), ("reports", &folders.reports)] {
        let path = ["paths".to_owned(), name.to_owned()];
        let from = layers.place_of(&path);
        let from = from.map(|place| Path::new(layers.sources().name(place.source)).to_owned());
        let brought = from.is_some_and(|from| from.ends_with(OVERRIDES));
        let own = layers.layer_of(&path) >= LayerKind::With && !brought;
        if own || absolute(folder).starts_with(absolute(bundle)) {
            continue;
        }
        return Err(Error::new(
            Exit::Spec,
            format!(
                "`paths.{name}` of a spec that came in a bundle leads out of its folder, to `{}`",
                folder.display()
            ),
        )
        .hint(format!(
            "name another folder in `tribunal.local.toml`, or give `{TRUST}` if it may write there"
        )));
    }
    Ok(())
}

/// Takes the commands of programs away, which are in no key.
fn disarm(design: &mut Design) {
    let declared = design.stages.values_mut();
    for stage in declared.flat_map(|declared| declared.variants.values_mut()) {
        if matches!(**stage, Stage::Measure(_) | Stage::Manipulate(_)) {
            let annotator = match Arc::make_mut(stage) {
                Stage::Measure(measure) => measure.annotator.as_mut(),
                Stage::Manipulate(manipulate) => manipulate.annotator.as_mut(),
                _ => None,
            };
            if let Some(annotator) = annotator {
                annotator.disarm();
            }
        }
    }
}

fn absolute(path: &Path) -> PathBuf {
    let path = Path::new(".").join(path);
    tidy(&std::path::absolute(&path).unwrap_or(path))
}

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
