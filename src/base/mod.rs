//! The base that everything else uses and that knows nothing of experiments: failures, files, JSON, keys, words of
//! messages.

pub mod clock;
pub mod coming;
pub mod compact;
pub mod digested;
pub mod draw;
pub mod exit;
pub mod failure;
pub mod fetch;
#[cfg(test)]
pub(crate) mod fixture;
pub mod json;
pub mod key;
pub mod lock;
pub mod open_files;
pub mod paths;
pub mod program;
pub mod regular;
pub mod retry;
pub(crate) mod stamp;
pub mod whole;
pub mod wording;
