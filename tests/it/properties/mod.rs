//! What holds for every input, tried on random ones.
//!
//! Each property has a place of its own below; failing cases are printed by proptest in their smallest form.

mod bytes;
mod frames;
mod joins;
mod plans;
mod samples;
mod specs;
mod values;
