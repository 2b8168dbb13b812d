//! The prompts that were sent, the replies, and what was read from where.

use serde_json::{Value, json};

use super::judgements;
use super::opened::at;
use crate::lab::{ANY_SCORE, Lab};

/// A document that is long enough to stand apart from the prompt around it.
fn long(word: &str) -> String {
    format!("The {word} left at noon, “quietly” 😀. ").repeat(12)
}

fn lab() -> Lab {
    let lab = Lab::small().script(ANY_SCORE);
    for (name, word) in [("a", "ferry"), ("b", "miller")] {
        lab.write(&format!("docs/{name}.txt"), long(word));
    }
    lab
}

#[test]
fn a_prompt_is_shown_as_it_was_sent_and_the_document_stands_in_it_as_a_part() {
    let lab = lab();
    lab.change(
        "temperature = 0.0",
        "temperature = 0.0\nsystem = \"You are strict.\"",
    );
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    let sent = lab.read("asked.log");
    for row in 0..opened.rows() {
        let reply = opened.reply(row).unwrap();
        let messages = opened.prompt(row);
        assert_eq!(
            messages[0],
            ("system".to_owned(), "You are strict.".to_owned())
        );
        let texts: Vec<&str> = messages.iter().map(|(_, text)| text.as_str()).collect();
        let digest = blake3::hash(texts.join("\n").as_bytes()).to_string();
        assert!(sent.contains(&digest), "not what was sent: {texts:?}");
        let parts = &reply["prompt"][1]["parts"];
        assert_eq!(parts[0], "Grade fluency and coherence.\n\n");
        assert_eq!(parts[1], Value::Null);
    }
}

#[test]
fn every_score_says_where_in_the_reply_it_was_read() {
    let lab = lab();
    lab.change(
        "metrics = [\"fluency\"]",
        "metrics = [\"fluency\", \"coherence\"]",
    );
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    assert_eq!(opened.rows(), 4);
    for row in 0..opened.rows() {
        let reply = opened.reply(row).unwrap();
        let metric = opened.cell("metric", row);
        let scores = reply["scores"].as_array().unwrap();
        let score = scores
            .iter()
            .find(|score| score["metric"] == metric)
            .unwrap();
        assert_eq!(score["score"].as_f64(), opened.cell("score", row).as_f64());
        let name = if metric == "fluency" {
            "Fluency"
        } else {
            "Coherence"
        };
        let place = at(reply["reply"].as_str().unwrap(), &score["spans"][0]);
        assert_eq!(
            place,
            format!("FINAL {name} Score: {}", opened.cell("score", row))
        );
    }
}

#[test]
fn issues_say_where_they_stand_and_what_of_the_document_they_quote() {
    let lab = lab().script(
        "[[reply]]\ntext = \"\"\"\nFluency Issues:\n- [WORD] “left at noon” is too short to be found once\n\
         - [TONE] it is 😀\nFINAL Fluency Score: 2\n\"\"\"",
    );
    lab.write(
        "docs/a.txt",
        format!("{}The miller sleeped “badly” 😀.", long("ferry")),
    );
    lab.edit(
        "script.toml",
        "it is 😀",
        "it is 😀: \\\"miller sleeped “badly”\\\"",
    );
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    let row = opened.row(&[("doc_id", "a")]);
    assert_eq!(opened.cell("issues", row), 2);
    let reply = opened.reply(row).unwrap();
    let said = reply["reply"].as_str().unwrap();
    let text = opened.text(opened.document(row)).unwrap();
    let [first, second] = [0, 1].map(|n| &reply["issues"][n]);
    assert_eq!(
        (&first["label"], &first["quotes"]),
        (&json!("WORD"), &json!([]))
    );
    assert!(at(said, &first["spans"][0]).contains("too short"));
    assert_eq!(at(&text, &second["quotes"][0]), "miller sleeped “badly”");
    assert!(at(said, &second["spans"][0]).contains("it is 😀"));
    let other = opened.reply(opened.row(&[("doc_id", "b")])).unwrap();
    assert_eq!(
        other["issues"][1]["quotes"],
        json!([]),
        "it is not in this document"
    );
}

#[test]
fn a_reply_without_a_score_says_why_and_one_with_two_that_they_differ() {
    let lab = lab().script(
        "[[reply]]\ncontains = [\"ferry\"]\ntext = \"I would rather not say.\"\n\n\
         [[reply]]\ntext = \"\"\"\nFINAL Fluency Score: 2\nFINAL Fluency Score: 3\n\"\"\"",
    );
    lab.change(
        "metrics = [\"fluency\"]",
        "metrics = [\"fluency\"]\nfinals = \"first\"\nmax-unscored = 1",
    );
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    let row = opened.row(&[("doc_id", "a")]);
    assert_eq!(opened.cell("unscored", row), "no-score-found");
    assert_eq!(opened.cell("score", row), Value::Null);
    let score = &opened.reply(row).unwrap()["scores"][0];
    assert_eq!(
        (&score["unscored"], &score["spans"]),
        (&json!("no-score-found"), &json!([]))
    );
    let score = &opened.reply(opened.row(&[("doc_id", "b")])).unwrap()["scores"][0];
    assert_eq!(
        (&score["score"], &score["contradicted"]),
        (&json!(2.0), &json!(true))
    );
}

#[test]
fn repeats_have_replies_of_their_own_and_equal_ones_are_there_once() {
    let lab = lab();
    lab.change(
        "metrics = [\"fluency\"]",
        "metrics = [\"fluency\"]\nrepeats = 3",
    );
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    let repeats: Vec<Value> = (0..3).map(|row| opened.cell("repeat", row)).collect();
    assert_eq!(repeats, [1, 2, 3]);
    assert_eq!(opened.documents.len(), 2);
    let calls: std::collections::BTreeSet<String> = (0..opened.rows())
        .map(|row| opened.reply(row).unwrap()["facts"].to_string())
        .collect();
    assert_eq!(calls.len(), 6, "a call each: {calls:?}");
}

#[test]
fn the_prompts_of_a_judge_that_stopped_early_are_those_that_were_asked() {
    let lab = Lab::small().script(ANY_SCORE);
    for number in 0..40 {
        let text = format!("Text {number} {}", long("ferry"));
        lab.write(&format!("docs/d{number:02}.txt"), text);
    }
    lab.change(
        "metrics = [\"fluency\"]",
        "metrics = [\"fluency\"]\nuntil = { least = 9, window = 2, within = 4, most = 12 }",
    );
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    assert_eq!(opened.rows(), 9);
    let sent = lab.read("asked.log");
    for row in 0..opened.rows() {
        let prompt = opened.prompt(row);
        let digest = blake3::hash(prompt[0].1.as_bytes()).to_string();
        assert!(sent.contains(&digest), "not what was sent: {prompt:?}");
        // The document beside it is the one in the prompt.
        let text = opened.text(opened.document(row)).unwrap();
        assert!(prompt[0].1.contains(&text), "{text}");
    }
}
