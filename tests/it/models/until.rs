//! Judges that ask until the mean has settled: where groups end follows from the answers alone, however many are asked at
//! a time and however often a run is killed.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::lab::{Lab, Ran};
use crate::pages::index;
use crate::server::{Reply, Server};

const SPEC: &str = r#"
title = "Until it settles"
seed = 3

[models.judge]
provider = "openai"
base-url = "URL"
concurrency = 1

[source.pairs]
files = "pairs.csv"
key = ["doc_id", "case"]

[judge.similar]
from = "pairs"
model = "judge"
prompt = "grade"
metrics = ["similarity"]
scale = { min = 0, max = 100, step = 1 }
until = { by = ["case"], least = 100, window = 10, within = 1, order = "given" }

[group.ends]
from = "similar"
by = ["case"]
compute.asked = "max(asked)"
compute.scores = "count(score is not none)"

[export.ends]
from = "ends"
format = "csv"

[export.similar]
from = "similar"
format = "csv"
"#;

/// Cases, the score of the n-th row, and where that ends.
type Case = (&'static str, fn(usize) -> usize, usize);

const CASES: [Case; 7] = [
    ("constant", |_| 77, 100),
    ("alternating", |n| 100 * (n % 2), 100),
    ("late fall", |n| if n <= 95 { 100 } else { 0 }, 314),
    ("earlier fall", |n| if n <= 90 { 100 } else { 0 }, 306),
    (
        "fall behind the end",
        |n| if n <= 100 { 100 } else { 0 },
        100,
    ),
    ("small fall", |n| if n <= 89 { 80 } else { 60 }, 139),
    ("blocks", |n| 100 * ((n - 1) / 20 % 2), 285),
];

const ROWS: usize = 330;

fn lab(server: &Server) -> Lab {
    let rows =
        (1..=ROWS).flat_map(|n| CASES.map(|(case, ..)| format!("d{n},{case},{case} {n}.\n")));
    let rows: String = rows.collect();
    Lab::new()
        .spec(&SPEC.replace("URL", &server.url("/v1")))
        .file("pairs.csv", format!("doc_id,case,text\n{rows}"))
        .template("grade", "Grade the similarity: {{ text }}")
}

/// A server that gives each row the score of its case; for every `silent`-th row of a case it says none.
fn server(silent: Option<usize>) -> Server {
    Server::answering(move |request: &Arc<crate::server::Request>| {
        let asked: Value = serde_json::from_slice(&request.body).unwrap();
        let prompt = asked["messages"][0]["content"].as_str().unwrap();
        let row = prompt.strip_prefix("Grade the similarity: ").unwrap();
        let (case, number) = row.trim_end_matches('.').rsplit_once(' ').unwrap();
        let number: usize = number.parse().unwrap();
        let (_, says, _) = CASES.iter().find(|(name, ..)| *name == case).unwrap();
        let said = match silent {
            Some(every) if number.is_multiple_of(every) => "I cannot say.".to_owned(),
            Some(every) => format!("FINAL Similarity Score: {}", says(number - number / every)),
            None => format!("FINAL Similarity Score: {}", says(number)),
        };
        let message = json!({"role": "assistant", "content": said});
        let reply =
            json!({"model": "judge", "choices": [{"message": message, "finish_reason": "stop"}]});
        Reply::json(&reply.to_string())
    })
}

/// Case → the rows that it was asked about, and those of them with a score.
fn ends(ran: &Ran) -> BTreeMap<String, (usize, usize)> {
    let lines = ran.tables["ends.csv"].lines();
    let cells = lines
        .skip(1)
        .map(|line| line.split(',').collect::<Vec<_>>());
    let end = |cells: Vec<&str>| {
        (
            cells[0].to_owned(),
            (cells[1].parse().unwrap(), cells[2].parse().unwrap()),
        )
    };
    cells.map(end).collect()
}

fn expected(end: impl Fn(usize) -> (usize, usize)) -> BTreeMap<String, (usize, usize)> {
    let cases = CASES
        .iter()
        .map(|(case, _, at)| ((*case).to_owned(), end(*at)));
    cases.collect()
}

#[test]
fn each_group_ends_where_its_mean_has_settled_at_any_concurrency() {
    let rows: usize = CASES.iter().map(|(.., end)| end).sum();
    let mut tables = Vec::new();
    for concurrency in [1, 64] {
        let server = server(None);
        let lab = lab(&server);
        lab.change("concurrency = 1", &format!("concurrency = {concurrency}"));
        let ran = lab.run(&["--json"]).ok();
        assert_eq!(ends(&ran), expected(|end| (end, end)));
        let lines = ran.tables["similar.csv"].lines();
        assert_eq!(lines.count(), rows + 1);
        // What was asked beyond the ends stays in the cache.
        let asked = server.requests().len();
        assert!((rows..rows + 64 + CASES.len()).contains(&asked), "{asked}");
        let events = ran.events("finished");
        let judged = events.iter().find(|event| event["node"] == "judge.similar");
        let did = &judged.unwrap()["counts"]["relation"]["until"];
        assert_eq!(
            did[0],
            json!({"group": "case=constant", "asked": 100, "counted": 100, "settled": true})
        );
        assert_eq!(lab.run(&["--json"]).ok().summary()["calls_made"], 0);
        // Another rule reads what is there.
        lab.change("within = 1,", "within = 1, align = true,");
        let aligned = lab.run(&["--json"]).ok();
        assert_eq!(ends(&aligned), expected(|_| (314, 314)));
        let more = server.requests().len();
        let needed = CASES.len() * 314;
        assert!((needed..needed + concurrency).contains(&more), "{more}");
        tables.push((ran.tables, aligned.tables));
    }
    assert_eq!(tables[0], tables[1]);
}

/// The same rows, each with so many blanks beside it: with many the table is too long to be in memory.
fn with_filler(server: &Server, filler: usize) -> Lab {
    let row = |n: usize, case: &str| {
        let text = format!("{case} {n}.");
        json!({"doc_id": format!("d{n}"), "case": case, "text": text, "filler": " ".repeat(filler)})
    };
    let rows = (1..=ROWS).flat_map(|n| CASES.map(|(case, ..)| format!("{}\n", row(n, case))));
    let lab = lab(server).file("pairs.jsonl", rows.collect::<String>());
    lab.change("pairs.csv", "pairs.jsonl");
    lab.change("within = 1,", "within = 1, most = 200,");
    lab.change("concurrency = 1", "concurrency = 16");
    lab
}

/// Blanks beside each of 2,310 rows, which make several parts of them.
const FILLER: usize = 12_000;

#[test]
fn a_table_too_long_to_be_in_memory_ends_where_a_short_one_does() {
    let ran = |filler: usize, (from, to): (&str, &str)| {
        let server = server(None);
        let lab = with_filler(&server, filler);
        lab.change(from, to);
        lab.change(
            "[export.similar]\nfrom = \"similar\"",
            "[derive.bare]\nfrom = \"similar\"\ndrop = [\"filler\"]\ncompute.twice = \"score * 2\"\n\n[export.similar]\nfrom = \"bare\"",
        );
        let ran = lab.run(&["--json"]).ok();
        let asked = server.requests().len();
        assert_eq!(lab.run(&["--json"]).ok().summary()["calls_made"], 0);
        let finished = ran.events("finished");
        let judged = finished
            .iter()
            .find(|event| event["node"] == "judge.similar");
        let counts = judged.unwrap()["counts"].clone();
        // Which document each judgement is of.
        let page = index(&lab.read("reports/experiment/index.html"));
        (counts, ran.tables.clone(), asked, page, ran.warnings())
    };
    for change in [
        ("least = 100", "least = 100"),
        ("order = \"given\"", "order = \"drawn\", align = true"),
        ("[judge.similar]", "[judge.similar]\nrepeats = 2"),
    ] {
        let short = ran(0, change);
        assert_eq!(short.0["relation"]["until"].as_array().unwrap().len(), 7);
        assert_eq!(ran(FILLER, change), short, "{change:?}");
    }
}

#[test]
fn a_dead_server_is_given_up_however_long_the_table_is() {
    let asked = [0, FILLER].map(|filler| {
        let server = Server::answering(|_| Reply::status(400));
        let lab = with_filler(&server, filler);
        lab.change("concurrency = 16", "concurrency = 1\nretries = 0");
        lab.change("order = \"given\"", "order = \"drawn\"");
        let said = lab.run(&[]).exit(4).err;
        assert!(
            said.contains("stopped asking after 20 calls failed"),
            "{said}"
        );
        server.requests().len()
    });
    assert_eq!(asked, [20, 20]);
}

#[test]
fn answers_without_a_score_do_not_count() {
    let server = server(Some(3));
    let lab = lab(&server);
    lab.change("within = 1,", "within = 1, most = 200,");
    lab.change("concurrency = 1", "concurrency = 64");
    lab.change("[judge.similar]", "[judge.similar]\nmax-unscored = 1");
    let ran = lab.run(&["--json"]).ok();
    // Of 149 rows 100 have a score.
    let end = |end: usize| match end {
        100 => (149, 100),
        _ if end * 3 / 2 > 200 => (200, 134),
        _ => (end + (end - 1) / 2, end),
    };
    assert_eq!(ends(&ran), expected(end));
    let warned = ran.warnings().join("\n");
    assert!(
        warned.contains("has not settled in 4 of 7 groups"),
        "{warned}"
    );
}

#[test]
fn killed_again_and_again_it_comes_to_the_same_tables() {
    let undisturbed = {
        let server = server(None);
        lab(&server).run(&["--json"]).ok().tables
    };
    let server = server(None);
    let lab = lab(&server);
    lab.change("concurrency = 1", "concurrency = 16");
    for round in 1..=6 {
        let mut command = lab.command(&["run", "--quiet"]);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        server.wait_for(round * 200);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.tables, undisturbed);
    // Those that were on their way were asked again, and no others.
    let rows: usize = CASES.iter().map(|(.., end)| end).sum();
    let asked = server.requests().len();
    assert!(asked <= rows + 7 * (2 * 16 + CASES.len()), "{asked}");
}

#[test]
fn the_drawn_order_is_the_same_in_every_group_and_another_with_another_seed() {
    let server = server(None);
    let lab = lab(&server);
    lab.change(", order = \"given\"", "");
    lab.change("concurrency = 1", "concurrency = 64");
    let order = || {
        let ran = lab.run(&["--json"]);
        let mut orders: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
        for line in ran.tables["similar.csv"].lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let asked = cells[2].parse().unwrap();
            let of = orders.entry(cells[1].to_owned()).or_default();
            of.push((asked, cells[0].to_owned()));
        }
        for order in orders.values_mut() {
            order.sort();
            let numbers: Vec<usize> = order.iter().map(|(n, _)| *n).collect();
            assert_eq!(numbers, (1..=order.len()).collect::<Vec<_>>());
        }
        let longest = orders
            .values()
            .max_by_key(|order| order.len())
            .unwrap()
            .clone();
        assert!(orders.values().all(|order| longest.starts_with(order)));
        longest
    };
    let first = order();
    assert_ne!(first[0].1, "d1");
    lab.change("seed = 3", "seed = 4");
    assert_ne!(order()[..50], first[..50]);
}

#[test]
fn a_plan_says_least_and_most() {
    let server = server(None);
    let lab = lab(&server);
    lab.run(&["--json", "--only", "source.pairs"]).ok();
    let plan = lab.cmd(&["plan"]).ok().out;
    assert!(plan.contains("700 to 2,310 calls"), "{plan}");
    lab.change("within = 1,", "within = 1, most = 150,");
    let plan = lab.cmd(&["plan"]).ok().out;
    assert!(plan.contains("700 to 1,050 calls"), "{plan}");
    assert_eq!(server.requests().len(), 0);
}
