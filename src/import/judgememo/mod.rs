//! The public repository hkleiner/JudgeMemo: documents, recorded outputs and prompts of the thesis.
//!
//! [`JudgeMemo::survey`] lists a clone; what is in it is then read in pieces, so that memory is bounded
//! by a piece and not by the repository. The tables have the columns of the thesis's repacked data:
//! unique by [`RESPONSE_KEY`] and `doc_id`, `length`, `task`, and sorted:
//!
//! - documents as the metadata lists them; of each the whole text first, then the shorter ones; of each
//!   length `gold` first, then by task;
//! - responses by suite, model, document, length, task, unit, experiment, stage (summaries, sections,
//!   memory, report, final), section, variant, settings, prompt.

mod corpus;
mod documents;
mod exchanges;
mod layout;
mod memory;
mod metadata;
mod prompts;
mod responses;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use self::corpus::Corpus;
use self::layout::Suite;
use self::responses::Output;
use super::Problem;
use crate::frame::{Frame, FrameError};

pub use self::prompts::Prompt;

/// The columns that tell one response from all others.
pub const RESPONSE_KEY: [&str; 12] = [
    "suite", "model", "variant", "settings", "prompt", "length", "task", "unit", "exp", "doc_id",
    "stage", "section",
];

/// A clone of the repository, listed and with its metadata read.
#[derive(Debug)]
pub struct JudgeMemo {
    root: PathBuf,
    corpus: Corpus,
    outputs: Vec<Output>,
    samples: Samples,
}

/// Which documents are in the samples of the thesis.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// The subset of the memory judge.
    judgememo: BTreeSet<String>,
    /// The subset of the matrix.
    matrix: BTreeSet<String>,
    /// The subset of the prompt series.
    prompts: BTreeSet<String>,
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rows by what they are: `gold`, a manipulation, a stage.
    pub rows: BTreeMap<String, u64>,
    /// The documents or models there are.
    pub of: BTreeSet<String>,
}

impl Counts {
    /// All rows.
    pub fn total(&self) -> u64 {
        self.rows.values().sum()
    }

    fn add(&mut self, row: &str, of: &str) {
        *self.rows.entry(row.to_owned()).or_default() += 1;
        self.of.insert(of.to_owned());
    }
}

/// Takes pieces of a table, in order.
pub type Sink<'s> = dyn FnMut(Frame) -> Result<(), FrameError> + 's;

impl JudgeMemo {
    /// Lists the clone in `root` and reads its metadata.
    pub fn survey(root: &Path) -> (Self, Vec<Problem>) {
        let mut problems = Vec::new();
        let corpus = Corpus::survey(root, &mut problems);
        let mut samples = metadata::samples(root, &mut problems);
        let outputs = responses::survey(root, &corpus, &samples, &mut problems);
        for output in &outputs {
            let document = &output.key.document;
            let sample = match document.suite {
                Suite::JudgeMemo => &mut samples.judgememo,
                Suite::Matrix => &mut samples.matrix,
                Suite::Prompts => &mut samples.prompts,
                Suite::Vanilla => continue,
            };
            sample.insert(document.doc_id.clone());
        }
        let clone = Self {
            root: root.to_owned(),
            corpus,
            outputs,
            samples,
        };
        (clone, problems)
    }

    /// How many files there are to read.
    pub fn files(&self) -> usize {
        self.corpus.files() + self.outputs.len()
    }

    /// The texts that were judged, as pieces of `documents.parquet`; at least one piece, which may be
    /// without rows. `read` is told of every file.
    ///
    /// # Errors
    /// What `sink` says.
    pub fn documents(
        &self,
        read: &(dyn Fn() + Sync),
        sink: &mut Sink<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<Counts, FrameError> {
        self.corpus
            .read(&self.root, &self.samples, read, sink, problems)
    }

    /// The recorded outputs, as pieces of `responses.parquet`; at least one piece, which may be without
    /// rows. `read` is told of every file.
    ///
    /// # Errors
    /// What `sink` says.
    pub fn responses(
        &self,
        read: &(dyn Fn() + Sync),
        sink: &mut Sink<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<Counts, FrameError> {
        responses::read(&self.root, &self.outputs, read, sink, problems)
    }

    /// The original prompts as templates.
    pub fn prompts(&self, problems: &mut Vec<Problem>) -> Vec<Prompt> {
        prompts::read(&self.root, problems)
    }
}
