//! A cache that came in a bundle: its digests say that it is what was packed, and nothing of what was packed.

use std::path::Path;

use tribunal::base::key::Digest;
use tribunal::cache::{Entry, NodeStore};

use crate::bundles::{Elsewhere, bundle};
use crate::lab::{Lab, SPEC};

/// Puts other bytes in the place of every result, as whoever makes a bundle can.
fn replace_results(cache: &Path, bytes: &[u8]) {
    let store = NodeStore::open(cache).unwrap();
    let mut replaced = 0;
    let mut folders = vec![cache.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs_err::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let folders = [path.parent(), path.parent().and_then(Path::parent)];
            let is_entry = folders
                .into_iter()
                .flatten()
                .any(|folder| folder.ends_with("nodes"));
            let Some(key) = name.parse::<Digest>().ok().filter(|_| is_entry) else {
                continue;
            };
            let entry = store.entry(&key).unwrap().unwrap();
            let output = Digest::of(bytes);
            let claim = store.claim(&key, &|| false).unwrap();
            claim.commit(&Entry { output, ..entry }, bytes).unwrap();
            replaced += 1;
        }
    }
    assert!(replaced > 2, "{replaced}");
}

fn run(elsewhere: &Elsewhere, args: &[&str]) -> (Option<i32>, String) {
    let output = elsewhere.command(args).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

#[test]
fn a_result_in_a_bundle_is_read_as_a_strangers_file() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    bundle(&lab, &[]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    let (code, said) = run(&elsewhere, &["run", SPEC]);
    assert_eq!(code, Some(0), "{said}");
    let bomb = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/parquet/shared-text.parquet");
    replace_results(&elsewhere.path("cache"), &fs_err::read(bomb).unwrap());
    let (code, said) = run(&elsewhere, &["run", SPEC]);
    assert_eq!(code, Some(4), "{said}");
    let why = "reading the parquet file takes more than 5";
    assert!(said.contains(why), "{said}");
    assert!(said.contains("the cache came in a bundle"), "{said}");
}
