//! What a system shows of itself as files: processes, devices, the environment with its keys. No spec has it read.
#![cfg(target_os = "linux")]

use std::os::unix::fs::symlink;

use crate::lab::{Lab, Ran};

const KEY: &str = "sk-0123456789-abcdef";

/// What a run says that must not have read the environment.
#[track_caller]
fn refused(lab: &Lab, verb: &str) -> String {
    let Ran { code, err, .. } = lab.cmd(&[verb]);
    assert!([3, 4].contains(&code), "{code}: {err}");
    let files = [lab.files("cache"), lab.files("reports")].concat();
    for file in files {
        let bytes = fs_err::read(&file).unwrap();
        assert!(memchr::memmem::find(&bytes, KEY.as_bytes()).is_none());
    }
    err.split_whitespace()
        .filter(|word| *word != "│")
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn no_link_to_the_environment_is_read_as_data() {
    /// What makes a spec read the file.
    type Change = fn(&Lab);
    let places: [(&str, Change); 5] = [
        ("docs/c.txt", |_| ()),
        ("docs/named.csv", |lab| {
            lab.change("files = \"docs/*.txt\"", "files = \"docs/named.csv\"");
        }),
        ("script.toml", |_| ()),
        ("values.csv", |lab| {
            lab.change(
                "rows = [\"metric\"]",
                "rows = [\"metric\"]\nexpect = \"values.csv\"",
            );
        }),
        ("templates/grade.j2", |_| ()),
    ];
    for (name, change) in places {
        let lab = Lab::small().env("A_KEY", KEY);
        change(&lab);
        let path = lab.path(name);
        let _ = fs_err::remove_file(&path);
        symlink("/proc/self/environ", &path).unwrap();
        // Published values are read once there are some to compare them with.
        let verb = if name == "values.csv" {
            "verify"
        } else {
            "run"
        };
        if verb == "verify" {
            lab.run(&[]).ok();
        }
        let said = refused(&lab, verb);
        assert!(
            said.contains("nothing is read from `/proc`"),
            "{name}: {said}"
        );
    }
}

#[test]
fn a_search_for_files_does_not_lead_through_the_system() {
    for pattern in ["/proc/**/*.txt", "/sys/*/*.txt", "docs/own/**/environ"] {
        let lab = Lab::small().env("A_KEY", KEY);
        symlink("/proc/self", lab.path("docs/own")).unwrap();
        lab.change("docs/*.txt", pattern);
        let said = refused(&lab, "run");
        assert!(
            said.contains("where the system shows itself"),
            "{pattern}: {said}"
        );
    }
}

#[test]
fn a_link_to_a_device_is_called_what_it_is() {
    let lab = Lab::small();
    symlink("/dev/zero", lab.path("docs/zero.txt")).unwrap();
    lab.change("docs/*.txt", "docs/zero.txt");
    let said = refused(&lab, "run");
    assert!(
        said.contains("it is a device, a pipe or a socket, not a file"),
        "{said}"
    );
}
