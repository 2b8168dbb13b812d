//! What each fuzz target does with its bytes: read them the way the project does, and check what must hold for
//! whatever came of it. A value or a message is right; a panic, a hang or an empty message is not.

mod files;
mod replies;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use tribunal::cache::seal;
use tribunal::frame::Frame;
use tribunal::models::template::Templates;
use tribunal::output::report::expect::Expected;
use tribunal::output::report::notes::Note;
use tribunal::output::report::{Layout, verify};
use tribunal::plan::Plan;
use tribunal::publish::bundle::{Manifest, check_path};
use tribunal::spec::{Input, Layers, Style, TemplateFiles, check};

pub use self::files::{axes, bundle, condition, parquet, render};
pub use self::replies::{differential, error_spans, evaluation_form, items, json, likert};

/// Nodes above which a spec is not planned: the product of a few axes is large and no fault.
const LARGEST: usize = 5_000;

fn load(text: &[u8], sets: Vec<String>) {
    let templates = BTreeMap::from([(
        "p".to_owned(),
        "fluency coherence {{ text }} {{ title }}".to_owned(),
    )]);
    let templates = TemplateFiles {
        templates: Templates::new(templates),
        sources: BTreeMap::new(),
        unreadable: BTreeMap::new(),
    };
    let input = Input {
        spec: PathBuf::from("x.toml"),
        sets,
        ..Input::default()
    };
    let read = |path: &Path| match path.to_str() {
        Some("x.toml") => Ok(text.to_vec()),
        _ => Err(io::Error::from(io::ErrorKind::NotFound)),
    };
    let layers = match Layers::load(input, &read, &|_| vec!["x.toml".to_owned()]) {
        Ok(layers) => layers,
        Err((sources, problems)) => {
            assert!(!problems.render(&sources, Style::default()).is_empty());
            return;
        }
    };
    let (spec, problems) = check(&layers, "x", &templates, Path::new(""));
    let drawn = problems.render(layers.sources(), Style::default());
    match spec {
        Some(spec) if spec.base.combos.len() * spec.base.stages.len() < LARGEST => {
            let plan = Plan::new(&spec);
            let behind = |id| plan.node(id).inputs.iter().all(|input| *input < id);
            assert!(plan.ids().all(behind));
        }
        Some(_) => {}
        None => assert!(!drawn.is_empty()),
    }
}

/// The text of a spec.
pub fn spec(bytes: &[u8]) {
    load(bytes, Vec::new());
}

/// A `--set` argument on a spec that has every kind of stage.
pub fn argument(bytes: &[u8]) {
    const SPEC: &str = r#"
[source.docs]
files = "docs.csv"
[select.some]
from = "docs"
[truncate.cut]
from = "some"
tokens = 10
[judge.j]
from = "cut"
model = "heuristic"
prompt = "p"
variables = ["text", "title"]
[stats.s]
from = "j"
[table.t]
from = "s"
rows = ["metric"]
columns = []
"#;
    if let Ok(argument) = std::str::from_utf8(bytes) {
        load(SPEC.as_bytes(), vec![argument.to_owned()]);
    }
}

/// A csv file with documents.
pub fn csv(bytes: &[u8]) {
    usable(Frame::from_csv(bytes, &["id"]).map_err(|error| error.to_string()));
}

/// A file of JSON lines.
pub fn jsonl(bytes: &[u8]) {
    usable(Frame::from_jsonl(bytes).map_err(|error| error.to_string()));
}

/// A table whose parquet form is the same table, or a message.
fn usable(frame: Result<Frame, String>) {
    match frame {
        Ok(frame) => {
            // Polars takes a hundred times as long as the reading that is tried here.
            static TIMES: AtomicUsize = AtomicUsize::new(0);
            let times = TIMES.fetch_add(1, Ordering::Relaxed);
            if times > 1000 && !times.is_multiple_of(64) {
                return;
            }
            let Ok(bytes) = frame.to_parquet() else {
                return;
            };
            let Ok(back) = Frame::from_parquet(bytes, None) else {
                panic!("what was written can be read");
            };
            assert_eq!(frame.names(), back.names());
            for name in frame.names() {
                let cells = |frame: &Frame| frame.column(name).map(|column| column.scalars()).ok();
                assert_eq!(cells(&frame), cells(&back));
            }
        }
        Err(why) => assert!(!why.is_empty()),
    }
}

fn layout() -> Layout {
    Layout {
        rows: vec!["task".to_owned(), "metric".to_owned()],
        columns: vec!["model".to_owned()],
        ..Layout::default()
    }
}

/// A csv with printed values.
pub fn expect(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match Expected::parse(text, &layout()) {
        Ok(expected) => {
            assert!(!expected.cells.is_empty());
            let audit = verify::verify(&[], &layout(), &expected, &[]);
            assert_eq!(audit.summary.cells, expected.cells.len());
            assert!(!tribunal::output::report::audit::terminal(&audit, 80, false).is_empty());
            assert!(!tribunal::output::report::audit::markdown(&audit).is_empty());
        }
        Err(problems) => assert!(!problems.to_string().is_empty()),
    }
}

/// A file of notes on printed values.
pub fn notes(bytes: &[u8]) {
    const PRINT: &str = "task,metric,model,printed,audited\n1,fluency,a,1.0,1\n2,coherence,b,—,\n";
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(expected) = Expected::parse(PRINT, &layout()) else {
        panic!("the print above is well formed");
    };
    match Note::parse(text, &layout(), &expected) {
        Ok(notes) => {
            let audit = verify::verify(&[], &layout(), &expected, &notes);
            assert_eq!(audit.notes.len(), notes.len());
        }
        Err(problems) => assert!(!problems.to_string().is_empty()),
    }
}

/// A template among others: the first line is its name, the rest its text.
pub fn template(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let (name, body) = text.split_once('\n').unwrap_or((text, text));
    let texts = BTreeMap::from([
        (name.to_owned(), body.to_owned()),
        (
            "other".to_owned(),
            "{% include 'other' %}{{ text }}".to_owned(),
        ),
    ]);
    let templates = Templates::new(texts);
    let faults = templates.faults();
    assert!(faults.iter().all(|fault| !fault.message.is_empty()));
    for name in templates.names() {
        let _ = (
            templates.uses(name),
            templates.digest(name),
            templates.missing_includes(name),
        );
        assert!(templates.with_includes(name).contains(name));
    }
}

/// The manifest of a bundle, as it comes and sealed as one of ours: what is read stays below its folder.
pub fn manifest(bytes: &[u8]) {
    let mut manifests = vec![bytes.to_vec()];
    if let Ok(value) = serde_json::from_slice::<serde_json::Value>(bytes) {
        manifests.push(seal(&value));
    }
    for bytes in manifests {
        match Manifest::from_bytes(&bytes) {
            Ok(manifest) => {
                assert_eq!(
                    Manifest::from_bytes(&manifest.to_bytes()).as_ref(),
                    Ok(&manifest)
                );
                let mut folded = std::collections::BTreeSet::new();
                for item in &manifest.files {
                    assert!(folded.insert(item.path.to_lowercase()), "{}", item.path);
                    below(&item.path);
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    if let Ok(path) = std::str::from_utf8(bytes)
        && check_path(path).is_ok()
    {
        below(path);
    }
}

/// A path leads to a file below whatever folder it is put after.
fn below(path: &str) {
    let folder = Path::new("/folder");
    let joined = folder.join(path);
    assert!(joined.starts_with(folder) && joined != folder, "{path}");
    let plain = |step| matches!(step, std::path::Component::Normal(_));
    assert!(Path::new(path).components().all(plain), "{path}");
}
