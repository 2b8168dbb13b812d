//! Recorded columns that hold several settings in one text.

use std::collections::{BTreeMap, BTreeSet};

use super::Context;
use super::raw::RawModel;
use crate::models::local::Pattern;
use crate::toml::Problems;

/// How they are put together; no two parts of a model share a name.
pub(crate) fn parts(
    context: &Context<'_>,
    at: &[String],
    raw: &RawModel,
    problems: &mut Problems,
) -> BTreeMap<String, Pattern> {
    let mut patterns = BTreeMap::new();
    let mut names = BTreeSet::new();
    for (column, written) in raw.parts.iter().flatten() {
        let pattern = Pattern::parse(written).and_then(|pattern| {
            for name in pattern.names() {
                if !names.insert(name.to_owned()) {
                    return Err(format!("names a part `{name}`, as another pattern does"));
                }
            }
            Ok(pattern)
        });
        match pattern {
            Ok(pattern) => {
                patterns.insert(column.clone(), pattern);
            }
            Err(why) => context
                    .problem(
                        "spec::bad-pattern",
                        format!("the pattern `{written}` {why}"),
                        &[at, &["parts".to_owned(), column.clone()]].concat(),
                        "cannot be split unambiguously",
                    )
                    .help("write the text with names in the places that change: `sr-{scan}_sor-{overlap}`")
            .tell(problems),
        }
    }
    patterns
}
