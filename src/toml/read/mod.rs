//! Reading a part of the spec as a serde type, with all mistakes in it at once.
//!
//! serde stops at the first mistake. So a copy is repaired and read again: the value at fault is taken out, until the
//! copy can be read. Gaps made this way are not reported as mistakes of their own. Knows serde's errors, not what the
//! types mean.

use serde::de::DeserializeOwned;

use super::de::FaultKind;
use super::explain::{Step, explain, steps};
use super::layers::{LayerKind, Layers};
use super::problem::Problems;
use super::suggest::nearest;
use super::tree::Tree;

/// Reads the value at the path of the merged spec; where there is none, an empty table.
///
/// Reports every mistake in it. Gives the value without its bad parts, so that the rest can be checked; none if a part
/// that must be there is missing or bad.
pub(crate) fn read<T: DeserializeOwned>(
    layers: &Layers,
    path: &[String],
    problems: &mut Problems,
) -> Option<T> {
    let base = steps(layers.tree(), path);
    let kind = |tree: &Tree| tree.origin.as_ref().map(|origin| layers.kind_of(origin));
    let part = layers.tree().get(path).cloned().unwrap_or_else(|| {
        let origin = layers.tree().nearest(path).origin.clone();
        Tree {
            origin,
            ..Tree::table()
        }
    });
    repair(part, &base, &kind, problems)
}

fn repair<T: DeserializeOwned>(
    mut copy: Tree,
    base: &[Step],
    kind: &dyn Fn(&Tree) -> Option<LayerKind>,
    problems: &mut Problems,
) -> Option<T> {
    let mut whole = true;
    // Every round takes at least one value out.
    for _ in 0..=size(&copy) {
        let fault = match T::deserialize(&copy) {
            Ok(value) => return whole.then_some(value),
            Err(fault) => fault,
        };
        let at = copy.nearest(&fault.path);
        let follows = match &fault.kind {
            FaultKind::MissingKey { key } => at.gaps.contains(key),
            FaultKind::UnknownKey { .. } | FaultKind::UnknownVariant { .. } => false,
            _ => !at.gaps.is_empty() && !fault.at_key,
        };
        let mut path = base.to_vec();
        path.extend(steps(&copy, &fault.path));
        if !follows {
            problems.push(explain(&fault, at, &path, kind(at)));
        }
        // A value that lacks something it must have goes as a whole, and so does everything that needs it.
        whole &= !(follows || matches!(fault.kind, FaultKind::MissingKey { .. }));
        let (key, parent) = fault.path.split_last()?;
        copy.remove(&fault.path)?;
        let parent = parent
            .iter()
            .try_fold(&mut copy, |tree, key| tree.child_mut(key))?;
        match (&fault.kind, path.last()) {
            // A slip of the pen leaves the right key unset, which is not a second mistake.
            (FaultKind::UnknownKey { known }, _) => {
                parent.gaps.extend(nearest(key, known).map(str::to_owned));
            }
            (_, Some(Step::Index(original))) => parent.gaps.push(original.to_string()),
            _ => parent.gaps.push(key.clone()),
        }
    }
    None
}

/// How many values there are in the tree.
fn size(tree: &Tree) -> usize {
    let elements = tree.elements().unwrap_or_default().iter();
    1 + elements.map(size).sum::<usize>()
        + tree.children().map(|(_, child)| size(child)).sum::<usize>()
}

#[cfg(test)]
mod tests;
