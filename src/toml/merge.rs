//! Merging layers with figment, and giving the result back its order and its places.
//!
//! figment knows which layer gave a value, but sorts keys and knows no lines; both come from the layers' indexes. Pure.

use std::ops::Range;
use std::sync::Arc;

use figment::value::{Dict, Map, Num, Value};
use figment::{Error, Figment, Metadata, Profile, Provider};

use super::layers::{Layer, LayerKind};
use super::source::Place;
use super::tree::{Node, Origin, Tree};

/// The layers as one tree, a later layer over an earlier one: tables merge, everything else is replaced. Keys come in
/// the order of the weakest layer that has them, and within it in the order of its text.
pub(super) fn merge(layers: &[Layer]) -> Tree {
    let mut figment = Figment::new();
    for (number, layer) in layers.iter().enumerate() {
        figment = figment.merge(Numbered { number, layer });
    }
    let merged = figment
        .find_value("")
        .unwrap_or_else(|_| Value::from(Dict::new()));
    Restore {
        layers,
        figment: &figment,
    }
    .tree(&merged, &mut Vec::new(), None)
}

/// A layer as figment wants it, named by its number.
struct Numbered<'a> {
    number: usize,
    layer: &'a Layer,
}

impl Provider for Numbered<'_> {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.number.to_string())
    }

    fn data(&self) -> Result<Map<Profile, Dict>, Error> {
        let entries = self
            .layer
            .tree
            .children()
            .map(|(key, child)| (key.to_owned(), value(child)));
        Ok(Profile::Default.collect(entries.collect()))
    }
}

fn value(tree: &Tree) -> Value {
    match &tree.node {
        Node::String(text) => Value::from(text.as_str()),
        Node::Integer(number) => Value::from(*number),
        Node::Float(number) => Value::from(*number),
        Node::Boolean(flag) => Value::from(*flag),
        Node::Array(elements) => Value::from(elements.iter().map(value).collect::<Vec<_>>()),
        Node::Table(table) => Value::from(
            table
                .iter()
                .map(|(key, child)| (key.clone(), value(child)))
                .collect::<Dict>(),
        ),
    }
}

struct Restore<'a> {
    layers: &'a [Layer],
    figment: &'a Figment,
}

impl Restore<'_> {
    /// `within` is the layer that gave the array this value is in, if it is in one.
    fn tree(&self, merged: &Value, path: &mut Vec<String>, within: Option<usize>) -> Tree {
        let layer = within.or_else(|| self.layer_of(merged, path));
        let node = match merged {
            Value::String(_, text) => Node::String(text.clone()),
            Value::Char(_, character) => Node::String(character.to_string()),
            Value::Bool(_, flag) => Node::Boolean(*flag),
            Value::Num(_, Num::I64(number)) => Node::Integer(*number),
            Value::Num(_, number) => Node::Float(number.to_f64().unwrap_or_default()),
            Value::Empty(..) => Node::Table(Arc::default()),
            Value::Array(_, elements) => Node::Array(
                elements
                    .iter()
                    .enumerate()
                    .map(|(at, element)| {
                        path.push(at.to_string());
                        let element = self.tree(element, path, layer);
                        path.pop();
                        element
                    })
                    .collect(),
            ),
            Value::Dict(_, dict) => {
                let mut entries: Vec<(usize, usize, &String, Tree)> = Vec::new();
                for (key, child) in dict {
                    path.push(key.clone());
                    let (number, start) = self.first_place(path, within);
                    entries.push((number, start, key, self.tree(child, path, within)));
                    path.pop();
                }
                entries.sort_by_key(|(number, start, ..)| (*number, *start));
                let entries = entries.into_iter();
                let entries = entries.map(|(_, _, key, child)| (key.clone(), child));
                Node::Table(Arc::new(entries.collect()))
            }
        };
        Tree {
            origin: layer.and_then(|layer| self.origin(layer, path)),
            ..Tree::of(node)
        }
    }

    /// The layer to blame for a value. Several may have given a table: then the spec itself, else the strongest file,
    /// before the environment and arguments, which rarely mean the table as such.
    fn layer_of(&self, merged: &Value, path: &[String]) -> Option<usize> {
        if !matches!(merged, Value::Dict(..)) {
            return self.figment.get_metadata(merged.tag())?.name.parse().ok();
        }
        let having = self
            .layers
            .iter()
            .enumerate()
            .filter(|(_, layer)| layer.index.get(path).is_some());
        let rank = |kind| match kind {
            LayerKind::File => 6,
            LayerKind::Extended => 5,
            LayerKind::With => 4,
            LayerKind::Local => 3,
            LayerKind::Default => 2,
            LayerKind::Set => 1,
            LayerKind::Env => 0,
        };
        having
            .max_by_key(|(number, layer)| (rank(layer.kind), *number))
            .map(|(number, _)| number)
    }

    fn first_place(&self, path: &[String], within: Option<usize>) -> (usize, usize) {
        let mut layers = self
            .layers
            .iter()
            .enumerate()
            .filter(|(number, _)| within.is_none_or(|only| only == *number));
        let first =
            layers.find_map(|(number, layer)| Some((number, layer.index.get(path)?.key.start)));
        first.unwrap_or((usize::MAX, usize::MAX))
    }

    fn origin(&self, number: usize, path: &[String]) -> Option<Origin> {
        let layer = self.layers.get(number)?;
        let spans = layer.index.nearest(path)?;
        let place = |span: &Range<usize>| Place::new(layer.source, span.clone());
        Some(Origin {
            layer: number,
            key: place(&spans.key),
            value: place(&spans.value),
        })
    }
}
