//! The token counter of a model: tokens of prompts and replies, for its context window, its limits and
//! its price.
//!
//! Counting costs about as much time as everything else about a call together, so it is left out
//! where a bound decides: no text has more tokens than bytes.

use std::sync::Mutex;

use crate::base::lock::lock;
use crate::base::wording::thousands;
use crate::language::text::{Encoding, Tokenizer};
use crate::models::ask::{COMPLETION_TOKENS, PROMPT_TOKENS, Question, Reply};
use crate::models::spec::ModelSpec;

/// Tokens around every message that chat templates add, about.
const AROUND: u64 = 4;

/// Where the model's own tokenizer is not known, a prompt surely does not fit when this share of
/// its estimated tokens does not.
const SURELY: f64 = 0.75;

/// Counts for one model.
#[derive(Debug)]
pub(super) struct Gauge {
    tokenizer: Tokenizer,
    /// Whether that is the model's own.
    exact: bool,
    replies: Mutex<Replies>,
}

/// What replies came to so far.
#[derive(Clone, Copy, Debug, Default)]
struct Replies {
    count: u64,
    tokens: u64,
}

impl Gauge {
    /// With the model's own tokenizer, if it is known.
    pub(super) fn new(tokenizer: Option<Tokenizer>) -> Self {
        Self {
            exact: tokenizer.is_some(),
            tokenizer: tokenizer.unwrap_or(Tokenizer::Encoding(Encoding::O200kBase)),
            replies: Mutex::default(),
        }
    }

    /// Whether counts are exact but for what templates add.
    pub(super) fn is_exact(&self) -> bool {
        self.exact
    }

    /// The tokens of a text; those of its bytes, four to one, where the tokenizer cannot read it.
    pub(super) fn count(&self, text: &str) -> u64 {
        self.tokenizer
            .count(text)
            .map_or(text.len() as u64 / 4, |tokens| tokens as u64)
    }

    /// The tokens of a question.
    pub(super) fn question(&self, question: &Question) -> u64 {
        let messages = question.messages.iter();
        messages
            .map(|message| self.count(&message.content) + AROUND)
            .sum()
    }

    /// Why a question does not fit into the model's context, if it does not.
    pub(super) fn too_long(&self, spec: &ModelSpec, question: &Question) -> Option<String> {
        let context = spec.context?;
        let reply = u64::from(spec.sampling.max_tokens.unwrap_or(1));
        let bytes: usize = question.messages.iter().map(|one| one.content.len()).sum();
        if bytes as u64 + AROUND * question.messages.len() as u64 + reply <= context {
            return None;
        }
        let tokens = self.question(question);
        let (least, about) = if self.exact {
            (tokens, "")
        } else {
            ((tokens as f64 * SURELY) as u64, "about ")
        };
        (least + reply > context).then(|| {
            let for_reply = match spec.sampling.max_tokens {
                Some(most) => format!(" and {} for the reply", thousands(u64::from(most))),
                None => String::new(),
            };
            format!(
                "{about}{} tokens{for_reply}, where the context has {}",
                thousands(tokens),
                thousands(context)
            )
        })
    }

    /// How long a reply is expected to be: as long as those so far, or else as long as it may be.
    pub(super) fn expected_reply(&self, spec: &ModelSpec) -> u64 {
        let replies = self.replies();
        match replies.tokens.checked_div(replies.count) {
            Some(mean) => mean,
            None => u64::from(spec.sampling.max_tokens.unwrap_or(DEFAULT_REPLY)),
        }
    }

    /// The longest that a reply may be, as far as one can say.
    pub(super) fn longest_reply(&self, spec: &ModelSpec) -> u64 {
        let most = spec.sampling.max_tokens.map(u64::from);
        let bound = most.or_else(|| {
            let server = spec.provider.server()?;
            server.dialect.contract().longest.map(u64::from)
        });
        bound.unwrap_or_else(|| self.expected_reply(spec).max(u64::from(DEFAULT_REPLY)))
    }

    /// Takes note of a reply's length.
    pub(super) fn saw(&self, reply: &Reply) {
        if let Some(tokens) = reply.usage.get(COMPLETION_TOKENS) {
            let mut replies = self.replies();
            replies.count += 1;
            replies.tokens += tokens;
        }
    }

    fn replies(&self) -> std::sync::MutexGuard<'_, Replies> {
        lock(&self.replies)
    }
}

/// How long a reply is taken to be before any was seen, where the spec sets no limit.
const DEFAULT_REPLY: u32 = 1024;

/// The tokens that a server says a call took, read and written; nothing where it does not say.
pub(super) fn used(reply: &Reply) -> Option<(u64, u64)> {
    let of = |what: &str| reply.usage.get(what).copied();
    Some((of(PROMPT_TOKENS)?, of(COMPLETION_TOKENS).unwrap_or(0)))
}

/// What so many tokens cost, if the model has prices.
pub(super) fn price(spec: &ModelSpec, read: u64, written: u64, batch: bool) -> Option<f64> {
    let prices = &spec.prices;
    if prices.input.is_none() && prices.output.is_none() {
        return None;
    }
    let per_million = |price: Option<f64>, tokens: u64| price.unwrap_or(0.0) * tokens as f64 / 1e6;
    let full = per_million(prices.input, read) + per_million(prices.output, written);
    let share = if batch {
        prices.batch.unwrap_or(BATCH_SHARE)
    } else {
        1.0
    };
    Some(full * share)
}

/// What a call in a batch costs at the usual servers, as a share of its price.
const BATCH_SHARE: f64 = 0.5;
