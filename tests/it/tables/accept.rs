//! `verify --accept`: our values become the expected ones.

use crate::lab::Lab;

/// Two metrics that are both 4 of `a` and 2 of `b`.
fn lab(expected: &str) -> Lab {
    let lab = Lab::small().script(
        "[[reply]]\ncontains = [\"ferry\"]\ntext = \"FINAL Fluency Score: 4\\nFINAL Coherence Score: 4\"\n\n[[reply]]\ntext = \"FINAL Fluency Score: 2\\nFINAL Coherence Score: 3\"\n",
    );
    lab.change("metrics = [\"fluency\"]", "");
    lab.append("expect = \"expected.csv\"\n");
    lab.write("expected.csv", expected);
    lab
}

/// What is said of the cells of the file, and at the end.
fn told(err: &str) -> String {
    let lines = err
        .lines()
        .filter(|line| line.contains(".csv:") || line.contains("value"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn what_differs_is_shown_and_written_and_all_else_stays_to_the_byte() {
    let lab = lab("printed , metric\r\n\r\n 3.20,fluency\r\n3.5 ,\"coherence\"\r\n");
    lab.cmd(&["verify"]).exit(5);
    let shown = lab.cmd(&["verify", "--accept", "--dry-run"]).exit(5);
    insta::assert_snapshot!("accept_dry_run", told(&shown.err));
    assert!(
        lab.read("expected.csv").contains("3.20"),
        "nothing is written"
    );
    let accepted = lab.cmd(&["verify", "--accept"]).ok();
    insta::assert_snapshot!("accept", told(&accepted.err));
    assert_eq!(
        lab.read("expected.csv"),
        "printed , metric\r\n\r\n 3.00,fluency\r\n3.5 ,\"coherence\"\r\n"
    );
    lab.cmd(&["verify"]).ok();
    // Nothing more to accept.
    let again = lab.cmd(&["verify", "--accept"]).ok();
    assert!(
        again.err.contains("no expected value changes"),
        "{}",
        again.err
    );
    let page = lab.read("reports/experiment/index.html");
    assert!(page.contains("3.00"), "the page shows what is expected now");
}

#[test]
fn an_empty_file_is_filled_with_all_cells() {
    let lab = lab("\n");
    lab.cmd(&["verify"]).exit(3);
    lab.cmd(&["verify", "--accept"]).ok();
    assert_eq!(
        lab.read("expected.csv"),
        "metric,printed\nfluency,3.000\ncoherence,3.500\n"
    );
    lab.cmd(&["verify"]).ok();
}

#[test]
fn a_value_that_a_note_explains_stays() {
    let lab = lab("metric,printed\nfluency,3.2\ncoherence,9\n");
    lab.append("notes = \"notes.toml\"\n");
    let notes = "# ours\n\n[[note]]\ncells = { metric = \"fluency\" }\ntext = \"misprinted\"\n";
    lab.write("notes.toml", notes);
    let accepted = lab.cmd(&["verify", "--accept"]).ok();
    insta::assert_snapshot!("accept_noted", told(&accepted.err));
    assert_eq!(
        lab.read("expected.csv"),
        "metric,printed\nfluency,3.2\ncoherence,4\n"
    );
    assert_eq!(lab.read("notes.toml"), notes);
}

#[test]
fn beside_audited_values_printed_ones_are_published_and_only_audited_ones_are_taken_over() {
    let lab = lab("metric,printed,audited\nfluency,3.2,\ncoherence,3.5,3.4\n");
    let accepted = lab.cmd(&["verify", "--accept"]).exit(5);
    insta::assert_snapshot!("accept_audited", told(&accepted.err));
    assert_eq!(
        lab.read("expected.csv"),
        "metric,printed,audited\nfluency,3.2,\ncoherence,3.5,3.5\n"
    );
}

#[test]
fn cells_that_are_gone_leave_the_file_and_a_file_of_another_table_stays() {
    let lab = lab("metric,printed\nfluency,3.0\ngrammar,2.0\n");
    let accepted = lab.cmd(&["verify", "--accept"]).ok();
    assert!(accepted.err.contains("the line goes"), "{}", accepted.err);
    assert_eq!(lab.read("expected.csv"), "metric,printed\nfluency,3.0\n");
    let other = "metric,printed\ngrammar,3.0\nstyle,2.0\n";
    lab.write("expected.csv", other);
    let kept = lab.cmd(&["verify", "--accept"]).exit(5);
    assert!(
        kept.err.contains("has none of the file's cells"),
        "{}",
        kept.err
    );
    assert_eq!(lab.read("expected.csv"), other);
}

#[test]
fn a_run_that_falls_short_accepts_nothing() {
    let lab = lab("metric,printed\nfluency,3.2\n").script("[[reply]]\ncontains = [\"ferry\"]\ntext = \"FINAL Fluency Score: 4\"\n\n[[reply]]\ntext = \"no\"\n");
    let refused = lab.cmd(&["verify", "--accept"]).exit(4);
    assert!(
        refused.err.contains("no value was accepted"),
        "{}",
        refused.err
    );
    assert_eq!(lab.read("expected.csv"), "metric,printed\nfluency,3.2\n");
}

#[test]
fn two_tables_of_one_file_that_differ_write_nothing() {
    let lab = lab("metric,printed\nfluency,9\n");
    lab.append(
        "\n[table.other]\nfrom = \"scores\"\nvalue = \"max\"\nrows = \"metric\"\nexpect = \"expected.csv\"\n",
    );
    let refused = lab.cmd(&["verify", "--accept"]).exit(3);
    assert!(refused.err.contains("both expect"), "{}", refused.err);
    assert_eq!(lab.read("expected.csv"), "metric,printed\nfluency,9\n");
}

#[test]
fn programs_are_told_file_by_file() {
    let lab = lab("metric,printed\nfluency,9\n");
    let ran = lab.cmd(&["verify", "--accept", "--json"]).ok();
    let event = ran.out.lines().find(|line| line.contains("\"accepted\""));
    let event: serde_json::Value = serde_json::from_str(event.unwrap()).unwrap();
    assert_eq!(
        event,
        serde_json::json!({"event": "accepted", "file": "expected.csv", "changed": 1, "kept": 0, "written": true})
    );
}
