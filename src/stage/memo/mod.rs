//! `memo`: puts the judgements of a document's sections together: one row per document, with a structured
//! memory and the report that a final judge reads (thesis, 4.3.4).
//!
//! What is told of a section is in `memory`, how it is put into words in `report`, how rows become sections
//! in `gather`, and which columns the rows have in `columns`. Nothing here reads replies.

mod check;
mod columns;
mod contract;
mod gather;
mod memory;
mod raw;
mod report;
#[cfg(test)]
mod tests;

use rayon::prelude::*;
use serde::{Serialize, Serializer};

use self::gather::{Document, Gathered};
use crate::base::failure::Failure;
use crate::base::wording::{count, list_of, some_because, some_of};
use crate::frame::{ColumnData, Frame};
use crate::stage::contract::Work;
use crate::stage::refused::why_not;
use crate::stage::{Output, StageName};

/// The columns that are added.
pub const MEMO_COLUMNS: [&str; 7] = [
    "memory",
    "report",
    "no_memory",
    "no_report",
    "sections",
    "sections_unscored",
    SECTION_REPEAT,
];

/// The column with the repeat of the section judge, where it was asked several times.
const SECTION_REPEAT: &str = "section_repeat";

/// Puts the judgements of a document's sections together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Memo {
    /// The judges to read, which score sections.
    #[serde(skip)]
    pub from: Vec<StageName>,
    /// The stage with the documents that get the columns; without it, there is a row per document judged.
    #[serde(serialize_with = "is_there")]
    pub documents: Option<StageName>,
    /// What the judges score, in their order. What only some of them score under other axis values shows in
    /// their rows.
    pub metrics: Vec<String>,
    /// The columns that tell documents apart.
    pub key: Vec<String>,
    /// Whether the spec says so, and columns of the key that are not there are a mistake.
    pub key_given: bool,
    /// The column with the number of a section.
    pub section: String,
    /// How the report is ordered.
    pub order: Order,
    /// Whether the report says where sections stand.
    pub offsets: bool,
    /// The column with summaries of sections.
    pub summaries: Option<String>,
    /// Columns that say something of a section and nothing of its document.
    pub of_sections: Vec<String>,
}

/// How a report is ordered.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// One section after the other, each with its scores and issues.
    #[default]
    Section,
    /// The scores section by section, then the issues by metric and label, each with its section.
    Label,
}

/// Of a stage, its content is in keys by itself; only whether there is one has to be said.
#[expect(clippy::ref_option, reason = "serde hands out references to fields")]
fn is_there<S: Serializer>(name: &Option<StageName>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(name.is_some())
}

/// The cells that are added to a row.
#[derive(Clone, Debug, Default)]
struct Cells {
    memory: Option<String>,
    report: Option<String>,
    /// Why there are none.
    why: Option<String>,
    sections: i64,
    unscored: i64,
    repeat: Option<i64>,
}

impl Memo {
    /// One row per document (and repeat of the section judge), with `memory`, `report`, `no_memory`,
    /// `no_report`, `sections`, `sections_unscored` and, with repeats, `section_repeat`.
    ///
    /// With documents, these are their rows with all their columns; without, there are the columns that
    /// say the same in all rows of a document. `inputs` are the tables of what it reads, in that order.
    ///
    /// # Errors
    /// A missing column, a section that is judged twice, a score of no section, documents that their
    /// key does not tell apart, judgements none of which belongs to a document.
    pub fn put_together(&self, inputs: &[&Frame]) -> Result<Output, Failure> {
        let (judges, documents) = inputs.split_at(self.from.len().min(inputs.len()));
        let documents = documents.first().copied();
        for (name, frame) in self.reads().into_iter().zip(inputs) {
            if let Some(column) = MEMO_COLUMNS.iter().find(|column| frame.has(column)) {
                return Err(Failure::new(format!(
                    "`{name}` has a column `{column}`, which `memo` adds"
                ))
                .hint("rename it, or leave it out with `columns`"));
            }
        }
        let key = self.key(judges, documents)?;
        let mut gathered = gather::gather(self, &key, judges)?;
        let mut output = match documents {
            None => self.alone(&key, judges, &gathered)?,
            Some(documents) => self.beside(&key, judges, documents, &mut gathered)?,
        };
        output.warnings.extend(incomplete(&gathered));
        output.warnings.extend(cut_off(&gathered));
        Ok(output)
    }

    /// The columns of the key, which all tables have.
    fn key(&self, judges: &[&Frame], documents: Option<&Frame>) -> Result<Vec<String>, Failure> {
        let frames: Vec<&Frame> = judges.iter().copied().chain(documents).collect();
        let (mut key, mut dropped) = (Vec::new(), Vec::new());
        for name in &self.key {
            // What an earlier stage left out tells nothing apart, if each document has one value of it.
            if !self.key_given && frames.iter().any(|frame| !frame.has(name)) {
                dropped.push(name);
                continue;
            }
            for (stage, frame) in self.reads().into_iter().zip(&frames) {
                frame.column(name).map_err(|error| {
                    Failure::from(error).hint(format!("the columns come from `{stage}`"))
                })?;
            }
            key.push(name.clone());
        }
        for name in dropped {
            for (stage, frame) in self.from.iter().zip(judges) {
                let Some(merged) = gather::merged(&key, name, frame)? else {
                    continue;
                };
                let lacking = self.reads().into_iter().zip(&frames);
                let lacking = lacking.filter(|(_, frame)| !frame.has(name));
                let lacking: Vec<String> = lacking.map(|(stage, _)| stage.to_string()).collect();
                let (have, s) = if lacking.len() == 1 {
                    ("has", "")
                } else {
                    ("have", "s")
                };
                return Err(Failure::new(format!(
                    "{merged} in `{stage}`, and {} {have} no column `{name}`",
                    list_of(&lacking)
                ))
                .hint(format!(
                    "`{name}` identifies documents: keep the column in the table{s} that lack{} it, select the rows of one `{name}`, or name the columns that identify documents with `key`",
                    if s.is_empty() { "s" } else { "" }
                )));
            }
        }
        Ok(key)
    }

    /// The cells of a document.
    fn cells(&self, gathered: &Gathered<'_>, document: &Document) -> Result<Cells, Failure> {
        let memory = gathered.memory(document)?;
        if memory.sections.is_empty() {
            let why = document.why.clone();
            return Ok(Cells {
                why: Some(why.unwrap_or_else(|| "it has no sections".to_owned())),
                repeat: document.repeat,
                ..Cells::default()
            });
        }
        let unscored = memory.sections.iter().filter(|s| s.is_unscored()).count();
        Ok(Cells {
            memory: serde_json::to_string(&memory).ok(),
            report: Some(report::report(
                &memory,
                &gathered.metrics,
                self.order,
                self.offsets,
            )),
            why: None,
            sections: i64::try_from(memory.sections.len()).unwrap_or(i64::MAX),
            unscored: i64::try_from(unscored).unwrap_or(i64::MAX),
            repeat: document.repeat,
        })
    }

    /// A row per document that was judged.
    fn alone(
        &self,
        key: &[String],
        judges: &[&Frame],
        gathered: &Gathered<'_>,
    ) -> Result<Output, Failure> {
        let kept = columns::of_documents(self, key, judges, gathered)?;
        let all = 0..gathered.documents.len();
        let mut columns = Vec::new();
        for column in kept {
            let cells = all.clone().map(|document| column.of(document)).collect();
            columns.push((column.name, ColumnData::infer(cells)));
        }
        let documents = gathered.documents.par_iter();
        let cells = documents.map(|document| self.cells(gathered, document));
        // The first failure counts, whoever comes to one first.
        let cells: Vec<Result<Cells, Failure>> = cells.collect();
        let cells = cells.into_iter().collect::<Result<Vec<Cells>, _>>()?;
        Ok(Output::of(add(Frame::new(columns)?, cells)?))
    }

    /// The rows of the documents.
    fn beside(
        &self,
        key: &[String],
        judges: &[&Frame],
        documents: &Frame,
        gathered: &mut Gathered<'_>,
    ) -> Result<Output, Failure> {
        let rows = gather::names(key, documents)?;
        if let Some(twice) = gather::twice(&rows) {
            return Err(Failure::new(format!("two documents are called {twice}"))
                .hint("name the columns that distinguish them: `key = [\"doc_id\", \"...\"]`"));
        }
        let repeats = gathered.repeats();
        let (mut base, mut from, mut cells) = (Vec::new(), Vec::new(), Vec::new());
        let (mut met, mut lost) = (0, Vec::new());
        let texts = documents.has("text").then(|| documents.column("text"));
        let texts = texts.transpose()?;
        for (row, name) in rows.iter().enumerate() {
            for &repeat in &repeats {
                let found = gathered.find(name, repeat);
                base.push(row);
                from.push(found);
                cells.push(if let Some(document) = found {
                    met += 1;
                    let text = texts.as_ref().and_then(|texts| texts.text(row));
                    gathered.documents[document].memory.compare(text.as_deref());
                    self.cells(gathered, &gathered.documents[document])?
                } else {
                    let told = why_not(documents, row).filter(|_| documents.has("text"));
                    if told.is_none() {
                        lost.push(gather::shown(name));
                    }
                    Cells {
                        why: told.or_else(|| Some("none of its sections was judged".into())),
                        repeat,
                        ..Cells::default()
                    }
                });
            }
        }
        let judged = gathered.documents.len();
        if met == 0 && judged > 0 && documents.rows() > 0 {
            return Err(Failure::new(format!(
                "none of {} has sections among the judgements of {}",
                count(documents.rows(), "document"),
                list_of(&self.names_of_judges()),
            ))
            .hint(format!(
                "they are matched on {}; name other columns with `key`",
                list_of(key)
            )));
        }
        let mut frame = documents.take(&base)?;
        for column in columns::of_documents(self, key, judges, gathered)? {
            if frame.has(&column.name) || column.name == crate::stage::NOT_APPLICABLE {
                continue;
            }
            let cells = from.iter().map(|document| match document {
                Some(document) => column.of(*document),
                None => column.everywhere(),
            });
            frame = frame.with_column(&column.name, ColumnData::infer(cells.collect()))?;
        }
        let mut output = Output::of(add(frame, cells)?);
        if !lost.is_empty() {
            output.warnings.push(format!(
                "no section of {} was judged: {}",
                count(lost.len(), "document"),
                some_of(&lost)
            ));
        }
        if met < judged {
            output.warnings.push(format!(
                "the sections of {} are left out, which `{}` does not have",
                count(judged - met, "document"),
                self.documents
                    .iter()
                    .map(ToString::to_string)
                    .collect::<String>()
            ));
        }
        Ok(output)
    }

    fn names_of_judges(&self) -> Vec<String> {
        self.from.iter().map(ToString::to_string).collect()
    }
}

/// What is to be known of documents some of whose sections are missing.
fn incomplete(gathered: &Gathered<'_>) -> Option<String> {
    let gaps: Vec<(String, String)> = gathered
        .documents
        .iter()
        .filter(|document| !document.memory.missing.is_empty())
        .map(|document| {
            let missing = &document.memory.missing;
            (document.name(), memory::numbers("section", missing))
        })
        .collect();
    (!gaps.is_empty()).then(|| {
        format!(
            "sections of {} were not judged: {}",
            count(gaps.len(), "document"),
            some_because(&gaps)
        )
    })
}

/// What is to be known of documents whose last section is not their end.
fn cut_off(gathered: &Gathered<'_>) -> Option<String> {
    let rests: Vec<(String, String)> = gathered
        .documents
        .iter()
        .filter_map(|document| {
            let (from, to) = document.memory.rest?;
            Some((document.name(), format!("characters {from} to {to}")))
        })
        .collect();
    (!rests.is_empty()).then(|| {
        format!(
            "the end of {} was not judged: {}",
            count(rests.len(), "document"),
            some_because(&rests)
        )
    })
}

/// Adds the columns.
fn add(frame: Frame, cells: Vec<Cells>) -> Result<Frame, Failure> {
    let repeats: Vec<Option<i64>> = cells.iter().map(|cells| cells.repeat).collect();
    let (mut memory, mut report, mut why) = (Vec::new(), Vec::new(), Vec::new());
    let (mut sections, mut unscored) = (Vec::new(), Vec::new());
    for cells in cells {
        memory.push(cells.memory);
        report.push(cells.report);
        why.push(cells.why);
        sections.push(Some(cells.sections));
        unscored.push(Some(cells.unscored));
    }
    let mut frame = frame;
    if repeats.iter().any(Option::is_some) {
        frame = frame.with_column(SECTION_REPEAT, ColumnData::Int(repeats))?;
    }
    for (name, data) in [
        ("memory", ColumnData::Text(memory)),
        ("report", ColumnData::Text(report)),
        ("no_memory", ColumnData::Text(why.clone())),
        ("no_report", ColumnData::Text(why)),
        ("sections", ColumnData::Int(sections)),
        ("sections_unscored", ColumnData::Int(unscored)),
    ] {
        frame = frame.with_column(name, data)?;
    }
    Ok(frame)
}
