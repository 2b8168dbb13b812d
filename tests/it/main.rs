//! The integration tests: one binary, one file per behaviour.

mod cache;
mod keys;
mod lab;
