//! What a memo's key depends on.

use super::method;

#[test]
fn every_field_of_a_memo_invalidates_it_and_asks_again_only_where_the_report_differs() {
    for (from, to, asked) in [
        (
            "summaries = \"summary\"",
            "summaries = \"summary\"\norder = \"label\"",
            2,
        ),
        (
            "summaries = \"summary\"",
            "summaries = \"summary\"\noffsets = false",
            2,
        ),
        ("summaries = \"summary\"\n", "", 2),
        (
            "summaries = \"summary\"",
            "summaries = \"summary\"\nkey = \"doc_id\"",
            0,
        ),
        (
            "summaries = \"summary\"",
            "summaries = \"summary\"\nsection = \"start\"",
            2,
        ),
    ] {
        let lab = method();
        lab.run(&["--json"]).ok();
        lab.change(from, to);
        let ran = lab.run(&["--json"]).ok();
        assert!(ran.stages().contains(&"memo.notes".to_owned()), "{to}");
        assert_eq!(ran.asked, asked, "{to}");
    }
}

#[test]
fn without_documents_a_memo_is_another() {
    let lab = method();
    lab.change(
        "variables = [\"report\", \"text\"]",
        "variables = \"report\"",
    );
    lab.edit("templates/whole.j2", "{{ text }}", "");
    lab.run(&["--json"]).ok();
    lab.change("documents = \"docs\"\n", "");
    let ran = lab.run(&["--json"]).ok();
    assert!(ran.stages().contains(&"memo.notes".to_owned()));
    assert_eq!(ran.asked, 0, "the reports are the same");
}

#[test]
fn handing_on_what_was_written_makes_the_texts_anew_and_asks_nobody() {
    let lab = method();
    lab.run(&["--json"]).ok();
    lab.change("into = \"summary\"", "into = \"summary\"\nprevious = true");
    let ran = lab.run(&["--json"]).ok();
    assert!(ran.stages().contains(&"generate.sums".to_owned()));
    assert_eq!(ran.asked, 0);
    lab.change("previous = true", "previous = false");
    assert_eq!(lab.run(&["--json"]).ok().stages(), [""; 0]);
}
