//! Which stage reads which, in what order they can run, and cycles with their path.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::{tarjan_scc, toposort};
use petgraph::graphmap::DiGraphMap;

use super::stages::Variant;
use crate::stage::check::names::{Names, resolve_among, there_is, usual};
use crate::stage::check::{self, Context};
use crate::stage::{Gives, Kind, StageName};
use crate::toml::{Place, Problem, Problems};

/// What every variant of every stage reads.
#[derive(Debug, Default)]
pub(super) struct Edges {
    reads: BTreeMap<StageName, BTreeMap<Vec<usize>, Vec<StageName>>>,
    places: BTreeMap<(StageName, StageName), Place>,
    /// Stages that name something to read that is not there.
    astray: BTreeSet<StageName>,
}

impl Edges {
    /// What one variant of a stage reads.
    pub(super) fn of(&self, name: &StageName, own: &[usize]) -> &[StageName] {
        self.reads
            .get(name)
            .and_then(|variants| variants.get(own))
            .map_or(&[], Vec::as_slice)
    }

    /// Whether a stage names something to read that is not there.
    pub(super) fn is_astray(&self, name: &StageName) -> bool {
        self.astray.contains(name)
    }

    /// Everything a stage may read.
    pub(super) fn all(&self, name: &StageName) -> BTreeSet<&StageName> {
        self.reads
            .get(name)
            .into_iter()
            .flat_map(BTreeMap::values)
            .flatten()
            .collect()
    }
}

/// Finds what a variant reads, by the names written in it.
pub(super) fn collect(
    variant: &Variant,
    name: &StageName,
    names: &Names,
    edges: &mut Edges,
    problems: &mut Problems,
) {
    let kinds = usual(name.kind);
    if kinds.is_empty() {
        // It reads files; a `from` in it is reported as an unknown key.
        let reads = edges.reads.entry(name.clone()).or_default();
        reads.insert(variant.own.clone(), Vec::new());
        return;
    }
    let layers = &variant.layers;
    let table = vec![name.kind.name().to_owned(), name.name.clone()];
    let mut written: Vec<(String, Option<Place>, Vec<Kind>)> = Vec::new();
    let mut look_at = |path: Vec<String>, kinds: &[Kind]| {
        let Some(tree) = layers.tree().get(&path) else {
            return false;
        };
        match (tree.as_str(), tree.elements()) {
            (Some(text), _) => {
                written.push((text.to_owned(), tree.place().cloned(), kinds.to_vec()));
            }
            (None, Some(elements)) => written.extend(elements.iter().filter_map(|element| {
                Some((
                    element.as_str()?.to_owned(),
                    element.place().cloned(),
                    kinds.to_vec(),
                ))
            })),
            // Of another type: reported when the table is read.
            (None, None) => {}
        }
        true
    };
    let step = |steps: &[&str]| {
        let mut path = table.clone();
        path.extend(steps.iter().map(|&step| step.to_owned()));
        path
    };
    let mut any = look_at(step(&["from"]), &kinds);
    for (key, rows) in check::reads_also(name.kind, layers, &table) {
        look_at(step(&[key]), &Kind::that_give(rows));
    }
    let parts = layers
        .tree()
        .get(&step(&["part"]))
        .and_then(|tree| tree.elements())
        .map_or(0, <[_]>::len);
    for part in 0..parts {
        any |= look_at(step(&["part", &part.to_string(), "from"]), &kinds);
    }
    if !any && parts == 0 {
        Problem::error("spec::missing-key", format!("`{name}` has no `from`"))
            .label_at(layers.place_of(&table), "`from` is missing here")
            .help(format!(
                "name the stage to read: `from = \"...\"`; there {}",
                there_is(&names.to_read(name, &kinds))
            ))
            .tell(problems);
    }
    let mut reads = Vec::new();
    for (text, place, kinds) in written {
        let found = resolve_among(&text, name, &kinds, names, place.as_ref(), problems);
        if found.is_none() {
            edges.astray.insert(name.clone());
        }
        if let Some(found) = found {
            if let Some(place) = place {
                edges
                    .places
                    .entry((name.clone(), found.clone()))
                    .or_insert(place);
            }
            if !reads.contains(&found) {
                reads.push(found);
            }
        }
    }
    edges
        .reads
        .entry(name.clone())
        .or_default()
        .insert(variant.own.clone(), reads);
}

/// The stages in an order in which they can run, or the cycles that prevent it.
pub(super) fn order(
    context: &Context<'_>,
    names: &[StageName],
    edges: &Edges,
    problems: &mut Problems,
) -> Option<Vec<StageName>> {
    let mut graph: DiGraphMap<usize, ()> = DiGraphMap::new();
    let position: BTreeMap<&StageName, usize> = names
        .iter()
        .enumerate()
        .map(|(i, name)| (name, i))
        .collect();
    for (index, name) in names.iter().enumerate() {
        graph.add_node(index);
        for from in edges.all(name) {
            graph.add_edge(position[from], index, ());
        }
    }
    if let Ok(order) = toposort(&graph, None) {
        return Some(
            order
                .into_iter()
                .map(|index| names[index].clone())
                .collect(),
        );
    }
    for component in tarjan_scc(&graph) {
        if let Some(path) = cycle(&graph, &component) {
            let path: Vec<&StageName> = path.into_iter().map(|index| &names[index]).collect();
            problems.push(cycle_problem(context, &path, edges));
        }
    }
    None
}

/// A shortest way from the first node of a component back to itself.
fn cycle(graph: &DiGraphMap<usize, ()>, component: &[usize]) -> Option<Vec<usize>> {
    let start = *component.iter().min()?;
    let mut came_from: BTreeMap<usize, usize> = BTreeMap::new();
    let mut open = std::collections::VecDeque::from([start]);
    while let Some(node) = open.pop_front() {
        for next in graph
            .neighbors(node)
            .filter(|next| component.contains(next))
        {
            if next == start {
                let mut path = vec![node];
                while let Some(&before) = came_from.get(path.last()?) {
                    path.push(before);
                }
                path.reverse();
                return Some(path);
            }
            if next != start && !came_from.contains_key(&next) {
                came_from.insert(next, node);
                open.push_back(next);
            }
        }
    }
    None
}

fn cycle_problem(context: &Context<'_>, path: &[&StageName], edges: &Edges) -> Problem {
    let shown: Vec<String> = path
        .iter()
        .chain(path.first())
        .map(ToString::to_string)
        .collect();
    let mut problem = Problem::error(
        "spec::cycle",
        format!("stages form a cycle: {}", shown.join(" → ")),
    );
    for (index, &read) in path.iter().enumerate() {
        let reader = path[(index + 1) % path.len()];
        let place = edges.places.get(&(reader.clone(), read.clone())).cloned();
        let place =
            place.or_else(|| context.place(&[reader.kind.name().to_owned(), reader.name.clone()]));
        problem = problem.label_at(place, format!("`{reader}` reads `{read}` here"));
    }
    problem.help(if path.len() == 1 {
        "a stage cannot read its own result".to_owned()
    } else {
        "let one of them read another stage".to_owned()
    })
}

/// Stages that nothing reads, tables, figures and files aside.
pub(super) fn unread<'n>(names: &'n [StageName], edges: &Edges) -> Vec<&'n StageName> {
    let read: BTreeSet<&StageName> = edges
        .reads
        .values()
        .flat_map(BTreeMap::values)
        .flatten()
        .collect();
    names
        .iter()
        .filter(|name| matches!(name.kind.about().gives, Gives::Rows(_)) && !read.contains(name))
        .collect()
}
