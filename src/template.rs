//! Prompt templates: minijinja with undefined variables as errors.
//!
//! A template is given named columns of a row and, for free, `metrics` and `scale`. What it uses is
//! known without rendering ([`Templates::uses`]), through its includes, so that a template that
//! never mentions the text is refused before a single call. This module reads no files.

mod bounds;
mod meter;
mod tags;
mod trial;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

use crate::frame::Scalar;
use crate::key::Digest;
use crate::score::Scale;
use crate::stage::Failure;

use self::bounds::Bounds;
pub(crate) use self::bounds::of_condition;

pub use self::trial::{Trial, Unseen};

/// Variables every template may use without being given them.
pub const FREE: [&str; 2] = ["metrics", "scale"];

/// All templates of a project, by name (the file name without `.j2`).
#[derive(Clone, Debug)]
pub struct Templates {
    environment: Arc<Environment<'static>>,
    texts: BTreeMap<String, String>,
    /// Those of all of them: any may include any.
    bounds: Bounds,
}

/// What is wrong with a template: a message and, where known, the byte range it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// The template in which it is wrong.
    pub name: String,
    /// What is wrong.
    pub message: String,
    /// Where, in bytes.
    pub range: Option<Range<usize>>,
}

impl Templates {
    /// Compiles templates; those with syntax errors are left out and reported.
    pub fn new(texts: BTreeMap<String, String>) -> (Self, Vec<TemplateError>) {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_debug(true);
        let syntax = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()
            .unwrap_or_default();
        environment.set_syntax(syntax.clone());
        let mut errors = Vec::new();
        let mut bounds = Bounds::default();
        for (name, text) in &texts {
            if let Err(error) = add(&mut environment, name, text, &syntax, &mut bounds) {
                errors.push(error);
            }
        }
        meter::install(&mut environment, bounds);
        let templates = Self {
            environment: Arc::new(environment),
            texts,
            bounds,
        };
        (templates, errors)
    }

    /// The names there are.
    pub fn names(&self) -> Vec<&str> {
        self.texts.keys().map(String::as_str).collect()
    }

    /// A template's text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// The variables that a template and everything it includes use, loop variables and built-in
    /// functions aside. What every including template binds is not used by the included one.
    pub fn uses(&self, name: &str) -> BTreeSet<String> {
        let globals: BTreeSet<&str> = self.environment.globals().map(|(name, _)| name).collect();
        let bound = self.bound_around(name);
        let mut used = BTreeSet::new();
        for (part, bound) in &bound {
            let Ok(template) = self.environment.get_template(&file_name(part)) else {
                continue;
            };
            let variables = template.undeclared_variables(false).into_iter();
            used.extend(variables.filter(|variable| {
                !globals.contains(variable.as_str()) && !bound.contains(variable)
            }));
        }
        used
    }

    /// For the template and each one it includes, the names that are bound on every way to it.
    fn bound_around(&self, name: &str) -> BTreeMap<String, BTreeSet<String>> {
        let mut known = BTreeMap::from([(name.to_owned(), BTreeSet::new())]);
        let mut open = vec![name.to_owned()];
        while let Some(name) = open.pop() {
            let Some(text) = self.texts.get(&name) else {
                continue;
            };
            let mut here = tags::bound(text);
            here.extend(known.get(&name).into_iter().flatten().cloned());
            for part in self.named_in(text) {
                let around = match known.get(part) {
                    Some(before) => before.intersection(&here).cloned().collect(),
                    None => here.clone(),
                };
                // Sets only shrink, so this ends.
                if known.get(part) != Some(&around) {
                    known.insert(part.to_owned(), around);
                    open.push(part.to_owned());
                }
            }
        }
        known
    }

    /// The templates that a text names and that are there.
    fn named_in(&self, text: &str) -> Vec<&str> {
        tags::includes(text)
            .into_iter()
            .filter_map(|include| {
                let file = include.file?;
                let (name, _) = self.texts.get_key_value(file.strip_suffix(".j2")?)?;
                Some(name.as_str())
            })
            .collect()
    }

    /// The digest of a template and everything it includes: names and bytes.
    ///
    /// # Panics
    /// Never: a map of texts is always valid JSON.
    pub fn digest(&self, name: &str) -> Digest {
        let parts: BTreeMap<String, &str> = self
            .with_includes(name)
            .into_iter()
            .filter_map(|name| self.texts.get(&name).map(|text| (name, text.as_str())))
            .collect();
        let encoded = serde_json::to_vec(&parts).expect("a map of texts is valid JSON");
        Digest::of(&encoded)
    }

    /// The files that a template must include, through others too, and that are not there.
    pub fn missing_includes(&self, name: &str) -> BTreeSet<String> {
        self.with_includes(name)
            .iter()
            .filter_map(|name| self.texts.get(name))
            .flat_map(|text| tags::includes(text))
            .filter(|include| !include.optional)
            .filter_map(|include| include.file)
            .filter(|file| {
                let name = file.strip_suffix(".j2");
                name.is_none_or(|name| !self.texts.contains_key(name))
            })
            .collect()
    }

    /// Where a template, or one it includes, names another in a way that is only known when it is
    /// rendered: its name and the bytes. What it would include could not be part of the digest.
    pub fn dynamic_includes(&self, name: &str) -> Vec<(String, Range<usize>)> {
        let mut found = Vec::new();
        for name in self.with_includes(name) {
            let includes = self.texts.get(&name).map(|text| tags::includes(text));
            for include in includes.into_iter().flatten() {
                if include.file.is_none() {
                    found.push((name.clone(), include.range));
                }
            }
        }
        found
    }

    /// The template and, transitively, the templates it names in include, extends and import.
    pub fn with_includes(&self, name: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open = vec![name];
        while let Some(name) = open.pop() {
            let Some(text) = self.texts.get(name) else {
                continue;
            };
            if found.insert(name.to_owned()) {
                open.extend(self.named_in(text));
            }
        }
        found
    }

    /// A template, ready to render.
    pub fn get(&self, name: &str) -> Option<Template> {
        self.environment.get_template(&file_name(name)).ok()?;
        let parts = self.with_includes(name);
        let texts = parts.iter().filter_map(|part| self.texts.get(part));
        Some(Template {
            environment: Arc::clone(&self.environment),
            bounds: self.bounds,
            name: file_name(name),
            tests: texts.flat_map(|text| tags::tests(text)).collect(),
        })
    }
}

/// Compiles a template, with what measures it.
fn add(
    environment: &mut Environment<'static>,
    name: &str,
    text: &str,
    syntax: &SyntaxConfig,
    bounds: &mut Bounds,
) -> Result<(), TemplateError> {
    let fault = |message, range| TemplateError {
        name: name.to_owned(),
        message,
        range,
    };
    let mut compile = |text: &str| {
        let added = environment.add_template_owned(file_name(name), text.to_owned());
        added.map_err(|error| fault(said(&error), error.range()))
    };
    let (own, measured) = match bounds::of_template(text, syntax) {
        None => return compile(text),
        Some(Err(excess)) => return Err(fault(excess.message, Some(excess.range))),
        Some(Ok(known)) => known,
    };
    bounds.operators = bounds.operators.max(own.operators);
    bounds.repeated = bounds.repeated.max(own.repeated);
    // As it is written first: mistakes are told of that.
    compile(text)?;
    if measured != text {
        compile(&measured)?;
    }
    Ok(())
}

/// One template, ready to render.
#[derive(Clone, Debug)]
pub struct Template {
    environment: Arc<Environment<'static>>,
    bounds: Bounds,
    name: String,
    /// The names of which the template asks whether they have a value.
    tests: BTreeSet<String>,
}

impl Template {
    /// Renders the prompt for one row.
    ///
    /// # Errors
    /// A variable without a value of which the template does not ask whether it has one, an
    /// undefined variable, or a failing filter with the template's line.
    pub fn render<'v>(
        &self,
        variables: impl Iterator<Item = (&'v str, Scalar)>,
        metrics: &[String],
        scale: &Scale,
    ) -> Result<String, Failure> {
        self.try_render(variables, metrics, scale)
            .map_err(|unrendered| unrendered.failure)
    }

    /// As [`Self::render`]; of a failure it is known whether it is one for all rows.
    fn try_render<'v>(
        &self,
        variables: impl Iterator<Item = (&'v str, Scalar)>,
        metrics: &[String],
        scale: &Scale,
    ) -> Result<String, Unrendered> {
        let mut context: BTreeMap<&str, Value> = BTreeMap::new();
        let mut given = 0;
        for (name, scalar) in variables {
            if scalar.is_null() && !self.tests.contains(name) {
                let what = format!("`templates/{}`: `{name}` has no value", self.name);
                let failure = Failure::new(what).hint(format!(
                    "ask first, as in `{{% if {name} is not none %}}`, or select the rows that have one"
                ));
                return Err(Unrendered {
                    failure,
                    endless: false,
                });
            }
            if let Scalar::Text(text) = &scalar {
                given += text.len();
            }
            context.insert(name, shown(scalar));
        }
        context.insert("metrics", metrics.iter().cloned().collect::<Value>());
        let bounds = [("min", scale.min), ("max", scale.max), ("step", scale.step)]
            .map(|(name, bound)| (name, shown(Scalar::Float(bound))));
        context.insert("scale", Value::from_pairs(bounds));
        let render = |most| {
            let mut prompt = meter::Limited::new(most);
            let template = self.environment.get_template(&self.name)?;
            template.render_captured_to(Value::from_pairs(context), &mut prompt)?;
            Ok(prompt.text())
        };
        meter::metered(given, self.bounds, render).map_err(|error: minijinja::Error| {
            let file = error.name().unwrap_or(&self.name);
            let line = error
                .line()
                .map_or(String::new(), |line| format!(":{line}"));
            let excess = meter::excess(&error, self.bounds);
            let endless = excess.is_some();
            let said = excess.unwrap_or_else(|| said(&error));
            let failure = Failure::new(format!("`templates/{file}{line}`: {said}"));
            Unrendered { failure, endless }
        })
    }
}

/// Why a prompt could not be rendered.
#[derive(Debug)]
struct Unrendered {
    failure: Failure,
    /// Whether it took more than any rendering may.
    endless: bool,
}

/// A cell as templates and expressions see it.
pub fn value(scalar: Scalar) -> Value {
    match scalar {
        Scalar::Null => Value::from(()),
        Scalar::Bool(b) => Value::from(b),
        Scalar::Int(i) => Value::from(i),
        Scalar::Float(x) => Value::from(x),
        Scalar::Text(text) => Value::from(text),
    }
}

/// A cell as prompts show it: a whole number without `.0`.
fn shown(scalar: Scalar) -> Value {
    match scalar {
        // Below 2^53 every whole number is exact.
        Scalar::Float(x) if x.fract() == 0.0 && x.abs() < 9_007_199_254_740_992.0 => {
            Value::from(x as i64)
        }
        other => value(other),
    }
}

fn file_name(name: &str) -> String {
    format!("{name}.j2")
}

fn said(error: &minijinja::Error) -> String {
    error
        .detail()
        .map_or_else(|| error.kind().to_string(), str::to_owned)
}

#[cfg(test)]
mod tests;
