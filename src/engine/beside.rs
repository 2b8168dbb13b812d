//! What a node's stage is handed beside tables.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::ready;
use super::shared::Shared;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::language::text::{Tokenizer, TokenizerSpec};
use crate::plan::Node;
use crate::stage::{SourceFile, StageName, World};

/// What a node's stage is handed beside tables: what it declares, and nothing else.
pub(super) struct Beside<'n> {
    pub(super) shared: &'n Shared,
    pub(super) node: &'n Node,
    /// Whether the stage was told to stop.
    pub(super) stopped: AtomicBool,
}

impl Beside<'_> {
    fn file(&self, path: &Path) -> Result<SourceFile, Failure> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = self.shared.files.read(path);
        Ok(SourceFile {
            name: name.into_owned(),
            bytes: bytes.map_err(|error| self.shared.files.failure(&error))?,
            path: path.to_owned(),
        })
    }
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

    fn read(&self, patterns: &[PathBuf]) -> Result<Vec<SourceFile>, Failure> {
        let declared = self.node.stage.files();
        let declared: Vec<&PathBuf> = declared.iter().flat_map(|named| &named.patterns).collect();
        if patterns.iter().any(|pattern| !declared.contains(&pattern)) {
            return Err(Failure::new(
                "the stage reads a file that it does not declare",
            ));
        }
        let paths = self.shared.files.all(patterns);
        let paths = paths.map_err(|error| self.shared.files.failure(&error))?;
        paths.iter().map(|path| self.file(path)).collect()
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
        paths.map(|path| self.file(&path)).collect()
    }
}
