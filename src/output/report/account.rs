//! The accounting under every table: how many scores are behind it and what is not in it.
//!
//! It only counts. It must not draw, and it must not leave a loss unmentioned because it is small.

use std::collections::{BTreeMap, BTreeSet};

use super::grid::Grid;
use super::layout::{Cell, Layout};
use crate::base::wording::{count, count_of};
use crate::stats::statistic::{self, Rests};

/// Sums over the cells of a table or of one of its columns.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Account {
    /// What is behind the values, by what it is.
    behind: BTreeMap<Option<String>, u64>,
    /// How many repeats are averaged at most.
    repeats: u64,
    unscored: u64,
    reasons: BTreeMap<String, u64>,
    dropped: u64,
    valueless: u64,
    empty: u64,
    places: u64,
}

impl Account {
    fn add(&mut self, cell: Option<&Cell>, averages: bool) {
        self.places += 1;
        let Some(cell) = cell else {
            self.empty += 1;
            return;
        };
        self.valueless += u64::from(cell.value.is_none());
        // An average repeats the scores of the cells it averages; counting them again would inflate the sums.
        if cell.parts.is_some() && !averages {
            return;
        }
        if let Some(n) = cell.n {
            let behind = self.behind.entry(cell.unit.clone()).or_default();
            *behind = behind.saturating_add(n);
        }
        self.repeats = self.repeats.max(cell.repeats);
        self.unscored = self.unscored.saturating_add(cell.unscored);
        self.dropped = self.dropped.saturating_add(cell.dropped);
        for (code, times) in &cell.reasons {
            let sum = self.reasons.entry(code.clone()).or_default();
            *sum = sum.saturating_add(*times);
        }
    }

    /// `n = 72 pairs, `; `n = 72 pairs + 12 documents, ` where cells count different things; nothing where no cell says it.
    fn behind_text(&self) -> String {
        let all: Vec<String> = self
            .behind
            .iter()
            .map(|(unit, &n)| counted(n, unit.as_deref()))
            .collect();
        match all.as_slice() {
            [] if self.places > self.empty => String::new(),
            [] => "n = 0, ".to_owned(),
            all => format!("n = {}, ", all.join(" + ")),
        }
    }

    /// ` (cut by length 47, no score found 2)`, or nothing.
    fn reasons_text(&self, layout: &Layout) -> String {
        let mut reasons: Vec<(&String, &u64)> = self
            .reasons
            .iter()
            .filter(|(_, times)| **times > 0)
            .collect();
        reasons.sort_by(|left, right| right.1.cmp(left.1).then(left.0.cmp(right.0)));
        let named: Vec<String> = reasons
            .iter()
            .map(|(code, times)| format!("{} {times}", layout.reason(code)))
            .collect();
        if named.is_empty() {
            String::new()
        } else {
            format!(" ({})", named.join(", "))
        }
    }
}

/// The accounting lines of a grid: one for the whole, and one per loss that is not the same in every column.
///
/// Cells that average other cells are left out of the sums unless the table holds nothing else.
pub(crate) fn lines(grid: &Grid) -> Vec<String> {
    let averages = !grid.cells().any(|cell| cell.parts.is_none());
    let mut whole = Account::default();
    let mut columns = vec![Account::default(); grid.columns().len()];
    for row in 0..grid.rows().len() {
        for (column, account) in columns.iter_mut().enumerate() {
            account.add(grid.cell(row, column), averages);
            whole.add(grid.cell(row, column), averages);
        }
    }
    let mut line = vec![
        format!(
            "summed over {}: {}{}{}, {} dropped",
            count(whole.places - whole.empty, "cell"),
            whole.behind_text(),
            count_of(whole.unscored, "row unscored", "rows unscored"),
            whole.reasons_text(grid.layout()),
            count(whole.dropped, "incomplete pair")
        ),
        format!("{} without a value", count(whole.valueless, "cell")),
    ];
    if whole.empty > 0 {
        line.push(format!("{} without a cell", count(whole.empty, "place")));
    }
    let mut lines = vec![format!("{}.", line.join("; "))];
    if share_rows(grid) {
        lines.push("A row behind several cells counts in each.".to_owned());
    }
    lines.extend(repeated(whole.repeats));
    if columns
        .iter()
        .any(|account| account.unscored != columns[0].unscored)
    {
        lines.push(by_column(grid, "rows unscored", &columns, |account| {
            let reasons = account.reasons_text(grid.layout());
            (account.unscored > 0).then(|| format!("{}{reasons}", account.unscored))
        }));
    }
    if columns
        .iter()
        .any(|account| account.dropped != columns[0].dropped)
    {
        lines.push(by_column(grid, "dropped pairs", &columns, |account| {
            (account.dropped > 0).then(|| account.dropped.to_string())
        }));
    }
    lines
}

/// Whether cells rest on the same rows: several statistics, or tests that share what they compare with.
fn share_rows(grid: &Grid) -> bool {
    let statistics: BTreeSet<Option<&str>> =
        grid.cells().map(|cell| cell.statistic.as_deref()).collect();
    let compares = |cell: &&Cell| {
        let test = cell.how.as_ref().is_some_and(|how| how.test.is_some());
        let of_one_side = |name| statistic::is(name, |one| one.rests == Rests::OnLevel);
        test && !cell.statistic.as_deref().is_some_and(of_one_side)
    };
    statistics.len() > 1 || grid.cells().filter(compares).count() > 1
}

/// How many of what: `6 pairs`.
pub(crate) fn counted(n: u64, unit: Option<&str>) -> String {
    match unit {
        Some(unit) => count(n, unit),
        None => n.to_string(),
    }
}

/// Says that repeats were averaged before anything else, where they were: the `n` does not count them.
pub(crate) fn repeated(most: u64) -> Option<String> {
    (most > 1)
        .then(|| format!("Repeats are averaged first, {most} at most; n counts each average once."))
}

fn by_column(
    grid: &Grid,
    what: &str,
    accounts: &[Account],
    text: impl Fn(&Account) -> Option<String>,
) -> String {
    let named: Vec<String> = grid
        .columns()
        .iter()
        .zip(accounts)
        .filter_map(|(head, account)| Some(format!("{} {}", head.flat(), text(account)?)))
        .collect();
    format!("{what}: {}.", named.join("; "))
}
