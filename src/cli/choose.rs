//! What a person means by names of stages, rows and documents; and what is said where there is no such thing.

use crate::base::exit::{Error, Exit};
use crate::base::wording::{list_of, near_or, nearest, some_of};
use crate::plan::Plan;
use crate::stage::{Kind, StageName};

/// The stages of a plan of these kinds, each once.
pub(super) fn stages(plan: &Plan, fits: impl Fn(Kind) -> bool) -> Vec<&StageName> {
    let mut names: Vec<&StageName> = Vec::new();
    for node in plan.nodes.iter().filter(|node| fits(node.name.kind)) {
        if !names.contains(&&node.name) {
            names.push(&node.name);
        }
    }
    names
}

/// Those of some stages that a name means, with its kind or without.
///
/// # Errors
/// When there is none: `missing` says so, and `known` stands before the names that there are.
pub(super) fn named<'p>(
    stages: &[&'p StageName],
    name: &str,
    missing: String,
    known: &str,
) -> Result<Vec<&'p StageName>, Error> {
    let means = |stage: &&&StageName| stage.name == name || stage.to_string() == name;
    let found: Vec<&StageName> = stages.iter().filter(means).copied().collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let whole: Vec<String> = stages.iter().map(ToString::to_string).collect();
    let plain: Vec<&str> = stages.iter().map(|stage| stage.name.as_str()).collect();
    let hint = match nearest(name, &whole) {
        Some(near) => format!("did you mean `{near}`?"),
        None => near_or(name, &plain, || format!("{known} {}", list_of(&whole))),
    };
    Err(Error::new(Exit::Usage, missing).hint(hint))
}

/// The `--where` arguments.
pub(super) fn wheres(written: &[String]) -> Result<Vec<(&str, &str)>, Error> {
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
            Error::new(Exit::Usage, format!("no `{name}` is `{wanted}`")).hint(near_or(
                wanted,
                &values,
                || format!("the values of `{name}` are {}", list_of(&values)),
            )),
        );
    }
    Ok(())
}

pub(super) fn no_document(wanted: &str, stage: &StageName, mut ids: Vec<String>) -> Error {
    ids.sort();
    ids.dedup();
    let hint = near_or(wanted, &ids, || {
        format!("the documents are {}", some_of(&ids))
    });
    Error::new(Exit::Usage, format!("`{stage}` has no document `{wanted}`")).hint(hint)
}
