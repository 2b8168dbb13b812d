//! What an earlier run drew, if it would be drawn the same and nobody has touched the files: then nothing is drawn.
//!
//! As git's index has it: from what it was drawn and by which program, and what the system says of each file. That is noted
//! before the files are compared with what was drawn, and only of files that were last changed so long before that another change
//! would show; so it is the run after the one that writes them which notes it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::record::described;
use super::seal::Fingerprint;
use super::shown::Outline;
use super::tables::TABLES;
use super::unpacked::bundle_around;
use crate::base::key::Digest;
use crate::base::stamp::Stamp;
use crate::engine::{Engine, Finished, Loaded, Outcome};
use crate::output::report::folder::MANIFEST;
use crate::spec::Spec;

/// The files of an experiment as they were written.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    drawn_from: Digest,
    /// By their names, with what the system said of each.
    files: BTreeMap<String, Stamp>,
    pub(super) outline: Outline,
}

/// A digest of everything that the tables and figures of an experiment are drawn from, and of the program that draws them;
/// nothing, where that cannot be told, or the files came from somebody else.
pub(super) fn drawn_from(loaded: &Loaded, finished: &Finished) -> Option<Digest> {
    let folder = loaded.spec.report_folder();
    if bundle_around(&folder.join(MANIFEST)).is_some() {
        return None;
    }
    let mut fingerprint = Fingerprint::default();
    fingerprint.add(program()?);
    fingerprint.add(&loaded.spec.name);
    fingerprint.add(described(loaded).to_string());
    for id in finished.plan.ids() {
        fingerprint.add(finished.plan.node(id).title());
        if let Outcome::Done(done) = &finished.run.outcomes[id.0] {
            fingerprint.add(done.key.as_bytes());
            fingerprint.add(done.output.as_bytes());
            for warning in &done.summary.warnings {
                fingerprint.add(warning);
            }
        }
        fingerprint.add("");
    }
    Some(fingerprint.digest())
}

/// Which program this is: another build may draw otherwise.
fn program() -> Option<&'static str> {
    static PROGRAM: OnceLock<Option<String>> = OnceLock::new();
    let program = || {
        let file = std::env::current_exe().ok()?;
        let stamp = Stamp::of(&file.metadata().ok()?)?;
        Some(format!("{} {stamp:?}", env!("CARGO_PKG_VERSION")))
    };
    PROGRAM.get_or_init(program).as_deref()
}

/// What a file is now, if there is one.
fn stamp(folder: &Path, name: &str) -> Option<Stamp> {
    let found = folder.join(name).symlink_metadata().ok()?;
    Stamp::of(&found).filter(|_| found.is_file())
}

/// Under which name it is kept.
fn name(spec: &Spec) -> Option<String> {
    let folder = std::path::absolute(spec.report_folder()).ok()?;
    Some(Digest::of(format!("drawn in {}", folder.to_str()?)).to_string())
}

impl Kept {
    /// What was drawn from this in an earlier run and is as it was.
    pub(super) fn there(engine: &Engine, spec: &Spec, drawn_from: &Digest) -> Option<Self> {
        let kept: Self = engine.kept(&name(spec)?)?;
        let folder = spec.report_folder();
        let same = kept.drawn_from == *drawn_from
            && kept.files.contains_key(MANIFEST)
            && kept.is_untouched(&folder);
        same.then_some(kept)
    }

    /// Whether the system says of each file what it said then.
    fn is_untouched(&self, folder: &Path) -> bool {
        let mut files = self.files.iter();
        files.all(|(name, then)| stamp(folder, name).as_ref() == Some(then))
    }

    /// What is about to be written of this: these files, and what stands beside them in any case. Nothing, where one of them is
    /// not there yet, or was changed so shortly before that another change would not show.
    pub(super) fn before<'n>(
        spec: &Spec,
        drawn_from: Digest,
        names: impl Iterator<Item = &'n str>,
        outline: &Outline,
    ) -> Option<Self> {
        let folder = spec.report_folder();
        let now = SystemTime::now();
        let settled = |name: &str| stamp(&folder, name).filter(|stamp| stamp.is_settled(now));
        let stamped = |name: &str| Some((name.to_owned(), settled(name)?));
        Some(Self {
            drawn_from,
            files: names.chain([TABLES]).map(stamped).collect::<Option<_>>()?,
            outline: outline.clone(),
        })
    }

    /// Keeps it for the runs to come, once the folder is settled, if nobody wrote to the files meanwhile: they had what was to be
    /// written, and have it still.
    pub(super) fn keep(mut self, engine: &Engine, spec: &Spec) {
        let folder = spec.report_folder();
        if !self.is_untouched(&folder) {
            return;
        }
        let now = SystemTime::now();
        let manifest = stamp(&folder, MANIFEST).filter(|stamp| stamp.is_settled(now));
        if let (Some(manifest), Some(name)) = (manifest, name(spec)) {
            self.files.insert(MANIFEST.to_owned(), manifest);
            engine.keep(&name, &self);
        }
    }
}
