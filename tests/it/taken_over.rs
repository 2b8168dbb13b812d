//! Judgements that a page takes over from the one that is there: the same, and only if nothing of them changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use serde_json::json;

use crate::lab::Lab;
use crate::pages::noise;
use crate::server::{Reply, Server};

const PAGE: &str = "reports/experiment/index.html";

/// Its judgements, where it has no room for them.
const BESIDE: &str = "reports/experiment/index.judgements";

const SCRIPT: &str = r#"
[[reply]]
contains = ["weigh"]
text = """
FINAL Fluency Score: {{ digest % 3 + 1 }}
FINAL Coherence Score: 2
"""

[[reply]]
text = """
FINAL Fluency Score: {{ digest % 5 + 1 }}
FINAL Coherence Score: {{ digest // 5 % 5 + 1 }}
"""
"#;

/// Changes of a file from one text to another, one after the other.
const CHANGES: [(&str, &str, &str); 17] = [
    ("experiment.toml", "title = \"Small\"", "title = \"Other\""),
    (
        "experiment.toml",
        "rows = [\"metric\"]",
        "rows = [\"metric\"]\ndecimals = 1",
    ),
    (
        "experiment.toml",
        "from = \"grades\"\n\n[table",
        "from = \"grades\"\nwhere = \"kind == 'short'\"\n\n[table",
    ),
    ("docs.csv", "short,The ferry", "long,The ferry"),
    ("docs.csv", "b,short", "c,short"),
    ("docs.csv", "came back", "went away"),
    ("templates/grade.j2", "Grade fluency", "Grade the fluency"),
    ("templates/grade.j2", "Grade", "Please weigh"),
    ("script.toml", "digest % 3 + 1", "digest % 3 + 2"),
    ("script.toml", "{{ digest % 3 + 2 }}", "4"),
    (
        "experiment.toml",
        "model = \"fake\"",
        "model = \"fake\"\nrepeats = 2",
    ),
    (
        "experiment.toml",
        "metrics = [\"fluency\"]",
        "metrics = [\"fluency\", \"coherence\"]",
    ),
    (
        "experiment.toml",
        "[models.fake]",
        "[models.other]\nprovider = \"scripted\"\nscript = \"script.toml\"\n\n[models.fake]",
    ),
    ("experiment.toml", "model = \"fake\"", "model = \"other\""),
    (
        "experiment.toml",
        "[stats.scores]",
        "[[ablation]]\nname = \"half\"\nset = { \"judge.grades.repeats\" = 1 }\n\n[stats.scores]",
    ),
    ("experiment.toml", "name = \"half\"", "name = \"single\""),
    (
        "experiment.toml",
        "[stats.scores]\nfrom = \"grades\"\nwhere = \"kind == 'short'\"\n\n[table.scores]\nfrom = \"scores\"\nrows = [\"metric\"]",
        "[axes]\nmodel = { set = \"judge.grades.model\", values = [\"fake\", \"other\"] }\n\n[stats.scores]\nfrom = \"grades\"\nwhere = \"kind == 'short'\"\n\n[table.scores]\nfrom = \"scores\"\nrows = [\"model\", \"metric\"]",
    ),
];

fn lab() -> Lab {
    let lab = Lab::small()
        .file(
            "docs.csv",
            format!(
                // Two of the texts are the same, and so are the calls about them.
                "doc_id,kind,text\na,short,The ferry came back.\nb,short,The mill stood still.\n\
                e,short,The mill stood still.\nd,long,{}\n",
                noise()
            ),
        )
        .script(SCRIPT);
    lab.change("files = \"docs/*.txt\"", "files = \"docs.csv\"");
    lab
}

fn modified(lab: &Lab, name: &str) -> SystemTime {
    let about = fs_err::metadata(lab.path(name)).unwrap();
    about.modified().unwrap()
}

/// The page of a run, and the judgements beside it.
fn drawn(lab: &Lab) -> (String, Option<Vec<u8>>) {
    lab.run(&[]).ok();
    (lab.read(PAGE), fs_err::read(lab.path(BESIDE)).ok())
}

#[test]
fn whatever_changes_a_page_is_what_it_would_be_if_none_were_there() {
    for room in ["64 MB", "1 kB"] {
        let lab = lab();
        lab.append(&format!("[report]\nembed = \"{room}\""));
        drawn(&lab);
        for (file, from, to) in CHANGES {
            let before = drawn(&lab);
            lab.edit(file, from, to);
            let after = drawn(&lab);
            assert!(after != before, "{to}: nothing changed");
            lab.remove(PAGE);
            if room == "1 kB" {
                lab.remove(BESIDE);
            }
            assert!(drawn(&lab) == after, "{to}: another page");
        }
    }
}

#[test]
fn judgements_that_lie_beside_a_page_stay_where_no_judgement_changes() {
    let lab = lab();
    lab.append("[report]\nembed = \"1 kB\"");
    drawn(&lab);
    for (file, from, to) in &CHANGES[..2] {
        let (page, beside) = (modified(&lab, PAGE), modified(&lab, BESIDE));
        lab.edit(file, from, to);
        drawn(&lab);
        assert_ne!(modified(&lab, PAGE), page, "{to}");
        assert_eq!(modified(&lab, BESIDE), beside, "{to}");
    }
}

#[test]
fn judgements_move_into_the_page_and_beside_it_as_there_is_room() {
    let lab = lab();
    let within = drawn(&lab);
    assert!(within.1.is_none() && within.0.contains("data-chunk=\"index\""));
    lab.append("[report]\nembed = \"1 kB\"");
    let beside = drawn(&lab);
    assert!(beside.1.is_some() && !beside.0.contains("data-chunk=\"index\""));
    lab.remove(PAGE);
    lab.remove(BESIDE);
    assert!(drawn(&lab) == beside);
    lab.change("embed = \"1 kB\"", "embed = \"1 MB\"");
    let again = drawn(&lab);
    assert!(again.1.is_none());
    lab.remove(PAGE);
    assert!(drawn(&lab) == again);
}

#[test]
fn a_page_that_was_edited_is_not_taken_over_from() {
    let lab = lab();
    let (page, _) = drawn(&lab);
    let edited = page.replacen("data-chunk=\"index\">H4s", "data-chunk=\"index\">H5s", 1);
    assert_ne!(edited, page);
    lab.write(PAGE, edited);
    lab.change("title = \"Small\"", "title = \"Other\"");
    let after = drawn(&lab);
    lab.remove(PAGE);
    assert!(drawn(&lab) == after);
}

/// What a server replies to every question, and how many tokens it says it read.
fn replied(tokens: u64) -> Reply {
    let said = "FINAL Fluency Score: 4\nFINAL Coherence Score: 3";
    let answer = json!({"id": "x", "model": "small", "usage": {"prompt_tokens": tokens, "completion_tokens": 9},
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}]});
    Reply::json(&answer.to_string())
}

fn served(server: &Server) -> Lab {
    let lab = lab();
    let url = server.url("/v1");
    let served = format!("provider = \"openai\"\nbase-url = \"{url}\"\nmodel = \"small\"");
    lab.change("provider = \"scripted\"\nscript = \"script.toml\"", &served);
    lab
}

/// A chunk of a page, as it is packed.
fn chunk(page: &str, wanted: &str) -> String {
    let elements = page.split("<script type=\"text/plain\" data-chunk=\"");
    let chunks = elements.skip(1).flat_map(|element| {
        let (names, rest) = element.split_once("\">").unwrap();
        let (texts, _) = rest.split_once("</script>").unwrap();
        names.split(' ').zip(texts.split('\n'))
    });
    let mut chunks = chunks.filter(|(name, _)| *name == wanted);
    chunks.next().unwrap().1.to_owned()
}

#[test]
fn replies_of_judges_that_are_as_they_were_are_not_read_again() {
    let server = Server::answering(|_| replied(8120));
    let lab = served(&server);
    let (before, _) = drawn(&lab);
    let again = "[judge.again]\nfrom = \"docs\"\nmodel = \"fake\"\nprompt = \"grade\"\nmetrics = [\"coherence\"]";
    lab.change("[stats.scores]", &format!("{again}\n\n[stats.scores]"));
    let (after, _) = drawn(&lab);
    assert!(chunk(&after, "replies-0") == chunk(&before, "replies-0"));
    assert_ne!(chunk(&after, "rows-0"), chunk(&before, "rows-0"));
    assert_ne!(chunk(&after, "replies-1"), chunk(&after, "replies-0"));
    lab.remove(PAGE);
    assert!(drawn(&lab).0 == after);
}

#[test]
fn what_a_server_says_beside_the_reply_is_that_of_the_call_that_is_there() {
    let tokens = Arc::new(AtomicU64::new(8120));
    let said = Arc::clone(&tokens);
    let server = Server::answering(move |_| replied(said.load(Ordering::SeqCst)));
    let lab = served(&server);
    drawn(&lab);
    // The same replies, made again.
    tokens.store(8121, Ordering::SeqCst);
    for part in ["calls", "nodes", "blobs"] {
        lab.remove(&format!("cache/v1/{part}"));
    }
    let (after, _) = drawn(&lab);
    lab.remove(PAGE);
    assert!(drawn(&lab).0 == after);
    // Calls that are not to be had any more.
    lab.remove("cache/v1/calls");
    lab.change("title = \"Small\"", "title = \"Other\"");
    let (without, _) = drawn(&lab);
    lab.remove(PAGE);
    assert!(drawn(&lab).0 == without);
    assert_ne!(chunk(&without, "replies-0"), chunk(&after, "replies-0"));
}

#[test]
fn judgements_beside_a_page_are_looked_at_before_they_are_taken_over() {
    let lab = lab();
    lab.append("[report]\nembed = \"1 kB\"");
    let (_, beside) = drawn(&lab);
    let whole = beside.unwrap();
    for at in (0..whole.len()).step_by(41) {
        let time = modified(&lab, BESIDE);
        let mut damaged = whole.clone();
        damaged[at] ^= 0x04;
        lab.write(BESIDE, &damaged);
        let file = std::fs::File::options()
            .write(true)
            .open(lab.path(BESIDE))
            .unwrap();
        // As if nobody had touched it.
        file.set_modified(time).unwrap();
        let title = lab
            .read("experiment.toml")
            .lines()
            .nth(1)
            .unwrap()
            .to_owned();
        lab.change(&title, &format!("title = \"After {at}\""));
        assert!(drawn(&lab).1.unwrap() == whole, "byte {at}");
    }
}

#[test]
fn a_page_of_all_follows_those_that_want_none_and_the_order_of_a_spec() {
    let lab = lab();
    let spec = lab
        .read("experiment.toml")
        .replace("\"script.toml", "\"../script.toml");
    let spec = spec.replace("\"docs.csv", "\"../docs.csv");
    lab.write("experiments/one.toml", &spec);
    let other = "[judge.other]\nfrom = \"docs\"\nmodel = \"fake\"\nprompt = \"grade\"\nmetrics = [\"coherence\"]\n\n";
    let (judge, stats) = (spec.find("[judge").unwrap(), spec.find("[stats").unwrap());
    let (front, grades, back) = (&spec[..judge], &spec[judge..stats], &spec[stats..]);
    let none = "[report]\npage = false\n";
    lab.write(
        "experiments/two.toml",
        format!("{front}{grades}{other}{back}{none}"),
    );
    let page = || {
        lab.exactly(&["run", "experiments"]).output().unwrap();
        lab.read("reports/index.html")
    };
    page();
    let renamed = grades.replace("judge.grades", "judge.marks");
    let from = back.replace("\"grades\"", "\"marks\"");
    for two in [
        format!("{front}{renamed}{other}{from}{none}"),
        format!("{front}{other}{renamed}{from}{none}"),
    ] {
        lab.write("experiments/two.toml", two);
        let after = page();
        lab.remove("reports/index.html");
        assert!(page() == after);
    }
    lab.write("experiments/three.toml", &spec);
    for order in [["one", "two", "three"], ["two", "one", "three"]] {
        let specs = order.map(|name| format!("experiments/{name}.toml"));
        let page = || {
            let mut run = lab.exactly(&["run"]);
            assert!(run.args(&specs).status().unwrap().success());
            lab.read("reports/index.html")
        };
        let after = page();
        lab.remove("reports/index.html");
        assert!(page() == after, "{order:?}");
    }
}

/// A judge that scores as `grades` does, under another name.
const AGAIN: &str = "[judge.again]\nfrom = \"docs\"\nmodel = \"fake\"\nprompt = \"grade\"\nmetrics = [\"fluency\"]\n\n";

/// The page as it is, and as it is if none is there.
fn is_as_if_none_were_there(lab: &Lab, draw: &dyn Fn()) {
    draw();
    let as_is = (lab.read(PAGE), fs_err::read(lab.path(BESIDE)).ok());
    lab.remove(PAGE);
    if as_is.1.is_some() {
        lab.remove(BESIDE);
    }
    draw();
    let anew = (lab.read(PAGE), fs_err::read(lab.path(BESIDE)).ok());
    assert!(as_is.0 == anew.0, "another page");
    assert!(as_is.1 == anew.1, "other judgements beside it");
}

#[test]
fn prompts_with_texts_that_a_bundle_leaves_out_are_not_taken_over() {
    let secret = "A secret text that is short.";
    let lab = Lab::small()
        .file("docs.csv", format!("doc_id,text\na,{secret}\n"))
        .script(SCRIPT);
    lab.change("files = \"docs/*.txt\"", "files = \"docs.csv\"");
    lab.run(&[]).ok();
    assert!(drawn(&lab).0.contains("data-chunk"));
    lab.cmd(&["bundle", "experiment.toml", "-o", "bundle.tar.zst"])
        .ok();
    lab.cmd(&["unbundle", "bundle.tar.zst", "--into", "there"])
        .ok();
    // Reports that lie outside the bundle, where the page with the texts is.
    let reports = lab.path("reports").display().to_string();
    lab.write(
        "there/tribunal.local.toml",
        format!("[paths]\nreports = \"{reports}\"\n"),
    );
    let there = || {
        let mut run = lab.exactly(&["run", "experiment.toml", "--offline"]);
        assert!(
            run.current_dir(lab.path("there"))
                .status()
                .unwrap()
                .success()
        );
    };
    is_as_if_none_were_there(&lab, &there);
}

#[test]
fn judgements_that_a_run_left_beside_a_page_when_it_was_cut_short_are_removed_by_the_next() {
    for room in ["0 MB", "64 MB"] {
        let lab = lab();
        lab.append(&format!("[report]\nembed = \"{room}\""));
        drawn(&lab);
        lab.change(&format!("embed = \"{room}\""), "embed = \"1 kB\"");
        let (_, beside) = drawn(&lab);
        lab.change("embed = \"1 kB\"", &format!("embed = \"{room}\""));
        let (page, _) = drawn(&lab);
        // The page is as it was, and the judgements lie there: the run in between had not come to its page.
        lab.write(BESIDE, beside.unwrap());
        let (after, beside) = drawn(&lab);
        assert!(after == page && beside.is_none(), "{room}");
        assert!(
            !lab.read("reports/experiment/files.json")
                .contains("judgements")
        );
    }
}

#[test]
fn where_a_run_is_started_and_how_a_model_is_served_changes_no_page() {
    let lab = lab();
    let (page, _) = drawn(&lab);
    lab.remove(PAGE);
    let spec = lab.path("experiment.toml");
    let mut run = lab.exactly(&["run", spec.to_str().unwrap()]);
    assert!(
        run.current_dir(std::env::temp_dir())
            .status()
            .unwrap()
            .success()
    );
    assert!(lab.read(PAGE) == page, "from elsewhere");
    let server = Server::answering(|_| replied(8120));
    let lab = served(&server);
    drawn(&lab);
    lab.change(
        "[models.fake]\n",
        "[models.fake]\nserve = { command = \"serve {port}\" }\n",
    );
    is_as_if_none_were_there(&lab, &|| {
        drawn(&lab);
    });
}

#[test]
fn judgements_that_move_beside_a_page_are_listed_as_if_they_had_never_been_in_it() {
    let lab = lab();
    // The third judge scores as the first does: their replies lie in one place.
    let between = AGAIN
        .replace("again", "between")
        .replace("\"fluency\"]", "\"coherence\"]");
    lab.change("[stats.scores]", &format!("{between}{AGAIN}[stats.scores]"));
    let (page, _) = drawn(&lab);
    assert!(
        page.contains("replies-0=replies-2"),
        "they lie in two places"
    );
    lab.append("[report]\nembed = \"1 kB\"");
    is_as_if_none_were_there(&lab, &|| {
        drawn(&lab);
    });
}
