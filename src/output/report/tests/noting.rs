//! What notes files are taken and how slips in them are told.

use proptest::prelude::*;

use super::plain;
use crate::output::report::expect::Expected;
use crate::output::report::notes::{Note, When};

fn expected() -> Expected {
    Expected::parse("task,model,printed\n43,LN-T,4.0\n41,Q-noT,3.0\n", &plain()).expect("two cells")
}

fn parse(text: &str) -> Result<Vec<Note>, String> {
    Note::parse(text, &plain(), &expected()).map_err(|problems| problems.to_string())
}

#[test]
fn a_note_names_one_value_or_several_and_explains_differences() {
    let text = "[[note]]\ncells = { model = [\"LN-T\", \"Q-noT\"], task = \"43\" }\ntext = \"\"\"\nbroken\nlines\"\"\"\n";
    let notes = parse(text).expect("one note");
    assert_eq!(notes[0].text, "broken lines");
    assert_eq!(notes[0].when, [When::Differs]);
    assert_eq!(notes[0].line, 1);
    let covered: Vec<bool> = expected()
        .cells
        .iter()
        .map(|cell| notes[0].covers(&plain(), cell))
        .collect();
    assert_eq!(covered, [true, false]);
}

#[test]
fn a_note_without_cells_speaks_of_all() {
    let notes =
        parse("[[note]]\ntext = \"all\"\nwhen = [\"absent\", \"incomplete\"]\n").expect("one note");
    assert!(
        expected()
            .cells
            .iter()
            .all(|cell| notes[0].covers(&plain(), cell))
    );
    assert_eq!(notes[0].when, [When::Absent, When::Incomplete]);
}

#[test]
fn mistaken_fields_and_values_are_named_with_what_was_meant() {
    let text = "[[note]]\ncells = { modle = \"LN-T\", task = \"44\" }\ntext = \"x\"\n\n[[note]]\ncells = { model = [\"LN-t\", \"LN-T\"], task = [] }\ntext = \" \"\nwhen = []\n";
    insta::assert_snapshot!(parse(text).expect_err("six slips"), @"
    line 2, column 11: the table has no field `modle`; did you mean `model`?
    line 2, column 34: no published cell has `task = 44`; use one of `41`, `43`
    line 6, column 19: no published cell has `model = LN-t`; did you mean `LN-T`?
    line 6, column 37: `task` names no value; name a value, or leave the field out to mean any
    line 7, column 8: the note has no text; write the explanation in `text`
    line 8, column 8: `when` is empty, so the note can explain nothing; name `differs`, `absent` or `incomplete`, or leave `when` out
    ");
}

#[test]
fn an_unknown_key_is_placed() {
    insta::assert_snapshot!(parse("[[note]]\ntext = \"x\"\nwenn = [\"absent\"]\n").expect_err("unknown key"), @"line 3, column 1: unknown key `wenn`, expected one of `cells`, `text`, `when`; a note has `cells`, `text` and, if it explains more than differences, `when`");
}

#[test]
fn a_number_instead_of_a_text_is_placed() {
    insta::assert_snapshot!(parse("[[note]]\ncells = { task = 43 }\ntext = \"x\"\n").expect_err("a number"), @"line 2, column 18: expected a text or a list of texts; put numbers in quotes; a note has `cells`, `text` and, if it explains more than differences, `when`");
}

#[test]
fn an_unknown_circumstance_is_placed() {
    insta::assert_snapshot!(parse("[[note]]\ntext = \"x\"\nwhen = [\"different\"]\n").expect_err("no such when"), @"line 3, column 9: unknown variant `different`, expected one of `differs`, `absent`, `incomplete`; a note has `cells`, `text` and, if it explains more than differences, `when`");
}

#[test]
fn an_empty_file_has_no_notes() {
    assert_eq!(parse("# nothing to explain\n"), Ok(vec![]));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "(\\[\\[note\\]\\]\n)?[a-z\\[\\]={}\"\n é]{0,40}") {
        let _ = parse(&text);
    }
}
