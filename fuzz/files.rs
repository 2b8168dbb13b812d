//! What the targets do that need more than one call: axes that are planned, conditions over a table, templates that are
//! rendered, files of a binary format with bytes changed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::OnceLock;

use tribunal::frame::{ColumnData, Frame, Scalar};
use tribunal::models::score::Scale;
use tribunal::models::template::Templates;
use tribunal::publish::bundle::{BundleError, Content, Draft, Head, What, unpack, write};
use tribunal::stage::Expression;

/// A table with text, numbers and gaps.
fn table() -> &'static Frame {
    static TABLE: OnceLock<Frame> = OnceLock::new();
    TABLE.get_or_init(|| {
        let columns = vec![
            ("text".to_owned(), ColumnData::text(["one", "two", ""])),
            (
                "year".to_owned(),
                ColumnData::Int(vec![Some(1), None, Some(1900)]),
            ),
            (
                "score".to_owned(),
                ColumnData::Float(vec![Some(0.5), None, Some(4.0)]),
            ),
        ];
        match Frame::new(columns) {
            Ok(frame) => frame,
            Err(error) => panic!("{error}"),
        }
    })
}

/// A condition over the columns of a table.
pub fn condition(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    match Expression::parse(text) {
        Ok(expression) => match expression.rows(table(), vec![0, 1, 2]) {
            Ok(kept) => assert!(kept.rows.len() <= 3),
            Err(failure) => assert!(!failure.message.is_empty()),
        },
        Err(why) => assert!(!why.is_empty()),
    }
}

/// Axes, zipped and excluded as the bytes say: one byte a count, the next a choice.
pub fn axes(bytes: &[u8]) {
    let mut bytes = bytes.iter().copied();
    let mut next = || usize::from(bytes.next().unwrap_or_default());
    let mut text = String::from(
        "[source.docs]\nfiles = \"docs.csv\"\n[judge.j]\nfrom = \"docs\"\nmodel = \"heuristic\"\nprompt = \"p\"\n",
    );
    let count = next() % 8;
    let keys = [
        "seed",
        "repeats",
        "variables",
        "metrics",
        "nothing",
        "model",
    ];
    for axis in 0..count {
        let values: Vec<String> = (0..next()).map(|value| value.to_string()).collect();
        let key = keys[next() % keys.len()];
        let _ = writeln!(
            text,
            "[axes.a{axis}]\nset = \"judge.j.{key}\"\nvalues = [{}]",
            values.join(", ")
        );
    }
    let mut named = |most: usize| {
        let names: Vec<String> = (0..next() % 4)
            .map(|_| format!("\"a{}\"", next() % most))
            .collect();
        names.join(", ")
    };
    let zip = named(9);
    let _ = writeln!(text, "[grid]\nzip = [[{zip}]]");
    let excluded: Vec<String> = (0..next() % 4)
        .map(|_| format!("{{ a{} = {} }}", next() % 9, next()))
        .collect();
    let _ = writeln!(text, "exclude = [{}]", excluded.join(", "));
    super::spec(text.as_bytes());
}

/// A template with a name of its own, rendered for a row.
pub fn render(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let templates = Templates::new(BTreeMap::from([("a".to_owned(), text.to_owned())]));
    let faults = templates.faults();
    assert!(faults.iter().all(|fault| !fault.message.is_empty()));
    let Some(template) = templates.get("a") else {
        assert!(!faults.is_empty());
        return;
    };
    let row = [
        ("text", Scalar::from("Once upon a time.")),
        ("title", Scalar::Null),
        ("year", Scalar::Int(1900)),
    ];
    let metrics = ["fluency".to_owned()];
    match template.prompt(row.into_iter(), &[], &metrics, &Scale::HALF_POINTS_1_TO_5) {
        Ok(prompt) => assert!(prompt.len() <= 64 << 20),
        Err(failure) => assert!(!failure.message.is_empty()),
    }
}

/// A parquet file as it comes, and ours with the bytes laid over it.
pub fn parquet(bytes: &[u8]) {
    static OURS: OnceLock<Vec<u8>> = OnceLock::new();
    let ours = OURS.get_or_init(|| match table().to_parquet() {
        Ok(bytes) => bytes,
        Err(error) => panic!("{error}"),
    });
    let read = |bytes: Vec<u8>| match Frame::from_parquet(bytes, None) {
        Ok(frame) => assert!(frame.names().len() < 1 << 20),
        Err(error) => assert!(!error.to_string().is_empty()),
    };
    read(bytes.to_vec());
    let mut damaged = ours.clone();
    changed(&mut damaged, bytes);
    read(damaged);
}

/// A bundle as it comes, and ours with the bytes laid over what it holds.
pub fn bundle(bytes: &[u8]) {
    static OURS: OnceLock<Vec<u8>> = OnceLock::new();
    let Ok(folder) = tempfile::tempdir() else {
        return;
    };
    let archive = folder.path().join("a.bundle");
    let ours = OURS.get_or_init(|| {
        let draft = |path: &str, text: &[u8]| Draft {
            path: path.to_owned(),
            what: What::Spec,
            licences: Vec::new(),
            content: Content::Bytes(text.to_vec()),
        };
        let files = vec![
            draft("experiments/a.toml", b"title = \"a\"\n"),
            draft("templates/p.j2", b"{{ text }}"),
        ];
        let path = folder.path().join("ours.bundle");
        if let Err(error) = write(&path, Head::default(), files) {
            panic!("{error}");
        }
        let packed = std::fs::read(&path).unwrap_or_default();
        zstd::decode_all(&*packed).unwrap_or_default()
    });
    let mut changed_tar = ours.clone();
    changed(&mut changed_tar, bytes);
    let packed = zstd::encode_all(&*changed_tar, 1).unwrap_or_default();
    for (at, bytes) in [bytes.to_vec(), packed].into_iter().enumerate() {
        let to = folder.path().join(format!("to-{at}"));
        if std::fs::write(&archive, bytes).is_err() {
            return;
        }
        match unpack(&archive, &to, None, |_| Ok::<(), BundleError>(())) {
            Ok(unpacked) => assert!(unpacked.manifest.bytes() <= 1 << 20),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert!(!to.exists());
            }
        }
    }
}

/// Lays changes over a file: two bytes say where, one with what it is mixed.
fn changed(file: &mut [u8], changes: &[u8]) {
    for change in changes.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % file.len().max(1);
        if let Some(byte) = file.get_mut(at) {
            *byte ^= change[2];
        }
    }
}
