//! What calls come to on disk: looking replies up, and storing them.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::Caller;
use crate::base::clock::now;
use crate::base::key::Digest;
use crate::base::lock::lock;
use crate::cache::CacheError;
use crate::engine::call_key::Posed;
use crate::engine::no_call::NoCall;
use crate::models::ask::Reply;
use crate::models::parse::Finish;
use crate::models::spec::ModelSpec;
use crate::models::wire;
use crate::stage::Asking;

/// How long a cache that was seen is taken to be there. Whoever writes to one that is gone notices that, too.
const THERE: Duration = Duration::from_millis(100);

impl Caller {
    /// Damaged records met since the last time, in sentences.
    pub(in crate::engine) fn damages(&self) -> Vec<String> {
        self.store
            .take_damages()
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    /// Whether a reply with this key is stored.
    pub(in crate::engine) fn has(&self, key: &Digest) -> bool {
        self.store.contains(key).unwrap_or(false)
    }

    /// The call that a question needs next, if it needs one, by its key and attempt: the first that is not
    /// stored, where those before it were cut off.
    pub(in crate::engine) fn missing(
        &self,
        asking: &Asking,
        posed: &Posed,
    ) -> Result<Option<(Digest, u32)>, NoCall> {
        for attempt in 0..=asking.retry_cut {
            let key = posed.key(attempt);
            match self.stored(&key, &asking.model)? {
                Some(reply) if reply.finish == Finish::Length => {}
                Some(_) => return Ok(None),
                None => return Ok(Some((key, attempt))),
            }
        }
        Ok(None)
    }

    /// The same, where no reply of the model is another's or was cut off: it is enough then that there is one. Whether it is
    /// whole is seen when it is used.
    pub(in crate::engine) fn missing_first(
        &self,
        posed: &Posed,
    ) -> Result<Option<(Digest, u32)>, NoCall> {
        let key = posed.key(0);
        Ok((!self.store.contains(&key)?).then_some((key, 0)))
    }

    /// Whether any reply is stored.
    pub(in crate::engine) fn has_any(&self) -> bool {
        self.store.count().is_ok_and(|count| count > 0)
    }

    /// Sees that a reply could be stored, before it is asked for and paid.
    pub(in crate::engine) fn can_store(&self) -> Result<(), NoCall> {
        if let Some(why) = self.full.get() {
            return Err(NoCall::Cache(why.clone()));
        }
        self.prepared.get_or_init(|| self.store.prepare()).clone()?;
        let mut seen = lock(&self.seen);
        if seen.is_none_or(|at| at.elapsed() > THERE) {
            self.store.check().inspect_err(|error| {
                self.full.get_or_init(|| error.in_full());
            })?;
            *seen = Some(Instant::now());
        }
        Ok(())
    }

    /// The stored reply, if there is one and the model that is asked gave it.
    pub(in crate::engine) fn stored(
        &self,
        key: &Digest,
        spec: &ModelSpec,
    ) -> Result<Option<Reply>, NoCall> {
        let Some(bytes) = self.store.get(key)? else {
            return Ok(None);
        };
        // The bytes are checked by digest, so they are what some version wrote. The first reply stays:
        // were this one passed over, a new one would be paid for in every run and never kept.
        let reply: Reply = serde_json::from_slice(&bytes).map_err(|error| {
            NoCall::Cache(format!(
                "the stored reply `{key}` has a format that this version cannot read ({error}): use the version that wrote it, or another cache folder"
            ))
        })?;
        wire::identity::check(spec, reply.model.as_deref()).map_err(NoCall::Error)?;
        Ok(Some(reply))
    }

    /// Picks up what other processes stored.
    pub(in crate::engine) fn refresh(&self) -> Result<(), NoCall> {
        Ok(self.store.refresh()?)
    }

    /// Picks up what processes on other machines stored, whose disks show it late.
    pub(in crate::engine) fn reopen(&self) -> Result<(), NoCall> {
        Ok(self.store.reopen()?)
    }

    /// What is kept under a key, whatever it is.
    pub(in crate::engine) fn recall(&self, key: &Digest) -> Result<Option<Vec<u8>>, CacheError> {
        self.store.get(key)
    }

    /// Keeps several things that are no replies of models, durably; returns when they are.
    pub(in crate::engine) fn keep_all(&self, said: &[(Digest, Vec<u8>)]) -> Result<(), CacheError> {
        let Some(((key, bytes), before)) = said.split_last() else {
            return Ok(());
        };
        let now = now();
        let failed = Arc::new(OnceLock::new());
        for (key, bytes) in before {
            let failed = Arc::clone(&failed);
            self.store.put_then(key, bytes, now, move |stored| {
                stored.unwrap_or_else(|error| drop(failed.set(error)));
            });
        }
        // They are written in order: when the last is, what came of the others is known.
        self.store.put(key, bytes, now)?;
        failed.get().cloned().map_or(Ok(()), Err)
    }

    /// Stores a reply, durably.
    pub(in crate::engine) async fn keep(&self, key: &Digest, reply: &Reply) -> Result<(), NoCall> {
        let bytes = serde_json::to_vec(reply).map_err(|error| NoCall::Cache(error.to_string()))?;
        let now = now();
        let (sender, receiver) = oneshot::channel();
        let desk = self.desk.clone();
        self.store.put_then(key, &bytes, now, move |result| {
            // Also of a call that nobody waits for any more: it was stored.
            if let (Some(desk), Ok(())) = (desk, &result) {
                desk.has_stored();
            }
            // Gone only if this task was cancelled; then nobody uses the reply either.
            let _ = sender.send(result);
        });
        match receiver.await {
            Ok(result) => Ok(result?),
            Err(_) => Err(NoCall::Cache("the writer of calls stopped".to_owned())),
        }
    }
}
