//! What is behind a statistic: how many of what, and what is missing; read by whatever shows or averages it.
//!
//! Most statistics of a row rest on the same observations, which its counts describe. A few rest on others: a test counts
//! pairs, and the mean of one side counts all that side has. Of these the column `behind` holds counts of their own.

use std::collections::BTreeMap;

use serde_json::Value;

use super::record::COUNTS;
use crate::base::failure::Failure;
use crate::frame::{ColumnView, Frame, Scalar};
use crate::output::report::How;

/// The column with counts of those statistics that do not rest on what the row's own counts describe.
pub(super) const BEHIND: &str = "behind";
/// The column that says how the statistics of a row were computed.
pub(super) const COMPUTED: &str = "computed";
/// Statistics of a test that the test is not on: they describe all observations of a side, in a complete pair or not.
pub const BESIDE: [&str; 2] = ["level_mean", "difference"];

/// The counts of a statistic, by the names of [`COUNTS`], and why it does not exist.
pub(super) type Own = BTreeMap<String, Value>;

/// The counts as they are written in the column `behind`.
pub(super) fn own(counts: &[Scalar], why: Option<String>) -> Own {
    let value = |scalar: &Scalar| match scalar {
        Scalar::Int(n) => Some(Value::from(*n)),
        Scalar::Text(text) => Some(Value::from(text.as_str())),
        _ => None,
    };
    let counts = COUNTS.iter().zip(counts);
    let counts = counts.filter_map(|(name, count)| Some(((*name).to_owned(), value(count)?)));
    let why = why.map(|why| ("why".to_owned(), Value::from(why)));
    counts.chain(why).collect()
}

/// What is behind one of the statistics of a table, row by row.
pub(crate) struct Behind<'f> {
    counts: [Option<ColumnView<'f>>; COUNTS.len()],
    why: Option<ColumnView<'f>>,
    own: Option<ColumnView<'f>>,
    computed: Option<ColumnView<'f>>,
    statistic: &'f str,
}

/// What is behind a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Support {
    /// Counts, in the order of [`COUNTS`].
    pub(crate) counts: Vec<Scalar>,
    /// Why the value, or what belongs to it, does not exist.
    pub(crate) why: Option<String>,
}

impl Support {
    /// A count by its name.
    pub(crate) fn count(&self, name: &str) -> &Scalar {
        let at = COUNTS.iter().position(|other| *other == name);
        at.and_then(|at| self.counts.get(at))
            .unwrap_or(&Scalar::Null)
    }

    /// Whether there is anything behind the value.
    pub(crate) fn any(&self) -> bool {
        matches!(self.count("n"), Scalar::Int(n) if *n > 0)
    }
}

impl<'f> Behind<'f> {
    pub(crate) fn of(input: &'f Frame, statistic: &'f str) -> Self {
        let column = |name: &str| input.column(name).ok();
        Self {
            counts: COUNTS.map(column),
            why: column("why"),
            own: column(BEHIND).filter(|_| BESIDE.contains(&statistic)),
            computed: column(COMPUTED),
            statistic,
        }
    }

    /// Whether it is a statistic of the test that its row is about.
    pub(crate) fn is_of_the_row(&self) -> bool {
        self.own.is_none()
    }

    /// What is behind the value in a row.
    ///
    /// # Errors
    /// When the column is not what `stats` writes.
    pub(crate) fn support(&self, row: usize) -> Result<Support, Failure> {
        let Some(text) = self.own.as_ref().and_then(|column| column.text(row)) else {
            let scalar = |column: &Option<ColumnView<'_>>| {
                column
                    .as_ref()
                    .map_or(Scalar::Null, |column| column.scalar(row))
            };
            let why = self.why.as_ref().and_then(|column| column.text(row));
            return Ok(Support {
                counts: self.counts.iter().map(scalar).collect(),
                why: why.map(std::borrow::Cow::into_owned),
            });
        };
        let mut own: BTreeMap<String, Own> = serde_json::from_str(&text)
            .map_err(|error| Failure::new(format!("`{BEHIND}` of row {}: {error}", row + 1)))?;
        let own = own.remove(self.statistic).unwrap_or_default();
        let scalar = |name: &str| match own.get(name) {
            Some(Value::Number(n)) => n.as_i64().map_or(Scalar::Null, Scalar::Int),
            Some(Value::String(text)) => Scalar::Text(text.clone()),
            _ => Scalar::Null,
        };
        let why = own.get("why").and_then(Value::as_str);
        Ok(Support {
            counts: COUNTS.iter().map(|name| scalar(name)).collect(),
            why: why.map(str::to_owned),
        })
    }

    /// How the statistics of a row were computed, as it stands in the column.
    pub(crate) fn computed(&self, row: usize) -> Scalar {
        self.computed
            .as_ref()
            .map_or(Scalar::Null, |column| column.scalar(row))
    }
}

/// How a statistic was computed, as a column has it.
///
/// # Errors
/// When the text is not what `stats` writes.
pub(crate) fn read_how(text: &str) -> Result<How, serde_json::Error> {
    serde_json::from_str(text)
}
