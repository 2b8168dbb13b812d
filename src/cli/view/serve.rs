//! A page and its chunks over HTTP, for this machine alone.
//!
//! It reads no files but the one that all chunks are in, which is open before anybody asks: there is nothing that a path
//! could lead to. Other sites cannot read it under a name of theirs that leads to this machine, because it answers to its own
//! names only.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;

use crate::base::lock::lock;
use crate::output::page::Chunk;
use crate::output::page::store::Keep as _;
use crate::publish::{Chunks, Served};

/// Of several chunks that are asked for together so many bytes are given, or one chunk of more.
const AT_ONCE: usize = 1 << 18;

/// What every answer says: what it may not be used for.
const SAID: [(HeaderName, HeaderValue); 5] = [
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// For what is no page: nothing in it is ever run or loaded.
const NO_PAGE: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// For the page, beside the policy that stands in it and names its script by digest.
const PAGE: HeaderValue =
    HeaderValue::from_static("base-uri 'none'; form-action 'none'; frame-ancestors 'none'");

/// A page and its chunks.
pub(super) struct Site {
    page: Bytes,
    /// Where each chunk is, by its name.
    list: BTreeMap<String, Chunk>,
    chunks: Mutex<Chunks>,
    /// The names it goes by.
    hosts: [String; 2],
}

impl Site {
    /// The site that is served at this port of 127.0.0.1.
    pub(super) fn new(served: Served, port: u16) -> Arc<Self> {
        let list = served.list.into_iter();
        Arc::new(Self {
            page: served.page.into(),
            list: list.map(|chunk| (chunk.name.clone(), chunk)).collect(),
            chunks: Mutex::new(served.chunks),
            hosts: ["127.0.0.1", "localhost"].map(|host| match port {
                80 => host.to_owned(),
                port => format!("{host}:{port}"),
            }),
        })
    }

    /// Answers until nobody waits for it any more.
    pub(super) async fn serve(self: Arc<Self>, listener: TcpListener) {
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                // Too many open files, say: those that are open will close.
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                continue;
            };
            let site = Arc::clone(&self);
            tokio::spawn(async move {
                let answer = service_fn(|request: Request<Incoming>| {
                    let response = site.answer(&request);
                    async move { Ok::<_, Infallible>(response) }
                });
                // A browser that went away is no error.
                let _ = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .serve_connection(TokioIo::new(stream), answer)
                    .await;
            });
        }
    }

    /// The answer to a request. The body of one to `HEAD` is left out by the server.
    fn answer<B>(&self, request: &Request<B>) -> Response<Full<Bytes>> {
        let host = request.headers().get(header::HOST);
        let ours = |host: &HeaderValue| self.hosts.iter().any(|name| host == name.as_str());
        if !host.is_some_and(ours) {
            return refused(StatusCode::FORBIDDEN, "this page has another address");
        }
        if ![Method::GET, Method::HEAD].contains(request.method()) {
            let mut refused = refused(StatusCode::METHOD_NOT_ALLOWED, "this page is read-only");
            let allowed = HeaderValue::from_static("GET, HEAD");
            refused.headers_mut().insert(header::ALLOW, allowed);
            return refused;
        }
        let path = request.uri().path();
        if path == "/" {
            return answer(StatusCode::OK, "text/html; charset=utf-8", PAGE, &self.page);
        }
        let names = path.strip_prefix("/chunks/");
        let asked = names.and_then(|names| {
            let chunks = names.split(',').map(|name| self.list.get(name));
            chunks.collect::<Option<Vec<&Chunk>>>()
        });
        let Some(asked) = asked else {
            return refused(StatusCode::NOT_FOUND, "there is nothing here");
        };
        match self.read(&asked) {
            Ok(gzip) => answer(StatusCode::OK, "application/gzip", NO_PAGE, &gzip.into()),
            Err(_) => refused(
                StatusCode::INTERNAL_SERVER_ERROR,
                "the file of the judgements cannot be read",
            ),
        }
    }

    /// A chunk; of several the first, until these are large, each behind its length. A chunk is some kilobytes of a file that
    /// was just written or is looked at again and again.
    fn read(&self, asked: &[&Chunk]) -> io::Result<Vec<u8>> {
        let mut chunks = lock(&self.chunks);
        if let [one] = asked {
            return chunks.read(one.at, one.length);
        }
        let mut together = Vec::new();
        for chunk in asked {
            let length = u32::try_from(chunk.length).map_err(io::Error::other)?;
            if !together.is_empty() && together.len() + 4 + chunk.length > AT_ONCE {
                break;
            }
            together.extend_from_slice(&length.to_le_bytes());
            together.extend(chunks.read(chunk.at, chunk.length)?);
        }
        Ok(together)
    }
}

fn answer(
    status: StatusCode,
    kind: &'static str,
    policy: HeaderValue,
    body: &Bytes,
) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body.clone()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.extend(SAID);
    response
}

fn refused(status: StatusCode, why: &'static str) -> Response<Full<Bytes>> {
    let body = Bytes::from_static(why.as_bytes());
    answer(status, "text/plain; charset=utf-8", NO_PAGE, &body)
}
