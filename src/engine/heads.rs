//! What the files of a plan look like, for checking what stages read before any of them runs.
//!
//! Of large files no more is read than says which columns they have.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::absent::Absent;
use super::files::Files;
use super::interrupt::Interrupt;
use super::search::missing_folder;
use crate::base::failure::Failure;
use crate::base::json::{self, Json};
use crate::base::paths::tidy;
use crate::base::regular;
use crate::frame::{ColumnView, Frame, FrameError};
use crate::plan::Plan;
use crate::spec::Folders;
use crate::stage::{
    Columns, Format, Head, Heads, Holds, Mistake, Named, Role, SCHEMA, Stage, StageName,
};

/// Files of up to so many bytes are read whole, so that what their columns hold is known too.
const SMALL: u64 = 1 << 20;

/// A setting that names a file: the steps to it below the stage, or from the top for models.
struct Setting {
    steps: Vec<String>,
    pattern: PathBuf,
    /// Whether one file is meant.
    one: bool,
    /// Whether its columns are looked at.
    table: bool,
    /// Whether it holds a JSON schema.
    schema: bool,
}

/// A mistake of a stage about a file, with the folder that is not there either, if there is none.
#[derive(PartialEq)]
pub struct OfFile {
    pub stage: StageName,
    pub mistake: Mistake,
    pub folder: Option<PathBuf>,
}

/// What the files that the plan's stages name look like, and what is wrong with them. With `elsewhere`, files in named
/// folders that are not on this machine are none to complain of: a spec can be checked without its data.
pub fn heads(
    plan: &Plan,
    absent: &Arc<Absent>,
    folders: &Folders,
    elsewhere: bool,
    stop: &Interrupt,
) -> (Heads, Vec<OfFile>) {
    let files = Files::new(Arc::clone(absent), folders.clone(), stop.clone());
    let mut heads = Heads::default();
    let mut lacks = Vec::new();
    let mut known: BTreeMap<(PathBuf, bool), Option<Failure>> = BTreeMap::new();
    for node in &*plan.nodes {
        for named in settings(&node.stage) {
            if elsewhere && is_elsewhere(&named.pattern, folders) {
                continue;
            }
            let failure = known.entry((named.pattern.clone(), named.one));
            let failure = failure.or_insert_with(|| match look(&files, &named) {
                Ok(Looks::Nothing) => None,
                Ok(Looks::Tables(found)) => {
                    heads.files.insert(named.pattern.clone(), found);
                    None
                }
                Ok(Looks::Schema(schema)) => {
                    heads.schemas.insert(named.pattern.clone(), schema);
                    None
                }
                Err(failure) => Some(failure),
            });
            if let Some(failure) = failure {
                let lack = OfFile {
                    stage: node.name.clone(),
                    mistake: lack(named.steps, failure.clone()),
                    folder: missing_folder(&named.pattern),
                };
                if !lacks.contains(&lack) {
                    lacks.push(lack);
                }
            }
        }
    }
    (heads, lacks)
}

/// Whether a file lies in a named folder that is not here.
pub fn is_elsewhere(pattern: &Path, folders: &Folders) -> bool {
    let mut named = folders.named.values();
    named.any(|folder| pattern.starts_with(tidy(folder)) && !folder.is_dir())
}

/// Whether there is a file of this name, for files that no stage reads.
///
/// # Errors
/// What is wrong with it.
pub fn is_there(
    pattern: &Path,
    steps: Vec<String>,
    absent: &Arc<Absent>,
    folders: &Folders,
) -> Result<(), Box<Mistake>> {
    let files = Files::new(Arc::clone(absent), folders.clone(), Interrupt::default());
    let found = files.one(pattern);
    found
        .map(|_| ())
        .map_err(|error| Box::new(lack(steps, files.failure(&error))))
}

fn lack(steps: Vec<String>, failure: Failure) -> Mistake {
    Mistake {
        place: None,
        code: "lint::file",
        at: (steps, None),
        message: failure.message,
        label: "named here",
        help: failure
            .hint
            .unwrap_or_else(|| "paths are relative to the file that names them".to_owned()),
    }
}

/// The files that a stage names, one by one.
fn settings(stage: &Stage) -> Vec<Setting> {
    let files = stage.files().into_iter();
    files
        .flat_map(|named| {
            let Named {
                at, role, table, ..
            } = named;
            let patterns = named.patterns.into_iter().enumerate();
            patterns.map(move |(index, pattern)| Setting {
                steps: match role {
                    Role::One(_) => at.clone(),
                    _ => [at.as_slice(), &[index.to_string()]].concat(),
                },
                pattern,
                schema: role == Role::One(SCHEMA),
                one: matches!(role, Role::One(_)),
                table,
            })
        })
        .collect()
}

/// What files look like.
enum Looks {
    /// Nobody knows, as where they are not here and known by their digests, or nobody asks.
    Nothing,
    /// Tables.
    Tables(Vec<Head>),
    /// A JSON schema.
    Schema(serde_json::Value),
}

/// What the files behind a setting look like.
fn look(files: &Files, named: &Setting) -> Result<Looks, Failure> {
    let found = if named.one {
        files.one(&named.pattern).map(|path| vec![path])
    } else {
        files.expand(&named.pattern)
    };
    let found = found.map_err(|error| files.failure(&error))?;
    if found.iter().any(|path| !path.is_file()) {
        return Ok(Looks::Nothing);
    }
    if let ([path], true) = (&found[..], named.schema) {
        return Ok(Looks::Schema(schema(path)?));
    }
    if !named.table {
        return Ok(Looks::Nothing);
    }
    let mut heads = Vec::new();
    for path in found {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(format) = Format::of(&name) else {
            // Each reader says which endings it knows.
            return Ok(Looks::Nothing);
        };
        let columns = head(&path, format).map_err(|failure| failure.at(path.display()))?;
        heads.push(Head { path, columns });
    }
    Ok(Looks::Tables(heads))
}

/// The JSON schema that a file holds.
fn schema(path: &Path) -> Result<serde_json::Value, Failure> {
    let io = |error: std::io::Error| Failure::new(error.to_string());
    let mut bytes = Vec::new();
    regular::open(path)
        .map_err(io)?
        .read_to_end(&mut bytes)
        .map_err(io)?;
    as_schema(path, &bytes)
}

/// The JSON schema that the bytes of a file are.
///
/// # Errors
/// Why they are none.
pub(super) fn as_schema(path: &Path, bytes: &[u8]) -> Result<serde_json::Value, Failure> {
    std::str::from_utf8(bytes)
        .map_err(|error| error.to_string())
        .and_then(|text| json::read_as(text).map_err(|error| error.to_string()))
        .map_err(|why| Failure::new(format!("not a JSON schema: {why}")).at(path.display()))
}

/// The columns of a file; none, if it is one document.
fn head(path: &Path, format: Format) -> Result<Option<Columns>, Failure> {
    let io = |error: std::io::Error| Failure::new(error.to_string());
    if format == Format::Text {
        return Ok(None);
    }
    let mut file = regular::open(path).map_err(io)?;
    if format == Format::Parquet {
        let names = Frame::names_in_parquet(file)?;
        let names = names.into_iter().map(|name| (name, Holds::Unknown));
        return Ok(Some(Columns::of(names, false)));
    }
    let whole = file.metadata().map_err(io)?.len() <= SMALL;
    let mut bytes = Vec::new();
    file.by_ref()
        .take(SMALL)
        .read_to_end(&mut bytes)
        .map_err(io)?;
    let read = |bytes: &[u8]| match format {
        Format::JsonLines => Frame::from_jsonl(bytes),
        _ => Frame::from_csv(bytes, &[]),
    };
    if whole {
        return Ok(Some(columns(&read(&bytes)?, false)?));
    }
    // The rest may have other keys, and a beginning may end within a record.
    let cut = match format {
        Format::Csv => bytes.iter().position(|&byte| byte == b'\n'),
        _ => bytes.iter().rposition(|&byte| byte == b'\n'),
    };
    let beginning = read(&bytes[..cut.unwrap_or(bytes.len())]);
    let known = beginning.and_then(|frame| columns(&frame, true));
    Ok(Some(match (known, format) {
        (Ok(known), Format::Csv) => Columns::of(
            known
                .names()
                .into_iter()
                .map(|name| (name.to_owned(), Holds::Unknown)),
            false,
        ),
        (Ok(known), _) => known,
        (Err(_), _) => Columns::unknown(),
    }))
}

fn columns(frame: &Frame, open: bool) -> Result<Columns, FrameError> {
    let holds = |name: &str| {
        let column = frame.column(name)?;
        let any = (0..column.len()).any(|row| column.text(row).is_some());
        Ok::<_, FrameError>(match column.kind() {
            _ if !any || open => Holds::Unknown,
            "text" => Holds::Text,
            "numbers" | "whole numbers" => Holds::Numbers,
            "truth values" => Holds::Truth,
            "JSON" => Holds::Json,
            _ => Holds::Unknown,
        })
    };
    let names = frame.names().into_iter();
    let names: Result<Vec<_>, FrameError> = names
        .map(|name| Ok((name.to_owned(), holds(name)?)))
        .collect();
    let mut columns = Columns::of(names?, open);
    for name in frame.names() {
        if columns.holds(name) == Holds::Json
            && let Some(fields) = fields(&frame.column(name)?)
        {
            columns.set_fields(name, fields.iter().map(String::as_str));
        }
    }
    Ok(columns)
}

/// The fields that elements of lists have, if all of these are objects.
fn fields(column: &ColumnView<'_>) -> Option<BTreeSet<String>> {
    let mut fields = BTreeSet::new();
    for row in 0..column.len() {
        let Some(cell) = column.text(row) else {
            continue;
        };
        let Ok(Json::List(elements)) = json::read(&cell) else {
            return None;
        };
        for element in elements {
            let Json::Object(object) = element else {
                return None;
            };
            fields.extend(object.into_keys());
        }
    }
    Some(fields)
}
