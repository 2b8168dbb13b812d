//! What running a node means for each kind of stage: which tables it is handed, and where it runs.

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
use crate::base::wording::{count, list_of};
use crate::frame::{ColumnData, Frame, FrameError};
use crate::language::text;
use crate::language::text::TokenizerSpec;
use crate::models::ask::Model;
use crate::models::spec::ModelSpec;
use crate::plan::{Node, NodeId};
use crate::stage::{Asking, Figure, Output, SourceFile, Stage, StageName, Stats};

impl Shared {
    /// Runs a node's stage, whatever is known of it. Also says whether calls failed.
    pub(super) async fn run(
        self: &Arc<Self>,
        id: NodeId,
        script: Option<Digest>,
    ) -> Result<(Product, bool), NodeError> {
        let stage = &self.plan.node(id).stage;
        if let Stage::Stats(stats) = &**stage {
            let output = self.statistics(id, stats).await?;
            return Ok((Product::Table(output), false));
        }
        if let Stage::Figure(figure) = &**stage {
            return Ok((Product::Table(self.figure(id, figure).await?), false));
        }
        let frames = self.inputs(id).await?;
        if stage.kind().asks() {
            let Some(input) = frames.into_iter().next() else {
                return Err(failed("a stage that asks reads one stage"));
            };
            let asked = asking::run(self, id, script, input).await?;
            return Ok((asked.product, asked.failed_calls));
        }
        let shared = Arc::clone(self);
        let output = self
            .blocking(move || match &shared.pool {
                Some(pool) => pool.install(|| shared.run_local(id, &frames)),
                None => shared.run_local(id, &frames),
            })
            .await??;
        Ok((Product::Table(output), false))
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
        if let Stage::Generate(generate) = &*node.stage
            && let Some(file) = &generate.schema
        {
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
    async fn inputs(self: &Arc<Self>, id: NodeId) -> Result<Vec<Arc<Frame>>, NodeError> {
        let mut frames = Vec::new();
        for &input in &self.plan.node(id).inputs {
            frames.push(self.frame(input).await?);
        }
        Ok(frames)
    }

    async fn statistics(self: &Arc<Self>, id: NodeId, stats: &Stats) -> Result<Output, NodeError> {
        let columns = stats.columns();
        let mut frames = Vec::new();
        for &input in &self.plan.node(id).inputs {
            frames.push(self.narrow(input, &columns).await?);
        }
        let run = |frames: Vec<Arc<Frame>>| {
            let stats = stats.clone();
            self.blocking(move || stats.run(&stack(frames.iter())?))
        };
        if let Ok(output) = run(frames).await? {
            return Ok(output);
        }
        // Once more with every column there is, which the message may have to name.
        let names: Vec<String> = stats.from.iter().map(ToString::to_string).collect();
        let output = run(self.inputs(id).await?).await?;
        Ok(output.map_err(|failure| {
            failure.or_hint(format!("the columns come from {}", list_of(&names)))
        })?)
    }

    async fn figure(self: &Arc<Self>, id: NodeId, figure: &Figure) -> Result<Output, NodeError> {
        let columns = figure.columns();
        let mut frames = Vec::new();
        for &input in &self.plan.node(id).inputs {
            frames.push(self.narrow(input, &columns).await?);
        }
        let run = |frames: Vec<Arc<Frame>>| {
            let (shared, figure) = (Arc::clone(self), figure.clone());
            self.blocking(move || figure.run(&shared.by_stage(shared.plan.node(id), &frames)?))
        };
        if let Ok(output) = run(frames).await? {
            return Ok(output);
        }
        // Once more with every column there is, which the message may have to name.
        Ok(run(self.inputs(id).await?).await??)
    }

    /// What a token is to a node's stage.
    fn tokenizer(&self, node: &Node) -> Result<text::Tokenizer, NodeError> {
        let tokenizer = self.load_tokenizer(node.stage.tokenizer())?;
        Ok(tokenizer.unwrap_or_default())
    }

    pub(super) fn load_tokenizer(
        &self,
        tokenizer: Option<&TokenizerSpec>,
    ) -> Result<Option<text::Tokenizer>, NodeError> {
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

    /// The rows of each stage that a node reads, of all its instances together.
    fn by_stage(
        &self,
        node: &Node,
        frames: &[Arc<Frame>],
    ) -> Result<Vec<(StageName, Frame)>, FrameError> {
        let reads = node.stage.reads().into_iter();
        reads
            .map(|name| {
                let of = node
                    .inputs
                    .iter()
                    .zip(frames)
                    .filter(|(input, _)| self.plan.node(**input).name == *name)
                    .map(|(_, frame)| frame);
                Ok((name.clone(), stack(of)?))
            })
            .collect()
    }

    /// The other stages that ask nobody.
    fn run_local(&self, id: NodeId, frames: &[Arc<Frame>]) -> Result<Output, NodeError> {
        let node = self.plan.node(id);
        let one = || {
            frames
                .first()
                .ok_or_else(|| failed("the stage reads one stage"))
        };
        Ok(match &*node.stage {
            Stage::Source(source) => {
                let read = |path: &std::path::Path| -> Result<SourceFile, NodeError> {
                    Ok(SourceFile {
                        name: path
                            .file_name()
                            .unwrap_or_default()
                            .to_string_lossy()
                            .into_owned(),
                        bytes: self
                            .files
                            .read(path)
                            .map_err(|error| self.file_failure(&error))?,
                        path: path.to_owned(),
                    })
                };
                let files = self.files.all(&source.files);
                let mut paths = files.map_err(|error| self.file_failure(&error))?;
                paths.extend(self.book_paths(source));
                let files = paths
                    .iter()
                    .map(|path| read(path))
                    .collect::<Result<_, _>>()?;
                let metadata = source.metadata.as_deref().map(read).transpose()?;
                source.run(files, metadata)?
            }
            Stage::Select(select) => select
                .run(one()?, &node.name, node.seed.unwrap_or(0))
                .map_err(|failure| {
                    failure.or_hint(format!("the columns come from `{}`", select.from))
                })?,
            Stage::Clean(clean) => clean.run(one()?)?,
            Stage::Split(split) => split.run(one()?, &self.tokenizer(node)?)?,
            Stage::Truncate(truncate) => truncate.run(one()?, &self.tokenizer(node)?)?,
            Stage::Manipulate(manipulate) => {
                let frames: Vec<&Frame> = frames.iter().map(|frame| &**frame).collect();
                let (tokenizer, seed) = (self.tokenizer(node)?, node.seed.unwrap_or(0));
                manipulate.run(&frames, &tokenizer, &node.name, seed)?
            }
            Stage::Measure(measure) => measure.run(one()?)?,
            Stage::Memo(memo) => {
                let frames: Vec<&Frame> = frames.iter().map(|frame| &**frame).collect();
                memo.run(&frames)?
            }
            Stage::Export(export) => export.run(&self.by_stage(node, frames)?)?,
            Stage::Table(table) => table.run(&self.by_stage(node, frames)?)?,
            Stage::Generate(_) | Stage::Judge(_) | Stage::Stats(_) | Stage::Figure(_) => {
                return Err(failed("it is not run here"));
            }
        })
    }
}

fn stack<'f>(frames: impl Iterator<Item = &'f Arc<Frame>>) -> Result<Frame, FrameError> {
    let frames: Vec<Frame> = frames.map(|frame| Frame::clone(frame)).collect();
    Frame::stack(&frames)
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
