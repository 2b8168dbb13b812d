//! `tribunal import`: other people's published data as tables and templates.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::args::{EvalArgs, ImportArgs, Importable, JudgeMemoArgs};
use super::output::Terminal;
use super::project::root_of;
use crate::base::exit::{Error, Exit};
use crate::base::wording::{many, thousands};
use crate::cli::events::{Counting, Imported, problems, visible};
use crate::frame::{ColumnData, Frame, FrameError, ParquetStream};
use crate::import::Problem;
use crate::import::evals::{Evals, Tool};
use crate::import::judgememo::{Counts, JudgeMemo, Prompt, Sink};
use crate::publish::whole::{self, Pending};

/// What a clone has of which something is imported.
const FOLDERS: [&str; 5] = [
    "data",
    "experiments",
    "experiments_JM",
    "baseline_model_inference",
    "JudgeMemo_Method",
];

/// The list of what is damaged, missing or not recognised.
const LIST: &str = "problems.csv";

pub(super) fn run(args: &ImportArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    match &args.what {
        Importable::Judgememo(args) => judgememo(args, terminal),
        Importable::Inspect(args) => evals(Tool::Inspect, args, terminal),
        Importable::Promptfoo(args) => evals(Tool::Promptfoo, args, terminal),
        Importable::LmEval(args) => evals(Tool::LmEval, args, terminal),
    }
}

/// The results of another tool: a table of answers, one of judgements, and the list of what could not be read.
fn evals(tool: Tool, args: &EvalArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let into = args.into.clone().unwrap_or_else(|| {
        root_of(Path::new("spec.toml"))
            .join("data")
            .join(tool.name())
    });
    let (mut evals, mut wrong) = (Evals::default(), Vec::new());
    for file in &args.files {
        evals.read(tool, file, &mut wrong);
    }
    wrong.sort();
    let list = into.join(LIST);
    let listed = problems(&wrong, &list);
    if let Some((head, rows)) = listed.split_once('\n') {
        terminal.warn(head);
        terminal.drawn(&visible(rows));
    }
    fs_err::create_dir_all(&into)?;
    whole::replace(&list, &csv(&wrong)?)?;
    let (answers, judgements) = evals.counts();
    if answers == 0 {
        let wrong = "nothing in these files can be read".to_owned();
        return Err(
            Error::new(Exit::Broken, wrong).hint("nothing but the list of problems was written")
        );
    }
    let broken = |error: FrameError| Error::new(Exit::Broken, error.to_string());
    for (name, table) in [
        ("answers.jsonl", evals.answers()),
        ("judgements.jsonl", evals.judgements()),
    ] {
        let bytes = table.and_then(|table| table.to_jsonl()).map_err(broken)?;
        whole::replace(&into.join(name), &bytes)?;
    }
    let (answers, judgements) = (
        many(answers as u64, "answer"),
        many(judgements as u64, "judgement"),
    );
    terminal.tell(&format!(
        "{answers} and {judgements} imported, {} without a value\nthey are in {}: answers.jsonl, judgements.jsonl",
        thousands(evals.unscored() as u64),
        into.display()
    ));
    Ok(Exit::Done)
}

fn judgememo(args: &JudgeMemoArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let began = Instant::now();
    check(&args.clone)?;
    let (into, templates) = targets(args);
    fs_err::create_dir_all(&into)?;
    whole::clear(&into);
    let (clone, mut wrong) = JudgeMemo::survey(&args.clone);
    let bar = Counting::new(terminal.live && !args.quiet, clone.files(), "files");
    let step = || bar.step();
    let paths = ["documents.parquet", "responses.parquet"].map(|name| into.join(name));
    let (documents_file, documents) =
        table(&paths[0], |sink| clone.documents(&step, sink, &mut wrong))?;
    let (responses_file, responses) =
        table(&paths[1], |sink| clone.responses(&step, sink, &mut wrong))?;
    let prompts = clone.prompts(&mut wrong);
    bar.finish();
    wrong.sort();
    let list = into.join(LIST);
    let listed = problems(&wrong, &list);
    // The list has an indentation of its own.
    if let Some((head, rows)) = listed.split_once('\n') {
        terminal.warn(head);
        terminal.drawn(&visible(rows));
    }
    whole::replace(&list, &csv(&wrong)?)?;
    if documents.total() + responses.total() == 0 && prompts.is_empty() {
        return Err(Error::new(
            Exit::Broken,
            format!("nothing in `{}` can be read", args.clone.display()),
        )
        .hint("clone the repository again; nothing but the list of problems was written"));
    }
    documents_file.keep()?;
    responses_file.keep()?;
    write(&templates, &prompts)?;
    let imported = Imported {
        documents: &documents,
        responses: &responses,
        prompts: &prompts,
        into: &into,
        templates: &templates.join("judgememo/original"),
        seconds: began.elapsed().as_secs_f64(),
    };
    terminal.tell(&imported.summary());
    Ok(Exit::Done)
}

/// Refuses what cannot be a clone before anything is written.
fn check(clone: &Path) -> Result<(), Error> {
    if FOLDERS.iter().any(|folder| clone.join(folder).is_dir()) {
        return Ok(());
    }
    let wrong = if clone.is_dir() {
        format!(
            "`{}` is not a clone of hkleiner/JudgeMemo: none of its folders exists",
            clone.display()
        )
    } else {
        format!("there is no folder `{}`", clone.display())
    };
    let hint =
        "`git clone https://github.com/hkleiner/JudgeMemo.git`, and name the folder that makes";
    Err(Error::new(Exit::Usage, wrong).hint(hint))
}

/// Where tables and templates go: into the project here, if there is one.
fn targets(args: &JudgeMemoArgs) -> (PathBuf, PathBuf) {
    let project = root_of(Path::new("spec.toml"));
    let into = args
        .into
        .clone()
        .unwrap_or_else(|| project.join("data/judgememo"));
    let marks = ["templates", "tribunal.local.toml"];
    let is_project = marks.iter().any(|mark| project.join(mark).exists());
    let templates = match &args.templates {
        Some(folder) => folder.clone(),
        None if is_project => project.join("templates"),
        None => into.join("templates"),
    };
    (into, templates)
}

/// Writes a table as its pieces come, to be kept when all is well.
fn table(
    path: &Path,
    fill: impl FnOnce(&mut Sink<'_>) -> Result<Counts, FrameError>,
) -> Result<(Pending<'_>, Counts), Error> {
    let mut pending = Pending::begin(path)?;
    let counts = stream(pending.file(), fill).map_err(|error| {
        Error::new(
            Exit::Broken,
            format!("can't write `{}`: {error}", path.display()),
        )
    })?;
    Ok((pending, counts))
}

fn stream(
    file: &mut File,
    fill: impl FnOnce(&mut Sink<'_>) -> Result<Counts, FrameError>,
) -> Result<Counts, FrameError> {
    let mut file = Some(file);
    let mut stream = None;
    let counts = fill(&mut |frame: Frame| {
        if let Some(file) = file.take() {
            stream = Some(ParquetStream::begin(file, &frame)?);
        }
        match &mut stream {
            Some(stream) => stream.push(&frame),
            None => Ok(()),
        }
    })?;
    if let Some(stream) = stream {
        stream.end()?;
    }
    Ok(counts)
}

/// The list of problems as a table.
fn csv(problems: &[Problem]) -> Result<Vec<u8>, Error> {
    let column = |cell: fn(&Problem) -> &str| ColumnData::text(problems.iter().map(cell));
    let columns = [
        ("problem", column(|problem| problem.kind.name())),
        ("path", column(|problem| &problem.path)),
        ("detail", column(|problem| &problem.detail)),
    ];
    Frame::new(
        columns
            .into_iter()
            .map(|(name, data)| (name.to_owned(), data))
            .collect(),
    )
    .and_then(|frame| frame.to_csv())
    .map_err(|error| Error::new(Exit::Broken, error.to_string()))
}

fn write(templates: &Path, prompts: &[Prompt]) -> Result<(), Error> {
    for prompt in prompts {
        let path = templates.join(format!("{}.j2", prompt.name));
        fs_err::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        whole::replace(&path, prompt.text.as_bytes())?;
    }
    Ok(())
}
