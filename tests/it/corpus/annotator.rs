//! A program that finds sentences, words and entities instead of the built-in annotator. Here it is a
//! shell that says one prepared line per document and counts how often it is started.
#![cfg(unix)]

use super::{column, jsonl, result};
use crate::lab::Lab;

const SPEC: &str = r#"
seed = 7

[annotators.own]
command = ["sh", "annotate.sh"]
version = "own 1.0"

[source.docs]
files = "docs.jsonl"

[manipulate.damaged]
from = "docs"
apply = "entity-to-term"
annotator = "own"
entity-to-term = { count = 1, article = "the", terms = ["thing"] }

[measure.counts]
from = "docs"
metrics = ["sentences", "words", "entities", "entities:GPE", "characters"]
annotator = "own"
"#;

const DOCUMENTS: [(&str, &str); 2] = [("a", "zork sang in qix. é"), ("b", "qix.")];

/// What the program finds: made-up words, which no other annotator takes for names.
const ANSWERS: &str = r#"{"id": 0, "sentences": [[0, 17]], "words": [[0, 4, "NNP"], [5, 9, "VBD"]], "entities": [[0, 4, "PERSON"], [13, 16, "GPE"]]}
{"id": 1, "sentences": [[0, 4]], "words": [[0, 3, "NNP"]], "entities": [[0, 3, "GPE"]]}
"#;

/// A program that logs its start, says what it is, answers, and ends.
fn program(greeting: &str, end: &str) -> String {
    format!(
        "echo started >> started.log\necho '{{\"annotator\": \"{greeting}\", \"protocol\": 1}}'\ncat answers.jsonl\n{end}\n"
    )
}

fn lab() -> Lab {
    Lab::new()
        .spec(SPEC)
        .file("docs.jsonl", jsonl(&DOCUMENTS))
        .file("answers.jsonl", ANSWERS)
        .file("annotate.sh", program("own 1.0", "cat > /dev/null"))
        .file("started.log", "")
}

fn started(lab: &Lab) -> usize {
    lab.read("started.log").lines().count()
}

#[test]
fn what_the_program_finds_is_counted_and_damaged() {
    let lab = lab();
    let ran = lab.run(&["--json"]).ok();
    let counts = result(&lab, &ran, "measure.counts");
    assert_eq!(
        column(&counts, "value"),
        ["1", "2", "2", "1", "19", "1", "1", "1", "1", "4"]
    );
    let damaged = result(&lab, &ran, "manipulate.damaged");
    assert_eq!(
        column(&damaged, "text"),
        ["zork sang in the thing. é", "The thing."]
    );
}

#[test]
fn the_program_is_started_once_for_each_result_and_not_again() {
    let lab = lab();
    lab.run(&["--json"]).ok();
    assert_eq!(started(&lab), 2);
    lab.run(&["--json"]).ok();
    assert_eq!(started(&lab), 2);
    // Another setting of a stage that reads annotations, and nothing else.
    lab.change("terms = [\"thing\"]", "terms = [\"stuff\"]");
    assert_eq!(lab.run(&["--json"]).ok().nodes(), ["manipulate.damaged"]);
    assert_eq!(started(&lab), 3);
}

#[test]
fn nobody_is_started_where_nothing_must_be_found() {
    let lab = lab();
    lab.change(
        "apply = \"entity-to-term\"",
        "apply = \"swap-content\"\nswap-content = { count = 1 }",
    );
    lab.change(
        "\"sentences\", \"words\", \"entities\", \"entities:GPE\", ",
        "",
    );
    lab.run(&["--json"]).ok();
    assert_eq!(started(&lab), 0);
}

#[test]
fn the_version_invalidates_and_the_command_does_not() {
    let lab = lab();
    lab.run(&["--json"]).ok();
    lab.write("other.sh", lab.read("annotate.sh"));
    lab.change("annotate.sh", "other.sh");
    assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0]);
    lab.write("other.sh", program("own 1.1", "cat > /dev/null"));
    assert_eq!(
        lab.run(&["--json"]).ok().nodes(),
        [""; 0],
        "nobody asked it"
    );
    lab.change("version = \"own 1.0\"", "version = \"own 1.1\"");
    let said = lab.cmd(&["why", "measure.counts"]).ok().out;
    let why = "parameters.annotator.program.version: \"own 1.0\" → \"own 1.1\"";
    assert!(said.contains(why), "{said}");
    lab.run(&["--json"]).ok();
    assert!(started(&lab) > 2);
}

#[test]
fn a_program_of_another_version_is_refused() {
    let lab = lab();
    lab.write("annotate.sh", program("own 2.0", "cat > /dev/null"));
    let ran = lab.run(&["--only", "counts"]).exit(4);
    for word in ["own 2.0", "own 1.0", "failed measure.counts"] {
        assert!(ran.err.contains(word), "{word}: {}", ran.err);
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let lab = lab();
    lab.change("\"sh\", \"annotate.sh\"", "\"./no-such-annotator\"");
    let ran = lab.run(&["--only", "counts"]).exit(4);
    assert!(ran.err.contains("`./no-such-annotator`"), "{}", ran.err);
}

#[test]
fn a_program_that_dies_is_quoted_and_nothing_is_kept() {
    let lab = lab();
    lab.write(
        "answers.jsonl",
        ANSWERS.lines().next().unwrap().to_owned() + "\n",
    );
    lab.write(
        "annotate.sh",
        program("own 1.0", "echo 'out of memory' >&2; exit 3"),
    );
    let ran = lab.run(&["--only", "counts"]).exit(4);
    assert!(ran.err.contains("out of memory"), "{}", ran.err);
    assert!(
        ran.err.contains("1 of 2") || ran.err.contains("1 document"),
        "{}",
        ran.err
    );
    lab.write("answers.jsonl", ANSWERS);
    lab.write("annotate.sh", program("own 1.0", "cat > /dev/null"));
    lab.run(&["--json"]).ok();
}

#[test]
fn kinds_of_entities_that_are_not_known_here_are_told() {
    let lab = lab();
    lab.edit(
        "answers.jsonl",
        "[13, 16, \"GPE\"]",
        "[13, 16, \"LOCATION\"]",
    );
    let ran = lab.run(&["--json", "--only", "counts"]).ok();
    let warnings = ran.warnings();
    let told = "entities that the annotator labels `LOCATION` are left out (1 of them)";
    assert!(warnings[0].contains(told), "{warnings:?}");
}

#[test]
fn tags_of_another_tagset_are_told() {
    let lab = lab();
    lab.edit("answers.jsonl", "\"VBD\"", "\"VVD\"");
    let ran = lab.run(&["--json", "--only", "counts"]).ok();
    let warnings = ran.warnings();
    let told = "1 of 3 words have tags that the Penn Treebank does not have, such as `VVD`";
    assert!(warnings[0].contains(told), "{warnings:?}");
}

#[test]
fn a_wrong_reply_names_the_document() {
    let lab = lab();
    lab.edit("answers.jsonl", "[0, 4, \"NNP\"]", "[0, 99, \"NNP\"]");
    let ran = lab.run(&["--only", "counts"]).exit(4);
    assert!(
        ran.err.contains("`id` 0 is the document `a`"),
        "{}",
        ran.err
    );
}
