//! From rows to observations: one value per group and document.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::Stats;
use super::role::{self, Reading};
use super::why::{LeftOut, Why, lacks_of};
use crate::base::failure::Failure;
use crate::base::wording::{self, count};
use crate::frame::{ColumnView, Frame, FrameError, Scalar};
use crate::output::report::Lack;
use crate::stage::judge::compare::{CONTENDER, OPPONENT, ORDER};
use crate::stats::exact_sum;
use crate::stats::measure::{Cell, Role};

/// The columns by which rows are known to be of pairs.
pub(super) const MADE_OF_PAIRS: [&str; 3] = [CONTENDER, OPPONENT, ORDER];

/// What was observed of one document in one group.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Observed {
    /// Its value: the mean over those repeats that have one.
    Value(f64),
    /// It has a value, which is no number.
    Label,
    /// No value, and why.
    Nothing(String),
}

/// One document of a group.
#[derive(Clone, Debug)]
pub(super) struct Observation {
    pub(super) observed: Observed,
    /// What it is made of fewer of than others: repeats, or what its own rows say.
    pub(super) lacks: Vec<Lack>,
    /// What a measure reads of it, in the order of its roles.
    pub(super) cells: Vec<Cell>,
}

/// The observations of one group, by document, and what could not be observed.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) documents: BTreeMap<Vec<String>, Observation>,
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
}

impl Observation {
    pub(super) fn has_value(&self) -> bool {
        !matches!(self.observed, Observed::Nothing(_))
    }

    /// Its value, if that is a number.
    pub(super) fn value(&self) -> Option<f64> {
        match self.observed {
            Observed::Value(value) => Some(value),
            Observed::Label | Observed::Nothing(_) => None,
        }
    }
}

impl Group {
    /// The values, in the order of the documents' ids.
    pub(super) fn values(&self) -> Vec<f64> {
        let documents = self.documents.values();
        documents.filter_map(Observation::value).collect()
    }
}

/// All observations: group key (in the order of `by`, then pair axes) → group. In rows of a level that
/// is subtracted, the columns that it is not told apart by are empty.
pub(super) struct Observations {
    groups: IndexMap<Vec<String>, Group>,
    /// Stands for a group that no row is of.
    none: Group,
    /// Columns in which some rows have no value and others an empty text: both are in one group.
    nameless: Vec<String>,
    /// The roles of what a measure reads.
    roles: Vec<Role>,
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

/// What was seen of the documents of a group.
type Documents = BTreeMap<Vec<String>, Seen>;

/// The values seen of one document in one group before repeats are averaged.
#[derive(Default)]
struct Seen {
    /// How many rows there are of it.
    rows: usize,
    /// The repeat and the order of each, where rows have any.
    turns: Vec<[Option<String>; 2]>,
    values: Vec<f64>,
    /// How many values there are, numbers or not.
    given: usize,
    reason: Option<String>,
    lacks: Vec<Lack>,
    cells: Vec<Vec<Cell>>,
}

impl Observations {
    pub(super) fn groups(&self) -> impl Iterator<Item = (&Vec<String>, &Group)> {
        self.groups.iter()
    }

    pub(super) fn group(&self, key: &[String]) -> Option<&Group> {
        self.groups.get(key)
    }

    /// The same, without observations where there is no such group.
    pub(super) fn group_or_none(&self, key: &[String]) -> &Group {
        self.group(key).unwrap_or(&self.none)
    }

    /// The roles of the cells of groups, in their order.
    pub(super) fn roles(&self) -> &[Role] {
        &self.roles
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
        let reading = Reading::of(stats, input)?;
        let values = stats.values().map(|name| {
            let view = input.column(name)?;
            Ok((view, Why::of(stats, input, name)?))
        });
        let values = values.collect::<Result<Vec<_>, FrameError>>()?;
        let repeat = input
            .has("repeat")
            .then(|| input.column("repeat"))
            .transpose()?;
        // Of a pair, what a judge says of it in either order is one observation.
        let is_pair = MADE_OF_PAIRS.iter().all(|name| input.has(name));
        let told_apart = stats
            .grouping()
            .chain(&stats.over)
            .any(|name| name == ORDER);
        let told_apart = told_apart || reading.as_ref().is_some_and(|one| one.tells_apart(ORDER));
        let order = (is_pair && !told_apart).then(|| input.column(ORDER));
        let order = order.transpose()?;

        let by_turns = repeat.is_some() || order.is_some();
        let mut all: IndexMap<Vec<String>, (Documents, LeftOut)> = IndexMap::new();
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
            let turn = [&repeat, &order].map(|column| {
                let cell = column.as_ref().and_then(|column| column.text(row));
                cell.map(std::borrow::Cow::into_owned)
            });
            for (at, (value, why)) in values.iter().enumerate() {
                let mut document = key(&over, row);
                let cell = match &reading {
                    Some(reading) => {
                        document.extend(reading.apart(at, row));
                        reading.value(value, row)?
                    }
                    None => role::number(value, row)?,
                };
                let (documents, left_out) = all.entry(group.clone()).or_default();
                let seen = documents.entry(document).or_default();
                if seen.turns.contains(&turn) || (seen.rows > 0 && !by_turns) {
                    let roles = reading.iter().flat_map(|one| one.named(at, row));
                    return Err(twice(stats, &group, &key(&over, row), roles));
                }
                seen.rows += 1;
                if by_turns {
                    seen.turns.push(turn.clone());
                }
                seen.see(&cell, (why, row), left_out)?;
                if let Some(reading) = &reading {
                    push(&mut seen.cells, reading.cells((at, cell), row)?);
                }
            }
        }
        let roles = reading.map_or_else(Vec::new, |reading| reading.roles());
        let what = match (&repeat, &order) {
            (_, None) => "repeats",
            (None, Some(_)) => "orders",
            (Some(_), Some(_)) => "repeats and orders",
        };
        let groups = all
            .into_iter()
            .map(|(key, (documents, left_out))| {
                let group = group_of(documents, left_out, what);
                let group = group.map_err(|(id, at)| differs(stats, roles[at], &id))?;
                Ok((key, group))
            })
            .collect::<Result<_, Failure>>()?;
        let nameless = stats
            .grouping()
            .zip(nameless)
            .filter(|(_, kinds)| *kinds == (true, true))
            .map(|(name, _)| name.clone())
            .collect();
        Ok(Self {
            groups,
            none: Group::default(),
            nameless,
            roles,
        })
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

/// The group of what was seen of its documents; or a document whose repeats cannot be averaged, and the place of the role.
fn group_of(
    mut documents: Documents,
    left_out: LeftOut,
    what: &str,
) -> Result<Group, (Vec<String>, usize)> {
    let most = note_repeats(&mut documents, what);
    let scored = documents.values().map(|seen| seen.given as u64).sum();
    let documents = documents
        .into_iter()
        .map(|(id, seen)| match seen.observation() {
            Ok(observation) => Ok((id, observation)),
            Err(at) => Err((id, at)),
        });
    Ok(Group {
        scored,
        documents: documents.collect::<Result<_, _>>()?,
        unscored: left_out.unscored,
        missing: left_out.missing,
        repeats: most.max(left_out.repeats),
        dropped: left_out.dropped,
    })
}

/// Notes which documents are means of fewer repeats, or `what` they are, than there are of others in the group. The most
/// there are of any.
fn note_repeats(documents: &mut Documents, what: &str) -> u64 {
    let most = documents.values().map(|seen| seen.rows).max();
    for seen in documents.values_mut() {
        let have = seen.given;
        if let Some(most) = most.filter(|&most| have > 0 && have < most) {
            let part = what.to_owned();
            let lack = Lack::of_value(have as u64, most as u64, part, Vec::new());
            seen.lacks.push(lack);
        }
    }
    most.unwrap_or(0) as u64
}

impl Seen {
    /// Takes a value of a row, or notes that there is none and why.
    fn see(
        &mut self,
        cell: &Cell,
        (why, row): (&Why<'_>, usize),
        left_out: &mut LeftOut,
    ) -> Result<(), Failure> {
        let given = !cell.is_absent();
        let support = why.support(row)?;
        if let Some(support) = &support {
            left_out.inherit(support, row)?;
            self.lacks.extend(lacks_of(support, row)?);
        } else if let Some(gathered) = why.gathered(row)?.filter(|_| given) {
            self.lacks.extend(gathered.as_part());
            for (reason, n) in gathered.unscored {
                *left_out.unscored.entry(reason).or_default() += n;
            }
        }
        self.given += usize::from(given);
        if let Some(number) = cell.number() {
            push(&mut self.values, number);
        } else if !given {
            let reason = why.reason(row, support);
            let among = if why.of_statistics {
                &mut left_out.missing
            } else {
                &mut left_out.unscored
            };
            *among.entry(reason.clone()).or_default() += 1;
            self.reason.get_or_insert(reason);
        }
        Ok(())
    }

    /// What it came to; or the place of the role in which its repeats differ and have no mean.
    fn observation(self) -> Result<Observation, usize> {
        let count = self.values.len();
        let observed = match exact_sum(self.values) {
            _ if self.given > count => Observed::Label,
            Some(sum) if count > 0 => Observed::Value(sum / count as f64),
            _ => Observed::Nothing(self.reason.unwrap_or_else(|| "no value".to_owned())),
        };
        Ok(Observation {
            observed,
            lacks: self.lacks,
            cells: role::averaged(self.cells)?,
        })
    }
}

/// Puts something behind others, of which there is usually none: a vector makes room for four at once, and there are as many
/// vectors as documents.
fn push<T>(others: &mut Vec<T>, one: T) {
    if others.is_empty() {
        others.reserve_exact(1);
    }
    others.push(one);
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

fn twice(
    stats: &Stats,
    group: &[String],
    document: &[String],
    roles: impl Iterator<Item = (&'static str, String)>,
) -> Failure {
    let groups = stats.grouping().zip(group);
    let groups = groups.map(|(name, value)| format!("{name}={value}"));
    let mut place: Vec<String> = groups.collect();
    place.extend(roles.map(|(name, value)| format!("{name}={value}")));
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

/// Repeats of one observation differ in something that has no mean.
fn differs(stats: &Stats, role: Role, id: &[String]) -> Failure {
    let of: Vec<&str> = id
        .iter()
        .take(stats.over.len())
        .map(String::as_str)
        .collect();
    Failure::new(format!(
        "repeats for {}={} differ in `{}`, and names have no mean",
        stats.over.join(","),
        of.join(","),
        role.key()
    ))
    .hint("tell them apart, such as with `raters = \"repeat\"`, or select one of them")
}
