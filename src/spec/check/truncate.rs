//! `truncate` stages.

use super::Context;
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
        tokenizer: raw.tokenizer.unwrap_or_default(),
    })
}
