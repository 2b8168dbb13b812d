//! From rows to observations: one value per group and document.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::{Stats, lacks};
use crate::base::failure::Failure;
use crate::base::wording::count;
use crate::frame::{ColumnView, Frame, FrameError, Scalar};
use crate::output::report::Lack;

/// What was observed of one document in one group.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Observed {
    /// Its value: the mean over those repeats that have one.
    Value(f64),
    /// No value, and why.
    Nothing(String),
}

/// The observations of one group, by document, and what could not be observed.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) documents: BTreeMap<Vec<String>, Observed>,
    /// Rows without a score, by reason; with repeats there may be several per document. Of
    /// statistics, those that each of them left out.
    pub(super) unscored: BTreeMap<String, u64>,
    /// Statistics that do not exist, by why.
    pub(super) missing: BTreeMap<String, u64>,
    /// Rows with a value; with repeats there may be several per document.
    pub(super) scored: u64,
    /// How many rows are averaged to an observation at most, one for each repeat; of statistics what they say themselves.
    pub(super) repeats: u64,
    /// What observations are made of fewer of than others: repeats, or what their own rows say.
    pub(super) lacks: BTreeMap<Vec<String>, Vec<Lack>>,
}

impl Group {
    /// The values, in the order of the documents' ids.
    pub(super) fn values(&self) -> Vec<f64> {
        self.documents
            .values()
            .filter_map(|observed| match observed {
                Observed::Value(value) => Some(*value),
                Observed::Nothing(_) => None,
            })
            .collect()
    }
}

/// All observations: group key (in the order of `by`, then pair axes) → group. In rows of a level that
/// is subtracted, the columns that it is not told apart by are empty.
pub(super) struct Observations {
    groups: IndexMap<Vec<String>, Group>,
}

/// Empties those columns of a group's key that a level in it is not told apart by.
pub(super) fn regardless(stats: &Stats, key: &mut [String]) {
    for (index, pair) in stats.pair.iter().enumerate() {
        if key[stats.by.len() + index] != pair.against {
            continue;
        }
        for name in &pair.regardless {
            if let Some(at) = stats.by.iter().position(|by| by == name) {
                key[at].clear();
            }
        }
    }
}

/// The values seen of one document in one group before repeats are averaged.
#[derive(Default)]
struct Seen {
    repeats: Vec<Option<String>>,
    values: Vec<f64>,
    reason: Option<String>,
    lacks: Vec<Lack>,
}

impl Observations {
    pub(super) fn groups(&self) -> impl Iterator<Item = (&Vec<String>, &Group)> {
        self.groups.iter()
    }

    pub(super) fn group(&self, key: &[String]) -> Option<&Group> {
        self.groups.get(key)
    }

    pub(super) fn collect(stats: &Stats, input: &Frame, rows: &[usize]) -> Result<Self, Failure> {
        let columns = |names: Vec<&str>| {
            names
                .into_iter()
                .map(|name| input.column(name))
                .collect::<Result<Vec<_>, FrameError>>()
        };
        let axes = stats.pair.iter().map(|pair| pair.axis.as_str());
        let by = columns(stats.by.iter().map(String::as_str).chain(axes).collect()).map_err(
            |error| {
                Failure::from(error).hint("`by` and `pair` name columns of what is read, or axes")
            },
        )?;
        let over = columns(stats.over.iter().map(String::as_str).collect()).map_err(|error| {
            Failure::from(error).hint("`over` names the columns that tell observations apart")
        })?;
        let value = input.column(&stats.value)?;
        let repeat = input
            .has("repeat")
            .then(|| input.column("repeat"))
            .transpose()?;
        let why = Why::of(stats, input)?;

        let mut seen: IndexMap<Vec<String>, BTreeMap<Vec<String>, Seen>> = IndexMap::new();
        let mut left_out: BTreeMap<Vec<String>, LeftOut> = BTreeMap::new();
        for &row in rows {
            let mut group = key(&by, row);
            regardless(stats, &mut group);
            let document = key(&over, row);
            let seen = seen
                .entry(group.clone())
                .or_default()
                .entry(document)
                .or_default();
            let turn = repeat
                .as_ref()
                .and_then(|column| column.text(row))
                .map(std::borrow::Cow::into_owned);
            if seen.repeats.contains(&turn) {
                return Err(twice(stats, &group, &key(&over, row)));
            }
            seen.repeats.push(turn);
            let left_out = left_out.entry(group).or_default();
            why.inherited(row, left_out)?;
            left_out.repeats = left_out.repeats.max(why.repeats(row));
            seen.lacks.extend(why.lacks(row)?);
            match value.number(row)? {
                Some(number) => seen.values.push(number),
                None => {
                    let reason = why.reason(row);
                    let among = if why.of_statistics {
                        &mut left_out.missing
                    } else {
                        &mut left_out.unscored
                    };
                    *among.entry(reason.clone()).or_default() += 1;
                    seen.reason.get_or_insert(reason);
                }
            }
        }
        let groups = seen
            .into_iter()
            .map(|(key, mut documents)| {
                let most = note_repeats(&mut documents);
                let left_out = left_out.remove(&key).unwrap_or_default();
                let group = Group {
                    scored: documents
                        .values()
                        .map(|seen| seen.values.len() as u64)
                        .sum(),
                    lacks: documents
                        .iter_mut()
                        .filter(|(_, seen)| !seen.lacks.is_empty())
                        .map(|(id, seen)| (id.clone(), std::mem::take(&mut seen.lacks)))
                        .collect(),
                    documents: documents
                        .into_iter()
                        .map(|(id, seen)| (id, seen.observed()))
                        .collect(),
                    unscored: left_out.unscored,
                    missing: left_out.missing,
                    repeats: most.max(left_out.repeats),
                };
                (key, group)
            })
            .collect();
        Ok(Self { groups })
    }
}

/// Notes which documents are means of fewer repeats than there are of others in the group. The most there are of any.
fn note_repeats(documents: &mut BTreeMap<Vec<String>, Seen>) -> u64 {
    let most = documents.values().map(|seen| seen.repeats.len()).max();
    for seen in documents.values_mut() {
        let have = seen.values.len();
        if let Some(most) = most.filter(|&most| have > 0 && have < most) {
            let part = "repeats".to_owned();
            let lack = Lack::of_value(have as u64, most as u64, part, Vec::new());
            seen.lacks.push(lack);
        }
    }
    most.unwrap_or(0) as u64
}

impl Seen {
    fn observed(self) -> Observed {
        match crate::stats::exact_sum(self.values.iter().copied()) {
            Some(sum) if !self.values.is_empty() => Observed::Value(sum / self.values.len() as f64),
            _ => Observed::Nothing(self.reason.unwrap_or_else(|| "no value".to_owned())),
        }
    }
}

/// What took part in nothing, by reason.
#[derive(Default)]
struct LeftOut {
    unscored: BTreeMap<String, u64>,
    missing: BTreeMap<String, u64>,
    /// How many rows are averaged to one observation of the statistics that are read.
    repeats: u64,
}

/// Where the reason for a missing value stands: beside a score, or beside a statistic.
struct Why<'f> {
    of_statistics: bool,
    reason: Option<ColumnView<'f>>,
    /// For statistics: the reasons for scores that each of them left out, as JSON.
    reasons: Option<ColumnView<'f>>,
    /// For statistics: what each of them is made of fewer of than others, as JSON.
    lacks: Option<ColumnView<'f>>,
    /// For statistics: how many rows are averaged to each of their observations.
    repeats: Option<ColumnView<'f>>,
}

impl<'f> Why<'f> {
    fn of(stats: &Stats, input: &'f Frame) -> Result<Self, FrameError> {
        let column = |name: &str| input.has(name).then(|| input.column(name)).transpose();
        let of_statistics = stats.of_statistics();
        Ok(Self {
            of_statistics,
            reason: column(if of_statistics { "why" } else { "unscored" })?,
            reasons: column("reasons")?.filter(|_| of_statistics),
            lacks: column("lacks")?.filter(|_| of_statistics),
            repeats: column("averaged")?.filter(|_| of_statistics),
        })
    }

    /// What a statistic is made of fewer of than others.
    fn lacks(&self, row: usize) -> Result<Vec<Lack>, Failure> {
        let text = self.lacks.as_ref().and_then(|column| column.text(row));
        text.map_or_else(|| Ok(Vec::new()), |text| lacks::read(&text))
            .map_err(|error| Failure::new(format!("`lacks` of row {}: {error}", row + 1)))
    }

    fn repeats(&self, row: usize) -> u64 {
        let repeats = self.repeats.as_ref().map(|column| column.scalar(row));
        match repeats {
            Some(Scalar::Int(n)) => u64::try_from(n).unwrap_or(0),
            _ => 0,
        }
    }

    fn reason(&self, row: usize) -> String {
        self.reason
            .as_ref()
            .and_then(|column| column.text(row))
            .map_or_else(|| "no value".to_owned(), std::borrow::Cow::into_owned)
    }

    /// Adds what a statistic had left out itself.
    fn inherited(&self, row: usize, left_out: &mut LeftOut) -> Result<(), Failure> {
        let Some(text) = self.reasons.as_ref().and_then(|column| column.text(row)) else {
            return Ok(());
        };
        let reasons: BTreeMap<String, u64> = serde_json::from_str(&text)
            .map_err(|error| Failure::new(format!("`reasons` of row {}: {error}", row + 1)))?;
        for (reason, n) in reasons {
            *left_out.unscored.entry(reason).or_default() += n;
        }
        Ok(())
    }
}

fn key(columns: &[ColumnView<'_>], row: usize) -> Vec<String> {
    columns
        .iter()
        .map(|column| match column.scalar(row) {
            Scalar::Null => String::new(),
            value => value.to_string(),
        })
        .collect()
}

fn twice(stats: &Stats, group: &[String], document: &[String]) -> Failure {
    let names = stats
        .by
        .iter()
        .chain(stats.pair.iter().map(|pair| &pair.axis));
    let place: Vec<String> = names
        .zip(group)
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    Failure::new(format!(
        "{} of `{}` for {}={} in the group {}",
        count(2, "row"),
        stats.value,
        stats.over.join(","),
        document.join(","),
        place.join(", ")
    ))
    .hint("name the column that tells them apart in `by` or `over`, or select fewer rows")
}
