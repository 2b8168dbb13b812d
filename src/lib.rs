//! Experiments on judges: language models that grade long documents.
//!
//! A spec, one TOML file, is compiled into a graph of stages; what is not yet known is run; tables
//! come out. From the ground up, each folder using only those above it in this list:
//!
//! - [`base`] knows nothing of experiments: words, JSON, keys as text, files that are files, draws, fetching;
//! - [`frame`] holds tables;
//! - [`stats`] has the numbers;
//! - [`language`] divides, annotates, cleans and damages texts;
//! - [`cache`] keeps results and calls;
//! - [`cluster`] knows what a scheduler is asked and says, and what a run and its jobs share;
//! - [`models`] holds prompts, asks models, and reads replies into scores;
//! - [`output`] makes what people read: tables, figures, the page;
//! - [`toml`] reads layers of TOML into one tree whose values know where they were written;
//! - [`stage`] has a folder for each kind of stage: how it is written, what it means, what it does to tables;
//! - [`spec`] checks whole specs, all mistakes at once;
//! - [`plan`] makes one node per stage and combination of the axis values that reach it;
//! - [`engine`] runs nodes, in parallel, and tells what happens;
//! - [`import`] reads data that others published;
//! - [`publish`] makes what leaves the project;
//! - [`cli`] is what a person sees.
//!
//! What must stay true is in `ARCHITECTURE.md`; `tests/it/layers.rs` holds the code to it.

pub mod base;
pub mod cache;
pub mod cli;
pub mod cluster;
pub mod engine;
pub mod frame;
pub mod import;
pub mod language;
pub mod models;
pub mod output;
pub mod plan;
pub mod publish;
pub mod spec;
pub mod stage;
pub mod stats;
pub mod toml;
