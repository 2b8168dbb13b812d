//! The accounting under every table: how many scores are behind it and what is not in it.
//!
//! It only counts. It must not draw, and it must not leave a loss unmentioned because it is small.

use std::collections::{BTreeMap, BTreeSet};

use super::grid::Grid;
use super::layout::{Cell, Layout};
use super::legend::rests;
use crate::base::wording::{count, count_of, plural};
use crate::stats::statistic::Rests;

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
    /// What was dropped, where that is not an incomplete pair.
    dropped_of: BTreeSet<String>,
    valueless: u64,
    empty: u64,
    places: u64,
    /// Rows of statistics that several cells show and that are in the sums.
    rows: BTreeSet<Row>,
    /// How many cells show a row that is in the sums already.
    again: u64,
}

/// A row of statistics with what is counted behind one of its columns: n with its unit, unscored and dropped.
type Row = (String, Option<u64>, Option<String>, u64, u64);

/// The row of statistics that other cells show as well.
fn row_of(cell: &Cell) -> Option<Row> {
    let source = cell.source.clone()?;
    Some((
        source,
        cell.n,
        cell.unit.clone(),
        cell.unscored,
        cell.dropped,
    ))
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
        if row_of(cell).is_some_and(|row| !self.rows.insert(row)) {
            self.again += 1;
            return;
        }
        if let Some(n) = cell.n {
            let behind = self.behind.entry(cell.unit.clone()).or_default();
            *behind = behind.saturating_add(n);
        }
        self.repeats = self.repeats.max(cell.repeats);
        self.unscored = self.unscored.saturating_add(cell.unscored);
        self.dropped = self.dropped.saturating_add(cell.dropped);
        self.dropped_of.extend(dropped_of(cell));
        for (code, times) in &cell.reasons {
            let sum = self.reasons.entry(code.clone()).or_default();
            *sum = sum.saturating_add(*times);
        }
    }

    /// `summed over 6 cells`; `3 rows of statistics behind 6 cells` where cells are columns of one row.
    fn over(&self) -> String {
        let cells = self.places - self.empty;
        let shown = count(cells, "cell");
        match cells - self.again {
            _ if self.again == 0 => format!("summed over {shown}"),
            1 => format!("one row of statistics behind {shown}"),
            rows => format!("summed over {rows} rows of statistics behind {shown}"),
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
    let (whole, columns) = added(grid);
    let mut line = vec![
        format!(
            "{}: {}{}{}, {} dropped",
            whole.over(),
            whole.behind_text(),
            count_of(whole.unscored, "row unscored", "rows unscored"),
            whole.reasons_text(grid.layout()),
            count(whole.dropped, &incomplete(&whole.dropped_of))
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
        let what = format!(
            "dropped {}",
            plural(incomplete(&whole.dropped_of).trim_start_matches("incomplete "))
        );
        lines.push(by_column(grid, &what, &columns, |account| {
            (account.dropped > 0).then(|| account.dropped.to_string())
        }));
    }
    lines
}

/// The accounting in a few words: what is behind the table, and what of it is left out.
pub(super) fn brief(grid: &Grid) -> String {
    let (whole, _) = added(grid);
    let lost = [
        (whole.unscored, "row unscored", "rows unscored"),
        (
            whole.valueless,
            "cell without a value",
            "cells without a value",
        ),
        (whole.empty, "place without a cell", "places without a cell"),
    ];
    let lost = lost.iter().filter(|(n, _, _)| *n > 0);
    let mut lost: Vec<String> = lost.map(|(n, one, many)| count_of(*n, one, many)).collect();
    if whole.dropped > 0 {
        let dropped = count(whole.dropped, &incomplete(&whole.dropped_of));
        lost.push(format!("{dropped} dropped"));
    }
    let lost = match lost.as_slice() {
        [] => "nothing left out".to_owned(),
        lost => lost.join(", "),
    };
    format!("{}{lost}", whole.behind_text())
}

/// The sums over a grid and over each of its columns.
fn added(grid: &Grid) -> (Account, Vec<Account>) {
    let averages = !grid.cells().any(|cell| cell.parts.is_none());
    let mut whole = Account::default();
    let mut columns = vec![Account::default(); grid.columns().len()];
    for row in 0..grid.rows().len() {
        for (column, account) in columns.iter_mut().enumerate() {
            account.add(grid.cell(row, column), averages);
            whole.add(grid.cell(row, column), averages);
        }
    }
    (whole, columns)
}

/// What was dropped: incomplete pairs, or what else measures count.
pub(crate) fn incomplete(units: &BTreeSet<String>) -> String {
    let mut units = units.iter();
    match (units.next(), units.next()) {
        (Some(unit), None) => format!("incomplete {unit}"),
        (None, _) => "incomplete pair".to_owned(),
        _ => "incomplete observation".to_owned(),
    }
}

/// What was dropped of a cell that a measure made.
pub(crate) fn dropped_of(cell: &Cell) -> Option<String> {
    let measured = cell.how.as_ref().is_some_and(|how| how.measure.is_some());
    cell.unit.clone().filter(|_| measured)
}

/// Whether cells rest on the same rows: several statistics, or tests that share what they compare with.
fn share_rows(grid: &Grid) -> bool {
    // Columns of one row count once, so that only rows that show different ones may be made of the same.
    let mut rows: BTreeMap<Row, BTreeSet<Option<&str>>> = BTreeMap::new();
    let mut alone = BTreeSet::new();
    for cell in grid.cells() {
        let shown = cell.statistic.as_deref();
        match row_of(cell) {
            Some(row) => rows.entry(row).or_default().insert(shown),
            None => alone.insert(BTreeSet::from([shown])),
        };
    }
    let statistics: BTreeSet<BTreeSet<Option<&str>>> = rows.into_values().chain(alone).collect();
    let compares = |cell: &&Cell| {
        let test = cell.how.as_ref().is_some_and(|how| match how.measure {
            Some(_) => how.shared,
            None => how.test.is_some(),
        });
        test && !rests(cell, Rests::OnLevel)
    };
    let mut tests = BTreeSet::new();
    let compared = grid.cells().filter(compares);
    let again = compared.filter(|cell| row_of(cell).is_none_or(|row| tests.insert(row)));
    statistics.len() > 1 || again.count() > 1
}

/// How many of what: `6 pairs`.
pub(crate) fn counted(n: u64, unit: Option<&str>) -> String {
    match unit {
        Some(unit) => count(n, unit),
        None => n.to_string(),
    }
}

/// Says that repeats and orders were averaged before anything else, where they were: the `n` does not count them.
pub(crate) fn repeated(most: u64) -> Option<String> {
    (most > 1).then(|| {
        format!(
            "Repeats, and the two orders of a pair, are averaged first, {most} at most; n counts each average once."
        )
    })
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
