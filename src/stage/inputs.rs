//! The inputs of a stage: tables, and the seed, files and tokenizers that it declares.

use std::path::PathBuf;
use std::sync::Arc;

use super::StageName;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::frame::{Frame, FrameError};
use crate::language::text::Tokenizer;
use crate::language::text::TokenizerSpec;

/// The tables that a stage reads: for each stage read, in that order, all its instances in the order of the plan.
#[derive(Clone, Debug, Default)]
pub struct Inputs(Vec<(StageName, Arc<Frame>)>);

impl Inputs {
    /// Tables with the names of their stages.
    pub fn new(tables: Vec<(StageName, Arc<Frame>)>) -> Self {
        Self(tables)
    }

    /// The first table, for stages that read one.
    ///
    /// # Errors
    /// When there is none.
    pub fn one(&self) -> Result<&Frame, Failure> {
        let first = self.0.first().map(|(_, frame)| &**frame);
        first.ok_or_else(|| Failure::new("the stage reads one stage"))
    }

    /// All tables.
    pub fn all(&self) -> Vec<&Frame> {
        self.0.iter().map(|(_, frame)| &**frame).collect()
    }

    /// Some of the tables, by their places.
    pub(super) fn slice(&self, places: std::ops::Range<usize>) -> Self {
        Self(self.0.get(places).unwrap_or_default().to_vec())
    }

    /// All tables with the names of their stages.
    pub(super) fn named(&self) -> impl Iterator<Item = (&StageName, &Frame)> {
        self.0.iter().map(|(name, frame)| (name, &**frame))
    }

    /// The rows of all tables together.
    ///
    /// # Errors
    /// When one column holds different things.
    pub fn together(&self) -> Result<Frame, FrameError> {
        stack(self.0.iter())
    }

    /// Each table with the place of its stage among these, in the order of the stages and then of the plan.
    pub(super) fn by_instance(&self, stages: &[&StageName]) -> Vec<(usize, &Frame)> {
        let of = |(at, stage): (usize, &&StageName)| {
            let tables = self.0.iter().filter(move |(name, _)| name == *stage);
            tables
                .map(move |(_, frame)| (at, &**frame))
                .collect::<Vec<_>>()
        };
        stages.iter().enumerate().flat_map(of).collect()
    }

    /// The rows of each of these stages, of all its instances together.
    ///
    /// # Errors
    /// When one column holds different things.
    pub fn by_stage(&self, stages: &[&StageName]) -> Result<Vec<(StageName, Frame)>, FrameError> {
        let of = |stage: &StageName| stack(self.0.iter().filter(|(name, _)| name == stage));
        let stages = stages.iter();
        stages
            .map(|&stage| Ok((stage.clone(), of(stage)?)))
            .collect()
    }
}

fn stack<'f>(
    tables: impl Iterator<Item = &'f (StageName, Arc<Frame>)>,
) -> Result<Frame, FrameError> {
    let frames: Vec<Frame> = tables.map(|(_, frame)| Frame::clone(frame)).collect();
    Frame::stack(&frames)
}

/// A file as it is handed to a stage.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The file's name without its folder.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Where it lies: for messages, and for nothing else.
    pub path: PathBuf,
}

/// What a stage may know beside the tables it reads.
pub trait World: Sync {
    /// The stage's name, by which what it draws is named.
    fn name(&self) -> &StageName;

    /// The experiment's seed, for stages that draw.
    fn seed(&self) -> u64;

    /// A tokenizer that the stage declares, ready to count.
    ///
    /// # Errors
    /// When its file cannot be read.
    fn tokenizer(&self, tokenizer: &TokenizerSpec) -> Result<Tokenizer, Failure>;

    /// The files behind names and patterns that the stage declares, each once.
    ///
    /// # Errors
    /// A file that cannot be read, or is not the one that the key was made from.
    fn read(&self, patterns: &[PathBuf]) -> Result<Vec<SourceFile>, Failure>;

    /// Whether the run is to stop: whoever waits for a program does not wait any longer.
    fn is_stopped(&self) -> bool;

    /// What a program said of a row before, if it is kept under this key.
    ///
    /// # Errors
    /// When what is kept cannot be read.
    fn recall(&self, key: &Digest) -> Result<Option<Vec<u8>>, Failure>;

    /// Keeps what a program said of rows, durably.
    ///
    /// # Errors
    /// When it cannot be written.
    fn keep(&self, said: &[(Digest, Vec<u8>)]) -> Result<(), Failure>;

    /// What the stage declares as downloads, in that order.
    ///
    /// # Errors
    /// The same.
    fn downloads(&self) -> Result<Vec<SourceFile>, Failure>;
}
