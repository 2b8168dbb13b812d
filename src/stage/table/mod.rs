//! `table`: arranges statistics as the cells of a table.
//!
//! The stage decides what stands where; how it looks (labels, decimals, file formats) belongs to
//! the report and is in no key.

mod check;
mod contract;
mod mean;
mod raw;

use std::collections::BTreeMap;

use serde::Serialize;

pub(crate) use self::raw::RawTable;
use crate::base::failure::Failure;
use crate::frame::{ColumnView, Frame, Scalar};
use crate::output::report::{Cell, Family};
use crate::stage::contract::{Work, each_once};
use crate::stage::inputs::Inputs;
use crate::stage::stats::{
    Counting, Counts, FAMILY, Reader, Shows, Told, family, frame, number, other, texts,
};
use crate::stage::{Expression, Output, StageName};
use crate::stats::measure::Measure;
use crate::stats::statistic::{family_prefix, is_corrected, p_value_of};

/// Arranges statistics as a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// The columns whose values name the rows.
    pub rows: Vec<String>,
    /// The columns whose values name the columns.
    pub columns: Vec<String>,
    /// What fills the cells.
    pub parts: Vec<Part>,
    /// The fields over which means are shown as well, each with what takes the place of its values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mean: Vec<(String, String)>,
    /// Whose results it is handed where it shows ablations, in this order; the plan knows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
}

/// The experiment itself or an ablation, whose results a table shows beside others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Variant {
    /// The ablation, or [`BASE`].
    pub name: String,
    /// How many of the tables that are handed over are its.
    pub inputs: usize,
}

/// What the experiment itself is called beside its ablations.
pub const BASE: &str = "base";

/// What one of them hands over, by stage.
type HandedOver<'t> = (&'t str, Vec<(StageName, Frame)>);

/// The field that says which ablation a cell is of.
const ABLATION: &str = "ablation";
/// The field that says which of several columns a cell shows.
const STATISTIC: &str = "statistic";

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
    /// Whether it shows the results of ablations too, which the field `ablation` tells apart.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ablations: bool,
    /// The column whose means are shown, where they are of one that is not called so itself.
    #[serde(skip)]
    pub mean_of: Option<String>,
    /// Which of the parts it is as they are written, of which one may show several columns.
    #[serde(skip)]
    pub written: usize,
}

fn as_text<S: serde::Serializer>(name: &StageName, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(name)
}

/// A cell in the making.
struct Made {
    fields: Vec<String>,
    value: Option<f64>,
    /// The row of statistics that it shows a column of.
    source: Option<String>,
    counts: Counts,
    family: Option<Family>,
    statistic: String,
    computed: Scalar,
    p: Option<f64>,
    /// Why the test behind the value is not defined.
    undefined: Option<String>,
    why: Option<String>,
}

impl Shows for Made {
    const BEFORE: &'static [Told<Self>] = &[number("value", |cell| cell.value.into())];
    const AFTER: &'static [Told<Self>] = &[
        other("value_of", |cell| Scalar::from(cell.statistic.as_str())),
        other("computed", |cell| cell.computed.clone()),
        number("p", |cell| cell.p.into()),
        other("undefined", |cell| cell.undefined.clone().into()),
        other("why", |cell| cell.why.clone().into()),
        other("source", |cell| cell.source.clone().into()),
    ];
    const FAMILY: &'static [Told<Family>] = &FAMILY;

    fn fields(&self) -> &[String] {
        &self.fields
    }

    fn counts(&self) -> &Counts {
        &self.counts
    }

    fn family(&self) -> Option<&Family> {
        self.family.as_ref()
    }
}

impl Table {
    /// Whether it shows ablations beside the experiment itself.
    pub fn compares(&self) -> bool {
        self.parts.iter().any(|part| part.ablations)
    }

    /// The stages whose results it reads of the experiment itself.
    pub fn reads_of_all(&self) -> Vec<&StageName> {
        self.reads()
    }

    /// The stages whose results it reads of ablations.
    pub fn reads_of_ablations(&self) -> Vec<&StageName> {
        let parts = self.parts.iter().filter(|part| part.ablations);
        each_once(parts.map(|part| &part.from))
    }

    /// Arranges the rows of `inputs` as cells: one row per cell with the row and column fields and the value with its
    /// counts.
    ///
    /// # Errors
    /// A field that a stage has no column for, a statistic it does not compute.
    pub fn arrange(&self, inputs: &Inputs) -> Result<Output, Failure> {
        let fields: Vec<&String> = self.rows.iter().chain(&self.columns).collect();
        let mut cells: Vec<Made> = Vec::new();
        let mut warnings = Vec::new();
        let variants = self.by_variant(inputs)?;
        // Means stand behind all that they are of.
        let mut means: Vec<Made> = Vec::new();
        for part in &self.parts {
            let shown = if part.ablations { variants.len() } else { 1 };
            for (variant, inputs) in variants.iter().take(shown) {
                let input = inputs
                    .iter()
                    .find(|(name, _)| *name == part.from)
                    .map(|(_, frame)| frame)
                    .ok_or_else(|| {
                        Failure::new(format!("`{}` was not handed to the table", part.from))
                    })?;
                let found = part
                    .fill(&fields, (variant, input), &mut cells, &mut warnings)
                    .and_then(|()| self.means(part, &fields, (variant, input)));
                means.extend(found.map_err(|failure| failure.at(&part.from))?);
            }
        }
        cells.extend(means);
        only_shared(&mut cells);
        Ok(Output {
            warnings,
            ..Output::of(frame(&fields, &cells)?)
        })
    }

    /// What is handed over, by stage, for the experiment itself and then for each ablation.
    fn by_variant<'t>(&'t self, inputs: &Inputs) -> Result<Vec<HandedOver<'t>>, Failure> {
        if self.variants.is_empty() {
            return Ok(vec![(BASE, inputs.by_stage(&self.reads())?)]);
        }
        let mut start = 0;
        let variants = self.variants.iter().map(|variant| {
            let own = inputs.slice(start..start + variant.inputs);
            start += variant.inputs;
            Ok((variant.name.as_str(), own.by_stage(&self.reads())?))
        });
        variants.collect()
    }
}

/// Leaves the row behind a cell where other cells show it as well: elsewhere it says nothing.
fn only_shared(cells: &mut [Made]) {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for source in cells.iter().filter_map(|cell| cell.source.as_ref()) {
        *times.entry(source.clone()).or_default() += 1;
    }
    for cell in cells {
        cell.source = cell.source.take().filter(|source| times[source] > 1);
    }
}

impl Part {
    /// Whether a field's value is known without a look at the rows.
    pub(crate) fn gives(&self, field: &str) -> bool {
        self.set.contains_key(field) || (self.ablations && field == ABLATION)
    }

    fn fill(
        &self,
        fields: &[&String],
        (variant, input): (&str, &Frame),
        cells: &mut Vec<Made>,
        warnings: &mut Vec<String>,
    ) -> Result<(), Failure> {
        let rows = Expression::rows_of_part(self.condition.as_ref(), input, &self.from, warnings)?;
        let keys = fields
            .iter()
            .map(|field| {
                if self.gives(field) {
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
        let counting = Counting::of(input, &self.value);
        let p_name = self.p_column(input, counting.measure());
        let p = p_name
            .as_deref()
            .map(|name| input.column(name))
            .transpose()?;
        let of_p = p_name.as_deref().map(|name| Counting::of(input, name));
        let of_family = [Some(&*self.value), p_name.as_deref()]
            .into_iter()
            .flatten();
        let of_family = of_family.rev().find(|name| is_corrected(name));
        let (corrected, prefix) = (of_family.is_some(), of_family.map_or("", family_prefix));
        let family_of = |row| {
            let column = |name: &str| input.column(name).ok();
            let family = family(|name| {
                column(&format!("{prefix}{name}")).map_or(Scalar::Null, |found| found.scalar(row))
            });
            // Families of two stages are two, whatever they hold.
            let named = |family: Family| {
                let stage = self.from.to_string();
                let parts = [stage, family.name].into_iter();
                let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
                Family {
                    name: parts.join(", "),
                    ..family
                }
            };
            family.filter(|_| corrected).map(named)
        };
        let test = counting.is_of_a_test();
        for row in rows {
            let shown = value.number(row)?;
            let support = counting.of_row(row, shown.is_none())?;
            let p_value = p.as_ref().map(|p| p.number(row)).transpose()?.flatten();
            // A test that is not defined leaves its own statistics without a value, others without a mark.
            let undefined = match shown {
                Some(_) => p.is_some() && p_value.is_none(),
                None => test && support.any(),
            };
            let why = support.why;
            // A value may be there whose test is not defined.
            let own = match &of_p {
                Some(of_p) if shown.is_some() && undefined => of_p.of_row(row, true)?.why,
                _ => None,
            };
            let reason = || {
                let why = own.clone().or_else(|| why.clone());
                why.unwrap_or_else(|| "there is no p-value".to_owned())
            };
            let place = fields
                .iter()
                .zip(&keys)
                .map(|(field, column)| match column {
                    None => self
                        .set
                        .get(*field)
                        .map_or(variant, String::as_str)
                        .to_owned(),
                    Some(column) => column.text(row).unwrap_or_default().into_owned(),
                });
            cells.push(Made {
                fields: place.collect(),
                value: shown,
                source: counting
                    .is_counted()
                    .then(|| format!("{} {variant} {row}", self.from)),
                counts: support.counts,
                family: family_of(row),
                statistic: self.mean_of.as_ref().unwrap_or(&self.value).clone(),
                computed: counting.computed(row),
                p: p_value,
                undefined: undefined.then(reason),
                why: why.filter(|_| shown.is_none()),
            });
        }
        Ok(())
    }

    /// The column with the p-value, if marks of significance may stand at these cells.
    fn p_column(&self, input: &Frame, measure: Option<&Measure>) -> Option<String> {
        match &self.p {
            Some(name) => Some(name.clone()),
            None => p_value_of(&self.value, measure, |name| input.has(name)),
        }
    }
}

/// The cells of a table stage's result.
///
/// # Errors
/// When the table is not one that [`Table::arrange`] made.
pub fn cells(table: &Table, frame: &Frame) -> Result<Vec<Cell>, Failure> {
    let (rows, columns) = (texts(frame, &table.rows)?, texts(frame, &table.columns)?);
    let made = Reader::of::<Made>(frame)?;
    let [value, p] = ["value", "p"].map(|name| made.numbers(name));
    let [n, averaged, parts] = ["n", "averaged", "parts"].map(|name| made.counts(name));
    let [unscored, dropped] = ["unscored", "dropped"].map(|name| made.counts(name));
    let [missing, partial] = ["missing", "partial"].map(|name| made.counts(name));
    let [statistic, unit, over] = ["value_of", "n_of", "over"].map(|name| made.texts(name));
    let [undefined, why, source] = ["undefined", "why", "source"].map(|name| made.texts(name));
    let (how, reasons, lacks) = (
        made.json("computed"),
        made.json("reasons"),
        made.json("lacks"),
    );
    let cells = (0..frame.rows()).map(|row| {
        Ok(Cell {
            row: rows(row),
            column: columns(row),
            value: value(row)?,
            source: source(row),
            statistic: statistic(row),
            how: how(row)?,
            n: n(row),
            unit: unit(row),
            repeats: averaged(row).unwrap_or(0),
            unscored: unscored(row).unwrap_or(0),
            reasons: reasons(row)?.unwrap_or_default(),
            dropped: dropped(row).unwrap_or(0),
            missing: missing(row).unwrap_or(0),
            parts: parts(row),
            over: over(row),
            lacks: lacks(row)?.unwrap_or_default(),
            partial: partial(row).unwrap_or(0),
            p: p(row)?,
            undefined: undefined(row),
            family: family(|name| made.scalar(name, row)),
            why_none: why(row),
        })
    });
    cells.collect()
}
