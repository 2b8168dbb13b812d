//! The entity needle: a name in a sentence becomes another of its kind from elsewhere in the document.
//!
//! Source: Aksoy et al., "Semantic Needles in Document Haystacks" (2026), Appendix A, `ner`.

use crate::draw::Draw;
use crate::manipulate::edit::Change;
use crate::text::{Entity, EntityKind, Span};

/// The kinds that are replaced (the paper's).
const ELIGIBLE: [EntityKind; 5] = [
    EntityKind::Person,
    EntityKind::Gpe,
    EntityKind::Loc,
    EntityKind::Language,
    EntityKind::Date,
];

/// The replacement of one mention in `sentence`; none where no mention there has another of its kind,
/// with another text, outside the sentence.
///
/// Both choices are uniform over mentions: the one that goes among those that can be replaced, the
/// one that comes among all that fit, so a name that is often mentioned comes more often. The span
/// goes as a whole and what comes stands as it is elsewhere, with single blanks where a line ended.
pub(super) fn replace(
    text: &str,
    entities: &[Entity],
    sentence: Span,
    draw: &mut Draw,
) -> Option<Vec<Change>> {
    let from = entities.partition_point(|entity| entity.span.start < sentence.start);
    let to = entities.partition_point(|entity| entity.span.start < sentence.end);
    let outside = || entities[..from].iter().chain(&entities[to..]);
    let differs = |goes: &Entity, comes: &Entity| {
        comes.kind == goes.kind && !same(comes.span.of(text), goes.span.of(text))
    };
    let mut replaceable: Vec<&Entity> = Vec::new();
    for kind in ELIGIBLE {
        let inside = entities[from..to].iter().filter(|entity| {
            entity.kind == kind && sentence.contains(entity.span) && !entity.span.is_empty()
        });
        // Whatever is in the sentence differs from one of two names that differ from each other, so
        // two names answer for all mentions and nothing is compared more than twice.
        let mut others = outside().filter(|entity| entity.kind == kind);
        let Some(one) = others.next() else { continue };
        let two = others.find(|other| differs(one, other));
        replaceable.extend(inside.filter(|entity| two.is_some() || differs(entity, one)));
    }
    replaceable.sort_by_key(|entity| entity.span);
    let goes = *draw.pick(&replaceable)?;
    let fitting: Vec<&Entity> = outside().filter(|comes| differs(goes, comes)).collect();
    let comes = draw.pick(&fitting)?;
    Some(vec![Change::new(0, goes.span, flat(comes.span.of(text)))])
}

/// Whether two names are the same but for blanks.
fn same(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}

/// A name on one line.
fn flat(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}
