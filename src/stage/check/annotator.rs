//! Programs that find sentences, words and entities in texts instead of the built-in annotator.

use super::Context;
use super::raw::RawAnnotator;
use crate::base::wording::{list_of, nearest};
use crate::stage::{Annotator, Program};
use crate::toml::read;
use crate::toml::{Problem, Problems};

/// The annotator that needs no program.
const BUILT_IN: &str = "built-in";

/// Checks every annotator of the spec, used or not.
pub(crate) fn check_all<'n>(
    context: &Context<'_>,
    names: impl Iterator<Item = &'n String>,
    problems: &mut Problems,
) {
    for name in names {
        if name == BUILT_IN {
            let at = ["annotators".to_owned(), name.clone()];
            Problem::error(
                "spec::bad-name",
                format!("an annotator cannot be called `{BUILT_IN}`"),
            )
            .label_at(context.layers.place_of_key(&at), "taken")
            .help("that is the one without a program; give this one another name")
            .tell(problems);
        }
        annotator(context, name, problems);
    }
}

/// The annotator that the value at `path` names; the built-in one where nothing is named.
pub(crate) fn named(
    context: &Context<'_>,
    path: &[String],
    name: Option<&str>,
    problems: &mut Problems,
) -> Option<Annotator> {
    let Some(name) = name.filter(|name| *name != BUILT_IN) else {
        return Some(Annotator::built_in());
    };
    let tree = context.layers.tree();
    if tree.get(&["annotators", name]).is_some() {
        // Its own mistakes were told when all annotators were checked.
        return annotator(context, name, &mut Problems::new());
    }
    let known: Vec<String> = tree
        .entries(&["annotators"])
        .into_iter()
        .map(|(name, _)| name)
        .chain([BUILT_IN.to_owned()])
        .collect();
    context
        .problem(
            "spec::unknown-annotator",
            format!("there is no annotator `{name}`"),
            path,
            "not an annotator",
        )
        .help(match nearest(name, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.len() == 1 => {
                format!("describe it: `[annotators.{name}]` with `command` and `version`")
            }
            None => format!("the annotators are {}", list_of(&known)),
        })
        .tell(problems);
    None
}

fn annotator(context: &Context<'_>, name: &str, problems: &mut Problems) -> Option<Annotator> {
    let at = ["annotators".to_owned(), name.to_owned()];
    let raw: RawAnnotator = read(context.layers, &at, problems)?;
    let mut missing = |key: &str, example: &str| {
        if context.is_written(&at, key) {
            return;
        }
        Problem::error(
            "spec::missing-key",
            format!("annotator `{name}` has no `{key}`"),
        )
        .label_at(context.place(&at), format!("`{key}` is missing here"))
        .help(format!("add `{key} = {example}`"))
        .tell(problems);
    };
    let command = raw.command.filter(|command| !command.is_empty());
    if command.is_none() {
        missing("command", "[\"python3\", \"tools/annotate_spacy.py\"]");
    }
    let version = raw.version.filter(|version| !version.trim().is_empty());
    if version.is_none() {
        missing("version", "\"spacy 3.8.11 en_core_web_sm 3.8.0\"");
    }
    Some(Annotator::Program(Program {
        command: command?.0,
        version: version?,
    }))
}
