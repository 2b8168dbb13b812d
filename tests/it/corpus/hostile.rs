//! Texts that nobody wants to read, through everything there is: a result or a reason for each, never a
//! crash, and what was done can still be taken back.

use std::fmt::Write;

use tribunal::language::manipulate::undo;

use super::texts::TALES;
use super::{DAMAGED, column, damages, jsonl, nodes, result};
use crate::lab::{Lab, Ran};

/// Everything that can be counted.
const MEASURE: &str = r#"
[measure.counts]
from = "damaged"
metrics = ["characters", "tokens", "tokens:llama3", "words", "sentences", "paragraphs", "entities", "operations", "edits", "changed-characters", "changed-words"]
"#;

fn hostile() -> Vec<(&'static str, String)> {
    let sentence = "Anna went to Paris and said that Thomas or Clara had not slept. ";
    let paragraph = |n: usize| format!("Paragraph {n} says that Anna walked to Paris and back.");
    vec![
        ("empty", String::new()),
        ("blank", " \n\t\n ".to_owned()),
        ("word", "Word".to_owned()),
        ("letter", "é".to_owned()),
        ("line", "word ".repeat(20_000)),
        ("no-paragraphs", sentence.repeat(60)),
        ("no-blanks", "abc".repeat(9_000)),
        ("capitals", TALES[0].1.to_uppercase()),
        (
            "chinese",
            "安娜去了巴黎。她說了很多話，沒有人聽。\n\n城裡很安靜！".repeat(40),
        ),
        (
            "arabic",
            "ذهبت آنا إلى باريس. ولم يسمعها أحد؟\n\n".repeat(40),
        ),
        (
            "emoji",
            "👩‍👩‍👧 went 🏃🏽‍♀️ home. 🎻🎻 And 🇫🇷 or 🇩🇪!\n\n".repeat(40),
        ),
        ("windows", TALES[1].1.replace('\n', "\r\n")),
        ("old-mac", TALES[1].1.replace('\n', "\r")),
        ("mark", format!("\u{feff}{}", TALES[2].1)),
        ("nul", TALES[2].1.replace("the", "\0the\0")),
        (
            "controls",
            TALES[0].1.replace(' ', "\u{b}\u{7f}\u{85}\u{2028}"),
        ),
        ("combining", TALES[0].1.replace('e', "e\u{301}\u{323}")),
        ("marks", "?!.,;:—…\"'([{".repeat(200)),
        (
            "paragraphs",
            (0..2_000).map(paragraph).collect::<Vec<_>>().join("\n\n"),
        ),
    ]
}

/// [`DAMAGED`] with hostile documents, kept even when they are empty.
fn lab() -> Lab {
    let lab = Lab::new()
        .spec(DAMAGED)
        .file("docs.jsonl", jsonl(&hostile()))
        .file("others.jsonl", jsonl(&TALES));
    lab.change(
        "files = \"docs.jsonl\"",
        "files = \"docs.jsonl\"\nempty = \"keep\"",
    );
    lab.append(MEASURE);
    lab
}

/// Every count is there, or a reason why it is not.
#[track_caller]
fn all_counted(lab: &Lab, ran: &Ran) {
    for node in nodes(ran, "measure.counts") {
        let counts = result(lab, ran, &node);
        let (values, reasons) = (column(&counts, "value"), column(&counts, "detail"));
        for (value, reason) in values.iter().zip(&reasons) {
            assert_ne!(value == "–", reason == "–", "{value} {reason}");
        }
    }
}

#[test]
fn raw_hostile_texts_are_damaged_or_refused_with_a_reason() {
    let lab = lab();
    let ran = lab.run(&["--json"]).ok();
    let documents = hostile();
    let all = damages(&lab, &ran, "manipulate.damaged");
    assert_eq!(all.len(), 18 * documents.len());
    for row in all {
        let Some(text) = &row.text else {
            assert!(row.not_applicable.is_some_and(|why| !why.is_empty()));
            continue;
        };
        let whole = &documents.iter().find(|(id, _)| *id == row.id).unwrap().1;
        let before = row.unaltered.as_ref().unwrap_or(whole);
        assert_eq!(&undo(text, &row.layers()).unwrap(), before, "{row:?}");
    }
    all_counted(&lab, &ran);
}

#[test]
fn hostile_texts_go_through_cleaning_cutting_damaging_and_counting() {
    let lab = lab();
    lab.change("from = \"docs\"", "from = \"parts\"");
    lab.append("[clean.tidy]\nfrom = \"docs\"\n\n[split.parts]\nfrom = \"tidy\"\ntokens = 300\noverlap = 0.1");
    lab.change("fill = \"docs\"", "fill = \"parts\"");
    let ran = lab.run(&["--json"]).ok();
    let parts = result(&lab, &ran, "split.parts");
    let ids = column(&parts, "doc_id");
    for (id, _) in hostile() {
        assert!(ids.iter().any(|known| known == id), "{id} is gone");
    }
    let all = damages(&lab, &ran, "manipulate.damaged");
    assert_eq!(all.len(), 18 * parts.rows());
    assert!(
        all.iter()
            .all(|row| row.text.is_some() != row.not_applicable.is_some())
    );
    all_counted(&lab, &ran);
}

#[test]
fn hostile_texts_are_cut_in_every_way() {
    let lab = lab();
    let (spec, _) = DAMAGED.split_once("[manipulate").unwrap();
    let (_, spec) = spec.split_once("[source.docs]").unwrap();
    let mut spec = format!("[source.docs]\nempty = \"keep\"\n{spec}");
    let cuts = [
        "tokens = 30",
        "tokens = 30\ntokenizer = \"llama3\"\noverlap = 0.5",
        "into = \"chunks\"\ntokens = 30",
        "into = \"paragraphs\"",
        "into = \"sections\"\ncharacters = 200",
        "into = \"chapters\"",
    ];
    for (n, cut) in cuts.iter().enumerate() {
        let _ = writeln!(spec, "\n[split.s{n}]\nfrom = \"docs\"\n{cut}");
    }
    spec.push_str("\n[truncate.cut]\nfrom = \"docs\"\ntokens = 30\n\n[select.some]\nfrom = \"docs\"\nsentences = { min = 1 }\nsentence-characters = { min = 1, max = 100 }\n");
    lab.write(crate::lab::SPEC, spec);
    let ran = lab.run(&["--json"]).ok();
    let documents = hostile();
    for n in 0..cuts.len() {
        let parts = result(&lab, &ran, &format!("split.s{n}"));
        let (ids, texts) = (column(&parts, "doc_id"), column(&parts, "text"));
        let (starts, ends) = (column(&parts, "start"), column(&parts, "end"));
        for (id, text) in &documents {
            let of = |row: &usize| ids[*row] == *id;
            let rows: Vec<usize> = (0..parts.rows()).filter(of).collect();
            assert!(!rows.is_empty(), "{id}");
            let letters: Vec<char> = text.chars().collect();
            for row in rows.into_iter().filter(|&row| texts[row] != "–") {
                let (start, end) = (starts[row].parse().unwrap(), ends[row].parse().unwrap());
                let cut: String = letters[start..end].iter().collect();
                assert_eq!(cut, texts[row], "{id}");
            }
        }
    }
}

#[test]
fn a_file_that_is_no_text_is_refused_with_its_name_and_place() {
    let lab = lab();
    lab.change("files = \"docs.jsonl\"", "files = \"*.txt\"");
    lab.write("good.txt", "Fine.");
    lab.write("latin.txt", b"A caf\xe9 in Paris.");
    let ran = lab.run(&[]).exit(4);
    let message = "`latin.txt`: not UTF-8 text: byte 5 (line 1) is 0xe9";
    assert!(ran.err.contains(message), "{}", ran.err);
}
