//! Keys of servers: nowhere but in the one header that carries them.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Output;

use super::{PROVIDERS, failure, lab, snapshot};
use crate::chat::{ChatServer, Fault, Faults};
use crate::lab::Lab;
use crate::server::{Reply, Server};

/// No part of any other text.
const SECRET: &str = "sk-Pl4nted/S3cret+0123456789";

const TEXTS: usize = 4;

/// How every frame of zstd begins.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

fn contains(bytes: &[u8], part: &str) -> bool {
    bytes
        .windows(part.len())
        .any(|window| window == part.as_bytes())
}

/// A file's bytes, and what is packed in them.
fn layers(path: &Path) -> Vec<Vec<u8>> {
    let bytes = fs_err::read(path).unwrap();
    let starts = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(&ZSTD));
    let unpacked = starts.filter_map(|at| {
        let decoder = zstd::stream::read::Decoder::with_buffer(&bytes[at..]).ok()?;
        let mut plain = Vec::new();
        std::io::Read::read_to_end(&mut decoder.single_frame(), &mut plain).ok()?;
        Some(plain)
    });
    let mut layers: Vec<Vec<u8>> = unpacked.collect();
    layers.push(bytes);
    layers
}

/// No file of the project and nothing that was said holds the key.
#[track_caller]
fn assert_clean(lab: &Lab, output: &Output) {
    for said in [&output.stdout, &output.stderr] {
        assert!(!contains(said, SECRET), "{}", String::from_utf8_lossy(said));
    }
    for file in lab.files("") {
        for layer in layers(&file) {
            assert!(!contains(&layer, SECRET), "{}", file.display());
            // As JSON may have it.
            assert!(!contains(&layer, &SECRET.replace('/', "\\/")));
        }
    }
}

fn project(provider: &str, server: &ChatServer, variable: &str) -> Lab {
    let lab = lab(provider, &server.url(), TEXTS);
    lab.change(
        "retries = 3",
        &format!("retries = 1\napi-key-env = \"{variable}\""),
    );
    lab.append("[report]\nformats = [\"md\", \"csv\", \"parquet\", \"tex\", \"html\", \"json\"]");
    lab
}

/// Runs a command with the key in a variable.
fn with_key(lab: &Lab, variable: &str, args: &[&str]) -> Output {
    lab.command(args).env(variable, SECRET).output().unwrap()
}

#[test]
fn a_key_that_the_model_repeats_is_stored_nowhere() {
    for (provider, variable) in PROVIDERS.into_iter().zip(["OPENAI_API_KEY", "MY_OWN_KEY"]) {
        let server = ChatServer::setup()
            .faults(Faults::none().first(99, Fault::EchoesKey))
            .start();
        let lab = project(provider, &server, variable);
        for args in [
            &["call"][..],
            &["call", "text-0002", "--json"],
            &["run", "--json"],
            &["run"],
            &["plan", "--json"],
            &["why", "--key", "judge.grades"],
        ] {
            let output = with_key(&lab, variable, args);
            assert!(output.status.success(), "{args:?}: {output:?}");
            assert_clean(&lab, &output);
        }
        assert_eq!(server.count(), TEXTS);
        // It was sent, it came back, and what was looked through does hold the replies.
        let header = ["authorization", "x-api-key"]
            .iter()
            .find_map(|name| server.calls()[0].request.headers.get(*name).cloned());
        assert!(header.unwrap().ends_with(SECRET));
        let cache = lab.files("cache/v1");
        let stored = |file: &&std::path::PathBuf| {
            let layers = layers(file);
            layers.iter().any(|layer| contains(layer, "Your key is"))
        };
        let with_replies: Vec<_> = cache.iter().filter(stored).collect();
        assert!(with_replies.len() >= 2, "calls and rows: {with_replies:?}");
        assert!(
            lab.read("reports/experiment/grades.csv")
                .contains("[secret]")
        );
    }
}

#[test]
fn a_key_in_an_error_is_not_told() {
    for (provider, variable) in PROVIDERS
        .into_iter()
        .zip(["MY_OWN_KEY", "ANTHROPIC_API_KEY"])
    {
        let server = ChatServer::setup()
            .faults(Faults::none().first(99, Fault::BadKey))
            .start();
        let lab = project(provider, &server, variable);
        for args in [
            &["run", "--json"][..],
            &["run"],
            &["run", "--keep-going", "--quiet"],
            &["call"],
            &["call", "--json"],
        ] {
            let output = with_key(&lab, variable, args);
            assert_eq!(output.status.code(), Some(4), "{args:?}: {output:?}");
            let said = [&output.stdout[..], &output.stderr].concat();
            assert!(contains(&said, "[secret]"), "{args:?}: {output:?}");
            assert!(contains(&said, variable), "{args:?}: {output:?}");
            assert_clean(&lab, &output);
        }
    }
}

#[test]
fn a_missing_key_is_told_before_anything_is_sent() {
    for provider in PROVIDERS {
        let server = ChatServer::start();
        let lab = project(provider, &server, "MY_OWN_KEY");
        let ran = lab.run(&["--quiet"]).exit(4);
        snapshot!(format!("missing-key-{provider}"), failure(&ran));
        assert_eq!(server.server().requests().len(), 0);
    }
}

#[test]
fn a_run_whose_replies_are_stored_needs_no_key() {
    for provider in PROVIDERS {
        let server = ChatServer::start();
        let lab = project(provider, &server, "MY_OWN_KEY");
        let output = with_key(&lab, "MY_OWN_KEY", &["run"]);
        assert!(output.status.success(), "{output:?}");
        lab.remove("cache/v1/nodes");
        lab.remove("cache/v1/blobs");
        let ran = lab.run(&["--json"]).ok();
        assert_eq!(ran.summary()["calls_reused"], TEXTS);
        assert_eq!(server.count(), TEXTS);
    }
}

#[test]
fn a_server_that_needs_no_key_is_sent_none() {
    let server = ChatServer::start();
    let lab = lab("openai", &server.url(), 1).env("OPENAI_API_KEY", SECRET);
    lab.run(&["--quiet"]).ok();
    let headers = &server.calls()[0].request.headers;
    assert!(!headers.contains_key("authorization"), "{headers:?}");
}

/// No file of the project and nothing that was said holds any of these.
#[track_caller]
fn assert_without(lab: &Lab, output: &Output, parts: &[&str]) {
    for part in parts {
        for said in [&output.stdout, &output.stderr] {
            assert!(
                !contains(said, part),
                "{part}: {}",
                String::from_utf8_lossy(said)
            );
        }
        for file in lab
            .files("")
            .into_iter()
            .filter(|file| !file.ends_with("experiment.toml"))
        {
            for layer in layers(&file) {
                assert!(!contains(&layer, part), "{part} in {}", file.display());
            }
        }
    }
}

fn escaped(write: impl Fn(&mut String, char)) -> String {
    let mut text = String::new();
    SECRET.chars().for_each(|c| write(&mut text, c));
    text
}

/// A project whose server answers every question with this body.
fn answered(provider: &str, status: u16, body: &str) -> (Lab, Output, Server) {
    let body = body.to_owned();
    let server = Server::answering(move |_| Reply::json(&body).with_status(status));
    let lab = lab(provider, &server.url("/v1"), 1);
    lab.change("retries = 3", "retries = 0\napi-key-env = \"A_KEY\"");
    lab.append("[report]\nformats = [\"md\", \"csv\", \"html\", \"json\"]");
    let output = with_key(&lab, "A_KEY", &["run", "--keep-going"]);
    (lab, output, server)
}

#[test]
fn a_key_is_stored_in_no_writing() {
    use base64::Engine as _;
    let base64 = |before: &str| {
        base64::engine::general_purpose::STANDARD.encode(format!("{before}{SECRET}"))
    };
    let writings = [
        escaped(|text, c| write!(text, "\\u{:04x}", u32::from(c)).unwrap()),
        escaped(|text, c| write!(text, "\\\\u{:04X}", u32::from(c)).unwrap()),
        SECRET.replace('/', "\\/").replace('S', "\\u0053"),
        escaped(|text, c| write!(text, "&#{};", u32::from(c)).unwrap()),
        escaped(|text, c| write!(text, "%{:02x}", u32::from(c)).unwrap()),
        escaped(|text, c| write!(text, "{:02x}", u32::from(c)).unwrap()),
        base64(""),
        base64("a"),
        base64("ab"),
        SECRET.chars().rev().collect(),
    ];
    for writing in &writings {
        let body = format!(
            r#"{{"id":"1","model":"judge","choices":[{{"finish_reason":"stop","message":{{"role":"assistant","content":"FINAL Fluency Score: 4\nFINAL Coherence Score: 3\nkey {writing}"}}}}],"usage":{{"prompt_tokens":0}}}}"#
        );
        let (lab, output, _server) = answered("openai", 200, &body);
        assert!(output.status.success(), "{writing}: {output:?}");
        assert!(
            lab.read("reports/experiment/grades.csv")
                .contains("[secret]"),
            "{writing}"
        );
        let middle = &writing[writing.len() / 4..writing.len() * 3 / 4];
        let whole: String = serde_json::from_str(&format!("\"{writing}\"")).unwrap_or_default();
        let whole = &whole[whole.len() / 4..whole.len() * 3 / 4];
        assert_without(&lab, &output, &[SECRET, middle, whole]);
    }
}

#[test]
fn a_key_in_several_parts_of_a_reply_is_not_put_together() {
    let (a, b) = SECRET.split_at(5);
    let body = format!(
        r#"{{"id":"1","type":"message","role":"assistant","model":"judge","content":[{{"type":"text","text":"FINAL Fluency Score: 4\nFINAL Coherence Score: 3\n{a}"}},{{"type":"text","text":"{b}"}}],"stop_reason":"end_turn","usage":{{"input_tokens":0,"output_tokens":1}}}}"#
    );
    let (lab, output, _server) = answered("anthropic", 200, &body);
    assert!(output.status.success(), "{output:?}");
    assert!(
        lab.read("reports/experiment/grades.csv")
            .contains("[secret]")
    );
    assert_without(&lab, &output, &[SECRET, "S3cret"]);
}

#[test]
fn the_ends_of_a_key_in_an_error_are_not_told() {
    for masked in [
        "sk-Pl4nt***********456789",
        "sk-Pl4nted…3456789",
        "sk-Pl4n\\u2026\\u2026456789",
    ] {
        for status in [400, 401, 403, 429, 500] {
            let body = format!(
                r#"{{"error":{{"message":"Incorrect API key provided: {masked}. You can find yours elsewhere.","type":"invalid_request_error","code":"invalid_api_key"}}}}"#
            );
            let (lab, output, _server) = answered("openai", status, &body);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(said.contains("[secret]"), "{status} {masked}: {said}");
            assert_without(&lab, &output, &["sk-Pl4n", "56789"]);
        }
    }
}
