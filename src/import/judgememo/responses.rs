//! Recorded outputs: from paths and texts to the rows of `responses.parquet`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rayon::prelude::*;

use super::corpus::Corpus;
use super::layout::{self, Key, MEMORY, PLAIN, RENDERED, Stage, Suite};
use super::{Counts, Samples, Sink, memory};
use crate::frame::{ColumnData, Frame, FrameError};
use crate::import::{Kind, Problem, files};
use crate::models::parse::trailer;

/// About so many files are read at a time, and so many rows are in a piece.
const PIECE: usize = 4096;

/// What an output says that was cut off however often it was asked for.
const INCOMPLETE: &str = "WARNING: INCOMPLETE OUTPUT";

/// A file with an output.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Output {
    pub(super) key: Key,
    pub(super) path: String,
}

/// The outputs of a clone in the order of their rows, each key once.
pub(super) fn survey(
    root: &Path,
    corpus: &Corpus,
    samples: &Samples,
    problems: &mut Vec<Problem>,
) -> Vec<Output> {
    let mut outputs = Vec::new();
    // The experiment's number is in the names of final judgements only; the rest lies beside them.
    let mut numbers: BTreeMap<(String, String), i16> = BTreeMap::new();
    for folder in [PLAIN, MEMORY] {
        for path in files::below(root, folder, &RENDERED, problems) {
            let Some((key, exp)) = layout::output(&path) else {
                problems.push(Problem::new(Kind::Unknown, &path, ""));
                continue;
            };
            if let Some(exp) = exp {
                let place = (run_of(&path, key.stage), key.document.doc_id.clone());
                let number = numbers.entry(place).or_insert(exp);
                *number = exp.min(*number);
            }
            outputs.push(Output { key, path });
        }
    }
    for output in &mut outputs {
        if output.key.stage != Stage::Final {
            let document = &mut output.key.document;
            let place = (
                run_of(&output.path, output.key.stage),
                document.doc_id.clone(),
            );
            document.exp = numbers.get(&place).copied().unwrap_or(1);
        }
    }
    missing_judgements(&outputs, corpus, samples, problems);
    // The text of a report before its JSON; otherwise by path.
    outputs.sort_by(|a, b| {
        let is_text = |output: &Output| output.path.strip_suffix(".txt").is_some();
        (&a.key, !is_text(a), &a.path).cmp(&(&b.key, !is_text(b), &b.path))
    });
    outputs.dedup_by(|later, kept| {
        let same = later.key == kept.key;
        if same {
            let kept = files::beside(&later.path, &kept.path);
            let detail = format!("`{kept}` is imported");
            problems.push(Problem::new(Kind::Twice, &later.path, detail));
        }
        same
    });
    outputs
}

/// The folder of the run that an output belongs to.
fn run_of(path: &str, stage: Stage) -> String {
    let steps_above = match stage {
        Stage::Final => 1,
        Stage::Memory | Stage::Report => 2,
        Stage::Section | Stage::SectionSummary => 3,
    };
    let mut steps: Vec<&str> = path.split('/').collect();
    steps.truncate(steps.len().saturating_sub(steps_above));
    steps.join("/")
}

/// Documents without a final judgement in a folder that has others, where it is known which belong there.
fn missing_judgements(
    outputs: &[Output],
    corpus: &Corpus,
    samples: &Samples,
    problems: &mut Vec<Problem>,
) {
    let mut folders: BTreeMap<(String, Suite, &str, i16), BTreeSet<&str>> = BTreeMap::new();
    for output in outputs {
        let key = &output.key;
        if key.stage == Stage::Final {
            let of = &key.document;
            let folder = run_of(&output.path, Stage::Final);
            let folder = (folder, of.suite, of.length.as_str(), of.exp);
            folders.entry(folder).or_default().insert(&of.doc_id);
        }
    }
    for ((folder, suite, length, exp), there) in folders {
        let expected: Vec<&str> = match suite {
            Suite::Vanilla => corpus.described(length),
            Suite::JudgeMemo => samples.judgememo.iter().map(String::as_str).collect(),
            Suite::Matrix | Suite::Prompts => continue,
        };
        for doc_id in expected {
            if !there.contains(doc_id) {
                let path = format!("{folder}/eval_exp_{exp}_{doc_id}.txt");
                problems.push(Problem::new(Kind::Missing, &path, "a final judgement"));
            }
        }
    }
}

/// Reads outputs and gives their rows to `sink`.
pub(super) fn read(
    root: &Path,
    outputs: &[Output],
    read: &(dyn Fn() + Sync),
    sink: &mut Sink<'_>,
    problems: &mut Vec<Problem>,
) -> Result<Counts, FrameError> {
    let mut counts = Counts::default();
    let mut rest = outputs;
    loop {
        let (piece, later) = rest.split_at(piece_end(rest));
        let mut rows = rows(root, piece, read, problems);
        rows.sort_by(|a, b| a.key.cmp(&b.key));
        for row in &rows {
            counts.add(row.key.stage.name(), &row.key.document.model);
        }
        sink(frame(rows)?)?;
        if later.is_empty() {
            return Ok(counts);
        }
        rest = later;
    }
}

/// Where a piece ends: not within a document, whose memory has rows that come before its sections.
fn piece_end(outputs: &[Output]) -> usize {
    let mut end = PIECE.min(outputs.len());
    while let Some(next) = outputs.get(end)
        && next.key.document == outputs[end - 1].key.document
    {
        end += 1;
    }
    end
}

/// A row of `responses.parquet`.
struct Row {
    key: Key,
    text: String,
    finish_reason: String,
}

fn rows(
    root: &Path,
    piece: &[Output],
    read: &(dyn Fn() + Sync),
    problems: &mut Vec<Problem>,
) -> Vec<Row> {
    let texts: Vec<Result<String, Problem>> = piece
        .par_iter()
        .map(|output| {
            let text = files::text(root, &output.path);
            read();
            text
        })
        .collect();
    let there: BTreeSet<&Key> = piece.iter().map(|output| &output.key).collect();
    let mut rows = Vec::new();
    for (output, text) in piece.iter().zip(texts) {
        let text = match text {
            Ok(text) => text,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        if output.key.stage == Stage::Memory {
            match memory::sections(&text) {
                Ok(sections) => {
                    lift(output, sections, &there, &mut rows, problems);
                }
                Err(detail) => problems.push(Problem::new(Kind::Json, &output.path, detail)),
            }
        }
        let finish_reason = trailer::word(&text)
            .filter(|_| output.key.stage.is_reply())
            .map(str::to_owned);
        if finish_reason.is_none() && output.key.stage.is_reply() {
            problems.push(Problem::new(Kind::NoFinishReason, &output.path, ""));
        }
        rows.push(Row {
            key: output.key.clone(),
            text,
            finish_reason: finish_reason.unwrap_or_default(),
        });
    }
    rows
}

/// Makes rows of the summaries in a memory file, and names the sections whose judgements were not saved.
fn lift(
    output: &Output,
    sections: Vec<memory::Remembered>,
    there: &BTreeSet<&Key>,
    rows: &mut Vec<Row>,
    problems: &mut Vec<Problem>,
) {
    for remembered in sections {
        let of_section = |stage| Key {
            stage,
            section: Some(remembered.section),
            ..output.key.clone()
        };
        if !there.contains(&of_section(Stage::Section)) {
            let path = format!(
                "{}/sec_evaluations/sec_evaluation_{}/section_{}.txt",
                run_of(&output.path, Stage::Memory),
                output.key.document.doc_id,
                remembered.section
            );
            let detail = "the judgement of a section that the memory tells of";
            problems.push(Problem::new(Kind::Missing, &path, detail));
        }
        if let Some(text) = remembered.summary {
            rows.push(Row {
                key: of_section(Stage::SectionSummary),
                text,
                finish_reason: String::new(),
            });
        }
    }
}

fn frame(rows: Vec<Row>) -> Result<Frame, FrameError> {
    let text = |cell: &dyn Fn(&Row) -> String| ColumnData::text(rows.iter().map(cell));
    let of = |name: &str, data| (name.to_owned(), data);
    let number = |cell: &dyn Fn(&Row) -> Option<i16>| {
        ColumnData::Int(rows.iter().map(|row| cell(row).map(i64::from)).collect())
    };
    let incomplete = rows.iter().map(|row| Some(row.text.contains(INCOMPLETE)));
    let mut columns = vec![
        of(
            "suite",
            text(&|row| row.key.document.suite.name().to_owned()),
        ),
        of("model", text(&|row| row.key.document.model.clone())),
        of("variant", text(&|row| row.key.variant.clone())),
        of("settings", text(&|row| row.key.settings.clone())),
        of("prompt", text(&|row| row.key.prompt.clone())),
        of("length", text(&|row| row.key.document.length.clone())),
        of("task", text(&|row| row.key.document.task.clone())),
        of("unit", text(&|row| row.key.document.unit.clone())),
        of("exp", number(&|row| Some(row.key.document.exp))),
        of("doc_id", text(&|row| row.key.document.doc_id.clone())),
        of("stage", text(&|row| row.key.stage.name().to_owned())),
        of("section", number(&|row| row.key.section)),
    ];
    let last = vec![
        of("finish_reason", text(&|row| row.finish_reason.clone())),
        of("incomplete_warning", ColumnData::Bool(incomplete.collect())),
    ];
    let raw = ColumnData::text(rows.into_iter().map(|row| row.text));
    columns.push(of("raw_text", raw));
    columns.extend(last);
    Frame::new(columns)?.with_short(&["exp", "section"])
}
