//! Fetching files from other people's servers: politely, patiently, and never half of one.
//!
//! One request at a time per host with a pause in between, as far as this process goes; a few attempts
//! where trying again can help, limits on time and size. Nothing here knows what is fetched or where it is kept, and
//! nothing is prepared before the first request: no connection, no certificate, no client.
//!
//! Proxies are taken from the environment (`HTTPS_PROXY`, `NO_PROXY`, …) by the HTTP library; hosts
//! on this machine are asked directly.

mod client;
mod connect;
mod content;
mod error;
mod turns;

pub use self::client::{Fetched, Fetcher, Limits, Pace};
pub(crate) use self::connect::{Sort, connect, root_cause};
pub use self::content::plain_text;
pub use self::error::{FetchError, Status};
