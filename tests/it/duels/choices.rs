//! Choices between two texts, by a script whose bias is known.

use std::fmt::Write as _;

use super::{models, pairs, rows};
use crate::lab::Lab;

/// The judge knows strong from weak, and where it does not it takes what it was shown first.
const BIASED: &str = r#"
[[reply]]
contains = ["A: strong", "B: weak"]
text = "The better answer is A."

[[reply]]
contains = ["A: weak", "B: strong"]
text = "B"

[[reply]]
contains = ["A: same", "B: same"]
text = "tie"

[[reply]]
contains = ["A: odd"]
text = "Either would do."

[[reply]]
text = "**A**"
"#;

const PROMPT: &str =
    "Which is your preference, A or B? Or is it a tie?\n\nA: {{ first }}\n\nB: {{ second }}\n";

const COLUMNS: &str = r#"
[models.fake]
provider = "scripted"
script = "script.toml"
temperature = 0.0

[source.docs]
files = "docs.csv"

[judge.duel]
from = "docs"
model = "fake"
prompt = "pair"
parse = "choice"
compare = ["new", "old"]

[derive.placed]
from = "duel"
compute.first = "1 if position == 'first' else 0 if position == 'second' else 0.5"

[group.pairs]
from = "duel"
by = ["doc_id", "contender", "opponent"]
compute.flips = "max(score) != min(score)"

[stats.wins]
from = "duel"

[stats.first]
from = "placed"
value = "first"
over = ["doc_id", "order"]
by = "metric"

[stats.flips]
from = "group.pairs"
value = "flips"
by = "contender"

[export.rows]
from = "duel"
format = "jsonl"

[export.wins]
from = "stats.wins"
format = "jsonl"

[export.first]
from = "stats.first"
format = "jsonl"

[export.flips]
from = "stats.flips"
format = "jsonl"
"#;

/// Four pairs that can be told apart, six that cannot.
fn columns() -> Lab {
    let mut docs = "doc_id,new,old\n".to_owned();
    for number in 0..10 {
        let (new, old) = match number {
            0..3 => ("strong", "weak"),
            3 => ("weak", "strong"),
            _ => ("fair", "fair"),
        };
        writeln!(docs, "{number},{new} {number}.,{old} {number}!").unwrap();
    }
    Lab::new()
        .spec(COLUMNS)
        .file("docs.csv", docs)
        .template("pair", PROMPT)
        .script(BIASED)
}

fn only(lab: &Lab, name: &str) -> (f64, u64) {
    let rows = rows(lab, name);
    assert_eq!(rows.len(), 1, "{rows:?}");
    let n = rows[0]["n"].as_u64().unwrap();
    (rows[0]["mean"].as_f64().unwrap(), n)
}

#[test]
fn both_orders_are_asked_and_the_bias_of_the_judge_comes_out() {
    let lab = columns();
    let ran = lab.run(&[]).ok();
    assert_eq!(ran.asked, 20);
    let is = |name: &str, share: f64, of: u64| {
        let (mean, n) = only(&lab, name);
        assert!(
            (mean - share).abs() < 1e-12 && n == of,
            "{name}: {mean} of {n}"
        );
    };
    // 3 won, 1 lost, 6 won in one order alone.
    is("wins", (3.0 + 6.0 / 2.0) / 10.0, 10);
    // Of 8 answers about pairs that it knows 4, of the 12 others all.
    is("first", 16.0 / 20.0, 20);
    is("flips", 6.0 / 10.0, 10);
    let rows = rows(&lab, "rows");
    let row = |at: usize| {
        let names = [
            "doc_id",
            "order",
            "contender",
            "opponent",
            "choice",
            "position",
            "label",
        ];
        names.map(|name| rows[at][name].as_str().unwrap().to_owned())
    };
    assert_eq!(row(0), ["0", "given", "new", "old", "new", "first", "A"]);
    assert_eq!(row(1), ["0", "swapped", "new", "old", "new", "second", "B"]);
    assert_eq!(row(7), ["3", "swapped", "new", "old", "old", "first", "A"]);
    assert_eq!(
        (&rows[1]["score"], &rows[7]["score"]),
        (&1.0.into(), &0.0.into())
    );
    assert!(rows[0].get("first").is_none() && rows[0].get("new").is_none());
    // A call shows the verdict as the table has it.
    let said = lab
        .cmd(&["call", "3", "--where", "order=swapped", "--json"])
        .ok();
    let said: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(said["read"][0]["score"], 0.0);
}

#[test]
fn a_tie_is_half_a_win_and_may_be_left_out() {
    let lab = models();
    lab.write("templates/pair.j2", PROMPT);
    lab.write("script.toml", BIASED);
    lab.change("parse = \"likert\"", "parse = \"choice\"\nmax-unscored = 1");
    lab.change(
        "metrics = [\"similarity\"]\nscale = { min = 0, max = 100, step = 1 }\n",
        "",
    );
    lab.change(
        "between = \"model\" }",
        "between = \"model\", baseline = \"mid\" }",
    );
    lab.run(&[]).ok();
    let told = [
        "1 big-mid given: big 1.0",
        "1 big-mid swapped: big 1.0",
        "1 old-mid given: old 1.0",
        "1 old-mid swapped: mid 0.0",
        "2 big-mid given: tie 0.5",
        "2 big-mid swapped: tie 0.5",
    ];
    assert_eq!(pairs(&lab)[..6], told);
    lab.change("baseline = \"mid\" }", "baseline = \"mid\" }\nties = false");
    lab.run(&[]).ok();
    let (before, after) = (&told[..4], pairs(&lab));
    assert_eq!(after[..4], *before);
    for row in &after[4..6] {
        assert!(!row.contains("tie 0.5"), "{row}");
    }
}

#[test]
fn a_hedge_is_no_choice() {
    let lab = columns();
    lab.write("docs.csv", "doc_id,new,old\n1,odd,fair\n2,strong,weak\n");
    lab.change(
        "compare = [\"new\", \"old\"]",
        "compare = [\"new\", \"old\"]\nmax-unscored = 1\norders = \"given\"",
    );
    lab.run(&[]).ok();
    let rows = rows(&lab, "rows");
    assert_eq!((rows.len(), &rows[1]["choice"]), (2, &"new".into()));
    assert!(rows[0]["score"].is_null() && rows[0]["choice"].is_null());
    assert!(rows[0]["unscored"].is_string(), "{}", rows[0]);
}
