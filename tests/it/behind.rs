//! What is behind a value stays with it: a mean made of fewer parts is marked wherever relations carry it.

use crate::lab::Lab;

/// Two judges grade two metrics; one of them leaves out the coherence of `b`.
const SPEC: &str = r#"
[models.fake]
provider = "scripted"
script = "script.toml"

[models.other]
provider = "scripted"
script = "script.toml"
system = "Be strict."

[source.docs]
files = "docs.csv"

[judge.one]
max-unscored = 1
from = "docs"
model = "fake"
prompt = "grade"
metrics = ["fluency", "coherence"]

[judge.two]
max-unscored = 1
from = "docs"
model = "other"
prompt = "grade"
metrics = ["fluency", "coherence"]

[group.first]
from     = "judge.one"
by       = "doc_id"
complete = "metric"
compute.overall = "mean(score)"

[group.second]
from     = "judge.two"
by       = "doc_id"
complete = "metric"
compute.overall = "mean(score)"

[stats.first]
from = "judge.one"
by   = "doc_id"
over = "metric"

[stats.second]
from = "judge.two"
by   = "doc_id"
over = "metric"
"#;

/// The strict judge's mean of `b` is of one metric.
const MARK: &str = "over 1 of 2 metrics: without coherence";

fn lab(rest: &str) -> Lab {
    Lab::new()
        .spec(&format!("{SPEC}\n{rest}"))
        .file(
            "docs.csv",
            "doc_id,text\na,The ferry left.\nb,The mill stood.\nc,A rose.\n",
        )
        .template("grade", "Grade fluency and coherence.\n\n{{ text }}\n")
        .script(
            r#"
[[reply]]
contains = ["mill", "strict"]
text = "FINAL Fluency Score: 4"

[[reply]]
text = "FINAL Fluency Score: 2\nFINAL Coherence Score: 1"
"#,
        )
}

/// The table `shown` of a value of a stage, by document.
#[track_caller]
fn shown(rest: &str, from: &str, value: &str) -> String {
    let table = format!(
        "{rest}\n[table.shown]\nfrom = \"{from}\"\nvalue = \"{value}\"\nrows = \"doc_id\"\n"
    );
    lab(&table).run(&[]).ok().tables["shown.md"].clone()
}

const JOINED: &str = r#"
[join.both]
from    = "group.first"
with    = "group.second"
on      = "doc_id"
columns = { strict = "overall" }
"#;

#[test]
fn a_mean_that_a_join_brings_is_marked_under_its_new_name() {
    let strict = shown(JOINED, "join.both", "strict");
    assert!(strict.contains("| b | 4.000 † |"), "{strict}");
    assert!(strict.contains(MARK), "{strict}");
    assert!(strict.contains("n = 5 rows, 1 row unscored"), "{strict}");
    // The left side's own means lack nothing.
    let overall = shown(JOINED, "join.both", "overall");
    assert!(!overall.contains('†'), "{overall}");
    assert!(overall.contains("n = 6 rows, 0 rows unscored"), "{overall}");
}

#[test]
fn what_is_behind_values_is_no_column_that_both_sides_have() {
    let renamed = r#"
[derive.called]
from   = "group.second"
rename = { strict = "overall" }

[join.both]
from = "group.first"
with = "called"
on   = "doc_id"

[derive.gap]
from = "join.both"
compute.gap = "strict - overall"
"#;
    let strict = shown(renamed, "join.both", "strict");
    assert!(strict.contains("| b | 4.000 † |"), "{strict}");
    let gap = shown(renamed, "derive.gap", "gap");
    assert!(gap.contains("| b | 2.500 † |"), "{gap}");
    assert!(gap.contains("1 row unscored"), "{gap}");
}

#[test]
fn a_row_without_a_partner_says_so_and_lacks_nothing() {
    let some = r#"
[select.some]
from  = "group.second"
where = "doc_id != 'c'"

[join.both]
from    = "group.first"
with    = "some"
on      = "doc_id"
columns = { strict = "overall" }
"#;
    let strict = shown(some, "join.both", "strict");
    assert!(strict.contains("| b | 4.000 † |"), "{strict}");
    assert!(strict.contains("| c | — § |"), "{strict}");
    assert!(strict.contains("n = 3 rows, 2 rows unscored"), "{strict}");
    assert!(strict.contains("select.some\\` 1"), "{strict}");
}

#[test]
fn statistics_that_a_join_brings_keep_their_counts() {
    let of_documents = r#"
[join.both]
from    = "docs"
with    = "stats.second"
on      = "doc_id"
columns = { strict = "mean" }
"#;
    let strict = shown(of_documents, "join.both", "strict");
    assert!(strict.contains("| b | 4.000 † |"), "{strict}");
    assert!(strict.contains("1 row unscored"), "{strict}");
    let of_both = of_documents.replace("\"docs\"", "\"stats.first\"");
    let strict = shown(&of_both, "join.both", "strict");
    assert!(strict.contains("| b | 4.000 † |"), "{strict}");
    assert!(strict.contains("1 row unscored"), "{strict}");
    let mean = shown(&of_both, "join.both", "mean");
    assert!(!mean.contains('†'), "{mean}");
    assert!(mean.contains("0 rows unscored"), "{mean}");
}

#[test]
fn rows_below_each_other_keep_what_is_behind_them() {
    let over = |from: &str, columns: &str| {
        format!(
            r#"
[concat.all]
from = ["{from}.first", "{from}.second"]
{columns}

[table.shown]
from = "concat.all"
value = "VALUE"
rows = "doc_id"
columns = "origin"
"#
        )
    };
    for (from, value) in [("group", "overall"), ("stats", "mean")] {
        for columns in [
            String::new(),
            format!("columns = [\"doc_id\", \"{value}\"]"),
        ] {
            let spec = over(from, &columns).replace("VALUE", value);
            let table = lab(&spec).run(&[]).ok().tables["shown.md"].clone();
            assert!(table.contains("| b | 1.500 | 4.000 † |"), "{table}");
            assert!(table.contains(MARK), "{table}");
            assert!(table.contains("1 row unscored"), "{table}");
        }
    }
}

#[test]
fn columns_that_are_selected_keep_what_is_behind_them() {
    for (from, value) in [("group.second", "overall"), ("stats.second", "mean")] {
        let some =
            format!("[select.some]\nfrom = \"{from}\"\ncolumns = [\"doc_id\", \"{value}\"]\n");
        let table = shown(&some, "select.some", value);
        assert!(table.contains("| b | 4.000 † |"), "{table}");
        assert!(table.contains("1 row unscored"), "{table}");
    }
}

#[test]
fn counts_that_are_dropped_stay_behind_the_values() {
    let dropped = r#"
[derive.less]
from   = "stats.second"
rename = { average = "mean" }
drop   = ["n", "reasons", "lacks", "sd"]
compute.half = "average / 2"
"#;
    for (value, cell) in [("average", "4.000"), ("half", "2.000")] {
        let table = shown(dropped, "derive.less", value);
        assert!(table.contains(&format!("| b | {cell} † |")), "{table}");
        assert!(table.contains("1 row unscored"), "{table}");
    }
}

#[test]
fn elements_of_a_list_keep_what_is_behind_them() {
    let exploded = r#"
[group.all]
from = "group.second"
by   = []
compute.means = "list(doc_id, overall)"
compute.double = "list(overall * 2)"

[explode.means]
from   = "group.all"
column = "means"
"#;
    let table = shown(exploded, "explode.means", "overall");
    assert!(table.contains("| b | 4.000 † |"), "{table}");
    assert!(table.contains("| a | 1.500 |"), "{table}");
    assert!(table.contains("n = 5 rows, 1 row unscored"), "{table}");
}

#[test]
fn aggregates_of_what_is_computed_from_means_and_columns_carried_along_are_marked() {
    let again = r#"
[group.again]
from    = "group.second"
by      = "doc_id"
columns = "overall"
compute.double = "mean(overall * 2)"
compute.high   = "count(overall > 3)"
"#;
    for (value, cell) in [("double", "8.000"), ("overall", "4.000"), ("high", "1")] {
        let table = shown(again, "group.again", value);
        assert!(table.contains(&format!("| b | {cell}")), "{table}");
        assert!(table.contains('†'), "{value}: {table}");
    }
}

#[test]
fn the_number_of_rows_is_made_of_these_rows() {
    let table = shown("", "group.second", "n");
    assert!(table.contains("n = 6 rows"), "{table}");
}
