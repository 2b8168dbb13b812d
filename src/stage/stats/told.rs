//! The columns that a row of statistics has beside them: what is counted, and of a corrected p-value which family it is of.

use std::collections::BTreeMap;

use super::Test;
use super::lacks::Lacks;
use crate::frame::{ColumnData, Scalar};
use crate::output::report::Family;
use crate::stats::measure::{Column, Given, Holds, Line, Measure};
use crate::stats::statistic::{P, STATISTICS, Statistic, T, ValueOf, adjusted, family_prefix};

/// A column, and what is told in it of `R`.
pub(crate) struct Told<R> {
    pub(crate) name: &'static str,
    is_number: bool,
    pub(super) of: fn(&R) -> Scalar,
}

/// A column of numbers.
pub(crate) const fn number<R>(name: &'static str, of: fn(&R) -> Scalar) -> Told<R> {
    let is_number = true;
    Told {
        name,
        is_number,
        of,
    }
}

/// Any other column.
pub(crate) const fn other<R>(name: &'static str, of: fn(&R) -> Scalar) -> Told<R> {
    let is_number = false;
    Told {
        name,
        is_number,
        of,
    }
}

impl<R> Told<R> {
    pub(super) fn column(&self, rows: &[R]) -> ColumnData {
        self.typed(rows.iter().map(self.of))
    }

    /// A column of this one's type.
    pub(super) fn typed(&self, cells: impl Iterator<Item = Scalar>) -> ColumnData {
        typed(self.is_number, cells.collect())
    }
}

/// A column of numbers is one even where no row has any.
pub(super) fn typed(is_number: bool, cells: Vec<Scalar>) -> ColumnData {
    match ColumnData::infer(cells) {
        ColumnData::Text(cells) if is_number => ColumnData::Float(vec![None; cells.len()]),
        data => data,
    }
}

/// What is counted of a row.
#[derive(Default)]
pub(crate) struct Counted {
    /// `None` where no one number says it.
    pub(super) n: Option<usize>,
    /// What one of them is.
    pub(super) unit: String,
    /// How many rows are averaged to one of them at most.
    pub(super) repeats: u64,
    /// Rows without a score, by reason.
    pub(super) unscored: BTreeMap<String, u64>,
    /// Where statistics are averaged: parts without a value.
    pub(super) missing: u64,
    /// Where statistics are averaged: over what.
    pub(super) over: Option<String>,
    /// Incomplete pairs.
    pub(super) dropped: u64,
    /// What the n are made of fewer of than others.
    pub(super) lacking: Lacks,
}

/// The columns with counts, which tables and figures take over.
pub(crate) const COUNTS: [Told<Counted>; 11] = [
    number("n", |row| row.n.map_or(Scalar::Null, Scalar::from)),
    number("unscored", |row| {
        Scalar::from(row.unscored.values().sum::<u64>())
    }),
    other("reasons", |row| {
        Scalar::from(serde_json::to_string(&row.unscored).unwrap_or_default())
    }),
    number("missing", |row| Scalar::from(row.missing)),
    number("parts", |row| {
        let there = row.n.filter(|_| row.over.is_some());
        there.map_or(Scalar::Null, |n| Scalar::from(n as u64 + row.missing))
    }),
    other("over", |row| row.over.clone().into()),
    number("partial", |row| Scalar::from(row.lacking.partial)),
    other("lacks", |row| row.lacking.json().into()),
    number("dropped", |row| Scalar::from(row.dropped)),
    other("n_of", |row| Scalar::from(row.unit.as_str())),
    number("averaged", |row| Scalar::from(row.repeats)),
];

/// The columns that belong to a corrected p-value.
pub(crate) const FAMILY: [Told<Family>; 4] = [
    other("correction", |family| {
        Scalar::from(family.correction.as_str())
    }),
    number("family_tests", |family| Scalar::from(family.tests)),
    number("family_undefined", |family| Scalar::from(family.undefined)),
    other("family_of", |family| Scalar::from(family.name.as_str())),
];

/// The family that a row's columns tell of, if they do.
pub(crate) fn family(column: impl Fn(&str) -> Scalar) -> Option<Family> {
    let text = |name| match column(name) {
        Scalar::Text(text) => Some(text),
        _ => None,
    };
    let whole = |name| match column(name) {
        Scalar::Int(n) => u64::try_from(n).unwrap_or(0),
        _ => 0,
    };
    Some(Family {
        correction: text("correction")?,
        name: text("family_of").unwrap_or_default(),
        tests: whole("family_tests"),
        undefined: whole("family_undefined"),
    })
}

/// The column that says why the main statistic of a row, or its interval, does not exist.
pub(crate) const WHY: &str = "why";
/// The column that says how the statistics of a row were computed.
pub(super) const COMPUTED: &str = "computed";
/// The column with counts of those statistics that do not rest on what the row's own counts describe.
pub(super) const BEHIND: &str = "behind";

/// What is told of a row, in the order of its columns.
pub(super) fn told<R>(columns: &[Told<R>], row: &R) -> Vec<Scalar> {
    columns.iter().map(|column| (column.of)(row)).collect()
}

/// The values of those statistics that can be computed `of` what is there, in the order of the columns.
pub(super) fn values<R>(of: fn(&Statistic) -> ValueOf<R>, row: &R) -> Vec<Scalar> {
    let there = STATISTICS.iter().filter_map(|one| Some((one, of(one)?)));
    there
        .map(|(statistic, value)| match value(row) {
            Some(value) if statistic.whole => Scalar::Int(value as i64),
            value => Scalar::from(value),
        })
        .collect()
}

/// The columns of a measure; counts have columns of their own.
pub(super) fn columns_of(measure: &Measure) -> impl Iterator<Item = &'static Column> {
    let all = measure.gives.iter();
    all.filter(|column| COUNTS.iter().all(|count| count.name != column.name))
}

/// What a line of a measure holds in a column.
pub(super) fn cell_of(column: &Column, line: &Line) -> Scalar {
    match line.values.get(column.name) {
        Some(Given::Number(number)) if column.holds == Holds::Whole => Scalar::Int(*number as i64),
        Some(Given::Number(number)) => Scalar::from(Some(*number)),
        Some(Given::Text(text)) => Scalar::from(text.as_str()),
        Some(Given::Nothing(_)) | None => Scalar::Null,
    }
}

/// The columns with p-values of a test that are each one of a family.
pub(super) fn p_values_of(test: Test) -> Vec<&'static str> {
    match test {
        Test::Mean | Test::Unscored => Vec::new(),
        Test::PairedT => vec![P],
        Test::Measured(measure) => measure.p_values().collect(),
    }
}

/// The columns that a test gives beside those of its groups, and whether they hold numbers.
pub(super) fn gives(test: Test, corrected: bool) -> Vec<(String, bool)> {
    let statistics = |holds: fn(&Statistic) -> bool| {
        let all = STATISTICS.iter().filter(move |one| holds(one));
        let all = all.map(|statistic| (statistic.name, true));
        all.collect::<Vec<_>>()
    };
    let mut columns: Vec<_> = COUNTS.iter().map(|one| (one.name, one.is_number)).collect();
    columns.extend(match test {
        Test::Mean => statistics(|one| one.of_group.is_some()),
        Test::PairedT => statistics(|one| one.of_test.is_some()),
        Test::Unscored => statistics(|one| one.of_answers.is_some()),
        Test::Measured(measure) => columns_of(measure)
            .map(|column| (column.name, column.holds != Holds::Text))
            .collect(),
    });
    columns.extend([(WHY, false), (COMPUTED, false)]);
    if matches!(test, Test::PairedT | Test::Measured(_)) {
        columns.push((BEHIND, false));
    }
    let named = columns.into_iter();
    let mut columns: Vec<_> = named.map(|(name, is)| (name.to_owned(), is)).collect();
    for p in p_values_of(test).into_iter().filter(|_| corrected) {
        let prefix = family_prefix(p);
        let family = FAMILY.iter();
        columns.push((adjusted(p), true));
        columns.extend(family.map(|one| (format!("{prefix}{}", one.name), one.is_number)));
    }
    columns
}

/// Whether a column of this name says what is behind others.
pub(crate) fn is_counted(name: &str) -> bool {
    let counts = COUNTS.iter().map(|one| one.name);
    let family = FAMILY.iter().map(|one| one.name);
    let others = [WHY, COMPUTED, BEHIND, T];
    counts
        .chain(family)
        .chain(others)
        .any(|column| column == name)
}

/// Whether statistics have a column of this name, whatever is computed.
pub(crate) fn is_taken(name: &str) -> bool {
    let tests = [Test::Mean, Test::PairedT, Test::Unscored];
    let mut all = tests
        .into_iter()
        .flat_map(|test| gives(test, test == Test::PairedT));
    all.any(|(column, _)| column == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::measure::all;

    #[test]
    fn no_column_of_a_measure_bears_the_name_of_one_that_all_statistics_have() {
        for measure in all() {
            let test = Test::Measured(measure);
            let mut seen = std::collections::BTreeSet::new();
            let names = gives(test, true).into_iter().map(|(name, _)| name);
            for name in names.chain(measure.keys.iter().map(|&key| key.to_owned())) {
                assert!(seen.insert(name.clone()), "`{name}` of `{}`", measure.name);
            }
            let counted = COUNTS
                .iter()
                .find(|count| measure.column(count.name).is_some());
            assert!(counted.is_none(), "{}", measure.name);
        }
    }

    #[test]
    fn a_name_is_a_p_value_in_all_measures_or_in_none() {
        for measure in all() {
            for column in measure.gives {
                let p = column.holds == Holds::PValue;
                let known = crate::stats::statistic::is_p_value(column.name);
                assert_eq!(p, known, "`{}` of `{}`", column.name, measure.name);
            }
        }
    }
}
