//! The thesis's tables, carried elsewhere without its recorded data.

use std::path::Path;
use std::process::Command;

use tribunal::frame::Frame;

use super::elsewhere::{Elsewhere, files};
use crate::thesis::data::or_skip;

const TABLES: [&str; 3] = ["table-5-1", "table-a-12", "table-a-13"];

#[test]
fn tables_of_the_thesis_come_out_the_same_without_its_data() {
    let Some(data) = or_skip() else { return };
    let home = tempfile::tempdir().unwrap();
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let archive = home.path().join("b.tar.zst");
    let named = |table: &str| format!("experiments/judgememo/{table}.toml");
    let command = |args: &[&str]| {
        let set = |name: &str, path: &Path| format!("paths.{name}={}", path.display());
        let output = Command::new(env!("CARGO_BIN_EXE_tribunal"))
            .args(args)
            .args(["--set", &set("judgememo", &data.file(""))])
            .args(["--set", &set("cache", &home.path().join("cache"))])
            .args(["--set", &set("reports", &home.path().join("reports"))])
            .current_dir(project)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    for table in TABLES {
        command(&["run", "-q", &named(table)]);
    }
    let specs = TABLES.map(named);
    let specs = specs.each_ref().map(String::as_str);
    command(
        &[
            &["bundle", "--output", archive.to_str().unwrap()],
            &specs[..],
        ]
        .concat(),
    );
    let elsewhere = Elsewhere::new();
    elsewhere.unbundle(&archive, &[]).ok();
    for spec in specs {
        let ran = elsewhere.cmd(&["run", spec, "--json"]).ok();
        assert_eq!(ran.made(), (0, 0, 0), "{spec}");
    }
    let (ours, theirs) = (
        files(&home.path().join("reports")),
        files(&elsewhere.path("reports")),
    );
    // Of each its table as text and as csv, `tables.json` and `files.json`.
    assert_eq!(ours.len(), 4 * TABLES.len());
    assert_eq!(theirs, ours);
    let bytes = fs_err::read(data.file("documents.parquet")).unwrap();
    let documents = Frame::from_parquet(bytes, Some(&["text"])).unwrap();
    let text = documents.column("text").unwrap();
    let sentences: Vec<String> = (0..text.len())
        .step_by(13)
        .filter_map(|row| {
            let text = text.text(row)?.into_owned();
            text.split(". ")
                .find(|sentence| sentence.len() > 80)
                .map(str::to_owned)
        })
        .collect();
    assert!(sentences.len() > 20);
    let mut looked_at = 0;
    for name in files(&elsewhere.path("")).keys() {
        let bytes = fs_err::read(elsewhere.path(name)).unwrap();
        let held = match Frame::from_parquet(bytes.clone(), None) {
            Ok(frame) => String::from_utf8(frame.to_csv().unwrap()).unwrap(),
            Err(_) => String::from_utf8_lossy(&bytes).into_owned(),
        };
        looked_at += held.len();
        for sentence in &sentences {
            assert!(!held.contains(sentence.as_str()), "{name}: {sentence}");
        }
    }
    assert!(looked_at > 1_000_000);
}
