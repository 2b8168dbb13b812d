//! What lies in a report folder, and what a run does with what an earlier one wrote there.
//!
//! A manifest names every file that we wrote with a digest of its bytes. What is not in it, or is not as we wrote it, is
//! somebody else's and stays. The manifest may come from a stranger: of its names only plain ones count, with an ending that
//! reports have. Decides and does not look at the disk.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The manifest's name.
pub const MANIFEST: &str = "files.json";

/// The name of a page.
pub const PAGE: &str = "index.html";

/// What the judgements of a page end in that lie beside it.
const JUDGEMENTS: &str = "judgements";

/// What stands for the digest of a page, or of its judgements, which say themselves whether they are as they were written.
pub const SEALED: &str = "sealed";

/// Names that no table may have: files of its own bear them in every report folder.
pub const RESERVED: [&str; 4] = ["files", "index", "run", "tables"];

/// What the files end in that runs write by the names of tables, figures and exports, beside the page.
const ENDINGS: [&str; 10] = [
    "csv", "html", JUDGEMENTS, "json", "jsonl", "md", "parquet", "png", "svg", "tex",
];

/// What stands before the ending of a file that is from an earlier run.
const STALE: &str = ".stale.";

/// Files that a run wrote, by their path below the folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Those that it is made of now, and those of earlier runs that say so in their name.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// While a run writes: what there was before, which is there in part.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub before: BTreeMap<String, String>,
    /// The page of several experiments, if it lies here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all: Option<OfAll>,
}

/// A page of several experiments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfAll {
    /// Its name.
    pub page: String,
    /// Digests of the records that it shows, by experiment.
    pub records: BTreeMap<String, String>,
}

impl Manifest {
    /// A manifest from its text; one that cannot be read knows of no files.
    pub fn parse(text: &[u8]) -> Self {
        let mut read: Self = serde_json::from_slice(text).unwrap_or_default();
        read.files.retain(|name, _| is_plain(name));
        read.before.retain(|name, _| is_plain(name));
        read.all = read.all.filter(|all| is_plain(&all.page));
        read
    }

    /// Its text.
    pub fn render(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The names of all files that it knows of.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.files.keys().chain(self.before.keys())
    }

    fn wrote(&self, name: &str, digest: &str) -> bool {
        [&self.files, &self.before]
            .iter()
            .any(|files| files.get(name).is_some_and(|written| written == digest))
    }
}

/// What becomes of a file of an earlier run that this one does not write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Nothing makes it any more.
    Remove,
    /// This run came to no such result: it gets a name that says so.
    SetAside(String),
    /// It said so already.
    Stay,
    /// It was changed since it was written, and belongs to whoever changed it.
    Leave,
}

/// What becomes of the files that `known` names and a run does not write. `there` has the digests of those that are
/// there as plain files. `complete` says whether the run came to all results; what a complete one does not write is gone
/// from the spec.
pub fn fates(
    known: &Manifest,
    made: &BTreeMap<String, String>,
    there: &BTreeMap<String, String>,
    complete: bool,
) -> BTreeMap<String, Fate> {
    let left = known.names().filter(|name| !made.contains_key(*name));
    let fate = |name: &String| {
        let digest = there.get(name)?;
        if !known.wrote(name, digest) {
            return Some(Fate::Leave);
        }
        // What it stood in for is there again.
        if complete || made.keys().any(|made| stale(made) == *name) {
            return Some(Fate::Remove);
        }
        if name.contains(STALE) {
            return Some(Fate::Stay);
        }
        let aside = stale(name);
        // Whoever has a file of that name keeps it.
        let ours = there
            .get(&aside)
            .is_none_or(|digest| known.wrote(&aside, digest));
        Some(if ours {
            Fate::SetAside(aside)
        } else {
            Fate::Remove
        })
    };
    left.filter_map(|name| Some((name.clone(), fate(name)?)))
        .collect()
}

/// The name of the judgements of a page that lie beside it: `index.judgements` for `index.html`.
pub fn beside(page: &str) -> String {
    let stem = page.rsplit_once('.').map_or(page, |(stem, _)| stem);
    format!("{stem}.{JUDGEMENTS}")
}

/// The name of a file that is from an earlier run: `scores.stale.md` for `scores.md`. No stage has a name with a dot.
pub fn stale(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, ending)) => format!("{stem}{STALE}{ending}"),
        None => name.to_owned(),
    }
}

/// The manifest after a run that wrote `made`, with what became of the rest.
pub fn settled(
    known: &Manifest,
    made: &BTreeMap<String, String>,
    fates: &BTreeMap<String, Fate>,
) -> Manifest {
    let mut files = made.clone();
    for (name, fate) in fates {
        let written = known.files.get(name).or_else(|| known.before.get(name));
        let (Fate::SetAside(_) | Fate::Stay, Some(digest)) = (fate, written) else {
            continue;
        };
        let name = match fate {
            Fate::SetAside(aside) => aside,
            _ => name,
        };
        files.insert(name.clone(), digest.clone());
    }
    Manifest {
        files,
        before: BTreeMap::new(),
        all: known.all.clone(),
    }
}

/// The manifest while a run writes: what there will be, and what there was.
pub fn unsettled(known: &Manifest, settled: &Manifest) -> Manifest {
    let mut before = known.before.clone();
    before.extend(known.files.clone());
    before.retain(|name, digest| settled.files.get(name) != Some(digest));
    Manifest {
        before,
        ..settled.clone()
    }
}

/// Whether a name is of a file that reports may hold: in the folder or one below, without a way out of it.
pub fn is_plain(name: &str) -> bool {
    let step = |step: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        step.starts_with(|c: char| c.is_ascii_alphanumeric())
            && step.chars().all(fits)
            && !step.ends_with('.')
    };
    let file = match name.split_once('/') {
        Some((folder, file)) if step(folder) && !folder.contains('.') => file,
        Some(_) => return false,
        None => name,
    };
    let reserved = RESERVED
        .iter()
        .any(|own| name.eq_ignore_ascii_case(&format!("{own}.json")));
    let ending = file.rsplit_once('.').map(|(_, ending)| ending);
    step(file) && !reserved && ending.is_some_and(|ending| ENDINGS.contains(&ending))
}

#[cfg(test)]
mod tests;
