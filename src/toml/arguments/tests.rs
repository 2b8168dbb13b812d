use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;
use crate::toml::fixture::spec;
use crate::toml::{Layers, Style};

fn set_to(argument: &str) -> String {
    spec("").set(argument).layers().tree().to_json().to_string()
}

#[test]
fn a_set_value_is_toml_or_else_text() {
    assert_eq!(set_to("a.b=3"), r#"{"a":{"b":3}}"#);
    assert_eq!(set_to("a = [1, \"x\"]"), r#"{"a":[1,"x"]}"#);
    assert_eq!(set_to("a={ b = true }"), r#"{"a":{"b":true}}"#);
    assert_eq!(
        set_to("judge.v.model=llama-3.3-70b"),
        r#"{"judge":{"v":{"model":"llama-3.3-70b"}}}"#
    );
    assert_eq!(set_to("a=x=y # no comment"), r#"{"a":"x=y # no comment"}"#);
    assert_eq!(
        set_to("models.\"gpt=4.1\".seed=1"),
        r#"{"models":{"gpt=4.1":{"seed":1}}}"#
    );
    assert_eq!(set_to("a=1\nb=2"), r#"{"a":"1\nb=2"}"#);
    assert_eq!(set_to("a=\"\""), r#"{"a":""}"#);
}

#[test]
fn a_malformed_set_is_pointed_into() {
    let files = spec("")
        .set("judge.model")
        .set("judge..model=3")
        .set("=3")
        .set("a= ")
        .set("a=[1, 2")
        .set("a=\"x")
        .set("[a]=1");
    assert_snapshot!(files.problems());
}

#[test]
fn extends_cannot_be_set_from_outside() {
    let files = spec("")
        .set("extends=\"a.toml\"")
        .env("TRIBUNAL_EXTENDS", "a.toml");
    assert_snapshot!(files.problems());
}

#[test]
fn a_variable_finds_the_spelling_of_the_file() {
    let layers = spec("[models.\"GPT-4.1\"]\nbase-url = \"u\"\nmax_tokens = 1")
        .env("TRIBUNAL_MODELS__GPT_4_1__BASE_URL", "http://h:1/v1")
        .env("TRIBUNAL_MODELS__GPT_4_1__MAX_TOKENS", "9")
        .env("TRIBUNAL_MODELS__NEW__TOP_P", "0.5")
        .env("TRIBUNAL_EMPTY", "")
        .layers();
    assert_eq!(
        layers.tree().to_json().to_string(),
        r#"{"models":{"GPT-4.1":{"base-url":"http://h:1/v1","max_tokens":9},"new":{"top_p":0.5}}}"#
    );
}

#[test]
fn the_order_of_the_environment_does_not_matter() {
    let one = spec("")
        .env("TRIBUNAL_A", "1")
        .env("TRIBUNAL_B", "2")
        .layers();
    let other = spec("")
        .env("TRIBUNAL_B", "2")
        .env("TRIBUNAL_A", "1")
        .layers();
    assert_eq!(one.tree(), other.tree());
}

#[test]
fn a_malformed_variable_is_pointed_at() {
    assert_snapshot!(
        spec("")
            .env("TRIBUNAL_A____B", "1")
            .env("TRIBUNAL_", "1")
            .problems()
    );
}

#[test]
fn a_secret_is_not_kept_for_display() {
    let layers = spec("")
        .env("TRIBUNAL_MODELS__M__API_KEY", "sk-123456")
        .layers();
    let path = ["models", "m", "api_key"].map(str::to_owned);
    let mut problems = Problems::new();
    problems.push(Problem::error("spec::x", "x").label_at(layers.place_of(&path), "here"));
    let drawn = problems.render(layers.sources(), Style::default());
    assert!(
        drawn.contains("API_KEY=***") && !drawn.contains("sk-"),
        "{drawn}"
    );
}

proptest! {
    #[test]
    fn any_argument_and_variable_is_read_without_a_panic(
        argument in "[a-c.=\"'\\[\\]{}#\\n ü0-9🦀-]{0,20}",
        name in "TRIBUNAL_[A-C_]{0,8}",
    ) {
        let read = |_: &std::path::Path| Ok(Vec::new());
        let input = crate::toml::Input {
            spec: "x.toml".into(),
            env: vec![(name, argument.clone())],
            sets: vec![argument],
            ..Default::default()
        };
        match Layers::load(input, &read, &|_| Vec::new()) {
            Ok(layers) => {
                for (_, child) in layers.tree().children() {
                    prop_assert!(child.place().is_some());
                }
            }
            Err((sources, problems)) => prop_assert!(!problems.render(&sources, Style::default()).is_empty()),
        }
    }
}
