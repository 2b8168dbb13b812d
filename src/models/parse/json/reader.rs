//! The verdicts of objects, held against what stands around them.
//!
//! Must not choose among objects (see `objects`).

use super::objects::Objects;
use super::{explanation, issues};
use crate::models::parse::Form;
use crate::models::parse::agree::{self, Asked, Verdict};
use crate::models::parse::likert::places;
use crate::models::parse::place::Strength;

/// Reads what of a reply is answer.
pub(in crate::models::parse) fn read(asked: &Asked<'_>) -> Form {
    let objects = asked.objects();
    let mut issues = Vec::new();
    for object in objects.roots() {
        issues::collect(asked, object, &mut issues);
    }
    let mut verdicts: Vec<Option<Verdict>> = match asked.paths {
        Some(paths) => paths.verdicts(asked, objects),
        None => objects.verdicts().map(Option::<&Verdict>::cloned).collect(),
    };
    verdicts.resize_with(asked.metrics.len(), || None);
    if verdicts.iter().any(Option::is_some) {
        around(asked, objects, &mut verdicts);
    }
    let mut readings = agree::readings(asked, verdicts);
    match asked.paths {
        Some(paths) => paths.explain(asked, &mut readings),
        None => explanation::explain(asked, &mut readings),
    }
    Form {
        readings,
        issues,
        spans: None,
        items: None,
    }
}

/// Holds verdicts against what stands outside of the objects: a number behind a label, or behind the object in
/// whatever form, leaves no verdict if it differs; sentences that lead up to an object may speak of other numbers.
fn around(asked: &Asked<'_>, objects: &Objects, verdicts: &mut [Option<Verdict>]) {
    for place in places(asked, false) {
        if objects.hold(place.start) || place.found.value().is_none() {
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
