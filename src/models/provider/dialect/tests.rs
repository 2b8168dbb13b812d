//! What is the same at all providers.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::models::ask::Reply;
use crate::models::provider::testing::{self, anthropic, of, openai, question, thinking};

fn answer(status: u16, kind: &str, body: &[u8]) -> Answer {
    Answer {
        url: "http://localhost:8000/v1/chat/completions".to_owned(),
        status,
        content_type: Some(kind.to_owned()),
        location: None,
        after: None,
        body: body.to_vec(),
    }
}

#[test]
fn extra_fields_are_last_and_strongest() {
    let mut spec = openai("judge");
    spec.sampling.temperature = Some(0.5);
    spec.thinking = Some(thinking(true, ThinkingSwitch::Template));
    let extra = json!({"temperature": 1, "chat_template_kwargs": {"x": 1}, "min_p": 0.1, "provider": {"order": ["a"]}});
    spec.extra = extra.as_object().unwrap().clone();
    let body = Dialect::OpenAi.body(&spec, &question("x")).unwrap();
    assert_eq!(
        String::from_utf8(body).unwrap(),
        r#"{"model":"judge","messages":[{"role":"user","content":"x"}],"temperature":1,"chat_template_kwargs":{"enable_thinking":true,"x":1},"min_p":0.1,"provider":{"order":["a"]}}"#
    );
}

#[test]
fn an_answer_is_read_in_its_dialect() {
    let openai = openai("judge");
    let body = json!({"choices": [{"message": {"content": "4"}, "finish_reason": "stop"}]});
    let read =
        |kind, body: &str| Dialect::OpenAi.read(&answer(200, kind, body.as_bytes()), &openai);
    // Some servers call everything plain text.
    let received = read("text/plain; charset=utf-8", &body.to_string()).unwrap();
    assert_eq!((received.reply.text.as_str(), received.id), ("4", None));
    let body = json!({"content": [{"type": "text", "text": "5"}], "stop_reason": "end_turn"});
    let received = Dialect::Anthropic
        .read(
            &answer(200, "application/json", body.to_string().as_bytes()),
            &anthropic("claude"),
        )
        .unwrap();
    assert_eq!(received.reply.text, "5");
}

#[test]
fn a_success_without_a_reply_is_broken() {
    let read = |kind, body: &[u8]| {
        Dialect::OpenAi
            .read(&answer(200, kind, body), &openai("judge"))
            .unwrap_err()
    };
    assert_eq!(
        read("text/plain", b"Welcome\n"),
        CallError::Broken(
            "an answer of type `text/plain` that begins `Welcome`, where a reply was expected"
                .to_owned()
        )
    );
    let whole = json!({"choices": [{"message": {"content": "4"}}]}).to_string();
    for end in 0..whole.len() {
        let error = read("application/json", &whole.as_bytes()[..end]);
        assert!(matches!(error, CallError::Broken(_)), "{end}: {error}");
    }
    let error = read(
        "application/json",
        b"{\"choices\":[{\"message\":{\"content\":\"\xff\"}}]}",
    );
    assert!(matches!(error, CallError::Broken(_)), "{error}");
    let busy = read(
        "application/json",
        br#"{"error":{"code":429,"message":"later"}}"#,
    );
    assert!(matches!(busy, CallError::Busy { .. }), "{busy}");
    let streamed = read("text/event-stream; charset=utf-8", b"data: {}\n\n");
    assert!(
        matches!(&streamed, CallError::Fatal(why) if why.contains("`stream`")),
        "{streamed}"
    );
}

#[test]
fn a_page_in_place_of_a_reply_stops_the_run() {
    let read = |status, url: &str, body: &str| {
        let answer = Answer {
            url: url.to_owned(),
            ..answer(status, "text/html; charset=utf-8", body.as_bytes())
        };
        Dialect::OpenAi
            .read(&answer, &openai("judge"))
            .map(|received| received.reply.text)
    };
    let page = "<!doctype html><title>Sign in</title>";
    let reply = r#"{"choices":[{"message":{"content":"4"}}]}"#;
    let without = "http://localhost:3000/chat/completions";
    let with = "http://localhost:3000/v1/chat/completions";
    let fatal = |said: &str| Err(CallError::Fatal(said.to_owned()));
    for (status, url, body, expected) in [
        (
            200,
            without,
            page,
            fatal(
                "`http://localhost:3000/chat/completions` answers with a web page, not with a reply: is `base-url` right? most servers want `/v1` at its end",
            ),
        ),
        (
            201,
            with,
            page,
            fatal(
                "`http://localhost:3000/v1/chat/completions` answers with a web page, not with a reply: is `base-url` right?",
            ),
        ),
        (200, with, reply, Ok("4".to_owned())),
        (
            429,
            with,
            page,
            Err(CallError::Busy {
                message: "the server answers 429 Too Many Requests".to_owned(),
                after: None,
            }),
        ),
        (
            502,
            with,
            page,
            Err(CallError::Broken(
                "the server answers 502 Bad Gateway".to_owned(),
            )),
        ),
    ] {
        assert_eq!(read(status, url, body), expected, "{status} {url} {body}");
    }
    let broken = read(200, with, &reply[..20]);
    assert!(matches!(broken, Err(CallError::Broken(_))), "{broken:?}");
}

#[test]
fn a_line_of_a_batch_has_a_status_of_its_own() {
    let spec = openai("judge");
    let read = |status, value: Value| {
        Dialect::OpenAi.read_value(
            status,
            &value,
            &spec,
            "http://localhost/v1/chat/completions",
        )
    };
    let good = json!({"choices": [{"message": {"content": "4"}}]});
    assert_eq!(read(Some(200), good.clone()).unwrap().reply.text, "4");
    assert_eq!(read(None, good.clone()).unwrap().reply.text, "4");
    let bad = json!({"error": {"message": "no", "type": "server_error"}});
    assert!(matches!(
        read(Some(400), bad.clone()),
        Err(CallError::Failed(_))
    ));
    assert!(matches!(read(None, bad), Err(CallError::Broken(_))));
    assert!(matches!(
        read(Some(503), json!(null)),
        Err(CallError::Busy { .. })
    ));
}

#[test]
fn a_provider_takes_what_it_says_it_takes() {
    let names: BTreeSet<&str> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
    assert_eq!(names.len(), Dialect::ALL.len());
    for dialect in Dialect::ALL.iter().copied() {
        let sent = |spec: &ModelSpec, question: &Question| {
            String::from_utf8(dialect.body(spec, question).unwrap()).unwrap()
        };
        let (bare, asked) = (of(dialect, "m"), question("x"));
        let told = |change: &dyn Fn(&mut ModelSpec, &mut Question)| {
            let (mut spec, mut question) = (bare.clone(), asked.clone());
            change(&mut spec, &mut question);
            sent(&spec, &question) != sent(&bare, &asked)
        };
        let budget = |spec: &mut ModelSpec, tokens| {
            let mut parameter = thinking(true, ThinkingSwitch::Parameter);
            parameter.effort = Some("low".to_owned());
            parameter.budget = tokens;
            spec.thinking = Some(parameter);
        };
        let mut without = bare.clone();
        budget(&mut without, None);
        let mut with = bare.clone();
        budget(&mut with, Some(2048));
        let name = dialect.name();
        let contract = dialect.contract();
        for (feature, told) in [
            (Feature::Seed, told(&|spec, _| spec.sampling.seed = Some(7))),
            (
                Feature::Logprobs,
                told(&|spec, _| spec.sampling.logprobs = Some(3)),
            ),
            (
                Feature::ChatTemplate,
                told(&|spec, _| spec.thinking = Some(thinking(true, ThinkingSwitch::Template))),
            ),
            (
                Feature::Schema,
                told(&|_, question| question.schema = Some(Arc::new(json!({"type": "object"})))),
            ),
        ] {
            assert_eq!(told, dialect.takes(feature), "{name}: {feature:?}");
        }
        let counts = sent(&with, &asked) != sent(&without, &asked);
        assert_eq!(counts, contract.budget.is_some(), "{name}");
        let longest = |spec: &mut ModelSpec, _: &mut Question| {
            spec.sampling.max_tokens = contract.longest.or(Some(64));
        };
        assert_eq!(!told(&longest), contract.longest.is_some(), "{name}");
        assert!(
            !contract.path.starts_with('/') && !contract.home.ends_with('/'),
            "{name}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_prompt_is_sent_as_it_is(prompt in any::<String>()) {
        for (dialect, spec) in [(Dialect::OpenAi, openai("m")), (Dialect::Anthropic, anthropic("m"))] {
            let body = dialect.body(&spec, &question(&prompt)).unwrap();
            prop_assert_eq!(&body, &dialect.body(&spec, &question(&prompt)).unwrap());
            let value: Value = serde_json::from_slice(&body).unwrap();
            prop_assert_eq!(value["messages"][0]["content"].as_str(), Some(prompt.as_str()));
        }
    }

    #[test]
    fn any_json_is_read_without_panic(
        choice in prop_oneof![Just("null"), Just("[]"), Just("{}"), Just("[{}]"), Just("[{\"message\":{}}]"), Just("[[]]"), Just("7")],
        content in prop_oneof![Just("null"), Just("[null,[],{}]"), Just("{\"type\":1}"), Just("\"\"")],
        usage in prop_oneof![Just("null"), Just("-1"), Just("{\"prompt_tokens\":-1}"), Just("{\"prompt_tokens\":1e30}")],
    ) {
        let body = format!("{{\"choices\":{choice},\"content\":{content},\"usage\":{usage}}}");
        for (dialect, spec) in [(Dialect::OpenAi, openai("m")), (Dialect::Anthropic, anthropic("m"))] {
            let _ = dialect.read(&answer(200, "application/json", body.as_bytes()), &spec);
        }
    }
}

#[test]
fn where_replies_are_begun_anew_none_is_asked_to_go_on() {
    let begun = testing::conversation(&[(Role::User, "x"), (Role::Assistant, "Score:")]);
    for (dialect, name) in [(Dialect::OpenAi, "gpt"), (Dialect::Anthropic, "claude")] {
        let mut spec = of(dialect, name);
        spec.thinking = Some(thinking(true, ThinkingSwitch::Parameter));
        assert!(dialect.request(&spec, &question("x")).is_ok());
        let refused = dialect.request(&spec, &begun).unwrap_err().to_string();
        assert!(
            refused.contains("cannot go on from how the reply begins"),
            "{refused}"
        );
    }
}

#[test]
fn a_reply_is_whole_with_its_beginning_once() {
    for (text, begins, whole) in [
        (" 4", Some("Score:"), "Score: 4"),
        ("Score: 4", Some("Score:"), "Score: 4"),
        ("", Some("Score:"), "Score:"),
        ("4", None, "4"),
    ] {
        assert_eq!(Reply::plain(text).whole(begins).text, whole);
    }
}
