//! Where in a spec that stands which a failure of a run is about.

use crate::cli::events::Placed;
use crate::engine::Loaded;
use crate::spec::Style;
use crate::toml::{Layers, Place, Tree, marked};

/// Draws the place of a node that failed: the value that the message names in backticks, in the table of the stage or of
/// its model; else the head of the stage.
pub(super) fn placed(loaded: &[Loaded], style: Style) -> Placed {
    let layers: Vec<Layers> = loaded.iter().map(|loaded| loaded.layers.clone()).collect();
    Box::new(move |node, message| {
        let title = node.split('[').next()?;
        let (kind, name) = title.split_once('.')?;
        let path = [kind.to_owned(), name.to_owned()];
        let layers = layers
            .iter()
            .find(|layers| layers.tree().get(&path).is_some())?;
        let place = place(layers, &path, message)?;
        Some(marked(place, layers.sources(), style))
    })
}

fn place(layers: &Layers, path: &[String; 2], message: &str) -> Option<Place> {
    let stage = layers.tree().get(path)?;
    let model = stage.get(&["model"]).and_then(Tree::as_str);
    let model = model.and_then(|model| layers.tree().get(&["models", model]));
    let said: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let named = [model, Some(stage)].into_iter().flatten();
    let mut named = named.filter_map(|table| value(table, &said));
    named.next().or_else(|| layers.place_of_key(path))
}

/// The first text of a table that is one of those said, or with which a path ends that is.
fn value(tree: &Tree, said: &[&str]) -> Option<Place> {
    if let Some(text) = tree.as_str() {
        // `{outputs}/replies.parquet` is below a folder that another table names.
        let text = text.rsplit_once("}/").map_or(text, |(_, below)| below);
        let text = text.trim_start_matches("./");
        let means = |said: &&str| {
            let before = said.strip_suffix(text);
            before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let found = !text.is_empty() && said.iter().any(means);
        return tree.place().filter(|_| found).cloned();
    }
    let children = tree.children().filter(|(key, _)| *key != "from");
    let mut values = children
        .map(|(_, child)| child)
        .chain(tree.elements().into_iter().flatten());
    values.find_map(|child| value(child, said))
}
