//! `split` stages.

use std::ops::Range;

use super::SPLIT_COLUMNS;
use super::pattern;
use super::raw::RawSplit;
use crate::base::wording::list_of;
use crate::stage::check::RowShape;
use crate::stage::check::{Checking, Written};
use crate::stage::check::{Context, columns, tokenizer};
use crate::stage::{Cut, Parts, Split, reason_column};
use crate::toml::{Place, Problem, Problems};

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
            Cut::Pattern => &["pattern"],
            Cut::Paragraphs | Cut::Chapters | Cut::Sentences => &[],
        };
        for key in ["tokens", "overlap", "tokenizer", "characters", "pattern"] {
            if context.is_written(at, key) && !own.contains(&key) {
                let help = match own {
                    [] => format!(
                        "remove it: `into = \"{}\"` has no settings of its own",
                        cut.name()
                    ),
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
            Cut::Sentences => Parts::Sentences,
            Cut::Pattern => Parts::Pattern {
                pattern: pattern(context, at, raw, problems)?,
            },
        };
        let column = raw.column.clone().unwrap_or_else(|| "text".to_owned());
        if let Some(count) = &raw.count {
            let before = problems.errors();
            columns::made(checking, &path("count"), count, problems);
            if problems.errors() == before
                && (SPLIT_COLUMNS.contains(&count.as_str()) || *count == reason_column(&column))
            {
                context
                    .problem(
                        "spec::bad-name",
                        format!("two new columns would be called `{count}`"),
                        &path("count"),
                        "`split` adds it already",
                    )
                    .help("use another name: `count = \"parts\"`")
                    .tell(problems);
            }
        }
        (problems.errors() == before).then(|| Split {
            from,
            column,
            count: raw.count.clone(),
            parts,
        })
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

/// Where parts begin.
fn pattern(
    context: &Context<'_>,
    at: &[String],
    raw: &RawSplit,
    problems: &mut Problems,
) -> Option<String> {
    let Some(written) = &raw.pattern else {
        if !context.is_written(at, "pattern") {
            context
                .missing(at, "pattern")
                .help("write what parts begin with, as a regular expression: `pattern = '^# '`")
                .tell(problems);
        }
        return None;
    };
    let place = context.place(&[at, &["pattern".to_owned()]].concat());
    let (place, message, label, help) = match pattern::read(written) {
        Ok(expression) if !pattern::is_everywhere(&expression) => return Some(written.clone()),
        Ok(_) => (
            place,
            "`pattern` matches between any two letters".to_owned(),
            "every letter would be a part".to_owned(),
            "write what parts begin with, such as `'^# '`",
        ),
        Err(why) => (
            within(context, place, written, why.at),
            "`pattern` is no regular expression".to_owned(),
            why.message,
            "a letter with a meaning of its own stands for itself after a `\\`: `'^\\(a\\) '`",
        ),
    };
    Problem::error("spec::bad-value", message)
        .label_at(place, label)
        .help(help)
        .tell(problems);
    None
}

/// The place of some bytes of a text, where it is written as it is.
fn within(
    context: &Context<'_>,
    place: Option<Place>,
    written: &str,
    bytes: Option<Range<usize>>,
) -> Option<Place> {
    let whole = place?;
    let Some(bytes) = bytes else {
        return Some(whole);
    };
    let sources = context.layers.sources();
    let text = sources.text(whole.source).get(whole.span.clone());
    let start = whole.span.start + 1;
    match text.and_then(|text| text.get(1..text.len() - 1)) {
        Some(inner) if inner == written => Some(Place::new(
            whole.source,
            start + bytes.start..start + bytes.end,
        )),
        _ => Some(whole),
    }
}

fn there_are(keys: &[&str]) -> String {
    match keys {
        [one] => format!("is `{one}`"),
        several => format!("are {}", list_of(several)),
    }
}
