//! Why a row has no value, and what took part in nothing.

use std::collections::BTreeMap;

use super::{Behind, Gathered, Stats, Support, lacks};
use crate::base::failure::Failure;
use crate::frame::{ColumnView, Frame, FrameError, Scalar};
use crate::output::report::Lack;
use crate::stage::reason_column;

/// What took part in nothing, by reason.
#[derive(Default)]
pub(super) struct LeftOut {
    pub(super) unscored: BTreeMap<String, u64>,
    pub(super) missing: BTreeMap<String, u64>,
    /// How many rows are averaged to one observation of the statistics that are read.
    pub(super) repeats: u64,
    pub(super) dropped: u64,
}

impl LeftOut {
    /// Adds what a statistic had left out itself.
    pub(super) fn inherit(&mut self, support: &Support, row: usize) -> Result<(), Failure> {
        self.repeats = self.repeats.max(whole(support.counts.get("averaged")));
        self.dropped += whole(support.counts.get("dropped"));
        let Scalar::Text(text) = support.counts.get("reasons") else {
            return Ok(());
        };
        let reasons: BTreeMap<String, u64> = serde_json::from_str(text)
            .map_err(|error| Failure::new(format!("`reasons` of row {}: {error}", row + 1)))?;
        for (reason, n) in reasons {
            *self.unscored.entry(reason).or_default() += n;
        }
        Ok(())
    }
}

/// What a statistic is made of fewer of than others.
pub(super) fn lacks_of(support: &Support, row: usize) -> Result<Vec<Lack>, Failure> {
    let Scalar::Text(text) = support.counts.get("lacks") else {
        return Ok(Vec::new());
    };
    lacks::read(text).map_err(|error| Failure::new(format!("`lacks` of row {}: {error}", row + 1)))
}

fn whole(count: &Scalar) -> u64 {
    match count {
        Scalar::Int(n) => u64::try_from(*n).unwrap_or(0),
        _ => 0,
    }
}

/// Where the reason for a missing value stands: beside it, or with what is behind a statistic.
pub(super) struct Why<'f> {
    pub(super) of_statistics: bool,
    beside: [Option<ColumnView<'f>>; 2],
    behind: Behind<'f>,
}

impl<'f> Why<'f> {
    pub(super) fn of(
        stats: &'f Stats,
        input: &'f Frame,
        value: &'f str,
    ) -> Result<Self, FrameError> {
        let column = |name: &str| {
            let has = input.has(name) && !stats.of_statistics();
            has.then(|| input.column(name)).transpose()
        };
        Ok(Self {
            of_statistics: stats.of_statistics(),
            // Counts of texts stand beside `unscored`, as scores do.
            beside: [column(&reason_column(value))?, column("unscored")?],
            behind: Behind::of(input, value),
        })
    }

    /// What a value of a row that is no statistic was made of, if of several others.
    pub(super) fn gathered(&self, row: usize) -> Result<Option<Gathered>, Failure> {
        let entry = self.behind.entry(row)?.map(Gathered::read).transpose();
        entry.map_err(|error| Failure::new(format!("`behind` of row {}: {error}", row + 1)))
    }

    /// What is behind the statistic of a row; nothing is behind a score.
    pub(super) fn support(&self, row: usize) -> Result<Option<Support>, Failure> {
        let of_statistics = self.of_statistics;
        of_statistics.then(|| self.behind.support(row)).transpose()
    }

    pub(super) fn reason(&self, row: usize, support: Option<Support>) -> String {
        let mut beside = self.beside.iter().flatten();
        let score = beside.find_map(|column| column.text(row).map(std::borrow::Cow::into_owned));
        support
            .and_then(|support| support.why)
            .or(score)
            .unwrap_or_else(|| "no value".to_owned())
    }
}
