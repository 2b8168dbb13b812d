//! What the command says.

use super::tree::{self, import, rows};
use crate::lab::Lab;

#[test]
fn a_sound_clone_gives_a_summary_and_one_thing_to_know() {
    let ran = import(&tree::sound()).ok();
    insta::with_settings!({ filters => vec![(r"in \d+\.\d\d s", "in [time]")] }, {
        insta::assert_snapshot!(ran.out);
    });
    // Nobody has the metadata of exchanges, and in this tree some judgements.
    assert!(ran.err.starts_with("warning: "), "{}", ran.err);
    assert!(
        ran.err.contains("exchanges are told from the texts"),
        "{}",
        ran.err
    );
}

#[test]
fn a_folder_that_is_no_clone_is_refused_and_nothing_is_written() {
    let lab = Lab::new().file("papers/notes.txt", "x");
    let ran = lab.cmd(&["import", "judgememo", "papers"]).exit(2);
    assert!(
        ran.err
            .contains("`papers` is not a clone of hkleiner/JudgeMemo"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("git clone"), "{}", ran.err);
    let ran = lab.cmd(&["import", "judgememo", "nowhere"]).exit(2);
    assert!(
        ran.err.contains("there is no folder `nowhere`"),
        "{}",
        ran.err
    );
    assert!(lab.files("data").is_empty());
}

#[test]
fn a_clone_of_which_nothing_can_be_read_fails_and_leaves_the_last_import_alone() {
    let lab = tree::sound();
    import(&lab).ok();
    lab.remove("clone");
    tree::put(
        &lab,
        "experiments/M/test_v1/gold_test_full/eval_exp_1_JM-7.txt",
        "",
    );
    let ran = import(&lab).exit(1);
    assert!(
        ran.err.contains("nothing in `clone` can be read"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("1 empty (left out)"), "{}", ran.err);
    assert_eq!(rows(&lab, "responses", &["stage"]).len(), 11);
}

#[test]
fn a_clone_of_outputs_alone_is_imported() {
    let lab = tree::sound();
    lab.remove("clone/data");
    import(&lab).ok();
    assert_eq!(rows(&lab, "responses", &["stage"]).len(), 11);
    assert!(rows(&lab, "documents", &["doc_id", "text"]).is_empty());
}

#[test]
fn help_has_an_example() {
    let ran = Lab::new().cmd(&["import", "judgememo", "--help"]).ok();
    assert!(
        ran.out.contains("tribunal import judgememo ../JudgeMemo"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("CC BY-NC-SA 4.0"), "{}", ran.out);
}
