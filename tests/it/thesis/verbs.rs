//! The built-in tags of verbs against labels made by hand (`tests/data/verbs`), which hold places and no text.

use std::collections::{BTreeMap, BTreeSet};

use tribunal::language::text::{Characters, Tag, Want, annotate};

use super::data::or_skip;
use super::labels::{Place, labels};
use super::published::gold;

/// The rows of a file of labels: places, and what stands in the fourth column.
fn rows(name: &str) -> BTreeMap<Place, String> {
    labels(&format!("verbs/{name}"))
        .map(|(place, columns)| (place, columns.into_iter().next().unwrap_or_default()))
        .collect()
}

/// How many were labelled, how many tagged, how many both.
#[derive(Default)]
struct Tally {
    labelled: usize,
    tagged: usize,
    both: usize,
}

impl Tally {
    fn count(&mut self, labelled: bool, tagged: bool) {
        self.labelled += usize::from(labelled);
        self.tagged += usize::from(tagged);
        self.both += usize::from(labelled && tagged);
    }

    fn precision(&self) -> f64 {
        self.both as f64 / self.tagged as f64
    }

    fn recall(&self) -> f64 {
        self.both as f64 / self.labelled as f64
    }
}

/// A name, whether a tag belongs to the group, and the least precision and recall.
type Group = (&'static str, fn(Tag) -> bool, [f64; 2]);

/// Floors are a point under what was measured: all verbs 0.969 and 0.989, finite ones 0.959 and 0.967,
/// pasts 0.950 and 0.974.
const GROUPS: [Group; 3] = [
    ("all verbs", Tag::is_verb, [0.96, 0.98]),
    ("finite verbs", is_finite, [0.95, 0.957]),
    ("past tense", is_past, [0.94, 0.964]),
];

fn is_finite(tag: Tag) -> bool {
    matches!(tag, Tag::Vbd | Tag::Vbz | Tag::Vbp | Tag::Md)
}

fn is_past(tag: Tag) -> bool {
    tag == Tag::Vbd
}

#[test]
fn tags_of_verbs_are_those_of_a_reader() {
    let Some(data) = or_skip() else { return };
    let (labels, passages, doubtful) = (
        rows("verbs.csv"),
        rows("passages.csv"),
        rows("doubtful.csv"),
    );
    assert_eq!(
        (labels.len(), passages.len(), doubtful.len()),
        (684, 65, 36)
    );
    let want = Want {
        words: true,
        ..Want::default()
    };
    let mut tagged: BTreeMap<Place, Tag> = BTreeMap::new();
    for document in gold(&data) {
        let annotations = annotate(&document.text, want).unwrap();
        let mut characters = Characters::new(&document.text);
        for word in annotations.words {
            let start = characters.before(word.span.start).unwrap();
            let end = characters.before(word.span.end).unwrap();
            let within =
                |(id, from, to): &Place| *id == document.id && *from <= start && end <= *to;
            if passages.keys().any(within) {
                tagged.insert((document.id.clone(), start, end), word.tag);
            }
        }
    }
    let places: BTreeSet<&Place> = labels
        .keys()
        .chain(tagged.keys())
        .filter(|place| !doubtful.contains_key(*place))
        .collect();
    for (name, belongs, [precision, recall]) in GROUPS {
        let mut tally = Tally::default();
        for place in &places {
            let label = labels.get(*place).map(|label| Tag::from_penn(label));
            let tag = tagged.get(*place).copied();
            tally.count(label.is_some_and(belongs), tag.is_some_and(belongs));
        }
        eprintln!(
            "{name}: {} labelled, {} tagged, precision {:.3}, recall {:.3}",
            tally.labelled,
            tally.tagged,
            tally.precision(),
            tally.recall()
        );
        assert!(tally.precision() >= precision, "{name}");
        assert!(tally.recall() >= recall, "{name}");
    }
}
