//! The integration tests: one binary, one file per behaviour.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::missing_panics_doc,
    reason = "a test that cannot go on should stop, and says what it skips"
)]

mod bad_specs;
mod batches;
mod behind;
mod browser;
mod bundles;
mod cache;
mod chat;
mod corpus;
mod crash;
mod damage;
mod derive;
mod diff;
mod docs;
#[cfg(target_os = "linux")]
mod exhaustion;
mod explode;
mod fetch;
mod figures;
mod group;
mod hostile;
mod import;
mod joined;
mod judgememo;
mod keys;
mod lab;
mod latex;
mod layers;
mod lists;
mod live;
mod marks;
mod memo;
mod models;
mod numbers;
mod pages;
mod properties;
mod reference;
mod relations;
mod replies;
mod runs;
mod secrets;
mod server;
mod strangers;
#[cfg(unix)]
mod terminal;
mod thesis;
mod view;
