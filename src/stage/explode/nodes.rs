//! The nodes of a tree, depth first.

use super::Tree;
use super::elements::{json, what};
use crate::base::json::Json;
use crate::base::wording::{did_you_mean, nearest};

/// A node, or something in the place of one that is none.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Its text, or why there is none.
    pub(super) text: Result<String, String>,
    /// Its level, or why that is not known.
    pub(super) level: Result<String, String>,
    /// The numbers that lead to it from the top.
    pub(super) path: Vec<usize>,
    /// As it is written.
    pub(super) json: Json,
}

impl Node {
    /// Its number, such as `1.2.3`.
    pub(super) fn number(&self) -> String {
        number(&self.path)
    }

    /// The number of the node above it.
    pub(super) fn parent(&self) -> Option<String> {
        let (_, above) = self.path.split_last()?;
        (!above.is_empty()).then(|| number(above))
    }

    /// The numbers of all nodes above it, from the top.
    pub(super) fn ancestors(&self) -> Vec<String> {
        (1..self.path.len())
            .map(|n| number(&self.path[..n]))
            .collect()
    }
}

fn number(path: &[usize]) -> String {
    let numbers = path.iter().map(ToString::to_string);
    numbers.collect::<Vec<_>>().join(".")
}

/// The nodes of a tree that a cell holds, or why it holds none. The keys in `fields` hold no nodes.
pub(super) fn nodes(text: &str, tree: &Tree, fields: &[&str]) -> Result<Vec<Node>, String> {
    let top = json(text)?;
    let Some((_, key)) = tree.levels.first() else {
        return Ok(Vec::new());
    };
    let Json::Object(object) = &top else {
        return Err(format!("{}, not an object with `{key}`", what(&top)));
    };
    match object.get(key) {
        None => return Err(format!("there is no `{key}`")),
        Some(Json::Null | Json::List(_)) => {}
        Some(other) => return Err(format!("`{key}` is {}, not a list", what(other))),
    }
    let mut walk = Walk {
        tree,
        fields,
        found: Vec::new(),
    };
    walk.below(&top, &[], 0);
    Ok(walk.found)
}

struct Walk<'t> {
    tree: &'t Tree,
    /// Keys of nodes that are columns.
    fields: &'t [&'t str],
    found: Vec<Node>,
}

impl Walk<'_> {
    /// What lies below a node: `depth` is the level of its children.
    fn below(&mut self, above: &Json, path: &[usize], depth: usize) {
        let Json::Object(object) = above else { return };
        let levels = &self.tree.levels;
        let mut next = 1;
        let here = |next: &mut usize| {
            let path = [path, &[*next]].concat();
            *next += 1;
            path
        };
        if let Some((level, key)) = levels.get(depth) {
            match object.get(key) {
                None | Some(Json::Null) => {}
                Some(Json::List(children)) => {
                    for child in children {
                        let path = here(&mut next);
                        self.found.push(Node {
                            text: self.text(child),
                            level: Ok(level.clone()),
                            path: path.clone(),
                            json: child.clone(),
                        });
                        self.below(child, &path, depth + 1);
                    }
                }
                Some(other) => {
                    let why = format!("`{key}` is {}, not a list", what(other));
                    self.found.push(Node {
                        text: Err(why),
                        level: Ok(level.clone()),
                        path: here(&mut next),
                        json: other.clone(),
                    });
                }
            }
        }
        // Nodes where none are declared are not left out in silence.
        let expected = levels.get(depth).map(|(_, key)| key);
        for (key, value) in object.iter().filter(|(key, _)| Some(*key) != expected) {
            let of_level = levels.iter().find(|(_, of)| of == key);
            let why = match of_level {
                Some((level, _)) if holds_any(value) => {
                    format!("`{key}` lies where no `{level}` is declared")
                }
                None if self.holds_nodes(key, value, path.is_empty()) => {
                    let near = did_you_mean(key, &self.keys());
                    format!("`{key}` is no level that is declared{near}")
                }
                _ => continue,
            };
            self.found.push(Node {
                text: Err(why.clone()),
                level: Err(why),
                path: here(&mut next),
                json: value.clone(),
            });
        }
    }

    /// The text of a node, or why it has none.
    fn text(&self, node: &Json) -> Result<String, String> {
        let key = &self.tree.text;
        let object = match node {
            Json::Text(text) => return Ok(text.clone()),
            Json::Object(object) => object,
            other => return Err(format!("the node is {}", what(other))),
        };
        match object.get(key) {
            Some(Json::Text(text)) => Ok(text.clone()),
            Some(other) => Err(format!(
                "`{key}` of the node is {}, not a text",
                what(other)
            )),
            None => Err(format!("the node has no `{key}`")),
        }
    }

    /// The keys under which nodes lie.
    fn keys(&self) -> Vec<&'_ str> {
        let keys = self.tree.levels.iter().map(|(_, key)| key.as_str());
        keys.collect()
    }

    /// Whether what lies under an undeclared key would be nodes: whatever a slip in the key of a level holds; nodes with
    /// a text or with nodes below them, however deep; in a node also plain texts in a list. A value by itself, a list of
    /// numbers, an object of plain values and a key in `fields` are other things that a node says.
    fn holds_nodes(&self, key: &str, value: &Json, at_top: bool) -> bool {
        if key == self.tree.text || self.fields.contains(&key) {
            return false;
        }
        let many = match value {
            Json::List(list) => list.iter().any(|one| !matches!(one, Json::Null)),
            Json::Object(object) => object.values().any(holds_any),
            _ => false,
        };
        let texts = !at_top && holds_texts(value);
        many && (texts || self.holds_objects(value) || nearest(key, &self.keys()).is_some())
    }

    /// Whether any object in it is a node.
    fn holds_objects(&self, value: &Json) -> bool {
        match value {
            Json::List(list) => list.iter().any(|one| self.holds_objects(one)),
            Json::Object(object) => {
                let is_key = |key: &&str| object.contains_key(*key);
                object.contains_key(&self.tree.text)
                    || self.keys().iter().any(is_key)
                    || object.values().any(|one| self.holds_objects(one))
            }
            _ => false,
        }
    }
}

/// Whether it is a list with texts, or with such lists.
fn holds_texts(value: &Json) -> bool {
    let Json::List(list) = value else {
        return false;
    };
    let is_text = |one: &Json| matches!(one, Json::Text(_)) || holds_texts(one);
    list.iter().any(is_text)
}

/// Whether anything lies under the key of a level.
fn holds_any(value: &Json) -> bool {
    !matches!(value, Json::Null) && !matches!(value, Json::List(list) if list.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Tree {
        let levels = [
            ("root", "roots"),
            ("branch", "branches"),
            ("leaf", "leaves"),
        ];
        let levels = levels.map(|(level, key)| (level.to_owned(), key.to_owned()));
        Tree {
            levels: levels.to_vec(),
            text: "fact".to_owned(),
        }
    }

    /// Number, level and text of every node.
    fn shown(text: &str) -> Vec<String> {
        let nodes = nodes(text, &tree(), &["notes"]).unwrap().into_iter();
        nodes
            .map(|node| {
                let part = |part: &Result<String, String>| match part {
                    Ok(text) => text.clone(),
                    Err(why) => format!("({why})"),
                };
                format!(
                    "{} {} {}",
                    node.number(),
                    part(&node.level),
                    part(&node.text)
                )
            })
            .collect()
    }

    #[test]
    fn nodes_come_depth_first_with_their_numbers() {
        let text = r#"{"title": "t", "roots": [
            {"fact": "R1", "branches": [{"fact": "B1", "leaves": ["L1", {"fact": "L2"}]}, {"fact": "B2"}]},
            "R2"]}"#;
        assert_eq!(
            shown(text),
            [
                "1 root R1",
                "1.1 branch B1",
                "1.1.1 leaf L1",
                "1.1.2 leaf L2",
                "1.2 branch B2",
                "2 root R2"
            ]
        );
        let found = nodes(text, &tree(), &["notes"]).unwrap();
        assert_eq!(found[2].parent().as_deref(), Some("1.1"));
        assert_eq!(found[2].ancestors(), ["1", "1.1"]);
        assert_eq!(
            (found[0].parent(), found[0].ancestors()),
            (None, Vec::new())
        );
    }

    #[test]
    fn what_is_no_tree_says_why() {
        let why = |text: &str| nodes(text, &tree(), &["notes"]).unwrap_err();
        assert_eq!(why("[]"), "a list, not an object with `roots`");
        assert_eq!(why("{\"root\": []}"), "there is no `roots`");
        assert_eq!(why("{\"roots\": {}}"), "`roots` is an object, not a list");
        assert_eq!(why("{"), "not JSON: it ends too early");
        assert!(nodes("{\"roots\": null}", &tree(), &[]).unwrap().is_empty());
    }

    #[test]
    fn nothing_in_a_tree_is_dropped_in_silence() {
        assert_eq!(
            shown(
                r#"{"roots": [{"fact": "R", "leaves": ["L"]}, 7, {"facts": "x", "branches": "B"}]}"#
            ),
            [
                "1 root R",
                "1.1 (`leaves` lies where no `leaf` is declared) (`leaves` lies where no `leaf` is declared)",
                "2 root (the node is a number)",
                "3 root (the node has no `fact`)",
                "3.1 branch (`branches` is a text, not a list)"
            ]
        );
        assert_eq!(
            shown(
                r#"{"roots": [{"fact": "R", "branches": [{"fact": "B", "twigs": [{"fact": "T"}], "lines": [1, 2]}]}]}"#
            ),
            [
                "1 root R",
                "1.1 branch B",
                "1.1.1 (`twigs` is no level that is declared) (`twigs` is no level that is declared)"
            ]
        );
        assert_eq!(
            shown(r#"{"roots": [{"fact": "R", "branches": [], "leaves": []}]}"#),
            ["1 root R"]
        );
    }

    #[test]
    fn children_under_a_key_that_is_no_level_have_a_row_and_fields_have_none() {
        let odd = |key: &str, value: &str| {
            let text = format!(r#"{{"roots": [{{"fact": "R", "{key}": {value}}}]}}"#);
            shown(&text).split_off(1)
        };
        for (key, value, near) in [
            ("Branches", r#"["x", "y"]"#, ", did you mean `branches`?"),
            (
                "branche",
                r#"{"1": {"fact": "x"}}"#,
                ", did you mean `branches`?",
            ),
            ("branche", r#"{"1": "x"}"#, ", did you mean `branches`?"),
            ("branchs", "[7]", ", did you mean `branches`?"),
            ("twigs", r#"["x"]"#, ""),
            ("twigs", r#"[["x"], 7]"#, ""),
            ("twigs", r#"{"1": {"fact": "x"}}"#, ""),
            ("twigs", r#"{"1": {"leaves": ["x"]}}"#, ""),
        ] {
            let why = format!("(`{key}` is no level that is declared{near})");
            assert_eq!(odd(key, value), [format!("1.1 {why} {why}")], "{value}");
        }
        for (key, value) in [
            ("reason", r#""because""#),
            ("twigs", "7"),
            ("twigs", "null"),
            ("twigs", "[]"),
            ("Branches", "[null]"),
            ("lines", "[1, 2]"),
            ("source", r#"{"page": 3, "title": "t"}"#),
            ("notes", r#"["x", {"fact": "y"}]"#),
        ] {
            assert_eq!(odd(key, value), [""; 0], "{key}: {value}");
        }
        assert_eq!(
            shown(r#"{"tags": ["t"], "about": {"by": ["a"]}, "Roots": ["x"], "roots": ["R"]}"#),
            [
                "1 root R",
                "2 (`Roots` is no level that is declared, did you mean `roots`?) (`Roots` is no level that is declared, did you mean `roots`?)"
            ]
        );
    }
}
