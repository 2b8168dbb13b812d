//! What is said to model servers, and what they say.
//!
//! Two dialects, each from a question to the bytes of a request and from the bytes of an answer to a reply; what errors
//! mean; and checks of what no status tells: another model answered, the prompt was cut, an answer was delivered twice.
//! All of it is pure but for `http`, the one file that sends. Nothing here decides when to ask, or whether to ask again;
//! nothing is stored.

mod answer;
mod anthropic;
pub mod cut;
mod dialect;
mod fault;
mod http;
pub mod identity;
mod openai;
mod scrub;
mod secret;
mod server;
#[cfg(test)]
mod testing;
mod twice;

pub use self::answer::Answer;
pub use self::anthropic::LONGEST;
pub use self::cut::Counted;
pub use self::dialect::{Dialect, Received, conversation};
pub use self::http::{Client, REPLY_LIMIT};
pub use self::secret::{NoSecret, Secret, Secrets};
pub use self::server::{Count, ServerModel};
