//! What the rows of a measure hold in its roles.

use super::setting::{Cells, Key, takes_labels};
use super::{Stats, Test};
use crate::base::failure::Failure;
use crate::frame::{ColumnView, Frame, FrameError, Scalar};
use crate::stats::exact_sum;
use crate::stats::measure::{Cell, Role};

/// What joins the values of several columns to one name; no text holds it by chance.
const BETWEEN: &str = "\u{1f}";

/// The columns of a measure's roles, those of items and values aside.
pub(super) struct Reading<'f> {
    columns: Vec<(&'static Key, Vec<ColumnView<'f>>)>,
    /// The columns with values, where each is that of a rater.
    raters: Vec<&'f str>,
    labels: bool,
}

impl<'f> Reading<'f> {
    /// Of a stage that computes a measure.
    pub(super) fn of(stats: &'f Stats, input: &'f Frame) -> Result<Option<Self>, Failure> {
        let Test::Measured(measure) = stats.test else {
            return Ok(None);
        };
        let found = stats.roles.found(measure, |name| input.has(name));
        let columns = found.into_iter().map(|(key, names)| {
            let views = names.iter().map(|name| input.column(name));
            let views = views
                .collect::<Result<Vec<_>, FrameError>>()
                .map_err(|error| {
                    Failure::from(error).hint(format!(
                        "`{}` names columns of what is read",
                        key.role.key()
                    ))
                })?;
            Ok((key, views))
        });
        let several = !stats.also.is_empty();
        Ok(Some(Self {
            columns: columns.collect::<Result<_, Failure>>()?,
            raters: stats
                .values()
                .map(String::as_str)
                .filter(|_| several)
                .collect(),
            labels: takes_labels(measure),
        }))
    }

    /// The roles of the cells that [`Self::cells`] gives, in that order.
    pub(super) fn roles(&self) -> Vec<Role> {
        let rater = (!self.raters.is_empty()).then_some(Role::Rater);
        let columns = self.columns.iter().map(|(key, _)| key.role);
        [Role::Value]
            .into_iter()
            .chain(rater)
            .chain(columns)
            .collect()
    }

    /// Whether a column tells observations apart.
    pub(super) fn tells_apart(&self, name: &str) -> bool {
        let names = self
            .columns
            .iter()
            .filter(|(key, _)| key.cells == Cells::Names);
        names
            .flat_map(|(_, views)| views)
            .any(|view| view.name() == name)
    }

    /// What tells the observation of a row in one of the columns with values apart, beside the columns that `over` names.
    pub(super) fn apart(&self, value: usize, row: usize) -> impl Iterator<Item = String> {
        let rater = self.raters.get(value).map(|&name| name.to_owned());
        let names = self
            .columns
            .iter()
            .filter(|(key, _)| key.cells == Cells::Names);
        let names = names.map(move |(_, views)| name(views, row).unwrap_or_default());
        rater.into_iter().chain(names)
    }

    /// The same with the keys of the columns, for messages.
    pub(super) fn named(
        &self,
        value: usize,
        row: usize,
    ) -> impl Iterator<Item = (&'static str, String)> {
        let rater = (!self.raters.is_empty()).then_some(Role::Rater.key());
        let names = self
            .columns
            .iter()
            .filter(|(key, _)| key.cells == Cells::Names);
        let keys = rater
            .into_iter()
            .chain(names.map(|(key, _)| key.role.key()));
        keys.zip(self.apart(value, row))
    }

    /// A value: a number, or a label where the measure takes them.
    pub(super) fn value(&self, column: &ColumnView<'_>, row: usize) -> Result<Cell, FrameError> {
        match column.scalar(row) {
            Scalar::Text(label) if self.labels => Ok(Cell::Text(label)),
            _ => number(column, row),
        }
    }

    /// The cells of a row with this value.
    pub(super) fn cells(&self, value: (usize, Cell), row: usize) -> Result<Vec<Cell>, FrameError> {
        let (at, value) = value;
        let rater = self.raters.get(at).map(|&name| Cell::Text(name.to_owned()));
        let mut cells = Vec::with_capacity(1 + usize::from(rater.is_some()) + self.columns.len());
        cells.extend([value].into_iter().chain(rater));
        for (key, views) in &self.columns {
            cells.push(match (key.cells, views.as_slice()) {
                (Cells::Values, [view]) => self.value(view, row)?,
                (Cells::Numbers, [view]) => number(view, row)?,
                (_, views) => name(views, row).map_or(Cell::Absent, Cell::Text),
            });
        }
        Ok(cells)
    }
}

/// Several names as one.
pub(super) fn joined<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    names.join(BETWEEN)
}

/// The number of a row. A column without any value is of no type, so that nothing is wrong with its absent cells.
pub(super) fn number(column: &ColumnView<'_>, row: usize) -> Result<Cell, FrameError> {
    match column.number(row) {
        Ok(number) => Ok(number.map_or(Cell::Absent, Cell::Number)),
        Err(_) if column.scalar(row).is_null() => Ok(Cell::Absent),
        Err(error) => Err(error),
    }
}

/// What a row is called in these columns; nothing where all are empty.
fn name(views: &[ColumnView<'_>], row: usize) -> Option<String> {
    let texts: Vec<_> = views.iter().map(|view| view.text(row)).collect();
    let any = texts.iter().any(Option::is_some);
    any.then(|| {
        joined(
            &texts
                .into_iter()
                .map(Option::unwrap_or_default)
                .collect::<Vec<_>>(),
        )
    })
}

/// Repeats of one observation as one: numbers are averaged, and whatever is no number must be the same in all. Where it is
/// not, the place of the cell.
pub(super) fn averaged(mut repeats: Vec<Vec<Cell>>) -> Result<Vec<Cell>, usize> {
    if repeats.len() < 2 {
        return Ok(repeats.pop().unwrap_or_default());
    }
    let width = repeats.iter().map(Vec::len).max().unwrap_or(0);
    (0..width)
        .map(|at| one_of(&repeats, at).ok_or(at))
        .collect()
}

fn one_of(repeats: &[Vec<Cell>], at: usize) -> Option<Cell> {
    let cells = repeats.iter().filter_map(|cells| cells.get(at));
    let there: Vec<&Cell> = cells.filter(|cell| !cell.is_absent()).collect();
    let Some(first) = there.first() else {
        return Some(Cell::Absent);
    };
    // Dividing the sum of equal numbers could change their last digit, and with it which of them are ties.
    if there.iter().all(|cell| cell == first) {
        return Some((*first).clone());
    }
    let numbers: Option<Vec<f64>> = there.iter().map(|cell| cell.number()).collect();
    let numbers = numbers?;
    let sum = exact_sum(numbers.iter().copied())?;
    Some(Cell::Number(sum / numbers.len() as f64))
}
