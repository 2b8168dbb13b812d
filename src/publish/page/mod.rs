//! Writing the page of a run: `reports/<experiment>/index.html`, and of several experiments one of all of them too, in the
//! folder that their reports share.
//!
//! A page that was made from the same is left alone, which costs reading it: nothing is drawn, no result opened. What it is
//! made from is the records, the printed values and how this program draws; times and what was known already are read off
//! the records, which idle runs do not touch.

mod asked;
mod experiment;
mod findings;
mod made;
mod question;
mod shared;
mod stages;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use self::made::{Made, all};
use super::folder::{folder_of_all, has_page, shared as shared_name, shared_folder};
use super::judgements;
use super::record::RECORD;
use super::seal::{self, Fingerprint, is_whole};
use super::shown::Shown;
use super::unpacked::bundle_around;
use crate::base::exit::Error;
use crate::base::key::Digest;
use crate::base::wording::{count, size, thousands};
use crate::engine::{Ended, Loaded};
use crate::output::page::{self, Graph, Mode, Page, Store};
use crate::output::report::folder::{OfAll, PAGE};
use crate::publish::whole;

/// From so many judgements on, a page takes seconds to draw.
const MANY: u64 = 10_000;

/// Which page it is.
#[derive(Clone, Copy)]
enum Which<'m, 'r> {
    /// Of an experiment that ran alone, with its judgements.
    Alone(&'m Made<'r>),
    /// Of one of several experiments; the judgements are on the page of all, which is in the folder that they share.
    Part {
        made: &'m Made<'r>,
        shared: Option<&'r str>,
    },
    /// Of all experiments.
    All(&'m [Made<'r>]),
}

/// Pages of several experiments that show an experiment as it was before: which, and where the page is now.
type Outdated = Vec<(String, PathBuf)>;

/// Writes the pages of a run, and hands back where the page of all of it is; nothing of specs that want none. Pages of
/// several experiments that show one of these as it was before are set aside and handed back too.
pub(super) fn write(
    loaded: &[Loaded],
    ended: &Ended,
    shown: &[Shown],
    slow: &mut dyn FnMut(&str),
) -> Result<(Option<PathBuf>, Outdated), Error> {
    let mut made = all(loaded, ended, shown)?;
    // That of these experiments is written below.
    let own = (loaded.len() > 1).then(|| folder_of_all(loaded));
    let outdated = shared::outdate(&made, own.as_deref())?;
    made.retain(|made| made.spec().page.wanted);
    let page = match (made.as_mut_slice(), loaded) {
        ([], _) => None,
        ([one], [_]) => Some(one_page(Which::Alone(one), loaded, ended, slow)?),
        (several, _) => {
            let shared = shared_by(several);
            for made in &*several {
                one_page(Which::Part { made, shared }, loaded, ended, slow)?;
            }
            let folder = shared_folder(several[0].spec(), shared);
            let records = shared::records(several);
            shorten(several);
            let page = shared::name(several[0].loaded, shared_by(several)).to_owned();
            let path = one_page(Which::All(several), loaded, ended, slow)?;
            has_page(&folder, OfAll { page, records })?;
            Some(path)
        }
    };
    Ok((page, outdated))
}

/// The page of all that ran and its judgements, to be served; also of specs that want no page written.
pub(crate) fn served(
    loaded: &[Loaded],
    ended: &Ended,
    shown: &[Shown],
) -> Result<(Vec<u8>, Store), Error> {
    let mut made = all(loaded, ended, shown)?;
    let page = match made.as_mut_slice() {
        [one] => Which::Alone(one).page(ended)?,
        several => {
            shorten(several);
            Which::All(several).page(ended)?
        }
    };
    let store = judgements::store(loaded, ended);
    let mut bytes = Vec::new();
    page::render(&page, &store, Mode::Served, &mut bytes)?;
    Ok((bytes, store))
}

/// Takes the folder that all experiments lie in off what they are called.
fn shorten(several: &mut [Made<'_>]) {
    let Some(folder) = shared_by(several).map(str::len) else {
        return;
    };
    for made in several {
        made.label = made.spec().name[folder + 1..].to_owned();
    }
}

/// Writes a page, unless it is there, and hands back where.
fn one_page(
    which: Which<'_, '_>,
    loaded: &[Loaded],
    ended: &Ended,
    slow: &mut dyn FnMut(&str),
) -> Result<PathBuf, Error> {
    let path = which.path();
    let made_from = which.fingerprint();
    // The seal says that a page is whole, and not who made it: whoever made a bundle can make one that fits.
    if is_whole(&path, &made_from) && bundle_around(&path).is_none() {
        return Ok(path);
    }
    if let Some(folder) = path.parent() {
        fs_err::create_dir_all(folder)?;
        whole::clear(folder);
    }
    let counts = &ended.summary.counts;
    let judged = counts.scored + counts.unscored.values().sum::<u64>();
    // These take a while, in which a person would wonder.
    if judged >= MANY && !matches!(which, Which::Part { .. }) {
        slow("drawing the page");
    }
    let page = which.page(ended)?;
    let (store, mode) = which.store(loaded, ended);
    seal::write(&path, &made_from, |out| {
        page::render(&page, &store, mode, out)
    })?;
    Ok(path)
}

impl<'r> Which<'_, 'r> {
    fn experiments(&self) -> &[Made<'r>] {
        match self {
            Self::Alone(made) | Self::Part { made, .. } => std::slice::from_ref(made),
            Self::All(made) => made,
        }
    }

    fn path(&self) -> PathBuf {
        match self {
            Self::Alone(made) | Self::Part { made, .. } => made.spec().report_folder().join(PAGE),
            Self::All(made) => shared_folder(made[0].spec(), shared_by(made))
                .join(shared::name(made[0].loaded, shared_by(made))),
        }
    }

    /// How many bytes of judgements the page may hold.
    fn embed(&self) -> u64 {
        let limits = self.experiments().iter().map(|made| made.spec().page.embed);
        limits.max().unwrap_or_default()
    }

    /// A digest of everything that it is made from.
    fn fingerprint(&self) -> Digest {
        let mut fingerprint = Fingerprint::new();
        fingerprint.add(page::VERSION.to_le_bytes());
        fingerprint.add(env!("CARGO_PKG_VERSION"));
        for part in page::drawn_with() {
            fingerprint.add(part);
        }
        fingerprint.add(match self {
            Self::Alone(_) => "alone",
            Self::Part { .. } => "part",
            Self::All(_) => "all",
        });
        fingerprint.add(self.elsewhere().unwrap_or_default());
        fingerprint.add(self.embed().to_le_bytes());
        for made in self.experiments() {
            fingerprint.add(&made.spec().name);
            made.add_to(&mut fingerprint);
        }
        fingerprint.digest()
    }

    fn page(&self, ended: &Ended) -> Result<Page, Error> {
        let made = self.experiments();
        let records: Vec<Value> = made.iter().map(Made::record).collect();
        let several = made.len() > 1;
        let known = stages::known(&records);
        let mut graphs = Vec::new();
        let mut experiments = Vec::new();
        let mut findings = Vec::new();
        for (made, record) in made.iter().zip(&records) {
            let compared = experiment::compare(made);
            findings.push(findings::of(made, record, &compared, several, ended)?);
            let within = if several { made.label.as_str() } else { "" };
            experiments.push(experiment::of(made, &compared, within));
            let graph = Graph::of(&stages::of(made.finished, &known));
            graphs.push((made.label.clone(), graph));
        }
        Ok(Page {
            title: self.title(),
            outcome: page::outcome(&records, &findings),
            warnings: page::warnings(&findings),
            experiments,
            graph: match (graphs.pop(), graphs.is_empty()) {
                (Some((_, only)), true) => only,
                (last, _) => Graph::side_by_side(graphs.into_iter().chain(last).collect()),
            },
            facts: page::facts(&records, &asked::models(made)),
            records: made
                .iter()
                .map(|made| {
                    (
                        format!("{}/{RECORD}", made.spec().name),
                        made.record.clone(),
                    )
                })
                .collect(),
            elsewhere: self.elsewhere().map(|page| {
                let said = "the judgements are on the page of all experiments";
                (said.to_owned(), page)
            }),
        })
    }

    /// Where the judgements are, if they are on another page, as seen from this one.
    fn elsewhere(&self) -> Option<String> {
        let Self::Part { made, shared } = self else {
            return None;
        };
        let folders = |path: &str| path.split('/').count();
        let up = folders(&made.spec().name) - shared.map_or(0, folders);
        let page = shared::name(made.loaded, *shared);
        Some(format!("{}{page}", "../".repeat(up)))
    }

    fn title(&self) -> String {
        match self {
            Self::Alone(made) | Self::Part { made, .. } => experiment::title(made.spec()),
            Self::All(made) => {
                let number = count(made.len(), "experiment");
                match shared_by(made) {
                    Some(folder) => format!("{folder}: {number}"),
                    None => number,
                }
            }
        }
    }

    /// The judgements, if the page has room for them, and how it has them.
    fn store(&self, loaded: &[Loaded], ended: &Ended) -> (Store, Mode) {
        if matches!(self, Self::Part { .. }) {
            return (Store::default(), Mode::Bare);
        }
        let mut store = judgements::store(loaded, ended);
        let bytes = store.size() as u64;
        if bytes <= self.embed() {
            return (store, Mode::File);
        }
        store.chunks.clear();
        store.notes.push(format!(
            "{} judgements take {} and this page may hold {}: `tribunal view {}` shows them",
            thousands(store.judgements as u64),
            size(bytes),
            size(self.embed()),
            specs(loaded)
        ));
        (store, Mode::Bare)
    }
}

/// The specs as they are named in the project's folder: one, or the folder of several.
fn specs(loaded: &[Loaded]) -> String {
    let below = |path: &Path, root: &Path| {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let path = absolute(&Path::new(".").join(path));
        let inside = path
            .strip_prefix(absolute(&Path::new(".").join(root)))
            .map(Path::to_owned);
        inside.unwrap_or(path).display().to_string()
    };
    match loaded {
        [one] => below(&one.path, &one.root),
        several => {
            let folders: BTreeSet<String> = several
                .iter()
                .map(|one| below(&one.folder, &one.root))
                .collect();
            folders.into_iter().collect::<Vec<_>>().join(" ")
        }
    }
}

/// The folder that the reports of all experiments share, if it is one below that of all reports.
fn shared_by<'r>(made: &[Made<'r>]) -> Option<&'r str> {
    shared_name(made.iter().map(|made| made.loaded.spec.name.as_str()))
}
