//! The layers of a spec, and the one tree they make.
//!
//! Weakest first: built-in defaults, the extended files, the file, `--with` files, the local file, the environment, `--set`.
//! Every value of the merged tree remembers the layer and the line that gave it. Reading files is left to the caller's functions;
//! what a value means is none of this module's business.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments;
use super::extends::Files;
use super::like;
use super::merge::merge;
use super::problem::Problems;
use super::source::{Place, SourceId, Sources, SpanIndex};
use super::tree::{Origin, Tree};

/// What sort of layer gave a value, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LayerKind {
    /// Built in.
    Default,
    /// A file that the spec extends.
    Extended,
    /// The spec itself.
    File,
    /// A file laid on top of the spec with `--with`.
    With,
    /// `tribunal.local.toml`.
    Local,
    /// An environment variable.
    Env,
    /// A `--set` argument.
    Set,
}

/// What a spec is read from.
#[derive(Debug, Clone, Default)]
pub struct Input {
    /// The spec file.
    pub spec: PathBuf,
    /// Files on top of the spec, each stronger than the one before. They are stronger than what the spec says and weaker
    /// than the file of this machine, which knows where its servers are.
    pub withs: Vec<PathBuf>,
    /// The values that a bundle brought along from the machine that it was made on; weaker than the file
    /// of this machine.
    pub bundled: Option<PathBuf>,
    /// The file of this machine; it may be absent.
    pub local: Option<PathBuf>,
    /// The environment; only variables that begin with `TRIBUNAL_` are looked at, in the order of their names.
    pub env: Vec<(String, String)>,
    /// The `--set` arguments, `path.to.key=value`; of two that set the same key the later one holds.
    pub sets: Vec<String>,
    /// A TOML text of built-in defaults.
    pub defaults: Option<&'static str>,
}

/// One layer: where it is from and what it says.
#[derive(Debug)]
pub(super) struct Layer {
    pub kind: LayerKind,
    pub source: SourceId,
    /// Folder that relative paths in its values are relative to; empty for the current directory.
    pub base_dir: PathBuf,
    pub tree: Tree,
    pub index: SpanIndex,
}

/// A spec with everything it is made of.
#[derive(Debug, Clone)]
pub struct Layers {
    sources: Sources,
    stack: Vec<Arc<Layer>>,
    /// What the layers say, with tables that are like others as they are written; none, if there are no such tables.
    written: Option<Tree>,
    tree: Tree,
}

impl Layers {
    /// Reads a spec and everything below and above it.
    ///
    /// `read` reads a file, `list` names the files of a folder (for "did you mean" only). `extends` names a file or a
    /// list of files, relative to the file it stands in; they are read recursively, the first is the weakest, and all
    /// are weaker than the file that extends them. A file reached in several ways counts once, at its first and so
    /// weakest place: everything that builds on it overrides it, however it is reached again. `extends` is not part of
    /// the merged tree. A file given on top counts there, whether or not the spec extends it as well.
    ///
    /// Tables merge key by key, everything else, arrays too, is replaced. Fails with all problems of all layers.
    pub fn load(
        input: Input,
        read: &dyn Fn(&Path) -> io::Result<Vec<u8>>,
        list: &dyn Fn(&Path) -> Vec<String>,
    ) -> Result<Self, (Sources, Problems)> {
        let Input {
            spec,
            withs,
            bundled,
            local,
            env,
            sets,
            defaults,
        } = input;
        let mut files = Files::new(read, list);
        files.spec(&spec);
        for with in &withs {
            files.with(with);
        }
        for file in [bundled, local].iter().flatten() {
            files.local(file);
        }
        let Files {
            mut sources,
            mut problems,
            mut layers,
            ..
        } = files;
        if let Some(text) = defaults {
            layers.insert(0, arguments::defaults(text, &mut sources, &mut problems));
        }
        let variables = arguments::environment(&env, &layers, &mut sources, &mut problems);
        layers.extend(variables);
        layers.extend(
            sets.iter()
                .filter_map(|set| arguments::set(set, &mut sources, &mut problems)),
        );
        if problems.has_errors() {
            return Err((sources, problems));
        }
        let written = merge(&layers);
        let tree = like::filled(&written, &mut problems);
        if problems.has_errors() {
            return Err((sources, problems));
        }
        Ok(Self {
            sources,
            written: (written != tree).then_some(written),
            tree,
            stack: layers.into_iter().map(Arc::new).collect(),
        })
    }

    /// The merged spec, without `extends`, and with tables that are like others filled.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// What comes from outside the spec and what it extends: from layers on top, from the file of this machine, from the
    /// environment and from `--set`.
    pub fn from_outside(&self) -> Tree {
        self.of_kinds(|kind| kind >= LayerKind::With)
    }

    /// What comes from the spec and what it extends.
    pub fn from_files(&self) -> Tree {
        self.of_kinds(|kind| kind < LayerKind::With)
    }

    fn of_kinds(&self, wanted: impl Fn(LayerKind) -> bool) -> Tree {
        let layers = self.stack.iter().filter(|layer| wanted(layer.kind));
        Tree::stacked(layers.map(|layer| &layer.tree))
    }

    /// The files that were laid on top of the spec, weakest first.
    pub fn withs(&self) -> impl Iterator<Item = &str> {
        let withs = self
            .stack
            .iter()
            .filter(|layer| layer.kind == LayerKind::With);
        withs.map(|layer| self.sources.name(layer.source))
    }

    /// All texts read so far.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The texts, to add templates and other files to.
    pub fn sources_mut(&mut self) -> &mut Sources {
        &mut self.sources
    }

    /// Where the value at the path was given; for a table its header, in the spec file if it stands there. Of a path
    /// that is not known, the place of its longest known beginning.
    pub fn place_of(&self, path: &[String]) -> Option<Place> {
        self.tree.nearest(path).place().cloned()
    }

    /// Where the key at the path was given; as [`place_of`](Self::place_of) otherwise.
    pub fn place_of_key(&self, path: &[String]) -> Option<Place> {
        self.tree.nearest(path).key_place().cloned()
    }

    /// What sort of layer gave the value at the path, or its longest known beginning.
    pub fn layer_of(&self, path: &[String]) -> LayerKind {
        self.origin(path)
            .map_or(LayerKind::Default, |(layer, _)| layer.kind)
    }

    /// Whether a file gives a value at the path, whatever stands over it.
    pub fn is_in_file(&self, path: &[String]) -> bool {
        let file = |layer: &Layer| !matches!(layer.kind, LayerKind::Env | LayerKind::Set);
        let mut stack = self.stack.iter();
        stack.any(|layer| file(layer) && layer.index.get(path).is_some())
    }

    /// Whether the value at the path is from a weaker layer than that at another one: it was written before the other was
    /// laid on top of it.
    pub fn is_below(&self, path: &[String], other: &[String]) -> bool {
        let layer = |path| self.origin(path).map(|(_, origin)| origin.layer);
        layer(path) < layer(other)
    }

    /// The folder that a relative path in this value is relative to: that of the file that gave it; empty, that is the
    /// current directory, for the environment and `--set`.
    pub fn base_dir(&self, path: &[String]) -> PathBuf {
        self.origin(path)
            .map_or_else(PathBuf::new, |(layer, _)| layer.base_dir.clone())
    }

    /// The same without ablations: what one of them is does not depend on the others, of which there may be many.
    #[must_use]
    pub fn without_ablations(&self) -> Self {
        let mut bare = self.clone();
        bare.tree.remove(&["ablation"]);
        if let Some(written) = &mut bare.written {
            written.remove(&["ablation"]);
        }
        bare
    }

    /// The same layers with a further one on top: path, value, and the place to blame for it. Tables merge. A value
    /// counts as given by the layer in whose text the place is, so that relative paths in it mean what they mean there.
    #[must_use]
    pub fn with_overrides(&self, overrides: &[(Vec<String>, Tree, Place)]) -> Self {
        let mut changed = self.clone();
        for (path, value, place) in overrides {
            let layer = self
                .stack
                .iter()
                .position(|layer| layer.source == place.source);
            let origin = Origin {
                layer: layer.unwrap_or(usize::MAX),
                key: place.clone(),
                value: place.clone(),
            };
            let value = value.blamed(&origin);
            changed.lay(path, value);
        }
        if let Some(written) = &changed.written {
            // What is wrong with a table that only now is like another is told where it is read: its key is unknown.
            changed.tree = like::filled(written, &mut Problems::new());
        }
        changed
    }

    /// Puts a value at a path of what is written; tables merge.
    fn lay(&mut self, path: &[String], value: Tree) {
        let tree = self.written.as_mut().unwrap_or(&mut self.tree);
        match tree.get(path) {
            Some(old) if old.is_table() && value.is_table() => {
                let mut merged = old.clone();
                merged.overlay(value);
                tree.set(path, merged);
            }
            _ => {
                tree.set(path, value);
            }
        }
    }

    /// Whether tables of the spec are like others: a mistake in one is then found in several.
    pub(crate) fn has_alike(&self) -> bool {
        self.written.is_some()
    }

    /// What sort of layer a value is from.
    pub(super) fn kind_of(&self, origin: &Origin) -> LayerKind {
        self.stack
            .get(origin.layer)
            .map_or(LayerKind::Default, |layer| layer.kind)
    }

    fn origin(&self, path: &[String]) -> Option<(&Layer, &Origin)> {
        let origin = self.tree.nearest(path).origin.as_ref()?;
        self.stack.get(origin.layer).map(|layer| (&**layer, origin))
    }
}

#[cfg(test)]
mod tests;
