//! A cache that was altered, emptied or taken away between two runs: the tables come out the same,
//! and whoever reads what is wrong says so, with the file's name.

use std::path::{Path, PathBuf};

use crate::lab::{Lab, Ran};

/// A run, a copy of its cache, and its tables.
fn known() -> (Lab, Ran) {
    let lab = Lab::small();
    lab.run(&["--quiet"]).ok();
    // The record of a run in which nothing ran.
    let ran = lab.run(&["--quiet"]).ok();
    assert_eq!(
        (ran.asked, ran.err.contains("warning")),
        (0, false),
        "{}",
        ran.err
    );
    lab.copy("cache", "pristine");
    (lab, ran)
}

/// The cache as it was after the first run.
fn restore(lab: &Lab) {
    lab.copy("pristine", "cache");
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// A way to spoil a file, with what it leaves.
type Way = (&'static str, fn(&Path));

const WAYS: [Way; 5] = [
    ("a flipped byte", |path| flip(path, 2)),
    ("another flipped byte", |path| flip(path, 5)),
    ("its end cut off", |path| {
        let bytes = fs_err::read(path).unwrap();
        fs_err::write(path, &bytes[..bytes.len() / 2]).unwrap();
    }),
    ("no content", |path| fs_err::write(path, "").unwrap()),
    ("bytes added", |path| {
        let bytes = fs_err::read(path).unwrap();
        fs_err::write(path, [&bytes[..], b"\n"].concat()).unwrap();
    }),
];

/// Changes one byte, a part of the way into the file.
fn flip(path: &Path, part: usize) {
    let mut bytes = fs_err::read(path).unwrap();
    let at = bytes.len() / part;
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 0x10;
    }
    fs_err::write(path, bytes).unwrap();
}

fn results(lab: &Lab) -> Vec<PathBuf> {
    [lab.files("cache/v1/nodes"), lab.files("cache/v1/blobs")].concat()
}

#[test]
fn an_altered_result_is_named_and_computed_again() {
    let (lab, first) = known();
    let files = results(&lab);
    assert_eq!(files.len(), 4 + 4);
    for file in &files {
        for (way, spoil) in WAYS {
            restore(&lab);
            spoil(file);
            let ran = lab.run(&["--quiet"]).ok();
            assert_eq!(ran.tables, first.tables, "{way}: {}", file.display());
            assert_eq!(ran.asked, 0, "{way}: {}", file.display());
            let warnings = ran.err.matches("warning:").count();
            assert_eq!(warnings, 1, "{way}:\n{}", ran.err);
            assert!(ran.err.contains(&name(file)), "{way}:\n{}", ran.err);
            assert_eq!(ran.err.matches("computed again").count(), 1, "{}", ran.err);
            // It is repaired: the next run finds nothing wrong.
            let ran = lab.run(&["--json"]).ok();
            assert_eq!((ran.nodes(), ran.warnings()), (vec![], vec![]), "{way}");
        }
    }
}

#[test]
fn a_missing_result_is_computed_again_without_a_call() {
    let (lab, first) = known();
    for file in results(&lab) {
        restore(&lab);
        fs_err::remove_file(&file).unwrap();
        let ran = lab.run(&["--json"]).ok();
        assert_eq!((ran.nodes().len(), ran.asked), (1, 0), "{}", file.display());
        assert_eq!(ran.tables, first.tables);
    }
}

/// Stages that come to the same rows have one result: what became of it is told once, and in the same words every time, although
/// who looks second at altered bytes finds them moved aside.
#[test]
fn damage_of_a_result_that_several_stages_have_is_told_once() {
    let lab = Lab::small();
    for at in 0..4 {
        lab.append(&format!(
            "\n[stats.s{at}]\nfrom = \"grades\"\nwhere = \"doc_id != 'x{at}'\"\n\n[table.t{at}]\nfrom = \"s{at}\"\nrows = [\"metric\"]\n"
        ));
    }
    let first = lab.run(&["--quiet"]).ok();
    let blobs = lab.files("cache/v1/blobs");
    assert!(blobs.len() + 6 < lab.files("cache/v1/nodes").len());
    lab.copy("cache", "pristine");
    for blob in &blobs {
        for (spoil, what) in [
            (
                (|path| fs_err::remove_file(path).unwrap()) as fn(&Path),
                "missing",
            ),
            (|path| flip(path, 2), "was altered"),
        ] {
            restore(&lab);
            spoil(blob);
            let ran = lab.run(&["--json"]).ok();
            let warnings = ran.warnings();
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            assert!(warnings[0].contains(what), "{warnings:?}");
            assert_eq!((ran.asked, &ran.tables), (0, &first.tables));
        }
    }
}

#[test]
fn results_in_each_others_place_are_not_believed() {
    let (lab, first) = known();
    for part in ["nodes", "blobs"] {
        restore(&lab);
        let files = lab.files(&format!("cache/v1/{part}"));
        let (one, two) = (
            fs_err::read(&files[0]).unwrap(),
            fs_err::read(&files[1]).unwrap(),
        );
        fs_err::write(&files[0], two).unwrap();
        fs_err::write(&files[1], one).unwrap();
        let ran = lab.run(&["--quiet"]).ok();
        assert_eq!((ran.asked, &ran.tables), (0, &first.tables));
        for file in &files[..2] {
            assert!(ran.err.contains(&name(file)), "{part}:\n{}", ran.err);
        }
    }
}

#[test]
fn an_altered_reply_is_named_and_asked_for_again_alone() {
    let (lab, first) = known();
    let segments = lab.files("cache/v1/calls");
    let segments: Vec<&PathBuf> = segments
        .iter()
        .filter(|file| file.extension().is_some_and(|ending| ending == "seg"))
        .collect();
    assert!(!segments.is_empty());
    for file in &segments {
        let length = fs_err::read(file).unwrap().len();
        for at in (0..length).step_by(23) {
            restore(&lab);
            // Without the results the replies are read.
            lab.remove("cache/v1/nodes");
            let mut bytes = fs_err::read(file).unwrap();
            bytes[at] ^= 0x10;
            fs_err::write(file, bytes).unwrap();
            let ran = lab.run(&["--quiet"]).ok();
            assert_eq!(
                (ran.asked, &ran.tables),
                (1, &first.tables),
                "byte {at}:\n{}",
                ran.err
            );
            assert_eq!(
                ran.err.matches("warning:").count(),
                1,
                "byte {at}:\n{}",
                ran.err
            );
            assert!(ran.err.contains(&name(file)), "byte {at}:\n{}", ran.err);
            lab.remove("cache/v1/nodes");
            assert_eq!(
                lab.run(&["--quiet"]).ok().asked,
                0,
                "byte {at}: stored again"
            );
        }
    }
}

#[test]
fn missing_and_empty_segments_cost_their_replies_and_nothing_else() {
    let (lab, first) = known();
    for spoil in [
        |path: &Path| fs_err::remove_file(path).unwrap(),
        |path: &Path| fs_err::write(path, "").unwrap(),
    ] {
        restore(&lab);
        for file in lab.files("cache/v1/calls") {
            spoil(&file);
        }
        // As long as the results are there, nobody needs the replies.
        let ran = lab.run(&["--json"]).ok();
        assert_eq!((ran.nodes(), ran.asked), (vec![], 0));
        lab.remove("cache/v1/nodes");
        let ran = lab.run(&["--json"]).ok();
        assert_eq!((ran.asked, ran.tables), (2, first.tables.clone()));
    }
}

#[test]
fn an_altered_memory_of_the_last_run_is_named_and_costs_an_explanation() {
    let (lab, first) = known();
    let last = lab.files("cache/v1/last");
    assert_eq!(last.len(), 1);
    for (way, spoil) in WAYS {
        restore(&lab);
        spoil(&last[0]);
        let said = lab.cmd(&["why", "judge.grades"]).ok();
        assert!(
            said.err.contains("warning:") && said.err.contains(&name(&last[0])),
            "{way}:\n{}",
            said.err
        );
        let ran = lab.run(&["--json"]).ok();
        assert_eq!(
            (ran.nodes(), ran.tables),
            (vec![], first.tables.clone()),
            "{way}"
        );
    }
    // The next run that does something remembers its keys again.
    lab.run(&["--quiet", "--set", "models.fake.temperature=0.5"])
        .ok();
    let said = lab.cmd(&["why", "judge.grades"]).ok();
    assert!(said.out.contains("temperature: 0.5 → 0.0"), "{}", said.out);
    assert!(!said.err.contains("warning:"), "{}", said.err);
}

#[test]
fn planning_names_what_is_altered_too() {
    let (lab, _) = known();
    for file in results(&lab) {
        restore(&lab);
        flip(&file, 2);
        let said = lab.cmd(&["plan"]).ok();
        assert!(
            said.err.contains(&name(&file)),
            "{}\n{}",
            file.display(),
            said.err
        );
    }
}

#[test]
fn everything_altered_at_once_is_a_first_run() {
    let (lab, first) = known();
    for (way, spoil) in WAYS {
        restore(&lab);
        for file in lab.files("cache") {
            spoil(&file);
        }
        let ran = lab.run(&["--quiet"]).ok();
        assert_eq!(ran.tables, first.tables, "{way}:\n{}", ran.err);
        assert!(ran.asked <= 2, "{way}");
        assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0], "{way}");
    }
}

#[test]
fn files_beside_the_results_may_go_or_be_altered() {
    let (lab, first) = known();
    let others: Vec<PathBuf> = lab
        .files("cache")
        .into_iter()
        .filter(|file| !results(&lab).contains(file) && !file.to_string_lossy().contains("calls"))
        .collect();
    assert!(others.len() >= 3, "{others:?}");
    for file in &others {
        restore(&lab);
        fs_err::remove_file(file).unwrap();
        let ran = lab.run(&["--json"]).ok();
        assert_eq!(
            (ran.nodes(), &ran.tables),
            (vec![], &first.tables),
            "{}",
            file.display()
        );
        restore(&lab);
        flip(file, 2);
        let ran = lab.run(&["--json"]).ok();
        assert_eq!(
            (ran.nodes(), &ran.tables),
            (vec![], &first.tables),
            "{}",
            file.display()
        );
    }
}

#[test]
fn altered_tables_and_records_are_written_again() {
    let (lab, first) = known();
    for file in lab.files("reports") {
        let before = fs_err::read(&file).unwrap();
        fs_err::write(&file, "something else").unwrap();
        let ran = lab.run(&["--json"]).ok();
        assert_eq!(
            (ran.nodes(), &ran.tables),
            (vec![], &first.tables),
            "{}",
            file.display()
        );
        if name(&file) != "run.json" {
            assert_eq!(fs_err::read(&file).unwrap(), before);
        }
    }
    assert_eq!(lab.run(&["--json"]).ok().record["experiment"], "experiment");
}

#[test]
fn a_file_where_the_cache_should_be_is_named() {
    let lab = Lab::small().file("cache", "not a folder");
    let ran = lab.run(&["--quiet"]).exit(1);
    assert!(
        ran.err.contains("the cache can't use `cache"),
        "{}",
        ran.err
    );
    assert_eq!(ran.asked, 0);
}

#[cfg(unix)]
mod read_only {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    use std::process::Output;

    use super::{Lab, known};

    /// Runs as somebody who may read the project but write only its reports; nothing where that
    /// cannot be arranged.
    fn read_only(lab: &Lab, arguments: &[&str]) -> Option<Output> {
        let root = lab.path("");
        let set = |path: &std::path::Path, mode: u32| {
            fs_err::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        set(root.parent().unwrap(), 0o755);
        let mut folders = vec![lab.path("cache")];
        while let Some(folder) = folders.pop() {
            for entry in fs_err::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    set(&path, 0o444);
                }
            }
            set(&folder, 0o555);
        }
        let mut command = lab.command(arguments);
        // The superuser may write anywhere, so somebody else has to try.
        if fs_err::write(lab.path("cache/probe"), "").is_ok() {
            fs_err::remove_file(lab.path("cache/probe")).unwrap();
            for folder in ["reports", "reports/experiment"] {
                set(&lab.path(folder), 0o777);
            }
            for file in lab.files("reports") {
                set(&file, 0o666);
            }
            set(&lab.path("asked.log"), 0o666);
            command.uid(65_534);
        }
        let output = command.output().ok();
        let mut folders = vec![lab.path("cache")];
        while let Some(folder) = folders.pop() {
            set(&folder, 0o755);
            for entry in fs_err::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                }
            }
        }
        output
    }

    #[test]
    fn a_cache_that_may_only_be_read_is_still_read() {
        let (lab, first) = known();
        let Some(output) = read_only(&lab, &["run", "--quiet"]) else {
            return;
        };
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{err}");
        assert!(err.is_empty() || !err.contains("error"), "{err}");
        assert_eq!(lab.run(&["--quiet"]).ok().tables, first.tables);
        // Nor does it matter that what `why` wants to know cannot be kept.
        lab.change("title = \"Small\"", "title = \"Still small\"");
        let Some(output) = read_only(&lab, &["run", "--quiet"]) else {
            return;
        };
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{err}");
        assert!(
            err.contains("`tribunal why` cannot compare with this run"),
            "{err}"
        );
    }

    #[test]
    fn a_cache_that_may_only_be_read_refuses_new_results_in_clear_words() {
        let (lab, _) = known();
        let set = "models.fake.temperature=0.5";
        let Some(output) = read_only(&lab, &["run", "--quiet", "--set", set]) else {
            return;
        };
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{err}");
        assert!(
            err.contains("the cache can't use `") && err.contains("cache/v1"),
            "{err}"
        );
        assert!(err.contains("may write to it"), "{err}");
        assert!(!err.contains("panicked"), "{err}");
    }
}
