//! `source`: reads documents from files, or books of Project Gutenberg.
//!
//! Text files and books become one document each; csv, JSON lines and parquet one document per row.
//! The stage is handed bytes, never paths or addresses: where files lie and where books come from is
//! not part of the experiment.

mod books;
mod check;
mod columns;
mod contract;
mod parts;
mod raw;
mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Serialize;

pub use self::books::{BOOK_COLUMNS, MIRROR};
use self::columns::{Nested, check_reasons};
use crate::base::failure::Failure;
use crate::base::wording::{count, folded, some_of};
use crate::frame::{ColumnData, ColumnView, Frame, FrameError, Mixed};
use crate::stage::{Output, SourceFile};

/// Reads documents from files, or books of Project Gutenberg.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Source {
    /// Paths or patterns, already made absolute; none where books are read.
    #[serde(skip)]
    pub files: Vec<PathBuf>,
    /// The numbers of books, in the order of the rows; none where files are read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gutenberg: Vec<u64>,
    /// Where books are fetched from: a url with `{id}` where the number goes.
    #[serde(skip)]
    pub mirror: String,
    /// A csv with one row per document, joined on the id column.
    #[serde(skip)]
    pub metadata: Option<PathBuf>,
    /// The column that names a document; it becomes `doc_id`.
    pub id: Option<String>,
    /// The column that holds the text; it becomes `text`.
    pub text: Option<String>,
    /// Only these columns are kept, if any are named.
    pub columns: Vec<String>,
    /// The columns that together identify a row; none: rows may be the same.
    pub key: Vec<String>,
    /// What to do with a document without text.
    pub empty: Empty,
}

/// What to do with a document without text.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Empty {
    /// Stop and name it.
    #[default]
    Error,
    /// Keep it as it is.
    Keep,
    /// Leave it out and say so.
    Drop,
}

/// How a file is read, told by its ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.txt`, `.md`: the whole file is one document.
    Text,
    /// `.csv` with a header.
    Csv,
    /// `.jsonl`, `.ndjson`.
    JsonLines,
    /// `.parquet`.
    Parquet,
}

impl Format {
    /// The format that a file name's ending tells.
    pub fn of(name: &str) -> Option<Self> {
        let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
        match ending.as_str() {
            "txt" | "md" => Some(Self::Text),
            "csv" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}

/// Whether a cell names nothing: it is empty, or looks so.
fn is_blank(column: &ColumnView<'_>, row: usize) -> bool {
    column.text(row).is_none_or(|text| text.trim().is_empty())
}

impl Source {
    /// Reads the files into one table of documents. Of books, the files stand in their order.
    ///
    /// # Errors
    /// A file that cannot be read as what it is (named, with the place), duplicate ids, an empty
    /// document, documents without metadata.
    pub fn read(
        &self,
        files: Vec<SourceFile>,
        metadata: Option<SourceFile>,
    ) -> Result<Output, Failure> {
        if let Some(file) = &metadata {
            let other = [Format::JsonLines, Format::Parquet];
            if Format::of(&file.name).is_some_and(|format| other.contains(&format)) {
                return Err(Failure::new("metadata is read from a csv file")
                    .at(file.path.display())
                    .hint("save it as csv, with one row per document"));
            }
        }
        let (mut frame, mut warnings) = if self.gutenberg.is_empty() {
            self.documents(files)?
        } else {
            books::table(&self.gutenberg, &files, &self.columns)?
        };
        if let Some(file) = metadata {
            let (joined, left) = self
                .join(frame, &file)
                .map_err(|e| e.at(file.path.display()))?;
            frame = joined;
            warnings.extend(left);
        }
        check_reasons(&frame)?;
        self.check_unique(&frame)?;
        let mut output = self.handle_empty(frame)?;
        output.warnings.splice(0..0, warnings);
        Ok(output)
    }

    /// One table of all files, and what is to be said of it.
    fn documents(&self, files: Vec<SourceFile>) -> Result<(Frame, Vec<String>), Failure> {
        let mut texts: Vec<(String, String, String)> = Vec::new();
        let (mut tables, mut csvs) = (Vec::new(), Vec::new());
        let mut nested = Nested::default();
        let mut read: BTreeMap<String, String> = BTreeMap::new();
        let several = files.len() > 1;
        for file in files {
            let place = file.path.display().to_string();
            match Format::of(&file.name) {
                Some(Format::Text) => {
                    let (id, text) = Self::document(&file).map_err(|e| e.at(&place))?;
                    if let Some(other) = read.insert(id.clone(), place.clone())
                        && self.key == ["doc_id"]
                    {
                        return Err(Failure::new(format!(
                            "`{other}` and `{place}` would both be the document `{id}`"
                        ))
                        .hint("rename one of the two, or leave it out of `files`"));
                    }
                    texts.push((file.name, text, id));
                }
                Some(format) => {
                    let again = (several && format == Format::Csv).then(|| file.clone());
                    let table = self.table(file, format, &[]);
                    let (table, mixed) = table.map_err(|e| e.at(&place))?;
                    nested.add(&table, &mixed)?;
                    csvs.extend(again.map(|file| (tables.len(), file)));
                    tables.push(table);
                }
                None => {
                    return Err(Failure::new("unsupported file type").at(&place).hint(
                        "the supported endings are .txt, .md, .csv, .jsonl, .ndjson and .parquet",
                    ));
                }
            }
        }
        if !texts.is_empty() {
            // The folders they lie in are in no key, so they must not decide about the order.
            texts.sort();
            let (ids, texts): (Vec<_>, Vec<_>) =
                texts.into_iter().map(|(_, text, id)| (id, text)).unzip();
            tables.push(Frame::new(vec![
                ("doc_id".to_owned(), ColumnData::text(ids)),
                ("text".to_owned(), ColumnData::text(texts)),
            ])?);
        }
        let mut stacked = Frame::stack(&tables)?;
        // What is text in one file is text in all: `1.10` must not have become a number on its way there.
        let is_text = |name: &str| stacked.column(name).is_ok_and(|all| all.kind() == "text");
        let rounded = |table: &Frame, name: &&str| {
            table
                .column(name)
                .is_ok_and(|column| column.kind() == "numbers")
                && is_text(name)
        };
        let mut again = Vec::new();
        for (at, file) in csvs {
            let names = tables[at].names().into_iter();
            let names: Vec<String> = names
                .filter(|name| rounded(&tables[at], name))
                .map(str::to_owned)
                .collect();
            if !names.is_empty() {
                again.push((at, file, names));
            }
        }
        if !again.is_empty() {
            for (at, file, names) in again {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                tables[at] = self.table(file, Format::Csv, &names)?.0;
            }
            stacked = Frame::stack(&tables)?;
        }
        Ok((stacked, nested.warnings()))
    }

    /// The columns of the key that are text although all of their cells are numbers: some would be the same number.
    fn written_apart(&self, bytes: &[u8], frame: &Frame) -> Result<Vec<&str>, FrameError> {
        let numbers = |name: &&str| {
            frame
                .column(name)
                .is_ok_and(|column| column.kind() == "numbers")
        };
        let key: Vec<&str> = self
            .key
            .iter()
            .map(String::as_str)
            .filter(numbers)
            .collect();
        if key.is_empty() {
            return Ok(key);
        }
        let written = Frame::from_csv(bytes, &key)?;
        let different = |frame: &Frame, name: &str| -> Result<usize, FrameError> {
            let column = frame.column(name)?;
            let cells: BTreeSet<_> = (0..column.len()).map(|row| column.text(row)).collect();
            Ok(cells.len())
        };
        let mut apart = Vec::new();
        for name in key {
            if different(frame, name)? < different(&written, name)? {
                apart.push(name);
            }
        }
        Ok(apart)
    }

    /// Columns that name documents and are compared as they are written.
    fn ids(&self) -> [&str; 2] {
        [self.id.as_deref().unwrap_or("doc_id"), "doc_id"]
    }

    fn document(file: &SourceFile) -> Result<(String, String), Failure> {
        let text = FrameError::decode(&file.bytes)?.replace("\r\n", "\n");
        let stem = file
            .name
            .rsplit_once('.')
            .map_or(&*file.name, |(stem, _)| stem);
        Ok((stem.to_owned(), text))
    }

    /// One file with a row for each document; of a csv with some columns as text, whatever they hold. With the columns in
    /// which lists became texts, by their names in the table.
    fn table(
        &self,
        file: SourceFile,
        format: Format,
        as_text: &[&str],
    ) -> Result<(Frame, Vec<Mixed>), Failure> {
        let text = self.text.as_deref().unwrap_or("text");
        let mut mixed = Vec::new();
        let frame = match format {
            Format::Csv => {
                let as_text = [&self.ids()[..], &[text], as_text].concat();
                let frame = Frame::from_csv(&file.bytes, &as_text)?;
                match &*self.written_apart(&file.bytes, &frame)? {
                    [] => frame,
                    apart => Frame::from_csv(&file.bytes, &[&as_text, apart].concat())?,
                }
            }
            Format::JsonLines => {
                let (frame, found) = Frame::from_jsonl_mixed(&file.bytes)?;
                mixed = found;
                frame
            }
            Format::Parquet => {
                Frame::from_foreign_parquet(file.bytes, self.of_parquet().as_deref())?
            }
            Format::Text => return Err(Failure::new("a text file is one document, not a table")),
        };
        Ok((self.shaped(&frame, &mut mixed)?, mixed))
    }

    /// The columns that are read of a parquet file, if not all are.
    fn of_parquet(&self) -> Option<Vec<&str>> {
        if self.columns.is_empty() {
            return None;
        }
        let id = self.id.as_deref().unwrap_or("doc_id");
        let text = self.text.as_deref().unwrap_or("text");
        let listed = self.columns.iter().map(String::as_str);
        Some([id, text].into_iter().chain(listed).collect())
    }

    /// A table with the columns that are kept, by the names that they get, of which `mixed` hears.
    fn shaped(&self, frame: &Frame, mixed: &mut [Mixed]) -> Result<Frame, Failure> {
        let id = self.id.as_deref().unwrap_or("doc_id");
        let text = self.text.as_deref().unwrap_or("text");
        if let Some(named) = self.text.as_deref().filter(|named| !frame.has(named)) {
            let error = frame.column(named).err().map(Failure::from);
            let missing = Failure::new(format!("there is no column `{named}`"));
            return Err(error
                .unwrap_or(missing)
                .hint("`text` names the column that holds the text"));
        }
        let mut order: Vec<(&str, &str)> = vec![("doc_id", id)];
        let listed = self.columns.iter().map(String::as_str);
        if self.columns.is_empty() {
            order.extend(frame.names().into_iter().map(|name| (name, name)));
        } else {
            order.extend(listed.map(|name| (name, name)));
            // A text need not be listed: without it the documents could not be read.
            if frame.has(text) && !self.columns.iter().any(|name| name == text) {
                order.push(("text", text));
            }
        }
        for (name, from) in [("doc_id", id), ("text", text)] {
            if from != name && frame.has(from) && frame.has(name) {
                return Err(Failure::new(format!(
                    "there already is a column `{name}`, which `{from}` would become"
                ))
                .hint("rename one of the two in the file"));
            }
        }
        let (mut read, mut names) = (Vec::new(), Vec::new());
        let mut made: Vec<(&str, ColumnData)> = Vec::new();
        let mut taken = BTreeSet::new();
        for (name, from) in order {
            let name = if from == text { "text" } else { name };
            if from == id && name != "doc_id" || !taken.insert(name) {
                continue;
            }
            let column = frame.column(from).map_err(|error| {
                Failure::from(error).hint("name the columns with `id`, `text` and `columns`")
            })?;
            if name == "doc_id"
                && let Some(row) = (0..column.len()).find(|&row| is_blank(&column, row))
            {
                return Err(Failure::new(format!("row {} has no `{id}`", row + 1))
                    .hint("every document needs a name"));
            }
            // Texts, which may be long, are not copied.
            if !column.is_text() {
                made.push((
                    name,
                    match name {
                        "doc_id" | "text" => ColumnData::Text(
                            (0..column.len())
                                .map(|row| column.text(row).map(std::borrow::Cow::into_owned))
                                .collect(),
                        ),
                        _ => column.data(),
                    },
                ));
            }
            if let Some(mixed) = mixed.iter_mut().find(|mixed| mixed.name == from) {
                name.clone_into(&mut mixed.name);
            }
            read.push(from.to_owned());
            names.push(name);
        }
        let mut shaped = frame.select(&read)?.called(&names)?;
        for (name, data) in made {
            shaped = shaped.with_column(name, data)?;
        }
        Ok(shaped)
    }

    /// The documents with the columns of the metadata, and what is to be said of its rows that are of no document.
    fn join(&self, frame: Frame, file: &SourceFile) -> Result<(Frame, Option<String>), Failure> {
        let metadata = Frame::from_csv(&file.bytes, &self.ids())?;
        let id = self.id.as_deref().unwrap_or("doc_id");
        let key = metadata.column(id).map_err(|error| {
            Failure::from(error).hint("name the column that holds the document's id with `id`")
        })?;
        let mut row_of: BTreeMap<String, usize> = BTreeMap::new();
        for row in 0..key.len() {
            let value = key.text(row).unwrap_or_default().into_owned();
            if let Some(first) = row_of.insert(value.clone(), row) {
                return Err(Failure::new(format!(
                    "rows {} and {} have the same `{id}`: `{value}`",
                    first + 1,
                    row + 1
                ))
                .hint("keep one row per document"));
            }
        }
        // Books may be named by their number instead.
        let documents = frame.column(if frame.has(id) { id } else { "doc_id" })?;
        let mut rows = Vec::with_capacity(frame.rows());
        let mut missing = Vec::new();
        let mut left: BTreeSet<&str> = row_of.keys().map(String::as_str).collect();
        for row in 0..frame.rows() {
            let document = documents.text(row).unwrap_or_default();
            match row_of.get(document.as_ref()) {
                Some(&at) => rows.push(at),
                None => missing.push(document.as_ref().to_owned()),
            }
            left.remove(document.as_ref());
        }
        if !missing.is_empty() {
            let alike = left.iter().find_map(|name| {
                let same = |document: &&String| folded(document) == folded(name);
                missing.iter().find(same).map(|document| {
                    format!("`{name}` there is `{document}` but for case and blanks")
                })
            });
            return Err(Failure::new(format!(
                "{} without a row: {}",
                count(missing.len(), "document"),
                some_of(&missing)
            ))
            .hint(alike.unwrap_or_else(|| format!("add the rows, or correct the `{id}` column"))));
        }
        let left: Vec<&str> = left.into_iter().collect();
        let left = (!left.is_empty()).then(|| {
            let is = if left.len() == 1 { "is" } else { "are" };
            let rows = count(left.len(), "row");
            format!(
                "{rows} of `{}` {is} of no document: {}",
                file.name,
                some_of(&left)
            )
        });
        let mut joined = frame;
        for name in metadata.names().into_iter().filter(|name| *name != id) {
            if joined.has(name) {
                return Err(
                    Failure::new(format!("the documents already have a column `{name}`"))
                        .hint("rename the column in the metadata, or remove it"),
                );
            }
            let column = metadata.column(name)?;
            let data = ColumnData::infer(rows.iter().map(|&row| column.scalar(row)).collect());
            joined = joined.with_column(name, data)?;
        }
        Ok((joined, left))
    }
}
