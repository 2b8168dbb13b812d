//! The texts that were judged: from listed files to the rows of `documents.parquet`.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;

use super::corpus::{Corpus, Damaged, Length};
use super::exchanges::{self, Donors};
use super::metadata::{self, Source};
use super::{Counts, Samples, Sink};
use crate::frame::{ColumnData, Frame, FrameError};
use crate::import::{Kind, Problem, files};

/// How many documents are in a piece.
const PIECE: usize = 8;

impl Corpus {
    /// Reads the texts and gives their rows to `sink`.
    pub(super) fn read(
        &self,
        root: &Path,
        samples: &Samples,
        read: &(dyn Fn() + Sync),
        sink: &mut Sink<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<Counts, FrameError> {
        let donors: Vec<Donors> = self
            .lengths
            .values()
            .map(|length| donors(root, length, read))
            .collect();
        let doc_ids = self.doc_ids(problems);
        let mut counts = Counts::default();
        let mut pieces = doc_ids.chunks(PIECE).peekable();
        if pieces.peek().is_none() {
            sink(frame(Vec::new())?)?;
        }
        for piece in pieces {
            let read: Vec<(Vec<Row<'_>>, Vec<Problem>)> = piece
                .par_iter()
                .map(|doc_id| self.rows(root, doc_id, &donors, samples, read))
                .collect();
            let mut rows = Vec::new();
            for (found, wrong) in read {
                rows.extend(found);
                problems.extend(wrong);
            }
            for row in &rows {
                counts.add(row.task, row.doc_id);
            }
            sink(frame(rows)?)?;
        }
        Ok(counts)
    }

    /// All documents, those that no metadata describes last.
    fn doc_ids(&self, problems: &mut Vec<Problem>) -> Vec<&str> {
        let mut doc_ids: Vec<&str> = self.documents.keys().map(String::as_str).collect();
        let damaged = self.lengths.values().flat_map(|length| {
            let texts = length.damaged.values();
            texts.flat_map(|texts| texts.iter())
        });
        let mut others: BTreeMap<&str, &str> = BTreeMap::new();
        for (doc_id, text) in damaged {
            if !self.documents.contains_key(doc_id) {
                others.entry(doc_id).or_insert(&text.path);
            }
        }
        for (doc_id, path) in others {
            let detail = format!("no list of gold documents has `{doc_id}`");
            problems.push(Problem::new(Kind::Undescribed, path, detail));
            doc_ids.push(doc_id);
        }
        doc_ids
    }

    /// The rows of one document.
    fn rows<'c>(
        &'c self,
        root: &Path,
        doc_id: &'c str,
        donors: &[Donors],
        samples: &Samples,
        read: &(dyn Fn() + Sync),
    ) -> (Vec<Row<'c>>, Vec<Problem>) {
        let mut rows = Vec::new();
        let mut problems = Vec::new();
        let text = |path: &str, problems: &mut Vec<Problem>| {
            let text = files::text(root, path);
            read();
            text.map_err(|problem| problems.push(problem)).ok()
        };
        for ((order, length), donors) in self.lengths.iter().zip(donors) {
            let row = |task, text| Row {
                doc_id,
                source: self.documents.get(doc_id),
                length: &order.2,
                task,
                metric: None,
                text,
                meta: None,
                samples: [&samples.judgememo, &samples.matrix, &samples.prompts]
                    .map(|sample| sample.contains(doc_id)),
            };
            let gold = length.gold.get(doc_id);
            let gold = gold.and_then(|path| text(path, &mut problems));
            let at = rows.len();
            for (task, damaged) in &length.damaged {
                let Some(damaged) = damaged.get(doc_id) else {
                    continue;
                };
                let Some(text) = text(&damaged.path, &mut problems) else {
                    continue;
                };
                let exchanged = (task == exchanges::TASK)
                    .then(|| {
                        told(
                            doc_id,
                            damaged,
                            gold.as_deref(),
                            &text,
                            donors,
                            &mut problems,
                        )
                    })
                    .flatten();
                let meta = match (&damaged.meta, &exchanged) {
                    (Some(meta), exchanged) => Some(meta.to_json(exchanged.as_ref())),
                    (None, Some(exchanged)) => {
                        Some(metadata::derived_json(&damaged.unit, exchanged))
                    }
                    (None, None) => None,
                };
                rows.push(Row {
                    metric: damaged.metric,
                    meta,
                    ..row(task, text)
                });
            }
            if let Some(gold) = gold {
                rows.insert(at, row("gold", gold));
            }
        }
        (rows, problems)
    }
}

/// Where the paragraphs of a length stand; texts that cannot be read are named elsewhere.
fn donors(root: &Path, length: &Length, read: &(dyn Fn() + Sync)) -> Donors {
    let mut donors = Donors::default();
    if !length.damaged.contains_key(exchanges::TASK) {
        length.gold.iter().for_each(|_| read());
        return donors;
    }
    for (doc_id, path) in &length.gold {
        if let Ok(text) = files::text(root, path) {
            donors.add(doc_id, &text);
        }
        read();
    }
    donors
}

/// What was exchanged in a document, as far as the texts tell.
fn told(
    doc_id: &str,
    damaged: &Damaged,
    gold: Option<&str>,
    text: &str,
    donors: &Donors,
    problems: &mut Vec<Problem>,
) -> Option<exchanges::Exchanged> {
    let found = match gold {
        Some(gold) => donors.diff(doc_id, gold, text),
        None => Err("there is no gold text to compare with".to_owned()),
    };
    match found {
        Ok(found) => {
            if found.unknown > 0 {
                let detail = format!("{} of its paragraphs are in no gold text", found.unknown);
                problems.push(Problem::new(Kind::Exchange, &damaged.path, detail));
            }
            Some(found)
        }
        Err(detail) => {
            problems.push(Problem::new(Kind::Exchange, &damaged.path, detail));
            None
        }
    }
}

/// A row of `documents.parquet`.
struct Row<'c> {
    doc_id: &'c str,
    source: Option<&'c Source>,
    length: &'c str,
    task: &'c str,
    metric: Option<&'static str>,
    text: String,
    meta: Option<String>,
    samples: [bool; 3],
}

fn frame(rows: Vec<Row<'_>>) -> Result<Frame, FrameError> {
    let said = |cell: &dyn Fn(&Source) -> Option<String>| {
        let cells = rows.iter().map(|row| row.source.and_then(cell));
        ColumnData::Text(cells.collect())
    };
    let flag =
        |index: usize| ColumnData::Bool(rows.iter().map(|row| Some(row.samples[index])).collect());
    let years = rows
        .iter()
        .map(|row| row.source.and_then(|source| source.year));
    let metrics = rows.iter().map(|row| row.metric.map(str::to_owned));
    let metas = rows.iter().map(|row| row.meta.clone());
    let mut columns = vec![
        (
            "doc_id",
            ColumnData::text(rows.iter().map(|row| row.doc_id)),
        ),
        ("title", said(&|source| source.title.clone())),
        ("author", said(&|source| source.author.clone())),
        ("year", ColumnData::Int(years.collect())),
        ("genre", said(&|source| source.gutenberg.genre.clone())),
        (
            "gutenberg_url",
            said(&|source| source.gutenberg.url.clone()),
        ),
        (
            "length",
            ColumnData::text(rows.iter().map(|row| row.length)),
        ),
        ("task", ColumnData::text(rows.iter().map(|row| row.task))),
        ("target_metric", ColumnData::Text(metrics.collect())),
    ];
    let last = [
        ("meta_json", ColumnData::Text(metas.collect())),
        ("in_judgememo30", flag(0)),
        ("in_matrix20", flag(1)),
        ("in_prompt5", flag(2)),
    ];
    let texts = ColumnData::text(rows.into_iter().map(|row| row.text));
    columns.push(("text", texts));
    columns.extend(last);
    let named = |(name, data): (&str, ColumnData)| (name.to_owned(), data);
    Frame::new(columns.into_iter().map(named).collect())
}
