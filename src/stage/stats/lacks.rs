//! Which groups average fewer parts than their neighbours.
//!
//! What tells observations apart are units (documents) and parts of them (metrics, models, levels of an axis). That a
//! document has no value at all lowers n, which every table counts; that some of its parts have none changes what is
//! averaged. The parts to be expected are those that other groups have: two parts belong together if one group has both
//! of the same unit, so parts that never occur together (intensities of different kinds of damage) are not missed. Where a
//! spec says in what groups have to be alike (the data set), only those that are have to have the same parts.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::Stats;
use super::observe::Group;
use crate::base::wording;
use crate::output::report::Lack;
use crate::stage::pool::Pool;
use crate::stage::{ITEM, ITEM_ID};

/// The column that tells documents apart.
const DOCUMENT: &str = "doc_id";

/// A unit and one of its parts.
type Node = (Vec<String>, Vec<String>);

/// Which parts belong together.
pub(super) struct Parts<'s> {
    stats: &'s Stats,
    /// Where, among the columns that tell observations apart, units and parts are named.
    units: Vec<usize>,
    columns: Vec<usize>,
    /// Where a group's key names what its parts are compared within: a document whose parts are averaged, and what groups
    /// have to be alike in.
    within: Vec<usize>,
    /// Every part of a unit, with one that it belongs with.
    known: IndexMap<Node, usize>,
    /// The parts that belong together, by the first of them.
    together: BTreeMap<usize, Vec<usize>>,
}

/// The key of a group, and observations that it should have.
pub(super) type Wanted = (Vec<String>, BTreeSet<Vec<String>>);

/// The parts of each unit: those to be expected, and those with a value.
type Found = BTreeMap<Vec<String>, (BTreeSet<Vec<String>>, BTreeSet<Vec<String>>)>;

impl<'s> Parts<'s> {
    /// Looks at the observations of all groups, each with its key, and at further ones that there should be.
    pub(super) fn of<'g>(
        stats: &'s Stats,
        groups: impl Iterator<Item = (&'g Vec<String>, &'g Group)>,
        wanted: &[Wanted],
    ) -> Self {
        let is_within = |name: &String| name == DOCUMENT || stats.alike.contains(name);
        let within = (0..stats.by.len()).filter(|&at| is_within(&stats.by[at]));
        let documents = stats
            .over
            .iter()
            .chain(&stats.by)
            .any(|name| name == DOCUMENT);
        let is_unit = |name: &String| match name.as_str() {
            DOCUMENT => true,
            // Of scores, columns other than these tell documents apart where their name does not.
            name => !documents && !stats.of_statistics() && name != "metric" && !is_repeat(name),
        };
        let (units, parts) = (0..stats.over.len()).partition(|&at| is_unit(&stats.over[at]));
        let mut all = Self {
            stats,
            units,
            columns: parts,
            within: within.collect(),
            known: IndexMap::new(),
            together: BTreeMap::new(),
        };
        // That one model was asked more often than another is no loss of either, and a list has as many elements as it has.
        let compared = !all.columns.iter().all(|&at| is_repeat(&stats.over[at]));
        let compared = compared
            && !stats
                .over
                .iter()
                .any(|name| [ITEM, ITEM_ID].contains(&name.as_str()));
        for (key, group) in groups.filter(|_| compared) {
            all.join(key, group.documents.keys());
        }
        for (key, observations) in wanted.iter().filter(|_| compared) {
            all.join(key, observations.iter());
        }
        for at in 0..all.known.len() {
            let root = all.root(at);
            all.together.entry(root).or_default().push(at);
        }
        all
    }

    /// Puts the parts of each unit in a group together.
    fn join<'o>(&mut self, key: &[String], observations: impl Iterator<Item = &'o Vec<String>>) {
        let mut first: BTreeMap<Vec<String>, usize> = BTreeMap::new();
        for observation in observations {
            let node = self.node(key, observation);
            let unit = node.0.clone();
            let next = self.known.len();
            let entry = self.known.entry(node);
            let here = entry.index();
            entry.or_insert(next);
            let other = *first.entry(unit).or_insert(here);
            let (a, b) = (self.root(other), self.root(here));
            self.known[a.max(b)] = a.min(b);
        }
    }

    /// What pooled groups should be made of: all that the groups in them should be, whether a row of these has it or not.
    pub(super) fn wanted<'g>(
        &self,
        groups: impl Iterator<Item = (&'g Vec<String>, &'g Group)>,
        choice: &[&Pool],
    ) -> Vec<Wanted> {
        let (by, over) = (&self.stats.by, &self.stats.over);
        let place = |pool: &&Pool| by.iter().position(|name| *name == pool.column);
        let places: Vec<usize> = choice.iter().filter_map(place).collect();
        let pools = || choice.iter().zip(&places);
        let is_in = |key: &[String]| {
            pools().all(|(pool, &at)| pool.of.is_empty() || pool.of.contains(&key[at]))
        };
        let groups = groups.filter(|(key, _)| is_in(key));
        let wanted = groups.map(|(key, group)| {
            // What told these apart as groups tells them apart as observations.
            let apart = places.iter().filter(|&&at| !over.contains(&by[at]));
            let apart: Vec<String> = apart.map(|&at| key[at].clone()).collect();
            let observations = group.documents.keys().flat_map(|one| self.beside(key, one));
            let observations = observations.map(|one| [one, apart.clone()].concat());
            let mut pooled = key.clone();
            for (pool, &at) in pools() {
                pooled[at].clone_from(&pool.name);
            }
            (pooled, observations.collect())
        });
        wanted.collect()
    }

    /// All observations that belong with one of a group.
    fn beside(&self, key: &[String], observation: &[String]) -> Vec<Vec<String>> {
        let at = self.known.get_index_of(&self.node(key, observation));
        let together = at.and_then(|at| self.together.get(&self.root(at)));
        let nodes = together.into_iter().flatten();
        let parts = nodes.filter_map(|&at| Some(&self.known.get_index(at)?.0.1));
        let with = |part: &Vec<String>| {
            let mut other = observation.to_vec();
            for (&at, name) in self.columns.iter().zip(part) {
                other[at].clone_from(name);
            }
            other
        };
        parts.map(with).collect()
    }

    fn root(&self, mut at: usize) -> usize {
        while self.known[at] != at {
            at = self.known[at];
        }
        at
    }

    /// The unit and the part that an observation of a group is of.
    fn node(&self, key: &[String], observation: &[String]) -> Node {
        let of = |places: &[usize]| {
            let names: Vec<String> = places.iter().map(|&at| observation[at].clone()).collect();
            names
        };
        let within = self.within.iter().map(|&at| key[at].clone());
        (within.chain(of(&self.units)).collect(), of(&self.columns))
    }

    /// What a group lacks that has these observations, each with a value or without.
    pub(super) fn lacks<'k>(
        &self,
        key: &[String],
        own: impl Iterator<Item = (&'k Vec<String>, bool)>,
    ) -> Lacks {
        // What has no parts can lack none, and of scores a document without any is no lack.
        if self.columns.is_empty() && !self.stats.of_statistics() {
            return Lacks::default();
        }
        let mut units = Found::new();
        let mut roots: BTreeSet<usize> = BTreeSet::new();
        for (observation, has_value) in own {
            let node = self.node(key, observation);
            roots.extend(self.known.get_index_of(&node).map(|at| self.root(at)));
            let (unit, part) = node;
            let (all, there) = units.entry(unit).or_default();
            all.insert(part.clone());
            if has_value {
                there.insert(part);
            }
        }
        let together = roots.iter().filter_map(|root| self.together.get(root));
        for (unit, part) in together
            .flatten()
            .filter_map(|&at| self.known.get_index(at))
            .map(|(node, _)| node)
        {
            if let Some((all, _)) = units.get_mut(unit) {
                all.insert(part.clone());
            }
        }
        let mut lacks = Lacks::default();
        lacks.extend(self.of_parts(&units));
        lacks.extend(self.of_units(&units));
        lacks
    }

    /// Units that have some of their parts.
    fn of_parts(&self, units: &Found) -> Option<(Lack, u64)> {
        if self.columns.is_empty() {
            return None;
        }
        let part = self.called(&self.columns);
        let there = units.values().filter(|(_, there)| !there.is_empty());
        let of = there.clone().count() as u64;
        let partial: Vec<_> = there
            .filter(|(all, there)| there.len() < all.len())
            .collect();
        let mut without: BTreeSet<String> = BTreeSet::new();
        for (all, there) in &partial {
            without.extend(all.difference(there).map(|part| part.join(" · ")));
        }
        let have = partial.iter().map(|(_, there)| there.len() as u64).min()?;
        let parts = partial.iter().map(|(all, _)| all.len() as u64).max()?;
        let without = without.into_iter().collect();
        let value = Lack::of_value(have, parts, part, without);
        if self.units.is_empty() {
            return Some((value, 0));
        }
        let lack = Lack {
            units: partial.len() as u64,
            of,
            unit: self.called(&self.units),
            ..value
        };
        let partial = lack.units;
        Some((lack, partial))
    }

    /// Of statistics, those units that have none at all.
    fn of_units(&self, units: &Found) -> Option<(Lack, u64)> {
        let none = units.iter().filter(|(_, (_, there))| there.is_empty());
        let without: Vec<String> = none.map(|(unit, _)| unit.join(" · ")).collect();
        let all = units.len() as u64;
        let have = all - without.len() as u64;
        let lacking =
            self.stats.of_statistics() && !self.units.is_empty() && have > 0 && have < all;
        lacking.then(|| {
            (
                Lack::of_value(have, all, self.called(&self.units), without),
                0,
            )
        })
    }

    fn called(&self, places: &[usize]) -> String {
        let names: Vec<&String> = places.iter().map(|&at| &self.stats.over[at]).collect();
        plural(&names)
    }
}

/// What a value lacks, and how many of the observations behind it are partial themselves.
#[derive(Clone, Default)]
pub(super) struct Lacks {
    pub(super) lacks: Vec<Lack>,
    pub(super) partial: u64,
}

impl Lacks {
    fn extend(&mut self, more: impl IntoIterator<Item = (Lack, u64)>) {
        for (lack, partial) in more {
            self.lacks.push(lack);
            self.partial = self.partial.max(partial);
        }
    }

    /// Takes up what another group behind the same value lacks.
    pub(super) fn join(&mut self, other: &Self) {
        self.partial += other.partial;
        for lack in &other.lacks {
            if !self.lacks.contains(lack) {
                self.lacks.push(lack.clone());
            }
        }
    }

    /// Takes up what each of `n` observations lacks itself; `unit` is what these are.
    pub(super) fn inherit<'l>(
        &mut self,
        unit: &str,
        n: usize,
        observations: impl Iterator<Item = Vec<&'l Lack>>,
    ) {
        let mut kinds: IndexMap<(bool, String, String), (Lack, u64)> = IndexMap::new();
        let mut partial = 0;
        for lacks in observations.filter(|lacks| !lacks.is_empty()) {
            partial += 1;
            let mut seen = BTreeSet::new();
            for lack in lacks {
                let kind = (lack.is_of_value(), lack.unit.clone(), lack.part.clone());
                let first = seen.insert(kind.clone());
                let (sum, observations) = kinds.entry(kind).or_insert_with(|| {
                    let none = Lack {
                        units: 0,
                        of: 0,
                        without: Vec::new(),
                        ..lack.clone()
                    };
                    (none, 0)
                });
                sum.have = sum.have.min(lack.have);
                sum.parts = sum.parts.max(lack.parts);
                sum.units += lack.units;
                sum.of += lack.of;
                for name in &lack.without {
                    if !sum.without.contains(name) {
                        sum.without.push(name.clone());
                    }
                }
                *observations += u64::from(first);
            }
        }
        self.extend(kinds.into_values().map(|(mut lack, observations)| {
            if lack.is_of_value() {
                unit.clone_into(&mut lack.unit);
                (lack.units, lack.of) = (observations, n as u64);
            } else {
                lack.within = format!("{observations} of {n} {unit}");
            }
            (lack, partial)
        }));
    }

    /// Of so many levels that are pooled some have no difference.
    pub(super) fn of_levels(levels: usize, called: String, without: Vec<String>) -> Self {
        let all = levels as u64;
        let have = all - without.len() as u64;
        let lack = (have > 0 && have < all).then(|| Lack::of_value(have, all, called, without));
        Self {
            lacks: lack.into_iter().collect(),
            partial: 0,
        }
    }

    /// As it stands in a column: nothing where nothing lacks.
    pub(super) fn json(&self) -> Option<String> {
        let some = !self.lacks.is_empty();
        some.then(|| serde_json::to_string(&self.lacks).unwrap_or_default())
    }
}

/// The lacks that stand in a column.
pub(crate) fn read(text: &str) -> Result<Vec<Lack>, serde_json::Error> {
    serde_json::from_str(text)
}

fn is_repeat(name: &str) -> bool {
    name == "repeat" || name.ends_with("_repeat")
}

/// What is averaged over, in the plural: `models`, `tasks`; documents by what they are.
pub(in crate::stage) fn plural<S: AsRef<str>>(over: &[S]) -> String {
    let words: Vec<String> = over
        .iter()
        .map(|name| wording::plural(named(name.as_ref())))
        .collect();
    match words.as_slice() {
        [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        words => words.concat(),
    }
}

/// What a column tells apart: `model`, `task`; documents by what they are.
pub(super) fn named(column: &str) -> &str {
    match column {
        DOCUMENT => "document",
        name => name,
    }
}
