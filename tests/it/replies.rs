//! Replies of many shapes and what each of them gives, held against all parsers.
//!
//! Every `tests/data/replies/*.jsonl` is read, one reply a line: what stands in `gives` (a number, or null where
//! the reply gives no verdict) is what a careful reader takes from it; `why` says so in one line. A parser may
//! leave a reply unscored, unless `read_by` names it; it must never give another number.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;
use tribunal::models::parse::{Finish, Parser, Reader, Thoughts};
use tribunal::models::score::Scale;

/// One line of the corpus.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    reply: String,
    #[serde(default = "fluency")]
    metrics: Vec<String>,
    #[serde(default)]
    scale: Bounds,
    #[serde(default)]
    finish: Finish,
    gives: BTreeMap<String, Option<f64>>,
    #[serde(default)]
    read_by: Vec<Parser>,
    why: String,
}

#[derive(Deserialize)]
struct Bounds {
    min: f64,
    max: f64,
    #[serde(default)]
    step: f64,
}

impl Default for Bounds {
    fn default() -> Self {
        let (min, max, step) = (1.0, 5.0, 0.0);
        Self { min, max, step }
    }
}

fn fluency() -> Vec<String> {
    vec!["fluency".to_owned()]
}

/// How one parser fares.
#[derive(Default)]
struct Tally {
    given: usize,
    read: usize,
    lost: String,
    wrong: String,
}

/// The corpus: where each line stands, and what it says.
fn corpus() -> Vec<(String, Line)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/replies");
    let mut files: Vec<_> = fs_err::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        })
        .collect();
    files.sort();
    let mut lines = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        for (number, line) in fs_err::read_to_string(&file).unwrap().lines().enumerate() {
            let place = format!("{name}:{}", number + 1);
            let line: Line = serde_json::from_str(line).unwrap_or_else(|e| panic!("{place}: {e}"));
            lines.push((place, line));
        }
    }
    lines
}

#[test]
fn no_parser_gives_a_number_that_a_reply_does_not_give() {
    let corpus = corpus();
    let mut tallies: Vec<_> = Parser::ALL
        .iter()
        .map(|parser| (*parser, Tally::default()))
        .collect();
    let mut given = 0;
    for (place, line) in &corpus {
        assert!(!line.why.trim().is_empty(), "{place} has no reason");
        let metrics: Vec<_> = line.gives.keys().collect();
        let mut asked: Vec<_> = line.metrics.iter().collect();
        asked.sort();
        assert_eq!(metrics, asked, "{place} says nothing of a metric");
        given += usize::from(line.gives.values().any(Option::is_some));
        let Bounds { min, max, step } = line.scale;
        let scale = Scale::new(min, max, step).unwrap();
        for (parser, tally) in &mut tallies {
            let reader = Reader::new(*parser, &line.metrics).unwrap();
            let form = reader.read(&line.reply, line.finish, &scale, Thoughts::default());
            for reading in form.readings {
                let gives = line.gives[&reading.metric];
                let must = line.read_by.contains(parser) && gives.is_some();
                tally.given += usize::from(gives.is_some());
                let score = reading.outcome.score();
                let same = |score: f64| gives.is_some_and(|gives| (gives - score).abs() < 1e-9);
                let list = match score {
                    Some(score) if same(score) => {
                        tally.read += 1;
                        continue;
                    }
                    Some(_) => &mut tally.wrong,
                    None if must => &mut tally.lost,
                    None => continue,
                };
                let (reply, why) = (&line.reply, &line.why);
                let (metric, outcome) = (&reading.metric, &reading.outcome);
                writeln!(
                    list,
                    "{place} {metric} {gives:?}, read as {outcome:?}: {reply:?} ({why})"
                )
                .unwrap();
            }
        }
    }
    let mut faults = String::new();
    for (parser, tally) in &tallies {
        let Tally { given, read, .. } = tally;
        let (wrong, lost) = (tally.wrong.lines().count(), tally.lost.lines().count());
        eprintln!("{parser:?}: {read} of {given} verdicts read, {wrong} wrong, {lost} lost");
        for (what, list) in [("wrong", &tally.wrong), ("lost", &tally.lost)] {
            for fault in list.lines() {
                writeln!(faults, "{parser:?} {what}: {fault}").unwrap();
            }
        }
    }
    eprintln!("{} replies, {given} with a verdict", corpus.len());
    assert!(faults.is_empty(), "\n{faults}");
}
