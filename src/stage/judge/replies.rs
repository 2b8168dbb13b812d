//! What the replies of a judge say.

use std::sync::Arc;

use super::said::Said;
use super::{Judge, OwnSchema};
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::models::parse::{Finish, Form, Reader};

/// Reads the replies of a judge, from any number of threads.
pub struct Replies {
    judge: Judge,
    reader: Reader,
    /// What tells it from judges that may find something else in the same reply.
    key: Digest,
    said: Arc<Said>,
}

impl Replies {
    /// Of a judge, where replies that were read before are known.
    ///
    /// # Errors
    /// When a metric has a name that no reply could hold.
    pub fn of(judge: Judge, said: &Arc<Said>) -> Result<Self, Failure> {
        let reader = Reader::new(judge.parse, &judge.metrics);
        let reader = reader.map_err(|error| Failure::new(error.to_string()))?;
        let paths = judge.schema.as_ref().map(OwnSchema::paths);
        let reader = reader
            .with_finals(judge.finals.unwrap_or_default())
            .with_paths(paths);
        let how = (&reader, &judge.scale, judge.model.thoughts());
        Ok(Self {
            // It is never stored, so whatever tells them apart will do.
            key: Digest::of(format!("{how:?}")),
            reader,
            judge,
            said: Arc::clone(said),
        })
    }

    /// The judge.
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    /// What a reply says, and where in it.
    pub fn read(&self, reply: &str, finish: Finish) -> Arc<Form> {
        let Judge { scale, model, .. } = &self.judge;
        self.said.of(&self.key, (reply, finish), || {
            self.reader.read(reply, finish, scale, model.thoughts())
        })
    }
}
