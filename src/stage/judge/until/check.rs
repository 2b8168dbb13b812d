//! `until` as it is written, and what that means.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Order, Until};
use crate::stage::check::{Context, columns};
use crate::toml::{OneOrMany, Problems};

/// Asks about rows of each group until the mean of their scores settles.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawUntil {
    /// The columns whose values make a group; all rows are one group by default.
    by: Option<OneOrMany<String>>,
    /// The fewest answers with a score.
    least: Option<usize>,
    /// The number of further answers over which the mean must stay stable.
    window: Option<usize>,
    /// The largest change of the mean that counts as stable.
    within: Option<f64>,
    /// The most rows that are asked about in a group; all by default.
    most: Option<usize>,
    /// Whether all groups get as many answers as the group with the most.
    align: Option<bool>,
    /// The order of a group's rows: `drawn` by the seed (the default), or `given` by the table.
    order: Option<Order>,
}

/// When a judge has asked enough, if it is said.
pub(in crate::stage::judge) fn until(
    context: &Context<'_>,
    at: &[String],
    raw: Option<&RawUntil>,
    batch: bool,
    problems: &mut Problems,
) -> Option<Until> {
    let raw = raw?;
    let path = |key: &str| [at, &[key.to_owned()]].concat();
    for (key, missing, example) in [
        ("least", raw.least.is_none(), "100"),
        ("window", raw.window.is_none(), "10"),
        ("within", raw.within.is_none(), "1"),
    ] {
        if missing && !context.is_written(at, key) {
            context
                .missing(at, key)
                .help(format!("add `{key} = {example}`"))
                .tell(problems);
        }
    }
    let mut wrong = |key: &str, message: String, label: &str, help: &str| {
        let place = if key.is_empty() {
            at.to_vec()
        } else {
            path(key)
        };
        context
            .problem("spec::bad-until", message, &place, label)
            .help(help)
            .tell(problems);
    };
    if batch {
        wrong(
            "",
            "a batch asks about all rows at once".to_owned(),
            "asks until it is enough",
            "leave out `batch`, or `until`",
        );
    }
    if raw.least == Some(0) {
        wrong(
            "least",
            "`least` cannot be 0".to_owned(),
            "nothing would be asked",
            "write at least 2",
        );
    }
    if raw.window == Some(0) {
        wrong(
            "window",
            "`window` cannot be 0".to_owned(),
            "every mean would be settled",
            "write over how many more answers it must stay",
        );
    }
    if let (Some(least), Some(window)) = (raw.least, raw.window)
        && window >= least
        && least > 0
    {
        wrong(
            "window",
            format!("a window of {window} is no shorter than `least`"),
            "reaches to before the first answer",
            "make `window` shorter, or `least` larger",
        );
    }
    if raw
        .within
        .is_some_and(|within| !within.is_finite() || within < 0.0)
    {
        wrong(
            "within",
            "`within` cannot be less than 0".to_owned(),
            "no mean is that still",
            "write by how much the mean may move, such as 1",
        );
    }
    if let (Some(least), Some(most)) = (raw.least, raw.most)
        && most < least
    {
        wrong(
            "most",
            format!("`most` cannot be {most}, which is less than `least`"),
            "ends before it may",
            "raise `most`, or lower `least`",
        );
    }
    let by = raw.by.clone().unwrap_or_default().0;
    if by.iter().any(|name| name == "text") {
        wrong(
            "by",
            "the table of a judge has no `text` to tell groups by".to_owned(),
            "a text of its own each",
            "name columns that rows of a group share",
        );
    }
    columns::each_once(context, &path("by"), &by, "column", problems);
    Some(Until {
        by,
        least: raw.least?,
        window: raw.window?,
        within: raw.within?,
        most: raw.most,
        align: raw.align.unwrap_or(false),
        order: raw.order.unwrap_or_default(),
    })
}
