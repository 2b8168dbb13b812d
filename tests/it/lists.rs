//! Lists, objects and truth values: from files through stages, prompts and statistics to files.

use serde_json::json;
use tribunal::frame::{Frame, Scalar};

use crate::lab::{Lab, json_lines};

/// Two rows with lists; the digits, the order of keys and the letters are to stay.
const DRAFTS: &str = concat!(
    r#"{"doc_id":"a","text":"It rained.","final":true,"faults":[{"where":"p. 3","weight":4.0},{"where":"p. 12 \"ü\"","weight":12345678901234567890123}],"made":{"z":1,"a":[null,2.50]}}"#,
    "\n",
    r#"{"doc_id":"b","text":"It snowed.","final":false,"faults":[],"made":null}"#,
    "\n",
    r#"{"doc_id":"c","text":"It froze.","final":true,"faults":[{"where":"p. 1","weight":0}],"made":{"z":[]}}"#,
    "\n",
);

const SPEC: &str = r#"
[models.said]
provider = "scripted"
script = "script.toml"

[source.drafts]
files = "drafts.jsonl"

[judge.grades]
from = "drafts"
model = "said"
prompt = "grade"
variables = ["text", "faults"]
metrics = ["fluency"]

[export.drafts]
from = "drafts"
format = "jsonl"

[export.rows]
from = "grades"
columns = ["doc_id", "score", "final", "faults", "made"]
format = "parquet"

[export.cells]
from = "grades"
columns = ["doc_id", "faults", "made"]
format = "csv"

[stats.share]
from = "grades"
value = "final"

[table.share]
from = "share"
rows = ["metric"]
decimals = 3
"#;

const TEMPLATE: &str = "Grade the fluency of {{ text }}
{% for fault in faults %}
{{ loop.index }}. {{ fault.where }} ({{ fault.weight }})
{% else %}
No faults.
{% endfor %}
";

fn lab() -> Lab {
    Lab::new()
        .spec(SPEC)
        .file("drafts.jsonl", DRAFTS)
        .script("[[reply]]\ntext = \"FINAL Fluency Score: 4\"\n")
        .template("grade", TEMPLATE)
}

#[test]
fn lists_go_through_stages_and_come_out_as_they_went_in() {
    let lab = lab();
    let ran = lab.run(&["--json"]).ok();
    let lines = json_lines(&ran.tables["drafts.jsonl"]);
    let written = json_lines(DRAFTS);
    assert_eq!(lines, written);
    let line = ran.tables["drafts.jsonl"].lines().next().unwrap();
    assert!(
        line.contains(r#""weight":12345678901234567890123}"#),
        "{line}"
    );
    assert!(line.contains(r#""made":{"z":1,"a":[null,2.5]}"#), "{line}");

    let bytes = fs_err::read(lab.path("reports/experiment/rows.parquet")).unwrap();
    let rows = Frame::from_foreign_parquet(bytes, None).unwrap();
    let kinds = ["final", "faults", "made"].map(|name| rows.column(name).unwrap().kind());
    assert_eq!(kinds, ["truth values", "text", "text"]);
    let made = rows.column("made").unwrap();
    assert_eq!(made.text(0).as_deref(), Some(r#"{"z":1,"a":[null,2.5]}"#));
    assert_eq!(made.scalar(1), Scalar::Null);
    let cells = Frame::from_csv(ran.tables["cells.csv"].as_bytes(), &[]).unwrap();
    let faults = cells.column("faults").unwrap();
    assert_eq!(faults.text(1).as_deref(), Some("[]"));

    // What was written is read as what it was.
    lab.write("again.jsonl", &ran.tables["drafts.jsonl"]);
    lab.change("files = \"drafts.jsonl\"", "files = \"again.jsonl\"");
    let again = lab.run(&["--json"]).ok();
    assert_eq!(again.tables["drafts.jsonl"], ran.tables["drafts.jsonl"]);
    assert_eq!(again.summary()["calls_made"], 0);
}

#[test]
fn a_prompt_shows_a_list_element_by_element() {
    let lab = lab();
    for (document, prompt) in [
        (
            "a",
            "Grade the fluency of It rained.\n1. p. 3 (4)\n2. p. 12 \"ü\" (12345678901234567890123)\n",
        ),
        ("b", "Grade the fluency of It snowed.\nNo faults.\n"),
    ] {
        let told = lab.cmd(&["call", document, "--dry-run", "--json"]).ok();
        let told = format!("{}{}", told.out, told.err);
        let inside = json!(prompt.trim_end()).to_string();
        assert!(told.contains(inside.trim_matches('"')), "{told}");
    }
}

#[test]
fn the_mean_of_truth_values_is_a_share() {
    let ran = lab().run(&[]).ok();
    let table = &ran.tables["share.md"];
    assert!(table.contains("0.667"), "{table}");
    assert!(table.contains("Values: share of what is true."), "{table}");
}

#[test]
fn truth_values_decide_by_themselves_and_are_compared_with_each_other() {
    for (condition, kept) in [("final", 2), ("not final", 1), ("final == false", 1)] {
        let lab = lab();
        lab.append(&format!(
            "[select.kept]\nfrom = \"drafts\"\nwhere = \"{condition}\"\n\n[export.kept]\nfrom = \"kept\"\nformat = \"csv\"\n"
        ));
        let ran = lab.run(&[]).ok();
        assert_eq!(
            ran.tables["kept.csv"].lines().count(),
            kept + 1,
            "{condition}"
        );
    }
}

#[test]
fn a_row_whose_list_is_cut_costs_no_call() {
    let lab = lab();
    lab.edit("templates/grade.j2", "in faults %}", "in faults[:1] %}");
    assert_eq!(lab.run(&[]).exit(3).asked, 0);
    lab.edit(
        "templates/grade.j2",
        "in faults[:1] %}",
        "in faults %}{% if loop.index < 2 %}",
    );
    lab.edit(
        "templates/grade.j2",
        "({{ fault.weight }})\n",
        "({{ fault.weight }}){% endif %}\n",
    );
    lab.change(
        "variables = [\"text\", \"faults\"]",
        "variables = [\"text\", \"faults\"]\nshows = { faults = \"part\" }",
    );
    assert!(lab.run(&[]).ok().asked > 0);
}

#[test]
fn structs_of_parquet_are_json() {
    let struct_file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/parquet/struct.parquet"
    );
    let lab = Lab::new()
        .file("books.parquet", fs_err::read(struct_file).unwrap())
        .spec(
            r#"
[source.books]
files = "books.parquet"

[export.books]
from = "books"
format = "jsonl"
"#,
        );
    let ran = lab.run(&[]).ok();
    let books = json_lines(&ran.tables["books.jsonl"]);
    assert!(!books.is_empty());
    assert!(
        books.iter().all(|book| book["author"].is_object()),
        "{books:?}"
    );
}
