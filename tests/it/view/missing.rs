//! What is not here: said where it is missed, and no reason to fail.

use super::{Opened, View, judgements};
use crate::bundles::{Elsewhere, bundle};
use crate::lab::Lab;

#[test]
fn without_the_texts_of_a_bundle_documents_and_prompts_say_that_they_are_not_in_it() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    bundle(&lab, &[]).ok();
    let there = Elsewhere::unpacked(&lab);
    let opened = Opened::of(&View::start(
        &mut there.command(&["view", "experiment.toml"]),
    ));
    assert_eq!(opened.rows(), 2);
    let document = opened.document(0);
    assert_eq!(document["id"], "a");
    assert_eq!(
        document["why"],
        "the text is not available: not in the bundle that the project was unpacked from"
    );
    let reply = opened.reply(0).unwrap();
    assert!(
        reply["reply"]
            .as_str()
            .unwrap()
            .contains("FINAL Fluency Score")
    );
    assert_eq!(
        reply["prompt_note"],
        "not in the bundle that the project was unpacked from"
    );
    assert_eq!(reply["scores"][0]["spans"].as_array().unwrap().len(), 1);
}

#[test]
fn without_the_replies_of_a_bundle_the_page_is_there_and_nothing_is_judged() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    bundle(&lab, &["--without-replies"]).ok();
    let there = Elsewhere::unpacked(&lab);
    let view = View::start(&mut there.command(&["view", "experiment.toml"]));
    assert_eq!(view.get("/").status, 200);
    assert_eq!(view.get("/chunks/index").status, 404);
}

#[test]
fn a_prompt_that_was_too_long_is_shown_and_was_not_sent() {
    let lab = Lab::small();
    lab.change("temperature = 0.0", "temperature = 0.0\ncontext = 40");
    lab.change("[judge.grades]", "[judge.grades]\nmax-unscored = 1");
    lab.write("docs/a.txt", "The ferry left at noon. ".repeat(40));
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    let row = opened.row(&[("doc_id", "a")]);
    assert_eq!(opened.cell("unscored", row), "too-long");
    let reply = opened.reply(row).unwrap();
    assert!(reply["reply"].is_null());
    assert_eq!(reply["prompt_note"], "it was too long and was not sent");
    assert!(!opened.prompt(row)[0].1.is_empty());
}
