//! Layers that are no files: built-in defaults, environment variables, `--set` arguments.
//!
//! Turns each into a layer with its own text to point into. Reads no environment itself: the caller passes it.

use std::ops::Range;
use std::path::PathBuf;

use toml::de::{DeTable, DeValue};

use super::layers::{Layer, LayerKind};
use super::parse::{parse, parse_value};
use super::problem::{Problem, Problems};
use super::source::{Place, SourceId, Sources, SpanIndex, Spans};
use super::tree::Tree;

/// What the names of environment variables begin with.
const PREFIX: &str = "TRIBUNAL_";

/// The built-in defaults.
pub(super) fn defaults(text: &str, sources: &mut Sources, problems: &mut Problems) -> Layer {
    let source = sources.add("built-in defaults", text);
    let text = sources.text(source).to_owned();
    let parsed = parse(&text, source, problems);
    Layer {
        kind: LayerKind::Default,
        source,
        base_dir: PathBuf::new(),
        tree: parsed.tree,
        index: parsed.index,
    }
}

/// One layer per variable `TRIBUNAL_PATH__TO__KEY=value`, in the order of their names.
///
/// `__` separates the keys of the path; they are lower-cased. Names of variables can hold neither `-` nor capitals
/// with a meaning, so a key of the files (`below`) that differs only in these is meant. The value is TOML if it reads as
/// TOML, else a string. An empty variable counts as unset. The text of a variable that names a secret is not kept.
pub(super) fn environment(
    env: &[(String, String)],
    below: &[Layer],
    sources: &mut Sources,
    problems: &mut Problems,
) -> Vec<Layer> {
    let mut variables: Vec<&(String, String)> = env
        .iter()
        .filter(|(name, value)| name.starts_with(PREFIX) && !value.is_empty())
        .collect();
    if variables.is_empty() {
        return Vec::new();
    }
    variables.sort();
    let known = Tree::stacked(below.iter().map(|layer| &layer.tree));
    let mut layers = Vec::new();
    for (name, value) in variables {
        let shown = if secret(name) { "***" } else { value };
        let source = sources.add("environment", &format!("{name}={shown}"));
        let keys: Vec<String> = name[PREFIX.len()..]
            .split("__")
            .map(str::to_lowercase)
            .collect();
        if keys.iter().any(String::is_empty) {
            problems.push(
                Problem::error(
                    "spec::bad-variable",
                    format!("`{name}` names no key of a spec"),
                )
                .label(Place::new(source, 0..name.len()), "a key is empty here")
                .help(format!(
                    "write `{PREFIX}PATH__TO__KEY`, with two underscores between keys"
                )),
            );
            continue;
        }
        let spans = vec![PREFIX.len()..name.len(); keys.len()];
        let path = as_spelled(&known, keys);
        let text = format!("{name}={value}");
        let at = name.len() + 1..text.len();
        let setting = Setting {
            kind: LayerKind::Env,
            source,
            text: &text,
            path,
            spans,
            at,
        };
        layers.extend(setting.layer(problems));
    }
    layers
}

/// The layer of one argument `path.to.key=value`; a problem pointing into it if it is none. The path may hold quoted
/// keys. The value is TOML if it reads as TOML, else a string; one that begins like TOML's strings, arrays or tables and
/// does not read as TOML is a mistake.
pub(super) fn set(argument: &str, sources: &mut Sources, problems: &mut Problems) -> Option<Layer> {
    let source = sources.add("--set", argument);
    let text = sources.text(source).to_owned();
    let whole = Place::new(source, 0..text.len());
    let bad = |place: Place, message: &str, label: &str| {
        Problem::error("spec::bad-set", message.to_owned())
            .label(place, label)
            .help("write `--set path.to.key=value`; quote keys with dots in them: `models.\"gpt-4.1\".seed=1`")
    };
    let Some(equals) = equals_sign(&text) else {
        problems.push(bad(
            whole,
            "a `--set` argument sets nothing",
            "there is no `=` here",
        ));
        return None;
    };
    let Some(keys) = dotted(&text[..equals]) else {
        problems.push(bad(
            Place::new(source, 0..equals),
            "a `--set` argument names no key",
            "this is not a path of keys",
        ));
        return None;
    };
    let at = trimmed(&text, equals + 1..text.len());
    if at.is_empty() {
        let help = format!("write `{}=\"\"` for an empty text", text[..equals].trim());
        let place = Place::new(source, equals..text.len());
        problems.push(
            bad(
                place,
                "a `--set` argument gives no value",
                "no value follows `=`",
            )
            .help(help),
        );
        return None;
    }
    let (path, spans) = keys.into_iter().unzip();
    Setting {
        kind: LayerKind::Set,
        source,
        text: &text,
        path,
        spans,
        at,
    }
    .layer(problems)
}

/// A key and a value in one line.
struct Setting<'a> {
    kind: LayerKind,
    source: SourceId,
    text: &'a str,
    path: Vec<String>,
    /// Where each key of the path stands.
    spans: Vec<Range<usize>>,
    /// Where the value stands.
    at: Range<usize>,
}

impl Setting<'_> {
    fn layer(self, problems: &mut Problems) -> Option<Layer> {
        if self.path.first().is_some_and(|key| key == "extends") {
            let place = Place::new(self.source, self.spans.first()?.clone());
            problems.push(
                Problem::error("spec::extends-here", "`extends` can only be set in a spec")
                    .label(place, "files are read before this is set")
                    .help("add the file to `extends` in the spec"),
            );
            return None;
        }
        let raw = self.text.get(self.at.clone())?;
        let parsed = parse_value(
            self.text,
            self.at.clone(),
            self.source,
            &self.path,
            problems,
        );
        let (value, mut index) = match parsed {
            Some(parsed) => (parsed.tree, parsed.index),
            None if raw.starts_with(['"', '\'', '[', '{']) => {
                problems.push(
                    Problem::error("spec::bad-value", format!("the value of `{}` is not valid TOML", self.path.join(".")))
                        .label(Place::new(self.source, self.at), "this begins like a TOML value, but is not closed")
                        .help("close the quote or bracket; the shell takes one pair of quotes away, so put another around"),
                );
                return None;
            }
            None => (Tree::from(raw), SpanIndex::default()),
        };
        let mut tree = Tree::table();
        tree.set(&self.path, value);
        index.insert(
            &[],
            Spans {
                key: 0..0,
                value: 0..0,
            },
        );
        for (number, span) in self.spans.iter().enumerate() {
            let last = number + 1 == self.path.len();
            let value = if last { self.at.clone() } else { span.clone() };
            index.insert(
                &self.path[..=number],
                Spans {
                    key: span.clone(),
                    value,
                },
            );
        }
        Some(Layer {
            kind: self.kind,
            source: self.source,
            base_dir: PathBuf::new(),
            tree,
            index,
        })
    }
}

/// The first `=` outside quotes.
fn equals_sign(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (None, '=') => return Some(at),
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), close) if open == close => quote = None,
            _ => {}
        }
    }
    None
}

/// The keys of a dotted path; keys with dots in them are quoted, as in `models."gpt-4.1".seed`.
pub(crate) fn path_of(text: &str) -> Option<Vec<String>> {
    let keys = dotted(text)?;
    Some(keys.into_iter().map(|(key, _)| key).collect())
}

/// The keys of a dotted path and where they stand in it.
fn dotted(path: &str) -> Option<Vec<(String, Range<usize>)>> {
    if path.contains(['\n', '\r', '#']) || path.trim_start().starts_with('[') {
        return None;
    }
    let statement = format!("{path}=0");
    let mut table = DeTable::parse(&statement).ok()?.into_inner();
    let mut keys = Vec::new();
    loop {
        let (key, value) = table.into_iter().next()?;
        let span = key.span();
        keys.push((key.into_inner().into_owned(), span));
        match value.into_inner() {
            DeValue::Table(inner) => table = inner,
            _ => return Some(keys),
        }
    }
}

/// The range without blanks at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..(range.start + part.trim_end().len()).max(start)
}

/// The path in the spelling of the files, as far as they have it.
fn as_spelled(known: &Tree, keys: Vec<String>) -> Vec<String> {
    let fold = |key: &str| key.to_lowercase().replace(['-', '.', ' '], "_");
    let mut here = Some(known);
    let spell = |key: String| {
        let children = here.into_iter().flat_map(Tree::children);
        let found = children
            .filter(|(name, _)| fold(name) == fold(&key))
            .map(|(name, _)| name.to_owned())
            .next();
        let name = here
            .and_then(|tree| tree.get(&[&key]))
            .map(|_| key.clone())
            .or(found)
            .unwrap_or(key);
        here = here.and_then(|tree| tree.get(&[&name]));
        name
    };
    keys.into_iter().map(spell).collect()
}

/// Whether the name of a variable says that its value must not be shown.
fn secret(name: &str) -> bool {
    let name = name.to_lowercase();
    let last = name.rsplit('_').next().unwrap_or_default();
    matches!(
        last,
        "key" | "secret" | "password" | "token" | "credentials"
    )
}

#[cfg(test)]
mod tests;
