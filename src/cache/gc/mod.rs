//! Trimming the cache: list everything, choose what to remove, remove it.
//!
//! `survey` lists, `choose` decides (pure, so that a dry run is the same code), `sweep` removes
//! while holding the cache alone, `compact` rewrites segments. Which keys are reachable is for
//! the caller to say; so is the time.

mod choose;
mod compact;
mod survey;
mod sweep;

pub use choose::{Cut, Policy};
pub use survey::{BlobItem, CallItem, DownloadItem, NodeItem, Survey};
pub use sweep::{Sweep, Swept};
