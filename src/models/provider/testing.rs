//! For tests: models on servers, and questions.

use std::sync::Arc;

use serde_json::Map;

use crate::models::ask::{Message, Question, Role};
use crate::models::dialect::Dialect;
use crate::models::spec::{
    Limits, ModelSpec, Prices, Provider, Sampling, Server, Thinking, ThinkingSwitch,
};

/// A model with a name and nothing else.
fn named(name: &str, provider: Provider) -> ModelSpec {
    ModelSpec {
        name: "judge".to_owned(),
        provider,
        model: Some(name.to_owned()),
        revision: None,
        system: None,
        sampling: Sampling::default(),
        thinking: None,
        extra: Map::new(),
        context: None,
        tokenizer: None,
        reported: Vec::new(),
        limits: Limits::default(),
        prices: Prices::default(),
        serve: None,
    }
}

fn served(name: &str, dialect: Dialect, url: &str) -> ModelSpec {
    let server = Server {
        dialect,
        base_urls: vec![url.to_owned()],
        key: None,
    };
    named(name, Provider::Served(server))
}

/// A model on a server of chat completions.
pub(in crate::models) fn openai(name: &str) -> ModelSpec {
    openai_at(name, "http://localhost:8000/v1")
}

/// The same at a url.
pub(in crate::models) fn openai_at(name: &str, url: &str) -> ModelSpec {
    served(name, Dialect::OpenAi, url)
}

/// A model of Anthropic's.
pub(in crate::models) fn anthropic(name: &str) -> ModelSpec {
    of(Dialect::Anthropic, name)
}

/// A model at the provider's own server.
pub(in crate::models) fn of(dialect: Dialect, name: &str) -> ModelSpec {
    served(name, dialect, dialect.contract().home)
}

/// The same model with a key.
pub(in crate::models) fn with_key(mut spec: ModelSpec, variable: &str) -> ModelSpec {
    if let Provider::Served(server) = &mut spec.provider {
        server.key = Some(variable.to_owned());
    }
    spec
}

/// A way to tell a model whether to think.
pub(in crate::models) fn thinking(on: bool, by: ThinkingSwitch) -> Thinking {
    let lines = ["/think".to_owned(), "/no_think".to_owned()];
    Thinking {
        on,
        by,
        lines: (by == ThinkingSwitch::System).then_some(lines),
        effort: None,
        budget: None,
        opened: false,
        tag: "think".to_owned(),
    }
}

/// A question of one prompt.
pub(in crate::models) fn question(prompt: &str) -> Question {
    conversation(&[(Role::User, prompt)])
}

/// A question of several messages.
pub(in crate::models) fn conversation(messages: &[(Role, &str)]) -> Question {
    let messages = messages.iter().map(|(role, content)| Message {
        role: *role,
        content: (*content).to_owned(),
    });
    Question {
        messages: messages.collect(),
        text: String::new(),
        columns: Vec::new(),
        metrics: Arc::from([]),
        repeat: 0,
        attempt: 0,
        schema: None,
    }
}
