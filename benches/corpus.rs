//! CoFluEval-LC and -SC from the gold texts, cold: 65 documents at two lengths with six manipulations, 780
//! damaged documents, and the tagging that [42] costs.
//!
//! Compared with reading the gold texts and writing them out again, undamaged. Needs the recorded data.

mod measure;

use std::io::Write;
use std::time::Instant;

use measure::{binary, process, project, recorded_data, repeat, report, words};
use tribunal::frame::Frame;
use tribunal::text::{Want, annotate};

/// Megabytes of gold texts that are annotated to state the cost of a megabyte.
const MEGABYTES: f64 = 1.0;

fn main() {
    let Some(data) = recorded_data() else { return };
    let set = |name: &str, path: std::path::PathBuf| format!("paths.{name}={}", path.display());
    let run = |only: &str| {
        let folder = tempfile::TempDir::new().expect("a folder can be made");
        let mut arguments = words(&["run", "--quiet", "--only", only]);
        arguments.push(
            project()
                .join("experiments/judgememo/cofluevallc.toml")
                .display()
                .to_string(),
        );
        for (name, path) in [
            ("judgememo", data.clone()),
            ("cache", folder.path().join("cache")),
            ("reports", folder.path().join("reports")),
        ] {
            arguments.extend(["--set".to_owned(), set(name, path)]);
        }
        process(&binary(), &arguments, folder.path())
    };
    let runs = repeat(5, || run("truncate.cut"));
    report("baseline: reading and truncating", &runs, "none");
    let runs = repeat(5, || run("export.coflueval"));
    report("corpus: 780 documents, cold", &runs, "< 5 s, < 500 MB");
    per_megabyte(&data);
}

/// What finding sentences, words with tags, and entities costs per megabyte of prose, on one thread.
fn per_megabyte(data: &std::path::Path) {
    let bytes = fs_err::read(data.join("documents.parquet")).expect("the documents can be read");
    let frame = Frame::from_parquet(bytes, Some(&["text"])).expect("they are a table");
    let column = frame.column("text").expect("it has texts");
    let mut texts = String::new();
    for row in 0..frame.rows() {
        if texts.len() as f64 >= MEGABYTES * 1e6 {
            break;
        }
        texts.push_str(&column.text(row).unwrap_or_default());
        texts.push_str("\n\n");
    }
    let megabytes = texts.len() as f64 / 1e6;
    let wants = [
        ("sentences", (true, false, false)),
        ("sentences and tags", (true, true, false)),
        ("entities", (false, false, true)),
    ];
    for (name, (sentences, words, entities)) in wants {
        let want = Want {
            sentences,
            words,
            entities,
        };
        // The model is unpacked at the first call.
        let _ = annotate("Once.", want);
        let started = Instant::now();
        let found = annotate(&texts, want).expect("the annotator is built in");
        let took = started.elapsed().as_secs_f64();
        let line = format!(
            "{name}: {:.0} ms per MB ({} words, {} entities)",
            1000.0 * took / megabytes,
            found.words.len(),
            found.entities.len()
        );
        let _ = writeln!(std::io::stdout(), "{line}");
    }
}
