//! From the rows of groups to one value each: the aggregates.

use std::collections::{BTreeMap, BTreeSet};

use super::list;
use super::of::{Of, fits, held};
use crate::base::failure::Failure;
use crate::frame::{Frame, Groups, Scalar};
use crate::stage::stats::{Beside, Fields, Gathered};
use crate::stage::{Aggregate, Call, Computed, Holds, NO_ROWS, Parsed, typed};
use crate::stats::{Ddof, describe, exact_sum, mean};

/// A column of whose values each group should have all.
pub(super) struct Complete {
    pub(super) column: String,
    /// The values there are.
    pub(super) all: BTreeSet<String>,
    /// The value of each row.
    pub(super) of_rows: Vec<Option<String>>,
}

impl Complete {
    /// The same of some rows.
    pub(super) fn take(self, rows: &[usize]) -> Self {
        let of_rows = rows.iter().map(|&row| self.of_rows[row].clone());
        Self {
            of_rows: of_rows.collect(),
            ..self
        }
    }
}

/// What is made of the rows of each group.
pub(super) struct Values {
    pub(super) cells: Vec<Scalar>,
    pub(super) reasons: Vec<Option<String>>,
    pub(super) gathered: Vec<Gathered>,
    pub(super) holds: Holds,
}

/// The rows of groups, to be made one value of each.
pub(super) struct Gathering<'f> {
    input: &'f Frame,
    groups: &'f Groups,
    complete: Vec<Complete>,
    /// What the values of rows were made of themselves.
    beside: Beside,
}

/// A value, or why there is none.
type Made = Result<Scalar, String>;

impl<'f> Gathering<'f> {
    pub(super) fn of(
        input: &'f Frame,
        groups: &'f Groups,
        complete: Vec<Complete>,
    ) -> Result<Self, Failure> {
        Ok(Self {
            input,
            groups,
            complete,
            beside: Beside::of(input)?,
        })
    }

    /// What is behind each group, whatever is computed of it.
    pub(super) fn of_rows(&self) -> Vec<Gathered> {
        let groups = 0..self.groups.len();
        groups
            .map(|group| self.counted(&self.groups.rows(group)))
            .collect()
    }

    /// What is behind columns that are carried along.
    pub(super) fn kept<'n>(&self, names: impl Iterator<Item = &'n String>) -> Beside {
        let mut kept = Beside::default();
        for name in names {
            let Some(cells) = self.beside.get(name) else {
                continue;
            };
            let of_group = |group: usize| {
                let rows = self.groups.rows(group);
                Gathered::merged(rows.filter_map(|row| cells[row].as_ref()))
            };
            kept.set(name, (0..self.groups.len()).map(of_group).collect());
        }
        kept
    }

    /// What is behind a value that is made of these rows.
    fn counted(&self, rows: &(impl Iterator<Item = usize> + Clone)) -> Gathered {
        let mut gathered = Gathered::of(rows.clone().count() as u64);
        for complete in &self.complete {
            let there = rows.clone().filter_map(|row| complete.of_rows[row].clone());
            let there: BTreeSet<String> = there.collect();
            gathered.complete(&complete.column, &complete.all, &there);
        }
        gathered
    }

    /// What an aggregate makes of each group.
    pub(super) fn gather(
        &self,
        parsed: &Parsed<'_>,
        call: &Call<'_, '_, '_>,
    ) -> Result<Values, Failure> {
        if call.counts_rows() {
            return Ok(self.sizes());
        }
        let mut computed: Vec<Option<(Frame, Vec<Option<String>>)>> = Vec::new();
        for at in 0..call.arguments() {
            let own = parsed.of_call(call, at, self.input)?;
            let own = own.map(|Computed { cells, reasons }| {
                let column = ("value".to_owned(), typed(cells, Holds::Unknown));
                Ok::<_, Failure>((Frame::new(vec![column])?, reasons))
            });
            computed.push(own.transpose()?);
        }
        let of = computed.iter().enumerate().map(|(at, computed)| {
            Ok(match (computed, Parsed::column_of(call, at)) {
                (Some((frame, reasons)), _) => Of {
                    view: frame.column("value")?,
                    name: &call.text,
                    input: self.input,
                    reasons: Some(reasons),
                    parts: parsed.columns_of(call, at),
                },
                (None, name) => Of {
                    view: self.input.column(name.unwrap_or_default())?,
                    name: name.unwrap_or_default(),
                    input: self.input,
                    reasons: None,
                    parts: name.map(str::to_owned).into_iter().collect(),
                },
            })
        });
        let of = of.collect::<Result<Vec<Of<'_>>, Failure>>()?;
        let Some(first) = of.first() else {
            return Ok(self.sizes());
        };
        fits(call, first)?;
        let holds = match call.aggregate {
            Aggregate::Any | Aggregate::All => Holds::Truth,
            Aggregate::List => Holds::Json,
            Aggregate::Min | Aggregate::Max | Aggregate::First => held(&first.view),
            _ => Holds::Numbers,
        };
        let mut values = Values::with(self.groups.len(), holds);
        for group in 0..self.groups.len() {
            let (made, mut gathered) = self.one(call, &of, first, group)?;
            let (cell, why) = match made {
                Ok(cell) => (cell, None),
                Err(why) => (Scalar::Null, Some(why)),
            };
            gathered.why.clone_from(&why);
            values.cells.push(cell);
            values.reasons.push(why);
            values.gathered.push(gathered);
        }
        Ok(values)
    }

    /// How many rows each group has.
    fn sizes(&self) -> Values {
        let mut values = Values::with(self.groups.len(), Holds::Numbers);
        for gathered in self.of_rows() {
            values.cells.push(Scalar::from(gathered.n));
            values.reasons.push(None);
            values.gathered.push(gathered);
        }
        values
    }

    /// What an aggregate makes of one group.
    fn one(
        &self,
        call: &Call<'_, '_, '_>,
        all: &[Of<'_>],
        of: &Of<'_>,
        group: usize,
    ) -> Result<(Made, Gathered), Failure> {
        let rows = self.groups.rows(group);
        let mut unscored: BTreeMap<String, u64> = BTreeMap::new();
        let mut absent = None;
        let mut there: Vec<usize> = Vec::with_capacity(rows.len());
        for row in rows.clone() {
            if of.view.lacks(row) {
                let (why, passed) = of.why(row);
                *unscored.entry(why).or_default() += 1;
                absent.get_or_insert(passed);
            } else {
                there.push(row);
            }
        }
        let mut gathered = match call.aggregate {
            // Its elements are all there, some of them absent.
            Aggregate::List => self.counted(&rows),
            _ => self.counted(&there.iter().copied()),
        };
        if !self.beside.is_empty() {
            self.inherited(call, all, &there, rows.clone(), &mut gathered);
        }
        if call.aggregate != Aggregate::List {
            gathered.unscored = unscored;
        }
        // The list of no rows is empty, and no condition holds in them; of nothing else is anything known without rows.
        if rows.len() == 0 && !matches!(call.aggregate, Aggregate::List | Aggregate::Count) {
            return Ok((Err(NO_ROWS.to_owned()), gathered));
        }
        let made = match call.aggregate {
            Aggregate::List => Ok(Scalar::Json(list::of(call, all, rows))),
            Aggregate::First => match rows.clone().next() {
                Some(row) if !of.view.lacks(row) => Ok(of.view.scalar(row)),
                _ => Err(absent.unwrap_or_else(|| NO_ROWS.to_owned())),
            },
            aggregate if aggregate.of_condition() => condition(aggregate, of, &there, absent),
            Aggregate::Sum => match absent {
                Some(why) => Err(why),
                None => sum(of, &there)?,
            },
            Aggregate::Min | Aggregate::Max => {
                let cells = there.iter().map(|&row| of.view.scalar(row));
                let found = if call.aggregate == Aggregate::Min {
                    cells.min_by(Scalar::order)
                } else {
                    cells.max_by(Scalar::order)
                };
                found.ok_or_else(|| absent.unwrap_or_else(|| NO_ROWS.to_owned()))
            }
            aggregate => described(aggregate, call.ddof, of, &there, absent)?,
        };
        Ok((made, gathered))
    }
}

impl Gathering<'_> {
    /// What the values of rows were made of themselves, of a list element by element.
    fn inherited(
        &self,
        call: &Call<'_, '_, '_>,
        all: &[Of<'_>],
        there: &[usize],
        rows: impl Iterator<Item = usize>,
        gathered: &mut Gathered,
    ) {
        let behind = |of: &Of<'_>, row: usize| self.beside.of_several(&of.parts, row);
        if call.aggregate != Aggregate::List {
            let parts = all.iter().take(1);
            let parts: Vec<Option<Gathered>> = parts
                .flat_map(|of| there.iter().map(move |&row| behind(of, row)))
                .collect();
            gathered.inherit(parts.iter().map(Option::as_ref));
            return;
        }
        let names: Vec<&str> = call.fields().unwrap_or_else(|| vec![""]);
        let element = |row: usize| {
            let fields = names.iter().zip(all);
            let fields =
                fields.filter_map(|(name, of)| Some(((*name).to_owned(), behind(of, row)?)));
            let mut fields: Fields = fields.collect();
            fields.sort_by(|one, other| one.0.cmp(&other.0));
            fields
        };
        let elements: Vec<_> = rows.map(element).collect();
        if elements.iter().all(Vec::is_empty) {
            return;
        }
        let parts: Vec<Option<Gathered>> = elements
            .iter()
            .map(|fields| Gathered::merged(fields.iter().map(|(_, one)| one)))
            .collect();
        gathered.inherit(parts.iter().map(Option::as_ref));
        gathered.elements = elements;
    }
}

impl Values {
    fn with(groups: usize, holds: Holds) -> Self {
        Self {
            cells: Vec::with_capacity(groups),
            reasons: Vec::with_capacity(groups),
            gathered: Vec::with_capacity(groups),
            holds,
        }
    }
}

/// What is said of a condition over rows; in `there` it is decided, and `absent` says why it is not in others.
fn condition(aggregate: Aggregate, of: &Of<'_>, there: &[usize], absent: Option<String>) -> Made {
    let hits = there
        .iter()
        .filter(|&&row| of.view.scalar(row) == Scalar::Bool(true))
        .count();
    let misses = there.len() - hits;
    match (aggregate, absent) {
        (Aggregate::Any, _) if hits > 0 => Ok(Scalar::Bool(true)),
        (Aggregate::All, _) if misses > 0 => Ok(Scalar::Bool(false)),
        (Aggregate::Share, _) if !there.is_empty() => {
            Ok(Scalar::Float(hits as f64 / there.len() as f64))
        }
        (_, Some(why)) => Err(why),
        (Aggregate::Any, None) => Ok(Scalar::Bool(false)),
        (Aggregate::All, None) => Ok(Scalar::Bool(true)),
        _ => Ok(Scalar::from(hits)),
    }
}

/// The sum of all rows; of whole numbers a whole one.
fn sum(of: &Of<'_>, rows: &[usize]) -> Result<Made, Failure> {
    const TOO_LARGE: &str = "the sum is too large";
    if ["whole numbers", "truth values"].contains(&of.view.kind()) {
        let whole = rows.iter().map(|&row| match of.view.scalar(row) {
            Scalar::Int(whole) => i128::from(whole),
            Scalar::Bool(truth) => i128::from(truth),
            _ => 0,
        });
        let sum = i64::try_from(whole.sum::<i128>());
        return Ok(sum.map(Scalar::Int).map_err(|_| TOO_LARGE.to_owned()));
    }
    let sum = exact_sum(numbers(of, rows)?).filter(|sum| sum.is_finite());
    Ok(sum.map(Scalar::Float).ok_or_else(|| TOO_LARGE.to_owned()))
}

fn numbers(of: &Of<'_>, rows: &[usize]) -> Result<Vec<f64>, Failure> {
    let mut numbers = Vec::with_capacity(rows.len());
    for &row in rows {
        numbers.extend(of.view.number(row)?);
    }
    Ok(numbers)
}

/// The mean, the standard deviation or the median of what there is.
fn described(
    aggregate: Aggregate,
    ddof: u8,
    of: &Of<'_>,
    there: &[usize],
    absent: Option<String>,
) -> Result<Made, Failure> {
    if there.is_empty() {
        return Ok(Err(absent.unwrap_or_else(|| NO_ROWS.to_owned())));
    }
    let numbers = numbers(of, there)?;
    let about = |ddof| describe(&numbers, ddof).map_err(|error| Failure::new(error.to_string()));
    let value = match aggregate {
        Aggregate::Sd => about(Ddof::try_from(ddof).unwrap_or_default())?.sd,
        Aggregate::Median => about(Ddof::Sample)?.median,
        _ => mean(&numbers),
    };
    Ok(match value {
        Some(value) => Ok(Scalar::Float(value)),
        None if there.len() == 1 => Err("only 1 value".to_owned()),
        None => Err("the values are too large".to_owned()),
    })
}
