//! Columns of documents, by which their judgements are chosen.

use indexmap::IndexSet;
use serde_json::{Value, json};

/// From how many values on a column of documents is not chosen from.
const MOST_CHOICES: usize = 60;

/// From how many numbers on they are chosen by a range.
const FEW_NUMBERS: usize = 6;

/// What documents have in a column of theirs, by their positions.
#[derive(Debug)]
pub(super) struct OfDocuments {
    /// The values, as long as there are few.
    values: IndexSet<String>,
    /// The codes of documents, from 1; 0 is none.
    codes: Vec<u32>,
    /// The values as numbers, as long as all are some.
    numbers: Option<Vec<f64>>,
    /// Whether it has too many values to be told one by one.
    many: bool,
}

impl OfDocuments {
    pub(super) fn new() -> Self {
        Self {
            values: IndexSet::new(),
            codes: Vec::new(),
            numbers: Some(Vec::new()),
            many: false,
        }
    }

    pub(super) fn put(&mut self, document: usize, value: &str) {
        if let Some(numbers) = &mut self.numbers {
            match value.parse::<f64>() {
                Ok(number) if number.is_finite() => set(numbers, document, number, f64::NAN),
                _ => self.numbers = None,
            }
        }
        if !self.many {
            let code = self.values.insert_full(value.to_owned()).0 + 1;
            let code = u32::try_from(code).unwrap_or(u32::MAX);
            set(&mut self.codes, document, code, 0);
            self.many = self.values.len() > MOST_CHOICES;
        }
        if self.many {
            self.values = IndexSet::new();
            self.codes = Vec::new();
        }
    }

    /// The column for so many documents, where it tells any of them apart.
    pub(super) fn json(&self, name: &str, documents: usize) -> Option<Value> {
        let few = self.values.len() <= FEW_NUMBERS && !self.many;
        if let Some(numbers) = self.numbers.as_ref().filter(|_| !few) {
            let of = |at: usize| numbers.get(at).copied().filter(|number| !number.is_nan());
            let numbers: Vec<Value> = (0..documents).map(|at| number(of(at))).collect();
            return Some(json!({ "name": name, "kind": "number", "numbers": numbers }));
        }
        let of = |at: usize| self.codes.get(at).map_or(-1, |code| i64::from(*code) - 1);
        let gaps = (0..documents).any(|at| of(at) < 0);
        let tells_apart = self.values.len() + usize::from(gaps) > 1;
        if self.many || self.values.is_empty() || !tells_apart {
            return None;
        }
        let codes: Vec<i64> = (0..documents).map(of).collect();
        Some(json!({ "name": name, "kind": "choice", "values": self.values, "codes": codes }))
    }
}

/// Puts a value at a place, with `none` at those before it that have none.
fn set<T: Clone>(list: &mut Vec<T>, at: usize, value: T, none: T) {
    if list.len() <= at {
        list.resize(at + 1, none);
    }
    list[at] = value;
}

/// A number as JSON, whole ones without a point.
fn number(number: Option<f64>) -> Value {
    match number {
        Some(number) if number.fract() == 0.0 && number.abs() < 1e15 => json!(number as i64),
        Some(number) => json!(number),
        None => Value::Null,
    }
}
