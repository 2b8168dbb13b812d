//! Prompt templates: minijinja with undefined variables as errors.
//!
//! A template is given named columns of a row and, for free, `metrics` and `scale`. What it uses is
//! known without rendering ([`Templates::uses`]), through its includes, so that a template that
//! never mentions the text is refused before a single call. This module reads no files.

mod absent;
mod bounds;
mod cells;
mod compared;
mod condition;
mod failing;
mod json;
pub(crate) mod kinds;
mod lists;
mod meter;
mod misspelt;
mod reading;
mod shown;
mod standing;
mod tags;
mod trial;
mod tries;
mod turns;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};

use self::reading::{Reading, Step};
use self::shown::Shown;
use self::tags::Include;
use crate::base::failure::Failure;
use crate::base::key::Digest;
use crate::frame::Scalar;
use crate::models::ask::Message;
use crate::models::score::Scale;

pub(crate) use self::bounds::of_condition;
use self::bounds::{Bounds, Excess};
pub use self::cells::value;
use self::cells::{cell, shown, values};
use self::failing::Unrendered;

pub use self::misspelt::Misspelt;
pub(crate) use self::misspelt::{FILTERS, TESTS};
pub use self::shown::judged;
use self::trial::Tried;
pub use self::trial::{Failing, Trial, Unseen};

/// Sets the limits of templates in an environment of expressions: filters that make much of little are asked first.
pub(crate) fn limit(environment: &mut Environment<'static>) {
    meter::install(environment, Bounds::default());
}

/// Calls a filter of such an environment; `given` is what it is given, in bytes.
pub(crate) fn limited<T>(given: usize, call: impl FnOnce() -> T) -> T {
    meter::metered(given, Bounds::default(), |_| call())
}

/// Variables every template may use without being given them.
pub const FREE: [&str; 2] = ["metrics", "scale"];

/// All templates of a project, by name (the file name without `.j2`).
#[derive(Clone, Debug)]
pub struct Templates {
    /// Compiles each when it is first asked for.
    environment: Arc<Environment<'static>>,
    syntax: SyntaxConfig,
    texts: BTreeMap<String, String>,
    /// The same as minijinja knows the language, in as many bytes and lines.
    plain: BTreeMap<String, String>,
    metered: Arc<Metered>,
    /// Those of all of them: any may include any.
    bounds: Bounds,
    /// What was found out of templates, which many stages use alike.
    found: Arc<Found>,
}

/// What is compiled, by file name: a template's text with what measures it, or why it is too much.
type Metered = BTreeMap<String, Result<String, Excess>>;

/// What was found out of templates, once for all who ask.
#[derive(Debug, Default)]
struct Found {
    known: BTreeMap<String, Known>,
    trials: Mutex<BTreeMap<Tried, Trial>>,
}

/// What is known of a template.
#[derive(Debug, Default)]
struct Known {
    fault: OnceLock<Option<TemplateError>>,
    reading: OnceLock<Arc<Reading>>,
    uses: OnceLock<BTreeSet<String>>,
    /// The templates that it names itself.
    includes: OnceLock<Vec<Include>>,
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
    /// Templates by their names.
    pub fn new(texts: BTreeMap<String, String>) -> Self {
        let syntax = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()
            .unwrap_or_default();
        let mut bounds = Bounds::default();
        let mut metered = Metered::new();
        let mut plain = texts.clone();
        for (name, text) in &mut plain {
            let made = match turns::written_anew(text, &syntax) {
                Some(Ok(anew)) => {
                    *text = anew.into_owned();
                    bounds::of_template(text, &syntax)
                }
                Some(Err(fault)) => Some(Err(fault)),
                None => None,
            };
            let made = match made {
                Some(Ok((own, made))) => {
                    bounds.operators = bounds.operators.max(own.operators);
                    bounds.repeated = bounds.repeated.max(own.repeated);
                    Ok(made)
                }
                Some(Err(excess)) => Err(excess),
                None => Ok(text.clone()),
            };
            metered.insert(file_name(name), made);
        }
        let metered = Arc::new(metered);
        let known = texts.keys().map(|name| (name.clone(), Known::default()));
        let found = Found {
            known: known.collect(),
            trials: Mutex::default(),
        };
        Self {
            environment: Arc::new(environment(&syntax, bounds, &metered)),
            syntax,
            texts,
            plain,
            metered,
            bounds,
            found: Arc::new(found),
        }
    }

    /// What is wrong with a template itself, those it includes aside.
    pub fn fault(&self, name: &str) -> Option<&TemplateError> {
        let known = self.found.known.get(name)?;
        known.fault.get_or_init(|| self.find_fault(name)).as_ref()
    }

    fn find_fault(&self, name: &str) -> Option<TemplateError> {
        let fault = |message, range| TemplateError {
            name: name.to_owned(),
            message,
            range,
        };
        let file = file_name(name);
        let (text, metered) = self.plain.get(name).zip(self.metered.get(&file))?;
        let metered = match metered {
            Ok(metered) => metered,
            Err(excess) => return Some(fault(excess.message.clone(), Some(excess.range.clone()))),
        };
        // As it is written first: mistakes are told of that.
        let mut written = Environment::empty();
        written.set_debug(true);
        written.set_syntax(self.syntax.clone());
        let compiled = if text == metered {
            Ok(())
        } else {
            written.add_template_owned(file.clone(), text.clone())
        };
        let compiled = compiled.and_then(|()| self.environment.get_template(&file).map(drop));
        compiled
            .err()
            .map(|error| fault(turns::told(said(&error)), error.range()))
    }

    /// What is wrong with each of them.
    pub fn faults(&self) -> Vec<&TemplateError> {
        self.texts
            .keys()
            .filter_map(|name| self.fault(name))
            .collect()
    }

    /// The names there are.
    pub fn names(&self) -> Vec<&str> {
        self.texts.keys().map(String::as_str).collect()
    }

    /// The template that a name means: `templates/grade.j2` is `grade`, unless there is one of the whole name.
    pub fn meant(&self, name: &str) -> String {
        let short = name.strip_prefix("./").unwrap_or(name);
        let short = short.strip_prefix("templates/").unwrap_or(short);
        let short = short.strip_suffix(".j2").unwrap_or(short);
        let known = !self.texts.contains_key(name) && self.texts.contains_key(short);
        if known { short } else { name }.to_owned()
    }

    /// A template's text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// The variables that a template and everything it includes use, loop variables and built-in
    /// functions aside. What every including template binds is not used by the included one.
    pub fn uses(&self, name: &str) -> BTreeSet<String> {
        let find = || self.find_uses(name);
        match self.found.known.get(name) {
            Some(known) => known.uses.get_or_init(find).clone(),
            None => find(),
        }
    }

    fn find_uses(&self, name: &str) -> BTreeSet<String> {
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
            for part in self.named_in(&name) {
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

    /// What a template names itself.
    fn includes(&self, name: &str) -> &[Include] {
        match self.found.known.get(name).zip(self.texts.get(name)) {
            Some((known, text)) => known.includes.get_or_init(|| tags::includes(text)),
            None => &[],
        }
    }

    /// The templates that one names and that are there.
    fn named_in(&self, name: &str) -> Vec<&str> {
        self.includes(name)
            .iter()
            .filter_map(|include| {
                let file = include.file.as_ref()?;
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
            .flat_map(|name| self.includes(name))
            .filter(|include| !include.optional)
            .filter_map(|include| include.file.clone())
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
            let dynamic = self.includes(&name).iter().filter(|it| it.file.is_none());
            found.extend(dynamic.map(|include| (name.clone(), include.range.clone())));
        }
        found
    }

    /// The template and, transitively, the templates it names in include, extends and import.
    pub fn with_includes(&self, name: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open = vec![name];
        while let Some(name) = open.pop() {
            if self.texts.contains_key(name) && found.insert(name.to_owned()) {
                open.extend(self.named_in(name));
            }
        }
        found
    }

    /// A template, ready to render.
    pub fn get(&self, name: &str) -> Option<Template> {
        if !self.texts.contains_key(name) || self.fault(name).is_some() {
            return None;
        }
        Some(Template {
            environment: Arc::clone(&self.environment),
            bounds: self.bounds,
            name: file_name(name),
            reading: self.reading(name),
        })
    }

    /// What is read of a template and those it includes.
    fn reading(&self, name: &str) -> Arc<Reading> {
        let read = || Arc::new(reading::read(&self.plain, name, &self.syntax));
        match self.found.known.get(name) {
            Some(known) => Arc::clone(known.reading.get_or_init(read)),
            None => read(),
        }
    }

    /// Where a template and those it includes take columns for lists and objects.
    pub fn taken_apart(&self, name: &str) -> Vec<TakenApart> {
        let taken = |access: &reading::Access| TakenApart {
            column: access.path.column.clone(),
            field: match access.path.steps.as_slice() {
                [Step::Each, Step::Field(field)] => Some(field.clone()),
                _ => None,
            },
            name: access.template.clone(),
            range: access.range.clone(),
        };
        self.reading(name).accesses.iter().map(taken).collect()
    }

    /// The names whose values a template and those it includes use, whether they are given to it or bound in it.
    pub fn touches(&self, name: &str) -> BTreeSet<String> {
        let reading = self.reading(name);
        reading.uses.iter().map(|used| used.name.clone()).collect()
    }
}

/// A place in a template that takes a column for a list or an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenApart {
    /// The column.
    pub column: String,
    /// The field that it reads there of each of its elements, if it is one.
    pub field: Option<String>,
    /// The template in which it stands.
    pub name: String,
    /// Where, in bytes.
    pub range: Range<usize>,
}

/// Where templates are compiled and rendered.
fn environment(
    syntax: &SyntaxConfig,
    bounds: Bounds,
    metered: &Arc<Metered>,
) -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_debug(true);
    environment.set_syntax(syntax.clone());
    absent::install(&mut environment);
    compared::install(&mut environment);
    meter::install(&mut environment, bounds);
    turns::install(&mut environment);
    let metered = Arc::clone(metered);
    environment.set_loader(move |file| {
        let made = metered.get(file).and_then(|made| made.as_ref().ok());
        Ok(made.cloned())
    });
    environment
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
    /// Renders the prompt for one row, its turns in their order, and checks that it shows every text that it is given
    /// whole; those named in `partly` need not be.
    ///
    /// # Errors
    /// Turns that are no conversation, a variable without a value that would be printed or of which the template does not ask whether it has one, an
    /// undefined variable, a failing filter, or a text that the prompt cuts, changes or leaves out; each with the
    /// template's line.
    pub fn prompt<'v>(
        &self,
        variables: impl Iterator<Item = (&'v str, Scalar)>,
        partly: &[String],
        metrics: &[String],
        scale: &Scale,
    ) -> Result<Vec<Message>, Failure> {
        let values = values(variables);
        let rendered = self.render(&values, metrics, scale);
        let turns = rendered.map_err(|unrendered| unrendered.failure)?.turns;
        match self.lost(&values, partly, &turns) {
            None => Ok(turns),
            Some(lost) => Err(lost),
        }
    }

    /// The prompt of one turn, as [`Template::prompt`] renders it.
    #[cfg(test)]
    pub(crate) fn text<'v>(
        &self,
        variables: impl Iterator<Item = (&'v str, Scalar)>,
        partly: &[String],
        metrics: &[String],
        scale: &Scale,
    ) -> Result<String, Failure> {
        let mut turns = self.prompt(variables, partly, metrics, scale)?;
        assert_eq!(turns.len(), 1);
        Ok(turns.remove(0).content)
    }

    /// Says what a prompt does not show of what it has to.
    fn lost(
        &self,
        values: &BTreeMap<&str, Value>,
        partly: &[String],
        turns: &[Message],
    ) -> Option<Failure> {
        let prompt = turns.iter().map(|turn| turn.content.as_str()).collect();
        let shown = Shown {
            reading: &self.reading,
            environment: &self.environment,
            values,
            partly,
            prompt,
        };
        shown.lost().map(|lost| self.loses(&lost))
    }

    /// Renders the prompt for one row, whatever it shows.
    fn render(
        &self,
        values: &BTreeMap<&str, Value>,
        metrics: &[String],
        scale: &Scale,
    ) -> Result<Rendered, Unrendered> {
        let mut context = values.clone();
        let given = values.values().map(json::length).sum();
        if let Some(taken) = self.text_as_list(values) {
            return Err(taken);
        }
        for (name, _) in values.iter().filter(|(_, value)| value.is_none()) {
            if !self.reading.asked.contains(*name) {
                return Err(self.no_value(name));
            }
            context.insert(name, absent::value(name));
        }
        context.insert("metrics", metrics.iter().cloned().collect::<Value>());
        context.insert("scale", on_scale(scale));
        let render = |most| {
            let mut prompt = meter::Limited::new(most, given);
            let template = self.environment.get_template(&self.name)?;
            let mut rendered =
                template.render_captured_to(Value::from_pairs(context), &mut prompt)?;
            let steps = rendered.state().fuel_levels().map_or(0, |(used, _)| used);
            let said = rendered.with_state_mut(turns::said);
            drop(rendered);
            let turns = turns::conversation(said, prompt.text())?;
            Ok(Rendered { turns, steps })
        };
        let (rendered, written) = absent::noticed(|| meter::metered(given, self.bounds, render));
        if let Some(name) = written {
            return Err(self.no_value(&name));
        }
        rendered.map_err(|error| self.failing(&error))
    }
}

/// What templates see of a scale: `min`, `max`, `step` and the names of its `labels`.
fn on_scale(scale: &Scale) -> Value {
    let bounds = [("min", scale.min), ("max", scale.max), ("step", scale.step)];
    let bounds = bounds.map(|(name, bound)| (name, shown(Scalar::Float(bound))));
    let labels = scale.labels.iter().map(|label| label.name.clone());
    let labels = ("labels", labels.collect::<Value>());
    Value::from_pairs(bounds.into_iter().chain([labels]))
}

/// A prompt's turns, and how many steps it took.
struct Rendered {
    turns: Vec<Message>,
    steps: u64,
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
