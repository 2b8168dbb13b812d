//! Against a server on this machine that says what it is told to.

use std::ffi::OsString;
use std::io::Write;
use std::net::TcpListener;

use super::super::testing::{Told, http, read};
use super::*;

fn client() -> Client {
    Client::new(Arc::default())
}

async fn post(client: &Client, url: &str) -> Result<Answer, CallError> {
    client
        .post(
            &format!("{url}/chat/completions"),
            HeaderMap::new(),
            b"{}".to_vec(),
        )
        .await
}

#[tokio::test]
async fn bytes_go_out_and_come_back() {
    let told = Told::to_say(vec![vec![http(
        "418 Teapot",
        "Content-Type: a/b\r\nRetry-After: 3\r\n",
        "short",
    )]]);
    let mut headers = HeaderMap::new();
    headers.insert("x-api-key", "k".parse().unwrap());
    let url = format!("{}/messages", told.url);
    let answer = client()
        .post(&url, headers, b"body\0\xff".to_vec())
        .await
        .unwrap();
    assert_eq!(
        answer,
        Answer {
            url,
            status: 418,
            content_type: Some("a/b".to_owned()),
            location: None,
            after: Some(Duration::from_secs(3)),
            body: b"short".to_vec(),
        }
    );
    let asked = &told.was_asked()[0];
    assert_eq!(asked.line, "POST /v1/messages HTTP/1.1");
    assert_eq!(asked.body, b"body\0\xff");
    assert_eq!(asked.headers["x-api-key"], "k");
    assert!(asked.headers["user-agent"].starts_with("tribunal/"));
    assert!(!asked.headers.contains_key("referer"));
}

#[tokio::test]
async fn one_connection_serves_many_requests() {
    let told = Told::to_say(vec![vec![http("200 OK", "", "1"), http("200 OK", "", "2")]]);
    let client = client();
    for expected in ["1", "2"] {
        let answer = client.get(&told.url, HeaderMap::new(), 9).await.unwrap();
        assert_eq!(answer.body, expected.as_bytes());
    }
    assert_eq!(told.was_asked().len(), 2);
}

#[tokio::test]
async fn after_hanging_up_another_connection_is_made() {
    let told = Told::to_say(vec![
        vec![http("200 OK", "", "1"), http("200 OK", "", "never")],
        vec![http("200 OK", "", "2")],
    ]);
    let client = client();
    assert_eq!(post(&client, &told.url).await.unwrap().body, b"1");
    client.hang_up();
    assert_eq!(post(&client, &told.url).await.unwrap().body, b"2");
}

#[tokio::test]
async fn an_answer_sent_twice_at_once_is_not_read_twice() {
    let twice = [http("200 OK", "", "1"), http("200 OK", "", "1")].concat();
    let told = Told::to_say(vec![vec![twice], vec![http("200 OK", "", "2")]]);
    let client = client();
    assert_eq!(post(&client, &told.url).await.unwrap().body, b"1");
    assert_eq!(post(&client, &told.url).await.unwrap().body, b"2");
}

#[tokio::test]
async fn a_redirection_comes_back_as_it_is() {
    let told = Told::to_say(vec![vec![http(
        "307 Temporary Redirect",
        "Location: http://127.0.0.1:1/\r\n",
        "",
    )]]);
    let answer = post(&client(), &told.url).await.unwrap();
    assert_eq!(
        (answer.status, answer.location.as_deref()),
        (307, Some("http://127.0.0.1:1/"))
    );
}

#[tokio::test]
async fn keys_are_gone_before_anyone_looks() {
    let secrets = Secrets::read(["KEY"], |_| Some(OsString::from("sk-123456789")));
    let headers = "Content-Type: text/sk-123456789\r\nLocation: /?k=sk-123456789\r\n";
    let told = Told::to_say(vec![vec![http("401 No", headers, "bad key sk-123456789")]]);
    let answer = post(&Client::new(Arc::new(secrets)), &told.url)
        .await
        .unwrap();
    assert_eq!(answer.body, b"bad key [secret]");
    assert_eq!(answer.content_type.as_deref(), Some("text/[secret]"));
    assert_eq!(answer.location.as_deref(), Some("/?k=[secret]"));
}

#[tokio::test]
async fn what_is_secret_in_a_url_is_not_shown() {
    let told = Told::to_say(vec![vec![http("200 OK", "", "")]]);
    let url = told.url.replace("http://", "http://user:password@");
    let answer = client()
        .get(&format!("{url}/x?key=1#f"), HeaderMap::new(), 9)
        .await
        .unwrap();
    assert_eq!(answer.url, format!("{}/x", told.url));
}

#[tokio::test]
async fn nobody_there_is_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = listener.local_addr().unwrap();
    drop(listener);
    let error = post(&client(), &format!("http://u:password@{place}/v1"))
        .await
        .unwrap_err();
    let CallError::Unreachable(why) = error else {
        panic!("{error:?}")
    };
    assert!(
        why.starts_with(&format!("`{place}` cannot be reached: ")),
        "{why}"
    );
    assert!(why.contains("refused"), "{why}");
    assert!(!why.contains("http://"), "{why}");
}

#[tokio::test]
async fn a_server_that_does_not_speak_tls_is_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/v1", listener.local_addr().unwrap());
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream
            .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            .unwrap();
    });
    let error = post(&client(), &url).await.unwrap_err();
    assert!(matches!(error, CallError::Unreachable(_)), "{error:?}");
    let said = error.to_string();
    assert!(said.ends_with("; does it speak `http://`?"), "{said}");
    thread.join().unwrap();
}

#[tokio::test]
async fn half_an_answer_is_broken() {
    for answer in [
        &b""[..],
        b"HTTP/1.1 200 OK\r\nconte",
        b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n",
        b"not http at all\r\n\r\n",
    ] {
        let told = Told::to_say(vec![vec![answer.to_vec()]]);
        let error = post(&client(), &told.url).await.unwrap_err();
        let CallError::Broken(why) = error else {
            panic!("{error:?}")
        };
        assert!(why.starts_with("the connection to `127.0.0.1:"), "{why}");
    }
}

#[tokio::test]
async fn an_answer_has_a_longest_length() {
    // The first says so at once and never sends anything; the second says nothing and sends too much.
    let declared = b"HTTP/1.1 200 OK\r\ncontent-length: 2000001\r\n\r\n".to_vec();
    let undeclared = [b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), vec![b'x'; 2_000_001]].concat();
    for answer in [declared, undeclared] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let thread = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            read(&mut stream).unwrap();
            // The other side may hang up in between.
            let _ = stream.write_all(&answer);
        });
        let error = client()
            .get(&url, HeaderMap::new(), 2_000_000)
            .await
            .unwrap_err();
        let CallError::Failed(why) = error else {
            panic!("{error:?}")
        };
        assert!(
            why.ends_with("is larger than 2 MB, which is the limit"),
            "{why}"
        );
        thread.join().unwrap();
    }
}

#[tokio::test]
async fn a_url_that_is_none_stops_the_run() {
    for url in ["no url", "ftp://127.0.0.1/x"] {
        let error = client().get(url, HeaderMap::new(), 9).await.unwrap_err();
        assert!(matches!(error, CallError::Fatal(_)), "{error:?}");
    }
}
