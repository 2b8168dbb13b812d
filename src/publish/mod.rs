//! What leaves the project.

pub mod bundle;
