//! tribunal: a declarative experiment runner for research on judges.
pub mod cache;
pub mod cli;
pub mod engine;
pub mod frame;
pub mod key;
pub mod model;
pub mod parse;
pub mod plan;
pub mod report;
pub mod score;
pub mod show;
pub mod spec;
pub mod stage;
pub mod stats;
pub mod template;
pub mod wording;
