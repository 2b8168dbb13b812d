//! Providers: what each says of itself, what a question becomes at it, and what its answers mean.
//!
//! All of it is pure: values to bytes and back. A provider is a folder with a `Contract` and a line
//! of `models/dialect.rs`; what is the same for all is beside the folders. Nothing here sends, decides when to ask, or
//! whether to ask again.

mod answer;
mod anthropic;
pub(crate) mod batches;
mod contract;
mod dialect;
mod ending;
mod fault;
mod openai;
#[cfg(test)]
pub(in crate::models) mod testing;

pub use self::answer::Answer;
pub(crate) use self::answer::{excerpt, twice, whole};
pub(crate) use self::contract::Feature;
pub use self::dialect::conversation;
