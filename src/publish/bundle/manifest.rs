//! The manifest: what a bundle holds, from what it was made, and what it leaves out.
//!
//! Sealed JSON at the front of the archive. Reading it checks everything about it that can be checked
//! without the files: after that, every path in it may be written below any folder.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::error::{BundleError, MANIFEST};
use super::names::{Seen, check_path};
use crate::base::json;
use crate::base::key::Digest;
use crate::cache::{seal, sealed};

/// The format of bundles that this version writes and reads.
pub const FORMAT: u32 = 1;

/// The longest manifest that is read, in bytes: some hundred thousand files.
pub(super) const LONGEST: u64 = 64 << 20;

/// What a bundle holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Format of the bundle.
    pub format: u32,
    /// The version of tribunal that wrote it.
    pub tribunal: String,
    /// Format of the results and calls in it.
    pub cache_format: u32,
    /// What can be run.
    pub experiments: Vec<Experiment>,
    /// Whether results that hold texts of documents are in it.
    pub texts: bool,
    /// Whether replies of models are in it.
    pub replies: bool,
    /// The licence of everything in it that states none of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// The files in it, by path, without the manifest.
    pub files: Vec<Item>,
    /// The files that the results were made from and that need not be there, by the pattern that
    /// stands for them.
    pub inputs: Vec<Input>,
    /// The same of books that were fetched, by their name among the downloads.
    pub books: BTreeMap<String, Digest>,
    /// Results that are left out, by the digest of their bytes.
    pub withheld: BTreeSet<Digest>,
}

/// An experiment that can be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Its spec.
    pub spec: String,
    /// What it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// A file of a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Where it stands, relative to the folder of the bundle, with `/` between the steps.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// The digest of its bytes.
    pub digest: Digest,
    /// What it is.
    pub what: What,
    /// The licences of what it was made from, where they are stated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub licences: Vec<String>,
}

/// What a file of a bundle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// A spec, or a file that one extends.
    Spec,
    /// Values from outside the spec, of the machine that the bundle was made on.
    Overrides,
    /// A template of prompts.
    Template,
    /// Printed values.
    Expected,
    /// Notes on printed values.
    Notes,
    /// A schema that replies are held to.
    Schema,
    /// What is known of a result: its key, counts and warnings.
    Entry,
    /// A result.
    Result,
    /// Replies of models.
    Calls,
}

/// Files that results were made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The name or pattern in the spec, relative to the folder of the bundle; it may lead out of it.
    pub pattern: String,
    /// What it stood for.
    pub files: Vec<Given>,
    /// Their licence, where it is stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
}

/// A file that results were made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// Its path, as the pattern's.
    pub path: String,
    /// The digest of its bytes.
    pub digest: Digest,
}

impl Manifest {
    /// The manifest as it stands in the archive.
    pub fn to_bytes(&self) -> Vec<u8> {
        seal(self)
    }

    /// Reads a manifest and checks all that can be checked without the files.
    ///
    /// # Errors
    /// [`BundleError`], in the order: not sealed, another format, not readable, a path that may not be
    /// there.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BundleError> {
        /// What is known of every format. The rest is not kept: it may be anything, and much.
        #[derive(Deserialize)]
        struct AnyFormat {
            format: Option<Box<RawValue>>,
        }
        let body = sealed(bytes).ok_or(BundleError::Unsealed)?;
        // Two readers could take it for two different manifests otherwise.
        json::read_as::<IgnoredAny>(&String::from_utf8_lossy(&body))
            .map_err(|error| BundleError::Manifest(error.to_string()))?;
        let any: AnyFormat = serde_json::from_slice(&body).map_err(|_| BundleError::Unsealed)?;
        let format = any
            .format
            .and_then(|format| format.get().parse::<u64>().ok());
        match format {
            Some(format) if format == u64::from(FORMAT) => {}
            Some(found) => {
                return Err(BundleError::Format {
                    found,
                    known: FORMAT,
                });
            }
            None => return Err(BundleError::Manifest("it names no format".to_owned())),
        }
        let manifest: Self = serde_json::from_slice(&body).map_err(|error| {
            let said = error.to_string();
            let place = format!(" at line {} column {}", error.line(), error.column());
            BundleError::Manifest(said.strip_suffix(&place).unwrap_or(&said).to_owned())
        })?;
        manifest.check()?;
        Ok(manifest)
    }

    /// Whether every path may be written below any folder, and every experiment is there.
    pub(super) fn check(&self) -> Result<(), BundleError> {
        let mut seen = Seen::default();
        seen.file(MANIFEST).map_err(BundleError::Manifest)?;
        let mut total: u64 = 0;
        for item in &self.files {
            let path = &item.path;
            check_path(path).map_err(|fault| BundleError::Path {
                path: path.escape_debug().to_string(),
                fault,
            })?;
            seen.file(path).map_err(|other| {
                if other == *path {
                    BundleError::Twice(other)
                } else {
                    BundleError::Collides {
                        path: path.clone(),
                        other,
                    }
                }
            })?;
            let sum = total.checked_add(item.bytes);
            total = sum.ok_or_else(|| BundleError::Manifest("its sizes overflow".to_owned()))?;
        }
        if let Some(folder) = seen.repository() {
            return Err(BundleError::Repository(folder.to_owned()));
        }
        let paths: BTreeSet<&str> = self.files.iter().map(|item| &*item.path).collect();
        for experiment in &self.experiments {
            if !paths.contains(&*experiment.spec) {
                return Err(BundleError::Manifest(format!(
                    "the spec `{}` is not among its files",
                    experiment.spec
                )));
            }
        }
        Ok(())
    }

    /// Size of all files, in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|item| item.bytes).sum()
    }
}
