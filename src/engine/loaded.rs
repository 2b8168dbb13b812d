//! A spec as it was read, with what it was made from, and how plans of it are run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::toml::de::DeTable;

use super::absent::Absent;
use super::budget::Limits;
use super::cluster::Cluster;
use super::execute::Options;
use crate::base::regular;
use crate::models::template::Templates;
use crate::plan::Plan;
use crate::spec::{Folders, Layers, Spec};

/// A checked spec with what it was made from.
pub struct Loaded {
    /// The spec.
    pub spec: Spec,
    /// Its plan.
    pub plan: Plan,
    /// The layers that it was read from.
    pub layers: Layers,
    /// The templates of its project.
    pub templates: Templates,
    /// Its file.
    pub path: PathBuf,
    /// The folder the spec lies in.
    pub folder: PathBuf,
    /// The spec and the files it extends.
    pub files: Vec<PathBuf>,
    /// The project's folder.
    pub root: PathBuf,
    /// What a bundle that the project was unpacked from left out.
    pub absent: Arc<Absent>,
    /// What the check had to say beside errors, drawn; empty if nothing.
    pub warnings: String,
}

/// How plans of specs that share cache and templates are run where nothing else is said: on all processors, as far as
/// failures allow, and offline.
pub fn options(loaded: &[Loaded]) -> Options {
    Options {
        folders: folders(loaded),
        absent: Arc::clone(&loaded[0].absent),
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        keep_going: true,
        offline: true,
        limits: Limits::default(),
        secrets: Arc::default(),
        cluster: Cluster::None,
    }
}

/// The folders of specs that share cache and templates, with what each says of its files.
fn folders(loaded: &[Loaded]) -> Folders {
    let mut folders = loaded[0].spec.folders.clone();
    for other in &loaded[1..] {
        let other = other.spec.folders.clone();
        for (name, folder) in other.named {
            folders.named.entry(name).or_insert(folder);
        }
        for (name, hint) in other.hints {
            folders.hints.entry(name).or_insert(hint);
        }
    }
    folders
}

/// Whether a file is an experiment. One that cannot be read, or not as TOML, is, so that its mistakes are told.
pub fn has_title(path: &Path) -> bool {
    let text = regular::read(path, regular::SPEC)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok());
    let table = text.as_deref().and_then(|text| DeTable::parse(text).ok());
    table.is_none_or(|table| table.get_ref().contains_key("title"))
}
