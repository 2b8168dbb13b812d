//! `manipulate`: damages every text in a recorded way.
//!
//! What is done to one text is the business of [`crate::language::manipulate`]; here are the table, the donors, and
//! the seeds. A document that a manipulation does not fit keeps its row, has no text, and says why: what
//! was not changed must never be judged as if it had been.

mod check;
mod contract;
mod raw;
mod tables;

use std::collections::BTreeMap;

use serde::Serialize;

pub(crate) use self::check::idle;
use crate::base::draw::Source;
use crate::base::failure::Failure;
use crate::base::wording::{count, some_because, some_of};
use crate::frame::{ColumnData, ColumnView, Frame};
use crate::language::manipulate::{
    Damaged, Donor, HayDonor, HayDonors, Layer, NotApplicable, Others, Position, Recipe, Refusal,
    Subject, Takes, layers,
};
use crate::language::text::{self, Span, TokenizerSpec};
use crate::stage::annotate::Annotator;
use crate::stage::contract::Compute;
use crate::stage::inputs::{Inputs, World};
use crate::stage::refused::{NOT_APPLICABLE, told, why_not};
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
        let input = inputs.one()?;
        let Some(recipe) = &self.recipe else {
            return untouched(input);
        };
        let other = inputs.all().get(1).copied().unwrap_or(input);
        let tokenizer = match &self.tokenizer {
            Some(tokenizer) => world.tokenizer(tokenizer)?,
            None => text::Tokenizer::default(),
        };
        let mut output = Output::of(Frame::new(Vec::new())?);
        let rows = self.damage(recipe, input, other, (&tokenizer, world), &mut output)?;
        output.warnings.extend(warnings(recipe, input, &rows)?);
        let placed = placed(input, &recipe.settings.positions())?;
        let rows = rows.into_iter().flatten().collect();
        output.frame = add(placed.unwrap_or_else(|| input.clone()), rows)?;
        Ok(output)
    }
}

impl Manipulate {
    fn damage(
        &self,
        recipe: &Recipe,
        input: &Frame,
        other: &Frame,
        (tokenizer, world): (&text::Tokenizer, &dyn World),
        output: &mut Output,
    ) -> Result<Vec<Vec<Row>>, Failure> {
        let column = input.column("text")?;
        let ids = input.column("doc_id")?;
        let annotator = self.annotator.clone().unwrap_or_else(Annotator::built_in);
        let annotated = annotator.prepare(&column, Some(&ids), recipe.wants(), world)?;
        output.warnings.extend(annotated.warnings());
        // Without a stage to fill from, a text is the whole of what there is.
        let wholes = self.other.as_ref().is_some_and(|other| *other != self.from);
        let giving = Giving::new(recipe, other, wholes)?;
        let passages = giving.passages();
        let others = giving.others(recipe, &passages);
        let turns = turns(input, &ids)?;
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
                    tokenizer.count(text)?
                } else {
                    0
                },
                whole: giving.whole(&id, text)?,
                others: &others,
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

/// What a person should know: documents that the manipulation does not fit, and those that are as they
/// were although it fits, because a percentage came to nothing or what changed places was alike.
///
/// A needle that fits at one position of a document fits at all, and alters the same sentence there.
fn warnings(recipe: &Recipe, input: &Frame, rows: &[Vec<Row>]) -> Result<Vec<String>, Failure> {
    let (ids, before) = (input.column("doc_id")?, input.column("text")?);
    let (mut refused, mut unchanged) = (Vec::new(), Vec::new());
    for (row, cells) in rows.iter().enumerate() {
        let Some(cells) = cells.first() else {
            continue;
        };
        let id = || ids.text(row).unwrap_or_default().into_owned();
        if let Some(why) = &cells.not_applicable {
            // Whoever left the document without text has said so already.
            if !told(input, row) {
                refused.push((id(), why.clone()));
            }
        } else if let Some(text) = &cells.text {
            let same = match &cells.unaltered {
                Some(unaltered) => text == unaltered,
                None => before.text(row).is_some_and(|before| before == *text),
            };
            if same {
                unchanged.push(id());
            }
        }
    }
    let (manipulation, all) = (recipe.manipulation(), count(rows.len(), "document"));
    let mut warnings = Vec::new();
    if !refused.is_empty() {
        warnings.push(format!(
            "`{manipulation}` does not fit {} of {all}: {}",
            refused.len(),
            some_because(&refused)
        ));
    }
    if !unchanged.is_empty() {
        warnings.push(format!(
            "`{manipulation}` changes nothing in {} of {all}: {}",
            unchanged.len(),
            some_of(&unchanged)
        ));
    }
    Ok(warnings)
}

/// Documents that stay as they are, with what earlier manipulations recorded of them.
fn untouched(input: &Frame) -> Result<Output, Failure> {
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
    Ok(Output::of(frame))
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

/// What tells the rows of one document apart, so that they draw apart: its section where there is one, or
/// how many of its rows stand before. Rows of other documents do not matter.
fn turns(input: &Frame, ids: &ColumnView<'_>) -> Result<Vec<String>, Failure> {
    let section = input
        .has("section")
        .then(|| input.column("section"))
        .transpose()?;
    let mut seen: BTreeMap<(String, String), usize> = BTreeMap::new();
    Ok((0..ids.len())
        .map(|row| {
            let section = section.as_ref().and_then(|column| column.text(row));
            let section = section.unwrap_or_default().into_owned();
            let id = ids.text(row).unwrap_or_default().into_owned();
            let turn = seen.entry((id, section.clone())).or_default();
            *turn += 1;
            format!("{section}/{}", *turn - 1)
        })
        .collect())
}

/// What a manipulation takes from another stage.
struct Giving {
    /// The documents, by id; of one that stands in several rows, all its texts.
    documents: Vec<(String, Vec<String>)>,
    /// What each text can give.
    spans: Vec<Vec<Vec<Span>>>,
    /// Shortened documents are filled up from these.
    wholes: bool,
}

impl Giving {
    fn new(recipe: &Recipe, other: &Frame, wholes: bool) -> Result<Self, Failure> {
        let takes = recipe.settings.takes();
        let wholes = wholes && takes == Takes::Wholes;
        let donors = matches!(takes, Takes::Passages | Takes::Hay);
        let mut documents: BTreeMap<String, Vec<String>> = BTreeMap::new();
        if donors || wholes {
            let (ids, texts) = (other.column("doc_id")?, other.column("text")?);
            for row in 0..other.rows() {
                if let (Some(id), Some(text)) = (ids.text(row), texts.text(row)) {
                    let texts = documents.entry(id.into_owned()).or_default();
                    texts.push(text.into_owned());
                }
            }
        }
        let whole = wholes || takes == Takes::Hay;
        if let Some((id, texts)) = documents.iter().find(|(_, texts)| whole && texts.len() > 1) {
            return Err(Failure::new(format!(
                "whole documents are needed, and `{id}` is in {}",
                count(texts.len(), "row")
            ))
            .hint("name a stage with one row per document"));
        }
        let documents: Vec<(String, Vec<String>)> = documents.into_iter().collect();
        let spans = if donors {
            each(documents.len(), |at| {
                let texts = documents[at].1.iter();
                texts.map(|text| recipe.settings.gives(text)).collect()
            })
        } else {
            Vec::new()
        };
        Ok(Self {
            documents,
            spans,
            wholes,
        })
    }

    /// The passages of each document.
    fn passages(&self) -> Vec<Vec<&str>> {
        let documents = self.documents.iter().zip(&self.spans);
        documents
            .map(|((_, texts), spans)| {
                let texts = texts.iter().zip(spans);
                texts
                    .flat_map(|(text, spans)| spans.iter().map(|span| span.of(text)))
                    .collect()
            })
            .collect()
    }

    fn others<'g>(&'g self, recipe: &Recipe, passages: &'g [Vec<&'g str>]) -> Others<'g> {
        let documents = self.documents.iter();
        match recipe.settings.takes() {
            Takes::Nothing | Takes::Wholes => Others::Nothing,
            Takes::Hay => {
                let donors = documents.zip(&self.spans);
                let donors = donors.filter_map(|((id, texts), spans)| {
                    Some(HayDonor {
                        id,
                        text: texts.first()?,
                        sentences: spans.first()?,
                    })
                });
                Others::Hay(HayDonors::new(donors.collect()))
            }
            Takes::Passages => {
                let donors = documents.zip(passages);
                Others::Passages(donors.map(|((id, _), units)| Donor { id, units }).collect())
            }
        }
    }

    /// The whole document whose beginning `text` is.
    fn whole(&self, id: &str, text: &str) -> Result<Option<&str>, Failure> {
        if !self.wholes {
            return Ok(None);
        }
        let found = self
            .documents
            .binary_search_by(|(known, _)| known.as_str().cmp(id))
            .ok()
            .and_then(|at| self.documents[at].1.first());
        let message = match found {
            Some(whole) if whole.starts_with(text) => return Ok(Some(whole)),
            Some(_) => format!(
                "the text of `{id}` is not the beginning of the document in the stage to fill from"
            ),
            None => format!("the stage to fill from has no document `{id}`"),
        };
        Err(Failure::new(message).hint("name the stage that was truncated in `fill`"))
    }
}
