//! The engine: runs what is not yet known, keeps what it learns, and tells what happens.
//!
//! It owns everything the stages must not: order, parallelism, the cache, single flight, limits,
//! interruption. It emits events and never prints; it decides nothing about how things look.

mod absent;
mod answers;
mod asking;
mod batch;
mod breaker;
mod budget;
mod calls;
mod estimate;
mod event;
mod execute;
mod fetch;
mod files;
mod frames;
mod gather;
mod gauge;
mod heads;
mod interrupt;
mod judgements;
mod library;
mod node;
mod one;
mod recall;
mod schedule;
mod search;
mod status;
mod work;

pub use self::absent::{Absent, TRUST, folder_of};
pub use self::budget::Limits;
pub use self::estimate::Estimate;
pub use self::event::{Event, Sink, Summary};
pub use self::execute::{Engine, Options, Outcome, Run};
pub use self::fetch::{books_of, downloads_of};
pub use self::files::{FileError, patterns_of};
pub use self::gather::{Gathered, NotReady, Pattern};
pub use self::heads::{heads, is_elsewhere, is_there};
pub use self::interrupt::Interrupt;
pub use self::judgements::{Judged, Prompt};
pub use self::node::{Done, NodeError, NodeSummary};
pub use self::one::Tried;
pub use self::status::{Forecast, NodeTitle, State, Why, forecast};
pub use crate::base::wording::money;
