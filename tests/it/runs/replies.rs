//! Replies that are no answers: cut off, refused, unreadable.

use serde_json::Value;

use crate::corpus::{column, result};
use crate::lab::{ANY_SCORE, Lab};

/// Replies with what stands in `rule` about the document with the ferry, and well about the other.
fn ferry(rule: &str) -> Lab {
    let lab = Lab::small().script(&format!(
        "[[reply]]\ncontains = [\"ferry\"]\n{rule}\n{ANY_SCORE}"
    ));
    lab.change("[judge.grades]", "[judge.grades]\nmax-unscored = 1");
    lab
}

#[test]
fn a_reply_that_was_cut_off_is_asked_for_again_as_often_as_the_spec_says() {
    let lab = ferry("text = \"1) Fluency Issues: many, of which the first\"\nfinish = \"length\"");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.asked, 1 + 4, "once, and three more times");
    assert_eq!(ran.record["counts"]["unscored"]["cut-by-length"], 1);
    assert!(
        ran.tables["scores.md"].contains("1 row unscored (cut by length 1)"),
        "{}",
        ran.tables["scores.md"]
    );
    assert_eq!(lab.again().ok().asked, 0);
    // No attempt is paid for twice, whatever is lost or changed.
    lab.remove("cache/v1/nodes");
    assert_eq!(lab.again().ok().asked, 0);
    for (retries, asked) in [(0, 0), (2, 0), (5, 2), (3, 0)] {
        let ran = lab
            .run(&[
                "--json",
                "--set",
                &format!("judge.grades.retry-cut={retries}"),
            ])
            .ok();
        assert_eq!(ran.asked, asked, "{retries} retries");
    }
}

#[test]
fn a_plan_counts_what_is_stored_whether_a_script_cuts_replies_off_or_not() {
    for (rule, calls, stored) in [
        (
            "text = \"1) Fluency Issues: many\"\nfinish = \"length\"",
            1,
            1,
        ),
        ("text = \"FINAL Fluency Score: 4\"", 0, 2),
    ] {
        let lab = ferry(rule);
        lab.run(&["--quiet"]).ok();
        // Of a reply that was cut off the next attempt is missing, and of one that was not there is none.
        let plan = lab.cmd(&["plan", "--json", "--set", "judge.grades.retry-cut=5"]);
        let nodes: Value = serde_json::from_str(&plan.ok().out).unwrap();
        let mut nodes = nodes.as_array().unwrap().iter();
        let judge = nodes.find(|node| node["node"] == "judge.grades").unwrap();
        let told = [&judge["calls"]["calls"], &judge["calls"]["stored"]];
        assert_eq!(told, [calls, stored], "{judge}");
    }
}

#[test]
fn a_cut_reply_that_holds_the_score_counts() {
    let lab = ferry("text = \"FINAL Fluency Score: 4\\nand then\"\nfinish = \"length\"");
    let ran = lab
        .run(&["--json", "--set", "judge.grades.retry-cut=0"])
        .ok();
    assert_eq!((ran.asked, &ran.record["counts"]["scored"]), (2, &2.into()));
}

#[test]
fn a_refusal_is_unscored_with_its_reason_and_not_asked_again() {
    let lab = ferry("refuse = \"against the rules\"");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.record["counts"]["unscored"]["refused"], 1);
    assert_eq!(ran.record["counts"]["scored"], 1);
    assert!(
        ran.tables["scores.md"].contains("1 row unscored (refused 1)"),
        "{}",
        ran.tables["scores.md"]
    );
    let again = lab.again().ok();
    assert_eq!((again.asked, again.nodes()), (0, vec![]));
}

#[test]
fn an_unreadable_reply_is_unscored_with_its_reason_and_not_asked_again() {
    for (text, reason) in [
        (
            "I would rather talk about something else.",
            "no-score-found",
        ),
        ("", "no-reply"),
        ("FINAL Fluency Score: 11", "off-scale"),
        ("FINAL Fluency Score: 3 or 4", "ambiguous"),
        ("<think>Let me see.", "think-not-closed"),
    ] {
        let lab = ferry(&format!("text = \"{text}\""));
        let ran = lab.run(&["--json"]).ok();
        assert_eq!(
            ran.record["counts"]["unscored"][reason], 1,
            "{text}: {}",
            ran.record["counts"]
        );
        let table = &ran.tables["scores.md"];
        assert!(
            table.contains(&reason.replace('-', " ")),
            "{text}:\n{table}"
        );
        let again = lab.again().ok();
        assert_eq!((again.asked, again.nodes()), (0, vec![]), "{text}");
        // The reply is stored, so reading it on another scale asks nothing either.
        assert_eq!(
            lab.run(&["--json", "--set", "judge.grades.scale.max=12"])
                .ok()
                .asked,
            0
        );
    }
}

#[test]
fn scores_of_replies_that_name_another_one_too_are_counted() {
    let lab =
        ferry("text = \"FINAL Fluency Score: 4\\n\\nRevised scores:\\nFINAL Fluency Score: 2\"");
    let ran = lab.run(&[]).ok();
    assert_eq!(ran.record["counts"]["contradicted"], 1);
    let said = "1 score is from replies that give several for one metric";
    assert!(ran.err.contains(said), "{}", ran.err);
    let again = lab.again().ok();
    assert!(
        again.err.contains(said),
        "known results say so too: {}",
        again.err
    );
    let call = lab.cmd(&["call", "a"]).ok();
    assert!(
        call.out
            .contains("fluency: 2, 0 issues; the reply names another score too"),
        "{}",
        call.out
    );
}

#[test]
fn a_document_without_any_score_is_a_row_and_no_number() {
    let lab = Lab::small().script("[[reply]]\ntext = \"nothing\"");
    let ran = lab.run(&["--json"]).exit(4);
    assert_eq!(ran.record["counts"]["scored"], 0);
    let table = &ran.tables["scores.md"];
    assert!(
        !table.contains("NaN") && !table.contains("0.000"),
        "{table}"
    );
    assert!(
        ran.tables["scores.csv"]
            .contains("fluency,,0,2,0,0,,no score among 2 rows (2 no score found)"),
        "{}",
        ran.tables["scores.csv"]
    );
}

#[test]
fn a_reply_that_several_judges_are_given_is_read_by_each_in_its_own_way() {
    let lab = Lab::small().script(
        "[[reply]]\ntext = \"FINAL Fluency Score: 4\\n\\n## Final scores\\nFINAL Fluency Score: 2\"",
    );
    lab.change("[judge.grades]", "[judge.grades]\nmax-unscored = 1");
    let judges = [
        ("grades", "", "2 –"),
        ("first", "finals = \"first\"", "4 –"),
        ("low", "scale = { min = 3, max = 5 }", "– off-scale"),
        ("likert", "parse = \"likert\"", "– ambiguous"),
        ("coherent", "metrics = [\"coherence\"]", "– no-score-found"),
    ];
    for (name, own, _) in &judges[1..] {
        lab.append(&format!("\n[judge.{name}]\nlike = \"grades\"\n{own}\n"));
    }
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.asked, 2, "two documents, one question each");
    for (name, _, says) in judges {
        let rows = result(&lab, &ran, &format!("judge.{name}"));
        let (score, unscored) = (column(&rows, "score"), column(&rows, "unscored"));
        let read = score.iter().zip(&unscored);
        let read: Vec<_> = read.map(|(score, why)| format!("{score} {why}")).collect();
        assert_eq!(read, [says, says], "{name}");
    }
}
