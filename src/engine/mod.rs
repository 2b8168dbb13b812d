//! The engine: runs what is not cached, stores results, and emits events.
//!
//! It owns everything the stages must not: order, parallelism, the cache, single flight, limits,
//! interruption. It emits events and never prints; it decides nothing about how things look.

mod absent;
mod account;
mod answers;
mod asking;
mod batch;
mod beside;
mod breaker;
mod budget;
mod call_key;
mod calls;
mod columns;
mod ended;
mod estimate;
mod event;
mod execute;
mod fetch;
mod file_error;
mod files;
mod frames;
mod gather;
mod gauge;
mod heads;
mod in_flight;
mod interrupt;
mod judgements;
mod library;
mod loaded;
mod no_call;
mod node;
mod one;
mod outcome;
mod product;
mod questions;
mod ready;
mod recall;
mod results;
mod schedule;
mod search;
mod shared;
mod status;
mod until;
mod work;
mod workers;

pub use self::absent::{Absent, TRUST, folder_of};
pub use self::budget::Limits;
pub use self::columns::{lacking, lacking_drawn};
pub use self::ended::{Ended, Finished, Known, fill, known};
pub use self::estimate::Estimate;
pub use self::event::{Event, Sink, Summary};
pub use self::execute::{Engine, Options};
pub use self::fetch::{books_of, downloads_of};
pub use self::file_error::FileError;
pub use self::files::patterns_of;
pub use self::gather::{Gathered, NotReady, Pattern};
pub use self::heads::{heads, is_elsewhere, is_there};
pub use self::interrupt::Interrupt;
pub use self::judgements::{Judged, Prompt};
pub use self::loaded::{Loaded, has_title, options};
pub use self::one::Tried;
pub use self::outcome::{Done, NodeError, NodeSummary, Outcome, Run};
pub use self::ready::asked;
pub use self::status::{Forecast, NodeTitle, State, Why, forecast};
pub use crate::base::wording::money;
