//! Models: what they are asked, who answers, how a question reaches them, and how what they reply is read.

pub mod ask;
pub mod batch;
pub mod dialect;
pub mod key;
pub mod local;
pub mod logprobs;
pub mod parse;
pub mod provider;
pub mod score;
pub mod spec;
pub mod template;
pub mod traffic;
pub mod wire;
