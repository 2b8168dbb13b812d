//! The fields of the stages that make documents out of documents, and what they read.

use super::{each, runs};
use crate::corpus::jsonl;
use crate::corpus::texts::TALES;
use crate::lab::{Lab, SPEC};

/// One stage of each kind, side by side, so that each runs alone.
const SIDE_BY_SIDE: &str = r#"
[source.docs]
files = "docs.jsonl"

[clean.tidy]
from = "docs"
steps = ["line-ends", "brackets"]

[select.some]
from = "docs"
tokens = [1, 900]

[split.scans]
from = "docs"
tokens = 50
overlap = 0.2

[split.sections]
from = "docs"
into = "sections"
characters = 300

[truncate.cut]
from = "docs"
tokens = 40

[measure.counts]
from = "docs"
metrics = ["words"]

[export.rows]
from = "docs"
columns = ["doc_id", "text"]
"#;

fn side_by_side() -> Lab {
    let lab = Lab::new()
        .spec(SIDE_BY_SIDE)
        .file("docs.jsonl", jsonl(&TALES));
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.stages().len(), 8, "{:?}", ran.stages());
    lab
}

#[test]
fn the_steps_of_cleaning_and_their_order_invalidate() {
    let steps = "[\"line-ends\", \"brackets\"]";
    let why = "parameters.steps";
    each(
        &side_by_side(),
        &[
            (
                steps,
                "[\"line-ends\", \"underscores\"]",
                why,
                &["clean.tidy"],
            ),
            (steps, "[\"brackets\", \"line-ends\"]", why, &["clean.tidy"]),
        ],
    );
}

#[test]
fn every_field_of_a_split_invalidates() {
    let scans = &["split.scans"][..];
    each(
        &side_by_side(),
        &[
            (
                "tokens = 50",
                "tokens = 60",
                "parameters.tokens: 50 → 60",
                scans,
            ),
            (
                "overlap = 0.2",
                "overlap = 0.3",
                "parameters.overlap: 0.2 → 0.3",
                scans,
            ),
            (
                "overlap = 0.2",
                "overlap = 0.2\ntokenizer = \"llama3\"",
                "parameters.tokenizer: \"whitespace\" → \"llama3\"",
                scans,
            ),
            (
                "overlap = 0.2",
                "into = \"chunks\"",
                "parameters.into: \"scans\" → \"chunks\"",
                scans,
            ),
            (
                "characters = 300",
                "characters = 400",
                "parameters.characters: 300 → 400",
                &["split.sections"],
            ),
        ],
    );
}

#[test]
fn the_tokenizer_of_a_cut_invalidates() {
    let to = "tokens = 40\ntokenizer = \"spaces\"";
    let why = "parameters.tokenizer: \"whitespace\" → \"spaces\"";
    each(
        &side_by_side(),
        &[("tokens = 40", to, why, &["truncate.cut"])],
    );
}

#[test]
fn every_new_condition_of_a_selection_invalidates() {
    let lab = side_by_side();
    let tokens = "tokens = [1, 900]\n";
    let stage = &["select.some"][..];
    for (line, why) in [
        (
            "sentences = [1, 99]",
            "parameters.sentences: nothing → [1,99]",
        ),
        (
            "sentence-characters = [1, 999]",
            "parameters.sentence_characters: nothing → [1,999]",
        ),
        (
            "columns = [\"text\", \"doc_id\"]",
            "parameters.columns: nothing → ",
        ),
        (
            "keywords = { none = [\"zebra\"] }",
            "parameters.keywords: nothing → ",
        ),
    ] {
        each(&lab, &[(tokens, &format!("{tokens}{line}\n"), why, stage)]);
    }
    let with =
        "keywords = { columns = [\"text\"], first = 90, any = [\"in\"], none = [\"zebra\"] }\n";
    lab.change(tokens, &format!("{tokens}{with}"));
    lab.run(&["--json"]).ok();
    each(
        &lab,
        &[
            (
                "first = 90",
                "first = 91",
                "parameters.keywords.first: 90 → 91",
                stage,
            ),
            (
                "any = [\"in\"]",
                "any = [\"a\"]",
                "parameters.keywords.any",
                stage,
            ),
            (
                "none = [\"zebra\"]",
                "none = [\"yak\"]",
                "parameters.keywords.none",
                stage,
            ),
            (
                "columns = [\"text\"], first",
                "columns = [\"text\", \"doc_id\"], first",
                "parameters.keywords.columns",
                stage,
            ),
        ],
    );
}

#[test]
fn what_is_measured_and_which_columns_are_written_invalidate() {
    each(
        &side_by_side(),
        &[
            (
                "metrics = [\"words\"]",
                "metrics = [\"sentences\"]",
                "parameters.metrics",
                &["measure.counts"],
            ),
            (
                "columns = [\"doc_id\", \"text\"]",
                "columns = [\"text\", \"doc_id\"]",
                "parameters.columns",
                &["export.rows"],
            ),
        ],
    );
}

#[test]
fn the_format_of_a_file_of_rows_does_not_invalidate() {
    let lab = side_by_side();
    lab.append("format = \"csv\"");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.nodes(), [""; 0]);
    assert!(ran.tables.contains_key("rows.csv"), "{:?}", ran.tables);
}

#[cfg(feature = "tokenizers")]
#[test]
fn the_content_of_a_tokenizer_invalidates_and_its_place_does_not() {
    let tokenizer = |unknown: &str| {
        format!(
            r#"{{ "version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
            "normalizer": null, "pre_tokenizer": {{ "type": "Whitespace" }}, "post_processor": null,
            "decoder": null, "model": {{ "type": "WordLevel", "vocab": {{ "one": 0, "two": 1 }},
            "unk_token": "{unknown}" }} }}"#
        )
    };
    let lab = side_by_side().file("tokenizer.json", tokenizer("one"));
    let with = "tokenizer = \"tokenizer.json\"";
    lab.change("overlap = 0.2", &format!("overlap = 0.2\n{with}"));
    lab.change("tokens = 40", &format!("tokens = 40\n{with}"));
    lab.append(
        "[manipulate.damaged]\nfrom = \"docs\"\napply = \"typos\"\ntokenizer = \"tokenizer.json\"",
    );
    let stages = ["manipulate.damaged", "split.scans", "truncate.cut"];
    assert_eq!(lab.run(&["--json"]).ok().stages(), stages);
    lab.write("tokenizer.json", tokenizer("two"));
    runs(&lab, "files.tokenizer: ", &stages);
    lab.write("other/tokenizer.json", tokenizer("two"));
    lab.remove("tokenizer.json");
    let spec = lab
        .read(SPEC)
        .replace("\"tokenizer.json\"", "\"other/tokenizer.json\"");
    lab.write(SPEC, spec);
    assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0]);
}
