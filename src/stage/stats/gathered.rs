//! What is behind one value that was made of several others: of how many, which of those there are not, what they lack.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, LazyLock};

use serde_json::{Map, Value, from_str};

use super::lacks::{Lacks, plural, read};
use super::told::WHY;
use crate::output::report::Lack;

/// The counts behind a value, by their names.
pub(super) type Entry = BTreeMap<String, Value>;

/// What is behind a value. Behind most values of a table is the same, which is in memory once.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Gathered(Arc<Facts>);

/// Of how many others a value is made, which of those there are not, and what they lack.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Facts {
    /// Of how many values it is made.
    pub(crate) n: u64,
    /// Those that there are not, by reason.
    pub(crate) unscored: BTreeMap<String, u64>,
    /// Why there is no value.
    pub(crate) why: Option<String>,
    lacks: Vec<Lack>,
    partial: u64,
    /// Of a list what is behind its elements.
    pub(crate) elements: Vec<Fields>,
    /// What it is made of, where that is not rows.
    unit: Option<String>,
    /// What else an entry says.
    others: Entry,
}

/// What is behind the fields of an element, by their names and in that order; a whole element has the empty name. There are
/// many elements of few fields, and a map makes room for eleven at once.
pub(crate) type Fields = Vec<(String, Gathered)>;

/// Where an entry says what is behind the elements of a list.
pub(super) const ELEMENTS: &str = "elements";

impl Deref for Gathered {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.0
    }
}

impl DerefMut for Gathered {
    fn deref_mut(&mut self) -> &mut Facts {
        Arc::make_mut(&mut self.0)
    }
}

impl From<Facts> for Gathered {
    fn from(facts: Facts) -> Self {
        Self(Arc::new(facts))
    }
}

impl Gathered {
    /// Behind a value that is made of so many.
    pub(crate) fn of(n: u64) -> Self {
        Self::from(Facts {
            n,
            ..Facts::default()
        })
    }

    /// Behind a cell that is one value.
    pub(super) fn of_one() -> Self {
        static ONE: LazyLock<Gathered> = LazyLock::new(|| {
            Gathered::from(Facts {
                n: 1,
                unit: Some("value".to_owned()),
                ..Facts::default()
            })
        });
        ONE.clone()
    }

    /// Behind a cell without a value, of a column of values that are made of as many of the same as `others`.
    pub(super) fn of_none(why: String, others: Option<&Self>) -> Self {
        let unit = others.map_or("value", Self::unit);
        Self::from(Facts {
            unscored: BTreeMap::from([(why.clone(), 1)]),
            why: Some(why),
            unit: Some(unit.to_owned()),
            ..Facts::default()
        })
    }

    fn unit(&self) -> &str {
        self.unit.as_deref().unwrap_or("row")
    }

    /// What an entry says, but for the elements of a list (`entries`).
    pub(super) fn read(mut entry: Entry) -> Result<Self, serde_json::Error> {
        let mut number = |name: &str| entry.remove(name).and_then(|value| value.as_u64());
        let (n, partial) = (number("n"), number("partial"));
        number("unscored");
        let mut text = |name: &str| match entry.remove(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let (reasons, lacks, why) = (text("reasons"), text("lacks"), text(WHY));
        let unit = text("n_of");
        entry.remove(ELEMENTS);
        Ok(Self::from(Facts {
            elements: Vec::new(),
            n: n.unwrap_or(0),
            unscored: reasons.map_or(Ok(BTreeMap::new()), |text| from_str(&text))?,
            why,
            lacks: lacks.map_or(Ok(Vec::new()), |text| read(&text))?,
            partial: partial.unwrap_or(0),
            unit,
            // An emptied map keeps the room of its first entries, which is more than all else.
            others: if entry.is_empty() {
                Entry::new()
            } else {
                entry
            },
        }))
    }

    /// It should be made of values of all these `parts`, which a column tells apart, and is made of some.
    pub(crate) fn complete(
        &mut self,
        column: &str,
        parts: &BTreeSet<String>,
        there: &BTreeSet<String>,
    ) {
        let without: Vec<String> = parts.difference(there).cloned().collect();
        if there.is_empty() || without.is_empty() {
            return;
        }
        let (have, all) = (there.len() as u64, parts.len() as u64);
        self.lacks
            .push(Lack::of_value(have, all, plural(&[column]), without));
    }

    /// What the values that it is made of lack themselves.
    pub(crate) fn inherit<'g>(&mut self, values: impl Iterator<Item = Option<&'g Self>>) {
        let own: Vec<Vec<Lack>> = values
            .map(|one| one.map_or_else(Vec::new, Self::as_part))
            .collect();
        if own.iter().all(Vec::is_empty) {
            return;
        }
        let mut lacking = Lacks::default();
        lacking.inherit(
            "rows",
            own.len(),
            own.iter().map(|lacks| lacks.iter().collect()),
        );
        self.partial = self.partial.max(lacking.partial);
        self.lacks.extend(lacking.lacks);
    }

    /// What is to be said of the value where it is one of several that another is made of: that it is made of fewer rows
    /// than there are is a lack then.
    pub(super) fn as_part(&self) -> Vec<Lack> {
        let absent: u64 = self.unscored.values().sum();
        // Which parts are lacking says more than that rows are.
        let told = self.lacks.iter().any(Lack::is_of_value);
        let fewer = (self.n > 0 && absent > 0 && !told).then(|| {
            let unit = plural(&[self.unit()]);
            Lack::of_value(self.n, self.n + absent, unit, Vec::new())
        });
        self.lacks.iter().cloned().chain(fewer).collect()
    }

    /// What is behind a value that is made of several: the fewest there are of any, and all that any lacks.
    pub(crate) fn merged<'g>(mut all: impl Iterator<Item = &'g Self>) -> Option<Self> {
        let mut merged = all.next()?.clone();
        // What is made of a list has no elements, or others.
        if merged.why.is_some() || !merged.elements.is_empty() {
            merged.why = None;
            merged.elements.clear();
        }
        for other in all {
            // Merged with its like it stays what it is, and in one place.
            if *other == merged {
                continue;
            }
            merged.n = merged.n.min(other.n);
            merged.partial = merged.partial.max(other.partial);
            for (reason, &times) in &other.unscored {
                // The same rows may be behind both.
                let known = merged.unscored.entry(reason.clone()).or_default();
                *known = times.max(*known);
            }
            for lack in &other.lacks {
                if !merged.lacks.contains(lack) {
                    merged.lacks.push(lack.clone());
                }
            }
        }
        Some(merged)
    }

    /// What is behind an element of a list, or behind one of its fields. Where that is not known, it may lack whatever the
    /// list lacks.
    pub(super) fn of_element(&self, at: usize, field: &str) -> Option<Self> {
        if let Some(fields) = self.elements.get(at) {
            let named = fields.iter().find(|(name, _)| name == field);
            return named.map(|(_, one)| one.clone());
        }
        let some = !self.lacks.is_empty();
        some.then(|| {
            let mut one = Self::of_one();
            one.lacks.clone_from(&self.lacks);
            one.partial = self.partial;
            one
        })
    }

    /// Appends the entry.
    pub(super) fn write(&self, text: &mut String) {
        let plain = self.unscored.is_empty() && self.lacks.is_empty() && self.unit.is_none();
        let plain = plain && self.others.is_empty() && self.why.is_none();
        if plain && self.elements.is_empty() {
            let _ = write!(text, "{{\"n\":{},\"n_of\":\"row\"}}", self.n);
            return;
        }
        let nested = |json: serde_json::Result<String>| Value::from(json.unwrap_or_default());
        let mut sorted = self.others.clone();
        if let Some(unit) = &self.unit {
            sorted.insert("n_of".to_owned(), unit.as_str().into());
        }
        let mut entry: Map<String, Value> = sorted.into_iter().collect();
        entry.insert("n".to_owned(), self.n.into());
        entry.entry("n_of").or_insert_with(|| "row".into());
        if !self.unscored.is_empty() {
            let absent: u64 = self.unscored.values().sum();
            entry.insert("unscored".to_owned(), absent.into());
            entry.insert(
                "reasons".to_owned(),
                nested(serde_json::to_string(&self.unscored)),
            );
        }
        if !self.lacks.is_empty() {
            entry.insert("partial".to_owned(), self.partial.into());
            entry.insert(
                "lacks".to_owned(),
                nested(serde_json::to_string(&self.lacks)),
            );
        }
        if let Some(why) = &self.why {
            entry.insert(WHY.to_owned(), why.as_str().into());
        }
        if !self.elements.is_empty() {
            let mut elements = String::new();
            for fields in &self.elements {
                elements.push(if elements.is_empty() { '[' } else { ',' });
                write_all(fields.iter().map(|(name, one)| (name, one)), &mut elements);
            }
            elements.push(']');
            let elements = from_str(&elements).unwrap_or_default();
            entry.insert(ELEMENTS.to_owned(), elements);
        }
        text.push_str(&Value::from(entry).to_string());
    }

    /// What it lacks, as it stands in a column.
    pub(crate) fn lacks(&self) -> Option<String> {
        let some = !self.lacks.is_empty();
        some.then(|| serde_json::to_string(&self.lacks).unwrap_or_default())
    }
}

/// Appends the entries of several columns or fields, by their names.
pub(super) fn write_all<'g>(
    entries: impl Iterator<Item = (&'g String, &'g Gathered)>,
    text: &mut String,
) {
    text.push('{');
    for (at, (name, gathered)) in entries.enumerate() {
        if at > 0 {
            text.push(',');
        }
        let _ = write!(text, "{}:", Value::from(name.as_str()));
        gathered.write(text);
    }
    text.push('}');
}
