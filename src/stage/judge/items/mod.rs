//! Verdicts on the elements of a list: a row for each element, whatever the reply says of it.

mod cells;
mod check;
mod contract;

use serde::Serialize;

pub(super) use self::cells::ElementCells;
pub(super) use self::check::check;
use super::{Reading, Verdict};
use crate::base::json::Json;
use crate::frame::{ColumnView, Frame, FrameError};
use crate::models::parse::{self, Form, ItemPlace};
use crate::models::score::Reason;
use crate::stage::explode::elements;
use crate::stage::why_absent;

/// The column with the place of an element in its list, from 1.
pub const ITEM: &str = "item";

/// The column with the id of an element.
pub const ITEM_ID: &str = "item_id";

/// What is judged element by element.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListJudged {
    /// The column with the lists.
    pub column: String,
    /// The key of an element's id, which an object of the reply repeats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Keys of the reply's objects that become columns: the column and the key.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<(String, String)>,
}

/// The lists of the rows that a judge asks about.
pub struct Lists<'f> {
    of: &'f ListJudged,
    input: &'f Frame,
    column: ColumnView<'f>,
}

/// What becomes a row for each metric.
pub(super) struct Element {
    /// Its place in the list from 1; none where there is no list.
    pub(super) item: Option<i64>,
    /// Its id, or why it has none.
    pub(super) id: Result<String, String>,
    /// What the reply says under each key that becomes a column, or why it says nothing.
    pub(super) fields: Vec<Result<String, String>>,
    /// A verdict per metric.
    pub(super) verdicts: Vec<Verdict>,
}

impl Element {
    /// The verdicts of a reply that is about no list.
    pub(super) fn whole(verdicts: Vec<Verdict>) -> Self {
        Self {
            item: None,
            id: Err(String::new()),
            fields: Vec::new(),
            verdicts,
        }
    }
}

/// What a reply says of the elements of a list.
struct Said<'r> {
    form: &'r Form,
    /// For each element where; or why the reply has no list.
    places: Result<Vec<ItemPlace>, Option<Reason>>,
    elements: usize,
}

impl ListJudged {
    /// The columns that it adds.
    pub(super) fn adds(&self) -> impl Iterator<Item = &str> {
        let id = self.id.is_some().then_some(ITEM_ID);
        let fields = self.fields.iter().map(|(new, _)| new.as_str());
        std::iter::once(ITEM).chain(id).chain(fields)
    }

    /// The lists of these rows.
    ///
    /// # Errors
    /// When there is no such column.
    pub fn lists<'f>(&'f self, input: &'f Frame) -> Result<Lists<'f>, FrameError> {
        Ok(Lists {
            of: self,
            input,
            column: input.column(&self.column)?,
        })
    }
}

impl Lists<'_> {
    /// The elements of a row's list, or why there are none.
    fn list(&self, row: usize) -> Result<Vec<Json>, String> {
        let name = &self.of.column;
        let Some(text) = self.column.text(row) else {
            let why = why_absent(self.input, name, row).unwrap_or_default();
            return Err(format!("no `{name}`: {why}"));
        };
        match elements::list(&text) {
            Ok(list) if list.is_empty() => Err(format!("`{name}` is an empty list")),
            Ok(list) => Ok(list),
            Err(why) => Err(format!("`{name}` is {why}")),
        }
    }

    /// The elements of a row's list as people read them: of an object its longest text, and the rest behind it.
    pub fn shown(&self, row: usize) -> Vec<String> {
        let list = self.list(row).unwrap_or_default();
        list.iter().map(shown).collect()
    }

    /// What a reply about a row says of each element, metric by metric; nothing where the row has no list.
    pub fn readings(&self, row: usize, form: &Form) -> Vec<parse::Reading> {
        let Ok(list) = self.list(row) else {
            return form.readings.clone();
        };
        let ids = self.ids(&list);
        let said = self.said(&list, &ids, form);
        (0..list.len())
            .flat_map(|element| said.readings(element))
            .collect()
    }

    /// The elements of a row's list with what a reply says of them.
    pub(super) fn elements(&self, row: usize, reading: Reading) -> Vec<Element> {
        let without = |why: Result<(), String>| {
            let of_fields = self.of.fields.iter();
            let why = why
                .err()
                .unwrap_or_else(|| "the call has no reply".to_owned());
            of_fields.map(|_| Err(why.clone())).collect::<Vec<_>>()
        };
        let list = match self.list(row) {
            Ok(list) => list,
            Err(why) => {
                let mut verdicts = reading.verdicts;
                for verdict in &mut verdicts {
                    let reason = verdict.outcome.reason();
                    if !reason.is_some_and(|reason| Reason::without_answer(reason.code())) {
                        *verdict = Verdict::without_score(Reason::NotApplicable(why.clone()));
                    }
                }
                return vec![Element {
                    item: None,
                    id: Err(why.clone()),
                    fields: without(Err(why)),
                    verdicts,
                }];
            }
        };
        let ids = self.ids(&list);
        let said = reading
            .form
            .as_ref()
            .map(|form| self.said(&list, &ids, form));
        let elements = list.iter().zip(ids).enumerate();
        let elements = elements.map(|(at, (element, id))| Element {
            item: i64::try_from(at + 1).ok(),
            id: id.ok_or_else(|| self.no_id(element)),
            fields: match &said {
                Some(said) => self.fields(said, at),
                None => without(Ok(())),
            },
            verdicts: match &said {
                Some(said) => said.verdicts(at),
                None => reading.verdicts.clone(),
            },
        });
        elements.collect()
    }

    /// The reading with a verdict for each element of a row's list in its order.
    pub fn in_order(&self, row: usize, reading: Reading) -> Reading {
        let metrics = reading.verdicts.len();
        let elements = self.elements(row, reading);
        let listed = elements.iter().all(|element| element.item.is_some());
        Reading {
            verdicts: elements
                .into_iter()
                .flat_map(|element| element.verdicts)
                .collect(),
            form: None,
            each: listed.then_some(metrics),
        }
    }

    /// Where a reply speaks of each element.
    fn said<'r>(&self, list: &[Json], ids: &[Option<String>], form: &'r Form) -> Said<'r> {
        let key = self.of.id.as_deref();
        let places = match &form.items {
            Some(items) => items.places(list.len(), key.map(|key| (key, ids))),
            None => Err(None),
        };
        Said {
            form,
            places,
            elements: list.len(),
        }
    }

    /// The ids of elements, where they have any.
    fn ids(&self, list: &[Json]) -> Vec<Option<String>> {
        let id = |element: &Json| {
            let key = self.of.id.as_ref()?;
            match element {
                Json::Object(object) => match object.get(key)? {
                    Json::Text(text) => Some(text.trim().to_owned()),
                    number @ (Json::Number(_) | Json::Long(_)) => Some(number.to_string()),
                    _ => None,
                },
                _ => None,
            }
        };
        list.iter().map(id).collect()
    }

    /// Why an element has no id.
    fn no_id(&self, element: &Json) -> String {
        let key = self.of.id.as_deref().unwrap_or_default();
        match elements::field(element, key) {
            Ok(_) => format!("`{key}` of the element is no text or number"),
            Err(lack) => lack.why,
        }
    }

    /// What the reply says of an element under the keys that become columns.
    fn fields(&self, said: &Said<'_>, element: usize) -> Vec<Result<String, String>> {
        let item = said.item(element);
        let read = |(_, key): &(String, String)| {
            let item = item.ok_or_else(|| "the reply has nothing for the element".to_owned())?;
            let value = item.fields.iter().find(|(name, _)| name == key);
            match value.map(|(_, value)| value) {
                None => Err(format!("the reply has no `{key}` for the element")),
                Some(serde_json::Value::Null) => Err(format!("`{key}` is `null`")),
                Some(serde_json::Value::String(text)) => Ok(text.clone()),
                Some(value) => Ok(value.to_string()),
            }
        };
        self.of.fields.iter().map(read).collect()
    }
}

fn shown(element: &Json) -> String {
    let Json::Object(object) = element else {
        return match element {
            Json::Text(text) => text.clone(),
            other => other.to_string(),
        };
    };
    let texts = object.iter().filter_map(|(key, value)| match value {
        Json::Text(text) => Some((key, text)),
        _ => None,
    });
    // The first of the longest.
    let longest = texts.rev().max_by_key(|(_, text)| text.chars().count());
    let rest = object.iter().filter(|(key, value)| {
        !matches!(value, Json::Null) && longest.is_none_or(|(text, _)| text != *key)
    });
    let rest: Vec<String> = rest
        .map(|(key, value)| match value {
            Json::Text(text) => format!("{key} {text}"),
            other => format!("{key} {other}"),
        })
        .collect();
    match longest {
        Some((_, text)) if rest.is_empty() => text.clone(),
        Some((_, text)) => format!("{text} ({})", rest.join(", ")),
        None => rest.join(", "),
    }
}

impl Said<'_> {
    /// What the reply says of an element as a whole.
    fn item(&self, element: usize) -> Option<&parse::Item> {
        match self.places.as_ref().ok()?.get(element)? {
            ItemPlace::At(at) => self.form.items.as_ref()?.list.get(*at),
            ItemPlace::Nowhere(_) => None,
        }
    }

    /// A reading per metric.
    fn readings(&self, element: usize) -> Vec<parse::Reading> {
        if let Some(item) = self.item(element) {
            return item.readings.clone();
        }
        let of_metric = |whole: &parse::Reading| {
            let why = match &self.places {
                // The verdict of a reply about a single element need not be in a list.
                Err(None) if self.elements == 1 => return whole.clone(),
                Err(None) => match whole.outcome.reason() {
                    Some(why) => why.clone(),
                    None => Reason::Misaligned(format!("1 verdict for {} elements", self.elements)),
                },
                Err(Some(why)) => why.clone(),
                Ok(places) => match places.get(element) {
                    Some(ItemPlace::Nowhere(why)) => why.clone(),
                    _ => Reason::NoItem,
                },
            };
            parse::Reading::without_score(&whole.metric, why)
        };
        self.form.readings.iter().map(of_metric).collect()
    }

    fn verdicts(&self, element: usize) -> Vec<Verdict> {
        let readings = self.readings(element).into_iter();
        readings
            .map(|reading| Verdict::of(reading, (&[], None)))
            .collect()
    }
}
