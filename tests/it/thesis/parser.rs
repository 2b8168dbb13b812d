//! The parser on the replies of the prompt comparison: how many are left without a score (Tables A.7, A.10, A.11).

use std::collections::BTreeMap;

use tribunal::frame::Frame;
use tribunal::models::parse::{Finish, Parser, Reader, Thoughts, trailer};
use tribunal::models::score::Scale;

use super::data::{expected, or_skip};

/// The tables and the models whose replies they count.
const TABLES: [(&str, &str); 3] = [
    ("A.7", "Llama-3_3-Nemotron-Super-49B-v1_THINK"),
    ("A.10", "Qwen3-32B"),
    ("A.11", "Llama-3.3-70B-Instruct"),
];

#[test]
fn as_many_replies_are_unscored_as_the_thesis_counts() {
    let Some(data) = or_skip() else { return };
    let columns = [
        "suite", "model", "prompt", "length", "task", "stage", "raw_text",
    ];
    let bytes = fs_err::read(data.file("responses.parquet")).unwrap();
    let frame = Frame::from_parquet(bytes, Some(&columns)).unwrap();
    let column = columns.map(|name| frame.column(name).unwrap());
    let metrics = ["fluency", "coherence"];
    let names = metrics.map(str::to_owned);
    let reader = Reader::new(Parser::EvaluationForm, &names).unwrap();
    // (model, prompt, gold or manipulated, length, metric) → replies, of which unscored
    let mut counts: BTreeMap<[String; 5], (u64, u64)> = BTreeMap::new();
    for row in 0..frame.rows() {
        let [suite, model, prompt, length, task, stage, raw] =
            [0, 1, 2, 3, 4, 5, 6].map(|at| column[at].text(row).unwrap_or_default());
        if suite != "prompts" || stage != "final" {
            continue;
        }
        let (prompt, only) = match prompt.split_once('_') {
            Some((prompt, metric)) => (prompt, Some(metric)),
            None => (&*prompt, None),
        };
        let task = if task == "gold" {
            "gold"
        } else {
            "manipulated"
        };
        let (reply, finish) = trailer::strip(&raw);
        let finish = finish.unwrap_or(Finish::Unknown);
        let form = reader.read(reply, finish, &Scale::ANY_1_TO_5, Thoughts::default());
        for (metric, reading) in metrics.iter().zip(&form.readings) {
            if only.is_some_and(|only| only != *metric) {
                continue;
            }
            let key = [&*model, prompt, task, &*length, metric].map(str::to_owned);
            let count = counts.entry(key).or_default();
            count.0 += 1;
            count.1 += u64::from(reading.outcome.score().is_none());
        }
    }
    let mut compared = 0;
    for (table, model) in TABLES {
        for cell in expected(&data, table) {
            let [task, length, metric] = {
                let mut words = cell.column.split(' ');
                [(); 3].map(|()| words.next().unwrap())
            };
            let key = [model, &cell.row, task, length, metric].map(str::to_owned);
            // The first prompt of one model belongs to another part of the recorded data.
            let Some((replies, unscored)) = counts.get(&key) else {
                assert_eq!((table, &*cell.row), ("A.11", "v1"));
                continue;
            };
            assert_eq!(*replies, cell.n, "{cell:?}");
            assert!(
                (*unscored as f64 - cell.value.unwrap()).abs() < 0.5,
                "{cell:?} {unscored}"
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 376);
}
