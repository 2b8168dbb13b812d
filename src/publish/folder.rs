//! The folders of reports, and writing one: what the run made, without what earlier runs left there and this one does not make.
//!
//! What becomes of a file is decided in `output/report/folder`. The manifest is written before anything else changes, and names
//! what was there and what will be; so of a run that is killed the next one still knows what is ours. Nothing is removed
//! through a link.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::rows::{Made, Rows};
use super::seal::is_sealed;
use crate::base::exit::Error;
use crate::base::key::Digest;
use crate::base::regular;
use crate::base::whole::folder_of;
use crate::base::wording::some_of;
use crate::engine::Loaded;
use crate::output::report::folder::{
    Fate, MANIFEST, Manifest, OfAll, PAGE, SEALED, beside, fates, settled, stale, unsettled,
};
use crate::publish::whole;
use crate::spec::Spec;

/// Where to look for what experiments that ran together wrote: in the innermost folder that holds it all.
pub(crate) fn folder_of_all(loaded: &[Loaded]) -> PathBuf {
    match loaded {
        [one] => one.spec.report_folder(),
        several => {
            let shared = shared(several.iter().map(|one| one.spec.name.as_str()));
            shared_folder(&several[0].spec, shared)
        }
    }
}

/// The folder in that of a spec's reports which several experiments share.
pub(crate) fn shared_folder(spec: &Spec, shared: Option<&str>) -> PathBuf {
    let reports = &spec.folders.reports;
    shared.map_or_else(|| reports.clone(), |folder| reports.join(folder))
}

/// The innermost folder that experiments of these names lie in, if it is one below `experiments`.
pub(crate) fn shared<'n>(mut names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let inside = |name: &str, folder| {
        name.strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    let mut folder = names.next()?.rsplit_once('/')?.0;
    for name in names {
        while !inside(name, folder) {
            folder = folder.rsplit_once('/')?.0;
        }
    }
    Some(folder)
}

/// The name of a file of one variant, below the experiment's folder.
pub(crate) fn name_of(variant: &str, file: &str) -> String {
    match variant {
        "" => file.to_owned(),
        variant => format!("{variant}/{file}"),
    }
}

/// Makes the files of rows of an experiment, which [`Folder::write`] puts in their places.
pub(super) fn make(spec: &Spec, rows: &[Rows<'_>]) -> Result<Vec<Made>, Error> {
    let known = read(&spec.report_folder());
    let make = |rows: &Rows<'_>| {
        let path = spec.report_folder().join(&rows.name);
        fs_err::create_dir_all(folder_of(&path))?;
        let known = known.files.get(&rows.name);
        rows.make(path, known.and_then(|digest| digest.parse().ok()))
    };
    rows.iter().map(make).collect()
}

/// A file by its path below the folder, and what it holds.
pub(crate) type File = (String, Vec<u8>);

/// A report folder whose manifest has yet to say that all is written.
pub(crate) struct Folder {
    path: PathBuf,
    /// Nothing, where it says so already.
    after: Option<Manifest>,
    /// What became of files of earlier runs, in sentences.
    pub(crate) notes: Vec<String>,
}

impl Folder {
    /// A folder in which everything is as it was.
    pub(super) fn untouched(spec: &Spec) -> Self {
        Self {
            path: spec.report_folder(),
            after: None,
            notes: Vec::new(),
        }
    }

    /// Writes files and lets go of those of earlier runs; a file whose bytes would not change is left alone. `complete`
    /// says whether there are results for all that the spec asks for.
    pub(crate) fn write(
        spec: &Spec,
        files: &[File],
        rows: Vec<Made>,
        complete: bool,
    ) -> Result<Self, Error> {
        let path = spec.report_folder();
        let known = read(&path);
        let digest = |(name, bytes): &File| (name.clone(), Digest::of(bytes).to_string());
        let mut made: BTreeMap<String, String> = files.iter().map(digest).collect();
        made.extend(
            rows.iter()
                .map(|rows| (rows.name.clone(), rows.digest.to_string())),
        );
        if spec.page.wanted {
            made.insert(PAGE.to_owned(), SEALED.to_owned());
        }
        if let Some(all) = &known.all {
            made.insert(all.page.clone(), SEALED.to_owned());
        }
        // What lies beside a page is made or let go of together with it.
        let pages: Vec<String> = made.keys().map(|name| beside(name)).collect();
        let kept = pages
            .into_iter()
            .filter(|name| known.names().any(|known| known == name));
        made.extend(kept.map(|name| (name, SEALED.to_owned())));
        let fates = fates(&known, &made, &there(&path, &known, &made), complete);
        let after = settled(&known, &made, &fates);
        fs_err::create_dir_all(&path)?;
        if after != known {
            replace(&path, &unsettled(&known, &after))?;
        }
        // First, because where letters' case does not count the new file may have the old one's name.
        for (name, fate) in &fates {
            carry_out(&path, name, fate)?;
        }
        let names = files.iter().map(|(name, _)| name);
        let names = names.chain(rows.iter().map(|rows| &rows.name));
        let folders = names.filter_map(|name| name.split_once('/'));
        let mut folders: Vec<&str> = folders.map(|(folder, _)| folder).collect();
        folders.dedup();
        for folder in [""].into_iter().chain(folders) {
            let folder = path.join(folder);
            fs_err::create_dir_all(&folder)?;
            whole::clear(&folder);
        }
        for (name, bytes) in files {
            whole::replace(&path.join(name), bytes)?;
        }
        for rows in rows {
            rows.keep()?;
        }
        Ok(Self {
            notes: notes(&path, &fates),
            path,
            after: Some(after),
        })
    }

    /// Says in the manifest that all is written.
    pub(crate) fn settle(&self) -> Result<(), Error> {
        // The page of several experiments may have been written meanwhile.
        let there = read(&self.path);
        let all = there.all.clone();
        let mut after = self.after.clone().unwrap_or(there);
        if let Some(all) = &all {
            after.files.insert(all.page.clone(), SEALED.to_owned());
        }
        for page in [Some(PAGE), all.as_ref().map(|all| &*all.page)]
            .into_iter()
            .flatten()
        {
            note_beside(&self.path, page, &mut after);
        }
        replace(&self.path, &Manifest { all, ..after })
    }
}

/// Notes the judgements that lie beside a page, if any do and there is the page.
fn note_beside(folder: &Path, page: &str, manifest: &mut Manifest) {
    let judgements = beside(page);
    if manifest.files.contains_key(page) && is_sealed(&folder.join(&judgements)) {
        manifest.files.insert(judgements, SEALED.to_owned());
    } else {
        manifest.files.remove(&judgements);
    }
}

/// Notes in a folder that the page of several experiments lies there, and what it was made from.
pub(crate) fn has_page(folder: &Path, all: OfAll) -> Result<(), Error> {
    let mut manifest = read(folder);
    let aside = stale(&all.page);
    if manifest.files.remove(&aside).is_some() && is_sealed(&folder.join(&aside)) {
        remove(&folder.join(&aside))?;
    }
    manifest.files.insert(all.page.clone(), SEALED.to_owned());
    note_beside(folder, &all.page, &mut manifest);
    manifest.all = Some(all);
    replace(folder, &manifest)
}

/// Sets the page of several experiments in a folder aside, if it shows another state of one of these; hands back its
/// new name.
pub(crate) fn outdate(
    folder: &Path,
    now: &BTreeMap<String, String>,
) -> Result<Option<PathBuf>, Error> {
    let mut manifest = read(folder);
    let Some(all) = manifest.all.clone() else {
        return Ok(None);
    };
    let same = |(experiment, made_from): (&String, &String)| {
        now.get(experiment).is_none_or(|now| now == made_from)
    };
    let (page, aside) = (folder.join(&all.page), folder.join(stale(&all.page)));
    if all.records.iter().all(same) || !is_file(&page) || !is_sealed(&page) {
        return Ok(None);
    }
    if is_file(&aside) && !is_sealed(&aside) {
        remove(&page)?;
    } else {
        fs_err::rename(&page, &aside)?;
        manifest.files.insert(stale(&all.page), SEALED.to_owned());
    }
    // Nobody can serve them with that page any more.
    let judgements = beside(&all.page);
    if manifest.files.remove(&judgements).is_some() && is_sealed(&folder.join(&judgements)) {
        remove(&folder.join(&judgements))?;
    }
    manifest.files.remove(&all.page);
    manifest.all = None;
    replace(folder, &manifest)?;
    Ok(Some(aside))
}

fn read(folder: &Path) -> Manifest {
    let text = regular::read(&folder.join(MANIFEST), regular::TEXT).unwrap_or_default();
    Manifest::parse(&text)
}

fn replace(folder: &Path, manifest: &Manifest) -> Result<(), Error> {
    whole::replace(&folder.join(MANIFEST), manifest.render().as_bytes())
}

/// Digests of the files that are known and not made, and of those that stand where one of them would be set aside.
fn there(
    folder: &Path,
    known: &Manifest,
    made: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let left = known.names().filter(|name| !made.contains_key(*name));
    let names = left.flat_map(|name| [name.clone(), stale(name)]);
    let digest = |name: String| {
        let path = folder.join(&name);
        let outside = name
            .split_once('/')
            .is_some_and(|(below, _)| folder.join(below).is_symlink());
        if outside || !is_file(&path) {
            return None;
        }
        let sealed = known.names().any(|other| *other == name) && is_sealed(&path);
        let digest = if sealed {
            SEALED.to_owned()
        } else {
            Digest::of(regular::read(&path, regular::DATA).ok()?).to_string()
        };
        Some((name, digest))
    };
    names.filter_map(digest).collect()
}

/// Whether there is a file, which no link is.
fn is_file(path: &Path) -> bool {
    fs_err::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

fn carry_out(folder: &Path, name: &str, fate: &Fate) -> Result<(), Error> {
    match fate {
        Fate::Remove => remove(&folder.join(name))?,
        Fate::SetAside(aside) => fs_err::rename(folder.join(name), folder.join(aside))?,
        Fate::Stay | Fate::Leave => return Ok(()),
    }
    if let Some((below, _)) = name.split_once('/') {
        // Only where it is empty: what is not ours keeps it.
        let _ = std::fs::remove_dir(folder.join(below));
    }
    Ok(())
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs_err::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// What became of files, in sentences.
fn notes(folder: &Path, fates: &BTreeMap<String, Fate>) -> Vec<String> {
    let of = |wanted: fn(&Fate) -> bool| -> Vec<&String> {
        let names = fates.iter().filter(|(_, fate)| wanted(fate));
        names.map(|(name, _)| name).collect()
    };
    let place = folder.display();
    let mut notes = Vec::new();
    let mut say = |names: Vec<&String>, words: &str| {
        if !names.is_empty() {
            notes.push(format!("{} in {place} {words}", some_of(&names)));
        }
    };
    say(
        of(|fate| *fate == Fate::Remove),
        "removed: written by an earlier run, not by this one",
    );
    say(
        of(|fate| matches!(fate, Fate::SetAside(_))),
        "renamed to `.stale.`: from an earlier run, and this one has no such result",
    );
    say(
        of(|fate| *fate == Fate::Leave),
        "kept: written by an earlier run, edited since, no longer managed",
    );
    notes
}
