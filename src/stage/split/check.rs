//! `split` stages.

use super::raw::RawSplit;
use crate::base::wording::list_of;
use crate::stage::check::RowShape;
use crate::stage::check::{Checking, Written};
use crate::stage::check::{Context, tokenizer};
use crate::stage::{Cut, Parts, Split};
use crate::toml::{Problem, Problems};

/// Characters that a section has at least (thesis, 3.2.3).
const SECTION_CHARACTERS: usize = 3000;

impl Written for Split {
    type Raw = RawSplit;

    fn check(raw: &RawSplit, checking: &Checking<'_>, problems: &mut Problems) -> Option<Self> {
        let Checking { context, at, .. } = *checking;
        let from = checking.from();
        let path = |key: &str| [at, &[key.to_owned()]].concat();
        let before = problems.errors();
        if raw.into.is_none() && context.is_written(at, "into") {
            return None;
        }
        let cut = raw.into.unwrap_or_default();
        let own: &[&str] = match cut {
            Cut::Scans => &["tokens", "overlap", "tokenizer"],
            Cut::Chunks => &["tokens", "tokenizer"],
            Cut::Sections => &["characters"],
            Cut::Paragraphs | Cut::Chapters => &[],
        };
        for key in ["tokens", "overlap", "tokenizer", "characters"] {
            if context.is_written(at, key) && !own.contains(&key) {
                let help = match own {
                    [] => format!("`into = \"{}\"` needs no other key", cut.name()),
                    own => format!("with `into = \"{}\"` there {}", cut.name(), there_are(own)),
                };
                Problem::warning(
                    "lint::idle-key",
                    format!("`{key}` has no effect on {}", cut.name()),
                )
                .label_at(context.place(&path(key)), "without effect")
                .help(help)
                .tell(problems);
            }
        }
        let parts = match cut {
            Cut::Scans | Cut::Chunks => {
                let tokens = tokens(context, at, raw, problems);
                let named = raw.tokenizer.as_deref();
                let tokenizer = tokenizer::named(context, &path("tokenizer"), named, problems)?;
                match cut {
                    Cut::Chunks => Parts::Chunks { tokens, tokenizer },
                    _ => Parts::Scans {
                        tokens,
                        overlap: raw.overlap.unwrap_or_default(),
                        tokenizer,
                    },
                }
            }
            Cut::Sections => Parts::Sections {
                characters: raw.characters.unwrap_or(SECTION_CHARACTERS),
            },
            Cut::Paragraphs => Parts::Paragraphs,
            Cut::Chapters => Parts::Chapters,
        };
        (problems.errors() == before).then_some(Split { from, parts })
    }

    fn shape(&self, checking: &Checking<'_>) -> RowShape {
        checking.by_axes()
    }
}

/// How many tokens a part has.
fn tokens(context: &Context<'_>, at: &[String], raw: &RawSplit, problems: &mut Problems) -> u64 {
    let help = "write how long a part is: `tokens = 1000`";
    if raw.tokens.is_none() && !context.is_written(at, "tokens") {
        context.missing(at, "tokens").help(help).tell(problems);
    }
    if raw.tokens == Some(0) {
        let path = [at, &["tokens".to_owned()]].concat();
        context
            .problem(
                "spec::bad-value",
                "parts of 0 tokens hold nothing".to_owned(),
                &path,
                "too few",
            )
            .help(help)
            .tell(problems);
    }
    raw.tokens.unwrap_or(1)
}

fn there_are(keys: &[&str]) -> String {
    match keys {
        [one] => format!("is `{one}`"),
        several => format!("are {}", list_of(several)),
    }
}
