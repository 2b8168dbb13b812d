//! A run that finds everything known: Table A.12 of the thesis, a second time.
//!
//! Compared with the first run, which computes everything from the recorded replies, and with `--version`, below
//! which no run can get. Needs the recorded data.

mod measure;

use measure::{binary, process, project, recorded_data, repeat, report, words};

fn main() {
    let Some(data) = recorded_data() else { return };
    let folder = tempfile::TempDir::new().expect("a folder can be made");
    let set = |name: &str, path: std::path::PathBuf| format!("paths.{name}={}", path.display());
    let mut arguments = words(&["run", "--quiet"]);
    arguments.push(
        project()
            .join("experiments/judgememo/table-a-12.toml")
            .display()
            .to_string(),
    );
    for (name, path) in [
        ("judgememo", data),
        ("cache", folder.path().join("cache")),
        ("reports", folder.path().join("reports")),
    ] {
        arguments.extend(["--set".to_owned(), set(name, path)]);
    }
    let first = process(&binary(), &arguments, folder.path());
    report("baseline: the first run", &[first], "none");
    let runs = repeat(50, || {
        process(&binary(), &words(&["--version"]), folder.path())
    });
    report("baseline: --version", &runs, "none");
    let runs = repeat(20, || process(&binary(), &arguments, folder.path()));
    report("noop", &runs, "< 100 ms");
}
