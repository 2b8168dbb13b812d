//! How pooled groups of `stats` stages are written, and what is warned of where rows are put together unawares.

use super::raw::RawStats;
use super::setting::looks_at;
use crate::stage::check::Context;
use crate::stage::pool::{self, Pool};
use crate::stage::{ITEM, Pair, StageName, Test};
use crate::stats::measure::Role;
use crate::toml::{Problem, Problems};

/// What documents are told apart by.
const DOCUMENT: &str = "doc_id";

/// Warns of a row for each place of the lists that a judge read: what is third in one list is none of the third in another.
pub(super) fn by_place(
    context: &Context<'_>,
    at: &[String],
    (raw, by): (&RawStats, &[String]),
    problems: &mut Problems,
) {
    let named = raw.by.iter().flatten().any(|name| name == ITEM);
    if named || !by.iter().any(|name| name == ITEM) {
        return;
    }
    let over: Vec<&str> = raw.over.iter().flatten().map(String::as_str).collect();
    let over: Vec<String> = if over.is_empty() {
        vec![DOCUMENT]
    } else {
        over
    }
    .into_iter()
    .chain([ITEM])
    .map(|name| format!("\"{name}\""))
    .collect();
    Problem::warning(
        "lint::item",
        format!("`{}` has a row for each place in the lists that were judged", at.join(".")),
    )
    .label_at(context.place(at), "by `item`")
    .help(format!(
        "for one over all elements write `over = [{}]`; write `item` in `by` if a row for each place is meant",
        over.join(", ")
    ))
    .tell(problems);
}

/// The pooled groups; `by` is known where what is read is.
pub(super) fn read(
    (context, at): (&Context<'_>, &[String]),
    (raw, test): (&RawStats, Test),
    (by, over, pair): (&[String], &[String], &[Pair]),
    problems: &mut Problems,
) -> Vec<Pool> {
    let lost = |column: &str| {
        if pair.iter().any(|pair| pair.axis == column) {
            return Some(
                "it is compared along; `pool = true` in `pair` takes its levels together"
                    .to_owned(),
            );
        }
        over.iter().any(|name| name == column).then(|| {
            format!("`over` puts the values of `{column}` together already; name it in `by` to tell them apart as well")
        })
    };
    let pool = pool::read(context, at, raw.pool.as_ref(), (by, &lost), problems);
    documents((context, at), (raw, test), (over, &pool), problems);
    pool
}

/// Warns of statistics over a column whose pooled groups count once more.
pub(super) fn again(
    context: &Context<'_>,
    at: &[String],
    raw: &RawStats,
    (from, over, by): (&[StageName], &[String], &[String]),
    problems: &mut Problems,
) {
    let together = over.iter().filter(|name| !by.contains(name));
    for name in together.filter(|_| raw.condition.is_none()) {
        for from in from {
            let place = context.element(at, name);
            pool::counted_twice(context, &place, (from, name), problems);
        }
    }
}

/// Warns of pooled groups that count a document several times.
fn documents(
    (context, at): (&Context<'_>, &[String]),
    (raw, test): (&RawStats, Test),
    (over, pool): (&[String], &[Pool]),
    problems: &mut Problems,
) {
    let by = |name: &str| raw.by.iter().flatten().any(|one| one == name);
    let documents = over.iter().any(|name| name == DOCUMENT) && !by(DOCUMENT);
    let asked = documents && raw.cluster.is_none() && goes_by_n(test);
    let mut named = pool.iter().filter(|pool| !pool.name.trim().is_empty());
    let Some(pool) = named.next().filter(|_| asked) else {
        return;
    };
    let column = &pool.column;
    Problem::warning(
        "lint::cluster",
        format!("n of `{}` counts a document once for each `{column}`, and these rows are not independent", pool.name),
    )
    .label_at(context.layers.place_of_key(&[at, std::slice::from_ref(column)].concat()), "several rows of one document")
    .help(format!(
        "name the cluster: `cluster = \"{DOCUMENT}\"`; or write `cluster = []` if each row is to count for itself"
    ))
    .tell(problems);
}

/// Whether an interval or a p-value goes by the number of rows.
pub(super) fn goes_by_n(test: Test) -> bool {
    match test {
        Test::Mean | Test::PairedT => true,
        Test::Unscored => false,
        Test::Measured(measure) => looks_at(measure, Role::Cluster),
    }
}
