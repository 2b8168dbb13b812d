//! What running a node means: which tables and what else its stage is handed, and where it runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::answers::Product;
use super::asking;
use super::calls::Route;
use super::execute::Shared;
use super::gauge::Gauge;
use super::node::{NodeError, failed};
use crate::base::failure::Failure;
use crate::base::json;
use crate::base::key::Digest;
use crate::base::wording::count;
use crate::frame::{ColumnData, Frame};
use crate::language::text::{Tokenizer, TokenizerSpec};
use crate::models::ask::Model;
use crate::models::spec::ModelSpec;
use crate::plan::{Node, NodeId};
use crate::stage::{Asking, How, Inputs, Output, Role, SCHEMA, SourceFile, StageName, World};

/// Tables and the names of the stages that they are of.
type Tables = Vec<(StageName, Arc<Frame>)>;

impl Shared {
    /// Runs a node's stage, whatever is known of it. Also says whether calls failed.
    pub(super) async fn run(
        self: &Arc<Self>,
        id: NodeId,
        script: Option<Digest>,
    ) -> Result<(Product, bool), NodeError> {
        let node = self.plan.node(id);
        if node.stage.asks().is_some() {
            let Some((_, input)) = self.inputs(id).await?.into_iter().next() else {
                return Err(failed("a stage that asks reads one stage"));
            };
            let asked = asking::run(self, id, script, input).await?;
            return Ok((asked.product, asked.failed_calls));
        }
        let mut output = self.compute(id, self.looked_at(id).await?).await?;
        if output.is_err() && node.stage.looks_at().is_some() {
            // Once more with every column there is, which the message may have to name.
            output = self.compute(id, self.inputs(id).await?).await?;
        }
        Ok((Product::Table(output?), false))
    }

    /// A model ready to answer, and the way to it.
    pub(super) async fn model(
        self: &Arc<Self>,
        spec: &ModelSpec,
    ) -> Result<(Arc<dyn Model>, Route), NodeError> {
        let (shared, spec) = (Arc::clone(self), spec.clone());
        self.blocking(move || {
            let tokenizer = shared.load_tokenizer(spec.tokenizer.as_ref())?;
            let route = shared.caller.route(&spec, || Gauge::new(tokenizer));
            let model = shared.library.model(&spec, &route.gauge, &shared.files)?;
            Ok((model, route))
        })
        .await?
    }

    /// What a node asks, with the schema that its file holds.
    pub(super) fn asking(&self, node: &Node) -> Result<Asking, NodeError> {
        let asking = node.stage.asking();
        let mut asking = asking.ok_or_else(|| failed("the stage asks nobody"))?;
        let files = node.stage.files();
        let schema = files.iter().find(|file| file.role == Role::One(SCHEMA));
        if let Some(file) = schema.and_then(|named| named.patterns.first()) {
            let path = self
                .files
                .one(file)
                .map_err(|error| self.file_failure(&error))?;
            let bytes = self
                .files
                .read(&path)
                .map_err(|error| self.file_failure(&error))?;
            let schema: serde_json::Value = std::str::from_utf8(&bytes)
                .map_err(|error| error.to_string())
                .and_then(|text| json::read_as(text).map_err(|error| error.to_string()))
                .map_err(|why| {
                    Failure::new(format!("not a JSON schema: {why}")).at(path.display())
                })?;
            asking.schema = Some(Arc::new(schema));
        }
        Ok(asking)
    }

    /// The whole tables that a node reads.
    async fn inputs(self: &Arc<Self>, id: NodeId) -> Result<Tables, NodeError> {
        let mut tables = Vec::new();
        for &input in &self.plan.node(id).inputs {
            let name = self.plan.node(input).name.clone();
            tables.push((name, self.frame(input).await?));
        }
        Ok(tables)
    }

    /// The tables that a node reads, with the columns that it looks at.
    async fn looked_at(self: &Arc<Self>, id: NodeId) -> Result<Tables, NodeError> {
        let node = self.plan.node(id);
        let Some(columns) = node.stage.looks_at() else {
            return self.inputs(id).await;
        };
        let mut tables = Vec::new();
        for &input in &node.inputs {
            let name = self.plan.node(input).name.clone();
            tables.push((name, self.narrow(input, &columns).await?));
        }
        Ok(tables)
    }

    /// What a node's stage computes, or why it cannot.
    async fn compute(
        self: &Arc<Self>,
        id: NodeId,
        tables: Tables,
    ) -> Result<Result<Output, Failure>, NodeError> {
        let shared = Arc::clone(self);
        self.blocking(move || {
            let node = shared.plan.node(id);
            let How::Computes(stage) = node.stage.how() else {
                return Err(Failure::new("the stage asks a model"));
            };
            let inputs = Inputs::new(tables);
            let beside = Beside {
                shared: &shared,
                node,
            };
            let run = || stage.run(&inputs, &beside);
            match &shared.pool {
                Some(pool) => pool.install(run),
                None => run(),
            }
        })
        .await
    }

    pub(super) fn load_tokenizer(
        &self,
        tokenizer: Option<&TokenizerSpec>,
    ) -> Result<Option<Tokenizer>, NodeError> {
        let Some(tokenizer) = tokenizer else {
            return Ok(None);
        };
        let bytes = tokenizer
            .file()
            .map(|file| self.files.read(&self.files.one(file)?))
            .transpose()
            .map_err(|error| self.file_failure(&error))?;
        Ok(Some(tokenizer.load(bytes.as_deref())?))
    }
}

/// What a node's stage is handed beside tables: what it declares, and nothing else.
struct Beside<'n> {
    shared: &'n Shared,
    node: &'n Node,
}

impl Beside<'_> {
    fn file(&self, path: &Path) -> Result<SourceFile, Failure> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = self.shared.files.read(path);
        Ok(SourceFile {
            name: name.into_owned(),
            bytes: bytes.map_err(|error| error.failure(&self.shared.folders))?,
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
        let loaded = self.shared.load_tokenizer(Some(tokenizer))?;
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
        let paths = paths.map_err(|error| error.failure(&self.shared.folders))?;
        paths.iter().map(|path| self.file(path)).collect()
    }

    fn downloads(&self) -> Result<Vec<SourceFile>, Failure> {
        let downloads = self.node.stage.downloads();
        let paths = downloads
            .iter()
            .map(|download| self.shared.downloads.path_of(&download.name));
        paths.map(|path| self.file(&path)).collect()
    }
}

/// Adds the axis values set at this node as columns. A column of that name must agree.
pub(super) fn label(frame: Frame, node: &Node) -> Result<Frame, NodeError> {
    let mut frame = frame;
    for (axis, value) in &node.labels {
        if frame.has(axis) {
            let column = frame.column(axis)?;
            let wanted = value.to_string();
            let other = (0..column.len())
                .filter(|&row| column.text(row).is_none_or(|text| text != wanted))
                .count();
            if other > 0 {
                return Err(Failure::new(format!(
                    "axis `{axis}` is `{wanted}` here, but the column `{axis}` that is there already holds something else in {}",
                    count(other, "row")
                ))
                .hint("give the axis another name, or select the rows that belong to it")
                .into());
            }
        }
        frame = frame
            .clone()
            .with_column(axis, ColumnData::repeat(value, frame.rows()))?;
    }
    Ok(frame)
}
