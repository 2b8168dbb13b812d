//! Traffic: when a call to a model is sent.
//!
//! A [`Lane`] holds everything that decides it for one model: the requests and tokens allowed per
//! minute (`pace`, from `meter` and `ledger`), how many calls a server bears at once (`window`),
//! how long a server asked to be left alone (`hold`), which of several servers is down (`rest`), which of
//! the others is next (`places`), and when waiting is in vain (`patience`). These are state machines that
//! are handed the time; `gate` puts them together, `lane` adds waiting, and [`call`] asks again where that
//! may help.
//!
//! Nothing here knows what is sent, keeps replies or reads the clock of the wall.

mod gate;
mod hold;
mod lane;
mod ledger;
mod meter;
mod outcome;
mod pace;
mod patience;
mod places;
mod rest;
mod retry;
mod window;

#[cfg(test)]
mod tests;

pub use self::lane::{Entry, Lane, LaneStatus};
pub use self::outcome::Outcome;
pub use self::patience::Closed;
pub use self::retry::{Attempts, Unanswered, call};
