//! `tribunal gc`: trims the cache by age, by size, or to what some specs need.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::args::{ChangeArgs, GcArgs};
use super::load::load;
use super::output::Terminal;
use super::project::root_of;
use crate::base::exit::{Error, Exit};
use crate::base::key::Digest;
use crate::base::wording::{many, size};
use crate::cache::{Policy, Survey, Sweep};
use crate::cluster::session::Session;
use crate::engine::{Engine, Event, Interrupt, Loaded, Options, downloads_of, options};
use crate::publish::bundle::MANIFEST;
use crate::spec::Folders;

pub(super) fn run(args: &GcArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    if args.specs.is_empty() && args.older.is_none() && args.size.is_none() {
        return Err(
            Error::new(Exit::Usage, "`tribunal gc` needs to know what to remove")
                .hint("name the specs whose results to keep, or give `--older 30d` or `--size 2G`"),
        );
    }
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let before = match &args.older {
        Some(age) => Some(now.saturating_sub(self::age(age)?).as_secs()),
        None => None,
    };
    let max_bytes = args.size.as_deref().map(bytes).transpose()?;
    let loaded = args
        .specs
        .iter()
        .flat_map(|spec| {
            let plain = std::iter::once((spec, ChangeArgs::default()));
            let changed = (!args.withs.is_empty()).then(|| ChangeArgs {
                withs: args.withs.clone(),
                ..ChangeArgs::default()
            });
            plain.chain(changed.map(|changes| (spec, changes)))
        })
        .map(|(spec, changes)| load(spec, &changes, terminal))
        .collect::<Result<Vec<_>, _>>()?;
    let cache = cache_of(args, &loaded)?;
    if !cache.is_dir() {
        return Err(Error::new(
            Exit::Usage,
            format!("there is no cache at `{}`", cache.display()),
        ));
    }
    let project = cache.parent().unwrap_or(Path::new(""));
    if args.delete && project.join(MANIFEST).is_file() {
        return Err(Error::new(
            Exit::Usage,
            format!(
                "`{}` holds results of a bundle, which cannot be made again here",
                cache.display()
            ),
        )
        .hint("delete the whole folder instead; the archive can be unpacked again"));
    }
    if args.delete {
        no_jobs(&cache)?;
    }
    let keep = if loaded.is_empty() {
        None
    } else {
        // Looked at before keys are made: what a run stores meanwhile is nothing to remove.
        let before = Kept::of(&Sweep::begin(&cache)?.survey()?);
        Some((reachable(loaded, &cache)?, before))
    };
    let sweep = Sweep::begin(&cache)?;
    let survey = sweep.survey()?;
    let (keep_nodes, keep_downloads) = keep
        .map(|(keep, before)| {
            let Kept { nodes, downloads } = Kept::of(&survey);
            let nodes = nodes.difference(&before.nodes).copied();
            let downloads = downloads.difference(&before.downloads).cloned();
            (
                nodes.chain(keep.nodes).collect(),
                downloads.chain(keep.downloads).collect(),
            )
        })
        .unzip();
    let policy = Policy {
        keep_nodes,
        keep_downloads,
        before,
        max_bytes,
        ..Policy::default()
    };
    let cut = survey.choose(&policy);
    let gone = what(cut.nodes.len(), cut.calls.len(), cut.downloads.len());
    if args.delete {
        let swept = sweep.apply(&survey, &cut)?;
        let gone = what(swept.nodes, swept.calls, swept.downloads);
        terminal.tell(&format!(
            "removed {gone}, {}, from {}",
            size(swept.bytes),
            cache.display()
        ));
    } else {
        let all = what(
            survey.nodes.len(),
            survey.calls.len(),
            survey.downloads.len(),
        );
        terminal.tell(&format!(
            "{} holds {all}, {}\nthis would remove {gone}, {}",
            cache.display(),
            size(survey.bytes()),
            size(cut.bytes)
        ));
        terminal.tell("nothing was removed: add `--delete` to do it");
    }
    Ok(Exit::Done)
}

/// Sees that no jobs of a cluster may be writing to a cache, whose locks do not show here.
fn no_jobs(cache: &Path) -> Result<(), Error> {
    if Session::list(cache).iter().all(Session::is_closed) {
        return Ok(());
    }
    let message = format!("jobs on a cluster may be writing to `{}`", cache.display());
    Err(Error::new(Exit::Usage, message)
        .hint("see them with `tribunal jobs`, end them with `tribunal jobs --cancel`"))
}

/// So many of each; downloads only where there are some.
fn what(nodes: usize, calls: usize, downloads: usize) -> String {
    let (nodes, calls) = (many(nodes as u64, "result"), many(calls as u64, "call"));
    match downloads {
        0 => format!("{nodes} and {calls}"),
        some => format!("{nodes}, {calls} and {}", many(some as u64, "download")),
    }
}

/// The cache that is meant.
fn cache_of(args: &GcArgs, loaded: &[Loaded]) -> Result<PathBuf, Error> {
    if let Some(cache) = &args.cache {
        return Ok(cache.clone());
    }
    let mut caches = loaded.iter().map(|loaded| &loaded.spec.folders.cache);
    let Some(first) = caches.next() else {
        return Ok(root_of(Path::new("x")).join("cache"));
    };
    match caches.find(|cache| *cache != first) {
        None => Ok(first.clone()),
        Some(other) => Err(Error::new(
            Exit::Usage,
            format!(
                "the specs have different caches: `{}` and `{}`",
                first.display(),
                other.display()
            ),
        )
        .hint("trim one cache at a time, with the specs that use it, or name it with `--cache`")),
    }
}

/// Part of a cache.
#[derive(Default)]
struct Kept {
    /// Keys of nodes.
    nodes: BTreeSet<Digest>,
    /// Names of downloads.
    downloads: BTreeSet<String>,
}

impl Kept {
    /// All that a survey found.
    fn of(survey: &Survey) -> Self {
        let downloads = survey.downloads.iter();
        Self {
            nodes: survey.nodes.iter().map(|node| node.key).collect(),
            downloads: downloads.map(|download| download.name.clone()).collect(),
        }
    }
}

/// What the specs need of this cache.
fn reachable(specs: Vec<Loaded>, cache: &Path) -> Result<Kept, Error> {
    let mut needed = Kept::default();
    for loaded in specs {
        let options = Options {
            folders: Folders {
                cache: cache.to_owned(),
                ..loaded.spec.folders.clone()
            },
            jobs: 1,
            ..options(std::slice::from_ref(&loaded))
        };
        let engine = Engine::new(
            loaded.plan,
            loaded.templates,
            &options,
            Interrupt::default(),
            Arc::new(|_: Event| {}),
        )?;
        // Without its files nobody can say which results the spec needs; all would seem to be nobody's.
        let known = engine.known_keys().map_err(|failure| {
            let message = format!(
                "cannot determine which results `{}` needs: {}",
                loaded.spec.name, failure.message
            );
            Error {
                hint: failure.hint,
                ..Error::new(Exit::Stage, message)
            }
        })?;
        needed.nodes.extend(known);
        needed.downloads.extend(downloads_of(engine.plan()));
    }
    Ok(needed)
}

fn age(text: &str) -> Result<Duration, Error> {
    let seconds = |unit: &str| match unit {
        "h" => Some(3600),
        "d" => Some(86_400),
        "w" => Some(604_800),
        _ => None,
    };
    number(text, seconds)
        .map(Duration::from_secs)
        .ok_or_else(|| {
            Error::new(Exit::Usage, format!("`{text}` is not an age"))
                .hint("write `12h`, `30d` or `8w`")
        })
}

fn bytes(text: &str) -> Result<u64, Error> {
    let units = |unit: &str| match unit {
        "K" => Some(1 << 10),
        "M" => Some(1 << 20),
        "G" => Some(1 << 30),
        _ => None,
    };
    number(text, units).ok_or_else(|| {
        Error::new(Exit::Usage, format!("`{text}` is not a size")).hint("write `500M` or `2G`")
    })
}

fn number(text: &str, unit: impl Fn(&str) -> Option<u64>) -> Option<u64> {
    let at = text.find(|c: char| !c.is_ascii_digit())?;
    let (digits, rest) = text.split_at(at);
    digits.parse::<u64>().ok()?.checked_mul(unit(rest)?)
}
