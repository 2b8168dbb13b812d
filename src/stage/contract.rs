//! The contract of a kind of stage: what it says of itself, what it is handed, and what it hands back.
//!
//! Everything else (the check of a spec, the plan, keys, the engine) knows kinds by this alone, and names one only where
//! it is about that very kind. What has a default here is none of nearly every kind's business; a stage that uses a file,
//! a tokenizer or the seed without declaring it does not get it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::asking::{Asking, Expected, ReadsAnswers};
use super::columns::{Columns, Looking};
use super::inputs::{Inputs, World};
use super::{Output, Program, Said, StageName, Until};
use crate::base::failure::Failure;
use crate::frame::Frame;
use crate::language::text::TokenizerSpec;
use crate::models::spec::ModelSpec;

/// What holds for all stages of a kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct About {
    /// Counts up when the kind's result changes meaning.
    pub(crate) version: u32,
    /// The rows that its `from` may name; none, if it reads no stage.
    pub(crate) reads: &'static [RowsOf],
    /// What its result is.
    pub(crate) gives: Gives,
    /// Which instances of its inputs one instance reads.
    pub(crate) gathers: Gathers,
    /// The columns that its results bring along, whatever is set; nothing else may give a column such a name.
    pub(crate) columns: &'static [&'static str],
}

/// Which instances of what it reads one instance of a stage is handed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gathers {
    /// The one with the same axis values.
    Nothing,
    /// All of them.
    All,
    /// Those of all values of some axes, which its setting `over` names.
    Over,
}

/// What the rows of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsOf {
    /// Documents or parts of them, with a `text`.
    Documents,
    /// Scores of documents, or the reasons for there being none.
    Scores,
    /// Counts of documents.
    Counts,
    /// Whatever statistics can be computed of.
    Values,
    /// Statistics.
    Statistics,
}

impl RowsOf {
    /// All rows that stages read.
    pub(crate) const ALL: &'static [Self] = &[
        Self::Documents,
        Self::Scores,
        Self::Counts,
        Self::Values,
        Self::Statistics,
    ];
}

/// What a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gives {
    /// Rows for other stages.
    Rows(&'static [RowsOf]),
    /// Something that people look at when the run is over.
    Shown,
    /// A file of rows.
    File,
}

/// What a stage says of itself.
pub(crate) trait Work: Send + Sync {
    /// What holds for all stages of the kind.
    fn about() -> About
    where
        Self: Sized;

    /// The stages it reads, in a fixed order without repetition.
    fn reads(&self) -> Vec<&StageName>;

    /// The axes all of whose instances it reads, for a kind that says so of each stage.
    fn gathers(&self) -> &[String] {
        &[]
    }

    /// The columns of its result. What it reads and is not there it tells the one who looks.
    fn columns(&self, looking: &mut Looking<'_>) -> Columns;

    /// Whether settings that a spec leaves open follow from the columns of what it reads.
    fn is_open(&self) -> bool {
        false
    }

    /// Settles them, once, before keys are made: `input` are the columns that it reads.
    fn settle(&mut self, _input: &Columns) {}

    /// The files that its settings name; those of a model aside.
    fn files(&self) -> Vec<Named> {
        Vec::new()
    }

    /// What it reads that is fetched from elsewhere, in the order of its rows.
    fn downloads(&self) -> Vec<Download> {
        Vec::new()
    }

    /// What a token is to it, where that matters; of a model, the model says so.
    fn tokenizer(&self) -> Option<&TokenizerSpec> {
        None
    }

    /// The program that it starts.
    fn program(&mut self) -> Option<&mut Program> {
        None
    }

    /// The columns that it looks at, if it is to be handed these and no others.
    fn looks_at(&self) -> Option<BTreeSet<&str>> {
        None
    }

    /// Of a stage that it reads, columns that it passes over, if it is to be handed all others there are.
    fn passes_over(&self, _of: &StageName) -> BTreeSet<&'static str> {
        BTreeSet::new()
    }

    /// Whether the result depends on the experiment's seed.
    fn draws(&self) -> bool {
        false
    }

    /// Whether the result says of its rows which stage they were read from.
    fn names_stages(&self) -> bool {
        false
    }
}

/// The stages that parts name, in a fixed order and each once.
pub(super) fn each_once<'n>(names: impl Iterator<Item = &'n StageName>) -> Vec<&'n StageName> {
    let names: BTreeSet<&StageName> = names.collect();
    names.into_iter().collect()
}

/// How a stage comes to its result.
pub(crate) enum How<'s> {
    /// From tables and files alone.
    Computes(&'s dyn Compute),
    /// From what a model answers.
    Asks(&'s dyn Ask),
}

/// A stage that computes its result.
pub(crate) trait Compute: Work {
    /// The result.
    fn run(&self, inputs: &Inputs, world: &dyn World) -> Result<Output, Failure>;

    /// What its result should come to, where something may be missing of it that is there another time.
    fn expected(&self) -> Option<Expected> {
        None
    }

    /// Whether it asks for the parts of the one table that it reads, and not for the whole.
    fn in_parts(&self) -> bool {
        false
    }
}

/// A stage that asks a model about every row.
pub(crate) trait Ask: Work {
    /// What it asks.
    fn asking(&self) -> Asking;

    /// The rows that it asks about: those that it reads, unless it makes others of them. What is drawn for one is named by
    /// the stage and the seed.
    ///
    /// # Errors
    /// When they cannot be made of these.
    fn asked(
        &self,
        input: Arc<Frame>,
        _stage: &StageName,
        _seed: u64,
    ) -> Result<Arc<Frame>, Failure> {
        Ok(input)
    }

    /// Whether those are others than it reads.
    fn makes_rows(&self) -> bool {
        false
    }

    /// About how many rows it asks for each that it reads; nothing, where that depends on them.
    fn asks_for_each(&self) -> Option<u64> {
        Some(1)
    }

    /// Whom it asks.
    fn model(&self) -> &ModelSpec;

    /// How often it asks about each row.
    fn repeats(&self) -> u32;

    /// Whether a row of the result depends on answers about other rows, so that it cannot be written by itself.
    fn looks_back(&self) -> bool;

    /// Whether it may ask about a part of a long table at a time: what is asked about a row, and what is made of the answer,
    /// depends on no other row. With `until`, other answers decide whether it is asked.
    fn in_parts(&self) -> bool {
        false
    }

    /// When it has asked enough, if it does not ask about all rows.
    fn until(&self) -> Option<&Until> {
        None
    }

    /// What it makes of answers, where some may have been read before.
    fn reader(&self, said: &Arc<Said>) -> Result<Box<dyn ReadsAnswers>, Failure>;

    /// What its answers should come to.
    fn expected(&self) -> Expected;
}

/// Files that a stage's result depends on, as one setting names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The steps of the setting below the stage's table; those of models stand beside stages and begin with `models`.
    pub at: Vec<String>,
    /// Names and patterns.
    pub patterns: Vec<PathBuf>,
    /// What the files are to the stage.
    pub role: Role,
    /// Whether their columns are looked at before anything runs.
    pub table: bool,
}

impl Named {
    /// One file that is no table.
    pub(crate) fn one(at: &[&str], role: &'static str, file: &std::path::Path) -> Self {
        Self {
            at: at.iter().map(|&step| step.to_owned()).collect(),
            patterns: vec![file.to_owned()],
            role: Role::One(role),
            table: false,
        }
    }
}

/// What files are to a stage, which is how keys name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Any number, of which those that are documents give these their names.
    Documents,
    /// Any number, in their order.
    Numbered(&'static str),
    /// The one there is.
    One(&'static str),
}

/// Something that is fetched once and kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// The number of a book.
    pub id: u64,
    /// Where it is fetched from.
    pub url: String,
    /// Its name among the downloads. Of another mirror it is another download.
    pub name: String,
}
