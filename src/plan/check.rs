//! What every stage of a plan reads against what the stages before it give, before any of them runs.

use std::collections::BTreeSet;

use super::{Node, Plan};
use crate::base::wording::list_of;
use crate::spec::{Layers, Place, Problem, Problems};
use crate::stage::{Columns, Heads, Lack, StageName};

impl Plan {
    /// Everything that stages read and that nothing gives, as far as it is known from what files look like.
    ///
    /// What a mistaken stage gives is not known, so that nothing below it is blamed.
    pub fn check(&self, layers: &Layers, heads: &Heads) -> Problems {
        let mut problems = Problems::new();
        let mut told: BTreeSet<(&StageName, String)> = BTreeSet::new();
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
            for mut lack in lacks {
                if told.insert((&node.name, lack.message.clone())) {
                    // What the base experiment does as well is said of it alone.
                    if !node.variants.contains("") {
                        let names: Vec<&String> = node.variants.iter().collect();
                        lack.message = format!("{} (ablation {})", lack.message, list_of(&names));
                    }
                    problems.push(problem(layers, &node.name, lack));
                }
            }
        }
        problems
    }
}

/// Axis values become columns.
fn label(columns: &mut Columns, node: &Node) {
    for (axis, value) in &node.labels {
        columns.fix(axis, BTreeSet::from([value.to_string()]));
    }
}

/// A lack as a problem of the spec, where the stage says so.
pub fn problem(layers: &Layers, stage: &StageName, lack: Lack) -> Problem {
    let (steps, element) = &lack.at;
    let place = place(layers, stage, steps, element.as_deref());
    Problem::error(lack.code, format!("`{stage}`: {}", lack.message))
        .label_at(place, lack.label)
        .help(lack.help)
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
