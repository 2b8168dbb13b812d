//! What a stage is handed that asks, ready to be used: its model, its tokenizer, its schema.

use std::sync::Arc;

use super::calls::Route;
use super::files::Files;
use super::gauge::Gauge;
use super::heads::as_schema;
use super::outcome::{NodeError, failed};
use super::shared::Shared;
use super::workers::blocking;
use crate::base::failure::Failure;
use crate::frame::Frame;
use crate::language::text::{Tokenizer, TokenizerSpec};
use crate::models::ask::Model;
use crate::models::spec::ModelSpec;
use crate::plan::Node;
use crate::stage::{Asking, Role, SCHEMA};

/// A model ready to answer, and the way to it.
pub(super) async fn model(
    shared: &Arc<Shared>,
    spec: &ModelSpec,
) -> Result<(Arc<dyn Model>, Route), NodeError> {
    let (shared, spec) = (Arc::clone(shared), spec.clone());
    blocking(move || {
        let gauge = || tokenizer(&shared.files, spec.tokenizer.as_ref()).map(Gauge::new);
        let route = shared.caller.route(&spec, gauge)?;
        let model = shared.library.model(&spec, &route.gauge, &shared.files)?;
        Ok((model, route))
    })
    .await?
}

/// What a node asks, with the schema that its file holds.
pub(super) fn asking(files: &Files, node: &Node) -> Result<Asking, NodeError> {
    let asking = node.stage.asking();
    let mut asking = asking.ok_or_else(|| failed("the stage calls no model"))?;
    let named = node.stage.files();
    let schema = named.iter().find(|file| file.role == Role::One(SCHEMA));
    if let Some(file) = schema.and_then(|named| named.patterns.first()) {
        let path = files.one(file).map_err(|error| files.failed(&error))?;
        let bytes = files.read(&path).map_err(|error| files.failed(&error))?;
        let schema = as_schema(&path, &bytes)?;
        asking.schema = Some(Arc::new(schema));
    }
    Ok(asking)
}

/// The rows that a node asks about, made of those that it reads.
pub fn asked(node: &Node, input: Arc<Frame>) -> Result<Arc<Frame>, Failure> {
    match node.stage.asks() {
        Some(asks) => asks.asked(input, &node.name, node.seed.unwrap_or(0)),
        None => Ok(input),
    }
}

/// A tokenizer with the file that it names.
pub(super) fn tokenizer(
    files: &Files,
    tokenizer: Option<&TokenizerSpec>,
) -> Result<Option<Tokenizer>, NodeError> {
    let Some(tokenizer) = tokenizer else {
        return Ok(None);
    };
    let bytes = tokenizer
        .file()
        .map(|file| files.read(&files.one(file)?))
        .transpose()
        .map_err(|error| files.failed(&error))?;
    Ok(Some(tokenizer.load(bytes.as_deref())?))
}
