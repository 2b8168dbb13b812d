//! When tables and figures are drawn again, and when what an earlier run drew is left alone.

use std::time::Duration;

use serde_json::Value;

use crate::lab::{Lab, SMALL};

/// Longer than the longest step of a clock: what was written within one step may have been written to since.
const STEP: Duration = Duration::from_millis(2_100);

const REPORTS: &str = "reports/experiment";

/// A project with a table and a figure.
fn lab() -> Lab {
    let figure = "[figure.bars]\ntype = \"intervals\"\nfrom = \"scores\"\nx = \"metric\"";
    Lab::small().spec(&format!("{SMALL}\n{figure}\n"))
}

/// Projects whose reports were drawn so long ago that the next run finds them as they were.
fn kept<const N: usize>() -> [Lab; N] {
    let labs = [(); N].map(|()| lab());
    for lab in &labs {
        lab.run(&[]).ok();
        // Whoever writes a file does not know yet that nobody else does at that moment.
        assert!(drawn(lab).is_none());
    }
    std::thread::sleep(STEP);
    for lab in &labs {
        lab.run(&[]).ok();
        assert!(drawn(lab).is_some());
    }
    labs
}

/// Where it is kept what was drawn, with what it says.
fn drawn(lab: &Lab) -> Option<(std::path::PathBuf, Value)> {
    let files = lab.files("cache/v1/seen").into_iter();
    let mut read = files.map(|file| (file.clone(), fs_err::read(file).unwrap()));
    read.find_map(|(file, bytes)| {
        let seen: Value = serde_json::from_slice(&bytes).ok()?;
        let outline = &seen["files"]["outline"];
        (!outline.is_null()).then(|| (file, seen["files"].clone()))
    })
}

/// All reports but the record, which says how long a run took.
fn reports(lab: &Lab) -> Vec<(String, Vec<u8>)> {
    let files = lab.files(REPORTS).into_iter();
    let files = files.filter(|file| !file.ends_with("run.json"));
    files
        .map(|file| {
            let name = file.strip_prefix(lab.path(REPORTS)).unwrap();
            let name = name.to_string_lossy().into_owned();
            (name, fs_err::read(&file).unwrap())
        })
        .collect()
}

#[test]
fn what_was_drawn_and_nobody_touched_is_not_drawn_again() {
    let [lab] = kept();
    let (path, mut said) = drawn(&lab).unwrap();
    let names = said["files"].as_object().unwrap().keys();
    let names: Vec<&str> = names.map(String::as_str).collect();
    for name in ["scores.md", "bars.svg", "tables.json", "files.json"] {
        assert!(names.contains(&name), "{names:?}");
    }
    // What is kept is believed, which is how it is known that nothing was drawn: the page was, from this.
    said["outline"]["looks"] = Value::from("0".repeat(64));
    let body = serde_json::to_string_pretty(&serde_json::json!({ "files": said })).unwrap();
    let body = body.strip_suffix("\n}").unwrap();
    let digest = blake3::hash(body.as_bytes()).to_hex();
    fs_err::write(&path, format!("{body},\n  \"digest\": \"{digest}\"\n}}\n")).unwrap();
    let before = reports(&lab);
    let page = |reports: &[(String, Vec<u8>)]| {
        let page = reports.iter().find(|(name, _)| name == "index.html");
        page.unwrap().1.clone()
    };
    lab.run(&[]).ok();
    let believed = reports(&lab);
    assert!(
        page(&believed) != page(&before),
        "the page has another seal"
    );
    // Whoever touches a file has all drawn.
    lab.write(
        "reports/experiment/scores.md",
        lab.read("reports/experiment/scores.md"),
    );
    lab.run(&[]).ok();
    assert!(reports(&lab) == before);
}

#[test]
fn whatever_changes_is_drawn_again() {
    let [edited, without, altered, unlisted, unpaged, titled, more] = kept();
    let labs = [edited, without, altered, unlisted, unpaged];
    let before = labs.each_ref().map(reports);
    labs[0].edit("reports/experiment/scores.md", "fluency", "coherence");
    labs[1].remove("reports/experiment/bars.png");
    labs[2].edit(
        "reports/experiment/tables.json",
        "\"fluency\"",
        "\"coherence\"",
    );
    labs[3].remove("reports/experiment/files.json");
    labs[4].remove("reports/experiment/index.html");
    for (lab, before) in labs.iter().zip(before) {
        lab.run(&[]).ok();
        let names = |reports: &[(String, Vec<u8>)]| -> Vec<String> {
            reports.iter().map(|(name, _)| name.clone()).collect()
        };
        let after = reports(lab);
        assert_eq!(names(&after), names(&before));
        for ((name, after), (_, before)) in after.iter().zip(&before) {
            assert!(after == before, "{name}");
        }
    }
    titled.change("[table.scores]", "[table.scores]\ntitle = \"Another\"");
    assert!(titled.run(&[]).ok().tables["scores.md"].contains("Another"));
    let before = more.read("reports/experiment/scores.md");
    more.write("docs/c.txt", "A third one.\n");
    assert!(more.run(&[]).ok().tables["scores.md"] != before);
}

#[test]
fn a_run_of_which_nothing_is_drawn_says_what_one_says_that_draws() {
    let [lab] = kept();
    let again = lab.run(&[]).ok();
    lab.remove("cache/v1/seen");
    let drawn = lab.run(&[]).ok();
    assert_eq!(again.out, drawn.out);
    assert!(again.out.contains("fluency"), "{}", again.out);
}
