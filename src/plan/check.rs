//! What every stage of a plan reads against what the stages before it give, before any of them runs.

use std::collections::BTreeSet;

use super::places::{self, Group};
use super::{Node, Plan, reuse};
use crate::base::wording::list_of;
use crate::spec::{Layers, Place, Problem, Problems, Severity};
use crate::stage::{Columns, Heads, Mistake, Stage, StageName};

impl Plan {
    /// Everything that stages read and that nothing gives, as far as it is known from what files look like.
    pub fn check(&self, layers: &Layers, heads: &Heads) -> Problems {
        let mut told = Told::new(layers);
        self.columns(heads, |node, lack| told.error(node, lack));
        told.problems
    }

    /// What follows from the spec alone, without a look at any file: rows that come to one place, conditions that keep
    /// nothing, replies that are used twice.
    pub fn check_rows(&self, layers: &Layers) -> Problems {
        let given = self.columns(&Heads::default(), |_, _| ());
        let mut told = Told::new(layers);
        let mut groups: Vec<Vec<Group>> = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let inputs = || {
                let inputs = node.inputs.iter();
                let input =
                    |id: &super::NodeId| (self.node(*id), &given[id.0], groups[id.0].as_slice());
                inputs.map(input).collect::<Vec<_>>()
            };
            let (of_node, found) = match &*node.stage {
                Stage::Stats(stats) => {
                    let (of_node, found) = places::of_stats(stats, node, &given[index], &inputs());
                    (of_node, found.into_iter().collect())
                }
                Stage::Table(table) => (Vec::new(), places::of_table(table, &inputs())),
                Stage::Figure(figure) => (Vec::new(), places::of_figure(figure, &inputs())),
                _ => (Vec::new(), Vec::new()),
            };
            groups.push(of_node);
            for (lack, stops) in found {
                // What an ablation has fewer values of may well keep nothing.
                if !node.variants.contains("") && lack.code == places::KEEPS_NOTHING {
                    continue;
                }
                if stops {
                    told.error(node, lack);
                } else {
                    told.warning(node, lack);
                }
            }
        }
        for (name, lack) in reuse::ablations(self) {
            let index = (0..).map_while(|index: usize| {
                let at = ["ablation".to_owned(), index.to_string()];
                layers.tree().get(&at)?.get(&["name"])
            });
            let place = index
                .filter(|written| written.as_str() == Some(name))
                .last();
            told.problems.push(
                Problem::warning(lack.code, lack.message)
                    .label_at(place.and_then(|tree| tree.place().cloned()), lack.label)
                    .help(lack.help),
            );
        }
        for (node, lack) in reuse::replies(self, &given)
            .into_iter()
            .chain(reuse::sections(self))
        {
            told.warning(node, lack);
        }
        told.problems
    }

    /// The columns of every node's result; what is lacking goes to `tell`.
    ///
    /// What a mistaken stage gives is not known, so that nothing below it is blamed.
    pub(super) fn columns<'p>(
        &'p self,
        heads: &Heads,
        mut tell: impl FnMut(&'p Node, Mistake),
    ) -> Vec<Columns> {
        let mut given: Vec<Columns> = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let (mut columns, lacks) = {
                let inputs: Vec<(&StageName, &Columns)> = node
                    .inputs
                    .iter()
                    .map(|input| (&self.node(*input).name, &given[input.0]))
                    .collect();
                node.stage.columns(&inputs, heads)
            };
            if !lacks.is_empty() {
                columns = Columns::unknown();
            }
            label(&mut columns, node);
            columns.begin(index);
            given.push(columns);
            for lack in lacks {
                tell(node, lack);
            }
        }
        given
    }
}

/// What was found, each mistake of a stage once.
struct Told<'p> {
    layers: &'p Layers,
    known: BTreeSet<(&'p StageName, String)>,
    problems: Problems,
}

impl<'p> Told<'p> {
    fn new(layers: &'p Layers) -> Self {
        Self {
            layers,
            known: BTreeSet::new(),
            problems: Problems::new(),
        }
    }

    fn error(&mut self, node: &'p Node, mut lack: Mistake) {
        if self.known.insert((&node.name, lack.message.clone())) {
            // What the base experiment does as well is said of it alone.
            if !node.variants.contains("") {
                let names: Vec<&String> = node.variants.iter().collect();
                lack.message = format!("{} (ablation {})", lack.message, list_of(&names));
            }
            self.problems.push(problem(self.layers, &node.name, lack));
        }
    }

    fn warning(&mut self, node: &'p Node, lack: Mistake) {
        if self.known.insert((&node.name, lack.message.clone())) {
            let mut problem = problem(self.layers, &node.name, lack);
            problem.severity = Severity::Warning;
            self.problems.push(problem);
        }
    }
}

/// Axis values become columns.
fn label(columns: &mut Columns, node: &Node) {
    for (axis, value) in &node.labels {
        columns.fix(axis, [value.clone()]);
    }
}

/// A lack as a problem of the spec, where the stage says so.
pub fn problem(layers: &Layers, stage: &StageName, lack: Mistake) -> Problem {
    let (steps, element) = &lack.at;
    let place = place(layers, stage, steps, element.as_deref());
    let problem = Problem::error(lack.code, format!("`{stage}`: {}", lack.message));
    let problem = match lack.place {
        Some(within) => problem
            .label_at(Some(within), lack.label)
            .label_at(place, "used here"),
        None => problem.label_at(place, lack.label),
    };
    problem.help(lack.help)
}

/// Where a setting is written: the element of a list, the key of a table, the value, or the next that there is of what
/// it lies in.
fn place(
    layers: &Layers,
    stage: &StageName,
    steps: &[String],
    element: Option<&str>,
) -> Option<Place> {
    let table = vec![stage.kind.name().to_owned(), stage.name.clone()];
    let mut paths = Vec::new();
    match steps {
        // Those of models stand beside stages.
        [first, ..] if first == "models" => paths.push(steps.to_vec()),
        // What a part does not say is said for all of them.
        [first, _, last] if first == "part" => {
            paths.push([table.as_slice(), steps].concat());
            paths.push([table.as_slice(), std::slice::from_ref(last)].concat());
        }
        _ => paths.push([table.as_slice(), steps].concat()),
    }
    for path in &paths {
        let Some(tree) = layers.tree().get(path) else {
            continue;
        };
        if let Some(element) = element {
            let named = |text: &str| text == element || text.ends_with(&format!(".{element}"));
            let elements = tree.elements().unwrap_or_default();
            if let Some(found) = elements.iter().find(|one| one.as_str().is_some_and(named)) {
                return found.place().cloned();
            }
            let key = [path.as_slice(), &[element.to_owned()]].concat();
            if layers.tree().get(&key).is_some() {
                return layers.place_of_key(&key);
            }
        }
        return tree.place().cloned();
    }
    layers.place_of(paths.first()?)
}
