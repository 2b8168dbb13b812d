//! Drawing again with replacement: the bootstrap, and what it draws with.
//!
//! | file | what it holds |
//! |---|---|
//! | `stream` | the random bits, fixed for ever |
//! | `draws` | as many draws as there are units, fast and exactly uniform |
//! | `bootstrap` | intervals of a mean: percentile and `BCa`, of rows or of whole clusters |
//!
//! Each block of resamples has a stream of its own and every sum has a fixed order, so that neither the number of threads
//! nor the order of rows reaches a result.
//! This folder must not know what is drawn.

mod bootstrap;
mod draws;
mod stream;

pub use bootstrap::{Bootstrap, bootstrap_mean};
pub use draws::{Tally, resample};
pub use stream::Stream;
