//! `samples_<task>_<time>.jsonl` of lm-evaluation-harness 0.4: a line for each document and filter. The metrics are its judges.

use std::path::Path;

use serde_json::Value;

use super::rows::{Answer, Evals, Judgement, json, name, said, text_of};
use crate::import::{Kind, Problem};

pub(super) fn read(evals: &mut Evals, bytes: &[u8], path: &str, problems: &mut Vec<Problem>) {
    let place = Path::new(path);
    let stem = place.file_stem().map(|stem| stem.to_string_lossy());
    let (task, time) = stem.as_deref().map(task_of).unzip();
    // The folder is called after the model.
    let folder = place.parent().and_then(Path::file_name);
    let model = folder.map(|folder| folder.to_string_lossy().into_owned());
    let run = evals.run(task, model.as_deref(), time.unwrap_or_default());
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let at = format!("{path}:{}", index + 1);
        if let Some(sample) = json(line, &at, problems) {
            one(evals, &sample, (task, model.as_deref()), run, &at, problems);
        }
    }
}

/// The task in a file's name, which is between `samples_` and the time, and the time.
fn task_of(stem: &str) -> (&str, &str) {
    let stem = stem.strip_prefix("samples_").unwrap_or(stem);
    let time =
        |text: &str| text.starts_with(|first: char| first.is_ascii_digit()) && text.contains('T');
    match stem.rsplit_once('_') {
        Some((task, end)) if time(end) => (task, end),
        _ => (stem, ""),
    }
}

fn one(
    evals: &mut Evals,
    sample: &Value,
    (task, model): (Option<&str>, Option<&str>),
    run: i64,
    path: &str,
    problems: &mut Vec<Problem>,
) {
    let (Some(item), Some(metrics)) = (text_of(&sample["doc_id"]), metrics(sample)) else {
        let detail = "a sample has `doc_id`, and its metrics";
        problems.push(Problem::new(Kind::Foreign, path, detail));
        return;
    };
    // The filter says how the answer was taken out of what the model said.
    let filter = said(&sample["filter"]).filter(|filter| filter != "none");
    let base = name((task, model), &item, run, 1);
    let doc_id = match &filter {
        Some(filter) => format!("{base}:{filter}"),
        None => base,
    };
    let text = first(&sample["filtered_resps"]).or_else(|| first(&sample["resps"]));
    let no_text = text
        .is_none()
        .then(|| "the sample has no response".to_owned());
    let answer = Answer {
        doc_id,
        item,
        task: task.map(str::to_owned),
        model: model.map(str::to_owned),
        run,
        repeat: 1,
        question: prompt(&sample["arguments"]),
        target: text_of(&sample["target"]),
        text,
        no_text,
    };
    let Some(answer) = evals.answer(answer, path, problems) else {
        return;
    };
    for metric in metrics {
        let value = &sample[metric.as_str()];
        let score = match value {
            Value::Bool(holds) => Some(f64::from(u8::from(*holds))),
            other => other.as_f64(),
        };
        let no_score = score.is_none().then(|| match value {
            Value::Null => "the sample has no value of it".to_owned(),
            _ => "the value is of the whole task, not of one sample".to_owned(),
        });
        evals.judge(Judgement {
            answer,
            judge: metric,
            verdict: text_of(value),
            score,
            no_score,
            reply: None,
        });
    }
}

/// The names of the metrics: a list, or in older files the keys beside those that every sample has.
fn metrics(sample: &Value) -> Option<Vec<String>> {
    const OTHERS: [&str; 10] = [
        "doc_id",
        "doc",
        "target",
        "arguments",
        "resps",
        "filtered_resps",
        "filter",
        "doc_hash",
        "prompt_hash",
        "target_hash",
    ];
    if let Some(named) = sample["metrics"].as_array() {
        return Some(named.iter().filter_map(text_of).collect());
    }
    let keys = sample.as_object()?.iter();
    let numbers = keys.filter(|(key, value)| {
        !OTHERS.contains(&key.as_str()) && (value.is_number() || value.is_boolean())
    });
    let names: Vec<String> = numbers.map(|(key, _)| key.clone()).collect();
    (!names.is_empty()).then_some(names)
}

/// The first text of a list of responses, which may be lists. Of likelihoods, all of them.
fn first(responses: &Value) -> Option<String> {
    match responses.as_array().map(Vec::as_slice) {
        Some([Value::Array(inner), ..]) if inner.first().is_some_and(Value::is_string) => {
            inner.first().and_then(text_of)
        }
        Some([one @ Value::String(_), ..]) => text_of(one),
        Some([]) | None => None,
        Some(_) => text_of(responses),
    }
}

/// The prompt of the first request.
fn prompt(arguments: &Value) -> Option<String> {
    let first = &arguments["gen_args_0"]["arg_0"];
    said(first).or_else(|| said(&arguments[0][0]))
}
