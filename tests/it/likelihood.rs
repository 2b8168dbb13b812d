//! `logprobs = true`: how likely replies were, from scripts and servers, and what is made of it.

use serde_json::{Value, json};

use crate::corpus::{column, result};
use crate::lab::Lab;
use crate::server::{Reply, Server};

const SPEC: &str = r#"
[models.fake]
provider = "scripted"
script   = "script.toml"

[source.docs]
files = "docs.csv"

[judge.grades]
from     = "docs"
model    = "fake"
prompt   = "grade"
metrics  = ["fluency"]
parse    = "likert"
logprobs = true

[generate.summaries]
from     = "docs"
model    = "fake"
prompt   = "summary"
into     = "summary"
logprobs = true
max-unwritten = 1

[select.hard]
from    = "grades"
top     = { by = "perplexity", n = 1 }

[export.hard]
from    = "hard"
format  = "jsonl"
columns = ["doc_id", "perplexity"]

[export.summaries]
from    = "summaries"
format  = "jsonl"
columns = ["doc_id", "summary"]

[stats.likely]
from  = "grades"
value = "perplexity"
by    = "metric"

[table.likely]
from = "likely"
rows = "metric"
"#;

/// Each token of probability 1/2 or 1/4.
const SCRIPT: &str = r#"
[[reply]]
contains = ["Sum up", "ferry"]
text     = "It left."
logprobs = [[["It", -0.6931471805599453]], [[" left", -0.6931471805599453]], [[".", -1.3862943611198906]]]

[[reply]]
contains = ["Sum up"]
text     = "It st"
finish   = "length"
logprobs = [[["It", -0.6931471805599453]], [[" st", -0.6931471805599453]]]

[[reply]]
contains = ["ferry"]
text     = "Score: 4"
logprobs = [[["Score:", -0.6931471805599453]], [[" 4", -0.6931471805599453]]]

[[reply]]
contains = ["mill"]
text     = "4"
logprobs = [["4", -1.3862943611198906]]

[[reply]]
text     = "4"
"#;

fn lab() -> Lab {
    Lab::new()
        .spec(SPEC)
        .file(
            "docs.csv",
            "doc_id,text\na,The ferry left.\nb,The mill stood.\nc,The barn burnt.\n",
        )
        .template("grade", "Grade the fluency.\n\n{{ text }}\n")
        .template("summary", "Sum up.\n\n{{ text }}\n")
        .script(SCRIPT)
}

const ABSENT: &str = "–";

#[track_caller]
fn near(found: &str, wanted: f64) {
    let number: f64 = found.parse().unwrap_or(f64::NAN);
    assert!((number - wanted).abs() < 1e-9, "{found} and not {wanted}");
}

#[test]
fn replies_have_a_log_probability_and_a_perplexity_or_say_why_not() {
    let lab = lab();
    let ran = lab.run(&["--json"]).ok();
    let rows = result(&lab, &ran, "judge.grades");
    let (sums, each) = (column(&rows, "logprob"), column(&rows, "perplexity"));
    let half = 0.5_f64.ln();
    near(&sums[0], 2.0 * half);
    near(&each[0], 2.0);
    near(&sums[1], 2.0 * half);
    near(&each[1], 4.0);
    assert_eq!([&sums[2], &each[2]], [ABSENT, ABSENT]);
    let why = "there are no log-probabilities to use: the reply came without them";
    assert_eq!(column(&rows, "no_logprob"), [ABSENT, ABSENT, why]);
    assert_eq!(column(&rows, "no_perplexity")[2], why);
    assert_eq!(column(&rows, "score"), ["4", "4", "4"]);
    let warned = ran.warnings().join("\n");
    assert!(
        warned
            .contains("no log-probabilities to use in 1 of 3 replies: the reply came without them"),
        "{warned}"
    );
    // What is absent is told beside the mean.
    let table = &ran.tables["likely.md"];
    assert!(table.contains("3.000"), "{table}");
}

#[test]
fn a_text_that_is_none_has_no_perplexity() {
    let lab = lab();
    let ran = lab.run(&["--json"]).ok();
    let rows = result(&lab, &ran, "generate.summaries");
    near(&column(&rows, "summary_logprob")[0], 4.0 * 0.5_f64.ln());
    near(
        &column(&rows, "summary_perplexity")[0],
        2.0_f64.powf(4.0 / 3.0),
    );
    assert_eq!(column(&rows, "summary_perplexity")[1], ABSENT);
    assert_eq!(
        column(&rows, "no_summary_perplexity")[1],
        "no `summary`: the reply was cut off by the length limit"
    );
}

#[test]
fn rows_are_chosen_by_their_perplexity() {
    let ran = lab().run(&["--json"]).ok();
    let line: Value = serde_json::from_str(ran.tables["hard.jsonl"].trim()).unwrap();
    assert_eq!(line["doc_id"], "b");
}

#[test]
fn a_server_is_asked_for_them_and_what_is_not_of_the_reply_does_not_count() {
    let server = Server::answering(|_| {
        let token = |text: &str, logprob: f64| json!({"token": text, "logprob": logprob, "bytes": null, "top_logprobs": []});
        let tokens = json!([
            token("<think>", -9.0),
            token("hm", -9.0),
            token("</think>", -9.0),
            token("\n\n", -9.0),
            token("4", 0.5_f64.ln()),
            token("<|im_end|>", -9.0),
        ]);
        let answer = json!({"id": "x", "model": "small", "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": "<think>hm</think>\n\n4"}, "logprobs": {"content": tokens}}]});
        Reply::json(&answer.to_string())
    });
    let lab = lab();
    let spec = lab.read("experiment.toml");
    let end = spec.find("[generate.summaries]").unwrap();
    lab.write("experiment.toml", &spec[..end]);
    let url = server.url("/v1");
    lab.change(
        "provider = \"scripted\"\nscript   = \"script.toml\"",
        &format!("provider = \"openai\"\nbase-url = \"{url}\"\nmodel = \"small\"\nlogprobs = 0"),
    );
    lab.write("docs.csv", "doc_id,text\na,The ferry left.\n");
    let ran = lab.run(&["--json"]).ok();
    let rows = result(&lab, &ran, "judge.grades");
    near(&column(&rows, "perplexity")[0], 2.0);
    let sent: Vec<Value> = server
        .requests()
        .iter()
        .filter_map(|request| serde_json::from_slice(&request.body).ok())
        .filter(|body: &Value| body["messages"].is_array())
        .collect();
    assert_eq!(sent.len(), 1);
    assert_eq!(
        (&sent[0]["logprobs"], &sent[0]["top_logprobs"]),
        (&json!(true), &json!(0))
    );
}

#[test]
fn a_call_shows_how_likely_its_reply_was() {
    let lab = lab();
    let said = lab.cmd(&["call", "a", "--stage", "judge.grades"]).ok();
    assert!(
        said.out
            .contains("log-probability -1.386, perplexity 2.000, over 2 tokens"),
        "{}",
        said.out
    );
    let said = lab
        .cmd(&["call", "c", "--stage", "judge.grades", "--json"])
        .ok();
    let said: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(
        said["likelihood"],
        json!({"missing": "no-logprobs", "detail": "the reply came without them"})
    );
}
