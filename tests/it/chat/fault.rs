//! What can go wrong: with the server, with what the model says, with the way the reply takes.

use std::time::Duration;

use serde_json::{Map, Value};

use super::answer::{Answer, Finish};
use super::dialect::{self, Problem};
use crate::server::Reply;

/// In how many pieces a dripping body comes.
const PIECES: usize = 20;

/// The model that [`Fault::OtherModel`] reports.
pub(crate) const OTHER_MODEL: &str = "another-model";

/// What goes wrong with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// 429, with this `retry-after`.
    TooManyRequests {
        /// Seconds or a date, as they stand in the header.
        retry_after: Option<&'static str>,
    },
    /// 503.
    Unavailable,
    /// 500.
    ServerError,
    /// 529, as Anthropic answers when it has too much to do.
    Overloaded529,
    /// 502 from something in between, with a page of HTML.
    BadGateway,
    /// 400: the prompt does not fit into the model.
    ContextTooLong,
    /// 401; the body repeats the header that the key came in.
    BadKey,
    /// 404: there is no such model.
    UnknownModel,
    /// Nothing comes until the client goes away.
    Hang,
    /// The body comes in 20 pieces with a pause before each: a good reply to whoever has the patience.
    SlowDrip {
        /// The pause.
        pause: Duration,
    },
    /// JSON that ends in the middle; to HTTP it is whole.
    TruncatedJson,
    /// 200 and a page of HTML.
    WrongContentType,
    /// The connection is reset (RST) in the middle of the body.
    ResetMidBody,
    /// The connection is closed in the middle of the body.
    CloseMidBody,
    /// The connection is reset instead of an answer.
    ResetBeforeReply,
    /// Head and body come twice, so that the next request of the connection may find an old answer.
    DuplicateDelivery,
    /// The model says nothing.
    EmptyReply,
    /// The model stops in the middle, at the limit of its output.
    Cut,
    /// The model declines.
    Refusal,
    /// Another model is reported ([`OTHER_MODEL`]).
    OtherModel,
    /// Half as many tokens of the prompt are reported as there are.
    CutsPrompt,
    /// The model repeats the key, below an answer that is good otherwise, or as a field `key` of one
    /// in JSON.
    EchoesKey,
}

impl Fault {
    /// Whether it still leads to a good and whole answer.
    pub(super) fn answers(self) -> bool {
        matches!(
            self,
            Self::DuplicateDelivery | Self::EchoesKey | Self::SlowDrip { .. }
        )
    }

    /// Whether it can happen to one request of a batch: see [`super::Setup::in_batches`].
    pub(super) fn fits_batch(self) -> bool {
        !matches!(
            self,
            Self::SlowDrip { .. }
                | Self::WrongContentType
                | Self::ResetMidBody
                | Self::CloseMidBody
                | Self::BadGateway
        )
    }

    /// The error that the request is answered with, if it is one; nothing else is done then.
    pub(super) fn problem(self, model: &str, key: &str) -> Option<Problem> {
        let problem = match self {
            Self::TooManyRequests { retry_after } => Problem {
                retry_after: retry_after.map(str::to_owned),
                ..Problem::new(429, "rate_limit_exceeded", "too many requests were made")
            },
            Self::Unavailable => Problem::new(503, "unavailable", "nobody is here at the moment"),
            Self::ServerError => Problem::new(500, "server_error", "something broke in here"),
            Self::Overloaded529 => Problem::new(529, "overloaded", "Overloaded"),
            Self::BadGateway => Problem {
                html: true,
                ..Problem::new(502, "bad_gateway", "Bad gateway")
            },
            Self::ContextTooLong => Problem::new(
                400,
                "context_length_exceeded",
                // Both servers are known by such words, and Anthropic has no code for it.
                "prompt is too long: the maximum context length is 128 tokens",
            ),
            Self::BadKey => {
                let message = format!("incorrect API key provided: {key}");
                Problem::new(401, "invalid_api_key", message)
            }
            Self::UnknownModel => {
                // Anthropic's words; it has no code for it.
                let message = format!("model: {model}");
                Problem::new(404, "model_not_found", message)
            }
            _ => return None,
        };
        Some(problem)
    }

    /// Changes what the model says.
    pub(super) fn bend(self, answer: &mut Answer, key: &str) {
        match self {
            Self::EmptyReply => {
                answer.tool = None;
                answer.say(String::new());
            }
            Self::Cut => {
                let half = answer.text.chars().count() / 2;
                let text = answer.text.chars().take(half).collect();
                answer.say(text);
                answer.finish = Finish::Length;
            }
            Self::Refusal => {
                answer.tool = None;
                answer.say("I would rather not judge this.".to_owned());
                answer.finish = Finish::Refusal;
            }
            Self::OtherModel => OTHER_MODEL.clone_into(&mut answer.model),
            Self::CutsPrompt => answer.prompt_tokens /= 2,
            Self::EchoesKey => {
                let text = match serde_json::from_str::<Map<String, Value>>(&answer.text) {
                    Ok(mut object) => {
                        object.insert("key".to_owned(), key.into());
                        Value::Object(object).to_string()
                    }
                    Err(_) => format!("{}\nYour key is {key}", answer.text),
                };
                answer.say(text);
            }
            _ => {}
        }
    }

    /// Spoils the way of the reply.
    pub(super) fn spoil(self, reply: Reply) -> Reply {
        let middle = reply.length() / 2;
        match self {
            Self::Hang => reply.never(),
            Self::SlowDrip { pause } => reply.dripping(PIECES, pause),
            Self::TruncatedJson => reply.shortened(middle),
            Self::WrongContentType => dialect::page(200, "Welcome"),
            Self::ResetMidBody => reply.cut_and_reset(middle),
            Self::CloseMidBody => reply.cut(middle),
            Self::ResetBeforeReply => reply.but_reset(),
            Self::DuplicateDelivery => reply.twice(),
            _ => reply,
        }
    }

    /// Whether not even a status arrives.
    pub(super) fn is_silent(self) -> bool {
        matches!(self, Self::Hang | Self::ResetBeforeReply)
    }
}
