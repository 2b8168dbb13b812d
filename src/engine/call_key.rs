//! Questions of a stage with the keys of the calls that hold them.

use std::sync::{Arc, OnceLock};

use crate::base::key::{Digest, KEY_FORMAT};
use crate::models::ask::Question;
use crate::models::key::{CallKey, Form, Keys};
use crate::stage::Asking;

/// What the keys of a stage's calls have in common.
pub(super) fn form_of(asking: &Asking, script: Option<Digest>) -> Arc<Form> {
    let model = &asking.model;
    let server = model.provider.server();
    let any = CallKey {
        format: KEY_FORMAT,
        model: model.asked(),
        revision: model.revision.as_deref(),
        messages: &[],
        sampling: &model.sampling,
        thinking: model.thinking.as_ref(),
        extra: &model.extra,
        dialect: server.map(|server| server.dialect.name()),
        schema: asking.schema.as_deref(),
        script,
        repeat: 0,
        attempt: 0,
    };
    Arc::new(any.form())
}

/// A question and the keys of the calls that hold it.
#[derive(Clone)]
pub(super) struct Posed {
    pub(super) question: Question,
    form: Arc<Form>,
    /// Those of first attempts, once somebody wants one: models that read no prompts have none.
    first: Arc<OnceLock<Keys>>,
}

impl Posed {
    /// A question of the stage whose keys have this form.
    pub(super) fn new(question: Question, form: &Arc<Form>) -> Self {
        Self {
            question,
            form: Arc::clone(form),
            first: Arc::default(),
        }
    }

    /// The key of the call at this attempt, after others whose replies were cut off.
    pub(super) fn key(&self, attempt: u32) -> Digest {
        let Question {
            messages, repeat, ..
        } = &self.question;
        match attempt {
            0 => {
                let first = || self.form.begin(messages, 0);
                self.first.get_or_init(first).digest(*repeat)
            }
            _ => self.form.digest(messages, *repeat, attempt),
        }
    }
}
