//! Which stage reads which, in what order they can run, and cycles with their path.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::{tarjan_scc, toposort};
use petgraph::graphmap::DiGraphMap;

use super::stages::{Names, Variant};
use super::{Context, manipulate};
use crate::base::wording::{list_of, nearest};
use crate::spec::{Place, Problem, Problems};
use crate::stage::{Kind, StageName};

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

/// Which kinds of stage a kind may read.
fn readable(kind: Kind) -> &'static [Kind] {
    match kind {
        Kind::Source => &[],
        Kind::Clean
        | Kind::Split
        | Kind::Truncate
        | Kind::Manipulate
        | Kind::Measure
        | Kind::Generate
        | Kind::Judge => &Kind::OF_DOCUMENTS,
        Kind::Memo => &[Kind::Judge],
        Kind::Select => &[
            Kind::Source,
            Kind::Clean,
            Kind::Select,
            Kind::Split,
            Kind::Truncate,
            Kind::Manipulate,
            Kind::Measure,
            Kind::Generate,
            Kind::Judge,
            Kind::Memo,
        ],
        Kind::Stats => &[Kind::Judge, Kind::Measure, Kind::Select, Kind::Stats],
        Kind::Table => &[Kind::Stats],
        Kind::Figure | Kind::Export => &[
            Kind::Source,
            Kind::Clean,
            Kind::Select,
            Kind::Split,
            Kind::Truncate,
            Kind::Manipulate,
            Kind::Measure,
            Kind::Generate,
            Kind::Judge,
            Kind::Memo,
            Kind::Stats,
        ],
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
    if name.kind == Kind::Source {
        // It reads files; a `from` in it is reported as an unknown key.
        let reads = edges.reads.entry(name.clone()).or_default();
        reads.insert(variant.own.clone(), Vec::new());
        return;
    }
    let layers = &variant.layers;
    let table = vec![name.kind.name().to_owned(), name.name.clone()];
    let mut written: Vec<(String, Option<Place>, &[Kind])> = Vec::new();
    let mut look_at = |path: Vec<String>, kinds: &'static [Kind]| {
        let Some(tree) = layers.tree().get(&path) else {
            return false;
        };
        match (tree.as_str(), tree.elements()) {
            (Some(text), _) => written.push((text.to_owned(), tree.place().cloned(), kinds)),
            (None, Some(elements)) => written.extend(elements.iter().filter_map(|element| {
                Some((
                    element.as_str()?.to_owned(),
                    element.place().cloned(),
                    kinds,
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
    let kinds = readable(name.kind);
    let mut any = look_at(step(&["from"]), kinds);
    if name.kind == Kind::Manipulate {
        for other in manipulate::reads_also(layers, &table) {
            look_at(step(&[other]), kinds);
        }
    }
    if name.kind == Kind::Memo {
        look_at(step(&["documents"]), &Kind::OF_DOCUMENTS);
    }
    let parts = layers
        .tree()
        .get(&step(&["part"]))
        .and_then(|tree| tree.elements())
        .map_or(0, <[_]>::len);
    for part in 0..parts {
        any |= look_at(step(&["part", &part.to_string(), "from"]), kinds);
    }
    if !any && parts == 0 {
        problems.push(
            Problem::error("spec::missing-key", format!("`{name}` has no `from`"))
                .label_at(layers.place_of(&table), "`from` is missing here")
                .help(format!(
                    "name the stage to read: `from = \"...\"`; there {}",
                    there_is(&names.to_read(name, kinds))
                )),
        );
    }
    let mut reads = Vec::new();
    for (text, place, kinds) in written {
        let found = resolve_among(&text, name, kinds, names, place.as_ref(), problems);
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

fn there_is(names: &[&str]) -> String {
    match names {
        [] => "is none yet that it could read".to_owned(),
        [one] => format!("is `{one}`"),
        many => format!("are {}", list_of(many)),
    }
}

/// The stage a written name means to this reader.
pub(super) fn resolve(
    text: &str,
    reader: &StageName,
    names: &Names,
    place: Option<&Place>,
    problems: &mut Problems,
) -> Option<StageName> {
    resolve_among(text, reader, readable(reader.kind), names, place, problems)
}

/// Behind so many problems no near names are looked for.
const PROPOSALS: usize = 200;

/// The stage of one of these kinds that a written name means.
fn resolve_among(
    text: &str,
    reader: &StageName,
    kinds: &[Kind],
    names: &Names,
    place: Option<&Place>,
    problems: &mut Problems,
) -> Option<StageName> {
    let found = names.find(text);
    let fitting: Vec<&&StageName> = found
        .iter()
        .filter(|name| kinds.contains(&name.kind))
        .collect();
    let (code, message, label, help) = match (fitting.as_slice(), found.as_slice()) {
        ([one], _) => return Some((**one).clone()),
        ([], []) => {
            // Nobody reads hundreds of proposals, and each is looked for among all names.
            let many = problems.len() >= PROPOSALS;
            let known = if many {
                Vec::new()
            } else {
                names.to_read(reader, kinds)
            };
            let near = nearest(text, &known);
            let help = match near {
                _ if many => "name one that is there".to_owned(),
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there {}", there_is(&known)),
            };
            (
                "spec::unknown-stage",
                format!("there is no stage `{text}`"),
                "not a stage",
                help,
            )
        }
        ([], [other, ..]) => {
            let kinds: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
            (
                "spec::wrong-input",
                format!(
                    "{} {} stage cannot read `{other}`",
                    if reader.kind == Kind::Export {
                        "an"
                    } else {
                        "a"
                    },
                    reader.kind
                ),
                "of a kind that cannot be read here",
                match kinds.as_slice() {
                    [one] => format!("it reads stages of the kind `{one}`"),
                    several => format!("it reads stages of the kinds {}", list_of(several)),
                },
            )
        }
        ([one, ..], _) => (
            "spec::ambiguous-stage",
            format!("`{text}` may mean several stages"),
            "not one stage",
            format!("write the kind too, as in `{one}`"),
        ),
    };
    problems.push(
        Problem::error(code, message)
            .label_at(place.cloned(), label)
            .help(help),
    );
    None
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
        .filter(|name| {
            !matches!(name.kind, Kind::Table | Kind::Figure | Kind::Export) && !read.contains(name)
        })
        .collect()
}
