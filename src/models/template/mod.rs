//! Prompt templates: minijinja with undefined variables as errors.
//!
//! A template is given named columns of a row and, for free, `metrics` and `scale`. What it uses is
//! known without rendering ([`Templates::uses`]), through its includes, so that a template that
//! never mentions the text is refused before a single call. This module reads no files.

mod bounds;
mod condition;
mod meter;
mod misspelt;
mod reading;
mod shown;
mod tags;
mod trial;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

use self::reading::Reading;
use self::shown::{Absent, Lost};
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::frame::Scalar;
use crate::models::score::Scale;

use self::bounds::Bounds;
pub(crate) use self::bounds::of_condition;

pub use self::misspelt::Misspelt;
pub(crate) use self::misspelt::{FILTERS, TESTS};
use self::trial::Tried;
pub use self::trial::{Trial, Unseen};

/// Variables every template may use without being given them.
pub const FREE: [&str; 2] = ["metrics", "scale"];

/// All templates of a project, by name (the file name without `.j2`).
#[derive(Clone, Debug)]
pub struct Templates {
    environment: Arc<Environment<'static>>,
    syntax: SyntaxConfig,
    texts: BTreeMap<String, String>,
    /// Those of all of them: any may include any.
    bounds: Bounds,
    /// What was found out of templates, which many stages use alike.
    found: Arc<Found>,
}

/// What was found out of templates, by name, once for all who ask.
#[derive(Debug, Default)]
struct Found {
    readings: BTreeMap<String, OnceLock<Arc<Reading>>>,
    trials: Mutex<BTreeMap<Tried, Trial>>,
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
        environment.add_test("none", |value: &Value| shown::is_absent(value));
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
        let readings = texts.keys().map(|name| (name.clone(), OnceLock::new()));
        let found = Found {
            readings: readings.collect(),
            trials: Mutex::default(),
        };
        let templates = Self {
            environment: Arc::new(environment),
            syntax,
            texts,
            bounds,
            found: Arc::new(found),
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
        Some(Template {
            environment: Arc::clone(&self.environment),
            bounds: self.bounds,
            name: file_name(name),
            reading: self.reading(name),
        })
    }

    /// What is read of a template and those it includes.
    fn reading(&self, name: &str) -> Arc<Reading> {
        let read = || Arc::new(reading::read(&self.texts, name, &self.syntax));
        match self.found.readings.get(name) {
            Some(reading) => Arc::clone(reading.get_or_init(read)),
            None => read(),
        }
    }

    /// The names whose values a template and those it includes use, whether they are given to it or bound in it.
    pub fn touches(&self, name: &str) -> BTreeSet<String> {
        let reading = self.reading(name);
        reading.uses.iter().map(|used| used.name.clone()).collect()
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
    /// What it does with its variables.
    reading: Arc<Reading>,
}

impl Template {
    /// Renders the prompt for one row and checks that it shows every text that it is given whole; those named in
    /// `partly` need not be.
    ///
    /// # Errors
    /// A variable without a value that would be printed or of which the template does not ask whether it has one, an
    /// undefined variable, a failing filter, or a text that the prompt cuts, changes or leaves out; each with the
    /// template's line.
    pub fn prompt<'v>(
        &self,
        variables: impl Iterator<Item = (&'v str, Scalar)>,
        partly: &[String],
        metrics: &[String],
        scale: &Scale,
    ) -> Result<String, Failure> {
        let values = values(variables);
        let prompt = self.render(&values, metrics, scale);
        let prompt = prompt.map_err(|unrendered| unrendered.failure)?;
        match shown::lost(&self.reading, &self.environment, &values, partly, &prompt) {
            None => Ok(prompt),
            Some(lost) => Err(Self::lost(&lost)),
        }
    }

    /// Renders the prompt for one row, whatever it shows; of a failure it is known whether it is one for all rows.
    fn render(
        &self,
        values: &BTreeMap<&str, Value>,
        metrics: &[String],
        scale: &Scale,
    ) -> Result<String, Unrendered> {
        let mut context = values.clone();
        let given = values
            .values()
            .filter_map(Value::as_str)
            .map(str::len)
            .sum();
        let mut absent = Vec::new();
        for (name, _) in values.iter().filter(|(_, value)| value.is_none()) {
            if !self.reading.asked.contains(*name) {
                return Err(self.no_value(name).into());
            }
            absent.push(*name);
            context.insert(name, Value::from_object(Absent((*name).to_owned())));
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
        let prompt = meter::metered(given, self.bounds, render);
        let prompt = prompt.map_err(|error: minijinja::Error| {
            let file = error.name().unwrap_or(&self.name);
            let line = error
                .line()
                .map_or(String::new(), |line| format!(":{line}"));
            let excess = meter::excess(&error, self.bounds);
            let endless = excess.is_some();
            let said = excess.unwrap_or_else(|| said(&error));
            let failure = Failure::new(format!("`templates/{file}{line}`: {said}"));
            Unrendered { failure, endless }
        })?;
        if !absent.is_empty()
            && let Some(name) = shown::printed(&prompt, &absent)
        {
            return Err(self.no_value(name).into());
        }
        Ok(prompt)
    }

    /// Says that a prompt would print a value that is absent.
    fn no_value(&self, name: &str) -> Failure {
        let used = self.reading.uses.iter().find(|used| used.name == name);
        let line = used.map_or(String::new(), |used| format!(":{}", used.line));
        let template = used.map_or(self.name.clone(), |used| file_name(&used.template));
        Failure::new(format!(
            "`templates/{template}{line}`: `{name}` has no value"
        ))
        .hint(format!(
            "ask first, as in `{{% if {name} is not none %}}`, or select the rows that have one"
        ))
    }

    /// Says what a prompt does not show.
    fn lost(lost: &Lost<'_>) -> Failure {
        let (name, template) = (&lost.at.name, file_name(&lost.at.template));
        Failure::new(format!(
            "`templates/{template}:{}`: the prompt does not show `{name}` whole: {}",
            lost.at.line, lost.what
        ))
        .hint(format!(
            "write `{{{{ {name} }}}}` where it belongs, or say that it is shown otherwise: `shows = {{ {name} = \"part\" }}`"
        ))
    }
}

/// The variables as templates see them.
fn values<'v>(variables: impl Iterator<Item = (&'v str, Scalar)>) -> BTreeMap<&'v str, Value> {
    variables
        .map(|(name, scalar)| (name, shown(scalar)))
        .collect()
}

/// Why a prompt could not be rendered.
#[derive(Debug)]
struct Unrendered {
    failure: Failure,
    /// Whether it took more than any rendering may.
    endless: bool,
}

impl From<Failure> for Unrendered {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            endless: false,
        }
    }
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
