//! Tokenizers by name or file.

use super::{Context, paths};
use crate::base::wording::{list_of, nearest};
use crate::language::text::TokenizerSpec;
use crate::toml::Problems;

/// The tokenizer that the value at `path` names; words between blanks where nothing is named.
pub(crate) fn named(
    context: &Context<'_>,
    path: &[String],
    written: Option<&str>,
    problems: &mut Problems,
) -> Option<TokenizerSpec> {
    let Some(written) = written else {
        return Some(TokenizerSpec::default());
    };
    if std::path::Path::new(written)
        .extension()
        .is_some_and(|ending| ending == "json")
    {
        return paths::file(context, path, written, problems).map(TokenizerSpec::File);
    }
    let known = TokenizerSpec::names();
    if let Some(name) = known.iter().find(|name| **name == written) {
        return Some(TokenizerSpec::Named(name));
    }
    context
        .problem(
            "spec::unknown-tokenizer",
            format!("there is no tokenizer `{written}`"),
            path,
            "not a tokenizer",
        )
        .help(match nearest(written, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!(
                "the names are {}; a file must end in `.json`",
                list_of(&known)
            ),
        })
        .tell(problems);
    None
}
