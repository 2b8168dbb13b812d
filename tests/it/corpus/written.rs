//! Values as they are written, and rows that fit nothing.

use crate::lab::{Lab, Ran};

const EXPORT: &str = "[export.rows]\nfrom = \"docs\"\nformat = \"jsonl\"\n";

const REPLY: &str = "FINAL Fluency Score: 4\\nFINAL Coherence Score: 3";

fn rows(source: &str, files: &[(&str, &str)]) -> String {
    let mut lab = Lab::new().spec(&format!("[source.docs]\n{source}\n{EXPORT}"));
    for (name, text) in files {
        lab = lab.file(name, text);
    }
    lab.run(&[]).ok();
    lab.read("reports/experiment/rows.jsonl")
}

#[test]
fn a_number_that_is_text_in_another_file_stays_as_it_is_written() {
    let rows = rows(
        "files = [\"a.csv\", \"b.csv\"]",
        &[
            ("a.csv", "doc_id,text,y,z\na,1.50,1.10,2.50\n"),
            ("b.csv", "doc_id,text,y,z\nb,u,x,3\n"),
        ],
    );
    let first = rows.lines().next().unwrap();
    for expected in ["\"y\":\"1.10\"", "\"text\":\"1.50\"", "\"z\":2.5"] {
        assert!(first.contains(expected), "{first}");
    }
}

#[test]
fn rows_that_a_key_tells_apart_stay_apart() {
    let rows = rows(
        "files = \"a.csv\"\nkey = [\"doc_id\", \"v\"]",
        &[("a.csv", "doc_id,v,text\na,1.10,t\na,1.1,u\n")],
    );
    assert!(
        rows.contains("\"1.10\"") && rows.contains("\"1.1\""),
        "{rows}"
    );
}

#[test]
fn rows_of_metadata_that_are_of_no_document_are_named() {
    let lab = Lab::new()
        .spec(&format!(
            "[source.docs]\nfiles = \"docs/*.txt\"\nmetadata = \"m.csv\"\n{EXPORT}"
        ))
        .file("docs/a.txt", "One.")
        .file("m.csv", "doc_id,y\na,1\nzz,2\nB,3\n");
    let warnings = lab.run(&["--json"]).ok().warnings();
    let said = "2 rows of `m.csv` are of no document: `B` and `zz`";
    assert!(
        warnings.iter().any(|warning| warning.contains(said)),
        "{warnings:?}"
    );
    // Where the same id is missing but for its case, it is named.
    lab.write("docs/b.txt", "Two.");
    let ran = lab.run(&[]).exit(4);
    assert!(
        ran.err
            .contains("for `B` there is `b` but for case and blanks")
            || ran.err.contains("`B` there is `b` but for case and blanks"),
        "{}",
        ran.err
    );
}

fn judged(select: &str, recorded: &[(&str, &str)]) -> Ran {
    let mut lines = String::new();
    for (doc, task) in recorded {
        let line =
            format!("{{\"doc\": \"{doc}\", \"task\": \"{task}\", \"reply\": \"{REPLY}\"}}\n");
        lines += &line;
    }
    let spec = format!(
        "[axes]\ntask = {{ set = \"select.all.add.task\", values = [\"none\", \"typos\"] }}\n\
         [models.m]\nprovider = \"recorded\"\nfiles = \"r.jsonl\"\ntext = \"reply\"\n\
         match = {{ doc = \"doc_id\", task = \"task\" }}\n\
         [source.docs]\nfiles = \"a.csv\"\n\
         [select.all]\nfrom = \"docs\"\nadd = {{ task = \"none\" }}\n{select}\n\
         [judge.j]\nfrom = \"all\"\nmodel = \"m\"\nmetrics = [\"fluency\", \"coherence\"]\n\
         [stats.s]\nfrom = \"j\"\n"
    );
    let lab = Lab::new()
        .spec(&spec)
        .file("a.csv", "doc_id,text\na,t\nb,u\n")
        .file("r.jsonl", lines);
    lab.run(&["--json"]).ok()
}

const ALL: [(&str, &str); 4] = [("a", "none"), ("b", "none"), ("a", "typos"), ("b", "typos")];

#[test]
fn recorded_replies_that_fit_no_document_are_counted() {
    let left = |select: &str, more: &[(&str, &str)]| -> Vec<String> {
        let warnings = judged(select, &[&ALL, more].concat()).warnings();
        let left = |warning: &String| warning.contains("no row that is read");
        warnings.into_iter().filter(left).collect()
    };
    let none: [String; 0] = [];
    assert_eq!(left("", &[]), none);
    assert_eq!(
        left("", &[("c", "none"), ("A", "none"), ("d", "none")]),
        [
            "3 of 5 recorded replies fit no row that is read: `doc_id=A, task=none` (did you mean `doc_id=a, task=none`?), \
             `doc_id=c, task=none`, …"
        ]
    );
    // Those to another value of an axis are not this stage's, and those to documents that were not chosen are left over.
    assert_eq!(left("", &[("a", "order")]), none);
    assert_eq!(left("ids = [\"a\"]", &[("c", "none")]), none);
}
