//! Books of Project Gutenberg from servers that behave and servers that do not. All on this machine;
//! nothing sleeps.

mod books;
mod client;
mod keep;
mod keys;
mod trouble;

use tribunal::frame::Frame;

use super::lab::{Lab, Ran};
use super::server::{Reply, Server};

/// A judge of two books; `MIRROR` is the server.
const SPEC: &str = r#"
[source.books]
gutenberg = [1342, 11]
mirror = "MIRROR/{id}.txt"

[judge.plain]
from = "books"
model = "heuristic"

[stats.scores]
from = "plain"

[table.scores]
from = "scores"
rows = ["metric"]
"#;

/// The stages of [`SPEC`].
const ALL: [&str; 4] = [
    "judge.plain",
    "source.books",
    "stats.scores",
    "table.scores",
];

/// The file of a book as Project Gutenberg has them.
fn book(id: u32, title: &str, text: &str) -> String {
    format!(
        "\u{feff}The Project Gutenberg eBook of {title}\r\n\r\nTitle: {title}\r\n\r\n\
         Author: A. Writer\r\n\r\nRelease date: June 27, 2008 [eBook #{id}]\r\n\r\n\
         Language: English\r\n\r\nOriginal publication: London: Smith, 1865\r\n\r\n\
         *** START OF THE PROJECT GUTENBERG EBOOK {title} ***\r\n\r\n{text}\r\n\r\n\
         *** END OF THE PROJECT GUTENBERG EBOOK {title} ***\r\n\r\nThe licence.\r\n"
    )
}

fn alice() -> String {
    book(
        11,
        "Alice",
        "Alice was beginning to get very tired.\r\n\r\nSo she slept.",
    )
}

fn pride() -> String {
    book(
        1342,
        "Pride",
        "It is a truth universally acknowledged.\r\n\r\nAll agreed.",
    )
}

/// A server with the two books.
pub(crate) fn mirror() -> Server {
    let server = Server::start();
    server.on("/11.txt", [Reply::text(alice())]);
    server.on("/1342.txt", [Reply::text(pride())]);
    server
}

/// A project that reads from a server.
fn lab(server: &Server) -> Lab {
    Lab::new().spec(&SPEC.replace("MIRROR", &server.url("")))
}

/// A project that has read both books of a server.
fn known() -> (Lab, Server) {
    let server = mirror();
    let lab = lab(&server);
    assert_eq!(lab.run(&["--json"]).ok().stages(), ALL);
    (lab, server)
}

/// The rows of the source.
fn rows(lab: &Lab, ran: &Ran) -> Frame {
    let nodes = ran.record["nodes"].as_array().unwrap();
    let node = nodes.iter().find(|node| node["node"] == "source.books");
    let output = node.unwrap()["output"].as_str().unwrap();
    let blob = lab.path(&format!("cache/v1/blobs/{}/{output}", &output[..2]));
    Frame::from_parquet(fs_err::read(blob).unwrap(), None).unwrap()
}

/// A column as text.
fn column(frame: &Frame, name: &str) -> Vec<String> {
    let column = frame.column(name).unwrap();
    (0..column.len())
        .map(|row| column.scalar(row).to_string())
        .collect()
}

/// The one file of the downloads with this beginning and ending.
fn download(lab: &Lab, start: &str, end: &str) -> String {
    let found: Vec<String> = lab
        .files("cache/v1/downloads")
        .iter()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .filter(|name| name.starts_with(start) && name.ends_with(end))
        .collect();
    assert_eq!(found.len(), 1, "{found:?}");
    format!("cache/v1/downloads/gutenberg/{}", found[0])
}
