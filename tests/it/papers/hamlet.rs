//! `experiments/hamlet`: planted recall and faithfulness, chunks and positions, printed tables, labels of experts.

use crate::lab::Lab;
use crate::relations::{find, tribunal, verify};

#[test]
fn planted_recall_and_faithfulness_come_out_by_level_and_position() {
    // Recall of leaves is 3/4 at both ends and 1/4 in the middle, so the gap is 1/2; of roots and branches it is nowhere different.
    let (code, said, _folder) = verify("experiments/hamlet/planted.toml", &[]);
    assert_eq!(code, Some(0), "{said}");
    for cells in [
        "80 cells: 80 agree",
        "16 cells: 16 agree",
        "20 cells: 20 agree",
    ] {
        assert!(said.contains(cells), "{said}");
    }
}

#[test]
fn printed_gaps_means_and_sums_fit_each_other_but_for_three_cells() {
    let (code, said, _folder) = verify("experiments/hamlet/printed.toml", &[]);
    assert_eq!(code, Some(0), "{said}");
    for cells in [
        "48 cells: 47 agree, 1 differs (1 explained)",
        "6 cells: 6 agree",
        "8 cells: 6 agree, 2 differ (2 explained)",
    ] {
        assert!(said.contains(cells), "{said}");
    }
}

#[test]
fn labels_are_held_against_those_of_experts() {
    let (code, said, _folder) = verify("experiments/hamlet/validation.toml", &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("6 cells: 6 agree"), "{said}");
    assert!(said.contains("10 cells: 10 agree"), "{said}");
}

#[test]
fn a_fact_is_kept_if_every_verifier_passes_it_and_all_above_it() {
    let (code, said, folder) = verify("experiments/hamlet/planted.toml", &[]);
    assert_eq!(code, Some(0), "{said}");
    let fates = fs_err::read_to_string(find(folder.path(), "fates.csv")).unwrap();
    let count = |level: &str, fate: &str| {
        let head = fates.lines().next().unwrap();
        let place = |name: &str| head.split(',').position(|cell| cell == name).unwrap();
        let rows = fates
            .lines()
            .map(|line| line.split(',').collect::<Vec<_>>());
        let found = rows
            .filter(|row| {
                row[place("level")] == level
                    && row[place("fate")] == fate
                    && row[place("perspective")] == "narrative"
            })
            .map(|row| row[place("value")].parse::<f64>().unwrap());
        found.collect::<Vec<_>>()
    };
    // Twenty chunks, in each of which the second root fails one verifier and its branch hangs below it.
    assert_eq!(count("root", "kept"), [20.0], "{fates}");
    assert_eq!(count("root", "failed"), [20.0], "{fates}");
    assert_eq!(count("branch", "kept"), [40.0], "{fates}");
    assert_eq!(count("branch", "orphaned"), [20.0], "{fates}");
    assert_eq!(count("leaf", "kept"), [80.0], "{fates}");
}

#[test]
fn a_summary_that_was_not_written_is_absent_with_its_reason_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script.toml");
    let replies = "[[reply]]\ncontains = [\"The Orchard Line\"]\ntext = \"\"\n\n[[reply]]\ntext = \"It is told. A stage follows.\"\n";
    fs_err::write(&script, replies).unwrap();
    let script = format!("models.large.script={}", script.display());
    let more = [
        "--set",
        &script,
        "--set",
        "generate.summary.max-unwritten=1",
        "--set",
        "judge.alignment.max-unscored=1",
        "--set",
        "judge.check.max-unscored=1",
    ];
    let (code, said, folder) = tribunal("run", "experiments/hamlet/stories.toml", &more);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("not applicable"), "{said}");
    let table = fs_err::read_to_string(find(folder.path(), "table-7.csv")).unwrap();
    assert!(table.lines().count() > 1, "{table}");
}

#[test]
fn chunks_are_the_book_and_positions_its_fifths() {
    for (sentences, sizes) in [(19, [4, 4, 4, 4, 3]), (25, [5, 5, 5, 5, 5])] {
        let text: Vec<String> = (1..=sentences)
            .map(|at| format!("Sentence number {at} of the book is as long as all."))
            .collect();
        let lab = Lab::new()
            .spec(
                r#"
[source.books]
files = "book.txt"

[split.chunks]
from = "books"
into = "chunks"
tokens = 10
count = "chunks"

[derive.positions]
from = "split.chunks"
compute.position = "5 * (section - 1) // chunks"

[export.rows]
from = "positions"
columns = ["text", "position"]
format = "jsonl"
"#,
            )
            .file("book.txt", text.join(" "));
        let ran = lab.run(&[]).ok();
        let rows = crate::lab::json_lines(&ran.tables["rows.jsonl"]);
        let texts: Vec<&str> = rows
            .iter()
            .map(|row| row["text"].as_str().unwrap())
            .collect();
        assert_eq!(texts.concat(), text.join(" "));
        for text in &texts[..texts.len() - 1] {
            assert!(text.split_whitespace().count() >= 10, "{text}");
            assert!(text.trim_end().ends_with('.'), "{text}");
        }
        let found: Vec<usize> = (0..5)
            .map(|position| {
                rows.iter()
                    .filter(|row| row["position"] == position)
                    .count()
            })
            .collect();
        assert_eq!(found, sizes);
    }
}
