//! What a node's stage is handed beside tables.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::outcome::{NodeError, said};
use super::product::{Product, Same, Stored, label};
use super::ready;
use super::shared::Shared;
use super::spill::Writing;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::base::lock::lock;
use crate::frame::{Frame, Packed, Seekable};
use crate::language::text::{Tokenizer, TokenizerSpec};
use crate::plan::Node;
use crate::stage::{Listed, Output, SourceFile, StageName, World};

/// What a node's stage is handed beside tables: what it declares, and nothing else.
pub(super) struct Beside<'n> {
    pub(super) shared: &'n Arc<Shared>,
    pub(super) node: &'n Node,
    /// Whether the stage was told to stop.
    stopped: AtomicBool,
    /// Rows of the result that are on their way into the cache.
    spilled: Mutex<Option<Writing>>,
    /// Whether the result is the table that is read.
    handed_on: AtomicBool,
}

impl<'n> Beside<'n> {
    pub(super) fn new(shared: &'n Arc<Shared>, node: &'n Node) -> Self {
        Self {
            shared,
            node,
            stopped: AtomicBool::new(false),
            spilled: Mutex::default(),
            handed_on: AtomicBool::new(false),
        }
    }

    /// What the stage came to with what it handed back; nothing, if it was told to stop.
    pub(super) fn product(
        self,
        output: Result<Output, Failure>,
    ) -> Result<Result<Product, Failure>, NodeError> {
        let output = match output {
            // It was told to stop, and did.
            Err(_) if self.stopped.into_inner() => return Err(NodeError::Interrupted),
            Err(failure) => return Ok(Err(failure)),
            Ok(output) => output,
        };
        if let ([input], true) = (&self.node.inputs[..], self.handed_on.into_inner()) {
            let input = self.shared.done(*input)?;
            return Ok(Ok(Product::Same(Box::new(Same {
                output: input.output,
                rows: input.rows,
                counts: output.counts,
                warnings: output.warnings,
            }))));
        }
        let Some(writing) = lock(&self.spilled).take() else {
            return Ok(Ok(Product::Table(output)));
        };
        let last = label(output.frame, self.node)?;
        let (blob, rows) = writing.push(last)?.end()?.end()?;
        Ok(Ok(Product::Stored(Box::new(Stored {
            blob,
            rows,
            counts: output.counts,
            warnings: output.warnings,
        }))))
    }

    fn whole(&self, path: &Path) -> Result<SourceFile, Failure> {
        let bytes = self.shared.files.read(path);
        Ok(SourceFile {
            name: name_of(path),
            bytes: bytes.map_err(|error| self.shared.files.failure(&error))?,
            path: path.to_owned(),
        })
    }
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

impl World for Beside<'_> {
    fn name(&self) -> &StageName {
        &self.node.name
    }

    fn seed(&self) -> u64 {
        self.node.seed.unwrap_or(0)
    }

    fn tokenizer(&self, tokenizer: &TokenizerSpec) -> Result<Tokenizer, Failure> {
        if self.node.stage.tokenizer() != Some(tokenizer) {
            return Err(Failure::new(
                "the stage uses a tokenizer that it does not declare",
            ));
        }
        let loaded = ready::tokenizer(&self.shared.files, Some(tokenizer))?;
        Ok(loaded.unwrap_or_default())
    }

    fn files(&self, patterns: &[PathBuf]) -> Result<Vec<Listed>, Failure> {
        let declared = self.node.stage.files();
        let declared: Vec<&PathBuf> = declared.iter().flat_map(|named| &named.patterns).collect();
        if patterns.iter().any(|pattern| !declared.contains(&pattern)) {
            return Err(Failure::new(
                "the stage reads a file that it does not declare",
            ));
        }
        let paths = self.shared.files.all(patterns);
        let paths = paths.map_err(|error| self.shared.files.failure(&error))?;
        let listed = |path: PathBuf| Listed {
            name: name_of(&path),
            bytes: fs_err::metadata(&path).map_or(0, |found| found.len()),
            path,
        };
        Ok(paths.into_iter().map(listed).collect())
    }

    fn file(&self, listed: &Listed) -> Result<SourceFile, Failure> {
        self.whole(&listed.path)
    }

    fn pieces(
        &self,
        listed: &Listed,
        each: &mut dyn FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let read = self.shared.files.pieces(&listed.path, each);
        read.map_err(|error| self.shared.files.failure(&error))?
    }

    fn look_into(
        &self,
        listed: &Listed,
        read: &mut dyn FnMut(&mut dyn Seekable) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let read = self.shared.files.look_into(&listed.path, |file| read(file));
        read.map_err(|error| self.shared.files.failure(&error))?
    }

    fn put_away(&self, part: Frame, before: Option<Packed>) -> Result<(), Failure> {
        let mut spilled = lock(&self.spilled);
        let written = || -> Result<Writing, NodeError> {
            let part = label(part, self.node)?;
            let writing = match spilled.take() {
                Some(writing) => writing,
                None => Writing::begin(self.shared, &part)?,
            };
            writing.push_over(part, before)
        };
        let written = written().map_err(|error| match error {
            NodeError::Failed(failure) => failure,
            error => Failure::new(said(&error)),
        });
        *spilled = Some(written?);
        Ok(())
    }

    fn start_over(&self) {
        if let Some(writing) = lock(&self.spilled).take() {
            // Whatever it came to: what was written is thrown away.
            drop(writing.end());
        }
    }

    fn may_hand_on(&self) -> bool {
        self.node.labels.is_empty()
    }

    fn hand_on(&self) {
        self.handed_on.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        let raised = self.shared.interrupt.is_raised();
        if raised {
            self.stopped.store(true, Ordering::Relaxed);
        }
        raised
    }

    fn recall(&self, key: &Digest) -> Result<Option<Vec<u8>>, Failure> {
        let recalled = self.shared.caller.recall(key);
        recalled.map_err(|error| Failure::new(error.in_full()))
    }

    fn keep(&self, said: &[(Digest, Vec<u8>)]) -> Result<(), Failure> {
        let kept = self.shared.caller.keep_all(said);
        kept.map_err(|error| Failure::new(error.in_full()))
    }

    fn downloads(&self) -> Result<Vec<SourceFile>, Failure> {
        let downloads = self.node.stage.downloads();
        let paths = downloads
            .iter()
            .map(|download| self.shared.books.path_of(&download.name));
        paths.map(|path| self.whole(&path)).collect()
    }
}
