//! `table`: arranges statistics as the cells of a table.
//!
//! The stage decides what stands where; how it looks (labels, decimals, file formats) belongs to
//! the report and is in no key.

mod check;
mod contract;
mod raw;

use std::collections::BTreeMap;

use serde::Serialize;

pub(crate) use self::raw::RawTable;
use crate::base::failure::Failure;
use crate::frame::{ColumnData, ColumnView, Frame, FrameError, Scalar};
use crate::output::report::{Cell, Family};
use crate::stage::stats::{Behind, read_how, read_lacks};
use crate::stage::{Expression, Output, StageName};

/// Arranges statistics as a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// The columns whose values name the rows.
    pub rows: Vec<String>,
    /// The columns whose values name the columns.
    pub columns: Vec<String>,
    /// What fills the cells.
    pub parts: Vec<Part>,
}

/// Cells from one stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// The stage to read.
    #[serde(serialize_with = "as_text")]
    pub from: StageName,
    /// The statistic shown.
    pub value: String,
    /// A condition on the rows that take part.
    #[serde(rename = "where")]
    pub condition: Option<Expression>,
    /// Row or column fields that these cells take fixed values in.
    pub set: BTreeMap<String, String>,
    /// The column with the p-value that significance marks show; found by itself for a test.
    pub p: Option<String>,
}

fn as_text<S: serde::Serializer>(name: &StageName, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(name)
}

/// Columns about the correction of the p-value, taken over where that is shown.
const FAMILY: [&str; 3] = ["correction", "family_tests", "family_undefined"];
const COLUMNS: [&str; 21] = [
    "value",
    "n",
    "unscored",
    "reasons",
    "missing",
    "parts",
    "over",
    "partial",
    "lacks",
    "dropped",
    "n_of",
    "averaged",
    "correction",
    "family_tests",
    "family_undefined",
    "family_of",
    "value_of",
    "computed",
    "p",
    "undefined",
    "why",
];

/// Statistics that a mark of significance stands at: those that the test is on.
const TESTED: [&str; 3] = ["t", "mean", "dz"];

impl Table {
    /// Arranges the rows of `inputs`, each named, as cells: one row per cell with the row and column
    /// fields and the value with its counts.
    ///
    /// # Errors
    /// A field that a stage has no column for, a statistic it does not compute.
    pub fn arrange(&self, inputs: &[(StageName, Frame)]) -> Result<Output, Failure> {
        let fields: Vec<&String> = self.rows.iter().chain(&self.columns).collect();
        let mut cells: Vec<Vec<Scalar>> = Vec::new();
        let mut warnings = Vec::new();
        for part in &self.parts {
            let input = inputs
                .iter()
                .find(|(name, _)| *name == part.from)
                .map(|(_, frame)| frame)
                .ok_or_else(|| {
                    Failure::new(format!("`{}` was not handed to the table", part.from))
                })?;
            part.fill(&fields, input, &mut cells, &mut warnings)
                .map_err(|failure| failure.at(&part.from))?;
        }
        let names = fields.iter().map(|name| name.as_str()).chain(COLUMNS);
        let columns = names
            .enumerate()
            .map(|(index, name)| {
                let column: Vec<Scalar> = cells.iter().map(|cell| cell[index].clone()).collect();
                let data = match name {
                    "value" | "p" => ColumnData::Float(column.iter().map(Scalar::number).collect()),
                    _ => ColumnData::infer(column),
                };
                (name.to_owned(), data)
            })
            .collect();
        Ok(Output {
            warnings,
            ..Output::of(Frame::new(columns)?)
        })
    }
}

impl Part {
    fn fill(
        &self,
        fields: &[&String],
        input: &Frame,
        cells: &mut Vec<Vec<Scalar>>,
        warnings: &mut Vec<String>,
    ) -> Result<(), Failure> {
        let rows: Vec<usize> = (0..input.rows()).collect();
        let rows = match &self.condition {
            Some(condition) => {
                let kept = condition.rows(input, rows)?;
                kept.noting_none(input, Some(&self.from), warnings)
            }
            None => rows,
        };
        let keys = fields
            .iter()
            .map(|field| {
                if self.set.contains_key(*field) {
                    return Ok(None);
                }
                input.column(field).map(Some).map_err(|error| {
                    Failure::from(error).hint(format!(
                        "give this part a fixed value with `set = {{ {field} = \"…\" }}`, or take `{field}` out of `rows` and `columns`"
                    ))
                })
            })
            .collect::<Result<Vec<Option<ColumnView<'_>>>, Failure>>()?;
        let value = input.column(&self.value)?;
        let (p, p_name) = match self.p_column(input) {
            Some(name) => (Some(input.column(name)?), name),
            None => (None, ""),
        };
        let behind = Behind::of(input, &self.value);
        let corrected = [p_name, self.value.as_str()].contains(&"p_adjusted");
        let family = FAMILY.map(|name| input.column(name).ok().filter(|_| corrected));
        let test = input.has("t") && behind.is_of_the_row();
        for row in rows {
            let mut cell: Vec<Scalar> = fields
                .iter()
                .zip(&keys)
                .map(|(field, column)| match column {
                    None => Scalar::Text(self.set[*field].clone()),
                    Some(column) => Scalar::Text(column.text(row).unwrap_or_default().into_owned()),
                })
                .collect();
            let number = value.number(row)?;
            let support = behind.support(row)?;
            cell.push(Scalar::from(number));
            let taken = |column: &Option<ColumnView<'_>>| {
                column
                    .as_ref()
                    .map_or(Scalar::Null, |column| column.scalar(row))
            };
            cell.extend(support.counts.iter().cloned());
            cell.extend(family.iter().map(taken));
            // Families of two stages are two, whatever they hold.
            let of = input.column("family_of").ok().filter(|_| corrected);
            let of = of.and_then(|column| column.text(row).map(std::borrow::Cow::into_owned));
            cell.push(of.map_or(Scalar::Null, |of| {
                let stage = self.from.to_string();
                let parts = [stage, of].into_iter().filter(|part| !part.is_empty());
                Scalar::from(parts.collect::<Vec<String>>().join(", "))
            }));
            cell.extend([Scalar::from(self.value.as_str()), behind.computed(row)]);
            let p_value = taken(&p);
            // A test that is not defined leaves its own statistics without a value, others without a mark.
            let undefined = match number {
                Some(_) => p.is_some() && p_value == Scalar::Null,
                None => test && support.any(),
            };
            let why = support.why;
            let reason = why
                .clone()
                .unwrap_or_else(|| "there is no p-value".to_owned());
            cell.push(p_value);
            cell.push(if undefined {
                Scalar::from(reason)
            } else {
                Scalar::Null
            });
            cell.push(
                why.filter(|_| number.is_none())
                    .map_or(Scalar::Null, Scalar::from),
            );
            cells.push(cell);
        }
        Ok(())
    }

    /// The column with the p-value, if marks of significance may stand at these cells.
    fn p_column(&self, input: &Frame) -> Option<&str> {
        if let Some(name) = &self.p {
            return Some(name);
        }
        let tested = TESTED.contains(&self.value.as_str());
        ["p_adjusted", "p"]
            .into_iter()
            .find(|name| tested && input.has(name))
    }
}

/// The cells of a table stage's result.
///
/// # Errors
/// When the table is not one that [`Table::arrange`] made.
pub fn cells(table: &Table, frame: &Frame) -> Result<Vec<Cell>, Failure> {
    let fields = |names: &[String]| {
        names
            .iter()
            .map(|name| frame.column(name))
            .collect::<Result<Vec<_>, FrameError>>()
    };
    let (rows, columns) = (fields(&table.rows)?, fields(&table.columns)?);
    let measures = COLUMNS
        .iter()
        .map(|&name| Ok((name, frame.column(name)?)))
        .collect::<Result<BTreeMap<&str, ColumnView<'_>>, FrameError>>()?;
    let texts = |columns: &[ColumnView<'_>], row: usize| {
        columns
            .iter()
            .map(|column| column.text(row).unwrap_or_default().into_owned())
            .collect::<Vec<String>>()
    };
    let whole = |name: &str, row: usize| match measures[name].scalar(row) {
        Scalar::Int(n) => u64::try_from(n).ok(),
        _ => None,
    };
    let text = |name: &str, row: usize| {
        let text = measures[name].text(row);
        text.map(std::borrow::Cow::into_owned)
    };
    let broken = |name: &str, row: usize, error: serde_json::Error| {
        Failure::new(format!("`{name}` of row {}: {error}", row + 1))
    };
    (0..frame.rows())
        .map(|row| {
            let reasons = text("reasons", row).map(|text| serde_json::from_str(&text));
            let lacks = text("lacks", row).map(|text| read_lacks(&text));
            let how = text("computed", row).map(|text| read_how(&text));
            let family = text("correction", row).map(|correction| Family {
                correction,
                name: text("family_of", row).unwrap_or_default(),
                tests: whole("family_tests", row).unwrap_or(0),
                undefined: whole("family_undefined", row).unwrap_or(0),
            });
            Ok(Cell {
                row: texts(&rows, row),
                column: texts(&columns, row),
                value: measures["value"].number(row)?,
                statistic: text("value_of", row),
                how: how
                    .transpose()
                    .map_err(|error| broken("computed", row, error))?,
                n: whole("n", row),
                unit: text("n_of", row),
                repeats: whole("averaged", row).unwrap_or(0),
                unscored: whole("unscored", row).unwrap_or(0),
                reasons: reasons
                    .transpose()
                    .map_err(|error| broken("reasons", row, error))?
                    .unwrap_or_default(),
                dropped: whole("dropped", row).unwrap_or(0),
                missing: whole("missing", row).unwrap_or(0),
                parts: whole("parts", row),
                over: text("over", row),
                lacks: lacks
                    .transpose()
                    .map_err(|error| broken("lacks", row, error))?
                    .unwrap_or_default(),
                partial: whole("partial", row).unwrap_or(0),
                p: measures["p"].number(row)?,
                undefined: text("undefined", row),
                family,
                why_none: text("why", row),
            })
        })
        .collect()
}
