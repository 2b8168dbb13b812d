//! The texts that were judged: from metadata and files to the rows of `documents.parquet`.

use std::collections::BTreeMap;
use std::path::Path;

use indexmap::IndexMap;
use rayon::prelude::*;

use super::exchanges::{self, Donors};
use super::metadata::{self, Gold, Manipulated, Source};
use super::{Counts, Samples, Sink, layout};
use crate::frame::{ColumnData, Frame, FrameError};
use crate::import::{Kind, Problem, files};

/// The folder of the books.
const BOOKS: &str = "data/project_gutenberg";

/// How many documents are in a piece.
const PIECE: usize = 8;

/// The documents of a clone, listed.
#[derive(Debug, Default)]
pub(super) struct Corpus {
    /// What the metadata says of each document, in its order.
    documents: IndexMap<String, Source>,
    /// By length, the whole text first.
    lengths: BTreeMap<(bool, u64, String), Length>,
}

/// The texts of one length.
#[derive(Debug, Default)]
struct Length {
    /// The files of gold texts, by document.
    gold: IndexMap<String, String>,
    /// By task and document.
    damaged: BTreeMap<String, BTreeMap<String, Damaged>>,
}

/// A manipulated text.
#[derive(Debug)]
struct Damaged {
    path: String,
    metric: Option<&'static str>,
    unit: String,
    meta: Option<Manipulated>,
}

impl Corpus {
    /// Lists the texts of a clone and reads their metadata.
    pub(super) fn survey(root: &Path, problems: &mut Vec<Problem>) -> Self {
        let mut corpus = Self::default();
        let mut without_list = Vec::new();
        let lists = metadata::gold_lists(root, BOOKS, problems);
        let mut lists: Vec<(&str, &str)> = lists
            .iter()
            .filter_map(|(path, name)| {
                let length = name.strip_suffix(".json")?.rsplit_once("_meta_")?.1;
                Some((length, path.as_str()))
            })
            .collect();
        lists.sort_by_key(|(length, _)| layout::length_order(length));
        for (length, path) in lists {
            match metadata::read::<Vec<Gold>>(root, path) {
                Ok(gold) => corpus.describe(length, gold),
                Err(problem) => {
                    problems.push(problem);
                    without_list.push(length.to_owned());
                }
            }
        }
        for name in files::names(root, BOOKS, problems) {
            if let Some((false, length)) = layout::sample_length(&name) {
                if !corpus.lengths.contains_key(&order(length))
                    && !without_list.iter().any(|known| known == length)
                {
                    let path = format!("{BOOKS}/gold_pg-1900_meta_{length}.json");
                    problems.push(Problem::new(Kind::Missing, &path, "metadata"));
                    without_list.push(length.to_owned());
                }
                corpus.list(root, length, &format!("{BOOKS}/{name}"), problems);
            }
        }
        for length in without_list {
            corpus.guess_gold(&length);
        }
        corpus
    }

    /// Adds what the metadata of a length says.
    fn describe(&mut self, length: &str, gold: Vec<Gold>) {
        let texts = &mut self.lengths.entry(order(length)).or_default().gold;
        for document in gold {
            let path = document.gold_text.trim_start_matches('/').to_owned();
            texts.insert(document.id.clone(), path);
            self.documents
                .entry(document.id)
                .or_insert(document.gold_source);
        }
    }

    /// Without metadata of a length: the documents that another length's metadata describes, where the
    /// layout has them.
    fn guess_gold(&mut self, length: &str) {
        let folder = match length {
            "full" => format!("{BOOKS}/gold_dataset"),
            length => format!("{BOOKS}/gold_dataset_{length}"),
        };
        let texts = self.documents.keys().map(|doc_id| {
            let number = doc_id.trim_start_matches("JM-");
            (doc_id.clone(), format!("{folder}/PG-{number}.txt"))
        });
        self.lengths
            .entry(order(length))
            .or_default()
            .gold
            .extend(texts);
    }

    /// Lists the manipulated texts of a length.
    fn list(&mut self, root: &Path, length: &str, folder: &str, problems: &mut Vec<Problem>) {
        let damaged = &mut self.lengths.entry(order(length)).or_default().damaged;
        let mut lists = Vec::new();
        let mut experiments: BTreeMap<String, (String, bool)> = BTreeMap::new();
        for path in files::below(root, folder, &[], problems) {
            let steps: Vec<&str> = path[folder.len() + 1..].split('/').collect();
            let Some((task, unit, rest)) = layout::manipulation(&steps) else {
                problems.push(Problem::new(Kind::Unknown, &path, ""));
                continue;
            };
            match rest {
                [list] if list.starts_with("exp_") && list.ends_with("_meta.json") => {
                    lists.push((task.to_owned(), path));
                }
                [exp, name]
                    if exp.starts_with("exp_")
                        && name.strip_suffix(".txt").is_some_and(layout::is_document) =>
                {
                    let doc_id = name.trim_end_matches(".txt");
                    let parent = path[..path.len() - name.len() - 1].to_owned();
                    experiments.insert(format!("{parent}_meta.json"), (task.to_owned(), false));
                    let texts = damaged.entry(task.to_owned()).or_default();
                    if let Some(kept) = texts.get(doc_id) {
                        let detail = format!("`{}` is imported", kept.path);
                        problems.push(Problem::new(Kind::Twice, &path, detail));
                        continue;
                    }
                    let text = Damaged {
                        metric: layout::metric(steps[0]),
                        unit: unit.to_owned(),
                        meta: None,
                        path: path.clone(),
                    };
                    texts.insert(doc_id.to_owned(), text);
                }
                _ => problems.push(Problem::new(Kind::Unknown, &path, "")),
            }
        }
        let read: Vec<Result<Vec<Manipulated>, Problem>> = lists
            .par_iter()
            .map(|(_, path)| metadata::read(root, path))
            .collect();
        for ((task, path), read) in lists.into_iter().zip(read) {
            if let Some((_, described)) = experiments.get_mut(&path) {
                *described = true;
            }
            match read {
                Ok(entries) => attach(&task, &path, entries, damaged, problems),
                Err(problem) => problems.push(problem),
            }
        }
        for (path, (task, described)) in experiments {
            if !described {
                let detail = match task.as_str() {
                    exchanges::TASK => "metadata; exchanges are told from the texts",
                    _ => "metadata",
                };
                problems.push(Problem::new(Kind::Missing, &path, detail));
            }
        }
    }

    /// The documents that the metadata of a length describes.
    pub(super) fn described(&self, length: &str) -> Vec<&str> {
        let length = self.lengths.get(&order(length));
        let documents = length.into_iter().flat_map(|length| length.gold.keys());
        documents.map(String::as_str).collect()
    }

    /// How many texts there are to read; gold texts are read twice, to know where paragraphs come from.
    pub(super) fn files(&self) -> usize {
        let files = |length: &Length| {
            2 * length.gold.len() + length.damaged.values().map(BTreeMap::len).sum::<usize>()
        };
        self.lengths.values().map(files).sum()
    }

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

/// Lengths in the order of their rows.
fn order(length: &str) -> (bool, u64, String) {
    let (cut, number) = layout::length_order(length);
    (cut, number, length.to_owned())
}

/// Gives the texts of an experiment their metadata, and names those that are not there.
fn attach(
    task: &str,
    path: &str,
    entries: Vec<Manipulated>,
    damaged: &mut BTreeMap<String, BTreeMap<String, Damaged>>,
    problems: &mut Vec<Problem>,
) {
    let folder = path.trim_end_matches("_meta.json");
    let texts = damaged.entry(task.to_owned()).or_default();
    for entry in entries {
        match texts.get_mut(&entry.gold_id) {
            // Of two experiments only one was kept.
            Some(text) if text.path.starts_with(&format!("{folder}/")) => text.meta = Some(entry),
            Some(_) => {}
            None => {
                let expected = format!("{folder}/{}.txt", entry.gold_id);
                let missing = entry
                    .manipulated_text
                    .as_deref()
                    .map_or(expected.as_str(), |path| path.trim_start_matches('/'));
                problems.push(Problem::new(
                    Kind::Missing,
                    missing,
                    format!("`{path}` lists it"),
                ));
            }
        }
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
    let columns = [
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
        (
            "text",
            ColumnData::text(rows.iter().map(|row| row.text.as_str())),
        ),
        (
            "meta_json",
            ColumnData::Text(rows.iter().map(|row| row.meta.clone()).collect()),
        ),
        ("in_judgememo30", flag(0)),
        ("in_matrix20", flag(1)),
        ("in_prompt5", flag(2)),
    ];
    Frame::new(
        columns
            .into_iter()
            .map(|(name, data)| (name.to_owned(), data))
            .collect(),
    )
}
