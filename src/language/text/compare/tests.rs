//! Against the values of others, and the laws that hold for all texts.

use serde_json::Value;

use super::*;

/// The pairs of texts in `tests/data/compared/values.json`, which `make.py` beside it makes.
fn known() -> Vec<(String, Vec<String>, Value)> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/compared/values.json"
    );
    let all: Vec<Value> = serde_json::from_slice(&fs_err::read(path).unwrap()).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    all.iter()
        .map(|one| {
            let references = one["references"].as_array().unwrap().iter().map(text);
            (
                text(&one["text"]),
                references.collect(),
                one["values"].clone(),
            )
        })
        .collect()
}

#[test]
fn numbers_are_those_of_the_programs_that_papers_use() {
    let known = known();
    assert!(known.len() > 120, "{}", known.len());
    let mut wrong = Vec::new();
    let mut without = 0;
    for (text, references, values) in &known {
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        for (name, comparison) in Comparison::ALL {
            let theirs = values[name].as_f64().unwrap();
            match comparison.compare(text, &references) {
                Ok(ours) if (ours - theirs).abs() < 1e-9 => {}
                Ok(ours) => wrong.push(format!(
                    "{name}: {ours}, not {theirs}: {text:?} {references:?}"
                )),
                // Nothing that could be found: they say 0.
                Err(why) => {
                    without += 1;
                    let told = why.starts_with("the reference ");
                    if theirs != 0.0 || !told {
                        wrong.push(format!("{name}: {why}: {text:?} {references:?}"));
                    }
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!((20..200).contains(&without), "{without}");
}

#[test]
fn a_reference_without_anything_to_find_gives_no_value() {
    let why = |name: &str, reference: &str| {
        let comparison = Comparison::named(name).unwrap();
        comparison.compare("a text", &[reference]).unwrap_err()
    };
    assert_eq!(why("bleu", " \n"), "the reference is empty");
    assert_eq!(why("chrf++", ""), "the reference is empty");
    assert_eq!(
        why("rouge-1", "今天天气很好"),
        "the reference has fewer than 1 word of a to z and 0 to 9, which ROUGE counts"
    );
    assert!(why("rouge-2:stem", "word").starts_with("the reference has fewer than 2 words"));
    for (_, comparison) in Comparison::ALL {
        assert_eq!(
            comparison.compare("a", &[]).unwrap_err(),
            "there is no reference"
        );
    }
}

#[test]
fn an_edit_distance_is_that_of_the_definition() {
    // Lengths around those of a block of bits.
    for (one, other) in [
        (0, 3),
        (63, 64),
        (64, 64),
        (65, 1),
        (127, 130),
        (128, 200),
        (200, 129),
    ] {
        let text = |length: usize, step: usize| -> String {
            let letter = |at: usize| char::from(b'a' + (at * at / 3 * step % 5) as u8);
            (0..length).map(letter).collect()
        };
        let (one, other) = (text(one, 1), text(other, 2));
        let expected = by_definition(one.as_bytes(), other.as_bytes());
        let found = edits::distance(&one, &other, Unit::Characters);
        assert!((found - expected as f64).abs() < 0.5, "{found} {expected}");
    }
}

fn by_definition(one: &[u8], other: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let exchanged = before + usize::from(a != b);
            before = row[j + 1];
            row[j + 1] = exchanged.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[other.len()]
}

#[test]
fn names_are_read_as_they_are_written() {
    for (name, comparison) in Comparison::ALL {
        assert_eq!(comparison.to_string(), name);
        assert_eq!(Comparison::named(name), Some(comparison));
    }
}
