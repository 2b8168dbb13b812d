//! Folders and bundles of strangers: what stands in them is read, and nothing in them is obeyed before their reader says
//! so.
#![cfg(unix)]

mod cache;
mod git;
mod local;
mod reports;
mod system;
mod trust;
