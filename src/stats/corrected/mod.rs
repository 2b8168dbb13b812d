//! Rates corrected for what a judge gets wrong, which a small sample with labels of humans shows.
//!
//! | file | what it computes |
//! |---|---|
//! | `rogan_gladen` | a share of hits, from the judge's rates of true positives and negatives |
//! | `ppi` | a mean, from the judge's values of all and the humans' of some |
//!
//! This folder must not know judges, humans or labels.

mod ppi;
mod rogan_gladen;

pub use ppi::{Lambda, Ppi, ppi};
pub use rogan_gladen::{Calibration, RoganGladen, rogan_gladen};
