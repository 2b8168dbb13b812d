//! `source` stages.

use super::{Context, paths};
use crate::spec::Problems;
use crate::spec::raw::RawSource;
use crate::stage::Source;

pub(super) fn check(
    context: &Context<'_>,
    at: &[String],
    raw: &RawSource,
    problems: &mut Problems,
) -> Option<Source> {
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    let before = problems.errors();
    let Some(written) = raw.files.as_ref().filter(|files| !files.is_empty()) else {
        let empty = raw.files.is_some() && problems.errors() == before;
        if !empty && context.is_written(at, "files") {
            return None;
        }
        problems.push(
            context
                .problem(
                    "spec::missing-key",
                    format!("`{}` has no `files`", at.join(".")),
                    at,
                    "`files` is missing here",
                )
                .help("name the documents: `files = \"gold/*.txt\"`"),
        );
        return None;
    };
    let files: Vec<_> = written
        .iter()
        .filter_map(|file| paths::file(context, &path("files"), file, problems))
        .collect();
    let metadata = match &raw.metadata {
        Some(file) => Some(paths::file(context, &path("metadata"), file, problems)?),
        None => None,
    };
    Some(Source {
        files,
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
