//! What is done to a document depends on the seed, the stage's name and the document, and on nothing else.

use super::texts::TALES;
use super::{Damage, FOREIGN, damaged, damages, jsonl};
use crate::lab::Lab;

const STAGE: &str = "manipulate.damaged";

fn rows(lab: &Lab) -> Vec<Damage> {
    let ran = lab.run(&["--json"]).ok();
    damages(lab, &ran, STAGE)
}

/// The rows of one document.
fn of(id: &str, rows: &[Damage]) -> Vec<Damage> {
    rows.iter().filter(|row| row.id == id).cloned().collect()
}

/// Many documents, so that eight threads have something to do.
fn many() -> Vec<(String, String)> {
    (0..4)
        .flat_map(|n| TALES.map(|(id, text)| (format!("{id}-{n}"), text.to_owned())))
        .collect()
}

#[test]
fn one_job_and_eight_make_the_same_bytes() {
    let outputs = |jobs: &str| {
        let documents = many();
        let borrowed: Vec<(&str, &str)> = documents
            .iter()
            .map(|(id, text)| (id.as_str(), text.as_str()))
            .collect();
        let lab = damaged(&borrowed);
        lab.append("[split.scans]\nfrom = \"docs\"\ntokens = 50\noverlap = 0.2\n\n[measure.counts]\nfrom = \"damaged\"\nmetrics = [\"words\", \"entities\", \"changed-words\"]\n\n[export.all]\nfrom = \"damaged\"\nformat = \"jsonl\"");
        let ran = lab.run(&["--quiet", "--jobs", jobs]).ok();
        let nodes = ran.record["nodes"].as_array().unwrap().clone();
        let outputs: Vec<String> = nodes
            .iter()
            .map(|node| format!("{} {}", node["node"], node["output"]))
            .collect();
        (outputs, ran.tables["all.jsonl"].clone())
    };
    let one = outputs("1");
    assert_eq!(one.0.len(), 2 + 18 + 1 + 18 + 1);
    assert_eq!(one, outputs("8"));
}

#[test]
fn a_document_alone_is_damaged_as_it_is_among_others() {
    let among = rows(&damaged(&TALES));
    for tale in TALES {
        // Donors have a stage of their own, which stays the same.
        assert_eq!(rows(&damaged(&[tale])), of(tale.0, &among));
    }
}

#[test]
fn only_what_is_foreign_depends_on_the_donors() {
    let lab = damaged(&TALES);
    let before = rows(&lab);
    lab.write("others.jsonl", jsonl(&TALES[..2]));
    let mut changed = 0;
    for (row, before) in rows(&lab).iter().zip(&before) {
        let foreign = FOREIGN.contains(&row.manipulation.as_str());
        let from_the_third = before
            .edits
            .as_ref()
            .unwrap()
            .contains("\"source\":\"letter\"");
        if from_the_third {
            assert!(foreign, "{before:?}");
            assert_ne!(row, before);
            changed += 1;
        } else if !foreign {
            assert_eq!(row, before);
        }
    }
    assert!(changed > 0, "nothing came from the third donor");
}

#[test]
fn the_place_of_a_document_in_the_file_does_not_matter() {
    let before = rows(&damaged(&TALES));
    let mut turned = TALES;
    turned.reverse();
    let after = rows(&damaged(&turned));
    for (id, _) in TALES {
        assert_eq!(of(id, &after), of(id, &before));
    }
}

#[test]
fn another_seed_and_another_name_of_the_stage_draw_otherwise() {
    let lab = damaged(&TALES);
    let before = rows(&lab);
    let differ = |after: &[Damage]| {
        let pairs = after.iter().zip(&before);
        pairs.filter(|(after, before)| after != before).count()
    };
    lab.change("seed = 7", "seed = 8");
    let reseeded = rows(&lab);
    for name in super::NAMES {
        let mut pairs = reseeded.iter().zip(&before);
        let other =
            pairs.any(|(after, before)| after.manipulation == name && after.text != before.text);
        // Needles lie at the middle sentence, and what is done there leaves little to draw.
        assert!(
            other || ["negation", "conjunction-swap"].contains(&name),
            "{name}"
        );
    }
    assert!(differ(&reseeded) > 40, "{}", differ(&reseeded));
    lab.change("seed = 8", "seed = 7");
    let spec = lab
        .read(crate::lab::SPEC)
        .replace("manipulate.damaged", "manipulate.renamed");
    lab.write(crate::lab::SPEC, spec);
    let ran = lab.run(&["--json"]).ok();
    assert!(differ(&damages(&lab, &ran, "manipulate.renamed")) > 40);
}

#[test]
fn rows_of_one_document_draw_apart() {
    let lab = damaged(&TALES[..1]);
    lab.change(
        "files = \"docs.jsonl\"",
        "files = \"docs.jsonl\"\nkey = [\"doc_id\", \"part\"]",
    );
    let parts = ["one", "two"].map(|part| {
        serde_json::json!({ "doc_id": "ferry", "text": TALES[0].1, "part": part }).to_string()
    });
    lab.write("docs.jsonl", parts.join("\n"));
    // Filling up needs whole documents, one row each.
    lab.change("[11, 12, 13", "[11, 13");
    let rows = rows(&lab);
    let apart = rows
        .chunks(2)
        .filter(|pair| pair[0].text != pair[1].text)
        .count();
    assert!(apart > 12, "{apart} of 17");
}
