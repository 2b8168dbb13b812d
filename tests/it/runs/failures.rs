//! When something fails: what still runs, what is kept, how the command ends.

use super::{wide, wide_known};
use crate::lab::{ANY_SCORE, Lab, Ran};

/// Two branches; that of `broken` fails at its judge.
fn forked() -> Lab {
    let lab = wide();
    lab.write(
        "broken.toml",
        "[[reply]]\ncontains = [\"not in any prompt\"]\n",
    );
    lab.append(
        "[models.broken]\nprovider = \"scripted\"\nscript = \"broken.toml\"\n\n\
         [judge.broken]\nfrom = \"some\"\nmodel = \"broken\"\nprompt = \"grade\"\n\n\
         [stats.unreached]\nfrom = \"broken\"\n\n\
         [table.unreached]\nfrom = \"unreached\"\nrows = [\"metric\"]",
    );
    lab
}

fn of(ran: &Ran, sort: &str) -> Vec<String> {
    let mut nodes: Vec<String> = ran
        .events(sort)
        .iter()
        .map(|event| event["node"].as_str().unwrap().to_owned())
        .collect();
    nodes.sort();
    nodes
}

#[test]
fn keep_going_finishes_everything_that_does_not_need_what_failed() {
    let lab = forked();
    let ran = lab.run(&["--json", "--keep-going"]).exit(4);
    assert_eq!(of(&ran, "failed"), ["judge.broken"]);
    assert_eq!(of(&ran, "skipped"), ["stats.unreached", "table.unreached"]);
    assert_eq!(ran.stages().len(), 11);
    assert!(ran.tables.contains_key("scores.md") && !ran.tables.contains_key("unreached.md"));
    let failed = &ran.events("failed")[0]["message"];
    assert!(
        failed
            .as_str()
            .unwrap()
            .contains("no `[[reply]]` of the script fits"),
        "{failed}"
    );
    // The next run tries what failed, and only that.
    lab.write("broken.toml", ANY_SCORE);
    let ran = lab.run(&["--json", "--keep-going"]).ok();
    assert_eq!(
        ran.nodes(),
        ["judge.broken", "stats.unreached", "table.unreached"]
    );
}

#[test]
fn without_keep_going_nothing_more_is_started() {
    for arguments in [
        &["--json", "--jobs", "1"][..],
        &["--json", "--jobs", "1", "--keep-going", "--fail-fast"],
    ] {
        let lab = wide();
        // The source of everything fails first, then nothing is left to do.
        lab.write("docs.csv", "name,body,year,genre\na,,1950,x\n");
        lab.change("columns = [\"year\", \"genre\", \"body\"]", "");
        // Its table comes last, so its stages do.
        lab.append(
            "[source.second]\nfiles = \"second.csv\"\n\n[select.other]\nfrom = \"second\"\n\n\
             [measure.other]\nfrom = \"select.other\"\nmetrics = \"tokens\"\n\n\
             [export.zz]\nfrom = \"measure.other\"",
        );
        lab.write("second.csv", "doc_id,text\na,A text.\n");
        let ran = lab.run(arguments).exit(4);
        assert_eq!(of(&ran, "failed"), ["source.docs"]);
        assert_eq!(ran.nodes(), [""; 0], "{arguments:?}");
        assert!(of(&ran, "skipped").contains(&"select.other".to_owned()));
        assert_eq!(ran.summary()["failed"], 1);
        let hint = ran.events("failed")[0]["hint"].as_str().unwrap_or_default();
        assert!(!hint.is_empty(), "{}", ran.out);
    }
}

#[test]
fn offline_lists_what_is_missing_and_asks_nobody() {
    let lab = wide();
    let ran = lab.run(&["--json", "--offline", "--keep-going"]).exit(4);
    assert_eq!(ran.asked, 0);
    let messages: Vec<&str> = ran
        .events("failed")
        .iter()
        .map(|event| event["message"].as_str().unwrap())
        .collect();
    assert_eq!(messages.len(), 2, "one per length");
    for message in messages {
        assert_eq!(
            message,
            "4 calls of 4 not cached, and no model may be called: `ferry`, `mill`, `letter` and `garden`"
        );
    }
    assert!(
        ran.tables.contains_key("plain.md"),
        "the built-in judge needs nobody"
    );
    // With some of the calls stored, the others are listed.
    lab.change("year >= 1900", "year > 1960");
    lab.run(&["--json"]).ok();
    lab.change("year > 1960", "year >= 1900");
    let ran = lab.run(&["--quiet", "--offline"]).exit(4);
    assert!(
        ran.err.contains("2 calls of 4 not cached") && ran.err.contains("`ferry` and `mill`"),
        "{}",
        ran.err
    );
}

#[test]
fn offline_with_everything_stored_is_a_run_like_any_other() {
    let lab = wide_known();
    let tables = lab.run(&["--json"]).ok().tables;
    lab.remove("cache/v1/nodes");
    let ran = lab.run(&["--json", "--offline"]).ok();
    assert_eq!((ran.asked, ran.tables), (0, tables));
}

#[test]
fn failed_calls_are_unscored_now_and_asked_again_by_the_next_run() {
    let lab = Lab::small().script(&format!(
        "[[reply]]\ncontains = [\"ferry\"]\nfail = \"the server is away\"\n{ANY_SCORE}"
    ));
    let ran = lab.run(&["--json"]).exit(4);
    assert_eq!(
        (ran.asked, &ran.record["counts"]["unscored"]["failed"]),
        (2, &1.into())
    );
    assert!(
        ran.tables["scores.md"].contains("1 row unscored (failed 1)"),
        "{}",
        ran.tables["scores.md"]
    );
    let again = lab.again().exit(4);
    assert_eq!(
        again.asked, 1,
        "the call that failed, not the one that did not"
    );
    assert_eq!(again.nodes(), ["judge.grades"]);
    // It comes back: the script is another file then, so its calls are others too.
    let lab = lab.script(ANY_SCORE);
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.record["counts"]["scored"], 2);
    assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0]);
}

#[test]
fn an_error_that_no_question_can_heal_stops_the_judge_but_keeps_what_was_answered() {
    let lab = Lab::small()
        .script("[[reply]]\ncontains = [\"ferry\"]\ntext = \"FINAL Fluency Score: 4\"\n");
    lab.change("temperature = 0.0", "temperature = 0.0\nconcurrency = 1");
    let first = lab.run(&["--quiet"]).exit(4);
    assert!(first.err.contains("judge.grades"), "{}", first.err);
    let second = lab.run(&["--quiet"]).exit(4);
    // Whichever went out first, the answered question went out once.
    assert!(
        first.asked + second.asked <= 3,
        "the answered call is stored"
    );
}

#[test]
fn a_run_that_nobody_interrupted_does_not_say_that_somebody_did() {
    // A book that cannot be had fails before anything was checked that has to be asked.
    let lab = Lab::small();
    lab.append("[source.book]\ngutenberg = [11]\n\n[export.book]\nfrom = \"book\"");
    for _ in 0..3 {
        let ran = lab.run(&["--offline"]).exit(4);
        assert!(!ran.err.contains("interrupted"), "{}", ran.err);
        assert_eq!(ran.record["interrupted"], false);
        lab.remove("cache");
    }
}
