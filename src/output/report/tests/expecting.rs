//! What files of expected values are taken and how slips in them are told.

use proptest::prelude::*;

use super::{plain, texts};
use crate::output::report::Layout;
use crate::output::report::expect::Expected;
use crate::output::report::number::Printed;

fn refusal(text: &str) -> String {
    Expected::parse(text, &plain())
        .expect_err("the file has a slip")
        .to_string()
}

#[test]
fn columns_may_stand_in_any_order_and_audited_may_be_missing() {
    let expected =
        Expected::parse("printed,model,task\n4.000,LI,43\n—,LI,41\n", &plain()).expect("two cells");
    assert_eq!(expected.cells[0].row, texts(&["43"]));
    assert_eq!(
        expected.cells[0].printed,
        Some(Printed {
            value: 4.0,
            decimals: 3
        })
    );
    assert_eq!(expected.cells[0].line, 2);
    assert_eq!(
        (expected.cells[1].printed, expected.cells[1].audited),
        (None, None)
    );
}

#[test]
fn a_mistaken_column_is_named_with_what_was_meant() {
    insta::assert_snapshot!(refusal("task,modle,printed\n"), @"
    line 1, column 6: unknown column `modle`; did you mean `model`?
    line 1, column 12: column `model` is missing; is it the column named `modle`?
    ");
}

#[test]
fn an_unknown_column_far_from_all_others_names_them() {
    insta::assert_snapshot!(refusal("task,model,printed,x,task\n"), @"
    line 1, column 20: unknown column `x`; remove it, or use one of `task`, `model`, `printed`, `audited`
    line 1, column 22: column `task` is named twice; remove one of the two
    ");
}

#[test]
fn two_lines_for_one_cell_are_named_both() {
    insta::assert_snapshot!(refusal("task,model,printed\n43,LI,1\n41,LI,1\n\n43,LI,2\n"), @"line 5, column 1: `task = 43, model = LI` is already in line 2 (again in line 5); keep one of the two lines");
}

#[test]
fn all_slips_of_a_file_are_told_at_once() {
    insta::assert_snapshot!(refusal("task,model,printed,audited\n43,LI,4.0x,\n41,,1,1e\n42,LI,1\n"), @"
    line 2, column 7: `4.0x` is not a published number; write the digits as published, like `-0.120`, or `—` where no value is published
    line 3, column 4: `model` is empty; name the value of this field for the cell, or write `—` for rows without one
    line 3, column 7: `1e` is not a number; write a number in full precision, or leave `audited` empty
    line 4, column 1: the line has 3 fields, the header has 4 fields; give one field per column; a field with a comma needs quotes
    ");
}

#[test]
fn a_quote_left_open_is_placed() {
    insta::assert_snapshot!(refusal("task,model,printed\n43,\"LI,1\n"), @"line 2, column 4: a quote is opened here and never closed; close it, or double it if the quote is meant");
}

#[test]
fn a_file_without_cells_is_refused() {
    insta::assert_snapshot!(refusal(""), @"line 1, column 1: the file is empty; begin with a line that names the columns: task,model,printed,audited");
    insta::assert_snapshot!(refusal("task,model,printed\n"), @"line 1, column 1: the file has a header but no cells; add one line per printed cell");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "(task,model,printed\n)?[a-z0-9.,\"\n —-]{0,40}") {
        let _ = Expected::parse(&text, &plain());
        let _ = Expected::parse(&text, &Layout::default());
    }
}
