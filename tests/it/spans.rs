//! Judges that mark errors in the text, through whole specs.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rayon::prelude::*;
use regex::Regex;
use serde_json::{Value, json};
use tribunal::frame::Frame;
use tribunal::models::parse::{Finish, Parser, Reader, Severity, Thoughts};
use tribunal::models::score::{Label, Scale};

use crate::corpus::{cell, column, result};
use crate::lab::Lab;
use crate::relations::stored;

/// A judge of two texts: of one it marks three errors, of the other it says that there are none.
fn lab(settings: &str) -> Lab {
    let reply = "Error 1:\nLocation: \"Teh miller\"\nExplanation: a typo (rated 4)\nSeverity: 2\n\n\
                 Error 2:\nLocation: \"slept   BADLY…\"\nExplanation: flat\nSeverity: 3\n\n\
                 Error 3:\nLocation: the last line\nExplanation: missing\nSeverity: N/A\n\n\
                 Overall score: 2\nExplanation of the score: Two errors, a severity of 3.";
    let docs = [
        json!({ "doc_id": "a", "summary": "Teh miller slept badly.", "article": "The miller slept." }),
        json!({ "doc_id": "b", "summary": "All was well.", "article": "All was well." }),
        json!({ "doc_id": "c", "summary": "Nothing.", "article": "Nothing." }),
    ];
    Lab::new()
        .spec(&format!(
            r#"
[models.fake]
provider = "scripted"
script = "script.toml"

[source.docs]
files = "docs.jsonl"

[judge.marks]
max-unscored = 1
from = "docs"
model = "fake"
prompt = "mark"
variables = ["summary", "article"]
metrics = ["overall"]
parse = "error-spans"
{settings}

[select.marked]
from = "marks"
where = "doc_id != 'c'"

[explode.errors]
from = "marked"
column = "spans"
fields = {{ location = "location", what = "explanation", severity = "severity", found = "found", start = "start", end = "end" }}
"#
        ))
        .file("docs.jsonl", docs.map(|line| format!("{line}\n")).concat())
        .template("mark", "Mark errors; overall: {{ summary }} / {{ article }}")
        .script(&format!(
            "[[reply]]\ncontains = [\"Teh miller\"]\ntext = {}\n[[reply]]\ncontains = [\"All was well\"]\ntext = \"No Error\\n\\nOverall score: 5\"\n[[reply]]\ntext = \"I cannot tell.\"\n",
            json!(reply)
        ))
}

#[test]
fn marked_errors_are_found_in_the_judged_text_and_become_rows() {
    let lab = lab("judged = \"summary\"");
    let ran = lab.run(&["--json"]).exit(0);
    let rows = result(&lab, &ran, "judge.marks");
    assert_eq!(column(&rows, "score"), ["2", "5", "–"]);
    assert_eq!(
        cell(&rows, "explanation", 0).as_deref(),
        Some("Two errors, a severity of 3.")
    );
    assert_eq!(cell(&rows, "spans", 1).as_deref(), Some("[]"));
    assert_eq!(cell(&rows, "spans", 2), None);
    assert_eq!(
        cell(&rows, "no_spans", 2).as_deref(),
        Some("no-score-found")
    );
    let issues: Value = serde_json::from_str(&cell(&rows, "issues", 0).unwrap()).unwrap();
    assert_eq!(
        issues[0]["text"],
        "“Teh miller”: a typo (rated 4) (severity 2)"
    );
    let rows = result(&lab, &ran, "explode.errors");
    assert_eq!(column(&rows, "doc_id"), ["a", "a", "a"]);
    assert_eq!(column(&rows, "severity"), ["2", "3", "–"]);
    assert_eq!(column(&rows, "found"), ["exact", "normalised", "no"]);
    assert_eq!(column(&rows, "start"), ["0", "11", "–"]);
    assert_eq!(column(&rows, "end"), ["10", "22", "–"]);
}

#[test]
fn without_the_judged_text_nothing_is_said_of_places() {
    let lab = lab("");
    let ran = lab.run(&["--json"]).exit(0);
    let rows = result(&lab, &ran, "explode.errors");
    assert_eq!(column(&rows, "severity"), ["2", "3", "–"]);
    assert_eq!(column(&rows, "found"), ["–", "–", "–"]);
}

/// A line with a severity, as the study counts them.
static SEVERITY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)^\W*Severity\W*:").unwrap());

/// The cells of a column as texts.
fn texts(frame: &Frame, name: &str) -> Vec<Option<String>> {
    let column = frame.column(name).unwrap();
    let text = |row| column.text(row).map(std::borrow::Cow::into_owned);
    (0..frame.rows()).map(text).collect()
}

/// The cells of several columns, row by row.
fn names(frame: &Frame, columns: [&str; 5]) -> Vec<[Option<String>; 5]> {
    let mut columns = columns.map(|name| texts(frame, name));
    let row = |row: usize| columns.each_mut().map(|column| column[row].take());
    (0..frame.rows()).map(row).collect()
}

#[test]
fn stored_replies_give_the_labels_and_severities_that_the_study_read() {
    let Some(data) = stored("FAITHFULNESS_DATA", "faithfulness", "model_outputs.parquet") else {
        return;
    };
    let read = |name: &str, columns: &[&str]| {
        let bytes = fs_err::read(data.join(name)).unwrap();
        Frame::from_foreign_parquet(bytes, Some(columns)).unwrap()
    };
    let run = ["dataset", "aspect", "model", "base_run", "example_id"];
    let stored = read("scores.parquet", &[&run[..], &["severities"]].concat());
    let column = texts(&stored, "severities");
    let severities: BTreeMap<_, _> = names(&stored, run).into_iter().zip(column).collect();
    let replies = read(
        "model_outputs.parquet",
        &[&run[..], &["kind", "text", "parsed_score"]].concat(),
    );
    let names = names(&replies, run);
    let [kinds, replies, parsed] =
        ["kind", "text", "parsed_score"].map(|name| texts(&replies, name));
    let labels = ["Unacceptable", "Poor", "Fair", "Good", "Excellent"].into_iter();
    let label = |(name, value): (&str, i32)| Label {
        name: name.to_owned(),
        value: f64::from(value),
        aliases: Vec::new(),
    };
    let scale = Scale::of_labels(labels.zip(1..).map(label).collect()).unwrap();
    let metrics = ["overall".to_owned()];
    let readers = |&parser: &Parser| (parser, Reader::new(parser, &metrics).unwrap());
    let readers: Vec<_> = Parser::ALL.iter().map(readers).collect();
    let forms: Vec<_> = replies
        .par_iter()
        .map(|text| {
            let text = text.as_deref().unwrap();
            let read =
                |reader: &Reader| reader.read(text, Finish::Unknown, &scale, Thoughts::default());
            let others = readers
                .iter()
                .filter(|(parser, _)| *parser != Parser::ErrorSpans);
            let others = others.map(|(_, reader)| read(reader).readings[0].outcome.score());
            let own = readers
                .iter()
                .find(|(parser, _)| *parser == Parser::ErrorSpans);
            (read(&own.unwrap().1), others.collect::<Vec<_>>())
        })
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (row, (own, others)) in forms.into_iter().enumerate() {
        let mut count = |what| *counts.entry(what).or_default() += 1;
        let text = replies[row].as_deref().unwrap();
        let parsed: Option<f64> = parsed[row].as_ref().map(|it| it.parse().unwrap());
        if others
            .iter()
            .flatten()
            .any(|score| Some(*score) != own.readings[0].outcome.score())
        {
            count("another number from another parser");
        }
        let score = own.readings[0].outcome.score();
        count(match (score, parsed) {
            (Some(score), Some(parsed)) if score.total_cmp(&parsed).is_eq() => "equal",
            (Some(_), Some(_)) => "different",
            (Some(_), None) => "readable",
            (None, Some(_)) => "lost",
            (None, None) => "unscored",
        });
        if own.readings[0].explanation.is_some() {
            count("explained");
        }
        let known = severities.get(&names[row]).cloned().flatten();
        if let Some(known) = known
            && kinds[row].as_deref() == Some("base")
        {
            let known: Vec<f64> = serde_json::from_str(&known).unwrap();
            let spans = own.spans.iter().flatten();
            // The study counts lines with a severity, 0 where it is no number.
            let rated = spans.filter(|span| SEVERITY.is_match(&text[span.span.clone()]));
            let rated: Vec<f64> = rated
                .map(|span| match span.severity {
                    Severity::Number(number) => number,
                    _ => 0.0,
                })
                .collect();
            count(if rated == known {
                "same severities"
            } else {
                "other severities"
            });
        }
    }
    let expected = [
        ("equal", 9390),
        ("explained", 9433),
        ("readable", 43),
        ("same severities", 5606),
        ("unscored", 5),
    ];
    assert_eq!(counts, BTreeMap::from(expected));
}

#[test]
fn errors_become_rows_whose_columns_have_names_of_their_own() {
    let lab = lab("judged = \"summary\"");
    let spec = lab.read("experiment.toml");
    let fields = spec.find("fields =").unwrap();
    lab.write("experiment.toml", &spec[..fields]);
    let ran = lab.run(&["--json"]).ok();
    let rows = result(&lab, &ran, "explode.errors");
    let whys = ["a typo (rated 4)", "flat", "missing"];
    assert_eq!(column(&rows, "spans_explanation"), whys);
    assert_eq!(column(&rows, "severity"), ["2", "3", "–"]);
    let score = "Two errors, a severity of 3.";
    assert_eq!(column(&rows, "explanation"), [score; 3]);
    // Named as they are, the repair is told whole.
    lab.write(
        "experiment.toml",
        format!(
            "{}fields = [\"location\", \"explanation\"]\n",
            &spec[..fields]
        ),
    );
    let told = lab.run(&[]).exit(3).err;
    assert!(
        told.contains(
            "`fields = { location = \"location\", spans_explanation = \"explanation\" }`"
        ),
        "{told}"
    );
}
