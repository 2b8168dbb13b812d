//! What knows nothing of experiments, and what everything else stands on.

pub mod draw;
pub mod failure;
pub mod fetch;
pub mod json;
pub mod key;
pub mod regular;
pub mod whole;
pub mod wording;
