//! How `derive` stages are written, and what that means.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::raw::{RawDerive, RawNumber};
use crate::base::wording::list_of;
use crate::stage::check::RowShape;
use crate::stage::check::{Checking, Written};
use crate::stage::check::{columns, condition};
use crate::stage::{Derive, Number};
use crate::toml::{Problem, Problems};

impl Written for Derive {
    type Raw = RawDerive;

    fn check(raw: &RawDerive, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking { context, at, .. } = *checking;
        let path = |keys: &[&str]| {
            let keys = keys.iter().map(|&key| key.to_owned());
            at.iter().cloned().chain(keys).collect::<Vec<String>>()
        };
        let before = problems.errors();
        let rename: BTreeMap<String, String> = raw
            .rename
            .iter()
            .flatten()
            .map(|(new, old)| (new.clone(), old.clone()))
            .collect();
        let drop = raw.drop.clone().unwrap_or_default().0;
        let computed = raw
            .compute
            .iter()
            .flatten()
            .map(|(name, _)| ("compute", name));
        let numbered = raw
            .number
            .iter()
            .flatten()
            .map(|(name, _)| ("number", name));
        let renamed = rename.keys().map(|name| ("rename", name));
        for (key, name) in renamed.chain(computed).chain(numbered) {
            columns::made(checking, &path(&[key, name]), name, problems);
        }
        for (key, name) in rename
            .values()
            .map(|name| ("rename", name))
            .chain(drop.iter().map(|name| ("drop", name)))
            .filter(|(_, name)| checking.axes.contains(name))
        {
            context
                .problem(
                    "spec::bad-name",
                    format!("`{name}` is an axis, and tells the rows of its values apart"),
                    &context.element(&path(&[key]), name),
                    "has to stay",
                )
                .help("leave the column as it is; a copy may have another name: `compute.copy = \"...\"`")
                .tell(problems);
        }
        let mut seen: BTreeMap<&String, &String> = BTreeMap::new();
        for (new, old) in &rename {
            if let Some(other) = seen.insert(old, new) {
                Problem::error(
                    "spec::bad-name",
                    format!("`{old}` is renamed twice, to `{other}` and to `{new}`"),
                )
                .label_at(
                    context.layers.place_of_key(&path(&["rename", new])),
                    "the second",
                )
                .help(format!(
                    "remove one of the two, or write `compute.{new} = \"{other}\"`"
                ))
                .tell(problems);
            }
        }
        let compute: Vec<_> = raw
            .compute
            .iter()
            .flatten()
            .filter_map(|(name, text)| {
                let at = path(&["compute", name]);
                let value = condition::value(context, &at, text, false, problems)?;
                Some((name.clone(), value))
            })
            .collect();
        let number: IndexMap<String, Number> = raw
            .number
            .iter()
            .flatten()
            .filter_map(|(name, raw)| {
                let number = number(raw, checking, &path(&["number", name]), problems)?;
                Some((name.clone(), number))
            })
            .collect();
        if rename.is_empty() && drop.is_empty() && raw.compute.is_none() && raw.number.is_none() {
            context
                .problem(
                    "spec::missing-key",
                    format!("`{}` changes no column", at.join(".")),
                    at,
                    "nothing to do",
                )
                .help("write `compute.NAME = \"expression\"`, `rename`, `drop` or `number`")
                .tell(problems);
        }
        (problems.errors() == before).then(|| Derive {
            from: checking.from(),
            rename,
            drop,
            compute,
            number: number.into_iter().collect(),
        })
    }

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        let mut shape = checking.as_read();
        let names = self.names();
        for group in shape.groups.iter_mut().chain(&mut shape.statistics) {
            *group = names.called(group);
        }
        let stays = |name: &String| !self.drop.contains(name);
        shape.groups.retain(stays);
        shape.statistics.retain(stays);
        // What is made of statistics is shown as they are.
        if !shape.statistics.is_empty() {
            let made = self.compute.iter().map(|(name, _)| name);
            let made = made.chain(self.number.iter().map(|(name, _)| name));
            shape.statistics.extend(made.cloned());
        }
        shape
    }
}

/// How rows are numbered; nothing, where that contradicts itself.
fn number(
    raw: &RawNumber,
    checking: &Checking<'_>,
    at: &[String],
    problems: &mut Problems,
) -> Option<Number> {
    let draw = raw.draw.unwrap_or(false);
    let idle: Vec<&str> = [
        ("by", draw && raw.by.is_some()),
        (
            "largest",
            (draw || raw.by.is_none()) && raw.largest.is_some(),
        ),
    ]
    .into_iter()
    .filter(|(_, idle)| *idle)
    .map(|(key, _)| key)
    .collect();
    if let Some(first) = idle.first() {
        let key = [at, &[(*first).to_owned()]].concat();
        let (what, help) = if draw {
            ("in an order that is drawn", "remove it, or remove `draw`")
        } else {
            (
                "in the order of rows",
                "name the column with `by`, or remove it",
            )
        };
        checking
            .context
            .problem(
                "spec::bad-value",
                format!(
                    "rows are numbered {what}, so {} changes nothing",
                    list_of(&idle)
                ),
                &key,
                "has no effect",
            )
            .help(help)
            .tell(problems);
        return None;
    }
    Some(Number {
        within: raw.within.clone().unwrap_or_default().0,
        by: raw.by.clone(),
        largest: raw.largest.unwrap_or(false),
        draw,
    })
}
