//! The groups of a stage as a measure takes them, and the rows that it makes of them.
//!
//! Without a `pair` each group is computed by itself. With one, each level is held against the level that `pair` names: the
//! other's value of the same item is the reference or, where a column is that already, the rival; of measures that compare
//! samples both are samples, the level's own first.

use std::collections::{BTreeMap, BTreeSet};

use super::behind::{self, Own};
use super::contrast::check_levels;
use super::lacks::Lacks;
use super::observe::{Group, Observations, regardless};
use super::record::Records;
use super::role::joined;
use super::setting::looks_at;
use super::told::{self, Counted};
use super::{Pair, Stats};
use crate::base::failure::Failure;
use crate::frame::Scalar;
use crate::stats::measure::{Cell, Data, Given, Line, Measure, Role, Settings};

/// What a measure is computed of at once.
pub(super) struct Set<'o> {
    /// Values of `by`, then of the axis that is compared along.
    key: Vec<String>,
    /// The groups that its rows come from, with their keys.
    groups: Vec<(Vec<String>, &'o Group)>,
    data: Data,
}

impl Set<'_> {
    pub(super) fn data(&self) -> &Data {
        &self.data
    }
}

/// A row of the data: the item, and the cells by their roles.
type Row = BTreeMap<Role, Cell>;

/// What the other level of a pair is to a measure.
pub(super) fn role_of_other(measure: &Measure, has_reference: bool) -> Option<Role> {
    let takes = |role: &Role| looks_at(measure, *role);
    let paired = if has_reference {
        Role::Rival
    } else {
        Role::Reference
    };
    // What is needed says more than what may be there.
    let needed = [paired, Role::Sample].into_iter();
    let needed = needed.clone().find(|role| measure.needs.contains(role));
    needed.or_else(|| [paired, Role::Sample].into_iter().find(takes))
}

/// Of two samples that a pair names, the one that the other is held against.
pub(super) fn base(stats: &Stats, measure: &Measure) -> Option<String> {
    let pair = stats.pair.first()?;
    let has_reference = stats.roles.get(Role::Reference).is_some();
    let samples = role_of_other(measure, has_reference) == Some(Role::Sample);
    samples.then(|| pair.against.clone())
}

/// What the measure is computed of, in the order in which groups first appear.
pub(super) fn sets<'o>(
    stats: &Stats,
    measure: &Measure,
    observations: &'o Observations,
) -> Result<Vec<Set<'o>>, Failure> {
    check_levels(stats, observations)?;
    let roles = observations.roles();
    let Some(pair) = stats.pair.first() else {
        let sets = observations.groups().map(|(key, group)| Set {
            key: key.clone(),
            groups: vec![(key.clone(), group)],
            data: data(rows(stats, roles, group).into_values().collect()),
        });
        return Ok(sets.collect());
    };
    let own = observations.groups();
    let own = own.filter(|(key, _)| key.last() != Some(&pair.against));
    let sets = own.map(|(key, group)| {
        let mut against = key.clone();
        if let Some(level) = against.last_mut() {
            level.clone_from(&pair.against);
        }
        regardless(stats, &mut against);
        let other = observations.group(&against);
        let other = other.map(|group| (against, group));
        let of_other = other.as_ref().map(|(_, group)| rows(stats, roles, group));
        let compared = compared(
            (stats, measure, pair),
            (key.last(), rows(stats, roles, group)),
            of_other.unwrap_or_default(),
        );
        Set {
            key: key.clone(),
            groups: [(key.clone(), group)].into_iter().chain(other).collect(),
            data: data(compared),
        }
    });
    Ok(sets.collect())
}

/// The rows of a group, by what tells them apart.
fn rows(stats: &Stats, roles: &[Role], group: &Group) -> BTreeMap<Vec<String>, Row> {
    let row = |(id, cells): (&Vec<String>, &Vec<Cell>)| {
        let item = &id[..stats.over.len()];
        let item = Some(joined(item)).filter(|_| item.iter().any(|name| !name.is_empty()));
        let cells = roles.iter().copied().zip(cells.iter().cloned());
        let item = (Role::Item, item.map_or(Cell::Absent, Cell::Text));
        (id.clone(), cells.chain([item]).collect())
    };
    group.cells.iter().map(row).collect()
}

/// The rows of a level and of the other that it is held against.
fn compared(
    (stats, measure, pair): (&Stats, &Measure, &Pair),
    (level, mut own): (Option<&String>, BTreeMap<Vec<String>, Row>),
    other: BTreeMap<Vec<String>, Row>,
) -> Vec<Row> {
    let has_reference = stats.roles.get(Role::Reference).is_some();
    let role = role_of_other(measure, has_reference).unwrap_or(Role::Reference);
    if role == Role::Sample {
        let of = |name: &str, rows: BTreeMap<Vec<String>, Row>| {
            let name = Cell::Text(name.to_owned());
            let rows = rows.into_values();
            let rows = rows.map(move |mut row| {
                row.insert(Role::Sample, name.clone());
                row
            });
            rows.collect::<Vec<_>>()
        };
        let level = level.map_or("", String::as_str);
        return [of(level, own), of(&pair.against, other)].concat();
    }
    for (id, mut row) in other {
        let value = row.remove(&Role::Value).unwrap_or_default();
        let row = own.entry(id).or_insert(row);
        row.insert(role, value);
    }
    own.into_values().collect()
}

/// Columns of rows; a row that lacks one has an absent cell there.
fn data(rows: Vec<Row>) -> Data {
    let roles: BTreeSet<Role> = rows.iter().flat_map(BTreeMap::keys).copied().collect();
    let len = rows.len();
    let mut columns: BTreeMap<Role, Vec<Cell>> = BTreeMap::new();
    for mut row in rows {
        for role in &roles {
            let cell = row.remove(role).unwrap_or_default();
            columns.entry(*role).or_default().push(cell);
        }
    }
    let columns = columns.into_iter();
    columns.fold(Data::of(len), |data, (role, cells)| data.with(role, cells))
}

impl Records<'_> {
    /// What a measure says of one set: a row for each of its lines.
    pub(super) fn measure(
        &mut self,
        measure: &Measure,
        settings: &Settings,
        set: &Set<'_>,
    ) -> Result<(), Failure> {
        let lines = (measure.compute)(&set.data, settings)
            .map_err(|error| Failure::new(format!("`{}`: {error}", measure.name)))?;
        for line in lines {
            let key: Vec<String> = set.key.iter().chain(&line.keys).cloned().collect();
            let groups: Vec<&Group> = set.groups.iter().map(|(_, group)| *group).collect();
            let mut lacking = Lacks::default();
            for (key, group) in &set.groups {
                lacking.join(self.lacks_of(key, group));
            }
            let counted = self.counted(&groups);
            let counted = Counted {
                n: Some(line.n),
                unit: measure.unit.to_owned(),
                dropped: line.dropped as u64 + counted.dropped,
                lacking,
                ..counted
            };
            let cells = told::columns_of(measure).map(|column| told::cell_of(column, &line));
            let why = why(measure, &line);
            let behind = behind_of(measure, &line, &counted, why.as_deref());
            self.push(&key, &counted, cells.collect(), why, Some(behind));
            let p_values = measure.p_values().map(|p| match line.values.get(p) {
                Some(Given::Number(p)) => Some(*p),
                _ => None,
            });
            self.push_p(p_values.collect());
        }
        Ok(())
    }
}

/// Why nothing, or not the main value, exists.
fn why(measure: &Measure, line: &Line) -> Option<String> {
    let whole = line.why.as_ref().map(ToString::to_string);
    let main = measure.gives.first();
    whole.or_else(|| main.and_then(|main| why_not(line, main.name)))
}

/// Why a column has no value, where the line says so.
fn why_not(line: &Line, column: &str) -> Option<String> {
    match line.values.get(column) {
        Some(Given::Nothing(why)) => Some(why.to_string()),
        Some(Given::Number(_) | Given::Text(_)) => None,
        None => line.why.as_ref().map(ToString::to_string),
    }
}

/// What is behind those columns that have no value for another reason than the row's, as JSON.
fn behind_of(measure: &Measure, line: &Line, counted: &Counted, why: Option<&str>) -> Scalar {
    let own = told::columns_of(measure).filter_map(|column| {
        let own = why_not(line, column.name)?;
        let other = why != Some(own.as_str());
        other.then(|| (column.name, behind::own(counted, Some(own))))
    });
    let own: BTreeMap<&str, Own> = own.collect();
    if own.is_empty() {
        return Scalar::Null;
    }
    Scalar::from(serde_json::to_string(&own).unwrap_or_default())
}
