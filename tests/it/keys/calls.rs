//! A reply is asked for once, whatever outside its call's key changes.

use super::{wide, wide_known};
use crate::lab::Lab;

#[test]
fn results_may_be_lost_without_asking_again() {
    let lab = wide_known();
    let tables = lab.run(&["--json"]).ok().tables;
    lab.remove("cache/v1/nodes");
    lab.remove("cache/v1/blobs");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!((ran.stages().len(), ran.asked), (11, 0));
    assert_eq!(ran.summary()["calls_reused"], 8);
    assert_eq!(ran.tables, tables);
}

#[test]
fn two_judges_with_the_same_question_ask_once() {
    let lab = wide();
    lab.append("[judge.again]\nfrom = \"cut\"\nmodel = \"fake\"\nprompt = \"grade\"\nmetrics = [\"coherence\"]\n\n[stats.twice]\nfrom = \"again\"\n\n[table.twice]\nfrom = \"twice\"\nrows = [\"metric\"]\ncolumns = [\"length\"]");
    let ran = lab.run(&["--json", "--jobs", "8"]).ok();
    assert_eq!(ran.asked, 8);
}

#[test]
fn documents_with_the_same_text_are_asked_about_once() {
    let lab = Lab::small();
    lab.write("docs/c.txt", lab.read("docs/a.txt"));
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.asked, 2);
    assert_eq!(ran.summary()["counts"]["scored"], 3);
}

#[test]
fn another_experiment_with_the_same_question_asks_nothing() {
    let lab = wide_known();
    lab.change("title = \"Every kind of stage\"", "title = \"Another\"");
    lab.change(
        "[judge.grades]\nfrom = \"cut\"",
        "[judge.grades]\nfrom = \"docs\"",
    );
    lab.change(
        "length = { set = \"truncate.cut.tokens\", values = [6, \"full\"] }",
        "length = { set = \"judge.grades.repeats\", values = [1, 2], names = [\"6\", \"full\"] }",
    );
    let ran = lab.run(&["--json"]).ok();
    // Of five whole documents four are known in their first repeat.
    assert_eq!(ran.asked, 1 + 5);
}
