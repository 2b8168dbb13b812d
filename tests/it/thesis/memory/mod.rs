//! Memories and reports made from the recorded judgements of sections, beside those that the thesis's own parser
//! made: the same scores and issues, and every difference of a kind that was looked at, as often as
//! `experiments/judgememo/section-memory.md` says.

mod kinds;
mod told;

use std::collections::BTreeMap;
use std::path::Path;

use tribunal::frame::Frame;

use self::kinds::{Kind, Tally};
use self::told::Told;
use super::data::{Data, Lab, or_skip};

/// The columns that say which document was read how.
const KEY: [&str; 6] = ["model", "variant", "settings", "length", "task", "doc_id"];

/// What is compared: recorded stage, our column, and how either is read.
const COMPARED: [(&str, Read, Read); 2] = [
    ("memory", told::recorded_memory, told::memory),
    ("report", told::recorded_report, told::report),
];

type Read = fn(&str) -> Told;

fn texts(
    frame: &Frame,
    column: &str,
    keep: impl Fn(usize) -> bool,
) -> BTreeMap<Vec<String>, String> {
    let key = KEY.map(|name| frame.column(name).unwrap());
    let text = frame.column(column).unwrap();
    (0..frame.rows())
        .filter(|&row| keep(row))
        .map(|row| {
            let name = key
                .iter()
                .map(|column| column.text(row).unwrap().into_owned());
            (name.collect(), text.text(row).unwrap().into_owned())
        })
        .collect()
}

/// What was recorded of a stage of the memory judge.
fn recorded(data: &Data, stage: &str) -> BTreeMap<Vec<String>, String> {
    let columns = [&KEY[..], &["suite", "stage", "raw_text"]].concat();
    let bytes = fs_err::read(data.file("responses.parquet")).unwrap();
    let frame = Frame::from_parquet(bytes, Some(&columns)).unwrap();
    let is = |name: &str, row: usize, wanted: &str| {
        frame.column(name).unwrap().text(row).as_deref() == Some(wanted)
    };
    texts(&frame, "raw_text", |row| {
        is("suite", row, "judgememo") && is("stage", row, stage)
    })
}

/// The table of section-memory.md: kind → how often in memories, in reports.
fn listed() -> BTreeMap<String, [u64; 2]> {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/judgememo/section-memory.md");
    let text = fs_err::read_to_string(file).unwrap();
    let rows = text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix('|')?.split('|').map(str::trim).collect();
        let number = |at: usize| cells.get(at)?.replace(',', "").parse().ok();
        Some((cells[0].to_owned(), [number(1)?, number(2)?]))
    });
    rows.collect()
}

#[test]
fn memories_and_reports_are_the_recorded_ones_but_for_differences_of_known_kinds() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    let spec =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/judgememo/section-memory.toml");
    lab.run(&spec, &[]);
    let ours = fs_err::read(lab.report("section-memory/memory", "parquet")).unwrap();
    let ours = Frame::from_parquet(ours, None).unwrap();
    let listed = listed();
    for (at, (stage, read_recorded, read)) in COMPARED.into_iter().enumerate() {
        let ours = texts(&ours, stage, |_| true);
        let mut tally = Tally::default();
        for (name, text) in recorded(&data, stage) {
            tally.compare(&name, &read_recorded(&text), &read(&ours[&name]));
        }
        assert!(tally.unknown.is_empty(), "{stage}: {:#?}", tally.unknown);
        let found = Kind::ALL.map(|kind| (kind.name(), tally.of(kind)));
        for (kind, n) in found {
            let said = listed.get(kind).map(|cells| cells[at]);
            assert_eq!(said, Some(n), "{stage}, {kind}: {found:#?}");
        }
    }
}
