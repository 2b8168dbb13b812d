//! What is behind a statistic: how many of what, and what is missing; read by whatever shows or averages it.
//!
//! Most statistics of a row rest on the same observations, which its counts describe. A few rest on others: a test counts
//! pairs, and the mean of one side counts all that side has. Of these the column `behind` holds counts of their own, and so
//! it does of values that are made of several others in rows that are no statistics (`beside`).

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::gathered::Entry;
use super::told::{BEHIND, COMPUTED, COUNTS, Counted, WHY, told};
use crate::base::failure::Failure;
use crate::frame::{ColumnView, Frame, Scalar};
use crate::output::report::How;
use crate::stats::measure::{self, Measure};
use crate::stats::statistic::{self, Statistic, T};

/// The counts of a statistic, by their names, and why it does not exist.
pub(super) type Own = BTreeMap<&'static str, Value>;

/// The counts as they are written in the column `behind`.
pub(super) fn own(counted: &Counted, why: Option<String>) -> Own {
    let value = |scalar: Scalar| match scalar {
        Scalar::Int(n) => Some(Value::from(n)),
        Scalar::Text(text) => Some(Value::from(text)),
        _ => None,
    };
    let counts = COUNTS.iter().zip(told(&COUNTS, counted));
    let counts = counts.filter_map(|(count, scalar)| Some((count.name, value(scalar)?)));
    let why = why.map(|why| (WHY, Value::from(why)));
    counts.chain(why).collect()
}

/// What is behind one of the statistics of a table, row by row.
pub(crate) struct Behind<'f> {
    counts: [Option<ColumnView<'f>>; COUNTS.len()],
    why: Option<ColumnView<'f>>,
    own: Option<ColumnView<'f>>,
    /// How an entry of the column begins that is about this value.
    entry: String,
    /// Whether it is a statistic that the test of its row is not on.
    is_beside: bool,
    computed: Option<ColumnView<'f>>,
    has_test: bool,
    /// The measure that the rows are of.
    measure: Option<&'static Measure>,
    statistic: &'f str,
}

/// The measure that rows are of which say how they were computed.
fn measure_of(computed: &ColumnView<'_>, rows: usize) -> Option<&'static Measure> {
    let text = (0..rows).find_map(|row| computed.text(row))?;
    let how: How = serde_json::from_str(&text).ok()?;
    measure::named(&how.measure?)
}

/// The counts behind a value; of most values in a table they are the same.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Counts(Arc<[Scalar; COUNTS.len()]>);

impl Counts {
    /// What stands under each name.
    pub(crate) fn of(value: impl Fn(&'static str) -> Scalar) -> Self {
        Self(Arc::new(COUNTS.map(|count| value(count.name))))
    }

    /// A count by its name.
    pub(crate) fn get(&self, name: &str) -> &Scalar {
        let mut all = COUNTS.iter().zip(&*self.0);
        let count = all.find(|(count, _)| count.name == name);
        count.map_or(&Scalar::Null, |(_, count)| count)
    }

    /// Puts another count under a name.
    pub(crate) fn set(&mut self, name: &str, count: Scalar) {
        let mut all = COUNTS.iter().zip(Arc::make_mut(&mut self.0));
        if let Some((_, there)) = all.find(|(other, _)| other.name == name) {
            *there = count;
        }
    }
}

/// What is behind a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Support {
    pub(crate) counts: Counts,
    /// Why the value, or what belongs to it, does not exist.
    pub(crate) why: Option<String>,
}

impl Support {
    /// What an entry of the column says.
    pub(super) fn of(own: &Entry) -> Self {
        let why = own.get(WHY).and_then(Value::as_str);
        Self {
            counts: Counts::of(|name| match own.get(name) {
                Some(Value::Number(n)) => n.as_i64().map_or(Scalar::Null, Scalar::Int),
                Some(Value::String(text)) => Scalar::Text(text.clone()),
                _ => Scalar::Null,
            }),
            why: why.map(str::to_owned),
        }
    }

    /// Whether there is anything behind the value.
    pub(crate) fn any(&self) -> bool {
        matches!(self.counts.get("n"), Scalar::Int(n) if *n > 0)
    }
}

impl<'f> Behind<'f> {
    /// The columns with counts.
    pub(crate) fn counts() -> impl Iterator<Item = &'static str> {
        COUNTS.iter().map(|count| count.name)
    }

    /// The columns that say what is behind values.
    pub(crate) fn columns() -> impl Iterator<Item = &'static str> {
        Self::counts().chain([WHY, T, COMPUTED, BEHIND])
    }

    pub(crate) fn of(input: &'f Frame, statistic: &'f str) -> Self {
        let column = |name: &str| input.column(name).ok();
        let computed = column(COMPUTED);
        Self {
            measure: computed
                .as_ref()
                .and_then(|column| measure_of(column, input.rows())),
            counts: COUNTS.map(|count| column(count.name)),
            why: column(WHY),
            own: column(BEHIND),
            entry: format!("{}:", Value::from(statistic)),
            is_beside: statistic::is(statistic, Statistic::is_beside),
            computed,
            has_test: input.has(T),
            statistic,
        }
    }

    /// Whether it is a statistic of the test that its row is about.
    pub(crate) fn is_of_a_test(&self) -> bool {
        if let Some(measure) = self.measure {
            return measure.is_of_a_test(self.statistic);
        }
        self.has_test && !(self.is_beside && self.own.is_some())
    }

    /// The measure that the rows are of.
    pub(crate) fn measure(&self) -> Option<&'static Measure> {
        self.measure
    }

    /// What is behind the value in a row alone, whatever the row's counts say.
    ///
    /// # Errors
    /// When the column is not what stages write.
    pub(super) fn entry(&self, row: usize) -> Result<Option<Entry>, Failure> {
        let text = self.own.as_ref().and_then(|column| column.text(row));
        let Some(text) = text.filter(|text| text.contains(&self.entry)) else {
            return Ok(None);
        };
        let mut own: BTreeMap<String, Entry> = serde_json::from_str(&text)
            .map_err(|error| Failure::new(format!("`{BEHIND}` of row {}: {error}", row + 1)))?;
        Ok(own.remove(self.statistic))
    }

    /// What is behind the value in a row.
    ///
    /// # Errors
    /// When the column is not what `stats` writes.
    pub(crate) fn support(&self, row: usize) -> Result<Support, Failure> {
        let scalar = |column: &Option<ColumnView<'_>>| {
            let column = column.as_ref();
            column.map_or(Scalar::Null, |column| column.scalar(row))
        };
        let Some(own) = self.entry(row)? else {
            let why = self.why.as_ref().and_then(|column| column.text(row));
            return Ok(Support {
                counts: Counts(Arc::new(self.counts.each_ref().map(scalar))),
                why: why.map(std::borrow::Cow::into_owned),
            });
        };
        Ok(Support::of(&own))
    }

    /// How the statistics of a row were computed, as it stands in the column.
    pub(crate) fn computed(&self, row: usize) -> Scalar {
        let column = self.computed.as_ref();
        column.map_or(Scalar::Null, |column| column.scalar(row))
    }
}
