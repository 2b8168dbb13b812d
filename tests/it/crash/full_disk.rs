//! A full disk in the middle of a run: a clear error, and room is all that is needed to go on.

use std::process::Command;
use std::time::Duration;

use super::project::{AT_ONCE, Project, tables_below};

/// Runs a shell script in a name space with a file system of `size` bytes mounted on `folder`,
/// where that is allowed; `$0` is the binary.
pub(super) fn below(project: &Project, folder: &str, size: &str, script: &str) -> bool {
    fs_err::create_dir_all(project.path(folder)).unwrap();
    let mount = format!("mount -t tmpfs -o size={size} tmpfs {folder} || exit 99");
    let status = Command::new("unshare")
        .args(["-r", "-m", "sh", "-c", &format!("{mount}\n{script}")])
        .arg(env!("CARGO_BIN_EXE_tribunal"))
        .current_dir(project.path(""))
        .status();
    let began = project.path("began").exists();
    if !began {
        eprintln!("skipped: no small file system can be mounted here ({status:?})");
    }
    began
}

fn read(project: &Project, name: &str) -> String {
    fs_err::read_to_string(project.path(name)).unwrap()
}

#[test]
fn a_cache_without_room_says_so_and_goes_on_when_there_is_some() {
    let project = Project::new(6, Duration::from_millis(3));
    project.run_well();
    let (tables, asked) = (project.tables(), project.asked());
    for name in ["cache", "reports", "asked.log"] {
        project.forget(name);
    }
    let script = "
        touch began
        # Room for the sources and some calls.
        head -c 4096000 /dev/zero > cache/ballast
        \"$0\" run --jobs 4 spec.toml > first.out 2> first.err; echo $? > first.code
        cp asked.log first.log
        rm cache/ballast
        \"$0\" run --jobs 4 spec.toml > second.out 2> second.err; echo $? > second.code
    ";
    if !below(&project, "cache", "4060k", script) {
        return;
    }
    let said = read(&project, "first.err");
    assert_ne!(read(&project, "first.code").trim(), "0", "{said}");
    assert!(said.contains("no room left to write `cache/v1/"), "{said}");
    assert!(said.contains("free some space"), "{said}");
    assert_eq!(
        read(&project, "second.code").trim(),
        "0",
        "{}",
        read(&project, "second.err")
    );
    assert_eq!(project.tables(), tables);
    let lost: usize = project.asked().iter().map(|(q, n)| n - asked[q]).sum();
    assert!(
        lost <= AT_ONCE,
        "{lost} replies were paid for and not stored"
    );
}

#[test]
fn reports_without_room_are_named_and_written_when_there_is_some() {
    let project = Project::new(2, Duration::from_millis(1));
    project.run_well();
    let tables = project.tables();
    for name in ["cache", "reports", "asked.log"] {
        project.forget(name);
    }
    let script = "
        touch began
        head -c 5000000 /dev/zero > reports/ballast 2> /dev/null
        \"$0\" run spec.toml > first.out 2> first.err; echo $? > first.code
        ls -A reports/spec > first.files
        cp asked.log first.log
        rm reports/ballast
        \"$0\" run spec.toml > second.out 2> second.err; echo $? > second.code
        cp asked.log second.log
        cp -R reports kept
    ";
    if !below(&project, "reports", "3m", script) {
        return;
    }
    let said = read(&project, "first.err");
    assert_eq!(read(&project, "first.code").trim(), "1", "{said}");
    assert!(said.contains("reports/spec/"), "{said}");
    assert!(!said.contains("/.t"), "{said}");
    assert!(!read(&project, "first.files").contains(".t"));
    assert_eq!(read(&project, "second.code").trim(), "0");
    assert_eq!(read(&project, "first.log"), read(&project, "second.log"));
    assert_eq!(tables_below(&project.path("kept")), tables);
}
