//! From rows to observations, of all rows at once or part by part.

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};
use smallvec::SmallVec;

use super::Stats;
use super::observe::{Group, Observation, Observations, Observed, regardless};
use super::role::{self, Reading};
use super::why::{LeftOut, Why, lacks_of};
use crate::base::failure::Failure;
use crate::base::wording::count;
use crate::frame::{ColumnView, Frame, FrameError, Scalar};
use crate::output::report::Lack;
use crate::stage::judge::compare::{CONTENDER, OPPONENT, ORDER};
use crate::stats::exact_sum;
use crate::stats::measure::{Cell, Role};

/// The columns by which rows are known to be of pairs.
pub(super) const MADE_OF_PAIRS: [&str; 3] = [CONTENDER, OPPONENT, ORDER];

/// What was seen of the documents of a group.
type Documents = BTreeMap<Vec<String>, Seen>;

/// The values seen of one document in one group before repeats are averaged. There may be a million of them, so what few have
/// stands apart.
#[derive(Default)]
struct Seen {
    /// How many rows there are of it.
    rows: u32,
    /// How many values there are, numbers or not.
    given: u32,
    /// The number of each one's repeat and order, where rows have any.
    turns: SmallVec<[u32; 4]>,
    values: SmallVec<[f64; 2]>,
    rest: Option<Box<Rest>>,
}

/// What is seen of documents of which a value is absent, or made of others, or read by a measure.
#[derive(Default)]
struct Rest {
    reason: Option<String>,
    lacks: Vec<Lack>,
    cells: Vec<Vec<Cell>>,
}

/// Observations in the making: rows are put in in their order, all at once or some at a time.
pub(super) struct Collecting<'s> {
    stats: &'s Stats,
    groups: IndexMap<Vec<String>, (Documents, LeftOut)>,
    /// The repeats and orders of rows: there are few, and they are long beside their numbers.
    turns: IndexSet<[Option<String>; 2]>,
    /// For each column that groups are told apart by, whether some rows have no value in it, and others an empty text.
    nameless: Vec<(bool, bool)>,
    roles: Vec<Role>,
    /// What rows of one document are.
    what: &'static str,
    of_truth: bool,
}

impl<'s> Collecting<'s> {
    pub(super) fn new(stats: &'s Stats) -> Self {
        Self {
            stats,
            groups: IndexMap::new(),
            turns: IndexSet::new(),
            nameless: vec![(false, false); stats.grouping().count()],
            roles: Vec::new(),
            what: "repeats",
            of_truth: false,
        }
    }

    /// Puts in some rows of a table, which has the same columns as those before.
    ///
    /// # Errors
    /// A missing column, values that are not numbers, two rows for one document of a group.
    pub(super) fn add(
        &mut self,
        input: &Frame,
        rows: impl IntoIterator<Item = usize>,
    ) -> Result<(), Failure> {
        let stats = self.stats;
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
        self.what = match (&repeat, &order) {
            (_, None) => "repeats",
            (None, Some(_)) => "orders",
            (Some(_), Some(_)) => "repeats and orders",
        };
        self.of_truth = input.column(&stats.value)?.is_truth();
        if let Some(reading) = &reading {
            self.roles = reading.roles();
        }
        for row in rows {
            let mut group = key(&by, row);
            for (at, _) in group
                .iter()
                .enumerate()
                .filter(|(_, value)| value.is_empty())
            {
                let absent = by[at].scalar(row).is_null();
                self.nameless[at].0 |= absent;
                self.nameless[at].1 |= !absent;
            }
            regardless(stats, &mut group);
            let turn = [&repeat, &order].map(|column| {
                let cell = column.as_ref().and_then(|column| column.text(row));
                cell.map(std::borrow::Cow::into_owned)
            });
            let turn = self.turns.insert_full(turn).0;
            let turn = u32::try_from(turn).map_err(|_| FrameError::TooManyRows)?;
            for (at, (value, why)) in values.iter().enumerate() {
                let mut document = key(&over, row);
                let cell = match &reading {
                    Some(reading) => {
                        document.extend(reading.apart(at, row));
                        reading.value(value, row)?
                    }
                    None => role::number(value, row)?,
                };
                let (documents, left_out) = self.groups.entry(group.clone()).or_default();
                let seen = documents.entry(document).or_default();
                if seen.turns.contains(&turn) || (seen.rows > 0 && !by_turns) {
                    let roles = reading.iter().flat_map(|one| one.named(at, row));
                    return Err(twice(stats, &group, &key(&over, row), roles));
                }
                seen.rows += 1;
                if by_turns {
                    seen.turns.push(turn);
                }
                seen.see(&cell, (why, row), left_out)?;
                if let Some(reading) = &reading {
                    push(&mut seen.rest().cells, reading.cells((at, cell), row)?);
                }
            }
        }
        Ok(())
    }

    /// All that was put in.
    ///
    /// # Errors
    /// Repeats of one observation that differ in something that has no mean.
    pub(super) fn end(self) -> Result<Observations, Failure> {
        let (stats, what, roles) = (self.stats, self.what, self.roles);
        let groups = self
            .groups
            .into_iter()
            .map(|(key, (documents, left_out))| {
                let group = group_of(documents, left_out, what);
                let group = group.map_err(|(id, at)| differs(stats, roles[at], &id))?;
                Ok((key, group))
            })
            .collect::<Result<_, Failure>>()?;
        let nameless = stats
            .grouping()
            .zip(self.nameless)
            .filter(|(_, kinds)| *kinds == (true, true))
            .map(|(name, _)| name.clone())
            .collect();
        Ok(Observations {
            groups,
            none: Group::default(),
            nameless,
            roles,
            of_truth: self.of_truth,
        })
    }
}

/// The group of what was seen of its documents; or a document whose repeats cannot be averaged, and the place of the role.
fn group_of(
    mut documents: Documents,
    left_out: LeftOut,
    what: &str,
) -> Result<Group, (Vec<String>, usize)> {
    let most = note_repeats(&mut documents, what);
    let scored = documents.values().map(|seen| u64::from(seen.given)).sum();
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
            let lack = Lack::of_value(have.into(), most.into(), part, Vec::new());
            seen.rest().lacks.push(lack);
        }
    }
    most.unwrap_or(0).into()
}

impl Seen {
    fn rest(&mut self) -> &mut Rest {
        self.rest.get_or_insert_default()
    }

    /// Notes what a value is made of fewer of than others.
    fn lack(&mut self, lacks: impl IntoIterator<Item = Lack>) {
        let mut lacks = lacks.into_iter().peekable();
        if lacks.peek().is_some() {
            self.rest().lacks.extend(lacks);
        }
    }

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
            let lacks = lacks_of(support, row)?;
            self.lack(lacks);
        } else if let Some(gathered) = why.gathered(row)?.filter(|_| given) {
            self.lack(gathered.as_part());
            for (reason, n) in &gathered.unscored {
                *left_out.unscored.entry(reason.clone()).or_default() += n;
            }
        }
        self.given += u32::from(given);
        if let Some(number) = cell.number() {
            self.values.push(number);
        } else if !given {
            let reason = why.reason(row, support);
            let among = if why.of_statistics {
                &mut left_out.missing
            } else {
                &mut left_out.unscored
            };
            *among.entry(reason.clone()).or_default() += 1;
            self.rest().reason.get_or_insert(reason);
        }
        Ok(())
    }

    /// What it came to; or the place of the role in which its repeats differ and have no mean.
    fn observation(self) -> Result<Observation, usize> {
        let count = self.values.len();
        let rest = self.rest.map_or_else(Rest::default, |rest| *rest);
        let observed = match exact_sum(self.values) {
            _ if self.given as usize > count => Observed::Label,
            Some(sum) if count > 0 => Observed::Value(sum / count as f64),
            _ => Observed::Nothing(rest.reason.unwrap_or_else(|| "no value".to_owned())),
        };
        Ok(Observation {
            observed,
            lacks: rest.lacks,
            cells: role::averaged(rest.cells)?,
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
            Scalar::Text(text) => text,
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
