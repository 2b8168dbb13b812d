//! Settings of manipulations of passages.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Amount, Asks, Table, settings};
use crate::language::manipulate::anachronism::TemporalInconsistencies;
use crate::language::manipulate::repeat::RepeatContent;
use crate::language::manipulate::{Passages, is_statement};
use crate::language::text::Scope;
use crate::stage::manipulate::check::Maker;
use crate::toml::Percent;

settings! {
    /// Settings of a manipulation of passages.
    RawContent {
        /// What a passage is; `paragraph` by default.
        scope: Scope,
        /// The minimum length of a passage, in characters; shorter ones are not used, and sections are filled up to
        /// this length. 50 for a paragraph and 3000 for a section by default.
        min_characters: usize,
    }
}

settings! {
    /// Settings of `repeat-content`.
    RawRepeat {
        /// What a passage is; `paragraph` by default.
        scope: Scope,
        /// The minimum length of a passage, in characters; shorter ones are not used, and sections are filled up to
        /// this length. 50 for a paragraph and 3000 for a section by default.
        min_characters: usize,
        /// How often a passage is repeated; 1 by default.
        times: usize,
    }
}

settings! {
    /// Settings of `temporal-inconsistencies`.
    RawTemporal {
        /// The fewest characters of a paragraph that takes part; 50 by default.
        min_characters: usize,
        /// The sentences to add, instead of the built-in ones.
        statements: Vec<String>,
    }
}

/// Passages of a scope, as long as is said or as is usual for it.
fn passages(scope: Option<Scope>, min_characters: Option<usize>, usual: Passages) -> Passages {
    let scope = scope.unwrap_or(usual.scope);
    Passages {
        scope,
        min_characters: min_characters.unwrap_or(scope.default_chars()),
        ..usual
    }
}

impl Table for Passages {
    type Raw = RawContent;

    fn check(raw: &RawContent, usual: Self, _: &mut Maker<'_>) -> Option<Self> {
        Some(passages(raw.scope, raw.min_characters, usual))
    }
}

impl Table for RepeatContent {
    type Raw = RawRepeat;

    fn check(raw: &RawRepeat, Self(usual): Self, maker: &mut Maker<'_>) -> Option<Self> {
        let times = raw.times.unwrap_or(usual.times);
        if !(1..=255).contains(&times) {
            maker.bad(
                "times",
                format!("a passage cannot be repeated {times} times"),
                "from 1 to 255",
                "write how often the passage is repeated: `times = 1`",
            );
        }
        let passages = passages(raw.scope, raw.min_characters, usual);
        Some(Self(Passages { times, ..passages }))
    }
}

impl Table for TemporalInconsistencies {
    type Raw = RawTemporal;

    fn check(raw: &RawTemporal, usual: Self, maker: &mut Maker<'_>) -> Option<Self> {
        if raw.statements.as_ref().is_some_and(Vec::is_empty) {
            maker.bad(
                "statements",
                "`statements` is empty".to_owned(),
                "nothing to add",
                "write the sentences to add, or leave `statements` out for the built-in ones",
            );
        }
        for statement in raw.statements.iter().flatten() {
            if !is_statement(statement) {
                let place = maker
                    .context
                    .element(&maker.path_of("statements"), statement);
                let message = "a statement is one sentence on one line".to_owned();
                maker.problems.push(
                    maker
                        .context
                        .problem("spec::bad-value", message, &place, "not a sentence")
                        .help("write a sentence that ends with `.`, `!` or `?`"),
                );
            }
        }
        Some(Self {
            min_characters: raw.min_characters.unwrap_or(usual.min_characters),
            statements: raw.statements.clone().or(usual.statements),
        })
    }
}
