//! Pairs: two texts in one prompt, in one order or in both.

mod choices;

use serde_json::Value;

use crate::lab::{Lab, json_lines};

/// How alike two texts are, where which of them stands first counts too.
const ALIKE: &str = r#"
[[reply]]
contains = ["A: strong", "B: weak"]
text = "Similarity: 20"

[[reply]]
contains = ["A: weak", "B: strong"]
text = "Similarity: 40"

[[reply]]
text = "Similarity: 70"
"#;

const PROMPT: &str = "Similarity of the two, 0 to 100.\n\nA: {{ first }}\n\nB: {{ second }}\n";

const MODELS: &str = r#"
[models.fake]
provider = "scripted"
script = "script.toml"
temperature = 0.0

[source.answers]
files = "answers.csv"
key = ["doc_id", "model"]

[judge.duel]
from = "answers"
model = "fake"
prompt = "pair"
parse = "likert"
metrics = ["similarity"]
scale = { min = 0, max = 100, step = 1 }
compare = { between = "model" }

[stats.means]
from = "duel"

[export.rows]
from = "duel"
format = "jsonl"

[export.means]
from = "means"
format = "jsonl"
"#;

/// Three models, of which one has no answer to the second document.
fn models() -> Lab {
    Lab::new()
        .spec(MODELS)
        .file(
            "answers.csv",
            "doc_id,model,text\n1,big,strong 1\n1,mid,weak 1\n1,old,weak 1 too\n2,big,same 2\n2,mid,same 2 too\n",
        )
        .template("pair", PROMPT)
        .script(ALIKE)
}

fn rows(lab: &Lab, name: &str) -> Vec<Value> {
    json_lines(&lab.read(&format!("reports/experiment/{name}.jsonl")))
}

/// The judged rows, each as `doc contender-opponent order: what came of it`.
fn pairs(lab: &Lab) -> Vec<String> {
    let shown = |row: &Value| {
        let [doc, one, other, order] =
            ["doc_id", "contender", "opponent", "order"].map(|name| row[name].as_str().unwrap());
        let choice = row["choice"].as_str().map(|choice| format!("{choice} "));
        let said = match row["unscored"].as_str() {
            None => format!("{}{}", choice.unwrap_or_default(), row["score"]),
            Some(code) => format!("{code}: {}", row["detail"].as_str().unwrap_or_default()),
        };
        format!("{doc} {one}-{other} {order}: {said}")
    };
    rows(lab, "rows").iter().map(shown).collect()
}

/// The prompts of the judge, as `plan` counts them.
fn planned(lab: &Lab) -> Value {
    let nodes = lab.cmd(&["plan", "--json"]).ok().out;
    let nodes: Vec<Value> = serde_json::from_str(&nodes).unwrap();
    let duel = nodes.iter().find(|node| node["node"] == "judge.duel");
    duel.unwrap()["questions"].clone()
}

#[test]
fn plan_counts_the_prompts_that_are_asked_and_not_the_rows_that_they_are_about() {
    let lab = models();
    assert_eq!(planned(&lab), 8);
    assert_eq!(lab.run(&[]).ok().asked, 8);
    let columns = Lab::new()
        .spec(&MODELS.replace("{ between = \"model\" }", "[\"one\", \"two\"]"))
        .file(
            "answers.csv",
            "doc_id,model,one,two\n1,a,strong,weak\n2,a,same,same too\n",
        )
        .template("pair", PROMPT)
        .script(ALIKE);
    assert_eq!(planned(&columns), 4);
    assert_eq!(columns.run(&[]).ok().asked, 4);
}

#[test]
fn every_model_is_compared_with_every_other_and_who_is_missing_is_counted() {
    let lab = models();
    let ran = lab.run(&["--json"]).ok();
    let missing = "not-applicable: there is no";
    assert_eq!(
        pairs(&lab),
        [
            "1 big-mid given: 20.0".to_owned(),
            "1 big-mid swapped: 40.0".to_owned(),
            "1 big-old given: 20.0".to_owned(),
            "1 big-old swapped: 40.0".to_owned(),
            "1 mid-old given: 70.0".to_owned(),
            "1 mid-old swapped: 70.0".to_owned(),
            "2 big-mid given: 70.0".to_owned(),
            "2 big-mid swapped: 70.0".to_owned(),
            format!("2 big-old given: {missing} `second`: `old` has no row"),
            format!("2 big-old swapped: {missing} `first`: `old` has no row"),
            format!("2 mid-old given: {missing} `second`: `old` has no row"),
            format!("2 mid-old swapped: {missing} `first`: `old` has no row"),
        ]
    );
    assert_eq!(ran.asked, 8);
    let finished = ran.events("finished");
    let duel = finished.iter().find(|event| event["node"] == "judge.duel");
    let counts = &duel.unwrap()["counts"];
    assert_eq!(counts["unscored"]["not-applicable"], 4);
    assert_eq!(counts["scored"], 8);
    let judged = rows(&lab, "rows");
    for name in ["first", "second", "text", "choice", "position"] {
        assert!(judged[0].get(name).is_none(), "{name}");
    }
    // Both orders of a pair are one observation of a document.
    let means: Vec<(String, f64, u64, u64)> = rows(&lab, "means")
        .iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().unwrap();
            let number = |name: &str| row[name].as_u64().unwrap();
            let pair = format!("{}-{}", text("contender"), text("opponent"));
            let mean = row["mean"].as_f64().unwrap();
            (pair, mean, number("n"), number("unscored"))
        })
        .collect();
    let of = |pair: &str, mean: f64, n: u64, unscored: u64| (pair.to_owned(), mean, n, unscored);
    assert_eq!(
        means,
        [
            of("big-mid", 50.0, 2, 0),
            of("big-old", 30.0, 1, 2),
            of("mid-old", 70.0, 1, 2)
        ]
    );
}

#[test]
fn all_models_are_compared_with_one_baseline_in_an_order_of_ones_own() {
    let lab = models();
    lab.change(
        "between = \"model\" }",
        "between = \"model\", baseline = \"mid\" }\norders = \"swapped\"",
    );
    let ran = lab.run(&[]).ok();
    assert_eq!(ran.asked, 3);
    assert_eq!(
        pairs(&lab),
        [
            "1 big-mid swapped: 40.0",
            "1 old-mid swapped: 70.0",
            "2 big-mid swapped: 70.0",
            "2 old-mid swapped: not-applicable: there is no `second`: `old` has no row",
        ]
    );
    // What was asked in both orders is there for one.
    lab.change("orders = \"swapped\"", "orders = \"both\"");
    assert_eq!(lab.again().ok().asked, 3);
}

#[test]
fn the_same_bytes_come_out_at_any_concurrency_and_nothing_is_asked_twice() {
    let tables = |concurrency: &str| {
        let lab = models();
        let set = format!("models.fake.concurrency={concurrency}");
        let ran = lab.run(&["--set", &set]).ok();
        assert_eq!(ran.asked, 8);
        let again = lab.again().ok();
        assert_eq!((again.asked, &again.tables), (0, &ran.tables));
        lab.remove("cache/v1/nodes");
        let from_replies = lab.again().ok();
        assert_eq!((from_replies.asked, &from_replies.tables), (0, &ran.tables));
        ran.tables
    };
    assert_eq!(tables("1"), tables("64"));
}

#[test]
fn an_axis_is_compared_along_after_its_values_were_put_into_one_table() {
    let lab = Lab::new()
        .spec(
            r#"
[axes]
words = { set = "truncate.cut.tokens", values = [3, "full"] }

[models.fake]
provider = "scripted"
script = "script.toml"

[source.docs]
files = "docs.csv"

[truncate.cut]
from = "docs"
tokens = "full"

[concat.cuts]
from = "cut"
over = "words"

[judge.duel]
from = "cuts"
model = "fake"
prompt = "pair"
parse = "likert"
metrics = ["similarity"]
scale = { min = 0, max = 100, step = 1 }
compare = { between = "words", baseline = "full" }

[export.rows]
from = "duel"
format = "jsonl"
"#,
        )
        .file("docs.csv", "doc_id,text\n1,The ferry left. Nobody came.\n2,The mill stood. Nobody knew.\n")
        .template("pair", PROMPT)
        .script("[[reply]]\ncontains = [\"B: The ferry left. Nobody\"]\ntext = \"Similarity: 10\"\n\n[[reply]]\ntext = \"Similarity: 80\"\n");
    lab.run(&[]).ok();
    assert_eq!(
        pairs(&lab),
        [
            "1 3-full given: 10.0",
            "1 3-full swapped: 80.0",
            "2 3-full given: 80.0",
            "2 3-full swapped: 80.0",
        ]
    );
}

#[test]
fn a_prompt_of_a_pair_can_be_looked_at_before_it_is_sent() {
    let lab = models();
    lab.run(&[]).ok();
    let args = [
        "call",
        "1",
        "--where",
        "order=swapped",
        "--where",
        "opponent=old",
        "--dry-run",
    ];
    let shown = lab.cmd(&args).ok();
    assert!(shown.out.contains("A: weak 1 too"), "{}", shown.out);
    assert!(shown.out.contains("B: strong 1"), "{}", shown.out);
}
