//! `explode`: a row for every element of a list, or for every node of a tree.

mod check;
mod contract;
pub(super) mod elements;
mod nodes;
mod raw;
mod rows;
mod run;
#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::stage::StageName;

/// The columns of nodes of a tree, beside the one of their texts.
pub(super) const TREE_COLUMNS: [&str; 4] = ["level", "node", "parent", "ancestors"];

/// Makes a row of every element of a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explode {
    /// The stage to read.
    #[serde(skip)]
    pub from: StageName,
    /// The column with the lists, which goes.
    pub column: String,
    /// The column with whole elements, or of a tree with the texts of its nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub into: Option<String>,
    /// Fields of elements that become columns: the column and the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<(String, String)>>,
    /// The column that counts the elements of a list from 1, if it is to be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// What becomes of empty lists.
    pub empty: WhenEmpty,
    /// The tree that the column holds instead of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<Tree>,
}

/// What becomes of an empty list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhenEmpty {
    /// It has no row; such lists are counted.
    #[default]
    Drop,
    /// It has one row, without an element.
    Keep,
}

/// How a tree is written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tree {
    /// The levels from the root, each with the key under which its nodes lie in what is above them.
    pub levels: Vec<(String, String)>,
    /// The key of a node's text.
    pub text: String,
}

impl Explode {
    /// The column with whole elements, or with the texts of nodes, and the steps of the setting that says so.
    fn whole(&self) -> Option<(&'static [&'static str], &str)> {
        match (&self.into, &self.tree) {
            (Some(into), _) => Some((&["into"], into)),
            (None, Some(tree)) => Some((&["tree", "text"], &tree.text)),
            (None, None) if self.fields.is_none() => Some((&["column"], &self.column)),
            (None, None) => None,
        }
    }

    /// The columns that it adds, each with the steps of the setting that says so.
    fn added(&self) -> Vec<(&'static [&'static str], &str)> {
        let fields = self.fields.iter().flatten();
        let fields = fields.map(|(new, _)| (&["fields"] as &[_], new.as_str()));
        let tree = self.tree.iter().flat_map(|_| TREE_COLUMNS);
        let tree = tree.map(|name| (&["tree"] as &[_], name));
        let index = self
            .index
            .iter()
            .map(|name| (&["index"] as &[_], name.as_str()));
        let whole = self.whole().into_iter();
        whole.chain(fields).chain(tree).chain(index).collect()
    }

    /// The names of the columns that it adds, which tell the elements of a list apart.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.added().into_iter().map(|(_, name)| name)
    }

    /// The column that numbers the elements of a list, if there is one.
    pub fn number(&self) -> Option<&str> {
        let of_tree = || self.tree.as_ref().map(|_| "node");
        self.index.as_deref().or_else(of_tree)
    }
}
