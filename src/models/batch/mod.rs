//! Batches: many questions handed to a model's server at once, answered within a day at a lower price.
//!
//! An execution mode beside live calls. [`Batcher::run`] takes the keys of the calls that are to be made,
//! gets the request of each from its [`Host`], divides them into batches below the server's limits,
//! sends them, waits, and hands every answer back under its key as status and bytes. It does not read
//! replies, make requests or look for stored calls, and it has no clock and no client of its own.
//!
//! What was sent is written down first (`journal`), so a run that is killed costs nothing: the next one
//! finds the batch, whichever questions it asks itself. Two processes share the work (`plan`). The one
//! hole that cannot be closed is told in `submit`.
//!
//! - `chunks`, `results`: requests into batches, results back to requests; pure
//! - `journal`, `plan`: what is known of batches under way, and which questions are free to be sent
//! - `transport`, `exchange`: one request; one request that is made until it succeeds
//! - `submit`, `look`, `collect`, `run`: the steps, and their order

mod chunks;
mod collect;
mod error;
mod event;
mod exchange;
mod journal;
mod look;
mod plan;
mod results;
mod run;
mod settings;
mod submit;
#[cfg(test)]
mod tests;
mod transport;

pub use self::error::BatchError;
pub use self::event::{BatchEvent, Host};
pub use self::journal::Service;
pub use self::run::Batcher;
pub use self::settings::Settings;
pub use self::transport::{Key, Response, Transport, TransportError};
