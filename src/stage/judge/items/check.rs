//! `items` as it is written: with a parser that reads it, and without what counts one verdict for each reply.

use std::collections::BTreeSet;

use super::ListJudged;
use crate::models::local::LocalProvider;
use crate::models::parse::Parser;
use crate::models::spec::ModelSpec;
use crate::stage::RESERVED;
use crate::stage::check::{Checking, columns};
use crate::stage::judge::raw::RawJudge;
use crate::toml::Problems;

/// What is judged element by element, if anything is.
pub(in crate::stage::judge) fn check(
    raw: &RawJudge,
    model: &ModelSpec,
    checking: &Checking<'_>,
    problems: &mut Problems,
) -> Option<ListJudged> {
    let Checking { context, at, .. } = *checking;
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    if raw.parse != Some(Parser::Items) {
        for (key, written) in [
            ("items", raw.items.is_some()),
            ("id", raw.id.is_some()),
            ("fields", raw.fields.is_some()),
        ] {
            if written {
                context
                    .problem(
                        "spec::no-effect",
                        format!(
                            "`{key}` is of judges that have a verdict on each element of a list"
                        ),
                        &path(key),
                        "has no effect",
                    )
                    .help(format!("add `parse = \"items\"`, or leave `{key}` out"))
                    .tell(problems);
            }
        }
        return None;
    }
    let Some(column) = &raw.items else {
        if !context.is_written(at, "items") {
            context
                .missing(at, "items")
                .help("write which column holds the lists: `items = \"claims\"`")
                .tell(problems);
        }
        return None;
    };
    for (key, written, why) in [
        ("compare", raw.compare.is_some(), "a pair has one verdict"),
        (
            "score",
            raw.score.is_some(),
            "the expectation is taken at the place of one verdict",
        ),
        (
            "until",
            raw.until.is_some(),
            "`until` counts one verdict for each reply",
        ),
    ] {
        if written {
            context
                .problem(
                    "spec::bad-setting",
                    format!("{why}, and `parse = \"items\"` reads one for each element"),
                    &path(key),
                    "not with `items`",
                )
                .help(format!(
                    "leave `{key}` out, or make rows of the elements with `explode` and judge each by itself"
                ))
                .tell(problems);
        }
    }
    if model
        .provider
        .local()
        .and_then(LocalProvider::scores)
        .is_some()
    {
        context
            .problem(
                "spec::bad-setting",
                format!(
                    "model `{}` gives a text one score for each metric",
                    model.name
                ),
                &path("model"),
                "reads no lists",
            )
            .help("take a model that is asked with a prompt")
            .tell(problems);
    }
    fields(raw, checking, problems);
    Some(ListJudged {
        column: column.clone(),
        id: raw.id.clone(),
        fields: raw.fields.clone().map_or(Vec::new(), |fields| fields.0),
    })
}

/// Sees that fields have names of their own.
fn fields(raw: &RawJudge, checking: &Checking<'_>, problems: &mut Problems) {
    let Checking { context, at, .. } = *checking;
    let path = [at, &["fields".to_owned()]].concat();
    let Some(fields) = &raw.fields else { return };
    if fields.0.is_empty() {
        context
            .problem(
                "spec::bad-value",
                "`fields` names no field".to_owned(),
                &path,
                "nothing to make columns of",
            )
            .help("name keys of the reply's objects, or leave `fields` out")
            .tell(problems);
    }
    let mut seen = BTreeSet::new();
    for (new, _) in &fields.0 {
        let named = [path.as_slice(), std::slice::from_ref(new)].concat();
        let place = if context.layers.tree().get(&named).is_some() {
            named
        } else {
            context.element(&path, new)
        };
        columns::made(checking, &place, new, problems);
        let own = RESERVED.contains(&new.as_str())
            || [super::ITEM, super::ITEM_ID].contains(&new.as_str());
        let (message, label) = if own {
            (
                format!("judges add a column `{new}` themselves"),
                "a judge's own",
            )
        } else if seen.insert(new) {
            continue;
        } else {
            (
                format!("two new columns would be called `{new}`"),
                "each name once",
            )
        };
        context
            .problem("spec::bad-name", message, &place, label)
            .help(format!(
                "give it another name: `fields = {{ new = \"{new}\" }}`"
            ))
            .tell(problems);
    }
}
