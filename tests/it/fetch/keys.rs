//! What a source of books depends on: their bytes and their order, and not where they come from.

use super::{ALL, download, known, mirror};
use crate::server::Reply;

#[test]
fn the_key_has_the_digest_of_each_book_and_not_the_mirror() {
    let (lab, server) = known();
    let key = |lab: &crate::lab::Lab| lab.cmd(&["why", "source.books", "--key"]).ok().out;
    let printed = key(&lab);
    let json = &printed[printed.find('{').expect("a key is printed")..];
    insta::assert_snapshot!("books-key", json);
    for role in ["\"gutenberg 11\": \"", "\"gutenberg 1342\": \""] {
        assert!(printed.contains(role), "{printed}");
    }
    assert!(!printed.contains("127.0.0.1"), "{printed}");
    let other = mirror();
    lab.change(&server.url(""), &other.url(""));
    let ran = lab.run(&["--json"]).ok();
    assert_eq!((ran.nodes().len(), other.requests().len()), (0, 2));
    assert_eq!(key(&lab), printed);
}

#[test]
fn a_byte_of_a_book_invalidates() {
    let (lab, server) = known();
    let changed = super::alice().replace("very tired", "very sleepy");
    server.on("/11.txt", [Reply::text(changed)]);
    assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0], "it is kept");
    lab.remove(&download(&lab, "11-", ".json"));
    let said = lab.cmd(&["why", "source.books"]).ok().out;
    assert!(said.contains("files.gutenberg 11: "), "{said}");
    let ran = lab.run(&["--json"]).ok();
    assert!(ran.record["nodes"][0]["files"]["gutenberg 11"].is_string());
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn the_order_of_books_is_the_order_of_rows_and_invalidates() {
    let (lab, server) = known();
    lab.change("[1342, 11]", "[11, 1342]");
    let said = lab.cmd(&["why", "source.books"]).ok().out;
    assert!(said.contains("parameters.gutenberg"), "{said}");
    assert_eq!(server.requests().len(), 2);
    let ran = lab.run(&["--json"]).ok();
    assert!(ran.tables.contains_key("scores.md"));
}

#[test]
fn one_book_need_not_stand_in_a_list() {
    let server = mirror();
    let lab = super::lab(&server);
    lab.change("[1342, 11]", "11");
    assert_eq!(lab.run(&["--json"]).ok().stages(), ALL);
    lab.change("gutenberg = 11", "gutenberg = [11]");
    assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0]);
}
