//! `manipulate`: damages every text in a recorded way.
//!
//! What is done to one text is the business of [`crate::language::manipulate`]; here are the table, the donors, and
//! the seeds. A document that a manipulation does not fit keeps its row, has no text, and says why: what
//! was not changed must never be judged as if it had been.

mod check;
mod contract;
mod giving;
mod raw;
mod tables;
mod told;

use serde::Serialize;

pub(crate) use self::check::idle;
use self::giving::Giving;
use self::told::Told;
use crate::base::draw::Source;
use crate::base::failure::Failure;
use crate::frame::{ColumnData, Frame};
use crate::language::manipulate::{
    Damaged, Layer, NotApplicable, Others, Position, Recipe, Refusal, Subject, Takes, layers,
};
use crate::language::text::{self, TokenizerSpec};
use crate::stage::annotate::Annotator;
use crate::stage::contract::Compute;
use crate::stage::inputs::{Inputs, World};
use crate::stage::pile::Pile;
use crate::stage::refused::{NOT_APPLICABLE, why_not};
use crate::stage::rows::each;
use crate::stage::{Output, StageName};

/// The columns that are added, besides the reason for there being no text.
pub const DAMAGE_COLUMNS: [&str; 7] = [
    "manipulation",
    "target_metric",
    "candidates",
    "operations",
    "edits",
    "unaltered",
    crate::stage::refused::NOT_APPLICABLE,
];

/// The columns that every manipulated document has.
const COLUMNS: [&str; 6] = [
    "manipulation",
    "target_metric",
    "candidates",
    "operations",
    NOT_APPLICABLE,
    "edits",
];

/// Damages every text in a recorded way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Manipulate {
    /// The stage to read.
    #[serde(skip)]
    pub from: StageName,
    /// The stage with donors, or with the whole documents; the one that is read, if none is named.
    #[serde(skip)]
    pub other: Option<StageName>,
    /// What is done; nothing, where the documents stay as they are.
    pub recipe: Option<Recipe>,
    /// Who finds sentences, words and entities, where any are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotator: Option<Annotator>,
    /// What a token is, where operations follow from their number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokenizer: Option<TokenizerSpec>,
}

/// The cells that a manipulation gives one row.
struct Row {
    text: Option<String>,
    unaltered: Option<String>,
    manipulation: Option<String>,
    target: Option<&'static str>,
    candidates: Option<i64>,
    operations: Option<i64>,
    not_applicable: Option<String>,
    edits: Option<String>,
}

impl Compute for Manipulate {
    /// Changes the column `text` and adds `manipulation`, `target_metric`, `candidates`, `operations`,
    /// `not_applicable` and `edits`; a needle also gives `unaltered`, the same excerpt without the change.
    ///
    /// What is drawn for a document depends on the seed, this stage's name, the manipulation and the
    /// document, and on nothing else.
    ///
    /// # Errors
    /// A missing column, an annotator that fails, a document that lacks its whole in the stage to fill from.
    fn run(&self, inputs: &Inputs, world: &dyn World) -> Result<Output, Failure> {
        let mut pile = Pile::new(world);
        let Some(recipe) = &self.recipe else {
            for part in inputs.parts() {
                pile.push(untouched(&*part?)?)?;
            }
            return Ok(Output::of(pile.end()?));
        };
        let tokenizer = match &self.tokenizer {
            Some(tokenizer) => world.tokenizer(tokenizer)?,
            None => text::Tokenizer::default(),
        };
        let giving = self.giving(recipe, inputs)?;
        let passages = giving.passages();
        let damaging = Damaging {
            manipulate: self,
            recipe,
            tokenizer,
            others: giving.others(recipe, &passages),
            giving: &giving,
            world,
        };
        let mut told = Told::default();
        for part in inputs.parts() {
            let part = part?;
            for slice in damaging.slices(&part)? {
                pile.push(damaging.damage(&slice, &mut told)?)?;
            }
        }
        let mut output = Output::of(pile.end()?);
        output.warnings = told.warnings(recipe);
        Ok(output)
    }

    fn in_parts(&self) -> bool {
        let takes = |recipe: &Recipe| recipe.settings.takes();
        self.recipe
            .as_ref()
            .is_none_or(|recipe| takes(recipe) == Takes::Nothing)
    }
}

impl Manipulate {
    /// What the manipulation takes from other documents.
    fn giving(&self, recipe: &Recipe, inputs: &Inputs) -> Result<Giving, Failure> {
        if recipe.settings.takes() == Takes::Nothing {
            return Ok(Giving::default());
        }
        let other = match inputs.all().get(1) {
            Some(other) => other,
            None => inputs.one()?,
        };
        // Without a stage to fill from, a text is the whole of what there is.
        let wholes = self.other.as_ref().is_some_and(|other| *other != self.from);
        Giving::new(recipe, other, wholes)
    }
}

/// A manipulation with all that it needs.
struct Damaging<'m> {
    manipulate: &'m Manipulate,
    recipe: &'m Recipe,
    tokenizer: text::Tokenizer,
    giving: &'m Giving,
    others: Others<'m>,
    world: &'m dyn World,
}

/// So many rows come of a slice of the documents, where a document comes to many.
const SLICE: usize = 1024;

impl Damaging<'_> {
    /// The documents as they are damaged together: few at a time where each comes to many rows. A program that annotates is
    /// started once.
    fn slices(&self, input: &Frame) -> Result<Vec<Frame>, Failure> {
        let several = self.recipe.settings.positions().len().max(1);
        let by_program = matches!(self.manipulate.annotator, Some(Annotator::Program(_)));
        if several == 1 || by_program {
            return Ok(vec![input.clone()]);
        }
        let rows: Vec<usize> = (0..input.rows()).collect();
        let slices = rows.chunks((SLICE / several).max(1));
        let mut slices = slices
            .map(|rows| input.take(rows))
            .collect::<Result<Vec<_>, _>>()?;
        if slices.is_empty() {
            slices.push(input.clone());
        }
        Ok(slices)
    }

    /// Damages some documents.
    fn damage(&self, input: &Frame, told: &mut Told) -> Result<Frame, Failure> {
        let rows = self.rows(input, told)?;
        told.add(input, &rows)?;
        let placed = placed(input, &self.recipe.settings.positions())?;
        let rows = rows.into_iter().flatten().collect();
        add(placed.unwrap_or_else(|| input.clone()), rows)
    }

    fn rows(&self, input: &Frame, told: &mut Told) -> Result<Vec<Vec<Row>>, Failure> {
        let (recipe, world) = (self.recipe, self.world);
        let column = input.column("text")?;
        let ids = input.column("doc_id")?;
        let annotator = self.manipulate.annotator.clone();
        let annotator = annotator.unwrap_or_else(Annotator::built_in);
        let annotated = annotator.prepare(&column, Some(&ids), recipe.wants(), world)?;
        told.annotated(annotated.warnings());
        let turns = told.turns(input, &ids)?;
        let stage = world.name().to_string();
        let seed = world.seed();
        let earlier = input
            .has("edits")
            .then(|| input.column("edits"))
            .transpose()?;
        let several = recipe.settings.positions().len().max(1);
        let refused = |why: &str| -> Vec<Row> {
            let rows = (0..several).map(|_| refused(recipe, why.to_owned()));
            rows.collect()
        };
        let rows = each(input.rows(), |row| -> Result<Vec<Row>, Failure> {
            let Some(text) = column.text(row) else {
                return Ok(refused(&why_not(input, row).unwrap_or_default()));
            };
            let text: &str = &text;
            let id = ids.text(row).unwrap_or_default();
            let source = Source::new(seed, &[stage.as_str(), &id, &turns[row]]);
            let seeded = |parts: &[&str]| source.draw(parts);
            let annotations = annotated.of(row, text)?;
            let subject = Subject {
                id: &id,
                text,
                annotations: &annotations,
                tokens: if recipe.counts_tokens() {
                    self.tokenizer.count(text)?
                } else {
                    0
                },
                whole: self.giving.whole(&id, text)?,
                others: &self.others,
            };
            match recipe.perform_each(&subject, &seeded) {
                Err(Refusal::NotApplicable(NotApplicable(why))) => Ok(refused(&why)),
                Err(Refusal::Broken(why)) => Err(Failure::new(format!(
                    "`{}` made edits that cannot be made to `{id}`: {why}",
                    recipe.manipulation()
                ))),
                Ok(damaged) => {
                    let before = earlier.as_ref().and_then(|column| column.text(row));
                    let rows = damaged.into_iter();
                    rows.map(|damaged| damaged_row(recipe, text, damaged, before.as_deref()))
                        .collect()
                }
            }
        });
        rows.into_iter().collect()
    }
}

/// Documents that stay as they are, with what earlier manipulations recorded of them.
fn untouched(input: &Frame) -> Result<Frame, Failure> {
    let text = input.column("text")?;
    let absent = || vec![None; input.rows()];
    let none_made = (0..input.rows()).map(|row| text.text(row).map(|_| 0));
    let mut frame = input.clone();
    let added = [
        ColumnData::Text(absent()),
        ColumnData::Text(absent()),
        ColumnData::Int(vec![None; input.rows()]),
        ColumnData::Int(none_made.collect()),
        ColumnData::Text(absent()),
        ColumnData::Text(absent()),
    ];
    for (name, data) in COLUMNS.into_iter().zip(added) {
        if !frame.has(name) {
            frame = frame.with_column(name, data)?;
        }
    }
    Ok(frame)
}

fn refused(recipe: &Recipe, why: String) -> Row {
    Row {
        text: None,
        unaltered: None,
        manipulation: Some(recipe.manipulation().name().to_owned()),
        target: Some(recipe.manipulation().target().name()),
        candidates: None,
        operations: None,
        not_applicable: Some(why),
        edits: None,
    }
}

fn damaged_row(
    recipe: &Recipe,
    text: &str,
    damaged: Damaged,
    earlier: Option<&str>,
) -> Result<Row, Failure> {
    let broken = |error: &dyn std::fmt::Display| Failure::new(error.to_string());
    let mut all = match earlier {
        Some(cell) => layers(cell).map_err(|error| {
            broken(&error)
                .hint("a column `edits` is what `manipulate` writes: rename one of your own")
        })?,
        None => Vec::new(),
    };
    let mut names: Vec<String> = all.iter().map(|layer| layer.manipulation.clone()).collect();
    names.push(recipe.manipulation().name().to_owned());
    if damaged.unaltered.is_some() {
        // A needle is laid into an excerpt, where the places of earlier edits mean nothing.
        all.clear();
    }
    let before = damaged.unaltered.as_deref().unwrap_or(text);
    let layer = Layer::new(
        recipe.manipulation(),
        damaged.operations,
        damaged.edits,
        (before, &damaged.text),
    );
    all.push(layer.map_err(|error| broken(&error))?);
    Ok(Row {
        manipulation: Some(names.join("+")),
        target: Some(recipe.manipulation().target().name()),
        candidates: integer(damaged.candidates),
        operations: integer(damaged.operations),
        not_applicable: None,
        edits: Some(serde_json::to_string(&all).map_err(|error| broken(&error))?),
        text: Some(damaged.text),
        unaltered: damaged.unaltered,
    })
}

/// A count as a cell.
fn integer(n: usize) -> Option<i64> {
    i64::try_from(n).ok()
}

/// The columns of a needle that stands in several positions.
pub(super) const POSITION_COLUMNS: [&str; 2] = ["before", "after"];

/// A row for every document and position, still without texts; nothing, where there is one position.
fn placed(input: &Frame, positions: &[Position]) -> Result<Option<Frame>, Failure> {
    if positions.is_empty() {
        return Ok(None);
    }
    if let Some(name) = POSITION_COLUMNS.iter().find(|name| input.has(name)) {
        return Err(Failure::new(format!(
            "there already is a column `{name}`, which a needle in several positions adds"
        ))
        .hint("rename the old one with `derive`, or leave it out with `columns` in a `select`"));
    }
    // The texts are replaced anyway, and would be copied for each position.
    let texts = ColumnData::Text(vec![None; input.rows()]);
    let bare = input.clone().with_column("text", texts)?;
    let rows: Vec<usize> = (0..input.rows())
        .flat_map(|row| positions.iter().map(move |_| row))
        .collect();
    let column = |count: fn(&Position) -> usize| {
        let cells = (0..input.rows()).flat_map(|_| positions.iter().map(count));
        ColumnData::Int(cells.map(integer).collect())
    };
    let [before, after] = POSITION_COLUMNS;
    let frame = bare
        .take(&rows)?
        .with_column(before, column(|position| position.before))?
        .with_column(after, column(|position| position.after))?;
    Ok(Some(frame))
}

/// Puts the cells into the table.
fn add(input: Frame, rows: Vec<Row>) -> Result<Frame, Failure> {
    let mut text = Vec::new();
    let mut unaltered = Vec::new();
    let mut manipulation = Vec::new();
    let mut target = Vec::new();
    let mut candidates = Vec::new();
    let mut operations = Vec::new();
    let mut not_applicable = Vec::new();
    let mut edits = Vec::new();
    for row in rows {
        text.push(row.text);
        unaltered.push(row.unaltered);
        manipulation.push(row.manipulation);
        target.push(row.target.map(str::to_owned));
        candidates.push(row.candidates);
        operations.push(row.operations);
        not_applicable.push(row.not_applicable);
        edits.push(row.edits);
    }
    let mut frame = input.with_column("text", ColumnData::Text(text))?;
    if unaltered.iter().any(Option::is_some) {
        frame = frame.with_column("unaltered", ColumnData::Text(unaltered))?;
    }
    let added = [
        ColumnData::Text(manipulation),
        ColumnData::Text(target),
        ColumnData::Int(candidates),
        ColumnData::Int(operations),
        ColumnData::Text(not_applicable),
        ColumnData::Text(edits),
    ];
    for (name, data) in COLUMNS.into_iter().zip(added) {
        frame = frame.with_column(name, data)?;
    }
    Ok(frame)
}
