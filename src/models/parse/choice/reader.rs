//! The places of a choice: those of all values, and sentences that choose.
//!
//! Must not choose between places.

use super::sentence;
use crate::models::parse::Form;
use crate::models::parse::agree::Asked;
use crate::models::parse::likert::{decide, places};

/// Reads what of a reply is answer.
pub(in crate::models::parse) fn read(asked: &Asked<'_>) -> Form {
    let mut found = places(asked, false);
    if asked.metrics.len() == 1 && !asked.scale.labels.is_empty() {
        for part in &asked.answer.parts {
            sentence::choices(asked, part.clone(), &mut found);
        }
    }
    decide(asked, &found)
}
