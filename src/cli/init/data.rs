//! A person's data: where it lies, and what its columns are.

use std::path::{Path, PathBuf};

use super::super::args::{DataForm, InitArgs};
use super::columns::{Columns, TIES, is_plain};
use crate::base::exit::{Error, Exit};
use crate::base::regular;
use crate::base::wording::{count, list_of};
use crate::frame::{Frame, Scalar};

/// What an experiment is written for.
pub(super) struct Data {
    /// The files, as the spec names them.
    pub(super) files: String,
    /// The folder of the files, where it is not below the spec's; it goes into the settings of this machine.
    pub(super) elsewhere: Option<PathBuf>,
    /// Of a table, its columns; a folder has one document per file.
    pub(super) table: Option<Table>,
    /// A csv beside documents in files.
    pub(super) metadata: Option<String>,
    /// The column with people's verdicts.
    pub(super) ratings: Option<Ratings>,
}

/// The columns of a table.
pub(super) struct Table {
    pub(super) id: String,
    pub(super) judged: Judged,
    pub(super) question: Option<String>,
    /// What the text should say.
    pub(super) reference: Option<String>,
    /// Who wrote the text, where texts are judged one by one.
    pub(super) writer: Option<String>,
    /// Rows without a text.
    pub(super) empty: usize,
    /// Columns of numbers that were not taken for anything.
    pub(super) numbers: Vec<String>,
}

/// What a judge is shown.
pub(super) enum Judged {
    One(String),
    /// Two columns of a row.
    Pair(String, String),
    /// A column of several rows that answer the same, by the column that says who wrote it.
    Between(String, String),
}

/// People's verdicts.
pub(super) struct Ratings {
    /// The columns of several people, or of one.
    pub(super) columns: Vec<String>,
    /// Of pairs: the values that stand for the first text and for the second, as an expression writes them.
    pub(super) sides: Option<[Vec<String>; 2]>,
}

impl Data {
    /// Looks at what lies at a path.
    pub(super) fn of(from: &Path, args: &InitArgs) -> Result<Self, Error> {
        let full = fs_err::canonicalize(from).map_err(|_| {
            let missing = format!("there is no file or folder `{}`", from.display());
            Error::new(Exit::Usage, missing).hint("name a csv, a jsonl, or a folder of texts")
        })?;
        if full.is_dir() {
            return folder(&full, args);
        }
        let form = form_of(&full).ok_or_else(|| {
            let wrong = format!("`{}` is neither csv nor jsonl", from.display());
            Error::new(Exit::Usage, wrong)
                .hint("save it as one of these, or name a folder of texts")
        })?;
        let bytes = regular::read(&full, regular::TEXT)?;
        let frame = read(form, &bytes)
            .map_err(|why| Error::new(Exit::Usage, format!("`{}`: {why}", from.display())))?;
        let name = full.file_name().unwrap_or_default();
        let files = format!("{{data}}/{}", name.to_string_lossy());
        let mut data = table(&frame, files, args)?;
        data.elsewhere = full.parent().map(Path::to_owned);
        Ok(data)
    }

    /// How it was understood, a line for each thing that may be otherwise.
    pub(super) fn said(&self) -> Vec<String> {
        let Some(table) = &self.table else {
            return Vec::new();
        };
        let judged = match &table.judged {
            Judged::One(text) => format!("`{text}` is judged"),
            Judged::Pair(first, second) => format!("`{first}` is compared with `{second}`"),
            Judged::Between(text, writer) => {
                format!("`{text}` is compared between the values of `{writer}`")
            }
        };
        let mut said = format!("{judged}, `{}` names the rows", table.id);
        let shown: Vec<&String> = table.question.iter().chain(&table.reference).collect();
        match shown.as_slice() {
            [] => {}
            [only] => said = format!("{said}, `{only}` is shown too"),
            several => said = format!("{said}, {} are shown too", list_of(several)),
        }
        if let Some(writer) = &table.writer {
            said = format!("{said}, scores are told apart by `{writer}`");
        }
        said = match &self.ratings {
            Some(Ratings { columns, .. }) if columns.len() > 1 => {
                format!("{said}, and {} are what people say", list_of(columns))
            }
            Some(ratings) => format!("{said}, and `{}` is what people say", ratings.columns[0]),
            None => match table.numbers.as_slice() {
                [] => format!("{said}; no column with ratings was taken"),
                [only] => {
                    format!(
                        "{said}; no column with ratings was taken, `--ratings={only}` would be one"
                    )
                }
                several => format!(
                    "{said}; no column with ratings was taken, `--ratings={}` would be some",
                    several.join(",")
                ),
            },
        };
        vec![format!(
            "{said} (`--text`, `--pairs`, `--id` and `--ratings` say otherwise)"
        )]
    }
}

/// The form of a file, by its ending.
fn form_of(path: &Path) -> Option<DataForm> {
    let ending = path.extension()?.to_str()?.to_lowercase();
    match ending.as_str() {
        "csv" => Some(DataForm::Csv),
        "jsonl" | "ndjson" => Some(DataForm::Jsonl),
        _ => None,
    }
}

fn read(form: DataForm, bytes: &[u8]) -> Result<Frame, String> {
    let read = match form {
        DataForm::Csv => Frame::from_csv(bytes, &[]),
        _ => Frame::from_jsonl(bytes),
    };
    let frame = read.map_err(|error| error.to_string())?;
    if frame.rows() == 0 {
        return Err("there are no rows".to_owned());
    }
    Ok(frame)
}

/// What a table is for, by its columns and what was said of them.
pub(super) fn table(frame: &Frame, files: String, args: &InitArgs) -> Result<Data, Error> {
    let columns = Columns::of(frame);
    let id = match &args.id {
        Some(id) => columns.named(id)?,
        None => columns.id().ok_or_else(|| {
            Error::new(Exit::Usage, "no column has another value in every row")
                .hint("add one that names the rows, or say which: `--id COLUMN`")
        })?,
    };
    if !columns.names_rows(&id) {
        let wrong = format!("`{id}` does not name the rows: a value is missing or there twice");
        return Err(Error::new(Exit::Usage, wrong).hint("take another column with `--id`"));
    }
    let judged = judged(&columns, &id, args)?;
    let shown: Vec<&str> = match &judged {
        Judged::One(text) => vec![&id, text],
        Judged::Pair(first, second) => vec![&id, first, second],
        Judged::Between(text, writer) => vec![&id, text, writer],
    };
    let empty = match &judged {
        Judged::One(text) | Judged::Between(text, _) => columns.absent(text),
        Judged::Pair(..) => 0,
    };
    let question = columns.question(&shown);
    let ratings = ratings(&columns, (&judged, &shown), args)?;
    let one = matches!(judged, Judged::One(_));
    let reference = columns.reference(&shown, |name| one && is_plain(name));
    let writer = columns.writer(&shown);
    let writer = writer.filter(|name| one && is_plain(name));
    let numbers = columns.numbers(&shown).into_iter().map(str::to_owned);
    Ok(Data {
        files,
        elsewhere: None,
        metadata: None,
        table: Some(Table {
            numbers: if ratings.is_none() && one {
                numbers.collect()
            } else {
                Vec::new()
            },
            id,
            judged,
            question,
            reference,
            writer,
            empty,
        }),
        ratings,
    })
}

/// What is judged: one text of a row, two of them, or those of several rows that answer the same.
fn judged(columns: &Columns<'_>, id: &str, args: &InitArgs) -> Result<Judged, Error> {
    let text = || {
        columns.text(&[id]).ok_or_else(|| {
            Error::new(Exit::Usage, "no column holds texts")
                .hint("say which is judged: `--text COLUMN`")
        })
    };
    if let Some(text) = &args.text {
        return Ok(Judged::One(columns.named(text)?));
    }
    match args.pairs.as_deref() {
        Some([first, second]) => match (columns.named(first), columns.named(second)) {
            (Ok(first), Ok(second)) => Ok(Judged::Pair(first, second)),
            (Err(error), _) | (_, Err(error)) => Err(match columns.writer(&[id]) {
                Some(writer) => error.hint(format!(
                    "rows of `{writer}` are compared with each other by `--pairs` alone"
                )),
                None => error,
            }),
        },
        found => match (columns.pair(), found) {
            (Some((first, second)), _) => Ok(Judged::Pair(first, second)),
            (None, None) => Ok(Judged::One(text()?)),
            (None, Some(_)) => {
                let text = text()?;
                let writer = columns.writer(&[id, &text]).filter(|name| is_plain(name));
                let apart = |writer: &String| {
                    let question = columns.question(&[id, &text, writer]);
                    question.is_some_and(|question| {
                        is_plain(&question) && columns.tell_rows_apart(&question, writer)
                    })
                };
                match writer.filter(apart) {
                    Some(writer) => Ok(Judged::Between(text, writer)),
                    None => Err(Error::new(
                        Exit::Usage,
                        "no two columns are called like the two texts of a pair, and no rows answer one question by different models",
                    )
                    .hint("name two columns: `--pairs=answer_a,answer_b`; or have columns `question` and `model`, and a row for each of both")),
                }
            }
        },
    }
}

fn ratings(
    columns: &Columns<'_>,
    (judged, but): (&Judged, &[&str]),
    args: &InitArgs,
) -> Result<Option<Ratings>, Error> {
    let asked = args.ratings.as_ref();
    let named = asked.filter(|named| !named.is_empty());
    let found = match (named, judged) {
        (Some(named), _) => {
            let named = named.iter().map(|name| columns.named(name));
            named.collect::<Result<Vec<String>, Error>>()?
        }
        (None, Judged::One(_)) => match columns.rating(but) {
            Some(one) => vec![one],
            None => columns.raters(but),
        },
        (None, Judged::Pair(..)) => columns.preference(but).into_iter().collect(),
        (None, Judged::Between(..)) => Vec::new(),
    };
    let Some(column) = found.first().cloned() else {
        return match asked {
            Some(_) => Err(Error::new(Exit::Usage, "no column is called like ratings")
                .hint("say which it is: `--ratings=COLUMN`")),
            None => Ok(None),
        };
    };
    let (first, second) = match judged {
        Judged::Pair(first, second) => (first, second),
        Judged::Between(..) => {
            let wrong =
                "what people prefer stands beside both texts, and here each has a row of its own";
            return Err(Error::new(Exit::Usage, wrong)
                .hint("make one row of both texts, or leave `--ratings` out"));
        }
        Judged::One(_) => {
            if let Some(words) = found.iter().find(|column| !columns.is_numbers(column)) {
                let wrong = format!("`{words}` does not hold numbers alone");
                return Err(
                    Error::new(Exit::Usage, wrong).hint("ratings of single texts are numbers")
                );
            }
            return Ok(Some(Ratings {
                columns: found,
                sides: None,
            }));
        }
    };
    match sides(columns, &column, first, second) {
        Ok(sides) => Ok(Some(Ratings {
            columns: vec![column],
            sides: Some(sides),
        })),
        // A column that was guessed need not be what it is called.
        Err(_) if asked.is_none() => Ok(None),
        Err(why) => Err(why),
    }
}

/// Which values of a column stand for the first text and which for the second; all others are ties.
fn sides(
    columns: &Columns<'_>,
    column: &str,
    first: &str,
    second: &str,
) -> Result<[Vec<String>; 2], Error> {
    let words = |name: &str, own: [&str; 5]| -> Vec<String> {
        let own = own.into_iter().map(str::to_owned);
        own.chain([name.to_lowercase()]).collect()
    };
    let known = [
        words(first, ["a", "1", "first", "model_a", "answer_a"]),
        words(second, ["b", "2", "second", "model_b", "answer_b"]),
    ];
    let mut sides = [Vec::new(), Vec::new()];
    for value in columns.different(column) {
        let word = value.to_string().trim().to_lowercase();
        let side = known.iter().position(|known| known.contains(&word));
        match side {
            Some(side) => sides[side].push(literal(&value)),
            None if TIES.contains(&word.as_str()) => {}
            None => {
                let wrong =
                    format!("`{column}` holds `{value}`, which names neither text and no tie");
                let hint = "write A, B or tie, the names of the columns, or 1 and 2";
                return Err(Error::new(Exit::Usage, wrong).hint(hint));
            }
        }
    }
    Ok(sides)
}

/// A value as an expression writes it. Only words that are known come here, none with a quote.
fn literal(value: &Scalar) -> String {
    match value {
        Scalar::Text(text) => format!("'{text}'"),
        other => other.to_string(),
    }
}

/// A folder with a text in every file, and perhaps a csv with people's numbers.
fn folder(full: &Path, args: &InitArgs) -> Result<Data, Error> {
    for (given, flag) in [
        (args.pairs.is_some(), "--pairs"),
        (args.text.is_some(), "--text"),
        (args.id.is_some(), "--id"),
    ] {
        if given {
            let wrong = format!("`{flag}` is about the columns of a table");
            let hint = "name a csv or a jsonl with `--from`, with a row for each document";
            return Err(Error::new(Exit::Usage, wrong).hint(hint));
        }
    }
    let mut endings: Vec<&str> = Vec::new();
    let mut tables: Vec<String> = Vec::new();
    let mut documents = 0;
    for entry in fs_err::read_dir(full)? {
        let path = entry?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending {
            Some("txt") => endings.push("txt"),
            Some("md") => endings.push("md"),
            Some("csv") => {
                tables.extend(path.file_name().map(|name| name.to_string_lossy().into()));
            }
            _ => continue,
        }
        documents += usize::from(ending != Some("csv"));
    }
    endings.sort_unstable();
    endings.dedup();
    tables.sort();
    let ending = match endings.as_slice() {
        [] => {
            let none = format!("`{}` holds no `.txt` and no `.md`", full.display());
            return Err(Error::new(Exit::Usage, none).hint("name the folder with the texts"));
        }
        [one] => (*one).to_owned(),
        several => format!("{{{}}}", several.join(",")),
    };
    let mut data = Data {
        files: format!("{{data}}/*.{ending}"),
        elsewhere: Some(full.to_owned()),
        table: None,
        metadata: None,
        ratings: None,
    };
    if let Some(named) = &args.ratings {
        let [only] = tables.as_slice() else {
            let wrong = match tables.as_slice() {
                [] => "the folder has no csv with ratings".to_owned(),
                several => format!("the folder has several csv: {}", list_of(several)),
            };
            let hint = "lay one csv beside the texts, with `doc_id` and a column of numbers";
            return Err(Error::new(Exit::Usage, wrong).hint(hint));
        };
        let bytes = regular::read(&full.join(only), regular::TEXT)?;
        let wrong = |why: String| Error::new(Exit::Usage, format!("`{only}`: {why}"));
        let frame = read(DataForm::Csv, &bytes).map_err(wrong)?;
        if !frame.has("doc_id") || frame.rows() != documents {
            let rows = count(frame.rows(), "row");
            let files = count(documents, "text");
            return Err(wrong(format!("{rows} for {files}, or no column `doc_id`"))
                .hint("write a row for each text, and its name without the ending as `doc_id`"));
        }
        let columns = Columns::of(&frame);
        let column = match named.first() {
            Some(named) => Some(columns.named(named)?),
            None => columns.rating(&["doc_id"]),
        };
        let column = column.filter(|column| columns.is_numbers(column));
        let column = column.ok_or_else(|| {
            wrong("no column of numbers is called like ratings".to_owned())
                .hint("say which it is: `--ratings=COLUMN`")
        })?;
        data.metadata = Some(format!("{{data}}/{only}"));
        data.ratings = Some(Ratings {
            columns: vec![column],
            sides: None,
        });
    }
    Ok(data)
}
