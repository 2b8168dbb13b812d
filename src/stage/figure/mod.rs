//! `figure`: chooses and arranges the rows of a figure.
//!
//! The stage decides what is shown and where it stands; how it is drawn (as bars or points, titles, labels, sizes, file
//! formats) belongs to the chart and is in no key.

mod bins;
mod check;
mod contract;
mod part;
mod raw;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};

pub(crate) use self::bins::MOST as BINS;
use self::bins::bins;
pub(crate) use self::raw::RawFigure;
use crate::base::failure::Failure;
use crate::base::wording::list_of;
use crate::frame::{ColumnView, Frame, FrameError, Scalar};
use crate::output::chart::{Form, Row};
use crate::stage::stats::{
    Counting, Counts, Reader, Shows, Told, as_json, frame, number, one_of, other, texts,
};
use crate::stage::{Expression, Output, StageName};
use crate::stats::statistic::DF;
use crate::stats::{Sides, t_critical};

/// Chooses and arranges the rows of a figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// How rows are drawn; what is done to them first is in the key as [`Figure::counted`].
    #[serde(skip)]
    pub form: Form,
    /// What is done to the rows: each is shown, or how their values are distributed.
    pub counted: Counted,
    /// The fields whose values name panels.
    pub panels: Vec<String>,
    /// The fields along the horizontal axis.
    pub x: Vec<String>,
    /// The fields along the vertical axis.
    pub y: Vec<String>,
    /// The fields that tell series apart.
    pub series: Vec<String>,
    /// Where rows come from.
    pub parts: Vec<FigurePart>,
    /// Values of a t-test are held against the critical value of this level, two-sided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonsignificant: Option<f64>,
    /// Rows at whose value a line is drawn across their panel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Expression>,
}

/// What is done to the rows of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// Each row is shown.
    Not,
    /// How often each value occurs.
    Values,
    /// How many values lie in each of about so many bins.
    Bins(u32),
}

/// Rows from one stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FigurePart {
    /// The stage to read.
    #[serde(serialize_with = "as_text")]
    pub from: StageName,
    /// The column shown.
    pub value: String,
    /// The columns with the ends of its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// A condition on the rows that take part.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub condition: Option<Expression>,
    /// Fields that are called otherwise in these rows, and their columns.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rename: BTreeMap<String, String>,
    /// Fields that these rows take fixed values in.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, String>,
}

/// Where the interval around a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Interval {
    /// Columns with its ends.
    Ends(String, String),
    /// A column with half its width.
    Around(String),
}

impl Interval {
    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        let (first, second) = match self {
            Self::Ends(low, high) => (low, Some(high)),
            Self::Around(error) => (error, None),
        };
        std::iter::once(first).chain(second).map(String::as_str)
    }
}

fn as_text<S: Serializer>(name: &StageName, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(name)
}

/// A row in the making.
pub(super) struct Made {
    pub(super) fields: Vec<String>,
    pub(super) value: Option<f64>,
    pub(super) interval: (Option<f64>, Option<f64>),
    pub(super) bound: Option<f64>,
    pub(super) reference: bool,
    pub(super) counts: Counts,
    pub(super) computed: Scalar,
    /// Why the test behind the value, or the interval that was asked for, is not defined.
    pub(super) undefined: Option<String>,
    pub(super) why: Option<String>,
}

impl Figure {
    /// The fields that rows are told apart by.
    pub fn fields(&self) -> impl Iterator<Item = &String> {
        let fields = self.panels.iter().chain(&self.y).chain(&self.x);
        fields.chain(&self.series)
    }

    /// Chooses and arranges the rows of `inputs`, each named: one row for each thing shown, with its fields, the value,
    /// the ends of its interval, and its counts.
    ///
    /// # Errors
    /// A column that is not there or holds no numbers, or two rows in one place.
    pub fn arrange(&self, inputs: &[(StageName, Frame)]) -> Result<Output, Failure> {
        let mut rows = Vec::new();
        let mut warnings = Vec::new();
        for part in &self.parts {
            let input = inputs.iter().find(|(name, _)| *name == part.from);
            let input = input.map(|(_, frame)| frame).ok_or_else(|| {
                Failure::new(format!("`{}` was not handed to the figure", part.from))
            })?;
            self.fill(part, input, &mut rows, &mut warnings)
                .map_err(|failure| failure.at(&part.from))?;
        }
        let rows = match self.counted {
            Counted::Not => {
                self.refuse_doubles(&rows)?;
                rows
            }
            Counted::Values => values(rows),
            Counted::Bins(about) => bins(rows, about),
        };
        Ok(Output {
            warnings,
            ..Output::of(frame(&self.fields().collect::<Vec<_>>(), &rows)?)
        })
    }

    fn fill(
        &self,
        part: &FigurePart,
        input: &Frame,
        made: &mut Vec<Made>,
        warnings: &mut Vec<String>,
    ) -> Result<(), Failure> {
        let rows = Expression::rows_of_part(part.condition.as_ref(), input, &part.from, warnings)?;
        let references: BTreeSet<usize> = match &self.reference {
            Some(reference) => {
                let kept = reference.rows(input, rows.clone())?;
                kept.rows.into_iter().collect()
            }
            None => BTreeSet::new(),
        };
        let fields = self
            .fields()
            .map(|field| match part.set.get(field) {
                Some(fixed) => Ok(Field::Fixed(fixed)),
                None => input.column(part.rename.get(field).unwrap_or(field)).map(Field::Column).map_err(|error| {
                    Failure::from(error).hint(format!(
                        "give this part a fixed value with `set = {{ {field} = \"…\" }}`, or name another column"
                    ))
                }),
            })
            .collect::<Result<Vec<Field<'_>>, Failure>>()?;
        let value = input.column(&part.value)?;
        let interval = part
            .interval
            .as_ref()
            .map(|interval| {
                interval
                    .columns()
                    .map(|name| input.column(name))
                    .collect::<Result<Vec<_>, FrameError>>()
            })
            .transpose()?;
        let df = self
            .nonsignificant
            .map(|level| Ok::<_, FrameError>((level, input.column(DF)?)));
        let df = df.transpose()?;
        let counts = Counting::of(input, &part.value);
        let test = counts.is_of_a_test();
        for row in rows {
            let number = value.number(row)?;
            let ends = match interval.as_deref() {
                Some([low, high]) => (low.number(row)?, high.number(row)?),
                Some([error]) => around(number, error.number(row)?),
                _ => (None, None),
            };
            // Half an interval says nothing.
            let ends = if ends.0.is_some() && ends.1.is_some() {
                ends
            } else {
                (None, None)
            };
            let bound = match &df {
                Some((level, df)) => df
                    .number(row)?
                    .and_then(|df| t_critical(1.0 - level, df, Sides::Two)),
                None => None,
            };
            let support = counts.of_row(row, number.is_none())?;
            let undefined = match number {
                Some(_) => {
                    (interval.is_some() && ends.0.is_none()).then_some("there is no interval")
                }
                None => (test && support.any()).then_some("there is no test"),
            };
            let undefined =
                undefined.map(|unsaid| support.why.clone().unwrap_or_else(|| unsaid.to_owned()));
            made.push(Made {
                fields: fields.iter().map(|field| field.text(row)).collect(),
                value: number,
                interval: ends,
                bound,
                reference: references.contains(&row),
                counts: support.counts,
                computed: counts.computed(row),
                undefined,
                why: support.why.filter(|_| number.is_none()),
            });
        }
        Ok(())
    }

    /// Two rows in one place would hide each other.
    fn refuse_doubles(&self, rows: &[Made]) -> Result<(), Failure> {
        let mut seen = BTreeSet::new();
        let Some(twice) = rows.iter().find(|row| !seen.insert(&row.fields)) else {
            return Ok(());
        };
        let place: Vec<String> = self
            .fields()
            .zip(&twice.fields)
            .map(|(field, value)| format!("{field} = {value}"))
            .collect();
        let place = if place.is_empty() {
            "the figure".to_owned()
        } else {
            place.join(", ")
        };
        Err(Failure::new(format!("two rows share one position: {place}")).hint(
            "show the column that distinguishes them in `x`, `y`, `series` or `panels`, or pick some with `where`",
        ))
    }
}

impl Shows for Made {
    const BEFORE: &'static [Told<Self>] = &[
        number("value", |row| row.value.into()),
        number("low", |row| row.interval.0.into()),
        number("high", |row| row.interval.1.into()),
        number("bound", |row| row.bound.into()),
        other("reference", |row| Scalar::Bool(row.reference)),
    ];
    const AFTER: &'static [Told<Self>] = &[
        other("computed", |row| row.computed.clone()),
        other("undefined", |row| row.undefined.clone().into()),
        other("why", |row| row.why.clone().into()),
    ];

    fn fields(&self) -> &[String] {
        &self.fields
    }

    fn counts(&self) -> &Counts {
        &self.counts
    }
}

/// What names a row's place: a column, or the same text for all.
enum Field<'f> {
    Fixed(&'f String),
    Column(ColumnView<'f>),
}

impl Field<'_> {
    fn text(&self, row: usize) -> String {
        match self {
            Self::Fixed(text) => (*text).clone(),
            Self::Column(column) => column.text(row).unwrap_or_default().into_owned(),
        }
    }
}

/// The ends of an interval that reaches equally far to both sides.
fn around(value: Option<f64>, error: Option<f64>) -> (Option<f64>, Option<f64>) {
    match (value, error) {
        (Some(value), Some(error)) => (Some(value - error), Some(value + error)),
        _ => (None, None),
    }
}

/// Rows of one value put together: a row for each value that occurs in a place and how often, and one for those without.
fn values(rows: Vec<Made>) -> Vec<Made> {
    let mut found: indexmap::IndexMap<Vec<String>, Vec<Made>> = indexmap::IndexMap::new();
    for row in rows {
        found.entry(row.fields.clone()).or_default().push(row);
    }
    let mut made = Vec::new();
    for (_, rows) in found {
        let (mut with, without): (Vec<Made>, Vec<Made>) =
            rows.into_iter().partition(|row| row.value.is_some());
        with.sort_by(|left, right| {
            let values = (
                left.value.unwrap_or_default(),
                right.value.unwrap_or_default(),
            );
            values.0.total_cmp(&values.1)
        });
        for mut row in with {
            match made.last_mut() {
                Some(Made {
                    fields,
                    value,
                    counts,
                    ..
                }) if *fields == row.fields && *value == row.value => {
                    let n = more(counts.get("n"));
                    counts.set("n", n);
                }
                _ => {
                    // Whatever is behind a value, here it is one.
                    let one = one_of(1);
                    for name in ["n", "n_of"] {
                        row.counts.set(name, one.get(name).clone());
                    }
                    made.push(row);
                }
            }
        }
        made.extend(without_value(without));
    }
    made
}

/// One row more.
pub(super) fn more(n: &Scalar) -> Scalar {
    match n {
        Scalar::Int(n) => Scalar::Int(n + 1),
        _ => Scalar::Int(1),
    }
}

/// The rows of one place that have no value, as one row that counts them and says why.
pub(super) fn without_value(rows: Vec<Made>) -> Option<Made> {
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    for row in &rows {
        *reasons
            .entry(row.why.clone().unwrap_or_else(|| "no value".to_owned()))
            .or_default() += 1;
    }
    let n = rows.len();
    let mut first = rows.into_iter().next()?;
    let said: Vec<String> = reasons
        .iter()
        .map(|(why, n)| format!("{why} {n}"))
        .collect();
    first.why = Some(list_of(&said).replace('`', ""));
    first.counts.set("n", Scalar::Null);
    first.counts.set("unscored", Scalar::from(n));
    first.counts.set("reasons", as_json(&reasons));
    Some(first)
}

/// The rows of a figure stage's result, as the chart takes them.
///
/// # Errors
/// When the table is not one that [`Figure::arrange`] made.
pub fn rows(figure: &Figure, frame: &Frame) -> Result<Vec<Row>, Failure> {
    let (panels, x) = (texts(frame, &figure.panels)?, texts(frame, &figure.x)?);
    let (y, series) = (texts(frame, &figure.y)?, texts(frame, &figure.series)?);
    let made = Reader::of::<Made>(frame)?;
    let [value, low] = ["value", "low"].map(|name| made.numbers(name));
    let [high, bound] = ["high", "bound"].map(|name| made.numbers(name));
    let [n, averaged, unscored] = ["n", "averaged", "unscored"].map(|name| made.counts(name));
    let [dropped, missing] = ["dropped", "missing"].map(|name| made.counts(name));
    let [unit, undefined, why] = ["n_of", "undefined", "why"].map(|name| made.texts(name));
    let (how, reasons, lacks) = (
        made.json("computed"),
        made.json("reasons"),
        made.json("lacks"),
    );
    let rows = (0..frame.rows()).map(|row| {
        Ok(Row {
            how: how(row)?,
            panel: panels(row),
            x: x(row),
            y: y(row),
            series: series(row),
            value: value(row)?,
            low: low(row)?,
            high: high(row)?,
            bound: bound(row)?,
            reference: made.scalar("reference", row) == Scalar::Bool(true),
            n: n(row),
            unit: unit(row),
            repeats: averaged(row).unwrap_or(0),
            unscored: unscored(row).unwrap_or(0),
            reasons: reasons(row)?.unwrap_or_default(),
            dropped: dropped(row).unwrap_or(0),
            missing: missing(row).unwrap_or(0),
            lacks: lacks(row)?.unwrap_or_default(),
            undefined: undefined(row),
            why: why(row),
        })
    });
    rows.collect()
}
