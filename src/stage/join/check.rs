//! How `join` stages are written, and what that means.

use std::collections::BTreeSet;

use super::raw::RawJoin;
use super::{How, Join};
use crate::base::wording::list_of;
use crate::stage::check::names::{resolve, there_is, usual};
use crate::stage::check::{Checking, Context, RowShape, Written};
use crate::stage::{RowsOf, StageName};
use crate::toml::{Layers, Problems};

impl Written for Join {
    type Raw = RawJoin;

    fn check(raw: &RawJoin, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking { context, at, .. } = *checking;
        let before = problems.errors();
        let how = raw.how.unwrap_or_default();
        idle(context, at, raw, how, problems);
        if raw.on.is_none() && how != How::Cross && !context.is_written(at, "on") {
            context
                .missing(at, "on")
                .help("name the columns that must be equal: `on = [\"doc_id\"]`; or write `how = \"cross\"`")
                .tell(problems);
        }
        let with = with(raw, checking, problems);
        let on = raw.on.clone().unwrap_or_default().0;
        let axes = with
            .as_ref()
            .map_or_else(Vec::new, |with| axes_of(with, checking));
        let shared: Vec<String> = axes_of(&checking.from(), checking);
        keys(context, at, &on, raw, problems);
        for (here, there) in &on {
            if here == there && axes.contains(here) && shared.contains(here) {
                let path = [at, &["on".to_owned()]].concat();
                context
                    .problem(
                        "spec::bad-value",
                        format!("`{here}` is an axis of both sides, on which they are joined by themselves"),
                        &context.element(&path, here),
                        "named in vain",
                    )
                    .help("leave it out: only rows of one value of each axis come together")
                    .tell(problems);
            }
        }
        let columns = raw.columns.clone().map(|columns| columns.0);
        columns_once(
            context,
            at,
            columns.as_deref().unwrap_or_default(),
            problems,
        );
        let with = with?;
        (problems.errors() == before).then(|| Join {
            from: checking.from(),
            with,
            on,
            how,
            columns,
            many: raw.many.unwrap_or(false) || how == How::Cross,
            alone: axes
                .iter()
                .filter(|axis| !shared.contains(axis))
                .cloned()
                .collect(),
            axes,
        })
    }

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        let mut shape = checking.as_read();
        let right = checking.known.shapes.get(&self.with);
        if let Some(right) = right.filter(|_| self.many) {
            let groups: Vec<&str> = right.groups.iter().map(String::as_str).collect();
            for one in self.brought(&groups) {
                if groups.contains(&one.old.as_str()) && !shape.groups.contains(&one.new) {
                    shape.groups.push(one.new);
                }
            }
        }
        shape
    }

    fn reads_also(_: &Layers, _: &[String]) -> Vec<(&'static str, &'static [RowsOf])> {
        vec![("with", RowsOf::ALL)]
    }
}

/// The stage on the right.
fn with(raw: &RawJoin, checking: &Checking<'_>, problems: &mut Problems) -> Option<StageName> {
    let Checking {
        context, at, known, ..
    } = *checking;
    let Some(written) = &raw.with else {
        if !context.is_written(at, "with") {
            let there = known
                .names
                .to_read(checking.name, &usual(checking.name.kind));
            context
                .missing(at, "with")
                .help(format!(
                    "name the stage on the right: `with = \"...\"`; there {}",
                    there_is(&there)
                ))
                .tell(problems);
        }
        return None;
    };
    // Whether there is such a stage was reported before.
    resolve(
        written,
        checking.name,
        known.names,
        None,
        &mut Problems::new(),
    )
}

/// The axes that reach a stage.
fn axes_of(stage: &StageName, checking: &Checking<'_>) -> Vec<String> {
    let declared = checking.known.declared.get(stage);
    let reach = declared.into_iter().flat_map(|declared| &declared.reach);
    reach
        .map(|&axis| checking.known.axes[axis].name.clone())
        .collect()
}

/// Refuses what changes nothing in a join of this type.
fn idle(context: &Context<'_>, at: &[String], raw: &RawJoin, how: How, problems: &mut Problems) {
    let given = [
        ("on", raw.on.is_some() && how == How::Cross),
        ("columns", raw.columns.is_some() && how == How::Anti),
        (
            "many",
            raw.many.is_some() && [How::Anti, How::Cross].contains(&how),
        ),
    ];
    for (key, _) in given.into_iter().filter(|(_, given)| *given) {
        let (why, help) = match key {
            "on" => ("compares nothing", "remove it, or write another `how`"),
            "columns" => (
                "takes no columns from the right",
                "remove it, or write `how = \"left\"`",
            ),
            _ if how == How::Anti => (
                "asks only whether there is a match",
                "remove it, or write another `how`",
            ),
            _ => (
                "takes all matches there can be",
                "remove it, or write another `how`",
            ),
        };
        context
            .problem(
                "spec::bad-value",
                format!("a join with `how = \"{}\"` {why}", how.name()),
                &[at, &[key.to_owned()]].concat(),
                "has no effect",
            )
            .help(help)
            .tell(problems);
    }
}

/// Keys are some, and no pair of columns is named twice.
fn keys(
    context: &Context<'_>,
    at: &[String],
    on: &[(String, String)],
    raw: &RawJoin,
    problems: &mut Problems,
) {
    let path = [at, &["on".to_owned()]].concat();
    if raw.on.is_some() && on.is_empty() {
        context
            .problem(
                "spec::bad-value",
                "`on` names no columns".to_owned(),
                &path,
                "every row would match every other",
            )
            .help("name the columns that must be equal, or write `how = \"cross\"`")
            .tell(problems);
    }
    let mut seen = BTreeSet::new();
    if let Some((twice, _)) = on.iter().find(|pair| !seen.insert(*pair)) {
        context
            .problem(
                "spec::bad-value",
                format!("the column `{twice}` is named twice"),
                &context.element(&path, twice),
                "each column once",
            )
            .help("remove one of the two")
            .tell(problems);
    }
}

/// No two columns from the right have one name.
fn columns_once(
    context: &Context<'_>,
    at: &[String],
    columns: &[(String, String)],
    problems: &mut Problems,
) {
    let mut seen = BTreeSet::new();
    let twice: Vec<&str> = columns
        .iter()
        .filter(|(new, _)| !seen.insert(new))
        .map(|(new, _)| new.as_str())
        .collect();
    if twice.is_empty() {
        return;
    }
    context
        .problem(
            "spec::bad-value",
            format!("`columns` names {} twice", list_of(&twice)),
            &[at, &["columns".to_owned()]].concat(),
            "each column once",
        )
        .help("remove one of the two, or give it another name: `{ new = \"old\" }`")
        .tell(problems);
}
