//! The context of the check: layers, templates and folders.

use std::collections::BTreeMap;

use super::written::parameters;
use crate::base::wording::nearest;
use crate::models::template::Templates;
use crate::stage::Kind;
use crate::toml::{Folders, Layers, Place, Problem, SourceId, Tree};

/// The project's templates and where their texts stand among the sources.
#[derive(Clone, Debug)]
pub struct TemplateFiles {
    /// The templates.
    pub templates: Templates,
    /// Template name → its text among the sources.
    pub sources: BTreeMap<String, SourceId>,
    /// Templates that cannot be read, and why.
    pub unreadable: BTreeMap<String, String>,
}

/// What every part of the check needs.
pub(crate) struct Context<'c> {
    /// The layers of the design being checked.
    pub(crate) layers: &'c Layers,
    pub(crate) templates: &'c TemplateFiles,
    pub(crate) folders: &'c Folders,
    /// Axes with mistakes of their own: what they would vary is not known, and nothing is blamed for it.
    pub(crate) astray: &'c [String],
}

impl Context<'_> {
    /// Whether this is an axis with a mistake of its own.
    pub(crate) fn is_astray(&self, axis: &str) -> bool {
        self.astray.iter().any(|name| name == axis)
    }

    /// Where the value at a path was given.
    pub(crate) fn place(&self, path: &[String]) -> Option<Place> {
        self.layers.place_of(path)
    }

    /// Whether a key of a table is written. A value of the wrong type and a slip in the key are reported
    /// where they are read, and must not be reported as missing too.
    pub(crate) fn is_written(&self, at: &[String], key: &str) -> bool {
        let path = [at, &[key.to_owned()]].concat();
        self.layers.tree().get(&path).is_some() || self.is_misspelt(at, key)
    }

    /// Whether a table of a stage has an unknown key that is most probably meant for this one.
    fn is_misspelt(&self, at: &[String], key: &str) -> bool {
        let [kind, _] = at else { return false };
        let Ok(kind) = kind.parse::<Kind>() else {
            return false;
        };
        let known = parameters(kind);
        let mut written = self.layers.tree().entries(at).into_iter();
        written
            .any(|(name, _)| !known.contains(&name.as_str()) && nearest(&name, known) == Some(key))
    }

    /// The path of the element of a list that holds this text, or of the value itself where it is no
    /// such list.
    pub(crate) fn element(&self, at: &[String], text: &str) -> Vec<String> {
        let elements = self.layers.tree().get(at).and_then(Tree::elements);
        let found = elements.and_then(|all| all.iter().position(|one| one.as_str() == Some(text)));
        found.map_or_else(|| at.to_vec(), |index| [at, &[index.to_string()]].concat())
    }

    /// A table of a stage that lacks a key.
    pub(crate) fn missing(&self, at: &[String], key: &str) -> Problem {
        let message = format!("`{}` has no `{key}`", at.join("."));
        self.problem(
            "spec::missing-key",
            message,
            at,
            &format!("`{key}` is missing here"),
        )
    }

    /// A problem at the value of a path.
    pub(crate) fn problem(
        &self,
        code: &'static str,
        message: String,
        path: &[String],
        label: &str,
    ) -> Problem {
        Problem::error(code, message).label_at(self.place(path), label)
    }
}
