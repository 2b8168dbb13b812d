//! What comes of books that arrive.

use super::{ALL, column, known, lab, mirror, rows};
use crate::lab::{Lab, SPEC};
use crate::server::{Reply, Server};

#[test]
fn two_books_arrive_and_are_rows_in_the_order_of_the_spec() {
    let server = mirror();
    let lab = lab(&server);
    let ran = lab.run(&["--json"]).ok();
    assert_eq!((ran.warnings(), server.requests().len()), (vec![], 2));
    let rows = rows(&lab, &ran);
    assert_eq!(
        rows.names(),
        [
            "doc_id",
            "title",
            "author",
            "year",
            "language",
            "gutenberg",
            "url",
            "text"
        ]
    );
    assert_eq!(column(&rows, "doc_id"), ["PG-1342", "PG-11"]);
    assert_eq!(column(&rows, "title"), ["Pride", "Alice"]);
    assert_eq!(column(&rows, "author"), ["A. Writer", "A. Writer"]);
    assert_eq!(column(&rows, "year"), ["1865", "1865"]);
    assert_eq!(column(&rows, "gutenberg"), ["1342", "11"]);
    assert_eq!(rows.column("gutenberg").unwrap().kind(), "whole numbers");
    assert_eq!(
        column(&rows, "text")[1],
        "Alice was beginning to get very tired.\n\nSo she slept."
    );
    let page = "https://www.gutenberg.org/ebooks/1342";
    assert_eq!(column(&rows, "url")[0], page, "the mirror is in no result");
}

#[test]
fn a_second_run_sends_nothing_even_without_results() {
    let (lab, server) = known();
    let ran = lab.run(&["--json"]).ok();
    assert_eq!((ran.nodes().len(), server.requests().len()), (0, 2));
    lab.remove("cache/v1/nodes");
    let again = lab.run(&["--json"]).ok();
    assert_eq!((again.stages().len(), server.requests().len()), (4, 2));
    assert_eq!(again.tables, ran.tables);
    // Nor does one without a server.
    drop(server);
    lab.remove("cache/v1/blobs");
    assert_eq!(lab.run(&["--json", "--offline"]).ok().tables, ran.tables);
}

#[test]
fn offline_names_the_books_that_are_missing_and_sends_nothing() {
    let server = mirror();
    let lab = lab(&server);
    let ran = lab.run(&["--quiet", "--offline"]).exit(4);
    let message = "2 books of Project Gutenberg have not been fetched yet: `1342` and `11`\n\
                   hint: run once without `--offline`";
    assert!(ran.told().contains(message), "{}", ran.err);
    assert_eq!(server.requests().len(), 0);
    lab.run(&["--quiet"]).ok();
    lab.run(&["--quiet", "--offline"]).ok();
    lab.change("[1342, 11]", "[1342, 84, 11]");
    let ran = lab.run(&["--quiet", "--offline"]).exit(4);
    let message = "1 book of Project Gutenberg has not been fetched yet: `84`";
    assert!(ran.err.contains(message), "{}", ran.err);
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_plan_fetches_what_it_needs_to_count_and_a_run_then_sends_nothing() {
    let server = mirror();
    let lab = lab(&server);
    let planned = lab.cmd(&["plan"]).ok();
    assert!(planned.out.contains("2 prompts"), "{}", planned.out);
    let told = "fetching book 1342 for source.books (1 of 2)\n\
                fetching book 11 for source.books (2 of 2)\n";
    assert_eq!(planned.err, told);
    assert_eq!(server.requests().len(), 2);
    lab.run(&["--json"]).ok();
    assert_eq!(server.requests().len(), 2);
    server.on("/84.txt", [Reply::status(404)]);
    lab.change("[1342, 11]", "[1342, 84, 11]");
    let planned = lab.cmd(&["plan", "--json"]).exit(4);
    assert!(planned.err.contains("book 84"), "{}", planned.err);
}

#[test]
fn progress_names_the_book_and_how_many_there_are() {
    let server = mirror();
    let lab = lab(&server);
    let ran = lab.run(&["--json", "--only", "source.books"]).ok();
    let told: Vec<_> = ran
        .events("fetching")
        .iter()
        .map(|event| {
            (
                event["book"].clone(),
                event["done"].clone(),
                event["of"].clone(),
            )
        })
        .collect();
    let numbers = |a: u64, b: u64, c: u64| (a.into(), b.into(), c.into());
    assert_eq!(told, [numbers(1342, 0, 2), numbers(11, 1, 2)]);
    lab.remove("cache");
    let ran = lab.run(&[]).ok();
    let line = "fetching book 11 for source.books (2 of 2)\n";
    assert!(ran.err.contains(line), "{}", ran.err);
    lab.remove("cache");
    assert_eq!(
        lab.run(&["--quiet"]).ok().err.matches("fetching").count(),
        0
    );
}

#[test]
fn a_file_in_latin_1_is_read_as_what_it_says_it_is() {
    let server = mirror();
    let mut bytes = super::book(11, "Caf", "Un caf").into_bytes();
    let at = bytes.windows(6).position(|w| w == b"Un caf").unwrap() + 6;
    bytes.insert(at, 0xe9);
    // Without its byte order mark, and declared.
    let declared = [b"Character set encoding: ISO-8859-1\r\n\r\n", &bytes[3..]].concat();
    server.on("/11.txt", [Reply::text(declared)]);
    let lab = lab(&server);
    lab.change("[judge.plain]", "[judge.plain]\nmax-unscored = 1");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(column(&rows(&lab, &ran), "text")[1], "Un café");
    let said = "1 book read as Latin-1 (Windows-1252), which is what the header says: `PG-11`";
    assert!(lab.run(&[]).ok().err.contains(said));
}

#[test]
fn tables_do_not_depend_on_which_book_came_first() {
    let (lab, _server) = known();
    let tables = lab.run(&["--json"]).ok().tables;
    let server = mirror();
    let other = super::lab(&server);
    let spec = other.read(SPEC);
    other.change("[1342, 11]", "[11]");
    other.run(&["--quiet"]).ok();
    other.write(SPEC, spec);
    assert_eq!(other.run(&["--json"]).ok().tables, tables);
    assert_eq!(server.count("/11.txt"), 1);
}

#[test]
fn two_sources_ask_for_a_book_once() {
    let server = mirror();
    let lab = lab(&server);
    let mirror = server.url("/{id}.txt");
    lab.append(&format!(
        "[source.more]\ngutenberg = [11]\nmirror = \"{mirror}\"\n\
         [judge.more]\nfrom = \"more\"\nmodel = \"heuristic\"\n\
         [stats.more]\nfrom = \"more\"\n[table.more]\nfrom = \"more\"\nrows = [\"metric\"]"
    ));
    lab.change(
        "[stats.more]\nfrom = \"more\"",
        "[stats.more]\nfrom = \"judge.more\"",
    );
    lab.change(
        "[table.more]\nfrom = \"more\"",
        "[table.more]\nfrom = \"stats.more\"",
    );
    lab.change(
        "[judge.more]\nfrom = \"more\"",
        "[judge.more]\nfrom = \"source.more\"",
    );
    lab.run(&["--json", "--jobs", "4"]).ok();
    assert_eq!((server.count("/11.txt"), server.count("/1342.txt")), (1, 1));
}

#[test]
fn metadata_and_columns_work_as_for_files() {
    let server = mirror();
    let lab = lab(&server);
    let mirror = format!("mirror = \"{}\"", server.url("/{id}.txt"));
    let with = |more: &str| {
        lab.change(&mirror, &format!("{mirror}\n{more}"));
        let ran = lab.run(&["--json"]).ok();
        lab.change(&format!("{mirror}\n{more}"), &mirror);
        rows(&lab, &ran)
    };
    lab.write("ids.csv", "doc_id,genre\nPG-11,Nonsense\nPG-1342,Romance\n");
    let joined = with("metadata = \"ids.csv\"\ncolumns = [\"title\", \"year\"]");
    assert_eq!(joined.names(), ["doc_id", "title", "year", "text", "genre"]);
    assert_eq!(column(&joined, "genre"), ["Romance", "Nonsense"]);
    lab.write(
        "numbers.csv",
        "gutenberg,genre\n11,Nonsense\n1342,Romance\n",
    );
    let joined = with("metadata = \"numbers.csv\"\nid = \"gutenberg\"");
    assert_eq!(column(&joined, "genre"), ["Romance", "Nonsense"]);
    assert_eq!(column(&joined, "doc_id"), ["PG-1342", "PG-11"]);
    lab.write(
        "titles.csv",
        "doc_id,title\nPG-11,Nonsense\nPG-1342,Romance\n",
    );
    lab.change(&mirror, &format!("{mirror}\nmetadata = \"titles.csv\""));
    let ran = lab.run(&["--quiet"]).exit(3);
    let message = "the metadata has a column `title`, and so have the documents";
    assert!(ran.err.contains(message), "{}", ran.err);
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_book_without_text_is_told_as_any_document_is() {
    let server = mirror();
    server.on("/11.txt", [Reply::text(super::book(11, "Empty", ""))]);
    let lab = lab(&server);
    let ran = lab.run(&["--quiet"]).exit(4);
    assert!(
        ran.err.contains("1 document without text: `PG-11`"),
        "{}",
        ran.err
    );
    lab.change("gutenberg =", "empty = \"drop\"\ngutenberg =");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(column(&rows(&lab, &ran), "doc_id"), ["PG-1342"]);
}

#[test]
fn a_text_that_is_no_file_of_the_project_is_taken_with_a_warning() {
    let server = mirror();
    server.on("/11.txt", [Reply::text("Alice slept.")]);
    let lab = lab(&server);
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(column(&rows(&lab, &ran), "text")[1], "Alice slept.");
    let warnings = ran.warnings();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].starts_with("1 book without a line that says where the text begins"));
}

#[test]
fn the_file_of_this_machine_names_the_mirror() {
    let server = mirror();
    let lab = Lab::new().spec(&super::SPEC.replace("mirror = \"MIRROR/{id}.txt\"\n", ""));
    let local = format!(
        "[source.books]\nmirror = \"{0}\"\n[source.others]\nmirror = \"{0}\"\n",
        server.url("/{id}.txt")
    );
    lab.write("tribunal.local.toml", local);
    let ran = lab.run(&["--json"]).ok();
    // Sources that other specs have are no stages of this one.
    assert_eq!(ran.stages(), ALL);
    assert_eq!(server.requests().len(), 2);
    lab.cmd(&["lint", "--strict"]).ok();
}

#[test]
fn nobody_is_asked_where_files_are_read() {
    let server = Server::start();
    let lab = Lab::small();
    lab.run(&["--json"]).ok();
    assert_eq!(server.requests().len(), 0);
    assert!(!lab.path("cache/v1/downloads").exists());
}
