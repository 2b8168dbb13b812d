//! Tables that are like others: `like = "strict"` in `[judge.mild]` stands for all that `[judge.strict]` says, under
//! what the table says itself.
//!
//! A table is filled after all layers are merged, so that whatever is laid on top of the one holds for the other too.
//! What a table means is none of this module's business: it knows sections and the names in them.

use super::problem::{Problem, Problems};
use super::suggest::{list_of, nearest};
use super::tree::Tree;

/// The key that names the other table.
pub(crate) const LIKE: &str = "like";

/// The same tree with every table filled that is like another one; what cannot be filled stays as it is written.
pub(super) fn filled(written: &Tree, problems: &mut Problems) -> Tree {
    let mut tree = written.clone();
    for (section, tables) in written.children() {
        let like = |table: &Tree| table.get(&[LIKE]).is_some() && table.is_table();
        for (name, _) in tables.children().filter(|(_, table)| like(table)) {
            let mut filling = Filling {
                section,
                tables,
                open: Vec::new(),
                problems,
            };
            if let Some(table) = filling.table(name) {
                tree.set(&[section, name], table);
            }
        }
    }
    tree
}

/// A section whose tables are filled.
struct Filling<'t, 'p> {
    section: &'t str,
    tables: &'t Tree,
    /// The tables that are being filled, each like the next.
    open: Vec<&'t str>,
    problems: &'p mut Problems,
}

impl<'t> Filling<'t, '_> {
    /// A table with all that those say that it is like; none after a mistake.
    fn table(&mut self, name: &'t str) -> Option<Tree> {
        let own = self.tables.get(&[name])?;
        let Some(like) = own.get(&[LIKE]) else {
            return Some(own.clone());
        };
        self.open.push(name);
        let other = self.other(like)?;
        if let Some(start) = self.open.iter().position(|open| *open == other) {
            self.circle(start, like);
            return None;
        }
        let mut filled = self.table(other)?;
        let mut own = own.clone();
        own.remove(&[LIKE]);
        filled.origin.clone_from(&own.origin);
        filled.overlay(own);
        Some(filled)
    }

    /// The name of the table that one is like.
    fn other(&mut self, like: &Tree) -> Option<&'t str> {
        let section = self.section;
        let named = self.open.last().copied().unwrap_or_default();
        let Some(text) = like.as_str() else {
            Problem::error(
                "spec::wrong-type",
                format!(
                    "`{section}.{named}.{LIKE}`: expected the name of one table, found {}",
                    like.describe()
                ),
            )
            .label_at(like.place().cloned(), "expected a name")
            .help(format!("name one `{section}`: `{LIKE} = \"...\"`"))
            .tell(self.problems);
            return None;
        };
        let plain = text
            .strip_prefix(section)
            .and_then(|rest| rest.strip_prefix('.'));
        let wanted = plain.unwrap_or(text);
        let mut tables = self.tables.children().filter(|(_, table)| table.is_table());
        if let Some((found, _)) = tables.find(|(name, _)| *name == wanted) {
            return Some(found);
        }
        let others = self
            .tables
            .children()
            .filter(|(name, table)| table.is_table() && *name != named);
        let others: Vec<&str> = others.map(|(name, _)| name).collect();
        let message = if wanted.contains('.') {
            format!("`{section}.{named}` is like `{wanted}`, which is no `{section}`")
        } else {
            format!("`{section}.{named}` is like `{wanted}`, and there is no `{section}.{wanted}`")
        };
        Problem::error("spec::unknown-name", message)
            .label_at(
                like.place().cloned(),
                format!("no `{section}` of this spec"),
            )
            .help(match nearest(wanted, &others) {
                Some(near) => format!("did you mean `{near}`?"),
                None if others.is_empty() => format!("there is no other `{section}`"),
                None => format!(
                    "a table is like one of its own kind; here are {}",
                    list_of(&others)
                ),
            })
            .tell(self.problems);
        None
    }

    /// Says that a table is like itself.
    fn circle(&mut self, start: usize, closing: &Tree) {
        let ring = &self.open[start..];
        // Each table of a circle comes upon it; it is told from the first of them in the spec.
        let first = self.tables.children().find(|(name, _)| ring.contains(name));
        if first.is_none_or(|(name, _)| name != ring[0]) {
            return;
        }
        let names: Vec<String> = ring
            .iter()
            .chain(&ring[..1])
            .map(|name| format!("{}.{name}", self.section))
            .collect();
        Problem::error(
            "spec::like-cycle",
            format!("`{}` is like itself: {}", names[0], names.join(" -> ")),
        )
        .label_at(closing.place().cloned(), "closes the circle")
        .help(format!(
            "remove one of these `{LIKE}`, and write out what differs"
        ))
        .tell(self.problems);
    }
}

#[cfg(test)]
mod tests {
    use crate::toml::fixture::{keys, spec};
    use crate::toml::{LayerKind, Layers};

    fn table(layers: &Layers, path: &str) -> String {
        layers
            .tree()
            .get(&keys(path))
            .unwrap()
            .to_json()
            .to_string()
    }

    #[test]
    fn a_table_says_what_the_one_it_is_like_says_and_its_own_on_top() {
        let layers = spec(
            "[judge.b]\nlike = \"a\"\nmodel = \"y\"\nscale.max = 3\n[judge.a]\nmodel = \"x\"\nprompt = \"p\"\n\
             scale = { min = 0, max = 4 }\n[judge.c]\nlike = \"judge.b\"\nprompt = \"q\"",
        )
        .layers();
        let b = r#"{"model":"y","prompt":"p","scale":{"min":0,"max":3}}"#;
        assert_eq!(table(&layers, "judge.b"), b);
        let c = r#"{"model":"y","prompt":"q","scale":{"min":0,"max":3}}"#;
        assert_eq!(table(&layers, "judge.c"), c);
    }

    #[test]
    fn what_is_laid_on_top_of_one_holds_for_those_like_it() {
        let layers = spec("extends = \"base.toml\"\n[models.a]\ntop = 1")
            .file(
                "base.toml",
                "[models.a]\ntop = 0\nend = 0\n[models.b]\nlike = \"a\"",
            )
            .set("models.a.end=5")
            .layers();
        assert_eq!(table(&layers, "models.b"), r#"{"top":1,"end":5}"#);
        assert_eq!(layers.layer_of(&keys("models.b.end")), LayerKind::Set);
        let place = layers.place_of(&keys("models.a")).unwrap();
        let changed = layers.with_overrides(&[(keys("models.a.end"), 7.into(), place)]);
        assert_eq!(table(&changed, "models.b"), r#"{"top":1,"end":7}"#);
    }
}
