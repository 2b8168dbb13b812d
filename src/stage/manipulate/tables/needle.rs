//! Settings of needles.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Amount, Asks, Table};
use crate::language::manipulate::{Hay, NeedlePlace, NegationAfter};
use crate::stage::manipulate::check::Maker;

/// Where the changed sentence of a needle stands.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawNeedle {
    /// How many sentences stand before it.
    pub(crate) before: Option<usize>,
    /// How many sentences stand after it.
    pub(crate) after: Option<usize>,
    /// Whose sentences they are; `original` by default.
    pub(crate) hay: Option<Hay>,
    /// The most sentences on either side that any position of the experiment has; documents need as
    /// many around a needle. 9 by default.
    pub(crate) room: Option<usize>,
    /// How many sentences either way are tried when the middle one cannot be changed; 5 by
    /// default.
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
        let places = [("before", raw.before), ("after", raw.after)];
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
            if let Some(value) = value.filter(|value| *value > room) {
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
            before: raw.before?,
            after: raw.after?,
            hay: raw.hay.unwrap_or(usual.hay),
            room,
            reach: raw.reach.unwrap_or(usual.reach),
            not_after: usual.not_after.map(|usual| raw.not_after.unwrap_or(usual)),
        })
    }
}
