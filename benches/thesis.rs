//! All specs of the `JudgeMemo` thesis in one run, from its recorded outputs: nothing known, and everything known.
//!
//! Compared with Table A.12 alone, everything known. Needs the recorded data.

mod measure;

use std::path::Path;

use measure::{binary, process, project, recorded_data, repeat, report, words};

/// What runs a spec, or a folder of them, with a cache in `folder`.
fn arguments(spec: &str, data: &Path, folder: &Path) -> Vec<String> {
    let mut arguments = words(&["run", "--quiet"]);
    arguments.push(project().join(spec).display().to_string());
    for (name, path) in [
        ("judgememo", data.to_owned()),
        ("cache", folder.join("cache")),
        ("reports", folder.join("reports")),
    ] {
        let set = format!("paths.{name}={}", path.display());
        arguments.extend(["--set".to_owned(), set]);
    }
    arguments
}

fn main() {
    let Some(data) = recorded_data() else { return };
    let kept = tempfile::TempDir::new().expect("a folder can be made");
    let cold = repeat(3, || {
        let folder = tempfile::TempDir::new().expect("a folder can be made");
        let all = arguments("experiments/judgememo", &data, folder.path());
        process(&binary(), &all, folder.path())
    });
    let all = arguments("experiments/judgememo", &data, kept.path());
    process(&binary(), &all, kept.path());
    let one = arguments("experiments/judgememo/table-a-12.toml", &data, kept.path());
    let runs = repeat(20, || process(&binary(), &one, kept.path()));
    report("baseline: Table A.12 alone, known", &runs, "none");
    report("all specs, nothing known", &cold, "< 8 s, < 500 MB");
    let runs = repeat(20, || process(&binary(), &all, kept.path()));
    report("all specs, everything known", &runs, "< 100 ms");
}
