//! What a person is told when books do not arrive, and that nothing half comes of it.

use super::{ALL, lab, mirror};
use crate::server::{Reply, Server};

/// What is said of the source when book 11 is answered like this; its server stands for itself.
#[track_caller]
fn said(reply: Reply) -> String {
    let server = mirror();
    server.on("/11.txt", [reply]);
    let lab = lab(&server);
    let ran = lab.run(&["--quiet"]).exit(4);
    assert_eq!(server.count("/11.txt"), 1, "it is no use to ask again");
    assert!(ran.tables.is_empty(), "{:?}", ran.tables);
    let told = ran.told();
    let end = told.find("\n0 stages").unwrap();
    let said = told[..end].replace(&server.url(""), "http://mirror");
    // What arrived is kept, and the next run asks for the rest.
    server.on("/11.txt", [Reply::text(super::alice())]);
    assert_eq!(lab.run(&["--json"]).ok().stages(), ALL);
    assert_eq!((server.count("/1342.txt"), server.count("/11.txt")), (1, 2));
    said
}

#[test]
fn a_book_that_is_not_there_is_named_with_its_address() {
    assert_eq!(
        said(Reply::status(404)),
        "failed source.books: book 11 of Project Gutenberg: `http://mirror/11.txt` answers 404 Not Found\n\
         hint: see that https://www.gutenberg.org/ebooks/11 has a plain text, or name another `mirror`"
    );
}

#[test]
fn a_page_does_not_become_a_book() {
    let page = "<!DOCTYPE html><title>Not found</title>";
    let html = Reply::status(200).header("content-type", "text/html; charset=utf-8");
    assert_eq!(
        said(html.body(page)),
        "failed source.books: book 11 of Project Gutenberg: `http://mirror/11.txt` is `text/html`, not a plain text\n\
         hint: open the address in a browser; where a mirror answers with a page, name another `mirror`"
    );
    for (reply, what) in [
        (Reply::text(page), "a page of markup"),
        (
            Reply::status(200).body("\n<html lang=en>"),
            "a page of markup",
        ),
        (Reply::text(""), "empty"),
        (Reply::text("PK\u{3}\u{4}\0"), "binary data"),
    ] {
        let said = said(reply);
        let wanted = format!("`http://mirror/11.txt` is {what}, not a plain text");
        assert!(said.contains(&wanted), "{said}");
    }
}

#[test]
fn a_server_that_wants_to_be_left_alone_is_and_the_run_says_until_when() {
    assert_eq!(
        said(Reply::status(429).header("retry-after", "86400")),
        "failed source.books: `http://mirror/11.txt` answers 429 Too Many Requests and asks to come back in 86400 seconds\n\
         hint: run again later: what was fetched until now is kept"
    );
}

#[test]
fn a_server_that_is_busy_is_asked_again() {
    let server = mirror();
    let busy = Reply::status(503).header("retry-after", "0");
    server.on("/11.txt", [busy.clone(), busy, Reply::text(super::alice())]);
    let ran = lab(&server).run(&["--json"]).ok();
    assert_eq!((ran.stages().len(), ran.warnings()), (4, vec![]));
    assert_eq!(server.count("/11.txt"), 3);
}

#[test]
fn a_server_that_stays_busy_ends_the_run_at_the_first_book() {
    let server = mirror();
    let busy = Reply::status(503).header("retry-after", "0");
    server.on("/1342.txt", [busy]);
    let ran = lab(&server).run(&["--quiet"]).exit(4);
    let wanted = "/1342.txt` answers 503 Service Unavailable (3 attempts)\n\
                  hint: run again later, or name another `mirror`; what was fetched until now is kept";
    assert!(ran.told().contains(wanted), "{}", ran.err);
    assert_eq!((server.count("/1342.txt"), server.count("/11.txt")), (3, 0));
}

#[test]
fn all_books_that_are_not_there_are_named_at_once() {
    let server = mirror();
    let lab = lab(&server);
    lab.change("[1342, 11]", "[5, 1342, 6, 11]");
    let ran = lab.run(&["--quiet"]).exit(4);
    let told = ran.told().replace(&server.url(""), "http://mirror");
    let wanted = "failed source.books: 2 of 4 books could not be fetched:\n\
                  \x20 book 5: `http://mirror/5.txt` answers 404 Not Found\n\
                  \x20 book 6: `http://mirror/6.txt` answers 404 Not Found\n\
                  hint: correct the numbers in `gutenberg`, or name another `mirror`\n";
    assert!(told.starts_with(wanted), "{told}");
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn a_mirror_that_has_no_book_is_not_asked_for_all() {
    let server = Server::start();
    let lab = lab(&server);
    lab.change("[1342, 11]", "[1, 2, 3, 4, 5, 6, 7, 8]");
    let ran = lab.run(&["--quiet"]).exit(4);
    let wanted = "5 of 8 books could not be fetched, and no further one was asked for:";
    assert!(ran.err.contains(wanted), "{}", ran.err);
    assert_eq!(server.requests().len(), 5);
}
