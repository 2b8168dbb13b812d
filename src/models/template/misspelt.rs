//! Names of filters and tests that the language does not know.

use std::ops::Range;

use minijinja::ErrorKind;

use super::Templates;
use super::reading::WordKind;
use crate::base::wording::{nearest, there_are};

/// Something in a template that means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misspelt {
    /// The template in which it stands.
    pub name: String,
    /// Where, in bytes.
    pub range: Range<usize>,
    /// What is wrong with it.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

impl Templates {
    /// What a template and those it includes name that the language does not know, or that never does what it says.
    pub fn misspelt(&self, name: &str) -> Vec<Misspelt> {
        let mut state = self.environment.empty_state();
        let mut found = Vec::new();
        for word in &self.reading(name).words {
            let (kind, known, names) = match word.kind {
                WordKind::Filter => {
                    let error = state.apply_filter(&word.name, &[]).err();
                    let unknown = error.is_some_and(|e| e.kind() == ErrorKind::UnknownFilter);
                    ("filter", !unknown, FILTERS.as_slice())
                }
                WordKind::Test => {
                    let error = state.perform_test(&word.name, &[]).err();
                    let unknown = error.is_some_and(|e| e.kind() == ErrorKind::UnknownTest);
                    ("test", !unknown, TESTS.as_slice())
                }
                WordKind::EqualsNone => ("", false, [].as_slice()),
            };
            if !known {
                found.push(Misspelt {
                    message: match word.kind {
                        WordKind::EqualsNone => "nothing equals `none`".to_owned(),
                        _ => format!("there is no {kind} `{}`", word.name),
                    },
                    help: match (word.kind, nearest(&word.name, names)) {
                        (WordKind::EqualsNone, _) => "write `is none` or `is not none`".to_owned(),
                        (_, Some(near)) => format!("did you mean `{near}`?"),
                        (_, None) => there_are(kind, &format!("{kind}s"), names),
                    },
                    name: word.template.clone(),
                    range: word.range.clone(),
                });
            }
        }
        found
    }
}

/// The filters there are, to find the one that was meant.
pub(crate) const FILTERS: [&str; 45] = [
    "abs",
    "attr",
    "batch",
    "bool",
    "capitalize",
    "chain",
    "count",
    "default",
    "dictsort",
    "escape",
    "first",
    "float",
    "format",
    "groupby",
    "indent",
    "int",
    "items",
    "join",
    "last",
    "length",
    "lines",
    "list",
    "lower",
    "map",
    "max",
    "min",
    "pprint",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "round",
    "safe",
    "select",
    "selectattr",
    "slice",
    "sort",
    "split",
    "string",
    "sum",
    "title",
    "tojson",
    "trim",
    "unique",
    "upper",
];

/// The tests there are, to find the one that was meant.
pub(crate) const TESTS: [&str; 27] = [
    "boolean",
    "defined",
    "divisibleby",
    "endingwith",
    "eq",
    "even",
    "false",
    "float",
    "ge",
    "gt",
    "in",
    "integer",
    "iterable",
    "le",
    "lower",
    "lt",
    "mapping",
    "ne",
    "none",
    "number",
    "odd",
    "sequence",
    "startingwith",
    "string",
    "true",
    "undefined",
    "upper",
];
