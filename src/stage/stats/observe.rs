//! From rows to observations: one value per group and document.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::{Behind, Gathered, Stats, Support, lacks};
use crate::base::failure::Failure;
use crate::base::wording::{self, count};
use crate::frame::{ColumnView, Frame, FrameError, Scalar};
use crate::output::report::Lack;
use crate::stage::reason_column;

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
    /// Of statistics: incomplete pairs that they dropped themselves.
    pub(super) dropped: u64,
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
    /// Columns in which some rows have no value and others an empty text: both are in one group.
    nameless: Vec<String>,
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
        let by = columns(stats.grouping().map(String::as_str).collect()).map_err(|error| {
            Failure::from(error).hint("`by` and `pair` name columns of what is read, or axes")
        })?;
        let over = columns(stats.over.iter().map(String::as_str).collect()).map_err(|error| {
            Failure::from(error).hint("`over` names the columns that identify observations")
        })?;
        let value = input.column(&stats.value)?;
        let repeat = input
            .has("repeat")
            .then(|| input.column("repeat"))
            .transpose()?;
        let why = Why::of(stats, input)?;

        let mut seen: IndexMap<Vec<String>, BTreeMap<Vec<String>, Seen>> = IndexMap::new();
        let mut left_out: BTreeMap<Vec<String>, LeftOut> = BTreeMap::new();
        let mut nameless = vec![(false, false); by.len()];
        for &row in rows {
            let mut group = key(&by, row);
            for (at, _) in group
                .iter()
                .enumerate()
                .filter(|(_, value)| value.is_empty())
            {
                let absent = by[at].scalar(row).is_null();
                nameless[at].0 |= absent;
                nameless[at].1 |= !absent;
            }
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
            let number = value.number(row)?;
            let support = why.support(row)?;
            if let Some(support) = &support {
                left_out.inherit(support, row)?;
                seen.lacks.extend(lacks_of(support, row)?);
            } else if let Some(gathered) = why.gathered(row)?.filter(|_| number.is_some()) {
                seen.lacks.extend(gathered.as_part());
                for (reason, n) in gathered.unscored {
                    *left_out.unscored.entry(reason).or_default() += n;
                }
            }
            match number {
                Some(number) => seen.values.push(number),
                None => {
                    let reason = why.reason(row, support);
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
            .map(|(key, documents)| {
                let left_out = left_out.remove(&key).unwrap_or_default();
                (key, group_of(documents, left_out))
            })
            .collect();
        let nameless = stats
            .grouping()
            .zip(nameless)
            .filter(|(_, kinds)| *kinds == (true, true))
            .map(|(name, _)| name.clone())
            .collect();
        Ok(Self { groups, nameless })
    }

    /// Groups that no reader can tell apart, in sentences.
    pub(super) fn alike(&self, stats: &Stats) -> Vec<String> {
        let mut told: Vec<String> = self
            .nameless
            .iter()
            .map(|name| {
                format!("rows without a `{name}` and rows in which it is empty are one group")
            })
            .collect();
        for (at, name) in stats.grouping().enumerate() {
            let mut shown: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
            for value in self.groups.keys().map(|key| key[at].as_str()) {
                let words: Vec<&str> = value.split_whitespace().collect();
                shown.entry(words.join(" ")).or_default().insert(value);
            }
            for values in shown.into_values().filter(|values| values.len() > 1) {
                let values: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
                let values = wording::list_of(&values).replace('`', "");
                told.push(format!(
                    "groups of `{name}` differ only in blanks: {values}"
                ));
            }
        }
        told
    }
}

/// The group of what was seen of its documents.
fn group_of(mut documents: BTreeMap<Vec<String>, Seen>, left_out: LeftOut) -> Group {
    let most = note_repeats(&mut documents);
    let scored = documents.values().map(|seen| seen.values.len() as u64);
    Group {
        scored: scored.sum(),
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
        dropped: left_out.dropped,
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
    dropped: u64,
}

impl LeftOut {
    /// Adds what a statistic had left out itself.
    fn inherit(&mut self, support: &Support, row: usize) -> Result<(), Failure> {
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
fn lacks_of(support: &Support, row: usize) -> Result<Vec<Lack>, Failure> {
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
struct Why<'f> {
    of_statistics: bool,
    beside: [Option<ColumnView<'f>>; 2],
    behind: Behind<'f>,
}

impl<'f> Why<'f> {
    fn of(stats: &'f Stats, input: &'f Frame) -> Result<Self, FrameError> {
        let column = |name: &str| {
            let has = input.has(name) && !stats.of_statistics();
            has.then(|| input.column(name)).transpose()
        };
        Ok(Self {
            of_statistics: stats.of_statistics(),
            // Counts of texts stand beside `unscored`, as scores do.
            beside: [column(&reason_column(&stats.value))?, column("unscored")?],
            behind: Behind::of(input, &stats.value),
        })
    }

    /// What a value of a row that is no statistic was made of, if of several others.
    fn gathered(&self, row: usize) -> Result<Option<Gathered>, Failure> {
        let entry = self.behind.entry(row)?.map(Gathered::read).transpose();
        entry.map_err(|error| Failure::new(format!("`behind` of row {}: {error}", row + 1)))
    }

    /// What is behind the statistic of a row; nothing is behind a score.
    fn support(&self, row: usize) -> Result<Option<Support>, Failure> {
        let of_statistics = self.of_statistics;
        of_statistics.then(|| self.behind.support(row)).transpose()
    }

    fn reason(&self, row: usize, support: Option<Support>) -> String {
        let mut beside = self.beside.iter().flatten();
        let score = beside.find_map(|column| column.text(row).map(std::borrow::Cow::into_owned));
        support
            .and_then(|support| support.why)
            .or(score)
            .unwrap_or_else(|| "no value".to_owned())
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
    let place: Vec<String> = stats
        .grouping()
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
    .hint("name the column that distinguishes them in `by` or `over`, or select fewer rows")
}
