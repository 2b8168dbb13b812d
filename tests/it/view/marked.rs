//! Where in their replies the scores of judges were read whose results do not hold the number that the reply says.

use serde_json::Value;

use super::judgements;
use super::opened::{Opened, at};
use crate::lab::Lab;

/// What of its reply is marked for a row.
fn marked(opened: &Opened, row: usize) -> Option<String> {
    let reply = opened.reply(row)?;
    let span = reply["scores"][0]["spans"].get(0)?;
    Some(at(reply["reply"].as_str()?, span))
}

#[test]
fn of_pairs_of_which_only_some_were_asked_about_every_choice_is_marked() {
    let set = |n| if n < 5 { "many" } else { "few" };
    let docs: Vec<String> = (1..=6)
        .map(|n| format!("{n},{},new {n},old {n}", set(n)))
        .collect();
    let lab = Lab::new()
        .spec(
            r#"
[models.fake]
provider = "scripted"
script = "script.toml"

[source.docs]
files = "docs.csv"

[judge.duel]
from = "docs"
model = "fake"
prompt = "pair"
parse = "choice"
compare = ["new", "old"]
until = { by = ["set"], least = 3, window = 1, within = 1, order = "given" }

[export.rows]
from = "duel"
format = "jsonl"
"#,
        )
        .file(
            "docs.csv",
            format!("doc_id,set,new,old\n{}\n", docs.join("\n")),
        )
        .template(
            "pair",
            "Which is better, A or B?\n\nA: {{ first }}\n\nB: {{ second }}\n",
        )
        .script("[[reply]]\ntext = \"The better answer is A.\"\n");
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    assert!(opened.rows() < 12, "all pairs were asked about");
    let sets: Vec<Value> = (0..opened.rows())
        .map(|row| opened.cell("score", row))
        .collect();
    assert!(
        sets.contains(&0.into()) && sets.contains(&1.into()),
        "{sets:?}"
    );
    for row in 0..opened.rows() {
        let marked = marked(&opened, row).unwrap_or_default();
        assert!(marked.ends_with('A'), "row {row}: {marked:?}");
    }
}

#[test]
fn of_an_expectation_the_mark_that_the_reply_writes_is_marked() {
    let lab = Lab::small()
        .script("[[reply]]\ntext = \"4\"\nlogprobs = [[\"4\", -0.6931471805599453], [\"5\", -0.6931471805599453]]\n");
    lab.change(
        "metrics = [\"fluency\"]",
        "metrics = [\"fluency\"]\nparse = \"likert\"\nscale = { min = 1, max = 5, step = 1 }\nscore = \"expected\"",
    );
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    assert_eq!(opened.cell("score", 0), 4.5);
    assert_eq!(marked(&opened, 0).as_deref(), Some("4"));
}
