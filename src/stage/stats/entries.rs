//! Reading what is behind the values of a table: a row's entries as JSON, most of which are those of the row before.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde_json::from_str;
use serde_json::value::RawValue;

use super::gathered::{ELEMENTS, Fields, Gathered};

/// Entries that were read. Those of a table are nearly all the same.
#[derive(Debug, Default)]
pub(super) struct Entries {
    known: BTreeMap<String, Gathered>,
}

/// Longer entries are hardly ever the same.
const SHORT: usize = 200;

/// Lists of lists are read so deep.
const DEEPEST: usize = 64;

impl Entries {
    /// What the entries of a row say, by the names of columns.
    pub(super) fn of_row(&mut self, text: &str) -> Result<Fields, serde_json::Error> {
        self.fields(from_str(text)?, DEEPEST)
    }

    fn fields(
        &mut self,
        fields: BTreeMap<String, &RawValue>,
        depth: usize,
    ) -> Result<Fields, serde_json::Error> {
        let fields = fields.into_iter();
        let read = fields.map(|(name, entry)| Ok((name, self.entry(entry.get(), depth)?)));
        read.collect()
    }

    fn entry(&mut self, text: &str, depth: usize) -> Result<Gathered, serde_json::Error> {
        if let Some(known) = self.known.get(text) {
            return Ok(known.clone());
        }
        let Some(deeper) = depth.checked_sub(1) else {
            return Err(serde_json::Error::custom("its lists are too deep"));
        };
        let mut raw: BTreeMap<String, &RawValue> = from_str(text)?;
        let elements = raw.remove(ELEMENTS);
        let values = raw.into_iter();
        let values = values.map(|(name, value)| Ok((name, from_str(value.get())?)));
        let mut gathered = Gathered::read(values.collect::<Result<_, serde_json::Error>>()?)?;
        if let Some(elements) = elements {
            let elements: Vec<BTreeMap<String, &RawValue>> = from_str(elements.get())?;
            let elements = elements.into_iter();
            let elements = elements.map(|fields| self.fields(fields, deeper));
            gathered.elements = elements.collect::<Result<_, _>>()?;
        } else if text.len() <= SHORT {
            self.known.insert(text.to_owned(), gathered.clone());
        }
        Ok(gathered)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stage::stats::gathered::write_all;

    /// What may be behind a value, with lists in it that are so deep.
    fn gathered(depth: u32) -> BoxedStrategy<Gathered> {
        let why = prop::option::of("[a-c \"\\\\]{0,3}");
        let unscored = prop::collection::btree_map("[a-c]{1,3}", 1..9u64, 0..3);
        let plain = (0..4u64, unscored, why).prop_map(|(n, unscored, why)| {
            let mut gathered = Gathered::of(n);
            gathered.unscored = unscored;
            gathered.why = why;
            gathered
        });
        if depth == 0 {
            return plain.boxed();
        }
        let fields = prop::collection::btree_map("[a-c]{0,2}", gathered(depth - 1), 0..3);
        let elements =
            prop::collection::vec(fields.prop_map(|fields| fields.into_iter().collect()), 0..3);
        (plain, elements)
            .prop_map(|(mut gathered, elements)| {
                gathered.elements = elements;
                gathered
            })
            .boxed()
    }

    fn written(fields: &Fields) -> String {
        let mut text = String::new();
        write_all(fields.iter().map(|(name, one)| (name, one)), &mut text);
        text
    }

    proptest! {
        #[test]
        fn entries_are_read_as_they_were_written(
            rows in prop::collection::vec(prop::collection::btree_map("[a-c]{1,2}", gathered(2), 0..3), 0..4),
        ) {
            let mut entries = Entries::default();
            for row in rows {
                let row: Fields = row.into_iter().collect();
                let text = written(&row);
                let read = entries.of_row(&text).unwrap();
                // What was met before is what is read afresh.
                prop_assert_eq!(&read, &Entries::default().of_row(&text).unwrap());
                // Written once more it says the same.
                prop_assert_eq!(&entries.of_row(&written(&read)).unwrap(), &read);
                for ((name, one), (known, as_made)) in read.iter().zip(&row) {
                    prop_assert_eq!(name, known);
                    prop_assert_eq!((one.n, &one.unscored), (as_made.n, &as_made.unscored));
                    prop_assert_eq!((&one.why, one.elements.len()), (&as_made.why, as_made.elements.len()));
                }
            }
        }
    }

    #[test]
    fn what_is_behind_the_same_values_is_in_memory_once() {
        let mut entries = Entries::default();
        let text = r#"{"a":{"n":3},"b":{"n":3,"elements":[{"":{"n":3}}]}}"#;
        let [one, other] = [(); 2].map(|()| entries.of_row(text).unwrap());
        let places = |fields: &Fields| {
            [&*fields[0].1, &*fields[1].1.elements[0][0].1].map(std::ptr::from_ref)
        };
        assert_eq!(places(&one), places(&other));
        let [a, element] = places(&one);
        assert_eq!(a, element);
    }

    #[test]
    fn lists_that_are_too_deep_are_refused() {
        let nested = |deep: usize| {
            let open = r#"{"":{"elements":["#.repeat(deep);
            format!("{open}{}", "]}}".repeat(deep))
        };
        let mut entries = Entries::default();
        assert!(entries.of_row(&nested(DEEPEST)).is_ok());
        for deep in [DEEPEST + 1, 100_000] {
            assert!(entries.of_row(&nested(deep)).is_err());
        }
    }
}
