//! What is behind a value that a table or a figure shows, whatever rows it reads.
//!
//! Rows of statistics and of groups say themselves how many values they are made of, and what is missing. Any other row
//! is one value, or none for the reason that stands beside it.

use std::collections::BTreeMap;

use super::{Behind, Counts, Support};
use crate::base::failure::Failure;
use crate::frame::{ColumnView, Frame, Scalar};
use crate::stage::{NOT_APPLICABLE, reason_column};
use crate::stats::measure::Measure;

/// What is behind one of the columns of a table, row by row.
pub(crate) struct Counting<'f> {
    behind: Behind<'f>,
    /// The number of values that rows say they are made of, in tables whose rows do.
    n: Option<ColumnView<'f>>,
    /// Where a row without a value says why: beside it, beside a score, or beside a text that there is none of.
    reasons: [Option<ColumnView<'f>>; 3],
    /// What is behind each value of any other row.
    plain: Counts,
}

impl<'f> Counting<'f> {
    pub(crate) fn of(input: &'f Frame, value: &'f str) -> Self {
        let column = |name: &str| input.column(name).ok();
        let says = input.has("reasons");
        Self {
            behind: Behind::of(input, value),
            n: column("n").filter(|_| says),
            reasons: [&*reason_column(value), "unscored", NOT_APPLICABLE].map(column),
            plain: plain(true),
        }
    }

    /// Whether its rows are statistics, which say what they are made of.
    pub(crate) fn is_counted(&self) -> bool {
        self.n.is_some()
    }

    /// Whether it is a statistic of the test that its row is about.
    pub(crate) fn is_of_a_test(&self) -> bool {
        self.n.is_some() && self.behind.is_of_a_test()
    }

    /// The measure that the rows are of, if they are of one.
    pub(crate) fn measure(&self) -> Option<&'static Measure> {
        self.behind.measure().filter(|_| self.n.is_some())
    }

    /// How the statistics of a row were computed, as it stands in the column.
    pub(crate) fn computed(&self, row: usize) -> Scalar {
        self.behind.computed(row)
    }

    /// What is behind the value in a row, which may be absent.
    ///
    /// # Errors
    /// When the columns are not what stages write.
    pub(crate) fn of_row(&self, row: usize, absent: bool) -> Result<Support, Failure> {
        if self.n.is_some() {
            return self.behind.support(row);
        }
        if let Some(own) = self.behind.entry(row)? {
            return Ok(Support::of(&own));
        }
        if !absent {
            let counts = self.plain.clone();
            return Ok(Support { counts, why: None });
        }
        let mut counts = plain(false);
        let text = |column: &Option<ColumnView<'_>>| Some(column.as_ref()?.text(row)?.into_owned());
        let why = self
            .reasons
            .iter()
            .find_map(text)
            .unwrap_or_else(|| "no value".to_owned());
        let reasons = BTreeMap::from([(why.clone(), 1)]);
        counts.set("reasons", as_json(&reasons));
        let why = Some(why);
        Ok(Support { counts, why })
    }
}

/// What is behind the value of a row that does not say, and behind none.
fn plain(there: bool) -> Counts {
    let mut counts = one_of(i64::from(there));
    counts.set("unscored", Scalar::Int(i64::from(!there)));
    counts
}

/// The counts of so many values, each of a row of its own: repeats of a document are several.
pub(crate) fn one_of(n: i64) -> Counts {
    Counts::of(|name| match name {
        "n" => Scalar::Int(n),
        "n_of" => Scalar::from("value"),
        _ => Scalar::Null,
    })
}

/// Reasons with how often each holds, as they are written in a column.
pub(crate) fn as_json(reasons: &BTreeMap<String, u64>) -> Scalar {
    serde_json::to_string(reasons).map_or(Scalar::Null, Scalar::Text)
}
