//! A folder that a bundle was unpacked to: what the bundle knows of things that are not there, and what its specs may
//! not do before their reader says so.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::bundle::{MANIFEST, Manifest};
use crate::base::exit::{Error, Exit};
use crate::base::paths::{plain, real};
use crate::base::regular;
use crate::engine::{Absent, Loaded, TRUST};
use crate::plan::Plan;
use crate::spec::{Design, LayerKind};

/// The values that a bundle brought along from the machine that it was made on.
pub(crate) const OVERRIDES: &str = "tribunal.bundle.toml";

/// Tells specs of one project what the bundle that they came in left out. What came in one, or has a layer that did, asks
/// no server and starts no program, unless it is `trusted`, and writes nowhere but in its own folder.
pub(crate) fn settle(specs: &mut [Loaded], trusted: bool) -> Result<(), Error> {
    let Some(first) = specs.first() else {
        return Ok(());
    };
    let mut absent = absent(&first.root)?;
    let mut looked = Looked::default();
    let mut caches = specs.iter().map(|loaded| &loaded.spec.folders.cache);
    absent.strange_cache = !trusted && caches.any(|cache| looked.is_strange(cache));
    for loaded in specs.iter_mut().filter(|_| !trusted) {
        if !has_strangers_file(loaded, &mut looked) {
            continue;
        }
        absent.untrusted = true;
        stay_within(loaded)?;
        let ablations = loaded.spec.ablations.iter_mut();
        disarm(&mut loaded.spec.base);
        ablations.for_each(|(_, design)| disarm(design));
        loaded.plan = Plan::new(&loaded.spec);
    }
    let absent = Arc::new(absent);
    for loaded in specs {
        loaded.absent = Arc::clone(&absent);
    }
    Ok(())
}

/// Whether a spec, one of its layers or a script that its models obey came in a bundle: any of them can have programs
/// started, servers asked and files written.
fn has_strangers_file(loaded: &Loaded, looked: &mut Looked) -> bool {
    let stages = loaded
        .spec
        .designs()
        .flat_map(|design| design.stages.values());
    let stages = stages.flat_map(|declared| declared.variants.values());
    let read = stages.filter_map(|stage| stage.model()?.provider.local()?.reads());
    let obeyed = read
        .filter(|reads| reads.obeyed)
        .flat_map(|reads| reads.files);
    let files: BTreeSet<&PathBuf> = obeyed.chain(&loaded.files).chain([&loaded.path]).collect();
    files.into_iter().any(|file| looked.is_strange(file))
}

/// Files that were looked at, and whether they came in a bundle: specs of a folder extend the same ones.
#[derive(Default)]
struct Looked(BTreeMap<PathBuf, bool>);

impl Looked {
    fn is_strange(&mut self, file: &Path) -> bool {
        if let Some(&known) = self.0.get(file) {
            return known;
        }
        let strange = bundle_around(file).is_some();
        self.0.insert(file.to_owned(), strange);
        strange
    }
}

/// The folder of the bundle that a file came in, also where a folder within it is a project of its own.
pub(crate) fn bundle_around(file: &Path) -> Option<PathBuf> {
    let (whole, real) = (plain(file), real(file));
    let mut folders = whole.ancestors().chain(real.ancestors());
    let found = folders.find(|folder| folder.join(MANIFEST).symlink_metadata().is_ok());
    found.map(Path::to_owned)
}

/// Refuses folders to write to that a bundle's own files name, or links in them lead to, and that are not in it.
fn stay_within(loaded: &Loaded) -> Result<(), Error> {
    let spec = &loaded.spec;
    let cache = (spec.folders.cache.clone(), "v1");
    let reports = (spec.folders.reports.clone(), &*spec.name);
    for (name, (folder, below)) in [("cache", cache), ("reports", reports)] {
        let Some(bundle) = bundle_of_folder(loaded, name) else {
            continue;
        };
        let own = folder.join(below);
        let within = fs_err::read_dir(&own).into_iter().flatten().flatten();
        let within: Vec<PathBuf> = within.map(|entry| entry.path()).collect();
        let bundle = real(&bundle);
        let mut all = [folder, own].into_iter().chain(within);
        let Some(outside) = all.find(|place| !real(place).starts_with(&bundle)) else {
            continue;
        };
        return Err(Error::new(
            Exit::Spec,
            format!(
                "`paths.{name}` of a spec that came in a bundle leads out of its folder, to `{}`",
                real(&outside).display()
            ),
        )
        .hint(format!(
            "name another folder in `tribunal.local.toml`, or give `{TRUST}` if it may write there"
        )));
    }
    Ok(())
}

/// The bundle whose files say where a folder lies; none, where the reader says it.
fn bundle_of_folder(loaded: &Loaded, name: &str) -> Option<PathBuf> {
    let layers = &loaded.layers;
    // By itself it lies in the project's.
    if layers.tree().get(&["paths", name]).is_none() {
        return bundle_around(&loaded.path);
    }
    let path = ["paths".to_owned(), name.to_owned()];
    let place = layers.place_of(&path)?;
    let from = Path::new(layers.sources().name(place.source));
    let theirs = layers.layer_of(&path) <= LayerKind::With || from.ends_with(OVERRIDES);
    theirs.then(|| bundle_around(from))?
}

/// Takes the commands of programs away, which are in no key.
fn disarm(design: &mut Design) {
    let declared = design.stages.values_mut();
    for stage in declared.flat_map(|declared| declared.variants.values_mut()) {
        if let Some(program) = Arc::make_mut(stage).program() {
            program.disarm();
        }
    }
}

/// What the bundle that a project was unpacked from left out; nothing, where there is none.
pub(crate) fn absent(root: &Path) -> Result<Absent, Error> {
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
