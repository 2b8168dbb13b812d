//! Logs of `inspect_ai`, version 2 of its format: one JSON document, or a zip with `header.json` and a file for each sample
//! and epoch.

use serde_json::Value;

use super::rows::{Answer, Evals, Judgement, json, name, said, text_of};
use super::zip::Archive;
use crate::import::{Kind, Problem};

pub(super) fn read(evals: &mut Evals, bytes: &[u8], path: &str, problems: &mut Vec<Problem>) {
    if !bytes.starts_with(b"PK") {
        let Some(log) = json(bytes, path, problems) else {
            return;
        };
        let Some(samples) = log["samples"].as_array() else {
            let detail = "a log has `eval` and `samples`; one that was written without samples has none to import";
            problems.push(Problem::new(Kind::Foreign, path, detail));
            return;
        };
        for sample in samples {
            one(evals, &log["eval"], sample, path, problems);
        }
        return;
    }
    let archive = match Archive::of(bytes) {
        Ok(archive) => archive,
        Err(why) => {
            problems.push(Problem::new(Kind::Unreadable, path, why));
            return;
        }
    };
    let member = |name: &str, problems: &mut Vec<Problem>| {
        let inside = format!("{path}!{name}");
        match archive.read(name) {
            Ok(bytes) => json(&bytes, &inside, problems),
            Err(why) => {
                problems.push(Problem::new(Kind::Unreadable, &inside, why));
                None
            }
        }
    };
    // A log that was cut short has the header of its beginning.
    let headers = ["header.json", "_journal/start.json"];
    let Some(header) = headers.into_iter().find(|name| archive.has(name)) else {
        let detail = "the zip has no `header.json`";
        problems.push(Problem::new(Kind::Foreign, path, detail));
        return;
    };
    let Some(header) = member(header, problems) else {
        return;
    };
    let mut samples: Vec<&str> = archive
        .names()
        .filter(|name| {
            let path = std::path::Path::new(name);
            path.starts_with("samples") && path.extension().is_some_and(|ending| ending == "json")
        })
        .collect();
    samples.sort_unstable();
    for name in samples {
        if let Some(sample) = member(name, problems) {
            one(
                evals,
                &header["eval"],
                &sample,
                &format!("{path}!{name}"),
                problems,
            );
        }
    }
}

fn one(evals: &mut Evals, eval: &Value, sample: &Value, path: &str, problems: &mut Vec<Problem>) {
    let Some(item) = text_of(&sample["id"]) else {
        problems.push(Problem::new(Kind::Foreign, path, "a sample without `id`"));
        return;
    };
    let (task, model) = (said(&eval["task"]), said(&eval["model"]));
    // Of one log, whatever file it was copied to.
    let mark = said(&eval["eval_id"]).or_else(|| said(&eval["run_id"]));
    let run = evals.run(task.as_deref(), model.as_deref(), &mark.unwrap_or_default());
    let repeat = sample["epoch"].as_i64().unwrap_or(1);
    let text = said(&sample["output"]["completion"]).or_else(|| first_choice(&sample["output"]));
    let failed = said(&sample["error"]["message"]).or_else(|| said(&sample["output"]["error"]));
    let no_text = text.is_none().then(|| match &failed {
        Some(why) => format!("the sample failed: {why}"),
        None => "the model gave no text".to_owned(),
    });
    let answer = Answer {
        doc_id: name((task.as_deref(), model.as_deref()), &item, run, repeat),
        item,
        task,
        model,
        run,
        repeat,
        question: input(&sample["input"]),
        target: target(&sample["target"]),
        text,
        no_text,
    };
    let Some(answer) = evals.answer(answer, path, problems) else {
        return;
    };
    for (judge, score) in sample["scores"].as_object().into_iter().flatten() {
        let reply = said(&score["explanation"]);
        // A scorer may give several values, each under a name of its own.
        match score["value"].as_object() {
            Some(values) => {
                for (part, value) in values {
                    let judge = format!("{judge}/{part}");
                    evals.judge(judgement(answer, judge, value, reply.clone()));
                }
            }
            None => {
                let judge = judge.clone();
                evals.judge(judgement(answer, judge, &score["value"], reply));
            }
        }
    }
}

fn judgement(answer: usize, judge: String, value: &Value, reply: Option<String>) -> Judgement {
    let score = match value {
        Value::Number(number) => number.as_f64(),
        Value::Bool(holds) => Some(f64::from(u8::from(*holds))),
        // The four letters of the tool: correct, incorrect, partly, no answer.
        Value::String(letter) => match letter.as_str() {
            "C" => Some(1.0),
            "P" => Some(0.5),
            "I" | "N" => Some(0.0),
            _ => None,
        },
        _ => None,
    };
    let no_score = score.is_none().then(|| match value {
        Value::Null => "the scorer gave no value".to_owned(),
        _ => "the value is no number and none of C, P, I and N".to_owned(),
    });
    Judgement {
        answer,
        judge,
        verdict: text_of(value),
        score,
        no_score,
        reply,
    }
}

/// What was asked: a text, or the messages of a conversation, the person's alone.
fn input(input: &Value) -> Option<String> {
    let Some(messages) = input.as_array() else {
        return said(input);
    };
    let asked = messages.iter().filter(|message| message["role"] == "user");
    let asked: Vec<String> = asked
        .filter_map(|message| content(&message["content"]))
        .collect();
    (!asked.is_empty()).then(|| asked.join("\n\n"))
}

/// The text of a message, whose other parts are left out.
fn content(content: &Value) -> Option<String> {
    let Some(parts) = content.as_array() else {
        return said(content);
    };
    let texts = parts.iter().filter(|part| part["type"] == "text");
    let texts: Vec<String> = texts.filter_map(|part| said(&part["text"])).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

fn first_choice(output: &Value) -> Option<String> {
    content(&output["choices"][0]["message"]["content"])
}

/// What is right: one text, or several that are.
fn target(target: &Value) -> Option<String> {
    match target.as_array().map(Vec::as_slice) {
        Some([]) => None,
        Some([one]) => said(one),
        _ => said(target),
    }
}
