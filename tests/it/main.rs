//! The integration tests: one binary, one file per behaviour.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::missing_panics_doc,
    reason = "a test that cannot go on should stop, and says what it skips"
)]

// The cases of the library's statistics, which are said by specs as well, name it so.
use tribunal::stats;

mod agreement_experiment;
mod alpacaeval;
mod bad_specs;
mod batches;
mod begun;
mod behind;
mod biases;
mod browser;
mod bundles;
mod cache;
mod chat;
mod compared;
mod corpus;
mod crash;
mod damage;
mod derive;
mod diff;
mod docs;
mod drawn;
#[cfg(target_os = "linux")]
mod duels;
mod exhaustion;
mod expected;
mod explode;
mod fetch;
mod figures;
mod figures_of_judges;
mod group;
mod hostile;
mod import;
mod joined;
mod judgememo;
mod keys;
mod keys_page;
mod lab;
mod labels;
mod latex;
mod layers;
mod likelihood;
mod lists;
mod lists_judged;
mod live;
mod long;
mod marks;
mod measures;
mod memo;
mod models;
mod needles;
mod notebook;
mod numbers;
mod own_schema;
mod pages;
mod papers;
mod pooled;
mod properties;
mod protocols;
mod reference;
mod relations;
mod replies;
mod runs;
mod scorer;
mod secrets;
mod server;
mod shapes;
#[cfg(target_os = "linux")]
mod slurm;
mod spans;
mod strangers;
mod tables;
mod taken_over;
#[cfg(unix)]
mod terminal;
mod thesis;
mod tutorial;
mod verdicts;
mod view;
