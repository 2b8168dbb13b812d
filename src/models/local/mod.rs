//! Providers without a server: the built-in baseline, replies made elsewhere, scripts.
//!
//! A provider is a folder with a type for its settings, which is what a checked spec and keys hold of it, and which
//! fulfils [`LocalProvider`]; and a line of `list`.

mod contract;
mod heuristic;
mod list;
mod parts;
mod recorded;
mod scripted;

pub use self::contract::{
    Given, Key, LocalProvider, Reads, ReadsFiles, Recording, Scores, Table, Texts, Unread,
};
pub(crate) use self::list::locals;
pub use self::list::{Local, LocalKind};
pub use self::parts::Pattern;
