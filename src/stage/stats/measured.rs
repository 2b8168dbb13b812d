//! The groups of a stage as a measure takes them, and the rows that it makes of them.
//!
//! Without a `pair` each group is computed by itself. With one, each level is held against the level that `pair` names: the
//! other's value of the same item is the reference or, where a column is that already, the rival; of measures that compare
//! samples both are samples, the level's own first.

use std::collections::BTreeMap;

use super::behind::{self, Own};
use super::contrast::check_levels;
use super::lacks::Lacks;
use super::observe::{Group, Observation, Observations, regardless};
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

/// A row of the data: what tells it apart, and what was observed of it in a level and in the other that it is held against.
struct Row<'o> {
    id: &'o [String],
    own: Option<&'o Observation>,
    other: Option<&'o Observation>,
}

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
            data: data(stats, roles, &rows(group)),
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
        let about = (stats, measure, pair);
        let data = compared(about, roles, (key.last(), group), other);
        let other = other.map(|group| (against, group));
        Set {
            key: key.clone(),
            groups: [(key.clone(), group)].into_iter().chain(other).collect(),
            data,
        }
    });
    Ok(sets.collect())
}

/// The observations of a group as rows.
fn rows(group: &Group) -> Vec<Row<'_>> {
    let documents = group.documents.iter();
    let rows = documents.map(|(id, own)| Row {
        id,
        own: Some(own),
        other: None,
    });
    rows.collect()
}

/// The data of a level and of the other that it is held against.
fn compared(
    (stats, measure, pair): (&Stats, &Measure, &Pair),
    roles: &[Role],
    (level, own): (Option<&String>, &Group),
    other: Option<&Group>,
) -> Data {
    let has_reference = stats.roles.get(Role::Reference).is_some();
    let role = role_of_other(measure, has_reference).unwrap_or(Role::Reference);
    if role == Role::Sample {
        let mut all = rows(own);
        let of_level = all.len();
        all.extend(other.into_iter().flat_map(rows));
        let level = level.map_or("", String::as_str);
        let name = |at| if at < of_level { level } else { &pair.against };
        let names = (0..all.len()).map(|at| Cell::Text(name(at).to_owned()));
        let data = data(stats, roles, &all);
        return data.with(role, names.collect());
    }
    let mut all: BTreeMap<&[String], Row> = BTreeMap::new();
    all.extend(rows(own).into_iter().map(|row| (row.id, row)));
    for (id, observation) in other.into_iter().flat_map(|group| &group.documents) {
        let none = Row {
            id,
            own: None,
            other: None,
        };
        all.entry(id).or_insert(none).other = Some(observation);
    }
    let all: Vec<Row> = all.into_values().collect();
    let data = data(stats, roles, &all);
    if all.iter().all(|row| row.other.is_none()) {
        return data;
    }
    let value = roles.iter().position(|&role| role == Role::Value);
    let held = all.iter().enumerate().map(|(at, row)| match row.other {
        Some(other) => value.and_then(|value| other.cells.get(value)).cloned(),
        None => Some(data.cell(role, at).clone()),
    });
    let held = held.map(Option::unwrap_or_default).collect();
    data.with(role, held)
}

/// Rows as columns, one for each role and one with the names of items.
fn data(stats: &Stats, roles: &[Role], rows: &[Row]) -> Data {
    if rows.is_empty() {
        return Data::of(0);
    }
    let cell = |row: &Row<'_>, (at, role): (usize, Role)| match (row.own, row.other) {
        (Some(own), _) => own.cells.get(at).cloned(),
        (None, Some(other)) if role != Role::Value => other.cells.get(at).cloned(),
        (None, _) => None,
    };
    let item = |row: &Row<'_>| {
        let item = &row.id[..stats.over.len()];
        let named = item.iter().any(|name| !name.is_empty());
        named.then(|| Cell::Text(joined(item)))
    };
    let column = |cells: &dyn Fn(&Row<'_>) -> Option<Cell>| {
        let cells = rows.iter().map(|row| cells(row).unwrap_or_default());
        cells.collect::<Vec<_>>()
    };
    let columns = roles.iter().copied().enumerate();
    columns
        .fold(Data::of(rows.len()), |data, (at, role)| {
            data.with(role, column(&|row| cell(row, (at, role))))
        })
        .with(Role::Item, column(&item))
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
                lacking.join(&self.lacks_of(key, group));
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
