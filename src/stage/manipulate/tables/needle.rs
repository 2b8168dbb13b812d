//! Settings of needles.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Amount, Asks, Table};
use crate::language::manipulate::{Hay, NeedlePlace, NegationAfter};
use crate::stage::manipulate::check::Maker;
use crate::toml::OneOrMany;

/// Where the changed sentence of a needle stands.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawNeedle {
    /// How many sentences are before the needle. With a list, each number is combined with each of `after`, and every
    /// position is a row, with the columns `before` and `after`.
    pub(crate) before: Option<OneOrMany<usize>>,
    /// How many sentences are after the needle, or a list.
    pub(crate) after: Option<OneOrMany<usize>>,
    /// Whose sentences surround the needle; `original` by default.
    pub(crate) hay: Option<Hay>,
    /// The largest number of sentences on either side in any position of the experiment; documents need that many
    /// around a needle. 9 by default.
    pub(crate) room: Option<usize>,
    /// How many sentences in either direction are tried if the middle one cannot be changed; 5 by default.
    pub(crate) reach: Option<usize>,
    /// For `negation`: where `not` is put; by default after the main verb, as in
    /// the paper.
    pub(crate) not_after: Option<NegationAfter>,
}

impl Asks for RawNeedle {
    fn amount(&self) -> Option<Amount> {
        None
    }
}

impl Table for NeedlePlace {
    type Raw = RawNeedle;

    fn check(raw: &RawNeedle, usual: Self, maker: &mut Maker<'_>) -> Option<Self> {
        let room = raw.room.unwrap_or(usual.room);
        let places = [("before", &raw.before), ("after", &raw.after)];
        for (key, value) in places {
            if value.is_none() && maker.is_applied() && !maker.is_written(key) {
                maker.missing(
                    format!("the needle has no `{key}`"),
                    &format!("`{key}` is missing here"),
                    "write how many sentences surround it: `needle = { before = 3, after = 3 }`"
                        .to_owned(),
                );
            }
        }
        for (key, value) in places {
            let Some(values) = value else {
                continue;
            };
            if values.is_empty() {
                maker.bad(
                    key,
                    format!("`{key}` is empty: the needle would stand nowhere"),
                    "no position",
                    "write how many sentences surround it: `needle = { before = 3, after = 3 }`",
                );
                return None;
            }
            let twice = (1..values.len()).find(|&at| values[..at].contains(&values[at]));
            if let Some(at) = twice {
                maker.bad(
                    key,
                    format!("{} stands twice in `{key}`", values[at]),
                    "named twice",
                    "remove one of them: every position is one row of a document",
                );
                return None;
            }
            if let Some(value) = values.iter().find(|value| **value > room) {
                maker.bad(
                    key,
                    format!("{value} sentences do not fit into a room of {room}"),
                    "too many",
                    &format!(
                        "every position is tried on the same documents: write `room = {value}` or more, the same for all positions"
                    ),
                );
            }
        }
        Some(Self {
            before: raw.before.clone()?.0,
            after: raw.after.clone()?.0,
            hay: raw.hay.unwrap_or(usual.hay),
            room,
            reach: raw.reach.unwrap_or(usual.reach),
            not_after: usual.not_after.map(|usual| raw.not_after.unwrap_or(usual)),
        })
    }
}
