//! What serde found wrong with a value, in words for people who do not program.
//!
//! One fault in, one problem out. Which faults are worth telling is decided in [`read`](super::read()).

use super::de::{Fault, FaultKind};
use super::layers::LayerKind;
use super::problem::Problem;
use super::suggest::{count, list_of, nearest};
use super::tree::{Node, Tree};

/// One step of a path through a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// Into a table.
    Key(String),
    /// Into an array: the position, from 0, the element had in the file.
    Index(usize),
}

/// The path as steps, so that an array position is not taken for a key; positions count what was taken out.
pub(super) fn steps(tree: &Tree, path: &[String]) -> Vec<Step> {
    let mut here = Some(tree);
    let step = |key: &String| {
        let array = here.filter(|tree| tree.elements().is_some());
        here = here.and_then(|tree| tree.get(&[key]));
        match (array, key.parse::<usize>()) {
            (Some(array), Ok(at)) => {
                let mut gone: Vec<usize> = array
                    .gaps
                    .iter()
                    .filter_map(|gap| gap.parse().ok())
                    .collect();
                gone.sort_unstable();
                Step::Index(
                    gone.into_iter()
                        .fold(at, |at, gap| if gap <= at { at + 1 } else { at }),
                )
            }
            _ => Step::Key(key.clone()),
        }
    };
    path.iter().map(step).collect()
}

/// The problem that a fault at the value `at` is. `path` leads to the value, `layer` is where it is from.
pub(super) fn explain(
    fault: &Fault,
    at: &Tree,
    path: &[Step],
    layer: Option<LayerKind>,
) -> Problem {
    let subject = named(path);
    let (name, owner) = match path.split_last() {
        Some((Step::Key(name), owner)) => (name.as_str(), owner),
        _ => ("", path),
    };
    let value = at.place().cloned();
    let key = at.key_place().cloned();
    match &fault.kind {
        FaultKind::UnknownKey { known } => {
            let (inside, label) = if owner.is_empty() {
                (String::new(), "not a key of a spec")
            } else {
                (format!(" in {}", named(owner)), "not a key of this table")
            };
            Problem::error("spec::unknown-key", format!("unknown key `{name}`{inside}"))
                .label_at(key, label)
                .help(known_help(name, known, "key"))
        }
        FaultKind::UnknownVariant { known, .. } if fault.at_key => Problem::error(
            "spec::unknown-variant",
            format!("unknown key `{name}` in {}", named(owner)),
        )
        .label_at(key, "not one of the possible keys")
        .help(known_help(name, known, "key")),
        FaultKind::UnknownVariant { found, known } => Problem::error(
            "spec::unknown-variant",
            format!("unknown value {found:?} of {subject}"),
        )
        .label_at(value, "not one of the possible values")
        .help(known_help(found, known, "value")),
        FaultKind::WrongType { expected } => wrong_type(&subject, expected, at, path, layer),
        FaultKind::NoTable { known } => {
            let problem = wrong_type(&subject, "a map", at, path, layer);
            if problem.help.is_some() || known.is_empty() || name.is_empty() {
                problem
            } else {
                problem.help(format!(
                    "write `{name} = {{ … }}`; its keys are {}",
                    list_of(known)
                ))
            }
        }
        FaultKind::WrongLength { expected } => {
            let values = count(at.elements().map_or(0, <[Tree]>::len), "value");
            Problem::error(
                "spec::wrong-type",
                format!("{subject}: expected {}, found {values}", plain(expected)),
            )
            .label_at(value, format!("{values} here"))
        }
        FaultKind::MissingKey { key } => {
            Problem::error("spec::missing-key", format!("{subject} has no `{key}`"))
                .label_at(value, format!("`{key}` is missing here"))
                .help(if path.is_empty() {
                    format!("add a line `{key} = ...` above the first table")
                } else {
                    format!("add `{key} = ...` to this table")
                })
        }
        FaultKind::Refused { message } if fault.at_key => Problem::error(
            "spec::bad-value",
            format!("`{name}` cannot be used as a name"),
        )
        .label_at(key, message.clone()),
        FaultKind::Refused { message } => {
            let what = if at.is_table() {
                "is not valid"
            } else {
                "has a bad value"
            };
            Problem::error("spec::bad-value", format!("{subject} {what}"))
                .label_at(value, message.clone())
        }
    }
}

fn wrong_type(
    subject: &str,
    expected: &str,
    at: &Tree,
    path: &[Step],
    layer: Option<LayerKind>,
) -> Problem {
    // `tokenizer = "tiktoken"` where the form `{ tiktoken = ... }` is needed.
    let form = ["struct variant", "newtype variant", "tuple variant"];
    let wanted = match at.as_str() {
        Some(variant) if form.iter().any(|form| expected.starts_with(form)) => {
            format!("a table `{{ {variant} = ... }}`")
        }
        _ => plain(expected),
    };
    let problem = Problem::error(
        "spec::wrong-type",
        format!("{subject}: expected {wanted}, found {}", at.describe()),
    )
    .label_at(at.place().cloned(), format!("expected {wanted}"));
    match retype(&wanted, at, path, layer) {
        Some(help) => problem.help(help),
        None => problem,
    }
}

/// How to write what was probably meant, if it was only written in the wrong form.
fn retype(wanted: &str, at: &Tree, path: &[Step], layer: Option<LayerKind>) -> Option<String> {
    match &at.node {
        Node::Integer(_) | Node::Float(_) | Node::Boolean(_) if wanted == "a string" => {
            Some(match layer {
                Some(LayerKind::Env | LayerKind::Set) => {
                    format!(
                        "for text, write `'\"{}\"'`: the shell takes the outer quotes away",
                        at.to_json()
                    )
                }
                _ => format!("put it in quotes: `\"{}\"`", at.to_json()),
            })
        }
        Node::String(text) if wanted.contains("number") && is_number(text) => {
            Some(format!("write it without quotes: `{}`", text.trim()))
        }
        Node::String(text)
            if wanted == TRUE_OR_FALSE && matches!(text.as_str(), "true" | "false") =>
        {
            Some(format!("write it without quotes: `{text}`"))
        }
        Node::Float(number)
            if wanted.contains("whole number") && number.fract() == 0.0 && number.abs() < 1e15 =>
        {
            Some(format!("write it without a decimal point: `{number:.0}`"))
        }
        Node::String(_) | Node::Integer(_) | Node::Float(_) if wanted == "an array" => {
            Some(format!("put it in brackets: `[{}]`", at.to_json()))
        }
        // `[judge]` with the keys of a judge below it.
        Node::String(_) | Node::Integer(_) | Node::Float(_) | Node::Boolean(_)
            if wanted == "a table" && path.len() == 2 =>
        {
            let header = dotted(&path[..1]);
            Some(format!(
                "is a name missing in the header? write `[{header}.name]`"
            ))
        }
        // A value to be compared with others.
        Node::Array(_) if path.len() > 2 && !wanted.contains("table") && is_keys(path) => {
            Some(format!(
                "this takes one value; to run several, add an axis: `{} = {{ set = \"{}\", \
                 values = [...] }}` under `[axes]`",
                dotted(&path[path.len() - 1..]),
                dotted(path)
            ))
        }
        Node::Table(_) if wanted == "an array" && !path.is_empty() => Some(format!(
            "for a list of tables, write `[[{}]]` above each",
            dotted(path)
        )),
        _ => None,
    }
}

fn is_keys(path: &[Step]) -> bool {
    path.iter().all(|step| matches!(step, Step::Key(_)))
}

const TRUE_OR_FALSE: &str = "`true` or `false`";

/// Whether TOML would read the text as a decimal number.
fn is_number(text: &str) -> bool {
    let text = text.trim();
    text.bytes()
        .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
        && text.parse::<f64>().is_ok()
}

/// The path as a sentence names it: `` `judge.v.model` ``, `` `set` in entry 2 of `ablation` ``, `the spec`.
fn named(path: &[Step]) -> String {
    let Some(at) = path.iter().rposition(|step| matches!(step, Step::Index(_))) else {
        return if path.is_empty() {
            "the spec".to_owned()
        } else {
            format!("`{}`", dotted(path))
        };
    };
    let position = match path[at] {
        Step::Index(position) => position + 1,
        Step::Key(_) => 0,
    };
    let entry = format!("entry {position} of {}", named(&path[..at]));
    if at + 1 == path.len() {
        entry
    } else {
        format!("`{}` in {entry}", dotted(&path[at + 1..]))
    }
}

/// Keys as a spec writes them.
fn dotted(path: &[Step]) -> String {
    let bare = |key: &str| {
        !key.is_empty()
            && key
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    };
    let keys = path.iter().map(|step| match step {
        Step::Key(key) if bare(key) => key.clone(),
        Step::Key(key) => format!("{key:?}"),
        Step::Index(position) => position.to_string(),
    });
    keys.collect::<Vec<_>>().join(".")
}

/// "did you mean", or else everything that is possible.
fn known_help(name: &str, known: &[&'static str], what: &str) -> String {
    match (nearest(name, known), known) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, []) => format!("no {what} is possible here"),
        (None, [only]) => format!("the only {what} here is `{only}`"),
        (None, _) => format!("the {what}s here are {}", list_of(known)),
    }
}

/// What serde expected, in plain words.
fn plain(expected: &str) -> String {
    let (nonzero, kind) = match expected.strip_prefix("a nonzero ") {
        Some(kind) => (true, kind),
        None => (false, expected),
    };
    let words = match kind {
        "u8" if nonzero => "a whole number from 1 to 255",
        "u8" => "a whole number from 0 to 255",
        "u16" | "u32" | "u64" | "u128" | "usize" if nonzero => "a positive whole number",
        "u16" | "u32" | "u64" | "u128" | "usize" => "a whole number of 0 or more",
        "i8" => "a whole number from -128 to 127",
        "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "bool" | "a boolean" => TRUE_OR_FALSE,
        "a char" | "a character" => "a single character",
        "a sequence" => "an array",
        "a map" => "a table",
        "string" | "str" | "a borrowed string" => "a string",
        "path string" | "a path string" => "a path",
        _ => "",
    };
    if !words.is_empty() {
        return words.to_owned();
    }
    if let Some(length) = kind
        .strip_prefix("an array of length ")
        .and_then(|length| length.parse::<usize>().ok())
    {
        return format!("an array of {}", count(length, "value"));
    }
    match kind.split_once(' ') {
        Some(("struct", _)) => "a table".to_owned(),
        Some(("tuple", _)) => "an array".to_owned(),
        _ => kind.to_owned(),
    }
}
