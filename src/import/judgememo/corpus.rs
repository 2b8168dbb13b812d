//! Which texts a clone has, and what its metadata says of them.

use std::collections::BTreeMap;
use std::path::Path;

use indexmap::IndexMap;
use rayon::prelude::*;

use super::metadata::{self, Gold, Manipulated, Source};
use super::{exchanges, layout};
use crate::import::{Kind, Problem, files};

/// The folder of the books.
const BOOKS: &str = "data/project_gutenberg";

/// The documents of a clone, listed.
#[derive(Debug, Default)]
pub(super) struct Corpus {
    /// What the metadata says of each document, in its order.
    pub(super) documents: IndexMap<String, Source>,
    /// By length, the whole text first.
    pub(super) lengths: BTreeMap<(bool, u64, String), Length>,
}

/// The texts of one length.
#[derive(Debug, Default)]
pub(super) struct Length {
    /// The files of gold texts, by document.
    pub(super) gold: IndexMap<String, String>,
    /// By task and document.
    pub(super) damaged: BTreeMap<String, BTreeMap<String, Damaged>>,
}

/// A manipulated text.
#[derive(Debug)]
pub(super) struct Damaged {
    pub(super) path: String,
    pub(super) metric: Option<&'static str>,
    pub(super) unit: String,
    pub(super) meta: Option<Manipulated>,
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
            let path = document.text.trim_start_matches('/').to_owned();
            texts.insert(document.id.clone(), path);
            self.documents.entry(document.id).or_insert(document.source);
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
                        let detail = format!("`{}` is imported", files::beside(&path, &kept.path));
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
                    .text
                    .as_deref()
                    .map_or(expected.as_str(), |path| path.trim_start_matches('/'));
                problems.push(Problem::new(
                    Kind::Missing,
                    missing,
                    format!("`{}` lists it", files::beside(missing, path)),
                ));
            }
        }
    }
}
