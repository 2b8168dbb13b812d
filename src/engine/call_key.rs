//! The key of a question that a stage asks.

use crate::base::key::{Digest, KEY_FORMAT};
use crate::models::ask::Question;
use crate::models::key::CallKey;
use crate::stage::Asking;

/// The key of a call.
pub(super) fn key_of(
    asking: &Asking,
    script: Option<Digest>,
    question: &Question,
    attempt: u32,
) -> Digest {
    let model = &asking.model;
    let server = model.provider.server();
    CallKey {
        format: KEY_FORMAT,
        model: model.asked(),
        revision: model.revision.as_deref(),
        messages: &question.messages,
        sampling: &model.sampling,
        thinking: model.thinking.as_ref(),
        extra: &model.extra,
        dialect: server.map(|server| server.dialect.name()),
        schema: question.schema.as_deref(),
        script,
        repeat: question.repeat,
        attempt,
    }
    .digest()
}
