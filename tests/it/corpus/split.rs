//! Parts of documents: where they stand, what they repeat, and documents that cannot be cut.

use tribunal::frame::Frame;

use super::texts::TALES;
use super::{cell, column, jsonl, result};
use crate::lab::Lab;

/// The parts of documents under a `[split.parts]` with these settings, and what was warned of.
fn parts(settings: &str, documents: &[(&str, &str)]) -> (Frame, Vec<String>) {
    let lab = Lab::new()
        .spec(&format!(
            "[source.docs]\nfiles = \"docs.jsonl\"\n\n[split.parts]\nfrom = \"docs\"\n{settings}\n"
        ))
        .file("docs.jsonl", jsonl(documents));
    let ran = lab.run(&["--json"]).ok();
    (result(&lab, &ran, "split.parts"), ran.warnings())
}

/// Where a part stands.
fn place(parts: &Frame, row: usize) -> (usize, usize) {
    let [start, end] = ["start", "end"].map(|name| cell(parts, name, row).unwrap());
    (start.parse().unwrap(), end.parse().unwrap())
}

/// The rows of each tale.
fn rows_of(parts: &Frame, id: &str) -> Vec<usize> {
    let ids = column(parts, "doc_id");
    (0..parts.rows()).filter(|&row| ids[row] == id).collect()
}

fn slice(text: &str, (start, end): (usize, usize)) -> String {
    text.chars().skip(start).take(end - start).collect()
}

#[test]
fn every_part_stands_where_it_says_in_characters_and_they_come_in_order() {
    for settings in [
        "tokens = 40",
        "into = \"chunks\"\ntokens = 40",
        "into = \"paragraphs\"",
        "into = \"sections\"\ncharacters = 200",
    ] {
        let (parts, warnings) = parts(settings, &TALES);
        assert_eq!(warnings, [""; 0]);
        for (id, tale) in TALES {
            let rows = rows_of(&parts, id);
            assert!(rows.len() > 2, "{settings}: {} parts", rows.len());
            let mut before = 0;
            for (number, &row) in rows.iter().enumerate() {
                let (start, end) = place(&parts, row);
                assert_eq!(Some(slice(tale, (start, end))), cell(&parts, "text", row));
                assert_eq!(cell(&parts, "section", row), Some((number + 1).to_string()));
                assert!(
                    before <= start && start < end,
                    "{settings} {before} {start} {end}"
                );
                before = end;
            }
        }
    }
}

#[test]
fn parts_put_together_are_the_document() {
    for settings in [
        "tokens = 40",
        "tokens = 40\noverlap = 0.5",
        "into = \"chunks\"\ntokens = 40",
        "into = \"paragraphs\"",
        "into = \"sections\"\ncharacters = 200",
    ] {
        let (parts, _) = parts(settings, &TALES);
        for (id, tale) in TALES {
            let texts = rows_of(&parts, id)
                .into_iter()
                .map(|row| cell(&parts, "text", row).unwrap());
            assert_eq!(texts.collect::<String>(), tale, "{settings}");
        }
    }
}

#[test]
fn scans_have_at_most_and_chunks_at_least_so_many_tokens() {
    let tokens =
        |parts: &Frame, row: usize| cell(parts, "text", row).unwrap().split_whitespace().count();
    let (scans, _) = parts("tokens = 40", &TALES);
    assert!((0..scans.rows()).all(|row| tokens(&scans, row) <= 40));
    let (chunks, _) = parts("into = \"chunks\"\ntokens = 40", &TALES);
    for (id, _) in TALES {
        let rows = rows_of(&chunks, id);
        let (last, others) = rows.split_last().unwrap();
        assert!(others.iter().all(|&row| tokens(&chunks, row) >= 40));
        assert!(tokens(&chunks, *last) > 0);
    }
}

#[test]
fn hard_mode_repeats_nothing_and_stride_mode_the_end_of_the_part_before() {
    let (hard, _) = parts("tokens = 40", &TALES);
    assert!(
        column(&hard, "previous")
            .iter()
            .all(|previous| previous == "–")
    );
    let (stride, _) = parts("tokens = 40\noverlap = 0.25", &TALES);
    assert_eq!(
        column(&stride, "text"),
        column(&hard, "text"),
        "the parts are the same"
    );
    for (id, _) in TALES {
        let rows = rows_of(&stride, id);
        assert_eq!(cell(&stride, "previous", rows[0]), None);
        for pair in rows.windows(2) {
            let previous = cell(&stride, "previous", pair[1]).unwrap();
            let before = cell(&stride, "text", pair[0]).unwrap();
            assert!(before.ends_with(&previous), "{previous:?}");
            // A quarter of 40 tokens.
            assert_eq!(previous.split_whitespace().count(), 10, "{previous:?}");
        }
    }
}

#[test]
fn chapters_are_found_and_a_document_without_them_says_so() {
    let chapters = [0, 1].map(|n| format!("CHAPTER {}\n\n{}\n\n", n + 1, TALES[n].1));
    let (parts, warnings) = parts(
        "into = \"chapters\"",
        &[("book", &chapters.concat()), ("tale", TALES[2].1)],
    );
    assert_eq!(column(&parts, "doc_id"), ["book", "book", "tale"]);
    // Headings belong to what they stand above, and nothing is left out.
    assert_eq!(column(&parts, "text")[..2], chapters);
    for empty in ["text", "section", "start", "end", "previous"] {
        assert_eq!(cell(&parts, empty, 2), None, "{empty}");
    }
    let why = cell(&parts, "not_applicable", 2).unwrap();
    assert!(why.contains("no reliable chapters"), "{why}");
    assert_eq!(
        warnings,
        [format!("1 document cannot be cut: `tale` ({why})")]
    );
}

#[test]
fn parts_keep_the_columns_of_their_document() {
    let lab = Lab::new()
        .spec("[source.docs]\nfiles = \"docs.csv\"\n\n[split.parts]\nfrom = \"docs\"\ninto = \"paragraphs\"\n")
        .file("docs.csv", "doc_id,text,year\na,\"One.\n\nTwo.\",1900\nb,Three.,1950\n");
    let ran = lab.run(&["--json"]).ok();
    let parts = result(&lab, &ran, "split.parts");
    assert_eq!(column(&parts, "text"), ["One.\n\n", "Two.", "Three."]);
    assert_eq!(column(&parts, "year"), ["1900", "1900", "1950"]);
    assert_eq!(column(&parts, "section"), ["1", "2", "1"]);
}

#[test]
fn sentences_are_parts_that_stand_where_they_say() {
    let (parts, warnings) = parts("into = \"sentences\"\ncount = \"sentences\"", &TALES);
    assert_eq!(warnings, [""; 0]);
    for (id, tale) in TALES {
        let rows = rows_of(&parts, id);
        assert!(rows.len() > 5, "{id}");
        for (number, &row) in rows.iter().enumerate() {
            let text = cell(&parts, "text", row).unwrap();
            assert_eq!(slice(tale, place(&parts, row)), text);
            assert_eq!(text.trim(), text);
            assert_eq!(cell(&parts, "section", row), Some((number + 1).to_string()));
            assert_eq!(cell(&parts, "sentences", row), Some(rows.len().to_string()));
        }
    }
}

#[test]
fn parts_begin_where_a_pattern_matches() {
    let report = "An introduction.\n\\section{One}\nÉtés.\n\\section{Two} of \\section{2}\n";
    let (parts, warnings) = parts(
        "into = \"pattern\"\npattern = '^\\\\section\\{'\ncount = \"sections\"",
        &[("report", report), ("plain", "No sections at all.")],
    );
    assert_eq!(
        column(&parts, "text"),
        [
            "An introduction.\n",
            "\\section{One}\nÉtés.\n",
            "\\section{Two} of \\section{2}\n",
            "No sections at all."
        ]
    );
    assert_eq!(column(&parts, "sections"), ["3", "3", "3", "1"]);
    for row in 0..3 {
        let text = cell(&parts, "text", row).unwrap();
        assert_eq!(slice(report, place(&parts, row)), text);
    }
    assert_eq!(
        warnings,
        ["the pattern `^\\\\section\\{` matches nowhere in 1 document, which is one part: `plain`"]
    );
}

#[test]
fn another_column_is_cut_and_the_text_stays() {
    let lab = Lab::new()
        .spec("[source.docs]\nfiles = \"docs.csv\"\n\n[split.said]\nfrom = \"docs\"\ncolumn = \"summary\"\ninto = \"sentences\"\ncount = \"all\"\n")
        .file(
            "docs.csv",
            "doc_id,text,summary\na,Whole.,One came. Two went.\nb,Whole too.,\n",
        );
    let ran = lab.run(&["--json"]).ok();
    let said = result(&lab, &ran, "split.said");
    assert_eq!(column(&said, "summary"), ["One came.", "Two went.", "–"]);
    assert_eq!(column(&said, "text"), ["Whole.", "Whole.", "Whole too."]);
    assert_eq!(cell(&said, "no_summary", 2).as_deref(), Some("no value"));
    assert_eq!(column(&said, "all"), ["2", "2", "–"]);
    assert_eq!(
        cell(&said, "no_all", 2).as_deref(),
        Some("no `summary`: no value")
    );
    assert!(!said.has("not_applicable"));
    assert_eq!(ran.warnings(), ["1 document cannot be cut: `b` (no value)"]);
}
