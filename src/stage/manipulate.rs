//! `manipulate`: damages every text in a recorded way.
//!
//! What is done to one text is the business of [`crate::manipulate`]; here are the table, the donors, and
//! the seeds. A document that a manipulation does not fit keeps its row, has no text, and says why: what
//! was not changed must never be judged as if it had been.

use std::collections::BTreeMap;

use serde::Serialize;

use super::annotate::Annotator;
use super::recorded::{Layer, layers};
use super::rows::each;
use super::{Failure, Output, StageName, Tokenizer};
use crate::draw::Draw;
use crate::frame::{ColumnData, ColumnView, Frame};
use crate::manipulate::{
    Damaged, Donor, HayDonor, HayDonors, NotApplicable, Others, Recipe, Subject,
};
use crate::text::{self, Span};
use crate::wording::{count, some_because, some_of};

/// The column that says why a document could not be manipulated.
pub const NOT_APPLICABLE: &str = "not_applicable";

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
    /// Who finds sentences, words and entities.
    pub annotator: Annotator,
    /// What a token is.
    pub tokenizer: Tokenizer,
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

impl Manipulate {
    /// The stages it reads.
    pub fn reads(&self) -> Vec<&StageName> {
        let other = self.other.iter().filter(|other| **other != self.from);
        std::iter::once(&self.from).chain(other).collect()
    }

    /// Whether anything is drawn at random.
    pub fn is_random(&self) -> bool {
        self.recipe.is_some()
    }

    /// Changes the column `text` and adds `manipulation`, `target_metric`, `candidates`, `operations`,
    /// `not_applicable` and `edits`; a needle also gives `unaltered`, the same excerpt without the change.
    ///
    /// What is drawn for a document depends on the seed, this stage's name, the manipulation and the
    /// document, and on nothing else.
    ///
    /// # Errors
    /// A missing column, an annotator that fails, a document that lacks its whole in the stage to fill from.
    pub fn run(
        &self,
        inputs: &[&Frame],
        tokenizer: &text::Tokenizer,
        name: &StageName,
        seed: u64,
    ) -> Result<Output, Failure> {
        let Some((input, other)) = inputs.split_first() else {
            return Err(Failure::new("the stage reads one stage"));
        };
        let Some(recipe) = &self.recipe else {
            return Ok(Output::of(untouched(input)?));
        };
        let other = other.first().copied().unwrap_or(input);
        let rows = self.damage(recipe, input, other, tokenizer, name, seed)?;
        let warnings = warnings(recipe, input, &rows)?;
        let mut output = Output::of(add(input, rows)?);
        output.warnings = warnings;
        Ok(output)
    }

    fn damage(
        &self,
        recipe: &Recipe,
        input: &Frame,
        other: &Frame,
        tokenizer: &text::Tokenizer,
        name: &StageName,
        seed: u64,
    ) -> Result<Vec<Row>, Failure> {
        let column = input.column("text")?;
        let ids = input.column("doc_id")?;
        let texts: Vec<String> = (0..input.rows())
            .map(|row| column.text(row).unwrap_or_default().into_owned())
            .collect();
        let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
        let annotated = self.annotator.prepare(&borrowed, recipe.wants())?;
        // Without a stage to fill from, a text is the whole of what there is.
        let wholes = self.other.as_ref().is_some_and(|other| *other != self.from);
        let giving = Giving::new(recipe, other, wholes)?;
        let passages = giving.passages();
        let others = giving.others(recipe, &passages);
        let turns = turns(&ids);
        let stage = name.to_string();
        let earlier = input
            .has("edits")
            .then(|| input.column("edits"))
            .transpose()?;
        let earlier_why = why_not(input)?;
        let rows = each(input.rows(), |row| -> Result<Row, Failure> {
            let text = borrowed[row];
            if column.text(row).is_none() {
                let why = earlier_why.as_ref().and_then(|column| column.text(row));
                let why = why.map_or_else(
                    || "there is no text".to_owned(),
                    std::borrow::Cow::into_owned,
                );
                return Ok(refused(recipe, why));
            }
            let id = ids.text(row).unwrap_or_default();
            let seeded = |parts: &[&str]| {
                let turn = turns[row].to_string();
                let all = [&[stage.as_str(), &id, &turn], parts].concat();
                Draw::new(seed, &all)
            };
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
            match recipe.perform(&subject, &seeded) {
                Err(NotApplicable(why)) => Ok(refused(recipe, why)),
                Ok(damaged) => {
                    let before = earlier.as_ref().and_then(|column| column.text(row));
                    damaged_row(recipe, text, damaged, before.as_deref())
                }
            }
        });
        rows.into_iter().collect()
    }
}

/// What a person should know: documents that the manipulation does not fit, and those that are as they
/// were although it fits, because a percentage came to nothing or what changed places was alike.
fn warnings(recipe: &Recipe, input: &Frame, rows: &[Row]) -> Result<Vec<String>, Failure> {
    let (ids, before) = (input.column("doc_id")?, input.column("text")?);
    let known = why_not(input)?;
    let (mut refused, mut unchanged) = (Vec::new(), Vec::new());
    for (row, cells) in rows.iter().enumerate() {
        let id = || ids.text(row).unwrap_or_default().into_owned();
        if let Some(why) = &cells.not_applicable {
            // Whoever found it out has said so already.
            if known.as_ref().and_then(|known| known.text(row)).is_none() {
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
    let (manipulation, all) = (recipe.manipulation, count(rows.len(), "document"));
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

/// The column that says why earlier stages left documents without text, where there is one.
fn why_not(input: &Frame) -> Result<Option<ColumnView<'_>>, Failure> {
    Ok(input
        .has(NOT_APPLICABLE)
        .then(|| input.column(NOT_APPLICABLE))
        .transpose()?)
}

/// The documents as they are. Those that were manipulated before keep what is known about that, and
/// those without text keep the reason.
fn untouched(input: &Frame) -> Result<Frame, Failure> {
    if COLUMNS.iter().all(|name| input.has(name)) {
        return Ok(input.clone());
    }
    let column = input.column("text")?;
    let known = why_not(input)?;
    let rows = (0..input.rows()).map(|row| {
        let owned = |column: &ColumnView<'_>| column.text(row).map(std::borrow::Cow::into_owned);
        let text = owned(&column);
        Row {
            unaltered: None,
            manipulation: None,
            target: None,
            candidates: None,
            operations: text.is_some().then_some(0),
            not_applicable: known.as_ref().and_then(owned),
            edits: None,
            text,
        }
    });
    add(input, rows.collect())
}

fn refused(recipe: &Recipe, why: String) -> Row {
    Row {
        text: None,
        unaltered: None,
        manipulation: Some(recipe.manipulation.name().to_owned()),
        target: Some(recipe.manipulation.target().name()),
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
        Some(cell) => layers(cell).map_err(|error| broken(&error))?,
        None => Vec::new(),
    };
    let mut names: Vec<String> = all.iter().map(|layer| layer.manipulation.clone()).collect();
    names.push(recipe.manipulation.name().to_owned());
    if damaged.unaltered.is_some() {
        // A needle is laid into an excerpt, where the places of earlier edits mean nothing.
        all.clear();
    }
    let before = damaged.unaltered.as_deref().unwrap_or(text);
    all.push(Layer::new(
        recipe.manipulation,
        damaged.operations,
        damaged.edits,
        (before, &damaged.text),
    ));
    Ok(Row {
        manipulation: Some(names.join("+")),
        target: Some(recipe.manipulation.target().name()),
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

/// Puts the cells into the table.
fn add(input: &Frame, rows: Vec<Row>) -> Result<Frame, Failure> {
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
    let mut frame = input.clone().with_column("text", ColumnData::Text(text))?;
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

/// For each row, how many rows of the same document stand before it: rows of one document (its
/// sections, say) draw apart, and rows of others do not matter.
fn turns(ids: &ColumnView<'_>) -> Vec<usize> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    (0..ids.len())
        .map(|row| {
            let turn = seen
                .entry(ids.text(row).unwrap_or_default().into_owned())
                .or_default();
            *turn += 1;
            *turn - 1
        })
        .collect()
}

/// What a manipulation takes from another stage: documents by id, of several rows of one document the
/// first.
struct Giving {
    ids: Vec<String>,
    texts: Vec<String>,
    /// What each can give.
    spans: Vec<Vec<Span>>,
    /// Shortened documents are filled up from these.
    wholes: bool,
}

impl Giving {
    fn new(recipe: &Recipe, other: &Frame, wholes: bool) -> Result<Self, Failure> {
        let wholes = wholes && recipe.needs_wholes();
        let mut documents: BTreeMap<String, String> = BTreeMap::new();
        if recipe.needs_donors() || wholes {
            let (ids, texts) = (other.column("doc_id")?, other.column("text")?);
            for row in 0..other.rows() {
                if let (Some(id), Some(text)) = (ids.text(row), texts.text(row)) {
                    documents
                        .entry(id.into_owned())
                        .or_insert_with(|| text.into_owned());
                }
            }
        }
        let (ids, texts): (Vec<String>, Vec<String>) = documents.into_iter().unzip();
        let spans = if recipe.needs_donors() {
            each(texts.len(), |at| recipe.gives(&texts[at]))
        } else {
            Vec::new()
        };
        Ok(Self {
            ids,
            texts,
            spans,
            wholes,
        })
    }

    /// The passages of each document.
    fn passages(&self) -> Vec<Vec<&str>> {
        self.texts
            .iter()
            .zip(&self.spans)
            .map(|(text, spans)| spans.iter().map(|span| span.of(text)).collect())
            .collect()
    }

    fn others<'g>(&'g self, recipe: &Recipe, passages: &'g [Vec<&'g str>]) -> Others<'g> {
        if !recipe.needs_donors() {
            return Others::Nothing;
        }
        if recipe.manipulation.is_needle() {
            let documents = self.ids.iter().zip(&self.texts).zip(&self.spans);
            let donors = documents.map(|((id, text), sentences)| HayDonor {
                id,
                text,
                sentences,
            });
            return Others::Hay(HayDonors::new(donors.collect()));
        }
        let donors = self.ids.iter().zip(passages);
        Others::Passages(donors.map(|(id, units)| Donor { id, units }).collect())
    }

    /// The whole document whose beginning `text` is.
    fn whole(&self, id: &str, text: &str) -> Result<Option<&str>, Failure> {
        if !self.wholes {
            return Ok(None);
        }
        let message = match self.ids.binary_search_by(|known| known.as_str().cmp(id)) {
            Ok(at) if self.texts[at].starts_with(text) => return Ok(Some(&self.texts[at])),
            Ok(_) => format!(
                "the text of `{id}` is not the beginning of the document in the stage to fill from"
            ),
            Err(_) => format!("the stage to fill from has no document `{id}`"),
        };
        Err(Failure::new(message).hint("name the stage that was truncated in `fill`"))
    }
}
