//! Templates against what they are given, in both directions.
//!
//! A template that ignores a column it is given never shows it to the model; one that uses a column
//! it is not given cannot be rendered; one that never names a metric gets no score for it. All three
//! are found here without rendering; that the text to be judged is shown whatever else a row has, with stand-ins.

mod trial;

use std::collections::{BTreeMap, BTreeSet};

use super::Context;
use crate::base::wording::{list_of, nearest, there_are};
use crate::models::score::Scale;
use crate::models::template::{FREE, Templates};
use crate::stage::{Prompt, Shows, TakesApart};
use crate::toml::{OneOrMany, Place, Problem, Problems};

/// A template as a stage names it.
pub(crate) struct Written<'r> {
    /// Its name.
    pub(crate) prompt: Option<&'r String>,
    /// The columns that it is given.
    pub(crate) variables: Option<&'r OneOrMany<String>>,
    /// How columns are shown, where they are not shown whole.
    pub(crate) shows: Option<&'r BTreeMap<String, Shows>>,
    /// How replies begin.
    pub(crate) prefill: Option<&'r String>,
    /// What it must ask for: metrics, or nothing where it asks for a text.
    pub(crate) metrics: Option<&'r [String]>,
    /// Whether it must name them: replies with one verdict need not say what it is on.
    pub(crate) named: bool,
    /// The scale that it is told of.
    pub(crate) scale: Scale,
}

/// The template, if it exists and fits what it is given.
pub(crate) fn check(
    context: &Context<'_>,
    at: &[String],
    written: &Written<'_>,
    problems: &mut Problems,
) -> Option<Prompt> {
    let name = written.prompt?;
    let name = &context.templates.templates.meant(name);
    let given = written.variables.map(|given| given.0.clone());
    let check = PromptCheck {
        context,
        at,
        name,
        given: given.unwrap_or_else(|| vec!["text".to_owned()]),
        free: match written.metrics {
            Some(_) => &FREE,
            None => &[],
        },
    };
    if !check.exists(problems) || !check.can_be_read(problems) {
        return None;
    }
    let before = problems.errors();
    check.missing_includes(problems);
    check.dynamic_includes(problems);
    check.misspelt(problems);
    let partly = check.partly(written.shows, problems);
    if check.nameable(problems) {
        check.variables(problems);
    }
    if written.named {
        check.metrics(written.metrics.unwrap_or_default(), problems);
    }
    let mut begins = false;
    if problems.errors() == before {
        begins = check.shows(written, &partly, problems);
    }
    if let Some(prefill) = written.prefill {
        check.prefill(prefill, begins, problems);
    }
    Some(Prompt {
        name: name.clone(),
        digest: context.templates.templates.digest(name),
        lists: check.lists(),
        variables: check.given,
        prefill: written.prefill.cloned(),
        begins: begins || written.prefill.is_some(),
        partly,
    })
}

/// A template, being checked.
struct PromptCheck<'c> {
    context: &'c Context<'c>,
    at: &'c [String],
    name: &'c str,
    given: Vec<String>,
    /// What it may use without being given it.
    free: &'c [&'static str],
}

impl PromptCheck<'_> {
    /// Where the stage names the template.
    fn named(&self) -> Option<Place> {
        self.context
            .place(&[self.at, &["prompt".to_owned()]].concat())
    }

    fn templates(&self) -> &Templates {
        &self.context.templates.templates
    }

    fn exists(&self, problems: &mut Problems) -> bool {
        let name = self.name;
        if self.templates().text(name).is_some() {
            return true;
        }
        problems.push(match self.context.templates.unreadable.get(name) {
            Some(why) => Problem::error("template::unreadable", why.clone())
                .label_at(self.named(), "used here")
                .help("save the template as UTF-8 text"),
            None => Problem::error(
                "spec::unknown-template",
                format!("there is no template `{name}`"),
            )
            .label_at(
                self.named(),
                format!("`templates/{name}.j2` does not exist"),
            )
            .help(self.instead(name)),
        });
        false
    }

    /// Whether the template and all it includes are free of syntax errors.
    fn can_be_read(&self, problems: &mut Problems) -> bool {
        let files = self.context.templates;
        let parts = self.templates().with_includes(self.name);
        let broken: Vec<_> = parts
            .iter()
            .filter_map(|part| self.templates().fault(part))
            .collect();
        for error in &broken {
            let place = files.sources.get(&error.name).zip(error.range.clone());
            let message = format!(
                "template `{}` cannot be read: {}",
                error.name, error.message
            );
            Problem::error("template::syntax", message)
                .label_at(
                    place.map(|(source, range)| Place::new(*source, range)),
                    "here",
                )
                .label_at(self.named(), "used here")
                .help("templates are written in the language of Jinja")
                .tell(problems);
        }
        broken.is_empty()
    }

    fn missing_includes(&self, problems: &mut Problems) {
        for file in self.templates().missing_includes(self.name) {
            let name = file.strip_suffix(".j2").unwrap_or(&file);
            if let Some(why) = self.context.templates.unreadable.get(name) {
                Problem::error("template::unreadable", why.clone())
                    .label_at(self.in_template(name), "included here")
                    .help("save the template as UTF-8 text")
                    .tell(problems);
                continue;
            }
            let message = format!(
                "template `{}` includes `{file}`, which does not exist",
                self.name
            );
            let known = self.templates().text(name).is_some();
            Problem::error("spec::unknown-template", message)
                .label_at(self.in_template(name), "not a template")
                .label_at(self.named(), "used here")
                .help(if known {
                    format!("write `{name}.j2`")
                } else {
                    self.instead(name)
                })
                .tell(problems);
        }
    }

    /// An included template is part of the prompt, so it has to be known before it is rendered.
    fn dynamic_includes(&self, problems: &mut Problems) {
        for (part, range) in self.templates().dynamic_includes(self.name) {
            let source = self.context.templates.sources.get(&part);
            Problem::error(
                    "template::dynamic-include",
                    format!("template `{part}` does not name one template to include"),
                )
                .label_at(
                    source.map(|source| Place::new(*source, range)),
                    "must be one quoted name",
                )
                .label_at(self.named(), "used here")
                .help("name one file, as in `{% include \"part.j2\" %}`, and choose among files with `{% if ... %}` around it")
            .tell(problems);
        }
    }

    /// Where it takes what it is given for lists and objects.
    fn lists(&self) -> Vec<TakesApart> {
        let taken = self.templates().taken_apart(self.name).into_iter();
        taken
            .filter(|taken| self.given.contains(&taken.column))
            .map(|taken| {
                let source = self.context.templates.sources.get(&taken.name);
                TakesApart {
                    column: taken.column,
                    field: taken.field,
                    place: source.map(|source| Place::new(*source, taken.range)),
                }
            })
            .collect()
    }

    /// Filters and tests that there are not.
    fn misspelt(&self, problems: &mut Problems) {
        for word in self.templates().misspelt(self.name) {
            let source = self.context.templates.sources.get(&word.name);
            Problem::error(
                "template::unknown-name",
                format!("template `{}`: {}", word.name, word.message),
            )
            .label_at(source.map(|source| Place::new(*source, word.range)), "here")
            .label_at(self.named(), "used here")
            .help(word.help)
            .tell(problems);
        }
    }

    /// The columns that prompts need not show whole, as the spec says.
    fn partly(
        &self,
        shows: Option<&BTreeMap<String, Shows>>,
        problems: &mut Problems,
    ) -> Vec<String> {
        let mut partly = Vec::new();
        for (name, how) in shows.into_iter().flatten() {
            if self.given.contains(name) {
                partly.extend((*how == Shows::Part).then(|| name.clone()));
                continue;
            }
            let at = [self.at, &["shows".to_owned(), name.clone()]].concat();
            Problem::error(
                "lint::unknown-variable",
                format!("`shows` names `{name}`, which the template is not given"),
            )
            .label_at(self.context.layers.place_of_key(&at), "not given")
            .help(match nearest(name, &self.given) {
                Some(near) => format!("did you mean `{near}`?"),
                None => there_are("variable", "variables", &self.given),
            })
            .tell(problems);
        }
        partly
    }

    fn variables(&self, problems: &mut Problems) {
        let name = self.name;
        let used = self.templates().uses(name);
        let usual = self.given == ["text"] && !self.context.is_written(self.at, "variables");
        if usual && self.fits_others(&used, problems) {
            return;
        }
        // What is cut or bound anew under its own name is used as well, though not as it is.
        let touched = self.templates().touches(name);
        let idle = |given: &&String| !used.contains(*given) && !touched.contains(*given);
        for variable in self.given.iter().filter(idle) {
            Problem::error(
                    "lint::unused-variable",
                    format!("template `{name}` never uses `{variable}`, which it is given"),
                )
                .label_at(
                    self.listed(),
                    format!("the model would never see `{variable}`"),
                )
                .help(format!(
                    "put `{{{{ {variable} }}}}` where it belongs in `templates/{name}.j2`, or leave it out of `variables`"
                ))
            .tell(problems);
        }
        for variable in &used {
            if self.given.contains(variable) || self.free.contains(&variable.as_str()) {
                continue;
            }
            let free = self.free.iter().copied();
            let candidates: Vec<&str> = self.given.iter().map(String::as_str).chain(free).collect();
            let help = match nearest(variable, &candidates) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "give it a column of this name: `variables = [{}]`",
                    listed(&self.given, variable)
                ),
            };
            Problem::error(
                "lint::unknown-variable",
                format!("template `{name}` uses `{variable}`, which it is not given"),
            )
            .label_at(self.in_template(variable), "not given")
            .label_at(self.named(), "used here")
            .help(help)
            .tell(problems);
        }
    }

    /// Whether a template is for other columns than `text`, which it is given unless told otherwise.
    fn fits_others(&self, used: &BTreeSet<String>, problems: &mut Problems) -> bool {
        let free = |name: &str| self.free.contains(&name);
        let others: Vec<&str> = used
            .iter()
            .map(String::as_str)
            .filter(|name| !free(name))
            .collect();
        // `txt` is a slip, not another column.
        let meant = |other: &&str| nearest(other, &["text"]).is_some();
        if others.is_empty() || others.iter().any(meant) {
            return false;
        }
        let message = format!(
            "template `{}` uses {} and not `text`, which it is given by default",
            self.name,
            list_of(&others)
        );
        let quoted: Vec<String> = others.iter().map(|name| format!("\"{name}\"")).collect();
        Problem::error("lint::unused-variable", message)
            .label_at(self.named(), "its variables are not named")
            .help(format!(
                "name what it is given: `variables = [{}]`",
                quoted.join(", ")
            ))
            .tell(problems);
        true
    }

    fn metrics(&self, metrics: &[String], problems: &mut Problems) {
        let parts = self.templates().with_includes(self.name);
        let text: String = parts
            .iter()
            .filter_map(|part| self.templates().text(part))
            .map(str::to_lowercase)
            .collect();
        if self.templates().uses(self.name).contains("metrics") {
            return;
        }
        for metric in metrics {
            if !text.contains(&metric.to_lowercase()) {
                self.not_asked(metric, problems);
            }
        }
    }

    fn not_asked(&self, metric: &str, problems: &mut Problems) {
        Problem::error(
            "lint::metric-not-asked",
            format!("template `{}` never asks for `{metric}`", self.name),
        )
        .label_at(self.named(), format!("no reply would score `{metric}`"))
        .help(format!(
            "name `{metric}` in `templates/{}.j2`, or leave it out of `metrics`",
            self.name
        ))
        .tell(problems);
    }

    /// Whether a template can say the names of all columns that it is given.
    fn nameable(&self, problems: &mut Problems) -> bool {
        let sign = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let nameable =
            |name: &str| name.chars().all(sign) && !name.starts_with(|c: char| c.is_ascii_digit());
        let unnameable: Vec<&String> = self.given.iter().filter(|name| !nameable(name)).collect();
        for name in &unnameable {
            let plain: String = name
                .chars()
                .map(|c| if sign(c) { c } else { '_' })
                .collect();
            Problem::error(
                "lint::unnameable-variable",
                format!("a template cannot name the column `{name}`"),
            )
            .label_at(
                self.listed(),
                "names in templates have the letters a to z, digits and `_`",
            )
            .help(format!(
                "rename the column at its source, for example to `{plain}`"
            ))
            .tell(problems);
        }
        unnameable.is_empty()
    }

    /// Where the stage lists what the template is given.
    fn listed(&self) -> Option<Place> {
        let listed = [self.at, &["variables".to_owned()]].concat();
        let place = self.context.layers.tree().get(&listed);
        place
            .and_then(|tree| tree.place().cloned())
            .or_else(|| self.named())
    }

    /// How replies begin is a text, and said once.
    fn prefill(&self, prefill: &str, begins: bool, problems: &mut Problems) {
        let turn = "{% turn \"assistant\" %}…{% endturn %}";
        let name = self.name;
        let (message, label, help) = if prefill.trim().is_empty() {
            (
                "`prefill` is empty".to_owned(),
                "a reply begins with nothing by itself",
                "leave it out, or write how replies begin".to_owned(),
            )
        } else if prefill.contains("{{") || prefill.contains("{%") {
            (
                "`prefill` is sent as it is written".to_owned(),
                "no template",
                format!("for what a row holds, end `templates/{name}.j2` with `{turn}`"),
            )
        } else if begins {
            (
                format!(
                    "template `{name}` ends with a turn of `assistant`, with which the reply begins already"
                ),
                "says it again",
                "leave out `prefill`, or that turn".to_owned(),
            )
        } else {
            return;
        };
        let path = [self.at, &["prefill".to_owned()]].concat();
        self.context
            .problem("spec::bad-prefill", message, &path, label)
            .help(help)
            .tell(problems);
    }

    /// What may have been meant by a name that is no template.
    fn instead(&self, name: &str) -> String {
        let known = self.templates().names();
        match nearest(name, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => there_are("template", "templates", &known),
        }
    }

    /// Where the template, or one it includes, first has a word inside a tag.
    fn in_template(&self, word: &str) -> Option<Place> {
        let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
        let parts = self.templates().with_includes(self.name);
        parts.iter().find_map(|part| {
            let text = self.templates().text(part)?;
            let source = *self.context.templates.sources.get(part)?;
            let (at, _) = text.match_indices(word).find(|(at, _)| {
                let before = &text[..*at];
                let in_tag = before
                    .rfind('{')
                    .is_some_and(|open| !before[open..].contains('}'));
                let after = &text[at + word.len()..];
                in_tag && !before.ends_with(part_of_word) && !after.starts_with(part_of_word)
            })?;
            Some(Place::new(source, at..at + word.len()))
        })
    }
}

fn listed(given: &[String], more: &str) -> String {
    let names: Vec<String> = given
        .iter()
        .map(String::as_str)
        // What `compare` gives is not named.
        .filter(|name| !["first", "second"].contains(name))
        .chain([more])
        .map(|name| format!("\"{name}\""))
        .collect();
    names.join(", ")
}
