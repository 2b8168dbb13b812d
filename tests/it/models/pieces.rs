//! Tables too long to be kept in memory are written piece by piece: nobody can tell.

use std::path::PathBuf;

use crate::lab::{Lab, Ran};

/// More than the 4,096 answers that make a piece.
const REPEATS: usize = 1_500;

const SPEC: &str = r#"
title = "Many answers about few texts"

[models.fake]
provider = "scripted"
script = "script.toml"
concurrency = 64

[source.texts]
files = "texts.csv"

[judge.grades]
max-unscored = 1
from = "texts"
model = "fake"
prompt = "grade"
metrics = ["fluency"]
repeats = 1500

[stats.scores]
from = "grades"

[table.scores]
from = "scores"
rows = ["metric"]

[export.grades]
from = "grades"
columns = ["doc_id", "repeat", "metric", "score", "unscored", "detail", "finish", "reply", "call"]
format = "csv"
"#;

/// Three texts: one is scored by the repeat, one is refused, one is never scored.
fn lab() -> Lab {
    let scored = (0..4).map(|n| {
        format!(
            "[[reply]]\ncontains = [\"mill\"]\nrepeat = {n}\ntext = \"FINAL Fluency Score: {}\"\n",
            n + 1
        )
    });
    let script = format!(
        "{}[[reply]]\ncontains = [\"ferry\"]\nrefuse = \"no\"\n[[reply]]\ncontains = [\"garden\"]\ntext = \"Nothing.\"\n[[reply]]\ntext = \"FINAL Fluency Score: 5\"\n",
        scored.collect::<String>()
    );
    Lab::new()
        .spec(SPEC)
        .file(
            "texts.csv",
            "doc_id,text\nferry,The ferry left.\nmill,The mill stood still.\ngarden,Nothing grew in the garden.\n",
        )
        .template("grade", "Grade fluency.\n\n{{ text }}\n")
        .script(&script)
}

/// The largest result that is stored.
fn largest(lab: &Lab) -> PathBuf {
    let size = |path: &PathBuf| fs_err::metadata(path).unwrap().len();
    lab.files("cache/v1/blobs")
        .into_iter()
        .max_by_key(size)
        .unwrap()
}

fn rows(ran: &Ran) -> Vec<&str> {
    ran.tables["grades.csv"].lines().collect()
}

#[test]
fn a_table_that_is_written_in_pieces_is_the_one_that_is_made_whole() {
    let long = lab();
    let ran = long.run(&["--json"]).ok();
    assert_eq!(rows(&ran).len(), 1 + 3 * REPEATS);
    assert_eq!(ran.asked, 3 * REPEATS);
    let counts = &ran.summary()["counts"];
    assert_eq!(counts["scored"], REPEATS);
    assert_eq!(counts["unscored"]["refused"], REPEATS);
    assert_eq!(counts["unscored"]["no-score-found"], REPEATS);
    // The same rows, a text at a time.
    let short = lab();
    short.change(
        "[source.texts]",
        "[axes]\npart = { set = \"select.one.where\", values = [\"doc_id == 'ferry'\", \"doc_id == 'mill'\", \"doc_id == 'garden'\"] }\n\n[select.one]\nfrom = \"texts\"\n\n[source.texts]",
    );
    short.change("from = \"texts\"\nmodel", "from = \"one\"\nmodel");
    // Texts that were all refused have no mean to stand in a table.
    short.change(
        "from = \"grades\"\n\n[table.scores]",
        "from = \"grades\"\nover = [\"doc_id\", \"part\", \"repeat\"]\n\n[table.scores]",
    );
    let split = short.run(&["--json"]).ok();
    assert_eq!(rows(&split), rows(&ran));
    assert_eq!(split.summary()["counts"], *counts);
}

#[test]
fn a_damaged_one_is_made_again_from_stored_replies() {
    let lab = lab();
    // The refusals of the first text are no replies, and would be asked for again.
    lab.edit("script.toml", "refuse = \"no\"", "text = \"No.\"");
    let first = lab.run(&["--json"]).ok();
    let path = largest(&lab);
    let whole = fs_err::read(&path).unwrap();
    for at in [whole.len() / 2, whole.len() - 20] {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        fs_err::write(&path, bytes).unwrap();
        let ran = lab.run(&["--json"]).ok();
        assert_eq!((ran.asked, &ran.tables), (0, &first.tables));
        assert_eq!(ran.warnings().len(), 1, "{:?}", ran.warnings());
        assert_eq!(fs_err::read(&path).unwrap(), whole, "the same bytes again");
        assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0]);
    }
}
