//! One call of one stage: its prompt, its reply, and what is parsed from it.

use std::sync::Arc;

use super::breaker::Breaker;
use super::call_key::{Posed, form_of};
use super::calls::Asker;
use super::came::Came;
use super::execute::Engine;
use super::no_call::NoCall;
use super::outcome::{NodeError, failed};
use super::ready;
use super::shared::Shared;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::frame::Frame;
use crate::models::ask::{CallError, Message, Model, Needs, Reply};
use crate::models::logprobs::Likelihood;
use crate::models::provider::conversation;
use crate::models::score::Reason;
use crate::plan::NodeId;
use crate::stage::{Answer, Read, Reading, Stage, Written, likelihood};

/// A question of a stage.
pub struct Tried {
    /// What is sent.
    pub messages: Vec<Message>,
    /// Tokens of the prompt, and whether that was counted by the model's own tokenizer.
    pub tokens: (u64, bool),
    /// The call's key, for models whose replies are stored.
    pub key: Option<Digest>,
    /// Whether the reply was stored already.
    pub stored: bool,
    /// The reply, or why there is none; nothing where nobody was to be asked.
    pub reply: Option<Result<Reply, CallError>>,
    /// What was read off it.
    pub read: Option<Result<Reading, Written>>,
    /// How likely it was, where the stage notes that.
    pub likelihood: Option<Result<Likelihood, Reason>>,
}

impl Engine {
    /// Puts one question of a node about one row of `input`, the rows that it asks about, or only shows
    /// it. A reply is stored and reused like any other.
    ///
    /// # Errors
    /// When the question cannot be put together, or the cache cannot be used.
    pub async fn try_one(
        &self,
        id: NodeId,
        input: Arc<Frame>,
        row: usize,
        repeat: u32,
        ask: bool,
    ) -> Result<Tried, Failure> {
        let tried = one(self.shared(), id, input, row, repeat, ask).await;
        tried.map_err(|error| match error {
            NodeError::Failed(failure) => failure,
            NodeError::Interrupted | NodeError::Unchecked | NodeError::Changed => {
                Failure::new("interrupted")
            }
        })
    }
}

async fn one(
    shared: &Arc<Shared>,
    id: NodeId,
    input: Arc<Frame>,
    row: usize,
    repeat: u32,
    ask: bool,
) -> Result<Tried, NodeError> {
    let node = shared.plan.node(id);
    let asking = ready::asking(&shared.files, node)?;
    let files = shared.files.of(node).map_err(failed)?;
    let script = files.get("script").copied();
    let (model, route) = ready::model(shared, &asking.model).await?;
    let rows = shared.rows(&asking, input, model.needs())?;
    if let Some(why) = rows.not_applicable(row) {
        return Err(Failure::new(format!("there is nothing to ask: {why}")).into());
    }
    let question = rows.question(row, repeat)?;
    let prompted = model.needs() == Needs::Prompt;
    let posed = Posed::new(question, &form_of(&asking, script));
    let question = &posed.question;
    let key = prompted.then(|| posed.key(0));
    let mut tried = Tried {
        messages: match asking.model.provider.server() {
            Some(_) => conversation(&asking.model, &question.messages),
            None => question.messages.to_vec(),
        },
        tokens: (route.gauge.question(question), route.gauge.is_exact()),
        stored: key.is_some_and(|key| shared.caller.has(&key)),
        key,
        reply: None,
        read: None,
        likelihood: None,
    };
    if !ask {
        return Ok(tried);
    }
    let breaker = Breaker::default();
    let asker = Asker {
        model: &*model,
        asking: &asking,
        route: &route,
        breaker: &breaker,
        came: &Came::default(),
    };
    let reply = reply(shared, asker, &*model, &posed, prompted).await?;
    let asks = node.stage.asks();
    let reader = asks
        .ok_or_else(|| failed("the stage calls no model"))?
        .reader(&shared.said)?;
    let answer = Answer { reply, call: key };
    let notes = match &*node.stage {
        Stage::Judge(judge) => judge.logprobs,
        Stage::Generate(generate) => generate.logprobs,
        _ => false,
    };
    tried.likelihood = notes.then(|| likelihood(&answer, &asking.model));
    tried.read = Some(match reader.read(&answer) {
        Read::Scores(mut reading) => {
            if let Stage::Judge(judge) = &*node.stage {
                if let Some(compare) = &judge.compare
                    && let Some(placed) = compare.placed(rows.frame())?
                {
                    for verdict in &mut reading.verdicts {
                        placed.turn(verdict, row);
                    }
                }
                if let Some(items) = &judge.items {
                    reading = items.lists(rows.frame())?.in_order(row, reading);
                }
            }
            Ok(reading)
        }
        Read::Text(written) => Err(written),
    });
    tried.reply = Some(answer.reply);
    Ok(tried)
}

async fn reply(
    shared: &Shared,
    asker: Asker<'_>,
    model: &dyn Model,
    posed: &Posed,
    prompted: bool,
) -> Result<Result<Reply, CallError>, NodeError> {
    if !prompted {
        return Ok(model.ask(&posed.question, 0).await);
    }
    match shared.caller.call(asker, posed).await {
        Ok(called) => Ok(Ok(called.reply)),
        Err(NoCall::Error(error)) => Ok(Err(error)),
        Err(NoCall::Offline) => {
            let failure = Failure::new("the call is not cached, and no model may be called");
            let hint = shared
                .absent
                .hint_online("give the command without `--offline`");
            Err(failure.hint(hint).into())
        }
        Err(NoCall::Interrupted) => Err(NodeError::Interrupted),
        Err(NoCall::Cache(why)) => Err(failed(why)),
    }
}
