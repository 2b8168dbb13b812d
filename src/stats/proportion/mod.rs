//! Intervals of shares beside Wilson's, and differences of shares of independent samples.
//!
//! | file | what it computes |
//! |---|---|
//! | `interval` | Wilson's interval with continuity correction, and that of Clopper and Pearson |
//! | `difference` | Newcombe's interval of a difference, and the pooled z test |

mod difference;
mod interval;

pub use difference::{Difference, share_difference};
pub use interval::{clopper_pearson, wilson_corrected};
