//! `select`: keeps some rows, in their order.
//!
//! The conditions apply one after the other: values, expression, keywords, ids, ranges of lengths; of what is
//! left, rows that are equal in the columns kept may be kept once; then top, sample. Columns are added last.

mod check;
mod contract;
mod keywords;
mod lengths;
mod parts;
mod raw;
mod top;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

pub use self::keywords::Keywords;
use self::lengths::{Asked, Lengths};
pub use self::top::Top;
use crate::base::draw::Draw;
use crate::base::failure::Failure;
use crate::base::wording::{count, some_of};
use crate::frame::{ColumnData, Frame, FrameError, Keep, Scalar};
use crate::stage::stats::with_behind;
use crate::stage::{Expression, Output, StageName};

/// Keeps some rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Select {
    /// The stage to read.
    #[serde(skip)]
    pub from: StageName,
    /// Values that columns must hold.
    pub keep: Keep,
    /// A condition that must hold.
    #[serde(rename = "where")]
    pub condition: Option<Expression>,
    /// Document ids to keep; every one must exist.
    pub ids: Option<BTreeSet<String>>,
    /// Words that must or must not occur.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keywords: Option<Keywords>,
    /// Least and most whitespace tokens of `text`, both included.
    pub tokens: Option<(u64, u64)>,
    /// Least and most sentences of `text`, both included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentences: Option<(u64, u64)>,
    /// Least and most characters that the sentences of `text` have on average, both included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentence_characters: Option<(u64, u64)>,
    /// The first rows in the order of a column.
    pub top: Option<Top>,
    /// How many documents to draw at random, without replacement; all their rows are kept.
    pub sample: Option<usize>,
    /// Only these columns are kept, in this order, if any are named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// Whether rows that are the same in all columns kept are kept once, the first of them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub distinct: bool,
    /// Columns that hold one value in all rows.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub add: BTreeMap<String, Scalar>,
}

impl Select {
    /// Whether documents may be left out.
    pub fn chooses(&self) -> bool {
        self.keep.columns().next().is_some()
            || self.condition.is_some()
            || self.ids.is_some()
            || self.keywords.is_some()
            || self.tokens.is_some()
            || self.sentences.is_some()
            || self.sentence_characters.is_some()
            || self.top.is_some()
            || self.sample.is_some()
    }

    /// Applies the conditions. The sample depends on the seed, this stage's name and each row's
    /// document alone, so it is the same whatever else is in the table.
    ///
    /// # Errors
    /// A missing column, an unknown id, a sample larger than what is left.
    pub fn choose(&self, input: &Frame, name: &StageName, seed: u64) -> Result<Output, Failure> {
        let (rows, mut warnings) = self.rows(input, Lengths::Here, name, seed)?;
        warnings.extend(self.told(rows.len(), input.rows()));
        let mut output = Output::of(self.shown(input.take(&rows)?)?);
        output.warnings = warnings;
        Ok(output)
    }

    /// The rows that are kept, in their order, and what is to be said of others.
    fn rows(
        &self,
        input: &Frame,
        lengths: Lengths<'_>,
        name: &StageName,
        seed: u64,
    ) -> Result<(Vec<usize>, Vec<String>), Failure> {
        let mut warnings = self.keep.missed(input)?;
        let mut rows = self.keep.rows(input)?;
        if let Some(condition) = &self.condition {
            rows = condition.rows(input, rows)?.noting(&mut warnings);
        }
        if let Some(keywords) = &self.keywords {
            rows = keywords.rows(input, rows)?;
        }
        if let Some(ids) = &self.ids {
            rows = by_ids(input, rows, ids)?;
        }
        if self.looks_at_lengths() {
            let mut asked = Asked::default();
            rows = match lengths {
                Lengths::Here => asked.of_these(&rows, self.fits(input, &rows)?.into_iter()),
                Lengths::Known(fits) => asked.of_these(&rows, rows.iter().map(|&row| fits[row])),
                Lengths::Later => rows,
            };
            warnings.extend(asked.told());
        }
        if self.distinct {
            let mut kept = input.take(&rows)?;
            if !self.columns.is_empty() {
                kept = kept.select(&self.columns)?;
            }
            rows = distinct(&kept)?.into_iter().map(|at| rows[at]).collect();
        }
        if let Some(top) = &self.top {
            rows = top.first(input, rows, &mut warnings)?;
        }
        if let Some(n) = self.sample {
            rows = sample(input, rows, n, name, seed)?;
        }
        Ok((rows, warnings))
    }

    /// What is to be said of how many rows are kept.
    fn told(&self, kept: usize, all: usize) -> Vec<String> {
        let mut told = Vec::new();
        if let Some(top) = self
            .top
            .as_ref()
            .filter(|top| top.within.is_empty() && kept < top.n && self.sample.is_none())
        {
            told.push(format!(
                "keeps {}, fewer than the {} asked for",
                count(kept, "row"),
                top.n
            ));
        }
        if kept == 0 && all > 0 {
            told.push(format!("keeps none of {}", count(all, "row")));
        }
        told
    }

    /// The columns that conditions look at, lengths of texts aside.
    fn columns_of_conditions(&self) -> BTreeSet<&str> {
        let mut columns: BTreeSet<&str> = self.keep.columns().collect();
        columns.insert("doc_id");
        if let Some(condition) = &self.condition {
            columns.extend(condition.columns().iter().map(String::as_str));
        }
        if let Some(keywords) = &self.keywords {
            columns.extend(keywords.columns.iter().map(String::as_str));
        }
        if let Some(top) = &self.top {
            columns.insert(&top.by);
            columns.extend(top.within.iter().map(String::as_str));
        }
        if self.distinct {
            columns.extend(self.columns.iter().map(String::as_str));
        }
        columns
    }

    /// Whether rows can be chosen by a few columns, without the others.
    pub(super) fn is_by_columns(&self) -> bool {
        !self.distinct || !self.columns.is_empty()
    }
}

impl Select {
    /// With the columns that are kept, and what is behind their values, and those that are added.
    fn shown(&self, mut frame: Frame) -> Result<Frame, Failure> {
        if !self.columns.is_empty() {
            frame = with_behind(&frame, &self.columns)?;
        }
        for (name, value) in &self.add {
            if frame.has(name) {
                return Err(Failure::new(format!(
                    "there already is a column `{name}`, which `add` adds"
                ))
                .hint("give the new one another name, or leave the old one out with `columns`"));
            }
            let cells = ColumnData::repeat(value, frame.rows());
            frame = frame.with_column(name, cells)?;
        }
        Ok(frame)
    }

    /// Whether it depends on the other rows which are kept.
    fn compares(&self) -> bool {
        self.distinct || self.top.is_some() || self.sample.is_some()
    }
}

/// The first of the rows that are the same in every column. An absent value is the same as another
/// absent one, and not the same as an empty text.
fn distinct(frame: &Frame) -> Result<Vec<usize>, FrameError> {
    let columns = frame
        .names()
        .into_iter()
        .map(|name| frame.column(name))
        .collect::<Result<Vec<_>, FrameError>>()?;
    let mut seen = BTreeSet::new();
    Ok((0..frame.rows())
        .filter(|&row| {
            let values = columns.iter().map(|column| {
                let text = column.text(row);
                text.map(std::borrow::Cow::into_owned)
            });
            seen.insert(values.collect::<Vec<Option<String>>>())
        })
        .collect())
}

fn by_ids(input: &Frame, rows: Vec<usize>, ids: &BTreeSet<String>) -> Result<Vec<usize>, Failure> {
    let column = input.column("doc_id")?;
    let mut missing = ids.clone();
    let kept = rows
        .into_iter()
        .filter(|&row| {
            column.text(row).is_some_and(|id| {
                missing.remove(id.as_ref());
                ids.contains(id.as_ref())
            })
        })
        .collect();
    if missing.is_empty() {
        return Ok(kept);
    }
    let missing: Vec<String> = missing.into_iter().collect();
    let are = if missing.len() == 1 { "is" } else { "are" };
    Err(Failure::new(format!(
        "{} named in `ids` {are} not among the rows: {}",
        count(missing.len(), "id"),
        some_of(&missing)
    ))
    .hint("check the spelling, or the conditions that apply before `ids`"))
}

/// Draws `n` documents and keeps all their rows: each document gets a random number of its own, and
/// the smallest `n` are taken. Adding a document therefore never changes the numbers of the others.
fn sample(
    input: &Frame,
    rows: Vec<usize>,
    n: usize,
    name: &StageName,
    seed: u64,
) -> Result<Vec<usize>, Failure> {
    let ids = input.column("doc_id")?;
    let id_of = |row: usize| ids.text(row).unwrap_or_default().into_owned();
    let documents: BTreeSet<String> = rows.iter().map(|&row| id_of(row)).collect();
    if n > documents.len() {
        return Err(Failure::new(format!(
            "cannot draw a sample of {n} from {}",
            count(documents.len(), "document")
        ))
        .hint("draw fewer, or relax the conditions before"));
    }
    let mut drawn: Vec<(u64, String)> = documents
        .into_iter()
        .map(|id| (Draw::new(seed, &[&name.to_string(), &id]).bits(), id))
        .collect();
    drawn.sort_unstable();
    let taken: BTreeSet<String> = drawn.into_iter().take(n).map(|(_, id)| id).collect();
    Ok(rows
        .into_iter()
        .filter(|&row| taken.contains(&id_of(row)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::ColumnData;
    use crate::stage::Kind;

    #[test]
    fn rows_that_are_the_same_in_what_is_kept_are_kept_once() {
        let text = |values: [Option<&str>; 4]| {
            ColumnData::Text(values.map(|value| value.map(str::to_owned)).to_vec())
        };
        let frame = Frame::new(vec![
            (
                "doc_id".to_owned(),
                text([Some("a"), Some("b"), Some("a"), Some("a")]),
            ),
            (
                "unit".to_owned(),
                text([Some(""), Some(""), Some(""), None]),
            ),
            (
                "model".to_owned(),
                text([Some("x"), Some("x"), Some("y"), Some("z")]),
            ),
        ])
        .unwrap();
        let select = Select {
            columns: vec!["unit".to_owned(), "doc_id".to_owned()],
            distinct: true,
            ..everything()
        };
        let name = StageName::new(Kind::Select, "some");
        let kept = select.choose(&frame, &name, 0).unwrap().frame;
        let column = |name: &str| -> Vec<Option<String>> {
            let column = kept.column(name).unwrap();
            (0..kept.rows())
                .map(|row| column.text(row).map(std::borrow::Cow::into_owned))
                .collect()
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(column("doc_id"), [some("a"), some("b"), some("a")]);
        assert_eq!(column("unit"), [some(""), some(""), None]);
    }

    #[test]
    fn the_best_are_taken_of_rows_that_differ() {
        let frame = Frame::new(vec![
            ("doc_id".to_owned(), ColumnData::text(["a", "a", "b", "c"])),
            (
                "words".to_owned(),
                ColumnData::Int([9, 9, 8, 7].map(Some).to_vec()),
            ),
        ])
        .unwrap();
        let top = |n| Select {
            top: Some(Top {
                by: "words".to_owned(),
                n,
                smallest: false,
                within: Vec::new(),
            }),
            distinct: true,
            ..everything()
        };
        let name = StageName::new(Kind::Select, "some");
        let two = top(2).choose(&frame, &name, 0).unwrap();
        let ids = two.frame.column("doc_id").unwrap();
        let ids: Vec<_> = (0..two.frame.rows())
            .filter_map(|row| ids.text(row))
            .collect();
        assert_eq!(ids, ["a", "b"]);
        assert_eq!(two.warnings, [""; 0]);
        // The rows of `c` and of a second document of seven words tie for the third place.
        let more = frame.take(&[0, 1, 2, 3, 3]).unwrap();
        let mut of_each = top(3);
        of_each.distinct = false;
        of_each.top.as_mut().unwrap().n = 4;
        let tied = of_each.choose(&more, &name, 0).unwrap();
        assert_eq!(
            tied.warnings,
            ["1 of 2 rows with `words` = 7 are among the first 4, those that come first"]
        );
        let four = top(4).choose(&frame, &name, 0).unwrap();
        assert_eq!(four.warnings, ["keeps 3 rows, fewer than the 4 asked for"]);
    }

    /// Keeps all rows.
    pub(super) fn everything() -> Select {
        Select {
            from: StageName::new(Kind::Source, "docs"),
            keep: Keep::default(),
            condition: None,
            ids: None,
            keywords: None,
            tokens: None,
            sentences: None,
            sentence_characters: None,
            top: None,
            sample: None,
            columns: Vec::new(),
            add: BTreeMap::new(),
            distinct: false,
        }
    }
}
