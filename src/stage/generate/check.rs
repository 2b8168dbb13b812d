//! `generate` stages: the model, the template, where the text goes.

use super::raw::RawGenerate;
use crate::models::score::Scale;
use crate::stage::check::RowShape;
use crate::stage::check::line::Line;
use crate::stage::check::{Checking, Written};
use crate::stage::check::{Context, asked, logprobs, paths, prompt};
use crate::stage::{Generate, Previous, Shape};
use crate::toml::Problems;

impl Written for Generate {
    type Raw = RawGenerate;

    fn check(raw: &RawGenerate, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking {
            context, at, known, ..
        } = *checking;
        let from = checking.from();
        let path = |key: &str| [at, &[key.to_owned()]].concat();
        let before = problems.errors();
        let written = prompt::Written {
            prompt: raw.prompt.as_ref(),
            variables: raw.variables.as_ref(),
            shows: raw.shows.as_ref(),
            prefill: raw.prefill.as_ref(),
            metrics: None,
            named: false,
            scale: Scale::HALF_POINTS_1_TO_5,
        };
        let prompt = prompt::check(context, at, &written, problems);
        let repeats = asked::repeats(context, at, raw.repeats, problems);
        into(context, at, raw, problems);
        let shape = raw.shape.unwrap_or_default();
        if raw.schema.is_some() && shape != Shape::Json {
            context
                .problem(
                    "spec::bad-structure",
                    "a text with a schema must be JSON".to_owned(),
                    &path("schema"),
                    "needs `shape = \"json\"`",
                )
                .help("add `shape = \"json\"`, or leave `schema` out")
                .tell(problems);
        }
        let schema = match &raw.schema {
            Some(file) => Some(paths::file(context, &path("schema"), file, problems)?),
            None => None,
        };
        let model = asked::model(context, at, raw.model.as_ref(), problems)?;
        if !model.provider.reads_prompts() {
            context
                .problem(
                    "spec::bad-writer",
                    format!("model `{}` writes no texts", model.name),
                    &path("model"),
                    "only judges",
                )
                .help("take a model on a server, or a scripted one")
                .tell(problems);
        } else if raw.prompt.is_none() {
            asked::no_prompt(context, at, &model, problems);
        }
        let logprobs = logprobs::kept(context, at, raw.logprobs, &model, problems);
        let max_unwritten = asked::share(
            context,
            &path("max-unwritten"),
            (raw.max_unwritten, asked::UNWRITTEN),
            problems,
        );
        let held = raw.schema.as_ref().map(|_| "schema");
        asked::begins(context, at, &model, prompt.as_ref(), held, problems);
        let batch = asked::batch(context, at, &model, raw.batch, problems);
        let prompt = prompt.filter(|_| problems.errors() == before)?;
        let previous = raw.previous.unwrap_or(false).then(|| Previous {
            key: Line::of_sections(std::slice::from_ref(&from), known).key("section"),
        });
        Some(Generate {
            from,
            model,
            prompt,
            into: raw.into.clone()?,
            shape,
            schema,
            previous,
            logprobs,
            repeats,
            retry_cut: raw.retry_cut.unwrap_or(3),
            batch,
            max_unwritten,
        })
    }

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        checking.by_axes()
    }
}

/// The column that the text goes into.
fn into(context: &Context<'_>, at: &[String], raw: &RawGenerate, problems: &mut Problems) {
    let Some(into) = &raw.into else {
        if !context.is_written(at, "into") {
            context
                    .missing(at, "into")
                    .help("name the column for the generated text: `into = \"summary\"`; `text` replaces the text")
            .tell(problems);
        }
        return;
    };
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !into.starts_with(|c: char| c.is_ascii_alphabetic()) || !into.chars().all(fits) {
        let path = [at, &["into".to_owned()]].concat();
        context
            .problem(
                "spec::bad-name",
                format!("`{into}` cannot be the name of a column"),
                &path,
                "not a name to use here",
            )
            .help("use letters, digits and `_`, beginning with a letter: templates name it")
            .tell(problems);
    }
}
