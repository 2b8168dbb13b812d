//! `source` stages.

use std::path::PathBuf;

use url::Url;

use super::raw::RawSource;
use crate::base::wording::{list_of, nearest};
use crate::stage::check::RowShape;
use crate::stage::check::{Checking, Written};
use crate::stage::check::{Context, paths};
use crate::stage::{BOOK_COLUMNS, MIRROR, Source};
use crate::toml::{Problem, Problems};

impl Written for Source {
    type Raw = RawSource;

    fn check(raw: &RawSource, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking { context, at, .. } = *checking;
        let path = |key: &str| [at, &[key.to_owned()]].concat();
        let files = files(context, &path("files"), raw, problems);
        let gutenberg = ids(context, &path("gutenberg"), raw, problems);
        let mirror = mirror(context, &path("mirror"), raw, problems);
        let given = (
            raw.files.as_ref().is_some_and(|files| !files.is_empty()),
            raw.gutenberg.as_ref().is_some_and(|ids| !ids.is_empty()),
        );
        match given {
            (false, false) => {
                // Of another type: reported where it is read.
                let mistyped = raw.files.is_none() && context.is_written(at, "files")
                    || raw.gutenberg.is_none() && context.is_written(at, "gutenberg");
                if !mistyped {
                    problems.push(missing(context, at));
                }
                return None;
            }
            (true, true) => context
                .problem(
                    "spec::bad-value",
                    format!("`{}` has both `files` and `gutenberg`", at.join(".")),
                    &path("gutenberg"),
                    "books to fetch",
                )
                .label_at(context.place(&path("files")), "files to read")
                .help("make two stages of it, or take one of the two back: `files = []`")
                .tell(problems),
            (false, true) => columns(context, &path("columns"), raw, problems),
            (true, false) if raw.mirror.is_some() => Problem::warning(
                "lint::idle-parameter",
                format!("`{}` reads files and ignores `mirror`", at.join(".")),
            )
            .label_at(context.place(&path("mirror")), "has no effect")
            .help("remove it, or name books with `gutenberg`")
            .tell(problems),
            (true, false) => {}
        }
        let metadata = match &raw.metadata {
            Some(file) => Some(paths::file(context, &path("metadata"), file, problems)?),
            None => None,
        };
        Some(Source {
            files,
            gutenberg,
            mirror,
            metadata,
            id: raw.id.clone(),
            text: raw.text.clone(),
            columns: raw.columns.clone().unwrap_or_default(),
            key: raw
                .key
                .clone()
                .map_or_else(|| vec!["doc_id".to_owned()], |key| key.0),
            empty: raw.empty.unwrap_or_default(),
        })
    }

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        checking.by_axes()
    }
}

fn missing(context: &Context<'_>, at: &[String]) -> Problem {
    context
        .problem(
            "spec::missing-key",
            format!("`{}` has neither `files` nor `gutenberg`", at.join(".")),
            at,
            "`files` or `gutenberg` is missing here",
        )
        .help("name the documents: `files = \"gold/*.txt\"` or `gutenberg = [11, 1342]`")
}

fn files(
    context: &Context<'_>,
    at: &[String],
    raw: &RawSource,
    problems: &mut Problems,
) -> Vec<PathBuf> {
    raw.files
        .iter()
        .flatten()
        .filter_map(|file| paths::file(context, at, file, problems))
        .collect()
}

/// The numbers of books, without those that are none or stand there twice.
fn ids(context: &Context<'_>, at: &[String], raw: &RawSource, problems: &mut Problems) -> Vec<u64> {
    let mut ids = Vec::new();
    for (index, &id) in raw.gutenberg.iter().flatten().enumerate() {
        let element = [at, &[index.to_string()]].concat();
        match u64::try_from(id) {
            Ok(id) if ids.contains(&id) => context
                    .problem(
                        "spec::twice",
                        format!("book {id} is named twice"),
                        &element,
                        "named again",
                    )
                    .help("name each book once")
            .tell(problems),
            Ok(id) if id > 0 => ids.push(id),
            _ => context
                    .problem(
                        "spec::out-of-range",
                        format!("no book has the number {id}"),
                        &element,
                        "out of range",
                    )
                    .help("the number is the end of the book's address: https://www.gutenberg.org/ebooks/1342")
            .tell(problems),
        }
    }
    ids
}

/// Where books are fetched from.
fn mirror(
    context: &Context<'_>,
    at: &[String],
    raw: &RawSource,
    problems: &mut Problems,
) -> String {
    let Some(mirror) = &raw.mirror else {
        return MIRROR.to_owned();
    };
    let mut wrong = |message: String, label: &str, help: String| {
        let problem = context.problem("spec::bad-value", message, at, label);
        problems.push(problem.help(help));
    };
    if !mirror.contains("{id}") {
        wrong(
            "a mirror needs `{id}` for the number of the book".to_owned(),
            "has no `{id}`",
            format!("write `{{id}}` where the number goes, as in `{MIRROR}`"),
        );
    }
    match Url::parse(&mirror.replace("{id}", "1")) {
        Ok(url) if !["http", "https"].contains(&url.scheme()) => wrong(
            format!("books cannot be fetched over `{}`", url.scheme()),
            "neither http nor https",
            "write a url that begins with `https://`".to_owned(),
        ),
        Ok(url) if !url.username().is_empty() || url.password().is_some() => wrong(
            "a mirror cannot hold a name or a password".to_owned(),
            "would appear in reports",
            "remove what comes before `@`".to_owned(),
        ),
        Ok(_) => {}
        Err(error) => wrong(
            format!("the mirror is not a url: {error}"),
            "not a url",
            format!("write a url that begins with `https://`, as in `{MIRROR}`"),
        ),
    }
    mirror.clone()
}

/// Refuses columns that books do not have; those of the metadata are all kept and not listed.
fn columns(context: &Context<'_>, at: &[String], raw: &RawSource, problems: &mut Problems) {
    for name in raw.columns.iter().flatten() {
        if ["doc_id", "text"].contains(&&**name) || BOOK_COLUMNS.contains(&&**name) {
            continue;
        }
        let help = match nearest(name, &BOOK_COLUMNS) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the columns of a book are {}", list_of(&BOOK_COLUMNS)),
        };
        context
            .problem(
                "spec::unknown-column",
                format!("books have no column `{name}`"),
                &context.element(at, name),
                "not a column of a book",
            )
            .help(help)
            .tell(problems);
    }
}
