//! `explode` stages.

use std::collections::BTreeMap;

use super::raw::{RawExplode, RawTree};
use super::{Explode, Tree};
use crate::stage::check::RowShape;
use crate::stage::check::{Checking, Context, Written, columns};
use crate::toml::Problems;

impl Written for Explode {
    type Raw = RawExplode;

    fn check(raw: &RawExplode, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking { context, at, .. } = *checking;
        let before = problems.errors();
        if raw.column.is_none() && !context.is_written(at, "column") {
            context
                .missing(at, "column")
                .help("write which column holds the lists: `column = \"issues\"`")
                .tell(problems);
        }
        let tree = raw
            .tree
            .as_ref()
            .map(|raw| tree(context, at, raw, problems));
        if raw
            .fields
            .as_ref()
            .is_some_and(|fields| fields.0.is_empty())
        {
            let path = [at, &["fields".to_owned()]].concat();
            context
                .problem(
                    "spec::bad-value",
                    "`fields` names no field".to_owned(),
                    &path,
                    "nothing to make columns of",
                )
                .help("name fields, or leave `fields` out to keep whole elements")
                .tell(problems);
        }
        let explode = Explode {
            from: checking.from(),
            column: raw.column.clone().unwrap_or_default(),
            into: raw.into.clone(),
            fields: raw.fields.clone().map(|fields| fields.0),
            index: raw.index.clone(),
            empty: raw.empty.unwrap_or_default(),
            tree: tree.unwrap_or_default(),
        };
        names(checking, raw, &explode, problems);
        (problems.errors() == before && raw.column.is_some()).then_some(explode)
    }

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        checking.by_axes()
    }
}

/// How trees are written.
fn tree(
    context: &Context<'_>,
    at: &[String],
    raw: &RawTree,
    problems: &mut Problems,
) -> Option<Tree> {
    let path = [at, &["tree".to_owned()]].concat();
    let mut bad = |steps: &[&str], message: String, label: &str, help: &str| {
        let steps: Vec<String> = steps.iter().map(|&step| step.to_owned()).collect();
        context
            .problem(
                "spec::bad-value",
                message,
                &[path.as_slice(), &steps].concat(),
                label,
            )
            .help(help)
            .tell(problems);
    };
    let levels = raw.levels.clone().unwrap_or_default();
    // One that is written wrongly was reported.
    let unread = raw.levels.is_none() && context.is_written(&path, "levels");
    if levels.is_empty() && !unread {
        bad(
            &[],
            "`tree` needs `levels`".to_owned(),
            "no levels",
            "write each level with the key of its nodes: `levels = { root = \"roots\", leaf = \"leaves\" }`",
        );
    }
    let mut keys: BTreeMap<&str, &str> = BTreeMap::new();
    for (level, key) in &levels {
        if key.is_empty() {
            bad(
                &["levels", level],
                format!("the level `{level}` has no key"),
                "empty",
                "write the key under which its nodes lie",
            );
        } else if let Some(other) = keys.insert(key, level) {
            bad(
                &["levels", level],
                format!("the levels `{other}` and `{level}` have the same key `{key}`"),
                "another level's",
                "each level needs a key of its own",
            );
        } else if raw.text.as_ref() == Some(key) {
            bad(
                &["levels", level],
                format!("`{key}` is the key of the texts, and of the level `{level}`"),
                "the key of texts",
                "a key holds either the text of a node or the nodes below it",
            );
        }
    }
    if raw.text.as_ref().is_none_or(String::is_empty)
        && (raw.text.is_some() || !context.is_written(&path, "text"))
    {
        bad(
            &[],
            "`tree` needs `text`".to_owned(),
            "no key of texts",
            "write which key holds the text of a node: `text = \"fact\"`",
        );
    }
    Some(Tree {
        levels: levels.into_iter().collect(),
        text: raw.text.clone()?,
    })
}

/// Sees that no two new columns have one name, and that each may have its own.
fn names(checking: &Checking<'_>, raw: &RawExplode, explode: &Explode, problems: &mut Problems) {
    let Checking { context, at, .. } = *checking;
    let key = |steps: &[&str], name: &str| {
        let steps = steps.iter().map(|&step| step.to_owned());
        let at: Vec<String> = at.iter().cloned().chain(steps).collect();
        let field = [at.as_slice(), &[name.to_owned()]].concat();
        let is_table = context.layers.tree().get(&field).is_some();
        if is_table {
            field
        } else {
            context.element(&at, name)
        }
    };
    let written = [("into", &raw.into), ("index", &raw.index)].into_iter();
    let written = written.filter_map(|(step, name)| Some((step, name.as_ref()?)));
    let fields = raw.fields.iter().flat_map(|fields| &fields.0);
    for (step, name) in written.chain(fields.map(|(new, _)| ("fields", new))) {
        columns::made(checking, &key(&[step], name), name, problems);
    }
    let mut seen: BTreeMap<&str, String> = BTreeMap::new();
    for (steps, name) in explode.added() {
        let setting = steps.join(".");
        let Some(other) = seen.insert(name, setting.clone()) else {
            continue;
        };
        if name.trim().is_empty() {
            continue;
        }
        let label = if other == setting {
            "each name once".to_owned()
        } else {
            format!("`{other}` has it too")
        };
        context
            .problem(
                "spec::bad-name",
                format!("two new columns would be called `{name}`"),
                &key(steps, name),
                &label,
            )
            .help("give one of them another name")
            .tell(problems);
    }
}
