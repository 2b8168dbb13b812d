//! Expectations in whole specs: scores that are means over the marks of the scale, from scripts, recorded replies and
//! servers.

use serde_json::{Value, json};

use crate::lab::{Lab, Ran, json_lines};
use crate::server::{Reply, Server};

const SPEC: &str = r#"
[models.fake]
provider = "scripted"
script   = "script.toml"

[source.docs]
files = "docs.csv"

[judge.grades]
max-unscored = 1
from    = "docs"
model   = "fake"
prompt  = "grade"
metrics = ["fluency"]
parse   = "likert"
scale   = { min = 1, max = 5, step = 1 }
score   = "expected"

[export.grades]
from    = "grades"
format  = "jsonl"
columns = ["doc_id", "metric", "score", "unscored", "detail", "written", "mass"]
"#;

fn lab(docs: &str, script: &str) -> Lab {
    Lab::new()
        .spec(SPEC)
        .file("docs.csv", format!("doc_id,text\n{docs}"))
        .template(
            "grade",
            "Grade the fluency of this text from 1 to 5.\n\n{{ text }}\n",
        )
        .script(script)
}

fn rows(ran: &Ran) -> Vec<Value> {
    json_lines(&ran.tables["grades.jsonl"])
}

#[track_caller]
fn near(found: &Value, wanted: f64) {
    let found = found.as_f64().unwrap_or(f64::NAN);
    assert!((found - wanted).abs() < 1e-9, "{found} and not {wanted}");
}

/// Natural logarithms of 0.6, 0.3 and 0.05.
const LIKELY: &str =
    r#"[["4", -0.5108256237659907], ["5", -1.2039728043259361], ["The", -2.995732273553991]]"#;

#[test]
fn a_scripted_judge_is_scored_by_the_mean_over_its_marks() {
    let script = format!(
        r#"
[[reply]]
contains = ["ferry"]
text     = "4"
logprobs = {LIKELY}

[[reply]]
contains = ["mill"]
text     = "My score: 4."
logprobs = [[["My score:", -0.1]], [[" 4", -0.5108256237659907], [" 3", -1.2039728043259361]], [[".", -0.1]]]

[[reply]]
contains = ["barn"]
text     = "4"

[[reply]]
text     = "No idea."
logprobs = [[["No idea.", -0.1], ["4", -3.0]]]
"#
    );
    let docs = "a,The ferry left.\nb,The mill stood.\nc,The barn burnt.\nd,Nobody came.\n";
    let lab = lab(docs, &script);
    let ran = lab.run(&["--json"]).ok();
    let rows = rows(&ran);
    // (4 * 0.6 + 5 * 0.3) / 0.9 and (4 * 0.6 + 3 * 0.3) / 0.9
    near(&rows[0]["score"], 3.9 / 0.9);
    near(&rows[0]["mass"], 0.9);
    near(&rows[0]["written"], 4.0);
    near(&rows[1]["score"], 3.3 / 0.9);
    assert_eq!(
        rows[2],
        json!({"doc_id": "c", "metric": "fluency", "score": null, "unscored": "no-logprobs",
               "detail": "the reply came without them", "written": 4.0, "mass": null})
    );
    // A reply of one token is the place of the verdict: most of it lies off the scale.
    assert_eq!(
        (&rows[3]["unscored"], &rows[3]["detail"]),
        (&json!("low-mass"), &json!("0.05"))
    );
    assert_eq!(rows[3]["written"], Value::Null);
    near(&rows[3]["mass"], (-3.0_f64).exp());
    // How much is enough is part of what is computed, and no reason to ask again.
    lab.change(
        "score   = \"expected\"",
        "score   = \"expected\"\nmin-mass = 0.01",
    );
    let ran = lab.again().ok();
    assert_eq!(ran.asked, 0);
    near(&self::rows(&ran)[3]["score"], 4.0);
}

#[test]
fn without_an_expectation_keys_columns_and_scores_are_what_they_were() {
    let lab = lab(
        "a,The ferry left.\n",
        &format!("[[reply]]\ntext = \"4\"\nlogprobs = {LIKELY}\n"),
    );
    lab.change("score   = \"expected\"\n", "");
    lab.change(", \"written\", \"mass\"", "");
    let ran = lab.run(&["--json"]).ok();
    near(&rows(&ran)[0]["score"], 4.0);
}

#[test]
fn several_metrics_have_a_place_each() {
    let lab = lab(
        "a,The ferry left.\n",
        r#"
[[reply]]
text = "Fluency: 4\nCoherence: 2"
logprobs = [
    [["Fluency:", -0.1]], [[" 4", -0.6931471805599453], [" 2", -0.6931471805599453]], [["\n", -0.1]],
    [["Coherence:", -0.1]], [[" 2", -0.2876820724517809], [" 1", -1.3862943611198906]],
]
"#,
    );
    lab.change("[\"fluency\"]", "[\"fluency\", \"coherence\"]");
    lab.edit("templates/grade.j2", "fluency", "fluency and the coherence");
    let ran = lab.run(&["--json"]).ok();
    let rows = rows(&ran);
    near(&rows[0]["score"], 3.0);
    near(&rows[1]["score"], 1.75);
}

#[test]
fn recorded_log_probabilities_are_read_from_a_column() {
    let lab = lab("a,One.\nb,Two.\nc,Three.\nd,Four.\n", "");
    lab.change(
        "provider = \"scripted\"\nscript   = \"script.toml\"",
        "provider = \"recorded\"\nfiles = \"replies.jsonl\"\ntext = \"said\"\nlogprobs = \"top\"\nmatch = { doc_id = \"doc_id\" }",
    );
    let line = |id: &str, said: &str, top: Value| {
        format!("{}\n", json!({"doc_id": id, "said": said, "top": top}))
    };
    let (four, five) = (0.6_f64.ln(), 0.3_f64.ln());
    lab.write(
        "replies.jsonl",
        [
            line("a", "4", json!([["4", four], ["5", five]])),
            // As a server writes it, and as text.
            line("b", "Score: 4", json!([
                {"token": "Score:", "logprob": -0.1, "top_logprobs": []},
                {"token": " 4", "logprob": four, "top_logprobs": [{"token": " 4", "logprob": four}, {"token": " 5", "logprob": five}]},
            ])),
            line("c", "4", Value::Null),
            line("d", "4", json!(["4", four])),
        ]
        .concat(),
    );
    let ran = lab.run(&["--json"]).ok();
    let rows = rows(&ran);
    near(&rows[0]["score"], 3.9 / 0.9);
    near(&rows[1]["score"], 3.9 / 0.9);
    let reason = |row: &Value| (row["unscored"].clone(), row["detail"].clone());
    let without = (json!("no-logprobs"), json!("the reply came without them"));
    assert_eq!(reason(&rows[2]), without);
    let unknown = (
        json!("no-logprobs"),
        json!("they are not written in a known form"),
    );
    assert_eq!(reason(&rows[3]), unknown);
}

#[test]
fn a_server_is_asked_for_log_probabilities_and_they_are_what_is_read() {
    let server = Server::answering(|_| {
        let top = json!([
            {"token": " 4", "logprob": 0.6_f64.ln(), "bytes": [32, 52]},
            {"token": "4", "logprob": 0.1_f64.ln(), "bytes": [52]},
            {"token": " 2", "logprob": 0.2_f64.ln(), "bytes": [32, 50]},
            {"token": "\n", "logprob": 0.05_f64.ln(), "bytes": [10]},
        ]);
        let tokens = json!([
            {"token": "Score:", "logprob": -0.1, "bytes": null, "top_logprobs": [{"token": "Score:", "logprob": -0.1}]},
            {"token": " 4", "logprob": 0.6_f64.ln(), "bytes": [32, 52], "top_logprobs": top},
            {"token": "<|im_end|>", "logprob": -0.01, "bytes": null, "top_logprobs": []},
        ]);
        let answer = json!({"id": "x", "model": "small", "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": "Score: 4"}, "logprobs": {"content": tokens}}]});
        Reply::json(&answer.to_string())
    });
    let lab = lab("a,The ferry left.\n", "");
    let url = server.url("/v1");
    lab.change(
        "provider = \"scripted\"\nscript   = \"script.toml\"",
        &format!("provider = \"openai\"\nbase-url = \"{url}\"\nmodel = \"small\"\nlogprobs = 20"),
    );
    let ran = lab.run(&["--json"]).ok();
    let rows = rows(&ran);
    // (4 * 0.7 + 2 * 0.2) / 0.9
    near(&rows[0]["score"], 3.2 / 0.9);
    near(&rows[0]["mass"], 0.9);
    let asked: Vec<Value> = server
        .requests()
        .iter()
        .map(|request| serde_json::from_slice(&request.body).unwrap_or_default())
        .filter(|body: &Value| body["messages"].is_array())
        .collect();
    assert_eq!(asked.len(), 1);
    assert_eq!(
        (&asked[0]["logprobs"], &asked[0]["top_logprobs"]),
        (&json!(true), &json!(20))
    );
    // They are kept with the reply: nothing is asked again.
    lab.change(
        "score   = \"expected\"",
        "score   = \"expected\"\nmin-mass = 0.95",
    );
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(self::rows(&ran)[0]["detail"], "0.9");
    assert_eq!(ran.summary()["calls_made"], 0);
}

#[test]
fn a_call_shows_the_expectation_and_the_probability_on_and_off_the_scale() {
    let script = format!(
        "[[reply]]\ncontains = [\"ferry\"]\ntext = \"4\"\nlogprobs = {LIKELY}\n\n\
         [[reply]]\ntext = \"No idea.\"\nlogprobs = [[[\"No idea.\", -0.1], [\"4\", -3.0]]]\n"
    );
    let lab = lab("a,The ferry left.\nb,Nobody came.\n", &script);
    let said = lab.cmd(&["call", "a"]).ok().out;
    let shown = "fluency: 4.333333333333334, 0 issues\n  \
                 the expectation over the scale; the mark as written is 4; probability on the scale 0.900, off it 0.100";
    assert!(said.contains(shown), "{said}");
    let said = lab.cmd(&["call", "b"]).ok().out;
    let shown = "fluency: unscored: 0.05 of the probability lies on the scale\n  \
                 no expectation over the scale; no mark was read; probability on the scale 0.050, off it 0.950";
    assert!(said.contains(shown), "{said}");
    let said = lab.cmd(&["call", "a", "--json"]).ok().out;
    let said: Value = serde_json::from_str(&said).unwrap();
    let read = &said["read"][0];
    near(&read["score"], 3.9 / 0.9);
    near(&read["written"], 4.0);
    near(&read["mass"], 0.9);
    near(&read["mass_off_scale"], 0.1);
}
