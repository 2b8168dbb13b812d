//! `truncate` stages.

use super::raw::RawTruncate;
use crate::stage::Truncate;
use crate::stage::check::RowShape;
use crate::stage::check::tokenizer;
use crate::stage::check::{Checking, Written};
use crate::toml::Problems;

impl Written for Truncate {
    type Raw = RawTruncate;

    fn check(raw: &RawTruncate, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking { context, at, .. } = *checking;
        let from = checking.from();
        let path = [at, &["tokenizer".to_owned()]].concat();
        let tokenizer = tokenizer::named(context, &path, raw.tokenizer.as_deref(), problems);
        let Some(tokens) = raw.tokens else {
            if context.is_written(at, "tokens") {
                return None;
            }
            context
                .missing(at, "tokens")
                .help("write how much to keep: `tokens = 2000`, or `tokens = \"full\"`")
                .tell(problems);
            return None;
        };
        Some(Truncate {
            from,
            tokens,
            tokenizer: tokenizer?,
        })
    }

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        checking.by_axes()
    }
}
