//! The verdicts of objects, held against what stands around them.
//!
//! Must not choose among objects (see `objects`).

use super::issues;
use super::objects::Objects;
use crate::models::parse::Form;
use crate::models::parse::agree::{self, Asked, Verdict};
use crate::models::parse::likert::places;
use crate::models::parse::place::Strength;
use crate::models::parse::value::Value;

/// Reads what of a reply is answer.
pub(in crate::models::parse) fn read(asked: &Asked<'_>) -> Form {
    let objects = asked.objects();
    let mut issues = Vec::new();
    for object in objects.roots() {
        issues::collect(asked, object, &mut issues);
    }
    let mut verdicts: Vec<Option<Verdict>> =
        objects.verdicts().map(Option::<&Verdict>::cloned).collect();
    verdicts.resize_with(asked.metrics.len(), || None);
    if verdicts.iter().any(Option::is_some) {
        around(asked, objects, &mut verdicts);
    }
    Form {
        readings: agree::readings(asked, verdicts),
        issues,
    }
}

/// Holds verdicts against what stands outside of the objects: a number behind a label, or behind the object in
/// whatever form, leaves no verdict if it differs; sentences that lead up to an object may speak of other numbers.
fn around(asked: &Asked<'_>, objects: &Objects, verdicts: &mut [Option<Verdict>]) {
    for place in places(asked, false) {
        if objects.hold(place.start) || !matches!(place.found.value, Value::Number { .. }) {
            continue;
        }
        let Some(verdict) = &mut verdicts[place.metric] else {
            continue;
        };
        if place.strength < Strength::Bare || place.start > verdict.span.end {
            verdict.hear(&place.found, place.start);
        } else if let Some(found) = &verdict.found {
            verdict.contradicted |= found.differs(&place.found);
        }
    }
}
