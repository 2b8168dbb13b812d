//! Which verdict of a reply is on which element of the list that was judged.
//!
//! Must not look at verdicts, but for those on one element.

use serde_json::Value;

use super::{Item, Items};
use crate::models::score::Reason;

/// Where in a reply an element's verdict is.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// At this place of the list.
    At(usize),
    /// Nowhere, and why.
    Nowhere(Reason),
}

impl Items {
    /// For each of so many elements, where its verdict is. `ids` are those of the elements, and the key under which an
    /// object of the reply repeats them.
    ///
    /// Where nobody can say which verdict is on which element, there is none on any.
    ///
    /// # Errors
    /// Why the reply has no verdicts on these elements; nothing where it has no list at all.
    pub fn places(
        &self,
        elements: usize,
        ids: Option<(&str, &[Option<String>])>,
    ) -> Result<Vec<Place>, Option<Reason>> {
        if let Some(doubt) = &self.doubt {
            return Err(Some(doubt.clone()));
        }
        if self.list.is_empty() {
            return Err(None);
        }
        if let Some((key, ids)) = ids
            && let Some(places) = self.by_id(key, ids)?
        {
            return Ok(places);
        }
        let key = ids.map(|(key, _)| key);
        let numbers: Vec<Option<usize>> = self.list.iter().map(|item| number(item, key)).collect();
        if let Some(numbers) = numbers.iter().copied().collect::<Option<Vec<usize>>>() {
            self.by_number(elements, &numbers)
        } else {
            self.by_order(elements, &numbers)
        }
    }

    /// By the elements' own ids, if that is what the reply gives.
    fn by_id(
        &self,
        key: &str,
        ids: &[Option<String>],
    ) -> Result<Option<Vec<Place>>, Option<Reason>> {
        let said: Vec<Option<String>> = self.list.iter().map(|item| id(item, key)).collect();
        let known = |said: &Option<String>| said.is_some() && ids.contains(said);
        if !said.iter().any(known) {
            let strange = said
                .iter()
                .flatten()
                .find(|said| said.parse::<usize>().is_err());
            return match strange.filter(|_| ids.iter().any(Option::is_some)) {
                Some(strange)
                    if self
                        .list
                        .iter()
                        .any(|item| has(item, key) || (item.keyed && item.number.is_none())) =>
                {
                    misaligned(format!("no element has the id `{strange}`"))
                }
                _ => Ok(None),
            };
        }
        // Numbers of a list that are ids of other elements as well say nothing.
        let position = |at: usize| {
            said[at]
                .as_ref()
                .and_then(|said| said.parse::<usize>().ok())
        };
        let counted =
            (0..said.len()).all(|at| position(at).is_some_and(|n| n >= 1 && n <= ids.len()));
        let own = self.list.iter().all(|item| has(item, key));
        let strays = |at: usize| {
            let number = position(at).and_then(|number| number.checked_sub(1));
            number.and_then(|number| ids.get(number)) != Some(&said[at])
        };
        if counted && (!own || !said.iter().all(known)) && (0..said.len()).any(strays) {
            return misaligned("its numbers may be ids or places".to_owned());
        }
        if let Some(nameless) = said.iter().position(Option::is_none) {
            return misaligned(format!("verdict {} has no id", nameless + 1));
        }
        let place = |wanted: &Option<String>| {
            let Some(id) = wanted else {
                return Place::Nowhere(Reason::NoItem);
            };
            if ids.iter().filter(|other| *other == wanted).count() > 1 {
                return Place::Nowhere(Reason::Misaligned(format!(
                    "several elements have the id `{id}`"
                )));
            }
            let of = (0..said.len()).filter(|&at| said[at] == *wanted);
            self.one(&of.collect::<Vec<_>>(), id)
        };
        Ok(Some(ids.iter().map(place).collect()))
    }

    /// By numbers from 1 on, or from 0.
    fn by_number(&self, elements: usize, numbers: &[usize]) -> Result<Vec<Place>, Option<Reason>> {
        let keyed = self.list.iter().all(|item| item.keyed);
        if let Some(pair) = numbers.windows(2).find(|pair| pair[0] >= pair[1] && !keyed) {
            return misaligned(if pair[0] == pair[1] {
                format!("{} stands twice", pair[0])
            } else {
                format!("{} stands behind {}", pair[1], pair[0])
            });
        }
        let twice = (0..numbers.len()).find(|&at| numbers[..at].contains(&numbers[at]));
        if let Some(at) = twice {
            return misaligned(format!("{} stands twice", numbers[at]));
        }
        let from = usize::from(!numbers.contains(&0));
        let last = numbers.iter().copied().max().unwrap_or_default() + 1 - from;
        if last > elements {
            return misaligned(format!(
                "{} for {}",
                if self.list.len() > elements {
                    count(self.list.len(), "verdict")
                } else {
                    format!("number {}", last + from - 1)
                },
                count(elements, "element")
            ));
        }
        // Where 0 and others are missing nobody knows whether it counts from 0 on.
        if from == 0 && numbers.len() < elements && !self.cut {
            return misaligned(format!(
                "counted from 0, {} for {}",
                count(numbers.len(), "verdict"),
                count(elements, "element")
            ));
        }
        let place = |element: usize| {
            let at = numbers.iter().position(|&number| number == element + from);
            at.map_or_else(|| self.missing(), Place::At)
        };
        Ok((0..elements).map(place).collect())
    }

    /// By the order alone.
    fn by_order(
        &self,
        elements: usize,
        numbers: &[Option<usize>],
    ) -> Result<Vec<Place>, Option<Reason>> {
        let named = |item: &&Item| item.keyed && item.number.is_none();
        if let Some(item) = self.list.iter().find(named) {
            let name = item.name.as_deref().unwrap_or_default();
            return misaligned(format!("no element is called `{name}`"));
        }
        if self.list.len() != elements {
            if self.cut && self.list.len() < elements {
                return Err(Some(Reason::CutByLength));
            }
            let (found, wanted) = (
                count(self.list.len(), "verdict"),
                count(elements, "element"),
            );
            return misaligned(format!("{found} for {wanted}"));
        }
        let stray = |at: &usize| numbers[*at].is_some_and(|number| number != at + 1);
        if let Some(at) = (0..numbers.len()).find(stray) {
            return misaligned(format!(
                "verdict {} has the number {}",
                at + 1,
                numbers[at].unwrap_or_default()
            ));
        }
        Ok((0..elements).map(Place::At).collect())
    }

    /// The place of the one verdict on an element.
    fn one(&self, places: &[usize], id: &str) -> Place {
        match places {
            [] => self.missing(),
            [at] => Place::At(*at),
            _ => Place::Nowhere(Reason::Misaligned(format!("`{id}` stands twice"))),
        }
    }

    /// Of an element of which the reply says nothing.
    fn missing(&self) -> Place {
        Place::Nowhere(if self.cut {
            Reason::CutByLength
        } else {
            Reason::NoItem
        })
    }
}

/// A number with its noun.
fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// No place for any verdict, since they cannot be told apart.
fn misaligned<T>(why: String) -> Result<T, Option<Reason>> {
    Err(Some(Reason::Misaligned(why)))
}

/// Whether an item has this key.
fn has(item: &Item, key: &str) -> bool {
    item.fields.iter().any(|(name, _)| name == key)
}

/// What an item says under a key.
fn under(item: &Item, key: &str) -> Option<String> {
    let (_, value) = item.fields.iter().find(|(name, _)| name == key)?;
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The id that an item gives: under the key, else its name.
fn id(item: &Item, key: &str) -> Option<String> {
    under(item, key).or_else(|| item.name.clone())
}

/// The number that an item gives: under the key, else that of its name.
fn number(item: &Item, key: Option<&str>) -> Option<usize> {
    let own = key.and_then(|key| under(item, key)?.parse().ok());
    own.or(item.number)
}
