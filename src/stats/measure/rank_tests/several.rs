//! Tests of more than two raters or samples.

use std::collections::{BTreeMap, BTreeSet};

use crate::stats::measure::Holds::{Number, PValue, Tested, Whole};
use crate::stats::measure::read::numbers;
use crate::stats::measure::samples::Samples;
use crate::stats::measure::{Data, Line, Measure, Role, Settings, column};
use crate::stats::rank as of;
use crate::stats::{StatsError, mean};

pub(super) const FRIEDMAN: Measure = Measure {
    name: "friedman",
    about: "whether three or more raters rank the same way over items that all of them rated",
    unit: "item",
    needs: &[Role::Item, Role::Value, Role::Rater],
    takes: &[],
    settings: &[],
    keys: &[],
    gives: &[
        column("chi2", Tested, "Friedman's statistic, corrected for ties"),
        column("df", Whole, "raters less one"),
        column(
            "p",
            PValue,
            "the p-value of `chi2`, of the chi-square approximation",
        ),
        column("kendall_w", Number, "Kendall's W, `chi2` over n(k − 1)"),
        column("k", Whole, "how many raters there are"),
    ],
    compute: friedman,
};

fn friedman(data: &Data, _: &Settings) -> Result<Vec<Line>, StatsError> {
    let values = numbers(data, Role::Value)?;
    let mut items: BTreeMap<String, BTreeMap<String, Vec<f64>>> = BTreeMap::new();
    let mut raters = BTreeSet::new();
    let mut nowhere = 0;
    for (row, value) in values.into_iter().enumerate() {
        let place = [Role::Item, Role::Rater].map(|role| data.cell(role, row).text());
        let [Some(item), Some(rater)] = place else {
            nowhere += 1;
            continue;
        };
        raters.insert(rater.clone());
        items
            .entry(item)
            .or_default()
            .entry(rater)
            .or_default()
            .extend(value);
    }
    let k = raters.len();
    let block = |item: &BTreeMap<String, Vec<f64>>| {
        let values: Option<Vec<f64>> = item.values().map(|own| mean(own)).collect();
        values.filter(|values| values.len() == k)
    };
    let blocks: Vec<Vec<f64>> = items.values().filter_map(block).collect();
    let mut line = Line::of(blocks.len(), items.len() - blocks.len() + nowhere);
    line.set("k", k);
    let test = match of::friedman(&blocks, k) {
        Ok(test) => test,
        Err(why) => return Ok(vec![line.without(why)]),
    };
    line.set("chi2", test.chi2);
    line.set("df", test.df);
    line.set("p", test.p);
    line.set("kendall_w", test.w);
    Ok(vec![line])
}

pub(super) const KRUSKAL_WALLIS: Measure = Measure {
    name: "kruskal-wallis",
    about: "whether two or more independent samples are of one distribution, by their ranks",
    unit: "value",
    needs: &[Role::Value, Role::Sample],
    takes: &[Role::Item],
    settings: &[],
    keys: &[],
    gives: &[
        column(
            "h",
            Tested,
            "the statistic of Kruskal and Wallis, corrected for ties",
        ),
        column("df", Whole, "samples less one"),
        column(
            "p",
            PValue,
            "the p-value of `h`, of the chi-square approximation",
        ),
        column(
            "epsilon_squared",
            Number,
            "`h` over n − 1, how much of the spread of ranks lies between samples",
        ),
        column("k", Whole, "how many samples have values"),
    ],
    compute: kruskal_wallis,
};

fn kruskal_wallis(data: &Data, _: &Settings) -> Result<Vec<Line>, StatsError> {
    let samples = Samples::read(data)?;
    let lists: Vec<Vec<f64>> = samples.named.into_values().collect();
    let mut line = Line::of(lists.iter().map(Vec::len).sum(), samples.dropped);
    line.set("k", lists.iter().filter(|list| !list.is_empty()).count());
    let test = match of::kruskal_wallis(&lists) {
        Ok(test) => test,
        Err(why) => return Ok(vec![line.without(why)]),
    };
    line.set("h", test.h);
    line.set("df", test.df);
    line.set("p", test.p);
    line.set("epsilon_squared", test.epsilon_squared);
    Ok(vec![line])
}
