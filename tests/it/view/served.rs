//! The server: whom it answers, and what.

use super::View;
use crate::lab::{Lab, SPEC};
use crate::pages::noise;

fn ran() -> Lab {
    let lab = Lab::small();
    lab.run(&[]).ok();
    lab
}

#[test]
fn what_is_not_known_is_named_and_nothing_is_run() {
    let lab = Lab::small();
    let said = lab.cmd(&["view"]).exit(4);
    let hint = "hint: `tribunal run experiment.toml` makes what is missing\n";
    assert!(said.err.ends_with(hint), "{}", said.err);
    for stage in [
        "source.docs",
        "judge.grades",
        "stats.scores",
        "table.scores",
    ] {
        assert!(said.err.contains(&format!("`{stage}`")), "{}", said.err);
    }
    assert_eq!(said.asked, 0);
    assert!(lab.files("reports").is_empty());
    lab.run(&[]).ok();
    lab.write("docs/c.txt", "Another text.");
    let said = lab
        .cmd(&["view", "--set", "judge.grades.repeats=1"])
        .exit(4);
    assert!(said.err.contains("`judge.grades`"), "{}", said.err);
    let again = "`tribunal run experiment.toml --set 'judge.grades.repeats=1'` makes";
    assert!(said.err.contains(again), "{}", said.err);
}

#[test]
fn the_page_and_its_chunks_are_served_and_nothing_else() {
    let view = View::of(&ran(), &[]);
    let page = view.get("/");
    assert_eq!(
        (page.status, &*page.headers["content-type"]),
        (200, "text/html; charset=utf-8")
    );
    assert!(page.body.starts_with(b"<!doctype html>") || page.body.starts_with(b"<!DOCTYPE html>"));
    let chunk = view.get("/chunks/index");
    assert_eq!(
        (chunk.status, &*chunk.headers["content-type"]),
        (200, "application/gzip")
    );
    assert!(
        !chunk.headers.contains_key("content-encoding"),
        "the page opens it itself"
    );
    assert!(chunk.body.starts_with(b"\x1f\x8b"));
    for path in [
        "/chunks/none",
        "/chunks/",
        "/chunks/index/",
        "/chunks/index,none",
        "/chunks/index,",
        "/chunks/../index",
        "/experiment.toml",
        "/../experiment.toml",
        "/%2e%2e/experiment.toml",
        "//",
    ] {
        assert_eq!(view.get(path).status, 404, "{path}");
    }
    for answer in [&page, &chunk, &view.get("/none")] {
        let header = |name: &str| &*answer.headers[name];
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("cache-control"), "no-store");
        assert_eq!(header("referrer-policy"), "no-referrer");
        assert!(header("content-security-policy").contains("frame-ancestors 'none'"));
    }
}

#[test]
fn it_is_only_read() {
    let view = View::of(&ran(), &[]);
    let host = format!("host: localhost:{}\r\n", view.port);
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let answer = view.ask(&format!(
            "{method} / HTTP/1.1\r\n{host}content-length: 0\r\n"
        ));
        assert_eq!(
            (answer.status, &*answer.headers["allow"]),
            (405, "GET, HEAD"),
            "{method}"
        );
    }
    let head = view.ask(&format!("HEAD /chunks/index HTTP/1.1\r\n{host}"));
    assert_eq!((head.status, head.body.len()), (200, 0));
    let whole = view.get("/chunks/index").body.len();
    assert_eq!(head.headers["content-length"], whole.to_string());
}

#[test]
fn it_answers_to_its_own_names_only() {
    let view = View::of(&ran(), &[]);
    let port = view.port;
    for (host, status) in [
        (format!("127.0.0.1:{port}"), 200),
        (format!("localhost:{port}"), 200),
        ("127.0.0.1".to_owned(), 403),
        (format!("evil.example:{port}"), 403),
        (format!("127.0.0.1.evil.example:{port}"), 403),
        ("localhost:1".to_owned(), 403),
        (String::new(), 403),
    ] {
        for path in ["/", "/chunks/index"] {
            let answer = view.ask(&format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n"));
            assert_eq!(answer.status, status, "{host}");
            let told = answer.body == b"this page has another address";
            assert_eq!(told, status == 403, "{host}");
        }
    }
    assert_eq!(view.ask("GET / HTTP/1.1\r\n").status, 403, "no name at all");
}

#[test]
fn ctrl_c_ends_it_well() {
    let view = View::of(&ran(), &[]);
    assert_eq!(view.get("/").status, 200);
    let (code, said) = view.stop();
    assert_eq!(code, Some(0));
    assert_eq!(said, "2 judgements are here until Ctrl-C\n");
}

#[test]
fn a_port_can_be_named_and_one_that_is_taken_is_said() {
    let lab = ran();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let view = View::of(&lab, &["--port", &port.to_string()]);
    assert_eq!(view.port, port);
    let said = lab.cmd(&["view", "--port", &port.to_string()]).exit(2);
    let start = format!("error: port {port} of 127.0.0.1 cannot be used: ");
    assert!(said.err.starts_with(&start), "{}", said.err);
    assert!(
        said.err
            .ends_with("hint: leave `--port` out for a free one\n"),
        "{}",
        said.err
    );
}

#[test]
fn judgements_that_lie_beside_a_page_are_served_from_there() {
    let lab = Lab::small();
    lab.write("docs/a.txt", noise());
    lab.append("[report]\nembed = \"1 kB\"");
    lab.run(&[]).ok();
    let names =
        ["index", "rows-0", "documents-0", "replies-0"].map(|name| format!("/chunks/{name}"));
    let view = View::of(&lab, &[]);
    let page = fs_err::read(lab.path("reports/experiment/index.html")).unwrap();
    assert!(
        view.get("/").body == page,
        "it is the page as it was written"
    );
    let beside = names.each_ref().map(|name| view.get(name).body);
    assert_eq!(view.get("/chunks/rows-1").status, 404);
    assert_eq!(view.get("/chunks/../index.judgements").status, 404);
    assert_eq!(view.get("/index.judgements").status, 404);
    // What was opened is served on, whatever becomes of the file.
    lab.remove("reports/experiment/index.judgements");
    assert!(view.get(&names[0]).body == beside[0]);
    drop(view);
    // Made anew they are the same.
    let view = View::of(&lab, &[]);
    assert!(view.get("/").body != page);
    assert!(names.each_ref().map(|name| view.get(name).body) == beside);
    // Those of an earlier run are not served as those of this one.
    lab.run(&[]).ok();
    let files = ["html", "judgements"].map(|ending| format!("reports/experiment/index.{ending}"));
    let earlier = files
        .each_ref()
        .map(|file| fs_err::read(lab.path(file)).unwrap());
    drop(view);
    lab.write(
        "script.toml",
        "[[reply]]\ntext = \"FINAL Fluency Score: 2\"\n",
    );
    lab.change("temperature = 0.0", "temperature = 0.5");
    lab.run(&[]).ok();
    for (file, bytes) in files.iter().zip(earlier) {
        lab.write(file, bytes);
    }
    let view = View::of(&lab, &[]);
    assert!(view.get(&names[3]).body != beside[3]);
}

#[test]
fn several_chunks_come_together_each_behind_its_length() {
    let view = View::of(&ran(), &[]);
    let names = ["documents-0", "replies-0", "documents-0"];
    let expected: Vec<u8> = names
        .iter()
        .flat_map(|name| {
            let chunk = view.get(&format!("/chunks/{name}")).body;
            let length = u32::try_from(chunk.len()).unwrap();
            [length.to_le_bytes().to_vec(), chunk].concat()
        })
        .collect();
    let together = view.get(&format!("/chunks/{}", names.join(",")));
    assert_eq!(together.status, 200);
    assert!(together.body == expected);
    // However many are asked for, so many come that the answer stays small.
    let many = view.get(&format!("/chunks/index{}", ",index".repeat(2_000)));
    let index = view.get("/chunks/index").body.len() + 4;
    assert_eq!(many.status, 200);
    assert!(many.body.len() <= 1 << 18 && many.body.len().is_multiple_of(index));
}

#[test]
fn the_same_run_is_served_as_the_same_bytes() {
    let (lab, other) = (ran(), ran());
    let names = ["index", "documents-0", "replies-0"];
    let bytes = |lab: &Lab| {
        let view = View::of(lab, &[]);
        names.map(|name| view.get(&format!("/chunks/{name}")).body)
    };
    assert_eq!(bytes(&lab), bytes(&lab));
    assert_eq!(bytes(&lab), bytes(&other));
    assert!(lab.path(SPEC).is_file());
}
