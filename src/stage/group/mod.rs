//! `group`: one row of all rows that have the same key, with aggregates of them.
//!
//! What is absent in a row is counted behind what is made of it: means and the like are over what there is and say over
//! how many; sums and counts of conditions in which something is undecided are absent, with the reason; lists keep it as
//! `null`.

mod check;
mod contract;
mod every;
mod gather;
mod list;
mod of;
mod raw;

use serde::{Serialize, Serializer};

pub use self::every::Every;
use self::gather::{Complete, Gathering, Values};
use crate::base::failure::Failure;
use crate::frame::{ColumnData, Frame, Groups, Scalar};
use crate::stage::keys::{difference, no_key};
use crate::stage::pool::{self, Pool};
use crate::stage::stats::{Beside, Gathered};
use crate::stage::{Expression, Holds, NO_ROWS, StageName, reason_column, sortable};

/// Makes one row of all rows that have the same key.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// The stage to read.
    #[serde(skip)]
    pub from: StageName,
    /// The axes that reach the stage; they are carried along. Of no rows nothing can be: whoever runs the stage adds the
    /// columns that are not there.
    pub axes: Vec<String>,
    /// The columns of the key.
    pub by: Vec<String>,
    /// The columns in whose order rows of a group are seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// What is computed, in this order.
    pub compute: Vec<(String, Expression)>,
    /// The columns that are carried along.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// The columns of whose values each group should have all that any has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub complete: Vec<String>,
    /// Groups that must exist.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "every_key")]
    pub every: Option<Every>,
    /// The axes whose values are one table.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub over: Vec<String>,
    /// Further groups, of rows of several values of a column of the key.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pool: Vec<Pool>,
}

#[expect(clippy::ref_option, reason = "serde hands out references")]
fn every_key<S: Serializer>(every: &Option<Every>, serializer: S) -> Result<S::Ok, S::Error> {
    match every {
        // Which stage it is stands among the inputs.
        None | Some(Every::Stage(_)) => "stage".serialize(serializer),
        Some(Every::Values(values)) => values.serialize(serializer),
    }
}

impl Group {
    /// The groups of a table, in order of first appearance; those that must exist and have no row come last.
    ///
    /// # Errors
    /// A column that is not there, values that do not fit an aggregate, a column carried along that differs within a
    /// group.
    pub fn group(&self, input: &Frame, every: Option<&Frame>) -> Result<Frame, Failure> {
        let complete = self.complete(input)?;
        self.grouped(input, input, every, complete)
    }

    /// The same with pooled groups behind those of single values, and what is to be said of these.
    ///
    /// # Errors
    /// The same, and names of pooled groups that cannot stand in their columns.
    pub fn group_and_pool(
        &self,
        input: &Frame,
        every: Option<&Frame>,
    ) -> Result<(Frame, Vec<String>), Failure> {
        let all: Vec<usize> = (0..input.rows()).collect();
        let warnings = pool::look(input, &self.pool, &all)?;
        let mut frames = vec![self.group(input, every)?];
        for choice in pool::choices(&self.pool) {
            for pool in &choice {
                let held = input.column(&pool.column)?.kind();
                if !["text", "no values"].contains(&held) {
                    return Err(Failure::new(no_name(pool, held)).hint(NO_NAME));
                }
            }
            let rows = pool::rows(input, &choice, &all)?;
            // Values that only other groups have are lacking here as well.
            let complete = self.complete(input)?.into_iter();
            let complete = complete.map(|complete| complete.take(&rows)).collect();
            let pooled = input.take(&rows)?;
            let keyed = pool::renamed(&pooled, &choice)?;
            frames.push(self.grouped(&pooled, &keyed, None, complete)?);
        }
        let frame = match frames.as_slice() {
            [only] => only.clone(),
            several => Frame::stack(several)?,
        };
        Ok((frame, warnings))
    }

    /// The groups of a table; in `keyed` its columns of the key have the values that groups are told apart by, and
    /// `complete` says what each should have.
    fn grouped(
        &self,
        input: &Frame,
        keyed: &Frame,
        every: Option<&Frame>,
        complete: Vec<Complete>,
    ) -> Result<Frame, Failure> {
        let axes = self.axes.iter();
        let axes = axes.filter(|axis| input.rows() > 0 && input.has(axis));
        let key: Vec<String> = axes.chain(&self.by).cloned().collect();
        // Axes hold one value each, so that without other columns all rows are one group, also where there are none.
        let mut groups = keyed.groups(&self.by)?;
        let mut frame = self.keys(keyed, &groups, &key)?;
        let there = frame.rows();
        let missing = match &self.every {
            Some(wanted) => wanted.missing(&frame, &self.by, every)?,
            None => None,
        };
        if let Some(missing) = missing {
            let missing = self.axes(missing, [Some(input), every])?;
            groups.and_empty(missing.rows());
            frame = Frame::stack(&[frame, missing])?;
        }
        frame = self.carried(frame, input, &groups, there)?;
        self.sort(input, &mut groups)?;
        let gathering = Gathering::of(input, &groups, complete)?;
        let mut beside = gathering.kept(self.by.iter().chain(&self.columns));
        for (name, value) in &self.compute {
            frame = computed(&gathering, frame, &mut beside, name, value)
                .map_err(|failure| failure.at(format!("compute.{name}")))?;
        }
        let sizes: Vec<u64> = (0..groups.len())
            .map(|group| groups.rows(group).len() as u64)
            .collect();
        let rows = sizes.iter().map(|&n| i64::try_from(n).ok()).collect();
        frame = frame.with_column("n", ColumnData::Int(rows))?;
        let of_rows = gathering.of_rows();
        if !self.complete.is_empty() {
            let lacks = of_rows.iter().map(Gathered::lacks);
            frame = frame.with_column("lacks", ColumnData::Text(lacks.collect()))?;
        }
        beside.set("n", of_rows.into_iter().map(Some).collect());
        let mut frame = beside.add(frame)?;
        // The number of rows stands behind what was computed of them.
        let mut names: Vec<String> = frame.names().into_iter().map(str::to_owned).collect();
        names.sort_by_key(|name| {
            ["n", "lacks", "behind"]
                .iter()
                .position(|last| last == name)
        });
        frame = frame.select(&names)?;
        Ok(frame)
    }

    /// The key of each group that has rows; without columns there is one group all the same.
    fn keys(&self, input: &Frame, groups: &Groups, key: &[String]) -> Result<Frame, Failure> {
        let firsts = groups.firsts();
        no_key(input, &self.by)?;
        if firsts.len() < groups.len() {
            let none = |name: &String| (name.clone(), ColumnData::Text(vec![None]));
            let place = ("n".to_owned(), ColumnData::Int(vec![None]));
            let columns = std::iter::once(place).chain(key.iter().map(none));
            return Ok(Frame::new(columns.collect())?);
        }
        let place = ColumnData::Int(vec![None; firsts.len()]);
        let place = Frame::new(vec![("n".to_owned(), place)])?;
        let taken = input.select(key)?.take(&firsts)?;
        Ok(place.beside(&taken)?)
    }

    /// Groups without rows, with the axes' values as other tables have them.
    fn axes(&self, mut missing: Frame, tables: [Option<&Frame>; 2]) -> Result<Frame, Failure> {
        for axis in &self.axes {
            let mut tables = tables.into_iter().flatten();
            if let Some(table) = tables.find(|table| table.rows() > 0 && table.has(axis)) {
                let value = table.column(axis)?.scalar(0);
                let cells = ColumnData::repeat(&value, missing.rows());
                missing = missing.with_column(axis, cells)?;
            }
        }
        Ok(missing)
    }

    /// The columns that are carried along, each with its reasons.
    fn carried(
        &self,
        mut frame: Frame,
        input: &Frame,
        groups: &Groups,
        there: usize,
    ) -> Result<Frame, Failure> {
        for name in &self.columns {
            for group in 0..there {
                let rows = groups.rows(group);
                if let Some(difference) = difference(input, name, &self.by, rows)? {
                    let message = format!("`{name}` differs within a group: {difference}");
                    return Err(Failure::new(message).hint(format!(
                        "name it in `by`, or say what is made of all rows: `compute.{name} = \"first({name})\"`"
                    )));
                }
            }
            let reasons = reason_column(name);
            for name in [name, &reasons].into_iter().filter(|name| input.has(name)) {
                let empty = frame.rows() - there;
                let kept = input
                    .select(std::slice::from_ref(name))?
                    .take(&groups.firsts())?;
                let kept = match empty {
                    0 => kept,
                    _ => {
                        let none = ColumnData::Text(vec![None; empty]);
                        Frame::stack(&[kept, Frame::new(vec![(name.clone(), none)])?])?
                    }
                };
                if kept.rows() == frame.rows() {
                    frame = frame.beside(&kept)?;
                } else {
                    let none = ColumnData::Text(vec![None; frame.rows()]);
                    frame = frame.with_column(name, none)?;
                }
            }
            if there < frame.rows() {
                frame = with_no_rows(frame, &reasons, there)?;
            }
        }
        Ok(frame)
    }

    /// Puts the rows of groups into the order that was asked for.
    fn sort(&self, input: &Frame, groups: &mut Groups) -> Result<(), Failure> {
        if self.order.is_empty() {
            return Ok(());
        }
        let cells = self.order.iter().map(|name| {
            let column = input.column(name)?;
            sortable(&column, name)?;
            Ok(column.scalars())
        });
        let cells: Vec<Vec<Scalar>> = cells.collect::<Result<_, Failure>>()?;
        groups.sort(|rows| {
            rows.sort_by(|&one, &other| {
                let orders = cells
                    .iter()
                    .map(|cells| cells[one as usize].order(&cells[other as usize]));
                orders.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
            });
        });
        Ok(())
    }

    /// The columns of which groups should have all values, each with the values of rows and with all there are.
    fn complete(&self, input: &Frame) -> Result<Vec<Complete>, Failure> {
        let complete = self.complete.iter().map(|name| {
            let column = input.column(name)?;
            let of_rows: Vec<Option<String>> = (0..input.rows())
                .map(|row| column.text(row).map(std::borrow::Cow::into_owned))
                .collect();
            Ok(Complete {
                column: name.clone(),
                all: of_rows.iter().flatten().cloned().collect(),
                of_rows,
            })
        });
        complete.collect()
    }
}

/// The groups with the reason why the cells of those without rows are empty; `there` are those with rows, which come first.
fn with_no_rows(frame: Frame, reasons: &str, there: usize) -> Result<Frame, Failure> {
    let before = if frame.has(reasons) {
        frame.column(reasons)?.scalars()
    } else {
        vec![Scalar::Null; frame.rows()]
    };
    let cells = before.into_iter().enumerate().map(|(at, why)| match why {
        Scalar::Text(why) if at < there => Some(why),
        _ => (at >= there).then(|| NO_ROWS.to_owned()),
    });
    Ok(frame.with_column(reasons, ColumnData::Text(cells.collect()))?)
}

/// That the name of a pooled group is no value of its column.
fn no_name(pool: &Pool, held: &str) -> String {
    format!(
        "`{}` holds {held}, so no group can be called `{}` there",
        pool.column, pool.name
    )
}

/// What to do about it.
const NO_NAME: &str =
    "make texts of it in a `derive` stage, such as `compute.level = \"level | string\"`";

/// The groups with a column that an expression makes, and what is behind it.
fn computed(
    gathering: &Gathering<'_>,
    mut frame: Frame,
    beside: &mut Beside,
    name: &str,
    value: &Expression,
) -> Result<Frame, Failure> {
    let parsed = value.parsed()?;
    let calls = parsed.calls()?;
    let mut behind: Vec<Vec<Gathered>> = Vec::new();
    let mut of_calls = frame.clone();
    for call in &calls {
        let Values {
            cells,
            reasons,
            gathered,
            holds,
        } = gathering.gather(&parsed, call)?;
        let column = crate::stage::Computed { cells, reasons };
        if parsed.is_call() {
            frame = column.add(frame, name, holds)?;
            beside.set(name, gathered.into_iter().map(Some).collect());
            return Ok(frame);
        }
        of_calls = column.add(of_calls, &call.text, holds)?;
        behind.push(gathered);
    }
    let computed = parsed.rows(&of_calls)?;
    let before = value.outer().iter().filter_map(|name| beside.get(name));
    let before: Vec<&[Option<Gathered>]> = before.collect();
    let gathered = (0..frame.rows()).map(|group| {
        let calls = behind.iter().map(|gathered| &gathered[group]);
        let earlier = before.iter().filter_map(|cells| cells[group].as_ref());
        let mut all = Gathered::merged(calls.chain(earlier))?;
        all.why.clone_from(&computed.reasons[group]);
        Some(all)
    });
    let gathered = gathered.collect();
    beside.set(name, gathered);
    let holds = value.holds(&|_| Holds::Unknown);
    computed.add(frame, name, holds)
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
