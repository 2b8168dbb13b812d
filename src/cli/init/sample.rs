//! Small data for those who have none at hand yet, in each form.

use super::super::args::{DataForm, InitArgs};
use super::data::{Data, Ratings, table};
use super::files::Files;
use crate::base::exit::{Error, Exit};
use crate::frame::{ColumnData, Frame};

/// Name, question, two answers, rating of the first, and which is better.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    i64,
    &'static str,
);

/// Questions with a good answer, a poor one, what somebody gave the first, and which of both they preferred.
const ROWS: [Row; 6] = [
    (
        "sky",
        "Why is the sky blue?",
        "Air scatters blue light more than red light, so blue reaches us from all sides.",
        "it is blue becaus of the see the see is blue",
        5,
        "A",
    ),
    (
        "egg",
        "How long does an egg boil?",
        "Egg boil ten minute. Egg boil. Then it boil and is eat.",
        "Ten minutes in boiling water make it hard; six leave the yolk soft.",
        2,
        "B",
    ),
    (
        "tide",
        "What makes the tides?",
        "The moon pulls on the sea, most on the side that is nearer to it. As the earth turns, coasts pass through the swell.",
        "Fish.",
        4,
        "A",
    ),
    (
        "bread",
        "Why does bread rise?",
        "Yeast eats sugar and gives off gas, which the dough holds in bubbles.",
        "Yeast gives off gas, and the dough keeps it in.",
        5,
        "tie",
    ),
    (
        "frost",
        "Why does frost form at night?",
        "Night cold. Cold make frost frost on on the grass.",
        "The ground gives off heat and cools below freezing, and vapour of the air freezes on it.",
        1,
        "B",
    ),
    (
        "echo",
        "What is an echo?",
        "Sound that comes back from a wall or a hill, late enough to be heard by itself.",
        "Sound what goes back again from the wall of it.",
        4,
        "A",
    ),
];

/// The data, and the files that hold it.
pub(super) fn of(args: &InitArgs) -> Result<(Data, Files), Error> {
    let pairs = match args.pairs.as_deref() {
        None => false,
        Some([]) => true,
        Some(_) => return Err(without("--pairs=…")),
    };
    let ratings = match args.ratings.as_deref() {
        None => false,
        Some([]) => true,
        Some(_) => return Err(without("--ratings=…")),
    };
    if args.text.is_some() || args.id.is_some() {
        return Err(without("--text` and `--id"));
    }
    let form = args.data.unwrap_or(DataForm::Csv);
    if let (DataForm::Folder, true) = (form, pairs) {
        let wrong = "pairs are two columns of a table";
        return Err(Error::new(Exit::Usage, wrong).hint("take `--data csv` or `--data jsonl`"));
    }
    let frame = rows(pairs, ratings)?;
    let bytes = |written: Result<Vec<u8>, _>| {
        let written = written.map_err(|error: crate::frame::FrameError| broken(&error))?;
        Ok::<String, Error>(String::from_utf8_lossy(&written).into_owned())
    };
    match form {
        DataForm::Folder => Ok(folder(ratings)),
        DataForm::Csv | DataForm::Jsonl => {
            let (name, text) = if form == DataForm::Csv {
                ("answers.csv", bytes(frame.to_csv())?)
            } else {
                ("answers.jsonl", bytes(frame.to_jsonl())?)
            };
            let data = table(&frame, name.to_owned(), args)?;
            Ok((data, vec![(format!("experiments/{name}"), text)]))
        }
    }
}

fn without(flag: &str) -> Error {
    Error::new(
        Exit::Usage,
        format!("`{flag}` names columns, and there is no data"),
    )
    .hint("name the data with `--from FILE`")
}

fn broken(error: &crate::frame::FrameError) -> Error {
    Error::new(Exit::Broken, error.to_string())
}

fn rows(pairs: bool, ratings: bool) -> Result<Frame, Error> {
    let text = |of: fn(&Row) -> &'static str| ColumnData::text(ROWS.iter().map(of));
    let mut columns = vec![
        ("doc_id".to_owned(), text(|row| row.0)),
        ("question".to_owned(), text(|row| row.1)),
    ];
    if pairs {
        columns.push(("answer_a".to_owned(), text(|row| row.2)));
        columns.push(("answer_b".to_owned(), text(|row| row.3)));
    } else {
        columns.push(("answer".to_owned(), text(|row| row.2)));
    }
    match (ratings, pairs) {
        (false, _) => {}
        (true, true) => columns.push(("preferred".to_owned(), text(|row| row.5))),
        (true, false) => {
            let numbers = ROWS.iter().map(|row| Some(row.4)).collect();
            columns.push(("rating".to_owned(), ColumnData::Int(numbers)));
        }
    }
    Frame::new(columns).map_err(|error| broken(&error))
}

/// The answers as files, with a csv of ratings beside them.
fn folder(ratings: bool) -> (Data, Files) {
    let mut files: Files = ROWS
        .iter()
        .map(|row| {
            (
                format!("experiments/answers/{}.txt", row.0),
                format!("{}\n", row.2),
            )
        })
        .collect();
    let mut data = Data {
        files: "answers/*.txt".to_owned(),
        elsewhere: None,
        table: None,
        metadata: None,
        ratings: None,
    };
    if ratings {
        let mut lines = vec!["doc_id,rating\n".to_owned()];
        lines.extend(ROWS.iter().map(|row| format!("{},{}\n", row.0, row.4)));
        files.push(("experiments/ratings.csv".to_owned(), lines.concat()));
        data.metadata = Some("ratings.csv".to_owned());
        data.ratings = Some(Ratings {
            columns: vec!["rating".to_owned()],
            sides: None,
        });
    }
    (data, files)
}
