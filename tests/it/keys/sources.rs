//! Source files and how they are read.

use super::{DOCS, each, runs, wide_known};

/// Everything but the source of a change that reaches every document.
const ALL: [&str; 11] = [
    "judge.baseline",
    "judge.grades",
    "select.some",
    "source.docs",
    "stats.plain",
    "stats.scores",
    "stats.shorter",
    "table.plain",
    "table.scores",
    "table.shorter",
    "truncate.cut",
];

#[test]
fn a_byte_of_a_document_asks_about_that_document_only() {
    let lab = wide_known();
    lab.edit(
        "docs.csv",
        "The ferry left at noon.",
        "The ferry left at dusk.",
    );
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.asked, 2, "the document whole and cut");
    for stage in [
        "source.docs",
        "select.some",
        "truncate.cut",
        "judge.grades",
        "judge.baseline",
    ] {
        assert!(ran.stages().iter().any(|ran| ran == stage), "{stage}");
    }
}

#[test]
fn a_byte_of_a_column_that_is_not_read_stops_at_the_source() {
    let lab = wide_known();
    lab.edit("docs.csv", "1910,Fiction,x", "1910,Fiction,another note");
    runs(&lab, "files.table 0: ", &["source.docs"]);
}

#[test]
fn a_byte_of_a_row_that_is_not_selected_stops_at_the_selection() {
    let lab = wide_known();
    lab.edit(
        "docs.csv",
        "The well was dug by hand.",
        "The well was dug by machine.",
    );
    runs(&lab, "files.table 0: ", &["select.some", "source.docs"]);
}

#[test]
fn the_id_column_invalidates() {
    let lab = wide_known();
    lab.change("id = \"name\"", "id = \"code\"");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.asked, 0, "no prompt names the document");
    assert!(ran.stages().contains(&"judge.grades".to_owned()));
}

#[test]
fn the_text_column_invalidates() {
    let lab = wide_known();
    lab.change(
        "text = \"body\"\ncolumns = [\"year\", \"genre\", \"body\"]",
        "text = \"notes\"\ncolumns = [\"year\", \"genre\", \"notes\"]",
    );
    lab.write(
        "docs.csv",
        DOCS.replace(
            ",x,",
            ",Another text entirely. It has two sentences and more.,",
        ),
    );
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.stages(), ALL);
    assert_eq!(
        ran.asked, 2,
        "all documents have the same text now: whole, and cut"
    );
}

#[test]
fn the_columns_invalidate() {
    let lab = wide_known();
    lab.change(
        "[\"year\", \"genre\", \"body\"]",
        "[\"year\", \"genre\", \"code\", \"body\"]",
    );
    let ran = runs(
        &lab,
        "parameters.columns: ",
        &[
            "judge.baseline",
            "judge.grades",
            "select.some",
            "source.docs",
            "stats.plain",
            "stats.scores",
            "stats.shorter",
            "truncate.cut",
        ],
    );
    assert_eq!(ran.asked, 0);
}

#[test]
fn what_identifies_a_row_and_what_is_done_about_empty_texts_invalidate_the_source() {
    let id = "id = \"name\"\n";
    each(
        &wide_known(),
        &[
            (
                id,
                "id = \"name\"\nkey = [\"doc_id\", \"year\"]\n",
                "parameters.key: ",
                &["source.docs"],
            ),
            (
                id,
                "id = \"name\"\nempty = \"drop\"\n",
                "parameters.empty: \"error\" → \"drop\"",
                &["source.docs"],
            ),
        ],
    );
}

#[test]
fn the_name_of_a_text_file_names_a_document_and_invalidates() {
    let lab = crate::lab::Lab::small();
    lab.run(&["--json"]).ok();
    fs_err::rename(lab.path("docs/a.txt"), lab.path("docs/z.txt")).unwrap();
    let ran = runs(
        &lab,
        "files.file a.txt: ",
        &["judge.grades", "source.docs", "stats.scores"],
    );
    assert_eq!(ran.asked, 0);
}

#[test]
fn the_name_of_a_table_does_not_invalidate() {
    let lab = wide_known();
    fs_err::rename(lab.path("docs.csv"), lab.path("other.csv")).unwrap();
    lab.change("docs.csv", "other.csv");
    assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0]);
}

#[test]
fn metadata_invalidates() {
    let lab = crate::lab::Lab::small();
    lab.change(
        "files = \"docs/*.txt\"",
        "files = \"docs/*.txt\"\nmetadata = \"docs.csv\"",
    );
    lab.write("docs.csv", "doc_id,year\na,1900\nb,1950\n");
    lab.run(&["--json"]).ok();
    lab.edit("docs.csv", "1950", "1951");
    runs(
        &lab,
        "files.metadata: ",
        &["judge.grades", "source.docs", "stats.scores"],
    );
}

#[test]
fn two_text_files_of_one_name_both_count() {
    let lab = crate::lab::Lab::small();
    lab.change(
        "files = \"docs/*.txt\"",
        "files = [\"docs/*.txt\", \"more/*.txt\"]\nkey = [\"doc_id\", \"text\"]",
    );
    lab.write(
        "more/a.txt",
        "A text of the same name. It lies in another folder.\n",
    );
    // The judge needs documents it can tell apart, so only the source is run.
    lab.run(&["--json", "--only", "source.docs"]).ok();
    for folder in ["docs", "more"] {
        let text = lab.read(&format!("{folder}/a.txt"));
        lab.write(
            &format!("{folder}/a.txt"),
            format!("{text}One more sentence.\n"),
        );
        let ran = lab.run(&["--json", "--only", "source.docs"]).ok();
        assert_eq!(ran.stages(), ["source.docs"], "{folder}/a.txt changed");
    }
}
