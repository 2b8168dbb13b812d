//! `table`: arranges statistics as the cells of a table.
//!
//! The stage decides what stands where; how it looks (labels, decimals, file formats) belongs to
//! the report and is in no key.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Expression, Failure, Output, StageName};
use crate::frame::{ColumnData, ColumnView, Frame, FrameError, Scalar};
use crate::report::Cell;

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

/// Columns taken over from the statistics where they have them.
const COUNTS: [&str; 7] = [
    "n", "unscored", "reasons", "missing", "parts", "over", "dropped",
];
const COLUMNS: [&str; 10] = [
    "value", "n", "unscored", "reasons", "missing", "parts", "over", "dropped", "p", "why",
];

impl Table {
    /// Arranges the rows of `inputs`, each named, as cells: one row per cell with the row and column
    /// fields and the value with its counts.
    ///
    /// # Errors
    /// A field that a stage has no column for, a statistic it does not compute.
    pub fn run(&self, inputs: &[(StageName, Frame)]) -> Result<Output, Failure> {
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
            Some(condition) => condition.rows(input, rows)?.noting(warnings),
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
        let p = self.p_column(input)?;
        let counts = COUNTS.map(|name| input.has(name).then(|| input.column(name)));
        let why = input.has("why").then(|| input.column("why")).transpose()?;
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
            cell.push(Scalar::from(number));
            for column in &counts {
                cell.push(match column {
                    Some(Ok(column)) => column.scalar(row),
                    _ => Scalar::Null,
                });
            }
            cell.push(p.as_ref().map_or(Scalar::Null, |column| column.scalar(row)));
            cell.push(match &why {
                Some(column) if number.is_none() => column.scalar(row),
                _ => Scalar::Null,
            });
            cells.push(cell);
        }
        Ok(())
    }

    fn p_column<'f>(&self, input: &'f Frame) -> Result<Option<ColumnView<'f>>, FrameError> {
        if let Some(name) = &self.p {
            return input.column(name).map(Some);
        }
        let tested = ["t", "mean", "difference", "dz"].contains(&self.value.as_str());
        ["p_adjusted", "p"]
            .into_iter()
            .find(|name| tested && input.has(name))
            .map(|name| input.column(name))
            .transpose()
    }
}

/// The cells of a table stage's result.
///
/// # Errors
/// When the table is not one that [`Table::run`] made.
pub fn cells(table: &Table, frame: &Frame) -> Result<Vec<Cell>, Failure> {
    let fields = |names: &[String]| {
        names
            .iter()
            .map(|name| frame.column(name))
            .collect::<Result<Vec<_>, FrameError>>()
    };
    let (rows, columns) = (fields(&table.rows)?, fields(&table.columns)?);
    let [
        value,
        n,
        unscored,
        reasons,
        missing,
        parts,
        over,
        dropped,
        p,
        why,
    ] = COLUMNS.map(|name| frame.column(name));
    let (value, n, unscored, reasons, missing) = (value?, n?, unscored?, reasons?, missing?);
    let (parts, over, dropped, p, why) = (parts?, over?, dropped?, p?, why?);
    let texts = |columns: &[ColumnView<'_>], row: usize| {
        columns
            .iter()
            .map(|column| column.text(row).unwrap_or_default().into_owned())
            .collect::<Vec<String>>()
    };
    let whole = |column: &ColumnView<'_>, row: usize| match column.scalar(row) {
        Scalar::Int(n) => u64::try_from(n).ok(),
        _ => None,
    };
    (0..frame.rows())
        .map(|row| {
            let reasons: BTreeMap<String, u64> = match reasons.text(row) {
                Some(text) => serde_json::from_str(&text).map_err(|error| {
                    Failure::new(format!("reasons of row {}: {error}", row + 1))
                })?,
                None => BTreeMap::new(),
            };
            Ok(Cell {
                row: texts(&rows, row),
                column: texts(&columns, row),
                value: value.number(row)?,
                n: whole(&n, row),
                unscored: whole(&unscored, row).unwrap_or(0),
                reasons,
                dropped: whole(&dropped, row).unwrap_or(0),
                missing: whole(&missing, row).unwrap_or(0),
                parts: whole(&parts, row),
                over: over.text(row).map(std::borrow::Cow::into_owned),
                p: p.number(row)?,
                why_none: why.text(row).map(std::borrow::Cow::into_owned),
            })
        })
        .collect()
}
