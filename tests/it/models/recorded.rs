//! Replies made elsewhere: what is looked up is the same whether the table stays in memory or is too long for that.

use crate::lab::{Lab, json_lines};

const SPEC: &str = r#"
[models.reply]
provider = "recorded"
files    = "recorded.jsonl"
text     = "reply"
match    = { doc = "doc_id" }
where    = { kind = "asked" }

[models.remark]
provider = "recorded"
files    = "recorded.jsonl"
text     = "remark"
match    = { doc = "doc_id" }
where    = { kind = "asked" }

[axes]
judge = { set = "judge.grades.model", values = ["reply", "remark"] }

[source.docs]
files = "docs.csv"

[judge.grades]
from    = "docs"
model   = "reply"
prompt  = "grade"
metrics = ["fluency"]

[export.rows]
from   = "judge.grades"
format = "jsonl"
"#;

/// What is recorded in a column of a kind of rows about a document; more or less of it.
fn text(column: &str, kind: &str, doc: usize, times: usize) -> String {
    let long = format!("{column} {kind} {doc} é ").repeat(times);
    format!("{long}\nFINAL Fluency Score: {}", doc % 5 + 1)
}

fn lab(times: usize) -> Lab {
    let said = |doc| text("reply", "asked", doc, times);
    let docs = (0..40).map(|doc| format!("d{doc},Text {doc}.,\"{}\"\n", said(doc)));
    let docs: String = std::iter::once("doc_id,text,said\n".to_owned())
        .chain(docs)
        .collect();
    // What nobody asks for stands between.
    let recorded = (0..40).flat_map(|doc| ["other", "asked"].map(|kind| (doc, kind)));
    let recorded = recorded.map(|(doc, kind)| {
        let text = |column| text(column, kind, doc, times);
        let row = serde_json::json!({
            "doc": format!("d{doc}"), "kind": kind, "reply": text("reply"), "remark": text("remark"),
        });
        format!("{row}\n")
    });
    Lab::new()
        .spec(SPEC)
        .file("docs.csv", docs)
        .file("recorded.jsonl", recorded.collect::<String>())
        .template("grade", "Grade fluency.\n\n{{ text }}\n")
}

/// Whether each judge has the replies that are its own, and one more judge, if there is one, those in a column.
fn check(lab: &Lab, times: usize, more: Option<&str>) {
    let ran = lab.run(&[]).ok();
    let rows = json_lines(&ran.tables["rows.jsonl"]);
    assert_eq!(rows.len(), 80);
    let more = more.map(|column| (column, json_lines(&ran.tables["more.jsonl"])));
    assert!(more.iter().all(|(_, rows)| rows.len() == 40));
    let own = rows.iter().map(|row| (row["judge"].as_str().unwrap(), row));
    let more = more
        .iter()
        .flat_map(|(column, rows)| rows.iter().map(|row| (*column, row)));
    for (column, row) in own.chain(more) {
        let doc: usize = row["doc_id"].as_str().unwrap()[1..].parse().unwrap();
        assert_eq!(row["reply"], text(column, "asked", doc, times));
        assert_eq!(row["score"], (doc % 5 + 1) as f64);
    }
    let mut left = lab.files("cache");
    left.retain(|path| path.parent() == Some(&lab.path("cache")));
    let names = left.iter().filter_map(|path| path.file_name()?.to_str());
    assert_eq!(names.collect::<Vec<_>>(), ["CACHEDIR.TAG", "README"]);
}

/// One more judge, with the replies that a model finds whose table says so.
fn more(text: &str, how: &str) -> String {
    format!(
        r#"
[models.more]
provider = "recorded"
files    = "recorded.jsonl"
text     = "{text}"
where    = {{ kind = "asked" }}
{how}

[judge.more]
from    = "docs"
model   = "more"
prompt  = "grade"
metrics = ["fluency"]

[export.more]
from   = "judge.more"
format = "jsonl"
"#
    )
}

#[test]
fn each_model_finds_its_own_replies_among_few_and_among_many() {
    for times in [1, 10_000] {
        check(&lab(times), times, None);
    }
}

#[test]
fn a_reply_that_another_model_is_matched_on_is_found_by_both() {
    let lab = lab(10_000);
    lab.append(&more("remark", r#"match = { reply = "said" }"#));
    check(&lab, 10_000, Some("remark"));
}

#[test]
fn what_is_a_reply_to_one_model_and_more_to_another_is_found_by_both() {
    let lab = lab(10_000);
    // To this one it also says why the reply ended, in words that it does not know.
    let how = "finish = \"reply\"\nmatch = { doc = \"doc_id\" }";
    lab.append(&more("reply", how));
    check(&lab, 10_000, Some("reply"));
}
