//! `figure`: chooses and arranges the rows of a figure.
//!
//! The stage decides what is shown and where it stands; how it is drawn (as bars or points, titles, labels, sizes, file
//! formats) belongs to the chart and is in no key.

mod bins;
mod calibration;
mod check;
mod contract;
mod counted;
mod needs;
mod pairs;
mod part;
mod raw;
mod shares;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};

pub(crate) use self::bins::MOST as BINS;
pub use self::counted::Counted;
pub(crate) use self::raw::RawFigure;
use crate::base::failure::Failure;
use crate::frame::{ColumnData, ColumnView, Frame, FrameError, Scalar};
use crate::output::chart::{Form, Row};
use crate::stage::stats::{Counting, Counts, Reader, Shows, Told, frame, number, other, texts};
use crate::stage::{Expression, Output, StageName};
use crate::stats::statistic::DF;
use crate::stats::{Sides, t_critical};

/// The column with the coefficient of correlation, in figures with a fitted line.
const R: &str = "r";

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
    /// Whether those hold numbers.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub numeric: bool,
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
    /// The coefficient of correlation, at the ends of a fitted line.
    pub(super) r: Option<f64>,
}

impl Figure {
    /// The fields that rows are told apart by.
    pub fn fields(&self) -> impl Iterator<Item = &String> {
        let fields = self.panels.iter().chain(&self.y).chain(&self.x);
        fields.chain(&self.series)
    }

    /// Whether a field holds numbers.
    fn counts(&self, field: &String) -> bool {
        self.numeric && self.x.contains(field)
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
        if self.counted == Counted::Not {
            self.refuse_doubles(&rows)?;
        }
        let rows = self.counted.of(rows, self)?;
        let mut shown = frame(&self.fields().collect::<Vec<_>>(), &rows)?;
        if self.counted == Counted::Fit {
            let r = rows.iter().map(|row| row.r).collect();
            shown = shown.with_column(R, ColumnData::Float(r))?;
        }
        Ok(Output {
            warnings,
            ..Output::of(shown)
        })
    }

    /// What the fields of a part's rows are read from.
    fn columns_of_fields<'f>(
        &'f self,
        part: &'f FigurePart,
        input: &'f Frame,
    ) -> Result<Vec<Field<'f>>, Failure> {
        let fields = self.fields()
            .map(|field| match part.set.get(field) {
                Some(fixed) if self.counts(field) && fixed.parse::<f64>().is_err() => {
                    Err(no_number(fixed))
                }
                Some(fixed) => Ok(Field::Fixed(fixed)),
                None => input.column(part.rename.get(field).unwrap_or(field)).map(|column| {
                    if self.counts(field) {
                        Field::Number(column)
                    } else {
                        Field::Column(column)
                    }
                }).map_err(|error| {
                    Failure::from(error).hint(format!(
                        "give this part a fixed value with `set = {{ {field} = \"…\" }}`, or name another column"
                    ))
                }),
            });
        fields.collect()
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
        let fields = self.columns_of_fields(part, input)?;
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
        let low = part
            .interval
            .as_ref()
            .and_then(|interval| interval.columns().next());
        let of_low = low.map(|low| Counting::of(input, low));
        for row in rows {
            let number = if self.counted.is_of_labels() {
                (!value.lacks(row)).then_some(1.0)
            } else {
                value.number(row)?
            };
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
            // A value may be there that has no interval.
            let own = match &of_low {
                Some(of_low) if number.is_some() && undefined.is_some() => {
                    of_low.of_row(row, true)?.why
                }
                _ => None,
            };
            let undefined = undefined.map(|unsaid| {
                let why = own.or_else(|| support.why.clone());
                why.unwrap_or_else(|| unsaid.to_owned())
            });
            made.push(Made {
                fields: fields
                    .iter()
                    .map(|field| field.text(row))
                    .collect::<Result<_, Failure>>()?,
                value: number,
                interval: ends,
                bound,
                reference: references.contains(&row),
                counts: support.counts,
                computed: counts.computed(row),
                undefined,
                why: support.why.filter(|_| number.is_none()),
                r: None,
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
    Number(ColumnView<'f>),
}

impl Field<'_> {
    fn text(&self, row: usize) -> Result<String, Failure> {
        Ok(match self {
            Self::Fixed(text) => (*text).clone(),
            Self::Column(column) => column.text(row).unwrap_or_default().into_owned(),
            Self::Number(column) => return as_it_counts(column, row),
        })
    }
}

fn no_number(text: &str) -> Failure {
    Failure::new(format!("`{text}` is no number, and `x` goes by numbers"))
        .hint("name a column of numbers with `x`, or pick rows with `where`")
}

/// The number of a cell, as a field holds it. Columns that form groups of statistics hold numbers as texts.
fn as_it_counts(column: &ColumnView<'_>, row: usize) -> Result<String, Failure> {
    let Ok(number) = column.number(row) else {
        let text = column.text(row).unwrap_or_default();
        let number: Option<f64> = text.parse().ok().filter(|number: &f64| number.is_finite());
        if number.is_none() && !text.is_empty() {
            return Err(no_number(&text));
        }
        return Ok(number.map_or_else(String::new, as_number));
    };
    Ok(number.map_or_else(String::new, as_number))
}

/// A number as a field holds it: the shortest text that is read back as this number.
fn as_number(number: f64) -> String {
    Scalar::Float(number).to_string()
}

/// The ends of an interval that reaches equally far to both sides.
fn around(value: Option<f64>, error: Option<f64>) -> (Option<f64>, Option<f64>) {
    match (value, error) {
        (Some(value), Some(error)) => (Some(value - error), Some(value + error)),
        _ => (None, None),
    }
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
    let r = frame.column(R).ok();
    let rows = (0..frame.rows()).map(|row| {
        Ok(Row {
            r: r.as_ref().and_then(|r| r.scalar(row).number()),
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
