//! A spec as it was read, with what it was made from, and how plans of it are run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::toml::Spanned;
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
    text.is_none_or(|text| {
        let titled = |table: Spanned<DeTable<'_>>| table.get_ref().contains_key("title");
        // What has none is read whole: a number may not fit.
        DeTable::parse(&text).map_or(true, titled) || text.parse::<::toml::Table>().is_err()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_title_or_cannot_be_read_is_an_experiment() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.toml");
        let is_experiment = |text: &[u8]| {
            std::fs::write(&file, text).unwrap();
            has_title(&file)
        };
        assert!(is_experiment(b"title = \"A\"\nseed = 1"));
        assert!(!is_experiment(b"seed = 1\n[axes]\ntitle = \"A\""));
        assert!(!is_experiment(b""));
        for mistaken in [
            &b"seed = 99999999999999999999"[..],
            b"a = 1e999",
            b"seed",
            b"\xff",
        ] {
            assert!(is_experiment(mistaken), "{mistaken:?}");
        }
        assert!(has_title(&folder.path().join("none.toml")));
    }
}
