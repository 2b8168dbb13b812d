//! Whole questions, against a server on this machine that says what it is told to.

use std::ffi::OsString;
use std::sync::atomic::AtomicUsize;

use super::super::secret::Secrets;
use super::super::testing::{Told, completion, http, ok};
use super::*;
use crate::models::provider::testing::{conversation, openai_at, question, with_key};
use crate::models::spec::Provider;

/// A token is four bytes.
fn quarters() -> Count {
    Arc::new(|text: &str| Counted {
        tokens: text.len() as u64 / 4,
        exact: true,
    })
}

fn model_at(url: &str) -> ServerModel {
    let client = Arc::new(Client::new(Arc::default()));
    ServerModel::new(openai_at("judge", url), client, quarters()).unwrap()
}

fn id(n: usize) -> String {
    format!("chatcmpl-{n:032}")
}

#[tokio::test]
async fn a_question_is_answered() {
    let told = Told::to_say(vec![vec![ok(&completion(&id(1), "judge", "Score: 4", 9))]]);
    let reply = model_at(&told.url)
        .ask(&question("Grade."), 0)
        .await
        .unwrap();
    assert_eq!(reply.text, "Score: 4");
    let asked = &told.was_asked()[0];
    assert_eq!(asked.line, "POST /v1/chat/completions HTTP/1.1");
    assert!(!asked.headers.contains_key("authorization"));
    assert_eq!(
        String::from_utf8_lossy(&asked.body),
        r#"{"model":"judge","messages":[{"role":"user","content":"Grade."}]}"#
    );
}

#[tokio::test]
async fn each_place_is_asked_by_its_number() {
    let first = Told::to_say(vec![]);
    let second = Told::to_say(vec![vec![ok(&completion("", "judge", "second", 9))]]);
    let mut spec = openai_at("judge", &first.url);
    if let Provider::Served(server) = &mut spec.provider {
        server.base_urls.push(format!("{}/", second.url));
    }
    let model = ServerModel::new(spec, Arc::new(Client::new(Arc::default())), quarters()).unwrap();
    assert_eq!(model.ask(&question("x"), 1).await.unwrap().text, "second");
    assert_eq!(
        second.was_asked()[0].line,
        "POST /v1/chat/completions HTTP/1.1"
    );
    let error = model.ask(&question("x"), 2).await.unwrap_err();
    assert_eq!(
        error,
        CallError::Fatal("model `judge` has no base url of number 2".to_owned())
    );
}

#[tokio::test]
async fn the_key_is_sent_and_comes_back_nowhere() {
    let secrets = Secrets::read(["KEY"], |_| Some(OsString::from("sk-123456789")));
    let client = Arc::new(Client::new(Arc::new(secrets)));
    let told = Told::to_say(vec![vec![
        ok(&completion(
            "sk-123456789",
            "judge",
            "Your key is sk-123456789.",
            9,
        )),
        http(
            "401 Unauthorized",
            "",
            r#"{"error":{"message":"bad key sk-123456789"}}"#,
        ),
    ]]);
    let spec = with_key(openai_at("judge", &told.url), "KEY");
    let model = ServerModel::new(spec, client, quarters()).unwrap();
    let reply = model.ask(&question("x"), 0).await.unwrap();
    assert_eq!(reply.text, "Your key is [secret].");
    let error = model.ask(&question("x"), 0).await.unwrap_err();
    assert_eq!(
        error,
        CallError::Fatal(
            "the server does not accept the key in `KEY`: bad key [secret]".to_owned()
        )
    );
    assert!(!format!("{model:?}").contains("sk-123456789"));
    assert_eq!(
        told.was_asked()[0].headers["authorization"],
        "Bearer sk-123456789"
    );
}

#[tokio::test]
async fn a_web_page_where_a_model_was_heard_before_may_be_gone_the_next_time() {
    let page = http(
        "200 OK",
        "content-type: text/html\r\n",
        "<h1>Back soon</h1>",
    );
    let reply = ok(&completion(&id(1), "judge", "Score: 4", 9));
    let told = Told::to_say(vec![vec![page.clone(), reply, page]]);
    let model = model_at(&told.url);
    let error = model.ask(&question("x"), 0).await.unwrap_err();
    assert!(matches!(error, CallError::Fatal(_)), "{error}");
    model.ask(&question("x"), 0).await.unwrap();
    let error = model.ask(&question("x"), 0).await.unwrap_err();
    assert!(error.may_heal(), "{error}");
}

#[tokio::test]
async fn without_its_key_nobody_is_asked() {
    let spec = with_key(openai_at("judge", "http://127.0.0.1:1/v1"), "KEY");
    let model = ServerModel::new(spec, Arc::new(Client::new(Arc::default())), quarters()).unwrap();
    let error = model.ask(&question("x"), 0).await.unwrap_err();
    assert!(
        matches!(&error, CallError::Fatal(why) if why.contains("no key in `KEY`")),
        "{error}"
    );
}

#[tokio::test]
async fn another_model_s_answer_is_refused() {
    let told = Told::to_say(vec![vec![ok(&completion(&id(1), "judge-mini", "5", 9))]]);
    let error = model_at(&told.url)
        .ask(&question("x"), 0)
        .await
        .unwrap_err();
    assert!(
        matches!(&error, CallError::Fatal(why) if why.starts_with("asked for `judge`, the server answered as `judge-mini`")),
        "{error}"
    );
}

#[tokio::test]
async fn an_earlier_answer_is_refused_and_its_connection_left() {
    // The second question is answered by the first answer, and the third would be by the second's.
    let told = Told::to_say(vec![
        vec![
            ok(&completion(&id(1), "judge", "first", 9)),
            ok(&completion(&id(1), "judge", "first", 9)),
            ok(&completion(&id(2), "judge", "late", 9)),
        ],
        vec![ok(&completion(&id(3), "judge", "second", 9))],
    ]);
    let model = model_at(&told.url);
    assert_eq!(model.ask(&question("one"), 0).await.unwrap().text, "first");
    let error = model.ask(&question("two"), 0).await.unwrap_err();
    assert_eq!(
        error,
        CallError::Broken("the server delivered an answer twice".to_owned())
    );
    assert_eq!(model.ask(&question("two"), 0).await.unwrap().text, "second");
}

#[tokio::test]
async fn a_server_whose_ids_never_change_is_soon_left_alone() {
    let answers = (0..8).map(|n| ok(&completion(&id(7), "judge", &n.to_string(), 9)));
    // Whoever hangs up comes back on a new connection.
    let told = Told::to_say(vec![
        answers.clone().take(2).collect(),
        answers.clone().skip(2).take(1).collect(),
        answers.skip(3).collect(),
    ]);
    let model = model_at(&told.url);
    let mut texts = Vec::new();
    for n in 0..8 {
        texts.extend(
            model
                .ask(&question(&n.to_string()), 0)
                .await
                .ok()
                .map(|reply| reply.text),
        );
    }
    assert_eq!(texts, ["0", "3", "4", "5", "6", "7"]);
}

#[tokio::test]
async fn a_cut_prompt_is_noticed_and_few_are_counted() {
    let lengths: Vec<usize> = (0..20).map(|n| 4000 - n * 10).chain([16_000]).collect();
    let answers = lengths.iter().enumerate().map(|(n, length)| {
        let tokens = (*length as u64 / 4).min(2048);
        ok(&completion(&id(n), "judge", "4", tokens))
    });
    let told = Told::to_say(vec![answers.collect()]);
    let counted = Arc::new(AtomicUsize::new(0));
    let count: Count = {
        let counted = Arc::clone(&counted);
        Arc::new(move |text: &str| {
            counted.fetch_add(1, Ordering::Relaxed);
            Counted {
                tokens: text.len() as u64 / 4,
                exact: true,
            }
        })
    };
    let client = Arc::new(Client::new(Arc::default()));
    let model = ServerModel::new(openai_at("judge", &told.url), client, count).unwrap();
    let (last, others) = lengths.split_last().unwrap();
    for length in others {
        model.ask(&question(&"x".repeat(*length)), 0).await.unwrap();
    }
    assert_eq!(counted.load(Ordering::Relaxed), 8);
    let error = model
        .ask(&question(&"x".repeat(*last)), 0)
        .await
        .unwrap_err();
    assert!(
        matches!(&error, CallError::Fatal(why) if why.starts_with("the server read 2,048 of 4,000 tokens")),
        "{error}"
    );
}

#[tokio::test]
async fn an_estimate_is_believed_by_the_script_of_the_prompt() {
    let estimate: Count = Arc::new(|_: &str| Counted {
        tokens: 1000,
        exact: false,
    });
    for (prompt, reported, whole) in [
        ("It was a cold evening.", 880, true),
        ("It was a cold evening.", 800, false),
        ("那是一个寒冷的傍晚。", 684, true),
        ("那是一个寒冷的傍晚。", 600, false),
    ] {
        let told = Told::to_say(vec![vec![ok(&completion(&id(1), "judge", "4", reported))]]);
        let client = Arc::new(Client::new(Arc::default()));
        let spec = openai_at("judge", &told.url);
        let model = ServerModel::new(spec, client, Arc::clone(&estimate)).unwrap();
        let asked = model.ask(&question(prompt), 0).await;
        assert_eq!(asked.is_ok(), whole, "{prompt} {reported}: {asked:?}");
    }
}

#[tokio::test]
async fn thoughts_of_earlier_replies_may_be_left_out() {
    let told = Told::to_say(vec![vec![ok(&completion(&id(1), "judge", "4", 100))]]);
    let thoughts = "x".repeat(9000);
    let earlier = conversation(&[(Role::Assistant, &thoughts), (Role::User, "Grade.")]);
    assert!(model_at(&told.url).ask(&earlier, 0).await.is_ok());
}

#[tokio::test]
async fn a_server_that_reports_no_tokens_is_believed() {
    let mut silent = completion(&id(1), "judge", "4", 9);
    silent.as_object_mut().unwrap().remove("usage");
    let told = Told::to_say(vec![vec![
        ok(&silent),
        ok(&completion(&id(2), "judge", "5", 0)),
    ]]);
    let model = model_at(&told.url);
    for expected in ["4", "5"] {
        let reply = model.ask(&question(&"x".repeat(9000)), 0).await.unwrap();
        assert_eq!(reply.text, expected);
    }
}

#[tokio::test]
async fn half_a_pair_of_surrogates_does_not_cost_a_reply_that_came_in_a_batch() {
    let model = model_at("http://127.0.0.1:1/v1");
    let body = completion(&id(1), "judge", "Score: 4 HALF", 9).to_string();
    let body = body.replace("HALF", "\\ud83d");
    let read = model.read_batched(Some(200), body.as_bytes(), None).await;
    assert_eq!(read.unwrap().text, "Score: 4 \u{fffd}");
    let twice = body.replace("\"model\":", "\"id\":\"x\",\"model\":");
    let read = model.read_batched(Some(200), twice.as_bytes(), None).await;
    assert!(
        matches!(&read, Err(CallError::Broken(why)) if why.contains("the key `id` occurs twice")),
        "{read:?}"
    );
    let read = model.read_batched(Some(200), b"<html>", None).await;
    assert!(
        matches!(&read, Err(CallError::Failed(why)) if why.starts_with("the answer is not JSON: ")),
        "{read:?}"
    );
}

#[test]
fn keys_stand_in_one_header_that_is_not_printed() {
    let key = Secret::new("sk-12345678").unwrap();
    let sent = headers(Dialect::OpenAi, Some(&key));
    assert_eq!(sent["authorization"], "Bearer sk-12345678");
    let printed = format!("{sent:?}");
    assert!(!printed.contains("sk-12345678"), "{printed}");
    let sent = headers(Dialect::Anthropic, Some(&key));
    assert_eq!(sent["x-api-key"], "sk-12345678");
    assert_eq!(sent["anthropic-version"], "2023-06-01");
    assert!(!format!("{sent:?}").contains("sk-12345678"));
    assert_eq!(headers(Dialect::OpenAi, None).len(), 1);
    assert_eq!(headers(Dialect::Anthropic, None).len(), 2);
}
