//! With programs that any shell has.

use super::*;
use crate::language::text::Tag;

const GREETING: &str = r#"echo '{"annotator": "shell 1", "protocol": 1}'; "#;

/// Answers each line with one word, the document's first letter.
const ANSWER: &str = r#"n=0; while read -r line; do echo "{\"id\": $n, \"words\": [[0, 1, \"VB\"]]}"; n=$((n+1)); done"#;

const WORDS: Want = Want {
    sentences: false,
    words: true,
    entities: false,
};

fn run(script: &str, texts: &[&str]) -> Result<Annotated, ExternalError> {
    let command = ["sh", "-c", script].map(str::to_owned);
    annotate(&command, "shell 1", texts, WORDS, &|| false)
}

/// The message for a script, without the script.
fn failure(script: &str, texts: &[&str]) -> String {
    let message = run(script, texts).unwrap_err().to_string();
    message.replacen(&format!("the annotator `sh -c {script}` "), "", 1)
}

#[test]
fn each_text_gets_its_reply() {
    let annotated = run(&format!("{GREETING}{ANSWER}"), &["é", "ab\n\ncd", "x"]).unwrap();
    let ends: Vec<usize> = annotated
        .documents
        .iter()
        .map(|d| d.words[0].span.end)
        .collect();
    assert_eq!(ends, [2, 1, 1]);
    assert_eq!(annotated.documents[0].words[0].tag, Tag::Vb);
}

#[test]
fn the_program_reads_the_requests() {
    // It answers with the length of the line it was given.
    let script = r#"read -r line; echo "{\"id\": 0, \"words\": [[0, ${#line}, \"VB\"]]}""#;
    let text = "a".repeat(100);
    let annotated = run(&format!("{GREETING}{script}"), &[&text]);
    let message = annotated.unwrap_err().to_string();
    let line = format!(r#"{{"id":0,"text":"{text}","want":["words"]}}"#);
    let place = format!("`words[0]` (characters 0 to {}) lies outside", line.len());
    assert!(message.contains(&place), "{message}");
}

#[test]
fn no_texts_need_no_program() {
    assert_eq!(run("exit 1", &[]).unwrap(), Annotated::default());
}

#[test]
fn ignored_labels_are_added_up_over_the_documents() {
    let script =
        r#"for n in 0 1; do echo "{\"id\": $n, \"entities\": [[0, 1, \"LOCATION\"]]}"; done"#;
    let command = ["sh", "-c", &format!("{GREETING}{script}")].map(str::to_owned);
    let want = Want {
        words: false,
        entities: true,
        ..WORDS
    };
    let annotated = annotate(&command, "shell 1", &["a", "b"], want, &|| false).unwrap();
    assert_eq!(
        annotated.ignored,
        BTreeMap::from([("LOCATION".to_owned(), 2)])
    );
}

#[test]
fn another_version_stops_the_run_and_the_program() {
    // Without being killed it would go on for ever.
    let script = r#"echo '{"annotator": "shell 2", "protocol": 1}'; exec tail -f /dev/null"#;
    assert_eq!(
        failure(script, &["a"]),
        "gave an invalid answer: it calls itself `shell 2`, and the spec declares `shell 1`: install \
         that version, or declare this one (texts are then annotated anew)"
    );
}

#[test]
fn a_program_that_reads_nothing_does_not_stop_us() {
    let script = format!(r#"{GREETING}echo '{{"id": 0, "words": []}}'"#);
    let text = "long ".repeat(200_000);
    assert!(run(&script, &[&text]).is_ok());
}

#[test]
fn a_program_that_reads_everything_first_or_complains_a_lot_does_not_stop_us() {
    let script = format!(
        r#"cat > /dev/null; head -c 300000 /dev/zero | tr '\0' x >&2; {GREETING}echo '{{"id": 0, "words": []}}'"#
    );
    let text = "long ".repeat(100_000);
    assert!(run(&script, &[&text]).is_ok());
}

#[test]
fn an_early_end_says_how_far_it_got_and_why() {
    let script = format!(
        r#"{GREETING}echo '{{"id": 0, "words": []}}'; printf 'a\nb\n\nTraceback\n  no model\n' >&2; exit 3"#
    );
    assert_eq!(
        failure(&script, &["a", "b"]),
        "ended (exit status: 3) after it had answered 1 of 2 documents; it complained: `b / Traceback / no \
         model`"
    );
    assert_eq!(
        failure("exit 0", &["a"]),
        "ended (exit status: 0) after it had answered 0 of 1 document"
    );
}

#[test]
fn an_end_within_a_line_is_an_early_end() {
    let script = format!(r#"{GREETING}printf '{{"id": 0, "wor'; exit 1"#);
    assert_eq!(
        failure(&script, &["a"]),
        "ended (exit status: 1) after it had answered 0 of 1 document"
    );
}

#[test]
fn a_failure_after_the_last_reply_is_a_failure() {
    let script = format!("{GREETING}{ANSWER}; exit 4");
    assert_eq!(
        failure(&script, &["a"]),
        "ended (exit status: 4) after it had answered 1 of 1 document"
    );
}

#[test]
fn a_killed_program_says_so() {
    let message = failure(&format!("{GREETING}kill -9 $$"), &["a"]);
    assert!(message.starts_with("ended (signal: 9"), "{message}");
}

#[test]
fn a_line_after_the_last_reply_is_a_failure() {
    let script = format!("{GREETING}{ANSWER}; echo done");
    assert_eq!(
        failure(&script, &["a"]),
        "wrote more than 1 reply: write one line for each document, and anything else to standard error"
    );
}

#[test]
fn a_line_without_end_is_not_read_for_ever() {
    assert_eq!(
        failure("exec cat /dev/zero", &["a"]),
        "wrote a line of more than 65536 bytes after 0 replies: write one line for each document"
    );
}

#[test]
fn a_wrong_reply_comes_with_the_complaints_so_far() {
    let script = format!("echo careful >&2; {GREETING}echo nonsense; exec tail -f /dev/null");
    assert_eq!(
        failure(&script, &["a"]),
        "gave an invalid answer: in the reply to the document with `id` 0, the line `nonsense` cannot \
         be read: expected ident at line 1 column 2; it complained: `careful`"
    );
}

#[test]
fn a_program_that_is_not_there_cannot_be_started() {
    let command = ["no-such-annotator".to_owned(), "-x".to_owned()];
    let message = annotate(&command, "x", &["a"], WORDS, &|| false)
        .unwrap_err()
        .to_string();
    let start = "cannot start the annotator `no-such-annotator`: ";
    assert!(message.starts_with(start), "{message}");
    let message = annotate(&[], "x", &["a"], WORDS, &|| false)
        .unwrap_err()
        .to_string();
    assert!(message.starts_with("the command of the annotator is empty"));
}

#[test]
fn a_run_that_is_to_stop_does_not_wait_for_it() {
    let script = format!("{GREETING}exec tail -f /dev/null");
    let command = ["sh", "-c", &script].map(str::to_owned);
    let stopped = annotate(&command, "shell 1", &["a"], WORDS, &|| true);
    assert_eq!(
        stopped.unwrap_err().to_string(),
        "the annotator was stopped"
    );
}
