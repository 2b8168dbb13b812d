//! Reports that came in a bundle: what its maker says in them is not kept as if this run had said it.

use std::path::Path;

use crate::bundles::{Elsewhere, bundle};
use crate::lab::{Lab, SPEC};

/// A bundle that was unpacked, and run once.
fn ran() -> Elsewhere {
    let lab = Lab::small();
    lab.run(&[]).ok();
    bundle(&lab, &[]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    fs_err::create_dir(elsewhere.path("docs")).unwrap();
    for name in ["docs/a.txt", "docs/b.txt", "script.toml"] {
        fs_err::copy(lab.path(name), elsewhere.path(name)).unwrap();
    }
    assert_eq!(run(&elsewhere, "run"), 0);
    elsewhere
}

fn run(elsewhere: &Elsewhere, verb: &str) -> i32 {
    let output = elsewhere.command(&[verb, SPEC]).output().unwrap();
    output.status.code().unwrap_or(-1)
}

/// Changes a page and gives it a seal that fits, as anybody can.
fn forge(page: &Path) {
    const OPENING: &str = "<!-- tribunal: made from ";
    let text = fs_err::read_to_string(page).unwrap();
    let (body, seal) = text.rsplit_once(OPENING).unwrap();
    let (made_from, _) = seal.split_once(',').unwrap();
    let body = body.replace("</body>", "<p>FORGED</p></body>");
    assert!(body.contains("FORGED"));
    let digest = blake3::hash(body.as_bytes());
    let length = body.len();
    let forged = format!("{body}{OPENING}{made_from}, {length} bytes, {digest} -->\n");
    fs_err::write(page, forged).unwrap();
}

#[test]
fn a_page_that_came_along_is_made_anew_whatever_its_seal_says() {
    let elsewhere = ran();
    let page = elsewhere.path("reports/experiment/index.html");
    for verb in ["run", "report"] {
        forge(&page);
        assert_eq!(run(&elsewhere, verb), 0);
        let text = fs_err::read_to_string(&page).unwrap();
        assert!(!text.contains("FORGED"), "{verb}");
    }
    // In a project of one's own the seal is enough.
    fs_err::remove_file(elsewhere.path("tribunal.bundle.json")).unwrap();
    assert_eq!(run(&elsewhere, "run"), 0);
    let before = fs_err::metadata(&page).unwrap().modified().unwrap();
    assert_eq!(run(&elsewhere, "run"), 0);
    let after = fs_err::metadata(&page).unwrap().modified().unwrap();
    assert_eq!(before, after);
}

#[test]
fn counts_of_a_record_that_came_along_are_not_kept() {
    let elsewhere = ran();
    let record = elsewhere.path("reports/experiment/run.json");
    let text = fs_err::read_to_string(&record).unwrap();
    let forged = text.replace("\"scored\": 2", "\"scored\": 20000");
    assert_ne!(forged, text);
    fs_err::write(&record, forged).unwrap();
    assert_eq!(run(&elsewhere, "run"), 0);
    let text = fs_err::read_to_string(&record).unwrap();
    assert!(!text.contains("20000"), "{text}");
}
