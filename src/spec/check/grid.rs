//! The grid: which combinations of axis values are run.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::wording::{count, list_of, nearest, there_are, thousands};
use crate::frame::Scalar;
use crate::spec::raw::RawSpec;
use crate::stage::check::Axis;
use crate::stage::check::Context;
use crate::toml::{Place, Problem, Problems, Tree};

/// The most combinations of axis values, before any is excluded. Each is a node of every stage that the axes reach.
const COMBINATIONS: usize = 100_000;

/// The axes with what they set, and the combinations.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    pub(super) axes: Vec<Axis>,
    /// For each axis, the paths it sets.
    pub(super) targets: Vec<Vec<Vec<String>>>,
    /// For each axis, each value and where it stands.
    pub(super) values: Vec<Vec<(Tree, Place)>>,
    pub(super) combos: Vec<Vec<usize>>,
    /// Axes with mistakes of their own.
    pub(super) astray: Vec<String>,
}

impl Grid {
    /// Whether an axis has a value of this name.
    fn has(&self, axis: &str, value: &str) -> bool {
        let axis = self.axes.iter().find(|known| known.name == axis);
        axis.is_some_and(|axis| axis.values.iter().any(|name| name.to_string() == value))
    }
}

/// Finds the combinations: the product of the zipped groups without what is excluded.
///
/// An ablation may be without a value that the base's axes have and that is excluded.
pub(super) fn combine(
    context: &Context<'_>,
    raw: &RawSpec,
    base: Option<&Grid>,
    grid: &mut Grid,
    problems: &mut Problems,
) {
    let groups = zipped(context, raw, grid, problems);
    if let Some(problem) = too_many(context, grid, &groups) {
        problems.push(problem);
        // The rest of the spec is checked as if each axis had its first value alone.
        grid.combos = vec![vec![0; grid.axes.len()]];
        return;
    }
    grid.combos = product(grid, &groups);
    exclude(context, raw, base, grid, problems);
}

/// Groups of axes that advance together; every axis is in exactly one. Groups that share an axis are
/// one group.
fn zipped(
    context: &Context<'_>,
    raw: &RawSpec,
    grid: &Grid,
    problems: &mut Problems,
) -> Vec<Vec<usize>> {
    let mut group_of: Vec<usize> = (0..grid.axes.len()).collect();
    // The last line that put something into a group, to be blamed for its lengths.
    let mut line_of = vec![None; grid.axes.len()];
    let at = |index: usize| ["grid".to_owned(), "zip".to_owned(), index.to_string()];
    for (index, names) in raw.grid.zip.iter().enumerate() {
        let members: Vec<usize> = names
            .iter()
            .enumerate()
            .filter_map(|(position, name)| {
                let path = [&at(index)[..], &[position.to_string()]].concat();
                find(context, grid, raw, name, &path, problems)
            })
            .collect();
        alone(context, names, &at(index), problems);
        let merged: BTreeSet<usize> = members.iter().map(|&axis| group_of[axis]).collect();
        if let Some(&first) = merged.first() {
            for group in &mut group_of {
                if merged.contains(group) {
                    *group = first;
                }
            }
            line_of[first] = Some(index);
        }
    }
    let mut groups = Vec::new();
    for (group, line) in line_of.iter().enumerate() {
        let members: Vec<usize> = (0..grid.axes.len())
            .filter(|&axis| group_of[axis] == group)
            .collect();
        let sizes: BTreeSet<usize> = members
            .iter()
            .map(|&axis| grid.axes[axis].values.len())
            .collect();
        if sizes.len() <= 1 {
            groups.push(members);
            continue;
        }
        let lengths: Vec<String> = members
            .iter()
            .map(|&axis| &grid.axes[axis])
            .map(|axis| format!("`{}` has {}", axis.name, axis.values.len()))
            .collect();
        context
            .problem(
                "spec::zip-lengths",
                "axes that are zipped need the same number of values".to_owned(),
                &at(line.unwrap_or(0)),
                &lengths.join(", "),
            )
            .help("give them the same number of values, or do not zip them")
            .tell(problems);
        groups.extend(members.into_iter().map(|axis| vec![axis]));
    }
    groups.retain(|group| !group.is_empty());
    // The first axis varies slowest.
    groups.sort();
    groups
}

/// Refuses to zip an axis with nothing but itself.
fn alone(context: &Context<'_>, names: &[String], at: &[String], problems: &mut Problems) {
    let mut seen = BTreeSet::new();
    let twice = names.iter().find(|name| !seen.insert(*name));
    let (message, label) = match (twice, names) {
        (Some(name), _) => (
            format!("axis `{name}` is zipped with itself"),
            "named again",
        ),
        (None, [] | [_]) => ("zipping needs at least two axes".to_owned(), "zips nothing"),
        _ => return,
    };
    let place = twice.map_or_else(
        || at.to_vec(),
        |_| {
            let again = names.iter().rposition(|name| Some(name) == twice);
            [at, &[again.unwrap_or_default().to_string()]].concat()
        },
    );
    context
        .problem("spec::bad-grid", message, &place, label)
        .help("name at least two axes, each of them once")
        .tell(problems);
}

fn find(
    context: &Context<'_>,
    grid: &Grid,
    raw: &RawSpec,
    name: &str,
    at: &[String],
    problems: &mut Problems,
) -> Option<usize> {
    let found = grid.axes.iter().position(|axis| axis.name == name);
    // An axis with mistakes of its own is reported there, not as unknown here.
    if found.is_none() && !raw.axes.contains_key(name) {
        let known: Vec<&String> = raw.axes.keys().collect();
        let help = match nearest(name, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => there_are("axis", "axes", &known),
        };
        Problem::error("spec::unknown-axis", format!("there is no axis `{name}`"))
            .label_at(context.layers.place_of_key(at), "not an axis")
            .help(help)
            .tell(problems);
    }
    found
}

/// Refuses a product that is larger than any experiment, before it is made.
fn too_many(context: &Context<'_>, grid: &Grid, groups: &[Vec<usize>]) -> Option<Problem> {
    let length = |group: &Vec<usize>| grid.axes[group[0]].values.len();
    let product = groups.iter().fold(1_usize, |product, group| {
        product.saturating_mul(length(group))
    });
    if product <= COMBINATIONS {
        return None;
    }
    let largest = &grid.axes[groups.iter().max_by_key(|group| length(group))?[0]];
    let at = ["axes".to_owned(), largest.name.clone(), "values".to_owned()];
    let product = match product {
        usize::MAX => "more combinations than can be counted".to_owned(),
        product => format!("{} combinations", thousands(product as u64)),
    };
    let label = count(largest.values.len(), "value");
    Some(
        context
            .problem(
                "spec::too-many",
                format!("the axes have {product}, and at most {} can be run", thousands(COMBINATIONS as u64)),
                &at,
                &label,
            )
            .help("give the axes fewer values, `zip` those that go together, or divide the experiment into several specs; `exclude` does not make them fewer"),
    )
}

/// Every combination of one position per group, the first axis varying slowest.
fn product(grid: &Grid, groups: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut combos = vec![vec![0; grid.axes.len()]];
    for group in groups {
        let length = grid.axes[group[0]].values.len();
        combos = combos
            .into_iter()
            .flat_map(|combo| {
                (0..length).map(move |value| {
                    let mut next = combo.clone();
                    for &axis in group {
                        next[axis] = value;
                    }
                    next
                })
            })
            .collect();
    }
    combos
}

fn exclude(
    context: &Context<'_>,
    raw: &RawSpec,
    base: Option<&Grid>,
    grid: &mut Grid,
    problems: &mut Problems,
) {
    if raw.grid.exclude.is_empty() {
        return;
    }
    let positions: Vec<BTreeMap<String, usize>> = grid.axes.iter().map(positions).collect();
    let mut left = Left::new(grid);
    for (index, rule) in raw.grid.exclude.iter().enumerate() {
        let at = ["grid".to_owned(), "exclude".to_owned(), index.to_string()];
        let mut wanted = Vec::new();
        // Whether all axes and values that it names are there.
        let mut whole = true;
        for (name, values) in rule {
            let mut path = at.to_vec();
            path.push(name.clone());
            let Some(axis) = find(context, grid, raw, name, &path, problems) else {
                whole = false;
                continue;
            };
            let mut excluded = BTreeSet::new();
            for value in values {
                match positions[axis].get(&value.to_string()) {
                    Some(&position) => {
                        excluded.insert(position);
                    }
                    None if base.is_some_and(|base| base.has(name, &value.to_string())) => {}
                    None => {
                        whole = false;
                        let all = grid.axes[axis].values.iter();
                        let names: Vec<String> = all.map(ToString::to_string).collect();
                        context
                            .problem(
                                "spec::unknown-value",
                                format!("axis `{name}` has no value `{value}`"),
                                &path,
                                "excludes nothing",
                            )
                            .help(match nearest(&value.to_string(), &names) {
                                // Of numbers none is meant by another.
                                Some(near) if matches!(value.0, Scalar::Text(_)) => {
                                    format!("did you mean `{near}`?")
                                }
                                _ => format!("its values are {}", list_of(&names)),
                            })
                            .tell(problems);
                    }
                }
            }
            wanted.push((axis, excluded));
        }
        if rule.is_empty() {
            context
                .problem(
                    "spec::bad-grid",
                    "this rule names no axis".to_owned(),
                    &at,
                    "excludes nothing or everything",
                )
                .help(
                    "name axes with values: `exclude = [{ model = \"small\", length = \"full\" }]`",
                )
                .tell(problems);
        }
        let before = left.many;
        left.without(grid, &wanted);
        // An ablation may be without the values that a rule of the base is about.
        if left.many == before && before > 0 && whole && !rule.is_empty() && base.is_none() {
            Problem::warning("lint::idle-exclude", "no combination of the axes matches this")
                    .label_at(context.place(&at), "excludes nothing")
                    .help("remove it, or correct the values: zipped axes have few combinations, and other rules come first")
            .tell(problems);
        }
        if left.many == 0 && before > 0 {
            context
                .problem(
                    "spec::nothing-left",
                    "no combination of the axes is left".to_owned(),
                    &at,
                    "excludes the last of them",
                )
                .help("exclude fewer combinations")
                .tell(problems);
        }
    }
    let mut here = left.here.iter();
    grid.combos.retain(|_| here.next() == Some(&true));
}

/// The position of each value of an axis, by what it is called.
fn positions(axis: &Axis) -> BTreeMap<String, usize> {
    let mut positions = BTreeMap::new();
    for (position, value) in axis.values.iter().enumerate() {
        positions.entry(value.to_string()).or_insert(position);
    }
    positions
}

/// The combinations that no rule has excluded yet.
struct Left {
    here: Vec<bool>,
    many: usize,
    /// For each axis and each of its values, the combinations that have it: a rule looks at those of its own values alone.
    having: Vec<Vec<Vec<usize>>>,
}

impl Left {
    fn new(grid: &Grid) -> Self {
        let mut having: Vec<Vec<Vec<usize>>> = grid
            .axes
            .iter()
            .map(|axis| vec![Vec::new(); axis.values.len()])
            .collect();
        for (index, combo) in grid.combos.iter().enumerate() {
            for (axis, &value) in combo.iter().enumerate() {
                having[axis][value].push(index);
            }
        }
        Self {
            here: vec![true; grid.combos.len()],
            many: grid.combos.len(),
            having,
        }
    }

    /// Takes out those that hold one of these values on each of these axes.
    fn without(&mut self, grid: &Grid, wanted: &[(usize, BTreeSet<usize>)]) {
        let having = &self.having;
        let combos = |(axis, values): &(usize, BTreeSet<usize>)| -> usize {
            values.iter().map(|&value| having[*axis][value].len()).sum()
        };
        let Some((fewest, values)) = wanted.iter().min_by_key(|one| combos(one)) else {
            return;
        };
        for &index in values.iter().flat_map(|&value| &having[*fewest][value]) {
            let combo = &grid.combos[index];
            let fits = wanted
                .iter()
                .all(|(axis, values)| values.contains(&combo[*axis]));
            if fits && std::mem::take(&mut self.here[index]) {
                self.many -= 1;
            }
        }
    }
}
