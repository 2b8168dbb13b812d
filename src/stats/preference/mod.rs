//! Preferences: what comparisons of two say about each of them, and about the judge.
//!
//! | file | what it computes |
//! |---|---|
//! | `games` | comparisons, summed for each two, and whether they connect all |
//! | `win_rate` | the share of wins with its intervals |
//! | `position` | how much the judge's choice hangs on the order |
//! | `bradley_terry` | strengths with standard errors |
//! | `ranks` | ranks with intervals, by drawing comparisons again |
//! | `davidson` | strengths where ties are outcomes of their own |
//! | `triads` | triples of which each beats the next |
//! | `length` | the win rate at equal length |
//! | `linear` | symmetric systems of equations |
//!
//! This folder must not know who is compared, by whom, nor what of.

mod bradley_terry;
mod davidson;
mod games;
mod length;
mod linear;
mod position;
mod ranks;
mod triads;
mod win_rate;

pub use bradley_terry::{BradleyTerry, ELO_STEP, bradley_terry};
pub use davidson::{Davidson, davidson};
pub use games::{Comparison, Games, MOST_CONTENDERS};
pub use length::{LengthControlled, Lengths, length_controlled};
pub use position::{OrderEffect, Swaps, order_effect, swaps};
pub use ranks::{Ranks, ranks};
pub use triads::{Triads, triads};
pub use win_rate::{Decided, decided};
