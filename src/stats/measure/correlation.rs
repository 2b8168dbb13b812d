//! Correlations, and how well they are known.

use super::Holds::{Number, PValue, Tested, Text, Whole};
use super::read::{Complete, choice, names};
use super::samples::set_first_p;
use super::{Data, Given, Line, Measure, Role, Setting, Settings, column};
use crate::stats::StatsError;
use crate::stats::correlation as of;
use crate::stats::correlation::Coefficient;
use crate::stats::interval::check_level;

/// The measures of this file.
pub(super) const ALL: &[&Measure] = &[
    &CORRELATION,
    &CORRELATION_DIFFERENCE,
    &CORRELATION_LEVELS,
    &PAIRWISE_ACCURACY,
];

const CORRELATION: Measure = Measure {
    name: "correlation",
    about: "how well two columns of numbers go together",
    unit: "pair",
    needs: &[Role::Value, Role::Reference],
    takes: &[Role::Item],
    settings: &[Setting::Level],
    keys: &[],
    gives: &[
        column("pearson", Tested, "Pearson's r"),
        column(
            "ci_low",
            Number,
            "the lower end of the interval of `pearson`, after Fisher",
        ),
        column("ci_high", Number, "its upper end"),
        column(
            "p",
            PValue,
            "the p-value of `pearson`, of t with n − 2 degrees of freedom",
        ),
        column(
            "spearman",
            Tested,
            "Spearman's rho, Pearson's r of mid-ranks",
        ),
        column(
            "spearman_ci_low",
            Number,
            "the lower end of the interval of `spearman`, after Bonett and Wright",
        ),
        column("spearman_ci_high", Number, "its upper end"),
        column(
            "spearman_p",
            PValue,
            "the p-value of `spearman`: the exact one where it exists, otherwise that of t",
        ),
        column(
            "spearman_p_method",
            Text,
            "which of both it is: `exact` or `t`",
        ),
        column(
            "spearman_p_t",
            PValue,
            "the p-value of `spearman`, of t with n − 2 degrees of freedom",
        ),
        column(
            "spearman_p_exact",
            PValue,
            "the share of all pairings whose rho is as far from 0, for up to 9 pairs",
        ),
        column("kendall", Tested, "Kendall's tau-b"),
        column(
            "kendall_ci_low",
            Number,
            "the lower end of the interval of `kendall`, after Bonett and Wright",
        ),
        column("kendall_ci_high", Number, "its upper end"),
        column(
            "kendall_p",
            PValue,
            "the p-value of `kendall`: the exact one where it exists, otherwise that of the normal approximation",
        ),
        column(
            "kendall_p_method",
            Text,
            "which of both it is: `exact` or `asymptotic`",
        ),
        column(
            "kendall_p_asymptotic",
            PValue,
            "the p-value of `kendall`, of the normal approximation with ties",
        ),
        column(
            "kendall_p_exact",
            PValue,
            "the p-value of `kendall` by counting, for up to 170 pairs without ties",
        ),
        column(
            "concordant",
            Whole,
            "pairs of rows that both columns order the same way",
        ),
        column(
            "discordant",
            Whole,
            "pairs of rows that they order oppositely",
        ),
    ],
    compute: correlation,
};

fn correlation(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let complete = Complete::read(data, [Role::Value, Role::Reference], |_| true)?;
    let [x, y] = &complete.columns;
    let n = complete.n();
    let mut line = Line::of(n, complete.dropped);
    let r = of::pearson(x, y);
    let rho = of::spearman(x, y);
    let interval = |r: f64| of::pearson_interval(r, n, settings.level);
    line.set_ends(["ci_low", "ci_high"], r.clone().and_then(interval));
    line.set("p", r.clone().and_then(|r| of::r_p(r, n)));
    line.set("pearson", r);
    let interval = |rho: f64| of::spearman_interval(rho, n, settings.level);
    let ends = rho.clone().and_then(interval);
    line.set_ends(["spearman_ci_low", "spearman_ci_high"], ends);
    let by_t = rho.clone().and_then(|rho| of::r_p(rho, n));
    let exact = of::spearman_exact_p(x, y);
    line.set("spearman", rho);
    line.set("spearman_p_exact", exact.clone());
    line.set("spearman_p_t", by_t.clone());
    let both = [("exact", exact), ("t", by_t)];
    set_first_p(&mut line, ["spearman_p", "spearman_p_method"], both);
    let kendall = of::kendall(x, y);
    let interval = |tau: f64| of::kendall_interval(tau, n, settings.level);
    let ends = kendall.tau.clone().and_then(interval);
    line.set_ends(["kendall_ci_low", "kendall_ci_high"], ends);
    line.set("kendall", kendall.tau);
    line.set("kendall_p_exact", kendall.p_exact.clone());
    line.set("kendall_p_asymptotic", kendall.p.clone());
    let both = [("exact", kendall.p_exact), ("asymptotic", kendall.p)];
    set_first_p(&mut line, ["kendall_p", "kendall_p_method"], both);
    line.set("concordant", kendall.concordant as f64);
    line.set("discordant", kendall.discordant as f64);
    Ok(vec![line])
}

const CORRELATION_DIFFERENCE: Measure = Measure {
    name: "correlation-difference",
    about: "whether one of two judges goes together with the same reference better than the other",
    unit: "item",
    needs: &[Role::Value, Role::Rival, Role::Reference],
    takes: &[Role::Item],
    settings: &[Setting::Level, Setting::Method],
    keys: &[],
    gives: &[
        column("r_difference", Tested, "`r_value` less `r_rival`"),
        column(
            "ci_low",
            Number,
            "the lower end of the interval of `r_difference`, after Zou",
        ),
        column("ci_high", Number, "its upper end"),
        column("t", Number, "Williams' t of `r_difference`"),
        column("df", Whole, "its degrees of freedom, n − 3"),
        column("p", PValue, "the p-value of `t`"),
        column("steiger_z", Number, "Steiger's z of `r_difference`"),
        column("steiger_p", PValue, "the p-value of `steiger_z`"),
        column(
            "r_value",
            Number,
            "the correlation of the values with the reference",
        ),
        column(
            "r_rival",
            Number,
            "the correlation of the rival's values with the reference",
        ),
        column(
            "r_between",
            Number,
            "the correlation of the values with the rival's",
        ),
    ],
    compute: correlation_difference,
};

/// The coefficients that `method` names.
const METHODS: [(&str, Coefficient); 3] = [
    ("pearson", Coefficient::Pearson),
    ("spearman", Coefficient::Spearman),
    ("kendall", Coefficient::Kendall),
];

fn correlation_difference(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    check_level(settings.level)?;
    let unknown = StatsError::Choice {
        setting: "method",
        known: "`pearson` and `spearman`; Williams' t is not of Kendall's tau",
    };
    let method = choice(settings.method.as_deref(), &METHODS[..2], unknown)?;
    let roles = [Role::Value, Role::Rival, Role::Reference];
    let complete = Complete::read(data, roles, |_| true)?;
    let [value, rival, reference] = &complete.columns;
    let mut line = Line::of(complete.n(), complete.dropped);
    let compared = match of::dependent(method, [value, rival, reference], settings.level) {
        Ok(compared) => compared,
        Err(why) => return Ok(vec![line.without(why)]),
    };
    line.set("r_difference", compared.first - compared.second);
    line.set("r_value", compared.first);
    line.set("r_rival", compared.second);
    line.set("r_between", compared.between);
    line.set_ends(["ci_low", "ci_high"], compared.interval);
    line.set("t", compared.t);
    line.set("df", compared.df);
    line.set("p", compared.p);
    line.set("steiger_z", compared.z);
    line.set("steiger_p", compared.z_p);
    Ok(vec![line])
}

const CORRELATION_LEVELS: Measure = Measure {
    name: "correlation-levels",
    about: "how well scores go together with a reference over systems, within items, and within systems",
    unit: "output",
    needs: &[Role::Item, Role::System, Role::Value, Role::Reference],
    takes: &[],
    settings: &[Setting::Method, Setting::Least],
    keys: &[],
    gives: &[
        column(
            "system_level",
            Number,
            "the correlation of the means of systems",
        ),
        column(
            "instance_level",
            Number,
            "the mean over items of the correlation across systems",
        ),
        column(
            "within_system",
            Number,
            "the mean over systems of the correlation across items",
        ),
        column("pooled", Number, "the correlation over all rows"),
        column("systems", Whole, "how many systems there are"),
        column(
            "items_used",
            Whole,
            "how many items `instance_level` is the mean over",
        ),
        column(
            "items_skipped",
            Whole,
            "how many items have too few rows, or a constant column",
        ),
        column(
            "systems_used",
            Whole,
            "how many systems `within_system` is the mean over",
        ),
    ],
    compute: correlation_levels,
};

fn correlation_levels(data: &Data, settings: &Settings) -> Result<Vec<Line>, StatsError> {
    let unknown = StatsError::Choice {
        setting: "method",
        known: "`pearson`, `spearman` and `kendall`",
    };
    let method = choice(settings.method.as_deref(), &METHODS, unknown)?;
    let [items, systems] = [Role::Item, Role::System].map(|role| names(data, role));
    let roles = [Role::Value, Role::Reference];
    let named = |row: usize| items[row].is_some() && systems[row].is_some();
    let complete = Complete::read(data, roles, named)?;
    let [values, references] = &complete.columns;
    let numbers = values.iter().zip(references);
    let rows: Vec<of::Row> = complete
        .rows
        .iter()
        .zip(numbers)
        .filter_map(|(&row, (x, y))| {
            let (item, system) = (items[row].as_deref()?, systems[row].as_deref()?);
            Some(of::Row {
                item,
                system,
                value: *x,
                reference: *y,
            })
        })
        .collect();
    let levels = of::levels(method, &rows, settings.least);
    let mut line = Line::of(complete.n(), complete.dropped);
    line.set("system_level", levels.system);
    line.set("instance_level", levels.instance);
    line.set("within_system", levels.within_system);
    line.set("pooled", levels.pooled);
    line.set("systems", levels.systems);
    line.set("items_used", levels.items_used);
    line.set("items_skipped", levels.items_skipped);
    line.set("systems_used", levels.systems_used);
    Ok(vec![line])
}

const PAIRWISE_ACCURACY: Measure = Measure {
    name: "pairwise-accuracy",
    about: "how often a judge and a reference put two outputs in the same order, or tie both",
    unit: "output",
    needs: &[Role::Value, Role::Reference],
    takes: &[Role::Item, Role::System],
    settings: &[],
    keys: &[],
    gives: &[
        column(
            "accuracy",
            Number,
            "the share of pairs that both order or tie the same, where only equal values tie; the mean over items",
        ),
        column(
            "best_accuracy",
            Number,
            "the same where values tie that differ by at most `best_epsilon`",
        ),
        column(
            "best_epsilon",
            Number,
            "the smallest difference with the best accuracy, found on these same rows",
        ),
        column(
            "groups",
            Whole,
            "how many items have two outputs or more; 1 where pairs are of any two rows",
        ),
        column("pairs", Whole, "how many pairs of outputs they have"),
    ],
    compute: pairwise_accuracy,
};

fn pairwise_accuracy(data: &Data, _: &Settings) -> Result<Vec<Line>, StatsError> {
    // Where systems are named, pairs are of two systems and one item; otherwise of any two rows.
    let by_item = data.column(Role::System).is_some();
    let items = names(data, Role::Item);
    let keep = |row: usize| !by_item || items[row].is_some();
    let complete = Complete::read(data, [Role::Value, Role::Reference], keep)?;
    let [values, references] = &complete.columns;
    let mut groups = std::collections::BTreeMap::<&str, Vec<(f64, f64)>>::new();
    for (&row, pair) in complete.rows.iter().zip(values.iter().zip(references)) {
        let group = items[row]
            .as_deref()
            .filter(|_| by_item)
            .unwrap_or_default();
        groups.entry(group).or_default().push((*pair.0, *pair.1));
    }
    let groups: Vec<_> = groups.into_values().collect();
    let found = of::pairwise(&groups);
    let mut line = Line::of(complete.n(), complete.dropped);
    line.set("accuracy", found.accuracy);
    line.set("best_accuracy", found.best);
    line.set("best_epsilon", found.epsilon);
    line.set("groups", found.groups);
    line.set("pairs", Given::from(found.pairs as f64));
    Ok(vec![line])
}
