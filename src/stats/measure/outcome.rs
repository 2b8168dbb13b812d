//! What a measure gives: lines of values by the names of their columns, or why there is none.

use std::collections::BTreeMap;

pub use crate::stats::{Code, NoValue};

/// A value: a number, a text (a name), or none with the reason.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// A finite number.
    Number(f64),
    /// A name or a list of names.
    Text(String),
    /// Why there is none.
    Nothing(NoValue),
}

impl From<f64> for Given {
    /// A number that is not finite does not exist; where that can happen, say why before.
    fn from(number: f64) -> Self {
        if number.is_finite() {
            return Self::Number(number);
        }
        Self::Nothing(NoValue::new(Code::Undefined, "it is no finite number"))
    }
}

impl From<usize> for Given {
    fn from(count: usize) -> Self {
        Self::Number(count as f64)
    }
}

impl From<String> for Given {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<T: Into<Given>> From<Result<T, NoValue>> for Given {
    fn from(value: Result<T, NoValue>) -> Self {
        value.map_or_else(Self::Nothing, Into::into)
    }
}

/// One row of a measure's result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// The values of the measure's own key columns, in their order.
    pub keys: Vec<String>,
    /// How many items (or pairs, comparisons, clusters …) it is made of.
    pub n: usize,
    /// How many of them were left out, since something that they need is missing.
    pub dropped: usize,
    /// By the names of columns. What the measure lists and is not here has no value because of `why`.
    pub values: BTreeMap<&'static str, Given>,
    /// Why nothing, or not the main value, exists.
    pub why: Option<NoValue>,
}

impl Line {
    /// A line of so many, without values yet.
    pub fn of(n: usize, dropped: usize) -> Self {
        Self {
            n,
            dropped,
            ..Self::default()
        }
    }

    /// Sets the value of a column.
    pub fn set(&mut self, name: &'static str, value: impl Into<Given>) {
        self.values.insert(name, value.into());
    }

    /// Sets the columns of both ends of an interval.
    pub fn set_ends<E: Into<(f64, f64)>>(
        &mut self,
        [low, high]: [&'static str; 2],
        ends: Result<E, NoValue>,
    ) {
        let ends = ends.map(Into::into);
        self.set(low, ends.clone().map(|ends| ends.0));
        self.set(high, ends.map(|ends| ends.1));
    }

    /// Without any value, because of this.
    #[must_use]
    pub fn without(mut self, why: NoValue) -> Self {
        self.why = Some(why);
        self
    }
}
