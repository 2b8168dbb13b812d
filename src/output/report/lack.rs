//! Values made of fewer parts than their neighbours: what is lacking, and the words for it.
//!
//! Plain data and wording. It must not decide what a value should be made of; `stats` does.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::base::wording::choice_of;

/// More names than this are not listed in a note.
const MOST_NAMES: usize = 3;

/// What a value is made of fewer of than its neighbours: the value itself, or some of the documents behind it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lack {
    /// How many of the units behind the value are means of fewer parts; 1 where the value itself is.
    pub units: u64,
    /// Out of how many units.
    pub of: u64,
    /// What the units are, in the plural: `documents`; empty where the value itself is meant.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// The fewest parts that one of them has.
    pub have: u64,
    /// How many parts the neighbours have.
    pub parts: u64,
    /// What the parts are, in the plural: `metrics`, `repeats`.
    pub part: String,
    /// The names of parts that are lacking, where they have any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// Where the units lie, if that is not the value itself: `2 of 5 models`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub within: String,
}

/// What two lacks must have in common to be told in one note.
#[derive(PartialEq, Eq, Hash)]
struct Kind<'l> {
    unit: &'l str,
    have: u64,
    parts: u64,
    part: &'l str,
    without: &'l [String],
}

impl Lack {
    /// The value itself, made of `have` of so many parts.
    pub fn of_value(have: u64, parts: u64, part: String, without: Vec<String>) -> Self {
        Self {
            units: 1,
            of: 1,
            have,
            parts,
            part,
            without,
            ..Self::default()
        }
    }

    /// Whether the value itself lacks parts, not some of what is behind it.
    pub fn is_of_value(&self) -> bool {
        self.unit.is_empty()
    }

    fn kind(&self) -> Kind<'_> {
        // Of units only their numbers differ; of values it matters which parts are there.
        let own = self.is_of_value();
        let named = own && self.without.len() <= MOST_NAMES;
        Kind {
            unit: &self.unit,
            have: if own { self.have } else { 0 },
            parts: self.parts,
            part: &self.part,
            without: if named { &self.without } else { &[] },
        }
    }
}

/// One note for each kind of lack, in order of appearance, with the places it holds for.
pub(crate) fn told<'l, P>(lacks: impl Iterator<Item = (P, &'l Lack)>) -> Vec<(String, Vec<P>)> {
    let mut kinds: IndexMap<Kind<'l>, (Vec<&'l Lack>, Vec<P>)> = IndexMap::new();
    for (place, lack) in lacks {
        let (same, places) = kinds.entry(lack.kind()).or_default();
        same.push(lack);
        places.push(place);
    }
    let notes = kinds.into_values();
    notes
        .map(|(same, places)| (sentence(&same), places))
        .collect()
}

/// What is lacking from one value, in words.
pub(crate) fn words(lacks: &[Lack]) -> String {
    let notes: Vec<String> = told(lacks.iter().map(|lack| ((), lack)))
        .into_iter()
        .map(|(text, _)| text)
        .collect();
    notes.join("; ")
}

/// Lacks of one kind in a clause: `over 2 of 3 metrics: without coherence`, `1 to 4 of 72 documents are means of fewer
/// than 5 repeats`.
fn sentence(same: &[&Lack]) -> String {
    let Some(first) = same.first() else {
        return String::new();
    };
    let without = names(same);
    if first.is_of_value() {
        return format!(
            "over {} of {} {}{without}",
            first.have, first.parts, first.part
        );
    }
    let units = range(same.iter().map(|lack| lack.units));
    let of = range(same.iter().map(|lack| lack.of));
    let single = units == "1";
    let are = match (first.unit.as_str(), single) {
        ("pairs", true) => "rests on means",
        ("pairs", false) => "rest on means",
        (_, true) => "is a mean",
        (_, false) => "are means",
    };
    let within = match first.within.as_str() {
        "" => String::new(),
        place if same.iter().all(|lack| lack.within == place) => format!(" in {place}"),
        _ => " in some parts".to_owned(),
    };
    format!(
        "{units} of {of} {}{within} {are} of fewer than {} {}{without}",
        first.unit, first.parts, first.part
    )
}

fn names(same: &[&Lack]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in same.iter().flat_map(|lack| &lack.without) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    match names.as_slice() {
        [] => String::new(),
        few if few.len() > MOST_NAMES => String::new(),
        few if all_lack(same, few.len()) => format!(": without {}", few.join(", ")),
        // Not all of these are lacking everywhere.
        few => format!(": without {}", choice_of(few).replace('`', "")),
    }
}

/// Whether each value or unit lacks all the parts that any of them does.
fn all_lack(same: &[&Lack], names: usize) -> bool {
    same.iter().all(|lack| {
        let single = lack.is_of_value() || lack.units == 1;
        lack.without.len() == names && (single || names == 1)
    })
}

/// `3`, or `1 to 4` where the numbers differ.
fn range(numbers: impl Iterator<Item = u64>) -> String {
    let (least, most) = numbers.fold((u64::MAX, 0), |(least, most), n| {
        (least.min(n), most.max(n))
    });
    if least >= most {
        most.to_string()
    } else {
        format!("{least} to {most}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeats(units: u64) -> Lack {
        Lack {
            units,
            of: 72,
            unit: "documents".to_owned(),
            have: 2,
            parts: 5,
            part: "repeats".to_owned(),
            ..Lack::default()
        }
    }

    #[test]
    fn cells_that_lack_alike_share_a_note_with_the_range_of_their_numbers() {
        let all = [repeats(3), repeats(1)];
        assert_eq!(
            words(&all[..1]),
            "3 of 72 documents are means of fewer than 5 repeats"
        );
        assert_eq!(
            words(&all[1..]),
            "1 of 72 documents is a mean of fewer than 5 repeats"
        );
        assert_eq!(
            words(&all),
            "1 to 3 of 72 documents are means of fewer than 5 repeats"
        );
    }

    #[test]
    fn parts_that_are_lacking_here_and_there_are_not_lacking_everywhere() {
        let lack = |names: &[&str]| Lack {
            part: "models".to_owned(),
            parts: 4,
            without: names.iter().map(|&name| name.to_owned()).collect(),
            ..repeats(1)
        };
        assert_eq!(
            words(&[lack(&["B"]), lack(&["C"])]),
            "1 of 72 documents is a mean of fewer than 4 models: without B or C"
        );
        assert_eq!(
            words(&[lack(&["B", "C"])]),
            "1 of 72 documents is a mean of fewer than 4 models: without B, C"
        );
    }

    #[test]
    fn a_value_that_lacks_parts_names_up_to_three_of_them() {
        let lack = |names: &[&str]| {
            let without = names.iter().map(|&name| name.to_owned()).collect();
            Lack::of_value(2, 2 + names.len() as u64, "metrics".to_owned(), without)
        };
        assert_eq!(
            words(&[lack(&["coherence"])]),
            "over 2 of 3 metrics: without coherence"
        );
        assert_eq!(words(&[lack(&["a", "b", "c", "d"])]), "over 2 of 6 metrics");
    }
}
