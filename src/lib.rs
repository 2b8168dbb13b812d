//! Experiments on judges: language models that grade long documents.
//!
//! A spec, one TOML file, is compiled into a graph of stages; what is not yet known is run; tables
//! come out. In the order of that path:
//!
//! - [`spec`] reads layers of TOML and checks them, all mistakes at once;
//! - [`template`] holds the prompts;
//! - [`plan`] makes one node per stage and combination of the axis values that reach it;
//! - [`key`] names everything a result depends on;
//! - [`cache`] keeps results and calls;
//! - [`engine`] runs nodes, in parallel, and tells what happens;
//! - [`clean`] knows the files of Project Gutenberg, places in a [`text`];
//! - [`import`] reads data that others published;
//! - [`fetch`] gets books from other people's servers;
//! - [`stage`] says what each kind of stage does, to tables that are [`frame`]s, and [`json`] is read as it is written;
//! - [`model`] answers questions, [`parse`] reads the answers into [`score`]s;
//! - [`text`] divides and annotates texts, [`clean`] makes raw books readable, [`manipulate`] damages
//!   texts in a recorded way, and [`draw`] is where everything random comes from;
//! - [`stats`] has the numbers, [`report`] the tables as people read them, [`chart`] the figures, [`page`] the page that
//!   shows all of it;
//! - [`regular`] reads files that are files;
//! - [`show`] and [`cli`] are what a person sees.
//!
//! What must stay true is in `ARCHITECTURE.md`; `tests/it/layers.rs` holds the code to it.

pub mod batch;
pub mod bundle;
pub mod cache;
pub mod chart;
pub mod clean;
pub mod cli;
pub mod draw;
pub mod engine;
pub mod failure;
pub mod fetch;
pub mod frame;
pub mod import;
pub mod json;
pub mod key;
pub mod manipulate;
pub mod model;
pub mod models;
pub mod page;
pub mod parse;
pub mod plan;
pub mod regular;
pub mod report;
pub mod score;
pub mod show;
pub mod spec;
pub mod stage;
pub mod stats;
pub mod template;
pub mod text;
pub mod traffic;
pub mod wire;
pub mod wording;
