//! `gc` keeps what a spec needs, what is young, and what is paid for.

use super::wide_known;
use crate::lab::{Lab, SPEC};

fn gc(lab: &Lab, arguments: &[&str]) -> String {
    lab.cmd(&[&["gc"], arguments].concat()).ok().out
}

#[test]
fn without_delete_nothing_is_removed() {
    let lab = wide_known();
    let before = lab.files("cache");
    let said = gc(&lab, &["--size", "1K"]);
    assert!(
        said.contains("nothing was removed: add `--delete`"),
        "{said}"
    );
    assert_eq!(lab.files("cache"), before);
    assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0]);
}

#[test]
fn by_spec_keeps_exactly_what_the_spec_needs() {
    let lab = wide_known();
    let spec = lab.read(SPEC);
    lab.change("temperature = 0.0", "temperature = 0.5");
    lab.run(&["--json"]).ok();
    let said = gc(&lab, &[SPEC, "--delete"]);
    // Two judges and two statistics were of the other temperature; tables are shared.
    assert!(said.contains("removed 4 results and 0 calls"), "{said}");
    assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0]);
    lab.write(SPEC, &spec);
    let back = lab.run(&["--json"]).ok();
    assert_eq!(
        back.stages(),
        ["judge.grades", "stats.scores", "stats.shorter"]
    );
    assert_eq!(back.asked, 0, "calls are kept: they are paid for");
}

#[test]
fn by_spec_keeps_what_any_of_several_specs_needs() {
    let lab = wide_known();
    lab.write(
        "warm.toml",
        lab.read(SPEC)
            .replace("temperature = 0.0", "temperature = 0.5"),
    );
    lab.run(&["--json", "--set", "models.fake.temperature=0.5"])
        .ok();
    let said = gc(&lab, &[SPEC, "warm.toml", "--delete"]);
    assert!(said.contains("removed 0 results and 0 calls"), "{said}");
    let ran = lab
        .run(&["--json", "--set", "models.fake.temperature=0.5"])
        .ok();
    assert_eq!(ran.nodes(), [""; 0]);
}

#[test]
fn by_age_keeps_what_is_young() {
    let lab = wide_known();
    let said = gc(&lab, &["--older", "1h", "--delete"]);
    assert!(said.contains("removed 0 results and 0 calls"), "{said}");
    assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0]);
    let old = std::time::SystemTime::now() - std::time::Duration::from_mins(90);
    for file in lab.files("cache/v1/nodes") {
        let file = fs_err::OpenOptions::new().append(true).open(file).unwrap();
        file.file().set_modified(old).unwrap();
    }
    let said = gc(&lab, &["--older", "1h", "--delete"]);
    assert!(said.contains("removed 13 results and 0 calls"), "{said}");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!((ran.stages().len(), ran.asked), (11, 0));
}

#[test]
fn by_size_leaves_no_more_than_that_and_what_is_left_is_whole() {
    let lab = wide_known();
    let tables = lab.run(&["--json"]).ok().tables;
    gc(&lab, &["--size", "8K", "--delete"]);
    let bytes = |folder: &str| -> u64 {
        let files = lab.files(&format!("cache/v1/{folder}"));
        files
            .iter()
            .map(|file| fs_err::metadata(file).unwrap().len())
            .sum()
    };
    let left = bytes("nodes") + bytes("blobs") + bytes("calls");
    assert!(left <= 9 << 10, "{left} bytes are left");
    let ran = lab.run(&["--json"]).ok();
    assert!(!ran.nodes().is_empty());
    assert_eq!((ran.warnings(), ran.tables), (vec![], tables));
}

#[test]
fn without_a_reason_to_remove_anything_it_says_what_to_give() {
    let lab = wide_known();
    let ran = lab.cmd(&["gc", "--delete"]).exit(2);
    assert!(
        ran.err.contains("--older") && ran.err.contains("--size"),
        "{}",
        ran.err
    );
    for wrong in [["--older", "soon"], ["--size", "much"]] {
        let ran = lab.cmd(&[&["gc"], &wrong[..]].concat()).exit(2);
        assert!(ran.err.contains(wrong[1]), "{}", ran.err);
    }
    let ran = lab
        .cmd(&["gc", "--size", "1G", "--cache", "nowhere"])
        .exit(2);
    assert!(
        ran.err.contains("there is no cache at `nowhere`"),
        "{}",
        ran.err
    );
}
