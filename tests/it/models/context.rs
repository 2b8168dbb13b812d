//! Prompts that do not fit: they are not sent, and the others are.

use super::{PROVIDERS, failure, lab, scored, snapshot, texts_csv, unscored, without_tokenizer};
use crate::chat::ChatServer;
use crate::lab::Lab;

const TEXTS: usize = 5;

/// A project with one text more, of a thousand words, and a model that reads 500 tokens.
fn with_a_long_text(provider: &str, server: &ChatServer) -> Lab {
    let long = "the ferry leaves at dawn with eleven sheep ".repeat(125);
    let texts = format!("{}long,{long}\n", texts_csv(TEXTS));
    let lab = lab(provider, &server.url(), TEXTS).file("texts.csv", texts);
    lab.change("retries = 3", "context = 500");
    lab.change("metrics = [", "max-unscored = 1\nmetrics = [");
    lab
}

#[test]
fn a_prompt_that_does_not_fit_is_not_sent_and_the_others_are() {
    for provider in PROVIDERS {
        let server = ChatServer::start();
        let lab = with_a_long_text(provider, &server);
        let ran = lab.run(&["--json"]).ok();
        assert_eq!(server.count(), TEXTS);
        assert_eq!(scored(&ran), 2 * TEXTS as u64);
        assert_eq!(unscored(&ran), [("too-long".to_owned(), 2)].into());
        assert_eq!(
            ran.warnings(),
            [
                "1 of 6 prompts does not fit into the model's context and was not sent; a `truncate` stage would cut it"
            ]
        );
        let row = ran.tables["grades.csv"].lines().last().unwrap().to_owned();
        let why = "where the context has 500";
        assert!(row.contains("too-long") && row.contains(why), "{row}");
        assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0]);
    }
}

#[test]
fn a_longer_context_asks_about_the_rest() {
    let server = ChatServer::start();
    let lab = with_a_long_text("openai", &server);
    lab.run(&["--json"]).ok();
    lab.change("context = 500", "context = 4000");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(
        (server.count(), scored(&ran)),
        (TEXTS + 1, 2 * (TEXTS as u64 + 1))
    );
}

#[test]
fn a_stage_none_of_whose_prompts_fits_fails_with_a_hint() {
    for (texts, name) in [(TEXTS, "none-fits"), (1, "only-one-does-not-fit")] {
        let server = ChatServer::start();
        let lab = lab("openai", &server.url(), texts);
        lab.change("retries = 3", "context = 102");
        let ran = lab.run(&["--quiet"]).exit(4);
        snapshot!(name, failure(&ran));
        assert_eq!(server.server().requests().len(), 0);
    }
}

#[test]
fn with_the_models_own_tokenizer_the_last_token_decides() {
    let server = ChatServer::start();
    let lab = lab("openai", &server.url(), 1);
    lab.change("tokenizer.json\"", "o200k_base\"");
    let shown = lab.cmd(&["call", "--dry-run", "--json"]).ok();
    let shown: serde_json::Value = serde_json::from_str(&shown.out).unwrap();
    assert_eq!(shown["prompt_tokens_exact"], true);
    let tokens = shown["prompt_tokens"].as_u64().unwrap();
    let tokenizer = "tokenizer = \"o200k_base\"";
    // `max-tokens` is kept free for the reply.
    let context = |tokens: u64| format!("{tokenizer}\ncontext = {}", tokens + 100);
    lab.change(tokenizer, &context(tokens - 1));
    let ran = lab.run(&["--quiet"]).exit(4);
    assert!(ran.err.contains("does not fit"), "{}", ran.err);
    assert_eq!(server.count(), 0);
    lab.change(&context(tokens - 1), &context(tokens));
    lab.run(&["--quiet"]).ok();
    assert_eq!(server.count(), 1);
}

#[test]
fn where_tokens_are_estimated_the_server_decides_what_may_just_fit() {
    let server = ChatServer::start();
    let lab = lab("openai", &server.url(), 1);
    without_tokenizer(&lab);
    let shown = lab.cmd(&["call", "--dry-run", "--json"]).ok();
    let shown: serde_json::Value = serde_json::from_str(&shown.out).unwrap();
    assert_eq!(shown["prompt_tokens_exact"], false);
    let tokens = shown["prompt_tokens"].as_u64().unwrap();
    lab.change("retries = 3", &format!("context = {}", tokens + 100 - 1));
    lab.run(&["--quiet"]).ok();
    assert_eq!(server.count(), 1);
}

#[test]
fn more_prompts_that_do_not_fit_than_may_be_unscored_are_refused_before_the_first_call() {
    let server = ChatServer::start();
    let lab = with_a_long_text("openai", &server);
    lab.change("max-unscored = 1\n", "");
    let ran = lab.run(&["--quiet"]).exit(4);
    snapshot!("refused", failure(&ran));
    // The texts are known now, and so is the length of the prompts.
    let planned = lab.cmd(&["plan"]).exit(4);
    snapshot!("refused-by-plan", planned.out);
    assert_eq!(server.server().requests().len(), 0);
    lab.change("metrics = [", "max-unscored = 0.2\nmetrics = [");
    lab.cmd(&["plan"]).ok();
    lab.run(&["--quiet"]).ok();
    assert_eq!(server.count(), TEXTS);
}
