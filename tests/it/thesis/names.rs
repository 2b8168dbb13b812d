//! The built-in names against labels made by hand (`tests/data/entities`), which hold places and no text.

use std::collections::{BTreeMap, BTreeSet};

use tribunal::language::text::{Characters, Entity, EntityKind, entities};

use super::data::or_skip;
use super::labels::{Place, labels};
use super::published::gold;

/// The rows of a file of labels: places, and the kinds in the fourth and fifth column, the first of them the
/// label.
fn rows(name: &str) -> BTreeMap<Place, Vec<String>> {
    labels(&format!("entities/{name}"))
        .map(|(place, columns)| {
            let kinds = columns.iter().flat_map(|kinds| kinds.split('+'));
            let kinds = kinds.filter(|kind| !kind.is_empty()).map(str::to_owned);
            (place, kinds.collect())
        })
        .collect()
}

/// What the built-in names are in the passages, doubtful places aside.
fn found(
    texts: &[super::published::Document],
    passages: &BTreeMap<Place, Vec<String>>,
    doubtful: &BTreeMap<Place, Vec<String>>,
) -> BTreeMap<Place, String> {
    let mut found = BTreeMap::new();
    for document in texts {
        let mut characters = Characters::new(&document.text);
        for Entity { span, kind } in entities(&document.text) {
            let start = characters.before(span.start).unwrap();
            let end = characters.before(span.end).unwrap();
            let here = |(id, _, _): &Place| *id == document.id;
            let within = passages
                .keys()
                .any(|place| here(place) && place.1 <= start && end <= place.2);
            let unsure = doubtful
                .keys()
                .any(|place| here(place) && place.1 < end && start < place.2);
            let kept = kind == EntityKind::Person || EntityKind::NOT_PERSONS.contains(&kind);
            if within && !unsure && kept {
                found.insert((document.id.clone(), start, end), kind.name().to_owned());
            }
        }
    }
    found
}

/// The name of a group, the kinds in it, and the least precision and recall: two to three points under what
/// was measured, and more where there are few.
type Group = (&'static str, &'static [&'static str], [f64; 2]);

/// Measured: all 0.915 and 0.879, persons 0.938 and 0.872, countries and towns 0.892 and 0.912, buildings
/// 1.0 and 0.778, institutions 0.882 and 0.938, waters and regions 0.688 and 0.846.
const GROUPS: [Group; 6] = [
    (
        "all",
        &["PERSON", "GPE", "LOC", "FAC", "ORG"],
        [0.895, 0.86],
    ),
    ("persons", &["PERSON"], [0.915, 0.85]),
    ("countries and towns", &["GPE"], [0.86, 0.88]),
    ("buildings and streets", &["FAC"], [0.9, 0.7]),
    ("institutions", &["ORG"], [0.8, 0.85]),
    ("waters, mountains, regions", &["LOC"], [0.6, 0.75]),
];

#[test]
fn names_are_those_of_a_reader() {
    let Some(data) = or_skip() else { return };
    let labels = rows("entities.csv");
    let passages = rows("passages.csv");
    let doubtful = rows("doubtful.csv");
    assert_eq!(
        (labels.len(), passages.len(), doubtful.len()),
        (381, 80, 53)
    );
    let found = found(&gold(&data), &passages, &doubtful);
    let places: BTreeSet<&Place> = labels.keys().chain(found.keys()).collect();
    for (name, kinds, [precision, recall]) in GROUPS {
        let (mut labelled, mut named, mut both) = (0, 0, 0);
        for place in &places {
            let label = labels.get(*place);
            let kind = found.get(*place);
            let right = label
                .zip(kind)
                .is_some_and(|(label, kind)| label.contains(kind));
            // What a label allows belongs to the group of the label.
            let group = if right {
                label.map(|label| &label[0])
            } else {
                kind
            };
            let belongs = |kind: &String| kinds.contains(&kind.as_str());
            let expected = label.is_some_and(|label| belongs(&label[0]));
            labelled += u32::from(expected);
            named += u32::from(group.is_some_and(belongs));
            both += u32::from(expected && right);
        }
        let (p, r) = (
            f64::from(both) / f64::from(named),
            f64::from(both) / f64::from(labelled),
        );
        eprintln!("{name}: {labelled} labelled, {named} found, precision {p:.3}, recall {r:.3}");
        assert!(p >= precision, "{name}: precision {p}");
        assert!(r >= recall, "{name}: recall {r}");
    }
    // Whether a name is a person's or that of a place is what the manipulations ask.
    let of_places = |kinds: &[String]| kinds[0] != "PERSON";
    let places = labels.values().filter(|kinds| of_places(kinds)).count();
    let hits = found
        .iter()
        .filter(|(place, kind)| {
            *kind != "PERSON" && labels.get(*place).is_some_and(|kinds| of_places(kinds))
        })
        .count();
    let named = found.values().filter(|kind| *kind != "PERSON").count();
    let (p, r) = (hits as f64 / named as f64, hits as f64 / places as f64);
    eprintln!(
        "places of any kind: {places} labelled, {named} found, precision {p:.3}, recall {r:.3}"
    );
    assert!(p >= 0.86 && r >= 0.87, "places: {p} and {r}");
}
