//! The documents that judges read: as they were read, and as they were before.

use serde_json::{Value, json};

use super::judgements;
use super::opened::at;
use crate::corpus::{DAMAGED, cell, jsonl, result, texts::TALES};
use crate::lab::{ANY_SCORE, Lab};

/// Manipulated documents and a judge of them.
fn lab(spec: &str) -> Lab {
    let judged = "\n[models.fake]\nprovider = \"scripted\"\nscript = \"script.toml\"\n\
        [judge.grades]\nfrom = \"damaged\"\nmodel = \"fake\"\nprompt = \"grade\"\nmetrics = [\"fluency\"]\n\
        [stats.scores]\nfrom = \"grades\"\n[table.scores]\nfrom = \"scores\"\nrows = [\"metric\"]\ncolumns = [\"task\"]\n";
    let spec = spec.replace("\n[source.docs]", &format!("{judged}\n[source.docs]"));
    Lab::new()
        .spec(&spec)
        .file("docs.jsonl", jsonl(&TALES))
        .file("others.jsonl", jsonl(&TALES))
        .template("grade", "Grade fluency.\n\n{{ text }}\n")
        .script(ANY_SCORE)
}

#[test]
fn every_edit_of_every_manipulation_stands_where_the_document_was_changed() {
    let lab = lab(DAMAGED);
    let ran = lab.run(&["--json"]).ok();
    let opened = judgements(&lab);
    let (mut edits, mut refused) = (0, 0);
    for row in 0..opened.rows() {
        let document = opened.document(row);
        let task = opened.cell("task", row);
        let frame = result(
            &lab,
            &ran,
            &format!("manipulate.damaged[task={}]", task.as_str().unwrap()),
        );
        let rows: Vec<usize> = (0..frame.rows())
            .filter(|&at| cell(&frame, "doc_id", at).as_deref() == document["id"].as_str())
            .collect();
        let judged = cell(&frame, "text", rows[0]);
        assert_eq!(opened.text(document), judged, "{}", document["label"]);
        let Some(text) = judged else {
            assert_eq!(
                document["why"],
                json!(cell(&frame, "not_applicable", rows[0]))
            );
            assert!(opened.reply(row).is_none(), "no model was called");
            assert_eq!(opened.cell("unscored", row), "not-applicable");
            refused += 1;
            continue;
        };
        let original = &opened.documents[document["before"].as_u64().unwrap() as usize];
        let original = opened.text(original).unwrap();
        for edit in document["edits"].as_array().unwrap() {
            assert_eq!(
                at(&text, &json!([edit["start"], edit["end"]])),
                edit["text"].as_str().unwrap()
            );
            assert!(original.contains(edit["original"].as_str().unwrap()));
            edits += 1;
        }
        if !["negation", "conjunction-swap", "entity-replacement"].contains(&task.as_str().unwrap())
        {
            let (_, whole) = TALES.iter().find(|(id, _)| document["id"] == *id).unwrap();
            assert_eq!(original.trim(), whole.trim());
        }
    }
    assert!(edits > 50, "{edits}");
    assert!(refused < opened.rows() / 2, "{refused}");
}

#[test]
fn a_text_that_was_changed_after_its_manipulation_has_no_marks_and_says_so() {
    let spec = DAMAGED.replace(
        "values = [11, 12, 13, 14, 17, 21, 22, 24, 31, 32, 41, 42, 43, 44, 45, \"negation\", \"conjunction-swap\", \"entity-replacement\"]",
        "values = [\"none\", \"typos\"]",
    );
    let lab = lab(&format!(
        "{spec}\n[truncate.cut]\nfrom = \"damaged\"\ntokens = 40\n"
    ));
    lab.change(
        "[judge.grades]\nfrom = \"damaged\"",
        "[judge.grades]\nfrom = \"cut\"",
    );
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    let damaged = opened.document(opened.row(&[("task", "typos")]));
    assert_eq!(
        damaged["edits_note"],
        "the text was changed after `typos`, so its edits are not marked"
    );
    assert_eq!(
        (&damaged["edits"], &damaged["before"]),
        (&json!([]), &Value::Null)
    );
    let plain = opened.document(opened.row(&[("task", "none")]));
    assert_eq!(plain["edits_note"], Value::Null);
}

#[test]
fn of_several_manipulations_each_is_marked_in_the_document_that_it_was_made_in() {
    let spec = DAMAGED.replace(
        "values = [11, 12, 13, 14, 17, 21, 22, 24, 31, 32, 41, 42, 43, 44, 45, \"negation\", \"conjunction-swap\", \"entity-replacement\"]",
        "values = [\"typos\"]",
    );
    let lab = lab(&format!(
        "{spec}\n[manipulate.twice]\nfrom = \"damaged\"\napply = \"remove-content\"\nremove-content = {{ count = 1 }}\n"
    ));
    lab.change(
        "[judge.grades]\nfrom = \"damaged\"",
        "[judge.grades]\nfrom = \"twice\"",
    );
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    let of =
        |document: &Value| opened.documents[document["before"].as_u64().unwrap() as usize].clone();
    let row = (0..opened.rows())
        .find(|&row| !opened.document(row)["edits"].as_array().unwrap().is_empty());
    let twice = opened.document(row.unwrap());
    assert_eq!(twice["edits"][0]["kind"], "remove-content");
    assert_eq!(
        twice["edits_note"],
        "1 manipulation before it: marked in the document as it was before"
    );
    let once = of(twice);
    assert_eq!(once["edits"][0]["kind"], "typos");
    let never = of(&once);
    assert_eq!(
        (&never["edits"], &never["before"]),
        (&json!([]), &Value::Null)
    );
    let (_, whole) = TALES.iter().find(|(id, _)| never["id"] == *id).unwrap();
    assert_eq!(opened.text(&never).unwrap().trim(), whole.trim());
}
