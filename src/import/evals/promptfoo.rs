//! `results.json` of promptfoo: summaries of version 3, and of version 2, whose rows are the same.

use serde_json::Value;

use super::rows::{Answer, Evals, Judgement, json, name, said, text_of};
use crate::import::{Kind, Problem};

/// The judge that stands for all assertions of a row together.
const WHOLE: &str = "all";

pub(super) fn read(evals: &mut Evals, bytes: &[u8], path: &str, problems: &mut Vec<Problem>) {
    let Some(file) = json(bytes, path, problems) else {
        return;
    };
    // A file that was exported has the summary under `results`; the summary has the rows under the same name.
    let rows = file["results"]["results"].as_array();
    let Some(rows) = rows.or_else(|| file["results"].as_array()) else {
        let detail = "the rows of `results.results` are missing";
        problems.push(Problem::new(Kind::Foreign, path, detail));
        return;
    };
    for (index, row) in rows.iter().enumerate() {
        if row.is_object() {
            one(evals, row, path, problems);
        } else {
            let detail = format!("row {} is no object", index + 1);
            problems.push(Problem::new(Kind::Foreign, path, detail));
        }
    }
}

fn one(evals: &mut Evals, row: &Value, path: &str, problems: &mut Vec<Problem>) {
    // Repeats have a name of their own; a row that was read from another export has the same one.
    if let Some(id) = text_of(&row["id"])
        && !evals.names.insert(format!("row {id}"))
    {
        problems.push(Problem::new(
            Kind::Twice,
            path,
            format!("row `{id}` was read before"),
        ));
        return;
    }
    let provider = &row["provider"];
    let model = said(&provider["label"])
        .or_else(|| said(&provider["id"]))
        .or_else(|| provider.as_str().map(str::to_owned));
    let number = |key: &str| row[key].as_u64();
    let item = match number("testIdx") {
        Some(test) => format!("test-{test}"),
        None => text_of(&row["id"]).unwrap_or_else(|| format!("row-{}", evals.answers.len() + 1)),
    };
    let task = number("promptIdx").map(|prompt| format!("prompt-{prompt}"));
    let text = said(&row["response"]["output"]);
    let failed = said(&row["response"]["error"]).or_else(|| said(&row["error"]));
    let no_text = text.is_none().then(|| match &failed {
        Some(why) => format!("the call failed: {why}"),
        None => "the provider gave no output".to_owned(),
    });
    // Repeats of a test have the number of the test.
    let mut repeat = 1;
    let named = |repeat| name((task.as_deref(), model.as_deref()), &item, 1, repeat);
    while evals.names.contains(&named(repeat)) {
        repeat += 1;
    }
    let answer = Answer {
        doc_id: named(repeat),
        item,
        task,
        model,
        run: 1,
        repeat,
        question: said(&row["prompt"]["raw"]),
        target: None,
        text,
        no_text,
    };
    let Some(answer) = evals.answer(answer, path, problems) else {
        return;
    };
    let whole = &row["gradingResult"];
    let parts = whole["componentResults"].as_array();
    for (index, part) in parts.into_iter().flatten().enumerate() {
        let assertion = &part["assertion"];
        let judge = said(&assertion["metric"]).or_else(|| said(&assertion["type"]));
        let judge = judge.unwrap_or_else(|| format!("assertion-{}", index + 1));
        evals.judge(judgement(answer, judge, part));
    }
    if whole.is_object() {
        let mut together = judgement(answer, WHOLE.to_owned(), whole);
        if parts.into_iter().flatten().any(is_broken) {
            together.score = None;
            together.verdict = None;
            together.no_score = Some("the grader of one of them failed".to_owned());
        }
        evals.judge(together);
    }
}

/// Whether a grader could not be asked or understood: it leaves a 0, which says nothing of the answer.
fn is_broken(graded: &Value) -> bool {
    graded["metadata"]["graderError"] == Value::Bool(true)
}

fn judgement(answer: usize, judge: String, graded: &Value) -> Judgement {
    let broken = is_broken(graded);
    let score = graded["score"].as_f64().filter(|_| !broken);
    let reply = said(&graded["reason"]);
    let no_score = score.is_none().then(|| match (broken, &reply) {
        (true, Some(why)) => format!("the grader failed: {why}"),
        (true, None) => "the grader failed".to_owned(),
        (false, _) => "there is no score".to_owned(),
    });
    let verdict = graded["pass"].as_bool().filter(|_| !broken);
    Judgement {
        answer,
        judge,
        verdict: verdict.map(|pass| if pass { "pass" } else { "fail" }.to_owned()),
        score,
        no_score,
        reply,
    }
}
