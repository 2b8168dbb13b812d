//! `plan`: what calls there would be, how long and how dear, before one is made.

use serde_json::Value;

use super::{lab, snapshot, texts_csv, without_tokenizer};
use crate::chat::{ChatServer, Fault, Faults};
use crate::lab::Lab;

const TEXTS: usize = 6;

/// A project whose model has prices and a context that one of its texts does not fit into.
fn priced(server: &ChatServer) -> Lab {
    let long = "the ferry leaves at dawn with eleven sheep ".repeat(125);
    let texts = format!("{}long,{long}\n", texts_csv(TEXTS));
    let lab = lab("openai", &server.url(), TEXTS).file("texts.csv", texts);
    lab.change(
        "retries = 3",
        "retries = 3\ncontext = 500\ninput-price = 10\noutput-price = 100",
    );
    lab.change("[judge.grades]", "[judge.grades]\nmax-unscored = 1");
    lab
}

/// The forecast of a judge's calls.
fn calls(lab: &Lab) -> Value {
    let nodes: Value = serde_json::from_str(&lab.cmd(&["plan", "--json"]).ok().out).unwrap();
    let mut nodes = nodes.as_array().unwrap().iter();
    let judge = nodes.find(|node| node["node"] == "judge.grades");
    judge.unwrap()["calls"].clone()
}

#[test]
fn a_plan_tells_calls_tokens_and_cost_and_asks_nobody() {
    let server = ChatServer::start();
    let lab = priced(&server);
    without_tokenizer(&lab);
    snapshot!("new", lab.cmd(&["plan"]).ok().out);
    assert_eq!(server.server().requests().len(), 0);
    lab.change("input-price = 10\noutput-price = 100", "");
    snapshot!("without-prices", lab.cmd(&["plan"]).ok().out);
    lab.change("max-tokens = 100\n", "");
    snapshot!("without-a-limit", lab.cmd(&["plan"]).ok().out);
}

#[test]
fn what_is_stored_is_not_counted_and_earlier_replies_tell_how_long_others_will_be() {
    let server = ChatServer::start();
    let lab = priced(&server);
    lab.run(&["--quiet"]).ok();
    let known = calls(&lab);
    assert_eq!(known, Value::Null, "nothing is to be asked");
    lab.change("prompt = \"grade\"", "prompt = \"grade\"\nrepeats = 3");
    snapshot!("with-stored-replies", lab.cmd(&["plan"]).ok().out);
    let forecast = calls(&lab);
    assert_eq!(forecast["calls"], 2 * TEXTS);
    assert_eq!(forecast["stored"], TEXTS);
    assert_eq!(forecast["too_long"], 3);
    let count = server.count();
    lab.run(&["--quiet"]).ok();
    assert_eq!(server.count() - count, 2 * TEXTS);
}

#[test]
fn with_the_models_own_tokenizer_a_forecast_is_what_comes_and_a_bound_holds() {
    let server = ChatServer::start();
    let lab = priced(&server);
    let forecast = calls(&lab);
    assert_eq!(forecast["exact"], true);
    let summary = lab.run(&["--json"]).ok().summary().clone();
    assert_eq!(summary["calls_made"], forecast["calls"]);
    let of = |value: &Value| value.as_f64().unwrap();
    assert_eq!(summary["tokens_read"], forecast["read"]);
    assert!(of(&summary["tokens_written"]) <= of(&forecast["most_written"]));
    assert!(of(&summary["cost"]) <= of(&forecast["most_cost"]));
}

#[test]
fn rows_without_a_text_are_told() {
    let server = ChatServer::setup()
        .faults(Faults::none().share(0.5, [Fault::EmptyReply]))
        .start();
    let lab = priced(&server)
        .template("summarise", "Summarise in one sentence.\n\n{{ text }}\n")
        .template("compare", "Grade fluency and coherence.\n\n{{ summary }}\n");
    lab.append("[generate.summaries]\nfrom = \"texts\"\nmodel = \"judge\"\nprompt = \"summarise\"\ninto = \"summary\"\nmax-unwritten = 1");
    lab.change(
        "from = \"texts\"\nmodel = \"judge\"\nprompt = \"grade\"",
        "from = \"summaries\"\nmodel = \"judge\"\nprompt = \"compare\"\nvariables = \"summary\"",
    );
    snapshot!("waiting", lab.cmd(&["plan"]).ok().out);
    lab.run(&["--quiet", "--only", "generate.summaries"]).ok();
    snapshot!("without-texts", lab.cmd(&["plan"]).ok().out);
    let forecast = calls(&lab);
    let count = server.count();
    assert!(forecast["not_applicable"].as_u64().unwrap() > 1);
    lab.run(&["--quiet"]).ok();
    assert_eq!(
        server.count() - count,
        forecast["calls"].as_u64().unwrap() as usize
    );
}
