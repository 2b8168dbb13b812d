//! `truncate` stages.

use super::{Context, tokenizer};
use crate::spec::Problems;
use crate::spec::raw::RawTruncate;
use crate::stage::{StageName, Truncate};

pub(super) fn check(
    context: &Context<'_>,
    at: &[String],
    raw: &RawTruncate,
    from: StageName,
    problems: &mut Problems,
) -> Option<Truncate> {
    let path = [at, &["tokenizer".to_owned()]].concat();
    let tokenizer = tokenizer::named(context, &path, raw.tokenizer.as_deref(), problems);
    let Some(tokens) = raw.tokens else {
        if context.is_written(at, "tokens") {
            return None;
        }
        problems.push(
            context
                .problem(
                    "spec::missing-key",
                    format!("`{}` has no `tokens`", at.join(".")),
                    at,
                    "`tokens` is missing here",
                )
                .help("say how much is kept: `tokens = 2000`, or `tokens = \"full\"`"),
        );
        return None;
    };
    Some(Truncate {
        from,
        tokens,
        tokenizer: tokenizer?,
    })
}
