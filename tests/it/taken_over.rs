//! Judgements that a page takes over from the one that is there: the same, and only if nothing of them changed.

use std::time::SystemTime;

use crate::lab::Lab;
use crate::pages::noise;

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
                "doc_id,kind,text\na,short,The ferry came back.\nb,short,The mill stood still.\nd,long,{}\n",
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
