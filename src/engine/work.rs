//! What running a node means: which tables its stage is handed, where it runs, and reading what it came to, computed again
//! where the cache turns out damaged.

use std::sync::Arc;

use super::asking;
use super::beside::Beside;
use super::exported::Exported;
use super::in_parts::InParts;
use super::outcome::{NodeError, failed};
use super::pick::Pick;
use super::product::{Product, label};
use super::shared::Shared;
use super::workers::blocking;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::cache::Damage;
use crate::frame::{Frame, FrameError};
use crate::plan::NodeId;
use crate::stage::{FAILED, How, Inputs, Long, StageName, with_reasons};

/// Tables and the names of the stages that they are of.
type Tables = Vec<(StageName, Arc<Frame>)>;

/// Runs a node's stage, whatever is known of it. Also says whether calls failed.
pub(super) async fn run(
    shared: &Arc<Shared>,
    id: NodeId,
    script: Option<Digest>,
) -> Result<(Product, bool), NodeError> {
    let node = shared.plan.node(id);
    if node.stage.asks().is_some() {
        if let Some(long) = long(shared, id).await? {
            let asked = asking::run_in_parts(shared, id, script, long).await?;
            return Ok((asked.product, asked.failed_calls));
        }
        let Some((_, input)) = inputs(shared, id).await?.into_iter().next() else {
            return Err(failed("a stage that asks reads one stage"));
        };
        let asked = asking::run(shared, id, script, input).await?;
        return Ok((asked.product, asked.failed_calls));
    }
    let product = match computed_in_parts(shared, id).await? {
        Some(product) => product?,
        None => computed(shared, id).await?,
    };
    let failed = product.counts().unscored.contains_key(FAILED);
    Ok((product, failed))
}

/// What a node's stage computes of whole tables.
async fn computed(shared: &Arc<Shared>, id: NodeId) -> Result<Product, NodeError> {
    let (looked_at, narrow) = looked_at(shared, id).await?;
    let mut product = compute(shared, id, Inputs::new(looked_at)).await?;
    if product.is_err() && narrow {
        // Once more with every column there is, which the message may have to name.
        let inputs = Inputs::new(inputs(shared, id).await?);
        product = compute(shared, id, inputs).await?;
    }
    Ok(product?)
}

/// What a node's stage computes of the one table that it reads, if it does so part by part and the table is stored like
/// that.
async fn computed_in_parts(
    shared: &Arc<Shared>,
    id: NodeId,
) -> Result<Option<Result<Product, Failure>>, NodeError> {
    let Some(output) = read_in_parts(shared, id)? else {
        return Ok(None);
    };
    let known = shared.results.is_untouched(&output);
    let parts = if known {
        opened(shared, output).await?
    } else {
        parted(shared, output).await?
    };
    let Some(parts) = parts else {
        return Ok(None);
    };
    // What nobody has touched since it was read or written is read once more beside the work, and nothing that was
    // computed of it is kept if it turns out other than it was.
    let (own, watched) = (Arc::clone(shared), Arc::clone(&parts));
    let check = blocking(move || !known || watched.is(&output, &own.results.nodes));
    let inputs = Inputs::long(Arc::clone(&parts) as Arc<dyn Long>);
    let (product, sound) = tokio::join!(compute(shared, id, inputs), check);
    let sound = sound? && parts.is_untouched();
    Ok(if sound { Some(product?) } else { None })
}

/// The one table that a node reads, if it is stored in parts and the node's stage asks for them.
pub(super) async fn long(
    shared: &Arc<Shared>,
    id: NodeId,
) -> Result<Option<Arc<dyn Long>>, NodeError> {
    let Some(output) = read_in_parts(shared, id)? else {
        return Ok(None);
    };
    let parts = parted(shared, output).await?;
    Ok(parts.map(|parts| parts as Arc<dyn Long>))
}

/// The digest of the one table that a node reads, if its stage works on a part of it at a time.
pub(super) fn read_in_parts(shared: &Shared, id: NodeId) -> Result<Option<Digest>, NodeError> {
    let node = shared.plan.node(id);
    let in_parts = match node.stage.how() {
        How::Computes(stage) => stage.in_parts(),
        // What is recorded is looked up in all rows together, and what is missing or handed in as a batch is told of all.
        How::Asks(asks) => {
            let prompts = asks.model().provider.reads_prompts();
            asks.in_parts() && prompts && !asks.asking().batch && !shared.offline
        }
    };
    match node.inputs[..] {
        [input] if in_parts && !shared.absent.strange_cache => Ok(Some(shared.done(input)?.output)),
        _ => Ok(None),
    }
}

/// A result that is stored in several parts. What is damaged is read whole, and made again.
async fn parted(shared: &Arc<Shared>, output: Digest) -> Result<Option<Arc<InParts>>, NodeError> {
    let own = Arc::clone(shared);
    blocking(move || InParts::checked(&output, &own.results.nodes).map(Arc::new)).await
}

/// The same, of which nothing is checked yet.
async fn opened(shared: &Arc<Shared>, output: Digest) -> Result<Option<Arc<InParts>>, NodeError> {
    // By the file itself, and not by whether somebody holds the table at this moment: the bytes of the result follow from it.
    let path = shared.results.nodes.path_of(&output);
    blocking(move || InParts::open(&path).map(Arc::new)).await
}

/// The whole tables that a node reads.
async fn inputs(shared: &Arc<Shared>, id: NodeId) -> Result<Tables, NodeError> {
    let mut tables = Vec::new();
    for &input in &shared.plan.node(id).inputs {
        let name = shared.plan.node(input).name.clone();
        tables.push((name, frame(shared, input).await?));
    }
    Ok(tables)
}

/// The tables that a node reads, with the columns that it looks at, and whether these may be fewer than there are.
async fn looked_at(shared: &Arc<Shared>, id: NodeId) -> Result<(Tables, bool), NodeError> {
    let stage = &shared.plan.node(id).stage;
    let only = stage.looks_at();
    let only = only.map(|columns| Arc::new(Pick::Only(with_reasons(&columns))));
    let mut tables = Vec::new();
    let mut some = false;
    for &input in &shared.plan.node(id).inputs {
        let name = shared.plan.node(input).name.clone();
        let over = stage.passes_over(&name);
        let but = || (!over.is_empty()).then(|| Arc::new(Pick::But(over)));
        let table = match only.clone().or_else(but) {
            Some(pick) => {
                some = true;
                narrow(shared, input, pick).await?
            }
            None => frame(shared, input).await?,
        };
        tables.push((name, table));
    }
    Ok((tables, some))
}

/// What a node's stage computes, or why it cannot.
async fn compute(
    shared: &Arc<Shared>,
    id: NodeId,
    inputs: Inputs,
) -> Result<Result<Product, Failure>, NodeError> {
    let shared = Arc::clone(shared);
    blocking(move || {
        let node = shared.plan.node(id);
        let How::Computes(stage) = node.stage.how() else {
            return Err(failed("the stage asks a model"));
        };
        let beside = Beside::new(&shared, node);
        let work = || stage.run(&inputs, &beside);
        let output = shared.workers.compute_of(inputs.bytes(), work);
        beside.product(output)
    })
    .await?
}

/// A node's table: from memory, from the cache, or, where that is damaged, computed again.
pub(super) async fn frame(shared: &Arc<Shared>, id: NodeId) -> Result<Arc<Frame>, NodeError> {
    let turn = shared.frames.turn(id);
    let _turn = turn.lock().await;
    if let Some(frame) = shared.frames.remembered(id) {
        return Ok(frame);
    }
    let frame = load(shared, id, None).await?;
    Ok(shared.frames.remember(&shared.plan, id, frame)?)
}

/// The rows of a node's table for a file; where what is stored is damaged, computed again.
pub(super) async fn exported(shared: &Arc<Shared>, id: NodeId) -> Result<Exported, NodeError> {
    let output = shared.done(id)?.output;
    let own = Arc::clone(shared);
    let sound = move || !own.absent.strange_cache && own.results.check(&output).is_ok();
    if blocking(sound).await? {
        return Ok(Exported::stored(output, &shared.results.nodes));
    }
    Ok(Exported::here(stored(shared, id).await?))
}

/// A node's table as it is stored; where that is damaged, computed again.
async fn stored(shared: &Arc<Shared>, id: NodeId) -> Result<Vec<u8>, NodeError> {
    let output = shared.done(id)?.output;
    let own = Arc::clone(shared);
    let loaded = blocking(move || {
        let bytes = own.results.nodes.load(&output);
        // Whoever gets it reads it without asking where it is from.
        if own.absent.strange_cache
            && let Ok(bytes) = &bytes
        {
            own.results.read_table(bytes.clone(), None)?;
        }
        Ok::<_, FrameError>(bytes)
    });
    if let Ok(bytes) = loaded.await?? {
        return Ok(bytes);
    }
    Ok(frame(shared, id).await?.to_parquet_quickly()?)
}

/// Some columns of a node's table; where there is none of them, all, which tell how many rows it has.
pub(super) async fn narrow(
    shared: &Arc<Shared>,
    id: NodeId,
    pick: Arc<Pick>,
) -> Result<Arc<Frame>, NodeError> {
    let some = match shared.frames.remembered(id) {
        Some(frame) => pick.of(&frame),
        None => load(shared, id, Some(pick)).await?,
    };
    if some.names().is_empty() {
        return frame(shared, id).await;
    }
    Ok(Arc::new(some))
}

async fn load(
    shared: &Arc<Shared>,
    id: NodeId,
    pick: Option<Arc<Pick>>,
) -> Result<Frame, NodeError> {
    let output = shared.done(id)?.output;
    let (own, columns) = (Arc::clone(shared), pick.clone());
    let loaded = blocking(move || match &columns {
        // Of one's own result no more is read than holds the columns.
        Some(pick) if !own.absent.strange_cache => {
            let file = own.results.nodes.check(&output)?;
            let read = pick.read(&file);
            if read.is_err() {
                // It may have been damaged between the two.
                own.results.nodes.check(&output)?;
            }
            Ok::<_, Damage>(read)
        }
        _ => {
            let bytes = own.results.nodes.load(&output)?;
            let names = columns.as_ref().and_then(|pick| pick.names());
            let read = own.results.read_table(bytes, names.as_deref());
            Ok(read.map(|frame| match &columns {
                Some(pick) => pick.of(&frame),
                None => frame,
            }))
        }
    })
    .await?;
    match loaded {
        Ok(Ok(frame)) => Ok(frame),
        // These are the bytes that were written: to write them again would help nobody.
        Ok(Err(error)) => Err(Failure::new(error.to_string())
            .at(shared.results.nodes.path_of(&output).display())
            .hint(if shared.absent.strange_cache {
                "the cache came in a bundle: move it away to have the results made again"
            } else {
                "the cache holds a result that this version cannot read: use the version that wrote it, or another cache folder"
            })
            .into()),
        Err(damage) => {
            if shared.results.is_absent(&output) {
                can_be_made_again(shared, id)?;
            } else {
                shared.warn(Some(&shared.titles[id.0]), damage.to_string());
            }
            let frame = Box::pin(again(shared, id)).await?;
            Ok(match pick {
                Some(pick) => pick.of(&frame),
                None => frame,
            })
        }
    }
}

/// Whether a result that was left out of a bundle may come out the same again: not where it would take
/// replies that were left out too.
fn can_be_made_again(shared: &Shared, id: NodeId) -> Result<(), NodeError> {
    let node = shared.plan.node(id);
    let asks = node.name.kind.asks()
        && node
            .stage
            .model()
            .is_some_and(|model| model.provider.reads_prompts());
    if asks && shared.absent.without_replies {
        return Err(Failure::new(format!(
            "the rows of `{}` are needed, and the bundle was made without replies",
            shared.titles[id.0]
        ))
        .hint("ask for a bundle made without `--without-replies`")
        .into());
    }
    Ok(())
}

/// Computes a damaged result again from what it reads and puts it back in its place. Its key is
/// left alone, which the node that needs the result, or one like it, may hold.
async fn again(shared: &Arc<Shared>, id: NodeId) -> Result<Frame, NodeError> {
    let done = shared.done(id)?;
    let script = done.files.get("script").and_then(|digest| {
        let digest: Option<Digest> = digest.as_str()?.parse().ok();
        digest
    });
    let (product, _) = run(shared, id, script).await?;
    let shared = Arc::clone(shared);
    blocking(move || {
        let bytes = match product {
            Product::Table(output) => {
                let frame = label(output.frame, shared.plan.node(id))?;
                let bytes = frame.to_parquet_quickly()?;
                // Earlier versions packed small tables in another way.
                if Digest::of(&bytes) == done.output {
                    bytes
                } else {
                    frame.to_parquet()?
                }
            }
            Product::Stored(stored) => {
                let bytes = stored.blob.read();
                bytes.map_err(|error| Failure::new(error.in_full()))?
            }
            Product::Same(same) => {
                let bytes = shared.results.nodes.load(&same.output);
                bytes.map_err(|damage| Failure::new(damage.to_string()))?
            }
        };
        if Digest::of(&bytes) != done.output {
            return Err(NodeError::Changed);
        }
        shared
            .results
            .nodes
            .restore(&bytes)
            .map_err(|error| Failure::new(error.in_full()))?;
        Ok(Frame::from_parquet(bytes, None)?)
    })
    .await?
}
