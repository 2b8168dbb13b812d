//! Settings of manipulations of names.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Amount, Asks, Table, settings};
use crate::base::wording::{list_of, nearest};
use crate::language::manipulate::entities::{EntityToTerm, SwapEntities};
use crate::language::manipulate::{Article, Entities, Mentions};
use crate::language::text::EntityKind;
use crate::stage::manipulate::check::Maker;
use crate::toml::{OneOrMany, Percent};

settings! {
    /// Settings of a manipulation of names.
    RawEntities {
        /// The kinds of names that take part, such as `["GPE", "LOC"]`; by default persons for
        /// `exchange-entities`, places and organisations for `entity-to-pronoun`.
        kinds: OneOrMany<String>,
    }
}

settings! {
    /// Settings of `swap-entities`.
    RawSwapEntities {
        /// The kinds of names that take part; `["PERSON"]` by default.
        kinds: OneOrMany<String>,
        /// Which mentions of a name are replaced; `all` by default.
        mentions: Mentions,
    }
}

settings! {
    /// Settings of `entity-to-term`.
    RawTerm {
        /// The kinds of names that take part; places and organisations by default.
        kinds: OneOrMany<String>,
        /// The replacement words; `["thing", "stuff"]` by default.
        terms: OneOrMany<String>,
        /// The article before the word, where the name has none; `either` by default.
        article: Article,
    }
}

impl Table for Entities {
    type Raw = RawEntities;

    fn check(raw: &RawEntities, usual: Self, maker: &mut Maker<'_>) -> Option<Self> {
        let kinds = kinds(maker, raw.kinds.as_ref(), usual.kinds);
        Some(Self { kinds })
    }
}

impl Table for SwapEntities {
    type Raw = RawSwapEntities;

    fn check(raw: &RawSwapEntities, usual: Self, maker: &mut Maker<'_>) -> Option<Self> {
        Some(Self {
            kinds: kinds(maker, raw.kinds.as_ref(), usual.kinds),
            mentions: raw.mentions.unwrap_or(usual.mentions),
        })
    }
}

impl Table for EntityToTerm {
    type Raw = RawTerm;

    fn check(raw: &RawTerm, usual: Self, maker: &mut Maker<'_>) -> Option<Self> {
        let terms = raw.terms.as_ref().map(|terms| terms.0.clone());
        let blank = |terms: &Vec<String>| {
            terms.is_empty() || terms.iter().any(|term| term.trim().is_empty())
        };
        if terms.as_ref().is_some_and(blank) {
            maker.bad(
                "terms",
                "`terms` needs words".to_owned(),
                "no word to put in",
                "name the replacement words: `terms = [\"thing\", \"stuff\"]`",
            );
        }
        Some(Self {
            kinds: kinds(maker, raw.kinds.as_ref(), usual.kinds),
            terms: terms.unwrap_or(usual.terms),
            article: raw.article.unwrap_or(usual.article),
        })
    }
}

/// The kinds of names that are written.
fn kinds(
    maker: &mut Maker<'_>,
    written: Option<&OneOrMany<String>>,
    usual: Vec<EntityKind>,
) -> Vec<EntityKind> {
    let Some(written) = written else {
        return usual;
    };
    let known: Vec<&str> = EntityKind::ALL.iter().map(|kind| kind.name()).collect();
    let mut kinds = Vec::new();
    for name in written {
        match EntityKind::ALL.into_iter().find(|kind| kind.name() == name) {
            Some(kind) if !kinds.contains(&kind) => kinds.push(kind),
            Some(_) => {}
            None => {
                let list = maker.path_of("kinds");
                maker.problems.push(
                    maker
                        .context
                        .problem(
                            "spec::unknown-entity",
                            format!("there is no kind of entity `{name}`"),
                            &maker.context.element(&list, name),
                            "not a kind of entity",
                        )
                        .help(match nearest(&name.to_uppercase(), &known) {
                            Some(near) => format!("did you mean `{near}`?"),
                            None => format!("the kinds are {}", list_of(&known)),
                        }),
                );
            }
        }
    }
    // Their order is no choice, so that both orders are one key.
    kinds.sort_unstable();
    if written.is_empty() {
        maker.bad(
            "kinds",
            "`kinds` is empty".to_owned(),
            "nothing to change",
            "name the kinds of entities that take part, or leave `kinds` out",
        );
    }
    kinds
}
