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

use rayon::prelude::*;
use serde_json::Value;

use self::made::{Made, all};
use super::chunks::{self, Chunks};
use super::folder::{folder_of_all, has_page, shared as shared_name, shared_folder};
use super::judgements::{self, Origin};
use super::record::RECORD;
use super::seal::{self, Fingerprint, is_sealed, is_whole, sealed_by};
use super::shown::Shown;
use super::unpacked::bundle_around;
use crate::base::exit::Error;
use crate::base::key::Digest;
use crate::base::wording::{count, size, thousands};
use crate::engine::{Ended, Loaded};
use crate::output::page::store::Earlier;
use crate::output::page::{self, Chunk, Graph, Mode, Page, Store};
use crate::output::report::folder::{OfAll, PAGE};
use crate::publish::whole;

/// From so many judgements on, a page takes seconds to draw.
const MANY: usize = 10_000;

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
    All {
        made: &'m [Made<'r>],
        /// Digests of those that ran with them and want no page: their judgements are there too.
        others: &'m [(usize, Digest)],
    },
}

/// Pages of several experiments that show an experiment as it was before: which, and where the page is now.
type Outdated = Vec<(String, PathBuf)>;

/// What was written of the pages of a run.
pub(super) struct Written {
    /// The page of all of it; nothing of specs that want none.
    pub(super) page: Option<Placed>,
    /// Those that were set aside.
    pub(super) outdated: Outdated,
}

/// Where a page is.
pub(super) struct Placed {
    pub(super) path: PathBuf,
    /// How to look at its judgements, where it has no room for them.
    pub(super) apart: Option<String>,
}

/// Writes the pages of a run. Pages of several experiments that show one of these as it was before are set aside.
pub(super) fn write(
    loaded: &[Loaded],
    ended: &Ended,
    shown: &[Shown<'_>],
    slow: &mut dyn FnMut(&str),
) -> Result<Written, Error> {
    let mut made = all(loaded, ended, shown)?;
    // That of these experiments is written below.
    let own = (loaded.len() > 1).then(|| folder_of_all(loaded));
    let outdated = shared::outdate(&made, own.as_deref())?;
    let others = made.iter().enumerate();
    let others = others.filter(|(_, made)| !made.spec().page.wanted);
    let others: Vec<(usize, Digest)> = others.map(|(at, made)| (at, made.digest)).collect();
    made.retain(|made| made.spec().page.wanted);
    let page = match (made.as_mut_slice(), loaded) {
        ([], _) => None,
        ([one], [_]) => Some(one_page(Which::Alone(one), loaded, ended, slow)?),
        (several, _) => {
            let shared = shared_by(several);
            let part = |made: &Made<'_>| {
                // They hold no judgements, and nothing of them takes long.
                one_page(Which::Part { made, shared }, loaded, ended, &mut |_| ()).map(|_| ())
            };
            several
                .par_iter()
                .map(part)
                .collect::<Result<(), Error>>()?;
            let folder = shared_folder(several[0].spec(), shared);
            let records = shared::records(several);
            shorten(several);
            let page = shared::name(several[0].loaded, shared_by(several)).to_owned();
            let made = several;
            let others = &others;
            let placed = one_page(Which::All { made, others }, loaded, ended, slow)?;
            has_page(&folder, OfAll { page, records })?;
            Some(placed)
        }
    };
    Ok(Written { page, outdated })
}

/// A page to be served, and where its chunks are.
pub(crate) struct Served {
    /// The page.
    pub(crate) page: Vec<u8>,
    /// The names of the chunks and their places.
    pub(crate) list: Vec<Chunk>,
    /// What they are read from.
    pub(crate) chunks: Chunks,
    /// How many judgements there are.
    pub(crate) judgements: usize,
}

/// The page of all that ran and its judgements, to be served; also of specs that want no page written. Where the page and
/// its judgements lie in the folder of reports as they would be made, they are served from there.
pub(crate) fn served(
    loaded: &[Loaded],
    ended: &Ended,
    shown: &[Shown<'_>],
) -> Result<Served, Error> {
    let mut made = all(loaded, ended, shown)?;
    let which = match made.as_mut_slice() {
        [one] => Which::Alone(one),
        several => {
            shorten(several);
            let (made, others) = (&*several, &[][..]);
            Which::All { made, others }
        }
    };
    let (path, made_from) = (which.path(), which.fingerprint());
    if ours(&path)
        && is_in_front(&path, &made_from)
        && let Some((store, chunks)) = Chunks::beside_page(&path)
    {
        return Ok(Served {
            page: fs_err::read(&path)?,
            judgements: store.judgements,
            list: store.chunks,
            chunks,
        });
    }
    let page = which.page(ended)?;
    let aside = || Ok(Chunks::aside()?);
    let (store, mut chunks) = store(&path, (loaded, ended), &aside, &mut |_| ())?;
    let mut bytes = Vec::new();
    page::render(&page, (&store, &mut chunks), Mode::Served, &mut bytes)?;
    Ok(Served {
        page: bytes,
        judgements: store.judgements,
        list: store.chunks,
        chunks,
    })
}

/// Whether what lies at the place of a page is to be believed. A seal says that a page is whole, and not who made it: whoever made
/// a bundle can make one that fits.
fn ours(page: &Path) -> bool {
    bundle_around(page).is_none() && bundle_around(&chunks::path(page)).is_none()
}

/// Whether a page that was made from this is there with its judgements beside it.
fn is_in_front(page: &Path, made_from: &Digest) -> bool {
    let beside = sealed_by(&chunks::path(page));
    beside.is_some_and(|beside| is_whole(page, &in_front_of(made_from, &beside)))
}

/// The judgements of a page: those of the page that is there, if they are the same, and else made into what there is room for.
fn store(
    page: &Path,
    (loaded, ended): (&[Loaded], &Ended),
    room: &dyn Fn() -> Result<Chunks, Error>,
    slow: &mut dyn FnMut(&str),
) -> Result<(Store, Chunks), Error> {
    // What cannot be read is made again.
    let there = ours(page).then(|| Chunks::there(page).ok().flatten());
    let mut earlier = None;
    if let Some((store, chunks)) = there.flatten() {
        // For this every stored call is read, which is done while they are made where there are none yet.
        let origin = Origin::of(loaded, ended);
        if store.made_from == Some(origin.all) {
            return Ok((store, chunks));
        }
        earlier = Some((origin, Earlier::new(&store, chunks)));
    }
    // These take a while, in which a person would wonder.
    if judged(ended) >= MANY {
        slow("drawing the page");
    }
    let store = judgements::store(loaded, ended, earlier, room()?);
    store.map_err(|error| whole::failed(&chunks::path(page), &error))
}

/// How many judgements a run has.
fn judged(ended: &Ended) -> usize {
    let counts = &ended.summary.counts;
    let judged = counts.scored + counts.unscored.values().sum::<u64>();
    usize::try_from(judged).unwrap_or(usize::MAX)
}

/// What a page is made from whose judgements lie beside it, under a seal of theirs.
fn in_front_of(made_from: &Digest, beside: &Digest) -> Digest {
    Digest::of(format!("{made_from}, apart, {beside}"))
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
) -> Result<Placed, Error> {
    let path = which.path();
    let made_from = which.fingerprint();
    let beside = chunks::path(&path);
    let whole_page = Placed { path, apart: None };
    let path = &whole_page.path;
    let in_front = || Placed {
        path: path.clone(),
        apart: Some(format!(
            "`tribunal view {}` shows its judgements",
            specs(loaded)
        )),
    };
    if ours(path) {
        if is_whole(path, &made_from) {
            // Of a run that was cut short after it had put them there.
            forget(&beside)?;
            return Ok(whole_page);
        }
        if is_in_front(path, &made_from) {
            return Ok(in_front());
        }
    }
    if let Some(folder) = path.parent() {
        fs_err::create_dir_all(folder)?;
        whole::clear(folder);
    }
    let page = which.page(ended)?;
    let (mut none, room) = (Vec::new(), which.embed());
    let part = matches!(which, Which::Part { .. });
    if part || room == 0 {
        let store = which.nothing(loaded, ended);
        seal::write(path, &made_from, |out| {
            page::render(&page, (&store, &mut none), Mode::Bare, out)
        })?;
        forget(&beside)?;
        return Ok(whole_page);
    }
    let into = || Chunks::beside(path);
    let (mut store, mut chunks) = store(path, (loaded, ended), &into, slow)?;
    let bytes = store.size() as u64;
    if bytes <= room {
        seal::write(path, &made_from, |out| {
            page::render(&page, (&store, &mut chunks), Mode::File, out)
        })?;
        forget(&beside)?;
        return Ok(whole_page);
    }
    store.apart = Some(format!(
        "{} judgements take {} and this page may hold {}: `tribunal view {}` shows them",
        thousands(store.judgements as u64),
        size(bytes),
        size(room),
        specs(loaded)
    ));
    let sealed_by = store.made_from.unwrap_or(made_from);
    chunks.keep(&store, path, &sealed_by)?;
    seal::write(path, &in_front_of(&made_from, &sealed_by), |out| {
        page::render(&page, (&store, &mut none), Mode::Served, out)
    })?;
    Ok(in_front())
}

/// Removes judgements that lay beside an earlier page: they are of no use without it.
fn forget(beside: &Path) -> Result<(), Error> {
    if is_sealed(beside) {
        fs_err::remove_file(beside)?;
    }
    Ok(())
}

impl<'r> Which<'_, 'r> {
    fn experiments(&self) -> &[Made<'r>] {
        match self {
            Self::Alone(made) | Self::Part { made, .. } => std::slice::from_ref(made),
            Self::All { made, .. } => made,
        }
    }

    fn path(&self) -> PathBuf {
        match self {
            Self::Alone(made) | Self::Part { made, .. } => made.spec().report_folder().join(PAGE),
            Self::All { made, .. } => shared_folder(made[0].spec(), shared_by(made))
                .join(shared::name(made[0].loaded, shared_by(made))),
        }
    }

    /// What is said of the judgements where neither the page nor a file beside it has any.
    fn nothing(&self, loaded: &[Loaded], ended: &Ended) -> Store {
        let judgements = judged(ended);
        if matches!(self, Self::Part { .. }) || judgements == 0 {
            return Store::default();
        }
        let apart = format!(
            "{} not in this page: `tribunal view {}` shows them",
            match judgements {
                1 => "1 judgement is".to_owned(),
                many => format!("{} judgements are", thousands(many as u64)),
            },
            specs(loaded)
        );
        Store {
            judgements,
            apart: Some(apart),
            ..Store::default()
        }
    }

    /// How many bytes of judgements the page may hold, or a file beside it if these are too few; of none nothing is written.
    fn embed(&self) -> u64 {
        let limits = self.experiments().iter().map(|made| made.spec().page.embed);
        limits.max().unwrap_or_default()
    }

    /// A digest of everything that it is made from.
    fn fingerprint(&self) -> Digest {
        let mut fingerprint = Fingerprint::of_pages();
        fingerprint.add(match self {
            Self::Alone(_) => "alone",
            Self::Part { .. } => "part",
            Self::All { .. } => "all",
        });
        fingerprint.add(self.elsewhere().unwrap_or_default());
        fingerprint.add(self.embed().to_le_bytes());
        if let Self::All { others, .. } = self {
            for (at, other) in *others {
                fingerprint.add(at.to_le_bytes());
                fingerprint.add(other.as_bytes());
            }
        }
        for made in self.experiments() {
            fingerprint.add(&made.spec().name);
            fingerprint.add(made.digest.as_bytes());
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
            let pictures = made.shown.pictures()?;
            let compared = experiment::compare(made, pictures);
            findings.push(findings::of(made, record, &compared, several, ended)?);
            let within = if several { made.label.as_str() } else { "" };
            experiments.push(experiment::of(made, pictures, &compared, within));
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
            Self::All { made, .. } => {
                let number = count(made.len(), "experiment");
                match shared_by(made) {
                    Some(folder) => format!("{folder}: {number}"),
                    None => number,
                }
            }
        }
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
