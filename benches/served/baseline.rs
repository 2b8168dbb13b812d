//! The least that asking takes: a loop on reqwest that sends the bodies the binary sends and throws the answers away.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use crate::lab::INSTRUCTION;

/// Asks about every document of `docs.csv`: a url, how many calls at once, how often each.
pub(crate) fn run(words: &[String]) {
    let [url, concurrency, repeats] = words else {
        panic!("url, concurrency, repeats");
    };
    let number = |word: &String| word.parse::<usize>().expect("a number");
    let (concurrency, repeats) = (number(concurrency), number(repeats));
    let csv = std::fs::read_to_string("docs.csv").expect("documents can be read");
    let csv: &'static str = csv.leak();
    let texts: Arc<[&str]> = csv.lines().skip(1).filter_map(text).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime can be made");
    runtime.block_on(async {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .no_proxy()
            .tls_certs_only([])
            .build()
            .expect("a client can be made");
        let next = Arc::new(AtomicUsize::new(0));
        let url: Arc<str> = format!("{url}/chat/completions").into();
        let workers: Vec<_> = (0..concurrency)
            .map(|_| {
                let worker = Arc::clone(&next);
                let (client, url, texts) = (client.clone(), Arc::clone(&url), Arc::clone(&texts));
                tokio::spawn(async move {
                    loop {
                        let index = worker.fetch_add(1, Ordering::Relaxed) / repeats;
                        let Some(text) = texts.get(index) else {
                            return;
                        };
                        ask(&client, &url, text).await;
                    }
                })
            })
            .collect();
        for worker in workers {
            worker.await.expect("every call is answered");
        }
    });
}

async fn ask(client: &reqwest::Client, url: &str, text: &str) {
    let prompt = format!("{INSTRUCTION}\n{text}");
    let body =
        json!({"model": "served", "messages": [{"role": "user", "content": prompt}]}).to_string();
    let request = client
        .post(url)
        .header("content-type", "application/json")
        .body(body);
    let response = request.send().await.expect("the server answers");
    assert!(response.status().is_success());
    response.bytes().await.expect("the answer is whole");
}

/// The text in a line of the csv.
fn text(line: &'static str) -> Option<&'static str> {
    line.split_once(",\"")?.1.strip_suffix('"')
}
