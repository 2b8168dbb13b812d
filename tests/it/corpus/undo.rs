//! What the column `edits` says is what was done, in places counted in characters, and can be taken back.

use std::fmt::Write as _;

use serde_json::Value;
use tribunal::language::manipulate::undo;

use super::texts::TALES;
use super::{Damage, NAMES, damaged, damages};
use crate::lab::{Lab, Ran};

/// The tales as they are, with lines that end as on Windows, and with letters of up to four bytes
/// everywhere.
fn documents() -> Vec<(String, String)> {
    let mut documents = Vec::new();
    for (id, tale) in TALES {
        let odd = tale.replace(". ", ". 🜍é ").replace("the", "t\u{301}he");
        for (kind, text) in [
            ("plain", tale.to_owned()),
            ("windows", tale.replace('\n', "\r\n")),
            ("odd", odd),
        ] {
            documents.push((format!("{id}-{kind}"), text));
        }
    }
    documents
}

/// All manipulations of [`documents`], which are read from a csv.
fn all() -> (Lab, Ran, Vec<(String, String)>) {
    let documents = documents();
    let mut csv = "doc_id,text\n".to_owned();
    for (id, text) in &documents {
        let _ = writeln!(csv, "{id},\"{}\"", text.replace('"', "\"\""));
    }
    let lab = damaged(&TALES).file("docs.csv", csv);
    lab.change("files = \"docs.jsonl\"", "files = \"docs.csv\"");
    let ran = lab.run(&["--json"]).ok();
    (lab, ran, documents)
}

/// The text that the edits of a row were made in.
fn before<'a>(row: &'a Damage, documents: &'a [(String, String)]) -> &'a str {
    let whole = documents.iter().find(|(id, _)| *id == row.id).unwrap();
    row.unaltered.as_deref().unwrap_or(&whole.1)
}

/// Characters `place[0]` to `place[1]` of a text.
fn slice(text: &str, place: &Value) -> String {
    let [start, end] = [0, 1].map(|at| usize::try_from(place[at].as_u64().unwrap()).unwrap());
    assert!(start <= end, "{place}");
    assert!(end <= text.chars().count(), "{place}");
    text.chars().skip(start).take(end - start).collect()
}

#[test]
fn edits_that_are_taken_back_give_the_text_before_byte_for_byte() {
    let (lab, ran, documents) = all();
    let mut undone = Vec::new();
    for row in damages(&lab, &ran, "manipulate.damaged") {
        let Some(text) = &row.text else { continue };
        let original = undo(text, &row.layers()).unwrap();
        assert_eq!(original, before(&row, &documents), "{row:?}");
        undone.push(row.manipulation);
    }
    for name in NAMES {
        let times = undone.iter().filter(|done| *done == name).count();
        assert!(times >= 6, "{name}: {times} of 9 documents");
    }
}

#[test]
fn edits_slice_both_texts_in_order_and_what_lies_between_is_untouched() {
    let (lab, ran, documents) = all();
    for row in damages(&lab, &ran, "manipulate.damaged") {
        let Some(text) = &row.text else { continue };
        let original = before(&row, &documents);
        let layer = row.last();
        assert_eq!(layer["manipulation"], row.manipulation.as_str());
        let (mut at_before, mut at_after) = (Value::from(0), Value::from(0));
        let mut operations = Vec::new();
        for edit in layer["edits"].as_array().unwrap() {
            let (places, new_places) = (&edit["before"], &edit["after"]);
            assert_eq!(slice(original, places), edit["original"].as_str().unwrap());
            assert_eq!(slice(text, new_places), edit["new"].as_str().unwrap());
            assert_ne!(edit["original"], edit["new"], "{edit}");
            let kept = slice(original, &[at_before, places[0].clone()].into());
            let stays = slice(text, &[at_after, new_places[0].clone()].into());
            assert_eq!(kept, stays, "{}: {edit}", row.manipulation);
            (at_before, at_after) = (places[1].clone(), new_places[1].clone());
            operations.push(usize::try_from(edit["operation"].as_u64().unwrap()).unwrap());
        }
        let rest = |text: &str, at: Value| slice(text, &[at, text.chars().count().into()].into());
        assert_eq!(rest(original, at_before), rest(text, at_after));
        operations.sort_unstable();
        operations.dedup();
        let count = row.operations.unwrap();
        assert_eq!(layer["operations"], count);
        // A passage that is put in where one was taken out belongs to its operation.
        assert_eq!(operations, (0..count).collect::<Vec<_>>(), "{row:?}");
    }
}

#[test]
fn two_manipulations_one_after_the_other_are_taken_back_together() {
    let lab = damaged(&TALES);
    lab.append(
        "[manipulate.again]\nfrom = \"damaged\"\napply = \"typos\"\ntypos = { percent = 5 }",
    );
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.warnings(), [""; 0]);
    let tales = TALES.map(|(id, text)| (id.to_owned(), text.to_owned()));
    let once = damages(&lab, &ran, "manipulate.damaged");
    let twice = damages(&lab, &ran, "manipulate.again");
    assert_eq!(twice.len(), once.len());
    for (once, twice) in once.iter().zip(&twice) {
        assert_eq!(twice.manipulation, format!("{}+typos", once.manipulation));
        let (layers, text) = (twice.layers(), twice.text.as_deref().unwrap());
        let last = layers.last().unwrap();
        assert_eq!(Some(last.operations), twice.operations);
        assert_eq!(Some(last.undo(text).unwrap()), once.text);
        assert_eq!(undo(text, &layers).unwrap(), before(once, &tales));
    }
}

#[test]
fn a_needle_in_a_manipulated_text_is_taken_back_to_its_excerpt() {
    let lab = damaged(&TALES);
    lab.change("apply = 11", "apply = \"typos\"");
    lab.change("values = [11, 12, 13, 14, 17, 21, 22, 24, 31, 32, 41, 42, 43, 44, 45, \"negation\", \"conjunction-swap\", \"entity-replacement\"]", "values = [41]");
    lab.append("[manipulate.needle]\nfrom = \"damaged\"\napply = \"conjunction-swap\"\nneedle = { before = 1, after = 1, room = 2 }");
    let ran = lab.run(&["--json"]).ok();
    for row in damages(&lab, &ran, "manipulate.needle") {
        assert_eq!(row.manipulation, "typos+conjunction-swap");
        let text = row.text.as_deref().unwrap();
        assert_eq!(Some(undo(text, &row.layers()).unwrap()), row.unaltered);
    }
}

#[test]
fn there_are_as_many_operations_as_the_equation_says() {
    let lab = damaged(&TALES);
    let spec = lab.read(crate::lab::SPEC);
    let spec = spec
        .replace(
            "swap-entities = { percent = [50, 100] }",
            "swap-entities = { percent = 67 }",
        )
        .replace("typos = { percent = [5, 10] }", "typos = { percent = 7 }")
        .replace(
            "exchange-content = { count = 2 }",
            "exchange-content = { per-thousand = 6, plus = 1 }",
        )
        .replace(
            "remove-content = { count = 2 }",
            "remove-content = { percent = 30 }",
        );
    lab.write(crate::lab::SPEC, spec);
    let ran = lab.run(&["--json"]).ok();
    let percent =
        |percent: f64, of: usize| (percent * of as f64 / 100.0).round_ties_even() as usize;
    for row in damages(&lab, &ran, "manipulate.damaged") {
        let text = TALES.iter().find(|(id, _)| *id == row.id).unwrap().1;
        let (candidates, tokens) = (row.candidates.unwrap(), text.split_whitespace().count());
        let expected = match row.manipulation.as_str() {
            "swap-content" | "insert-content" | "temporal-inconsistencies" => 2,
            "repeat-content" | "negation" | "conjunction-swap" | "entity-replacement" => 1,
            "remove-content" | "punctuation-removal" | "verb-tenses" => percent(30.0, candidates),
            "exchange-content" => (6.0 * tokens as f64 / 1000.0 + 1.0).round_ties_even() as usize,
            // Two at least.
            "swap-entities" => percent(67.0, candidates).max(2),
            "exchange-entities" => percent(50.0, candidates).max(2),
            "entity-to-pronoun" | "entity-to-term" => percent(50.0, candidates),
            "typos" => percent(7.0, candidates),
            "word-order" => percent(40.0, candidates),
            "word-removal" => 8,
            other => panic!("{other}"),
        };
        assert_eq!(row.operations, Some(expected), "{row:?}");
        let counted = match row.manipulation.as_str() {
            "swap-content"
            | "remove-content"
            | "insert-content"
            | "repeat-content"
            | "exchange-content"
            | "temporal-inconsistencies" => text.split("\n\n").count(),
            "typos" | "word-removal" => tokens,
            "punctuation-removal" => text.chars().filter(char::is_ascii_punctuation).count(),
            _ => candidates,
        };
        assert_eq!(candidates, counted, "{}", row.manipulation);
    }
}
