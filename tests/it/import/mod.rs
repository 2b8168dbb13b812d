//! Importing the thesis's repository, through the binary, from a small tree of our own in its layout.
//!
//! The layout is documented; every text and prompt in the tree is made up here. What the whole of the
//! recorded data comes to is in `thesis/imported.rs`.

mod evals;
mod oddities;
mod prompts;
mod tables;
mod tree;
mod usage;
