//! `position`.

use std::collections::BTreeMap;

use crate::stats::cluster::clustered_mean;
use crate::stats::interval::check_level;
use crate::stats::measure::Holds::{Number, PValue, Tested, Whole};
use crate::stats::measure::rows::clusters;
use crate::stats::measure::{
    Cell, Code, Data, Line, Measure, NoValue, Role, Setting, Settings, column,
};
use crate::stats::preference::{Swaps, decided, order_effect, swaps};
use crate::stats::{StatsError, mean, t_interval};

use super::half::of_clusters;
use super::read::share;

pub(super) const POSITION: Measure = Measure {
    name: "position",
    about: "how much the judge's choice hangs on who is shown first",
    unit: "comparison",
    needs: &[Role::Item, Role::Value, Role::Order],
    takes: &[Role::Contender, Role::Opponent, Role::Cluster],
    settings: &[Setting::Level],
    keys: &[],
    gives: &[
        column(
            "first_share",
            Tested,
            "wins of whoever is shown first among decided comparisons",
        ),
        column(
            "ci_low",
            Number,
            "the lower end of the interval of `first_share`: Wilson's, or where a cluster is named t with clusters − 1 degrees of freedom",
        ),
        column("ci_high", Number, "its upper end"),
        column(
            "p",
            PValue,
            "whether first and second win equally often: the sign test's p-value, or where a cluster is named that of t",
        ),
        column(
            "first_rate",
            Number,
            "the mean share of the win of whoever is shown first; a tie is half",
        ),
        column(
            "first",
            Whole,
            "comparisons that whoever is shown first wins",
        ),
        column(
            "second",
            Whole,
            "comparisons that whoever is shown second wins",
        ),
        column("ties", Whole, "comparisons that nobody wins"),
        column("flip_rate", Number, "flips among pairs"),
        column("consistent_rate", Number, "consistent pairs among pairs"),
        column("partial_rate", Number, "partial pairs among pairs"),
        column("pairs", Whole, "items judged in both orders"),
        column(
            "unpaired",
            Whole,
            "items judged in one order only, or in none",
        ),
        column(
            "flips",
            Whole,
            "pairs in which the winner changes with the order",
        ),
        column(
            "consistent",
            Whole,
            "pairs with the same winner, or a tie, twice",
        ),
        column("one_tie", Whole, "pairs with one tie"),
        column("first_both", Whole, "flips in which whoever is first wins"),
        column(
            "second_both",
            Whole,
            "flips in which whoever is second wins",
        ),
        column(
            "effect",
            Number,
            "how much more of the win is the contender's when it is shown second",
        ),
        column(
            "effect_se",
            Number,
            "the standard error of `effect`, of clusters (of items, where no cluster is named)",
        ),
        column(
            "effect_ci_low",
            Number,
            "the lower end of the interval of `effect`: t with clusters − 1 degrees of freedom",
        ),
        column("effect_ci_high", Number, "its upper end"),
        column(
            "effect_se_naive",
            Number,
            "the standard error of `effect` if comparisons were independent",
        ),
        column(
            "shown_first",
            Number,
            "the contender's mean share of the win where it is shown first",
        ),
        column("shown_second", Number, "the same where it is shown second"),
        column("clusters", Whole, "how many clusters"),
    ],
    compute,
};

/// One comparison: the contender's share, and whether it was shown second.
struct Judged {
    share: f64,
    second: bool,
}

/// Whom a document compares; the same two in either order.
type Pair = (String, String, String);

fn compute(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let mut pairs: BTreeMap<Pair, [Vec<f64>; 2]> = BTreeMap::new();
    let (mut firsts, mut rows, mut dropped) = (Vec::new(), Vec::new(), 0);
    for (row, cluster) in clusters(data).into_iter().enumerate() {
        let pair = pair(data, row);
        let judged = judged(data, row)?;
        if let Some((pair, _)) = &pair {
            pairs.entry(pair.clone()).or_default();
        }
        let (Some((pair, turned)), Some(judged), Some(cluster)) = (pair, judged, cluster) else {
            dropped += 1;
            continue;
        };
        let Judged { share, second } = judged;
        rows.push((share, second, cluster));
        firsts.push(if second { 1.0 - share } else { share });
        // Seen from the name that sorts first.
        let (share, second) = if turned {
            (1.0 - share, !second)
        } else {
            (share, second)
        };
        pairs.entry(pair).or_default()[usize::from(second)].push(share);
    }
    let both: Vec<[f64; 2]> = pairs
        .values()
        .filter_map(|[first, second]| Some([mean(first)?, mean(second)?]))
        .collect();
    let mut line = Line::of(rows.len(), dropped);
    line.set("unpaired", pairs.len() - both.len());
    set_swaps(&mut line, &swaps(both));
    set_firsts(&mut line, &firsts, settings.level)?;
    if data.column(Role::Cluster).is_some() {
        set_firsts_of_clusters(&mut line, &firsts, &rows, settings.level)?;
    }
    let effect = order_effect(&rows)?;
    let df = (effect.clusters as f64 - 1.0).max(1.0);
    let interval = effect.effect.clone().and_then(|at| {
        let flat = || NoValue::new(Code::ZeroError, "clusters do not differ");
        t_interval(at, effect.se.clone()?, df, settings.level).ok_or_else(flat)
    });
    line.set_ends(["effect_ci_low", "effect_ci_high"], interval.clone());
    line.set("effect", effect.effect);
    line.set("effect_se", effect.se);
    line.set("effect_se_naive", effect.se_naive);
    line.set("shown_first", effect.shown_first);
    line.set("shown_second", effect.shown_second);
    line.set("clusters", effect.clusters);
    Ok(vec![line])
}

/// Item and both names, sorted, and whether the contender comes second of them.
fn pair(data: &Data, row: usize) -> Option<(Pair, bool)> {
    let item = data.cell(Role::Item, row).text()?;
    let name = |role| data.cell(role, row).text().unwrap_or_default();
    let (contender, opponent) = (name(Role::Contender), name(Role::Opponent));
    let turned = opponent < contender && data.column(Role::Opponent).is_some();
    let pair = if turned {
        (item, opponent, contender)
    } else {
        (item, contender, opponent)
    };
    Some((pair, turned))
}

fn judged(data: &Data, row: usize) -> Result<Option<Judged>, StatsError> {
    let unknown = Err(StatsError::Choice {
        setting: "order",
        known: "`given` (the contender is shown first), `swapped`",
    });
    let second = match data.cell(Role::Order, row) {
        Cell::Absent => return Ok(None),
        Cell::Text(order) if order == "given" => false,
        Cell::Text(order) if order == "swapped" => true,
        _ => return unknown,
    };
    Ok(share(data, row)?.map(|share| Judged { share, second }))
}

fn set_swaps(line: &mut Line, swaps: &Swaps) {
    let rate = |count: usize| {
        let none = || NoValue::new(Code::TooFew, "no item is judged in both orders");
        (swaps.pairs > 0)
            .then(|| count as f64 / swaps.pairs as f64)
            .ok_or_else(none)
    };
    line.set("pairs", swaps.pairs);
    line.set("consistent", swaps.consistent);
    line.set("flips", swaps.flips);
    line.set("one_tie", swaps.partial);
    line.set("first_both", swaps.first_both);
    line.set("second_both", swaps.second_both);
    line.set("consistent_rate", rate(swaps.consistent));
    line.set("flip_rate", rate(swaps.flips));
    line.set("partial_rate", rate(swaps.partial));
}

fn set_firsts(line: &mut Line, firsts: &[f64], level: f64) -> Result<(), StatsError> {
    let counts = decided(firsts.iter().copied(), level)?;
    line.set("first", counts.wins);
    line.set("second", counts.losses);
    line.set("ties", counts.ties);
    line.set("first_share", counts.rate);
    line.set_ends(["ci_low", "ci_high"], counts.interval.clone());
    line.set("p", counts.p);
    let none = || NoValue::new(Code::TooFew, "there is no comparison");
    line.set("first_rate", mean(firsts).ok_or_else(none));
    Ok(())
}

/// The interval and the p-value of decided comparisons that are drawn by cluster.
fn set_firsts_of_clusters(
    line: &mut Line,
    firsts: &[f64],
    rows: &[(f64, bool, usize)],
    level: f64,
) -> Result<(), StatsError> {
    let rows = firsts
        .iter()
        .zip(rows)
        .filter(|(share, _)| share.total_cmp(&0.5).is_ne());
    let (wins, of): (Vec<f64>, Vec<usize>) = rows
        .map(|(share, (.., cluster))| (f64::from(*share > 0.5), *cluster))
        .unzip();
    let about = clustered_mean(&wins, &of)?;
    let known = of_clusters(&about, level);
    line.set_ends(["ci_low", "ci_high"], known.ends);
    line.set("p", known.p);
    Ok(())
}
