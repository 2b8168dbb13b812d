//! How models on servers are asked.
//!
//! What is said, and what answers mean, is the providers'; here it is sent (`http`, `server`), keys are held and taken out
//! of what comes back (`secret`, `scrub`), and what no status tells is checked: another model answered (`identity`), the
//! prompt was cut (`cut`), an answer was delivered twice (`twice`). Nothing here decides when to ask, or whether to ask
//! again; nothing is stored.

pub mod cut;
mod http;
pub mod identity;
mod scrub;
mod secret;
mod server;
#[cfg(test)]
mod testing;
mod twice;

pub use self::cut::Counted;
pub use self::http::{Client, REPLY_LIMIT, Target};
pub use self::secret::{NoSecret, Secret, Secrets};
pub use self::server::{Count, ServerModel};
