//! What a run was read from, kept so that its jobs read the very same: texts, arguments, variables.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::base::exit::{Error, Exit};
use crate::base::key::Digest;
use crate::cli::args::ChangeArgs;
use crate::cli::load::environment;
use crate::cli::output::Terminal;
use crate::cli::shelf::{Shelf, Texts};
use crate::cli::specs::load_from;
use crate::engine::Loaded;

/// What specs were read from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::cli) struct Capsule {
    specs: Vec<PathBuf>,
    withs: Vec<PathBuf>,
    sets: Vec<String>,
    trust: bool,
    env: Vec<(String, String)>,
    only: Vec<String>,
    texts: Texts,
    version: String,
}

impl Capsule {
    /// Of specs that were read from a shelf with the process's variables. Those of these names hold keys, and stay out.
    pub(in crate::cli) fn of(
        specs: Vec<PathBuf>,
        changes: &ChangeArgs,
        only: &[String],
        shelf: &Shelf,
        secret: &BTreeSet<String>,
    ) -> Self {
        let mut env = environment();
        env.retain(|(name, _)| name.starts_with("TRIBUNAL_") && !secret.contains(name));
        env.sort();
        Self {
            specs,
            withs: changes.withs.clone(),
            sets: changes.sets.clone(),
            trust: changes.trust,
            env,
            only: only.to_vec(),
            texts: shelf.texts(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// What tells it from others.
    pub(super) fn digest(&self) -> Result<Digest, Error> {
        let text = serde_json::to_vec(self);
        text.map(Digest::of)
            .map_err(|error| Error::new(Exit::Broken, error.to_string()))
    }

    /// The specs again, with a parameter changed or none.
    pub(super) fn load(
        &self,
        set: Option<String>,
        terminal: &Terminal,
    ) -> Result<Vec<Loaded>, Error> {
        let mut changes = ChangeArgs {
            withs: self.withs.clone(),
            sets: self.sets.clone(),
            trust: self.trust,
        };
        changes.sets.extend(set);
        let shelf = Shelf::of(self.texts.clone());
        load_from(&self.specs, &changes, &self.env, &shelf, terminal)
    }
}
