//! What is to be shown: the stage, the rows, the document; and what is said where there is no such thing.

use super::super::exit::{Error, Exit};
use super::{ABLATION, Found};
use crate::base::wording::{list_of, nearest, some_of};
use crate::plan::Plan;
use crate::stage::{Kind, StageName};

/// The stage that is meant: the one named, or the last that makes documents.
pub(super) fn stage(plan: &Plan, named: Option<&str>) -> Result<StageName, Error> {
    let names: Vec<&StageName> = {
        let mut names: Vec<&StageName> = Vec::new();
        for node in &plan.nodes {
            let kind = node.name.kind;
            if kind.gives_documents() && !kind.asks() && !names.contains(&&node.name) {
                names.push(&node.name);
            }
        }
        names
    };
    let Some(named) = named else {
        let damaged = names
            .iter()
            .rev()
            .find(|name| name.kind == Kind::Manipulate);
        return damaged
            .or(names.last())
            .map(|name| (**name).clone())
            .ok_or_else(|| Error::new(Exit::Usage, "the spec has no documents"));
    };
    let found = names
        .iter()
        .find(|name| name.name == named || name.to_string() == named);
    found.map(|name| (**name).clone()).ok_or_else(|| {
        let known: Vec<String> = names.iter().map(ToString::to_string).collect();
        let plain: Vec<&str> = names.iter().map(|name| name.name.as_str()).collect();
        let near = nearest(named, &known).or_else(|| nearest(named, &plain));
        Error::new(Exit::Usage, format!("no stage `{named}` makes documents")).hint(match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the stages are {}", list_of(&known)),
        })
    })
}

/// The `--where` arguments.
pub(in crate::cli) fn wheres(written: &[String]) -> Result<Vec<(&str, &str)>, Error> {
    let split = |written: &'_ String| {
        written.find('=').ok_or_else(|| {
            Error::new(Exit::Usage, format!("`--where {written}` names no value"))
                .hint("write `--where task=typos`")
        })
    };
    written
        .iter()
        .map(|written| split(written).map(|at| (&written[..at], &written[at + 1..])))
        .collect()
}

/// Refuses values that no axis of the stage takes.
pub(super) fn check_axes(
    plan: &Plan,
    stage: &StageName,
    wheres: &[(&str, &str)],
) -> Result<(), Error> {
    for (name, wanted) in wheres {
        let mut values: Vec<String> = Vec::new();
        for node in plan.nodes.iter().filter(|node| node.name == *stage) {
            let found = node.settings.iter().find(|(axis, _)| axis == name);
            if let Some(value) = found.map(|(_, value)| value.to_string())
                && !values.contains(&value)
            {
                values.push(value);
            }
        }
        if values.is_empty() || values.iter().any(|value| value == wanted) {
            continue;
        }
        return Err(
            Error::new(Exit::Usage, format!("no `{name}` is `{wanted}`")).hint(
                match nearest(wanted, &values) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the values of `{name}` are {}", list_of(&values)),
                },
            ),
        );
    }
    Ok(())
}

/// Refuses names that are columns of no row.
pub(super) fn check_columns(wheres: &[(&str, &str)], rows: &[Found]) -> Result<(), Error> {
    let mut known: Vec<String> = vec![ABLATION.to_owned()];
    for row in rows {
        for name in row.frame.names() {
            if !known.iter().any(|other| other == name) {
                known.push(name.to_owned());
            }
        }
    }
    for (name, _) in wheres {
        if !rows.is_empty() && !known.iter().any(|other| other == name) {
            return Err(
                Error::new(Exit::Usage, format!("there is no column or axis `{name}`")).hint(
                    match nearest(name, &known) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("the columns are {}", list_of(&known)),
                    },
                ),
            );
        }
    }
    Ok(())
}

pub(in crate::cli) fn no_document(wanted: &str, stage: &StageName, mut ids: Vec<String>) -> Error {
    ids.sort();
    ids.dedup();
    let hint = match nearest(wanted, &ids) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the documents are {}", some_of(&ids)),
    };
    Error::new(Exit::Usage, format!("`{stage}` has no document `{wanted}`")).hint(hint)
}
