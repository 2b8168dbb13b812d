//! Several columns of one row of statistics in a table.

use crate::lab::Lab;

/// Four items and two raters, of whom each leaves one rating to the other's word.
const RATINGS: &str = "doc_id,rater,score\n\
    a,ann,1\na,ben,1\nb,ann,2\nb,ben,2\nc,ann,1\nc,ben,2\nd,ann,2\nd,ben,2\n";

const SPEC: &str = r#"
[source.ratings]
files = "ratings.csv"
key   = ["doc_id", "rater"]

[stats.agreed]
from   = "source.ratings"
test   = "agreement"
value  = "score"
raters = "rater"

[stats.means]
from = "source.ratings"
value = "score"
by   = "rater"
"#;

fn lab(table: &str) -> Lab {
    Lab::new()
        .spec(&format!("{SPEC}\n{table}"))
        .file("ratings.csv", RATINGS)
}

#[track_caller]
fn shown(table: &str) -> String {
    let ran = lab(table).run(&["--quiet"]).ok();
    ran.tables["shown.md"].clone()
}

#[test]
fn the_columns_of_one_row_stand_below_each_other_and_count_its_items_once() {
    let table = r#"
[table.shown]
from  = "agreed"
value = ["fleiss", "agreement", "raters"]
rows  = "statistic"
labels.statistic = { fleiss = "Fleiss' kappa" }
"#;
    insta::assert_snapshot!("columns_of_one_row", shown(table));
}

#[test]
fn rows_of_several_groups_count_once_each_and_a_table_of_parts_says_the_same() {
    let table = r#"
[table.shown]
from    = "means"
value   = ["mean", "sd", "n"]
rows    = "rater"
columns = "statistic"
"#;
    let at_once = shown(table);
    insta::assert_snapshot!("columns_of_two_rows", at_once);
    let parts: Vec<String> = ["mean", "sd", "n"]
        .map(|value| {
            format!(
                "[[table.shown.part]]\nfrom = \"means\"\nvalue = \"{value}\"\nset = {{ statistic = \"{value}\" }}\n"
            )
        })
        .into();
    let table = format!(
        "[table.shown]\nrows = \"rater\"\ncolumns = \"statistic\"\n{}",
        parts.join("")
    );
    assert_eq!(shown(&table), at_once);
}

#[test]
fn a_part_with_one_column_beside_one_with_several_is_named_by_its_column_too() {
    let table = r#"
[table.shown]
rows = "statistic"

[[table.shown.part]]
from  = "agreed"
value = ["fleiss", "agreement"]

[[table.shown.part]]
from  = "means"
where = "rater == 'ann'"
"#;
    let shown = shown(table);
    let names: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(' ').next())
        .collect();
    assert_eq!(
        names,
        ["statistic", ":---", "fleiss", "agreement", "mean"],
        "{shown}"
    );
}

#[test]
fn what_one_row_counts_in_different_units_is_counted_in_both() {
    let table = r#"
[stats.test]
from = "source.ratings"
test = "paired-t"
value = "score"
pair = { axis = "rater", against = "ann" }

[table.shown]
from    = "test"
value   = ["mean", "t", "level_mean"]
rows    = "rater"
columns = "statistic"
"#;
    let shown = shown(table);
    assert!(shown.contains("n = 4 documents + 4 pairs"), "{shown}");
}

#[test]
fn whole_numbers_have_no_digits_after_the_point_and_their_averages_have() {
    let table = r#"
[stats.averaged]
from  = "means"
value = "n"
over  = "rater"

[table.shown]
rows = "what"

[[table.shown.part]]
from  = "agreed"
value = "raters"
set   = { what = "raters" }

[[table.shown.part]]
from  = "averaged"
set   = { what = "averaged" }
"#;
    let shown = shown(table);
    assert!(shown.contains("| raters | 2 |"), "{shown}");
    assert!(shown.contains("| averaged | 4.000 |"), "{shown}");
}

#[test]
fn columns_that_the_condition_of_statistics_chose_are_not_asked_for_in_a_table() {
    let lab = lab(r#"
[stats.by-rater]
from  = "source.ratings"
value = "score"
by    = ["rater", "doc_id"]
over  = "rater"

[stats.cells]
from  = "by-rater"
where = "rater == 'ann'"
over  = "doc_id"

[table.shown]
from = "cells"
rows = ["statistic"]
"#);
    let told = lab.cmd(&["lint"]).ok();
    assert!(!told.err.contains("lint::hidden-group"), "{}", told.err);
}
