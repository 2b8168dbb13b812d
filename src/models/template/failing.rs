//! Why a prompt is not sent, and what to do about it.

use std::collections::BTreeMap;

use minijinja::ErrorKind;
use minijinja::value::Value;

use super::absent::Used;
use super::compared::Unlike;
use super::shown::Lost;
use super::{Template, file_name, json, meter, said};
use crate::base::failure::Failure;

/// Why a prompt could not be rendered.
#[derive(Debug)]
pub(super) struct Unrendered {
    pub(super) failure: Failure,
    /// The template's name, the line, and what is wrong there.
    pub(super) at: (String, Option<usize>, String),
    /// Whether it took more than any rendering may.
    pub(super) endless: bool,
}

impl Template {
    /// Says why rendering ended.
    pub(super) fn failing(&self, error: &minijinja::Error) -> Unrendered {
        let outer = error;
        let error = innermost(error);
        let excess = meter::excess(error, self.bounds).or(meter::excess(outer, self.bounds));
        let file = error.name().unwrap_or(&self.name);
        let source = std::error::Error::source(error);
        if let Some(Used(name)) = source.and_then(|source| source.downcast_ref()) {
            return told(file, error.line(), absent(name), Some(asking(name)), false);
        }
        let endless = excess.is_some();
        let hint = match source.and_then(|source| source.downcast_ref::<Unlike>()) {
            Some(unlike) => Some(unlike.hint.to_owned()),
            None if endless => None,
            None => hint(error),
        };
        let missed = error.detail().and_then(|said| said.split('`').nth(1));
        let hint = missed.and_then(json::instead).or(hint);
        let what = excess.unwrap_or_else(|| match (error.kind(), said(error)) {
            (_, said) if said.contains("recursion limit") => {
                "templates include each other without end".to_owned()
            }
            (ErrorKind::UnknownMethod, said) => match said.rsplit_once(' ') {
                Some((_, method)) => format!("there is no method or macro `{method}`"),
                None => said,
            },
            (_, said) => said,
        });
        told(file, error.line(), what, hint, endless)
    }

    /// Says that a prompt would print a value that is absent.
    pub(super) fn no_value(&self, name: &str) -> Unrendered {
        let used = self.reading.uses.iter().find(|used| used.name == name);
        let template = used.map_or(self.name.clone(), |used| file_name(&used.template));
        let line = used.map(|used| used.line);
        told(&template, line, absent(name), Some(asking(name)), false)
    }

    /// Says what a prompt does not show.
    pub(super) fn loses(&self, lost: &Lost<'_>) -> Failure {
        let name = lost.name;
        let Some(what) = &lost.what else {
            let failure = self.no_value(name).failure;
            return Failure {
                hint: Some(format!(
                    "it is what is judged: select the rows that have one, or show another column in its place, as in `{{{{ {name} or title }}}}`"
                )),
                ..failure
            };
        };
        let place = lost.at.map_or_else(
            || self.name.clone(),
            |(template, line)| format!("{}:{line}", file_name(template)),
        );
        Failure::new(format!(
            "`templates/{place}`: the prompt does not show `{name}` whole: {what}"
        ))
        .hint(format!(
            "{}, or declare that it is not shown whole: `shows = {{ {name} = \"part\" }}`",
            if lost.list {
                "show of every element what is shown of one".to_owned()
            } else {
                format!("write `{{{{ {name} }}}}` where it belongs")
            }
        ))
    }

    /// Says that a template takes a text for a list.
    pub(super) fn text_as_list(&self, values: &BTreeMap<&str, Value>) -> Option<Unrendered> {
        let access = self.reading.text_taken_apart(values)?;
        let column = &access.path.column;
        let what = format!(
            "`{column}` holds text, and `{}` takes it apart",
            access.path
        );
        let hint = "loops and fields are for columns of JSON; take a text apart with a filter, as in `|lines` or `|split(',')`";
        let line = Some(access.line);
        Some(told(
            &file_name(&access.template),
            line,
            what,
            Some(hint.to_owned()),
            false,
        ))
    }
}

fn told(
    file: &str,
    line: Option<usize>,
    what: String,
    hint: Option<String>,
    endless: bool,
) -> Unrendered {
    let place = line.map_or(String::new(), |line| format!(":{line}"));
    let failure = Failure::new(format!("`templates/{file}{place}`: {what}"));
    let template = file.strip_suffix(".j2").unwrap_or(file).to_owned();
    Unrendered {
        failure: Failure { hint, ..failure },
        at: (template, line, what),
        endless,
    }
}

fn absent(name: &str) -> String {
    format!("`{name}` has no value")
}

fn asking(name: &str) -> String {
    if name.contains(['[', '.']) {
        return "test it first, as in `{% if item.field is not none %}`, or replace it, as in `{{ item.field or 'none' }}`"
            .to_owned();
    }
    format!(
        "test it first, as in `{{% if {name} is not none %}}`, or select the rows that have one"
    )
}

/// The mistake itself, of one that is told through the templates that include its own.
fn innermost(error: &minijinja::Error) -> &minijinja::Error {
    let mut innermost = error;
    while let Some(inner) = std::error::Error::source(innermost)
        .and_then(|source| source.downcast_ref::<minijinja::Error>())
    {
        innermost = inner;
    }
    innermost
}

/// How to repair what is wrong.
fn hint(error: &minijinja::Error) -> Option<String> {
    let hint = match error.kind() {
        ErrorKind::UndefinedError => {
            let detail = error.detail().unwrap_or_default();
            if detail.contains("`scale.") {
                "`scale` has `min`, `max`, `step` and `labels`"
            } else if detail.contains('.') {
                "texts and numbers have no parts: name a column, or what the template itself binds"
            } else {
                "give it a value, or test it first, as in `{% if name is defined %}`"
            }
        }
        ErrorKind::UnknownMethod => {
            "texts and numbers have no methods: write a filter, such as `|upper`; of an imported template, name one of its macros"
        }
        ErrorKind::TooManyArguments | ErrorKind::MissingArgument => {
            "give it as many arguments as it takes"
        }
        ErrorKind::InvalidOperation
            if error.detail().is_some_and(|said| said.contains("operator")) =>
        {
            "calculate with numbers, and join texts with `~`"
        }
        _ if said(error).contains("recursion limit") => {
            "take the `include` out, or put it under a condition that ends"
        }
        _ => return None,
    };
    Some(hint.to_owned())
}
