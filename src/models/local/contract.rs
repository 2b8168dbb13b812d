//! The contract of a provider without a server: which settings it has, what it reads and looks at, what it can score,
//! and how it becomes a model that answers.
//!
//! Checks of specs, plans, the engine and pages know these providers by this alone.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::parts::Pattern;
use crate::base::failure::Failure;
use crate::frame::{Frame, Keep};
use crate::models::ask::Model;
use crate::models::score::Scale;

/// A key that a provider takes, with an example, if it cannot do without the key.
pub type Key = (&'static str, Option<&'static str>);

/// A provider, by its settings.
pub trait LocalProvider {
    /// The keys that it takes beside those of all models.
    fn keys() -> &'static [Key]
    where
        Self: Sized;

    /// The settings that a model's table gives; nothing, where one is missing that it cannot do without.
    fn of(given: Given) -> Option<Self>
    where
        Self: Sized;

    /// Who answers, in words.
    fn words(&self) -> String;

    /// Why it is sent no prompt; nothing, if it is.
    fn unsent(&self) -> Option<&'static str>;

    /// The columns that it looks at itself.
    fn looks_at(&self) -> Vec<&str> {
        Vec::new()
    }

    /// What it can score, if it is a judge itself.
    fn scores(&self) -> Option<&'static Scores> {
        None
    }

    /// How its replies can come with log-probabilities; nothing, if they may as it is.
    fn no_logprobs(&self) -> Option<&'static str> {
        None
    }

    /// The files that its answers come from, if they come from any.
    fn reads(&self) -> Option<Reads<'_>> {
        None
    }

    /// The model under this name of the spec, which is asked for by another.
    ///
    /// # Errors
    /// Files that cannot be read, or do not say what they should.
    fn load(
        &self,
        name: &str,
        asked: &str,
        files: &dyn ReadsFiles,
    ) -> Result<Arc<dyn Model>, Failure>;
}

/// What the table of a model gives, of the keys that its provider takes. Files are absolute.
#[derive(Debug, Default)]
pub struct Given {
    /// A script.
    pub script: Option<PathBuf>,
    /// Files with replies.
    pub files: Option<Vec<PathBuf>>,
    /// The column with the reply.
    pub text: Option<String>,
    /// The column that says why the model stopped.
    pub finish: Option<String>,
    /// The column with the log-probabilities of the reply's tokens.
    pub logprobs: Option<String>,
    /// Column → how its texts are put together.
    pub parts: BTreeMap<String, Pattern>,
    /// Column → column of the rows that it must equal.
    pub matching: Option<BTreeMap<String, String>>,
    /// The rows that take part.
    pub keep: Keep,
    /// Whether replies end with lines that are not the model's.
    pub trailer: bool,
}

/// What a provider can score that is a judge itself.
#[derive(Debug)]
pub struct Scores {
    /// The metrics it knows.
    pub metrics: &'static [&'static str],
    /// Why it cannot score a metric; nothing, if it can.
    pub refuses: fn(&str) -> Option<String>,
    /// The marks it gives.
    pub scale: Scale,
    /// The same in words.
    pub says: &'static str,
}

/// The files that answers come from.
#[derive(Debug)]
pub struct Reads<'s> {
    /// The key that names them.
    pub key: &'static str,
    /// What they are to a stage, which is how keys of the cache name them.
    pub role: &'static str,
    /// Names and patterns.
    pub files: &'s [PathBuf],
    /// Whether they say what is done, such as which files are written, rather than being data.
    pub obeyed: bool,
    /// The table that they are; without one it is one file of any other form.
    pub table: Option<Table<'s>>,
}

/// The key that names the column with the reply.
pub(super) const REPLY: &str = "text";

/// A table that answers are looked up in.
#[derive(Debug)]
pub struct Table<'s> {
    /// The columns that settings name, each with the key that does.
    pub named: Vec<(&'static str, &'s str)>,
    /// The columns that are read.
    pub columns: Vec<&'s str>,
    /// The columns that are taken as they are written.
    pub written: Vec<&'s str>,
}

impl Table<'_> {
    /// The columns of which a row is told by what stands there, and not what its reply is.
    pub fn told_by(&self) -> impl Iterator<Item = &str> {
        let reply = |name: &str| {
            let mut named = self.named.iter().filter(|(_, known)| *known == name);
            named.next().is_some_and(|(key, _)| *key == REPLY) && named.next().is_none()
        };
        let columns = self.columns.iter().copied();
        columns.filter(move |name| !reply(name))
    }
}

/// Who reads files for providers.
pub trait ReadsFiles {
    /// The bytes of one file.
    ///
    /// # Errors
    /// [`Unread`].
    fn bytes(&self, file: &Path) -> Result<Vec<u8>, Unread>;

    /// The rows of all files.
    ///
    /// # Errors
    /// What is wrong with one.
    fn table(&self, files: &[PathBuf], table: &Table<'_>) -> Result<Arc<Recording>, Failure>;
}

/// The rows of files that replies are looked up in.
#[derive(Debug)]
pub struct Recording {
    /// The rows, without columns that lie aside.
    pub rows: Frame,
    /// Columns with long replies, which are looked at one by one.
    pub aside: BTreeMap<String, Box<dyn Texts>>,
}

/// The texts of a column.
pub trait Texts: fmt::Debug + Send + Sync {
    /// That in a row; of an absent one, nothing.
    ///
    /// # Errors
    /// When it cannot be read.
    fn text(&self, row: usize) -> io::Result<String>;
}

/// Why a file was not read.
#[derive(Debug)]
pub enum Unread {
    /// It stayed where a bundle was made. What was made from it may be there all the same.
    NotHere(String),
    /// It cannot be read.
    Failed(Failure),
}
