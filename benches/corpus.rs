//! CoFluEval-LC and -SC from the gold texts, cold: 65 documents at two lengths with six manipulations, 780
//! damaged documents; what finding sentences, tags and entities costs per megabyte, and what each manipulation does.
//!
//! Compared with reading the gold texts and writing them out again, undamaged. Needs the recorded data.

mod measure;

use std::time::Instant;

use measure::{binary, process, project, recorded_data, repeat, report, say, words};
use tribunal::frame::Frame;
use tribunal::language::text::{Want, annotate};

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
    let texts = megabyte(&data);
    per_megabyte(&texts);
    per_manipulation(&texts);
}

/// A megabyte of gold texts.
fn megabyte(data: &std::path::Path) -> String {
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
    texts
}

/// What each manipulation costs per megabyte of prose, on one thread, all it must find out included: the seconds that
/// the record of a run names.
fn per_manipulation(texts: &str) {
    let folder = tempfile::TempDir::new().expect("a folder can be made");
    let write = |name: &str, text: &str| {
        fs_err::write(folder.path().join(name), text).expect("a file can be written");
    };
    write("text.txt", texts);
    let half = texts.floor_char_boundary(texts.len() / 2);
    fs_err::create_dir(folder.path().join("others")).expect("a folder can be made");
    write("others/one.txt", &texts[..half]);
    write("others/two.txt", &texts[half..]);
    write(
        "each.toml",
        "title = \"Each manipulation\"\n\
         axes.task = { set = \"manipulate.damaged.apply\", values = [11, 12, 13, 14, 17, 21, 22, 24, 31, 32, 41, 42, 43, 44, 45] }\n\
         source.text.files = \"text.txt\"\nsource.others.files = \"others/*.txt\"\n\
         [manipulate.damaged]\nfrom = \"text\"\napply = 11\ndonors = \"others\"\n\
         exchange-content = { count = 2 }\nswap-entities = { percent = 50 }\nexchange-entities = { count = 5 }\n\
         entity-to-pronoun = { percent = 35 }\npunctuation-removal = { percent = 10 }\n",
    );
    let arguments = words(&["run", "--quiet", "--jobs", "1", "each.toml"]);
    process(&binary(), &arguments, folder.path());
    let record = folder.path().join("reports/each/run.json");
    let record = fs_err::read_to_string(record).expect("there is a record");
    let record: serde_json::Value = serde_json::from_str(&record).expect("it is JSON");
    let megabytes = texts.len() as f64 / 1e6;
    for node in record["nodes"].as_array().into_iter().flatten() {
        let name = node["node"].as_str().unwrap_or_default();
        let seconds = node["seconds"].as_f64().unwrap_or(f64::NAN);
        say(&format!(
            "{name}: {:.0} ms per MB",
            1000.0 * seconds / megabytes
        ));
    }
}

/// What finding sentences, words with tags, and entities costs per megabyte of prose, on one thread.
fn per_megabyte(texts: &str) {
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
        let found = annotate(texts, want).expect("the annotator is built in");
        let took = started.elapsed().as_secs_f64();
        let line = format!(
            "{name}: {:.0} ms per MB ({} words, {} entities)",
            1000.0 * took / megabytes,
            found.words.len(),
            found.entities.len()
        );
        say(&line);
    }
}
