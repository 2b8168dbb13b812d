//! The folder that a run and its jobs share, below the cache: what is to be done, by whom, and how it goes.
//!
//! ```text
//! jobs/<session>/session.json          which run it is, and the command that returns to it
//!                capsule.json          the spec with all its layers and templates, as they were
//!                orders.json           what is to be called now, and of whom nothing will be
//!                arrays/<token>.json   an array: written before it is submitted, again with its id
//!                arrays/<token>.sh     its script
//!                scratch/<task>.<n>/   where the n-th start of a task writes
//!                notes/<task>.<n>      what it says of itself, renamed from there
//!                failed/<task>.<n>.<m> calls that came to nothing, likewise
//!                claims/               who makes which calls
//!                out/                  what jobs print
//!                closed                nothing more is to be done
//! ```
//!
//! Every file has one writer and is put in its place whole, by a rename.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fs_err as fs;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::base::key::Digest;
use crate::base::whole;
use crate::cluster::crew::Crew;
use crate::cluster::note::{Failures, Incarnation, Note, Orders};

/// The folder of a session.
#[derive(Clone, Debug)]
pub struct Session {
    folder: PathBuf,
}

/// Which run a session is of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// Digest of the specs as they were read.
    pub capsule: String,
    /// The specs, to tell two runs of one experiment.
    pub specs: Vec<PathBuf>,
    /// The command that returns to it.
    pub command: String,
    /// Where it was given.
    pub folder: PathBuf,
    /// When it began, in seconds since 1970.
    pub at: u64,
    /// How long a job waits for calls, in seconds.
    pub idle: f64,
    /// How long nothing is heard of a job before others take over its calls, in seconds.
    pub lost_after: f64,
}

/// An array of tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Array {
    /// Its name at the scheduler, which no other array has.
    pub token: String,
    /// What its tasks are for.
    pub crew: Crew,
    /// How many tasks it has.
    pub tasks: u32,
    /// The number of the first among all tasks of its crew, so that they begin at different calls.
    pub first: u32,
    /// How many tasks are started for it together.
    pub of: u32,
    /// The scheduler's id, once it is known.
    pub job: Option<u64>,
    /// Why it was refused, if it was.
    pub refused: Option<String>,
}

/// It takes less to make a session, on any disk.
const MAKING: Duration = Duration::from_hours(1);

/// How often it is tried to remove a session, and how long is waited in between. What is left then is in nobody's way.
const REMOVALS: (u32, Duration) = (20, Duration::from_millis(50));

impl Array {
    /// Whether nobody knows if it was submitted.
    pub fn is_in_doubt(&self) -> bool {
        self.job.is_none() && self.refused.is_none()
    }
}

impl Session {
    /// The folder with all sessions of a cache.
    pub fn all_in(cache: &Path) -> PathBuf {
        cache.join("v1").join("jobs")
    }

    /// The session in this folder.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The sessions of a cache, by name.
    pub fn list(cache: &Path) -> Vec<Self> {
        let entries = fs::read_dir(Self::all_in(cache)).into_iter().flatten();
        let mut found: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.join("session.json").is_file())
            .collect();
        found.sort();
        let found = found.into_iter().map(Self::at);
        found.filter(|session| is_name(&session.name())).collect()
    }

    /// Removes what is left of sessions whose run was killed while it made or removed them.
    pub fn sweep(cache: &Path) {
        for entry in fs::read_dir(Self::all_in(cache))
            .into_iter()
            .flatten()
            .flatten()
        {
            let path = entry.path();
            let own = path
                .file_stem()
                .and_then(OsStr::to_str)
                .is_some_and(is_name);
            let gone = path.extension().is_some_and(|ending| ending == "gone");
            let written = entry.metadata().and_then(|about| about.modified());
            // One that is being made has no `session.json` yet.
            let made = path.extension().is_none() && !path.join("session.json").exists();
            let old = written.is_ok_and(|at| at.elapsed().is_ok_and(|age| age >= MAKING));
            if own && (gone || made && old) {
                // It is in nobody's way.
                let _ = fs::remove_dir_all(path);
            }
        }
    }

    /// Whether a start of a task, by its name, was of a session that is no longer there.
    pub fn is_gone(cache: &Path, task: &str) -> bool {
        let session = task.get(..PREFIX.len() + LETTERS);
        session.is_some_and(|name| is_name(name) && !Self::all_in(cache).join(name).exists())
    }

    /// A name for a session that is told from others by this digest.
    pub fn name_of(digest: &Digest) -> String {
        format!("{PREFIX}{}", &digest.to_string()[..LETTERS])
    }

    /// Makes the folders of a new session.
    pub fn create(&self) -> io::Result<()> {
        for part in ["arrays", "scratch", "notes", "failed", "claims", "out"] {
            fs::create_dir_all(self.folder.join(part))?;
        }
        Ok(())
    }

    /// Its name.
    pub fn name(&self) -> String {
        let name = self.folder.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Which run it is of.
    pub fn about(&self) -> io::Result<About> {
        read(&self.path("session.json"))
    }

    /// Says which run it is of: from now on it is a session.
    pub fn set_about(&self, about: &About) -> io::Result<()> {
        write(&self.path("session.json"), about)
    }

    /// What tasks are told; nothing where nobody has said anything yet.
    pub fn orders(&self) -> Orders {
        read(&self.path("orders.json")).unwrap_or_default()
    }

    /// Tells tasks what to do.
    pub fn set_orders(&self, orders: &Orders) -> io::Result<()> {
        write(&self.path("orders.json"), orders)
    }

    /// The name of its array with this number.
    pub fn token(&self, number: usize) -> String {
        format!("{}-{number}", self.name())
    }

    /// Its arrays, in the order of their tokens. Others than those that a run of ours names are none: jobs are ended by these
    /// names.
    pub fn arrays(&self) -> Vec<Array> {
        let all = names(&self.path("arrays"), ".json");
        let all = all.iter().filter_map(|path| read::<Array>(path).ok());
        let number = |token: &str| {
            token
                .strip_prefix(&self.name())?
                .strip_prefix('-')?
                .parse()
                .ok()
        };
        all.filter(|array| {
            number(&array.token).is_some_and(|number: usize| array.token == self.token(number))
        })
        .collect()
    }

    /// One of its arrays.
    pub fn array(&self, token: &str) -> io::Result<Array> {
        read(&self.path("arrays").join(format!("{token}.json")))
    }

    /// Writes an array down.
    pub fn set_array(&self, array: &Array) -> io::Result<()> {
        write(
            &self.path("arrays").join(format!("{}.json", array.token)),
            array,
        )
    }

    /// What all tasks say of themselves.
    pub fn notes(&self) -> Vec<Note> {
        let all = names(&self.path("notes"), "");
        all.iter().filter_map(|path| read(path).ok()).collect()
    }

    /// What one says.
    pub fn note(&self, of: &str) -> Option<Note> {
        read(&self.path("notes").join(of)).ok()
    }

    /// How long ago a start of a task said something, by the clock of the disk.
    pub fn silence(&self, of: &Incarnation) -> Option<Duration> {
        let file = fs::metadata(self.path("notes").join(of.to_string())).ok()?;
        file.modified().ok()?.elapsed().ok()
    }

    /// Publishes what a task says of itself.
    pub fn set_note(&self, note: &Note) -> io::Result<()> {
        self.publish(
            &note.of,
            "note",
            &self.path("notes").join(note.of.to_string()),
            note,
        )
    }

    /// Publishes calls that came to nothing at a task.
    pub fn add_failures(
        &self,
        of: &Incarnation,
        number: u64,
        failures: &Failures,
    ) -> io::Result<()> {
        let to = self.path("failed").join(format!("{of}.{number}"));
        self.publish(of, &format!("failed.{number}"), &to, failures)
    }

    /// The files about calls that came to nothing, without those of these names.
    pub fn failures(&self, but: &dyn Fn(&str) -> bool) -> Vec<(String, Failures)> {
        let all = names(&self.path("failed"), "").into_iter();
        all.filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            if but(&name) {
                return None;
            }
            Some((name, read(&path).ok()?))
        })
        .collect()
    }

    /// Whether nothing more is to be done.
    pub fn is_closed(&self) -> bool {
        self.path("closed").exists()
    }

    /// Says that nothing more is to be done.
    pub fn close(&self) -> io::Result<()> {
        whole::replace(&self.path("closed"), b"")
    }

    /// Removes all of it, also while a task that has not seen the end writes in it.
    pub fn remove(&self) -> io::Result<()> {
        // Under another name nobody finds it: only what is being written at this moment can still come.
        let gone = self.folder.with_extension("gone");
        match fs::rename(&self.folder, &gone) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            renamed => renamed?,
        }
        for _ in 0..REMOVALS.0 {
            if fs::remove_dir_all(&gone).is_ok() {
                break;
            }
            std::thread::sleep(REMOVALS.1);
        }
        Ok(())
    }

    /// Writes a file in the folder of one start of a task, and renames it to where all look.
    fn publish<T: Serialize>(
        &self,
        of: &Incarnation,
        name: &str,
        to: &Path,
        value: &T,
    ) -> io::Result<()> {
        let own = self.path("scratch").join(of.to_string());
        // Not what is above it: a session that was removed stays away.
        match fs::create_dir(&own) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let scratch = own.join(name);
        let file = fs::File::create(&scratch)?;
        serde_json::to_writer(&file, value)?;
        file.sync_all()?;
        fs::rename(&scratch, to)
    }
}

/// How names of sessions begin, and how many letters of a digest follow.
const PREFIX: &str = "tribunal-";
const LETTERS: usize = 8;

fn is_name(name: &str) -> bool {
    let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    name.strip_prefix(PREFIX)
        .is_some_and(|rest| rest.len() == LETTERS && rest.bytes().all(hex))
}

/// The files of a folder, sorted, with this ending.
fn names(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let fits = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(ending) && !name.starts_with('.')
    };
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(fits).collect();
    found.sort();
    found
}

/// Reads a file of ours. It is opened anew each time, which is when network disks look again.
pub fn read<T: DeserializeOwned>(path: &Path) -> io::Result<T> {
    Ok(serde_json::from_slice(&fs::read(path)?)?)
}

/// Puts a file of ours in its place.
pub fn write<T: Serialize>(path: &Path, value: &T) -> io::Result<()> {
    whole::replace(path, &serde_json::to_vec(value)?)
}

#[cfg(test)]
mod tests;
