//! What is held against what: levels of a column, columns of raters, stages.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::{lab, rows};

const RATED: &str = r#"{"doc_id": "a", "judge": "new", "score": 5, "label": "good", "human": 4}
{"doc_id": "b", "judge": "new", "score": 3, "label": "bad", "human": 2}
{"doc_id": "c", "judge": "new", "score": 4, "label": "good", "human": 5}
{"doc_id": "d", "judge": "new", "score": 2, "label": "good", "human": 1}
{"doc_id": "e", "judge": "new", "score": 1, "label": "bad", "human": 3}
{"doc_id": "a", "judge": "old", "score": 3, "label": "good", "human": 4}
{"doc_id": "b", "judge": "old", "score": 3, "label": "good", "human": 2}
{"doc_id": "c", "judge": "old", "score": 1, "label": "bad", "human": 5}
{"doc_id": "d", "judge": "old", "score": 1, "label": "bad", "human": 1}
{"doc_id": "f", "judge": "old", "score": 4, "label": "good", "human": 3}
"#;

/// The rows of one stage of statistics over these lines.
fn result(lines: &str, stage: &str) -> Vec<Map<String, Value>> {
    let spec = format!(
        "[stats.made]\nfrom = \"source.rows\"\n{stage}\n\n[export.result]\nfrom = \"stats.made\"\nformat = \"jsonl\"\n"
    );
    rows(&lab(lines, &spec).run(&[]).ok(), "result")
}

fn only(lines: &str, stage: &str) -> Map<String, Value> {
    let mut rows = result(lines, stage);
    assert_eq!(rows.len(), 1, "{rows:?}");
    rows.remove(0)
}

/// A number to four decimals, as one would compute it by hand.
fn number(row: &Map<String, Value>, name: &str) -> String {
    let number = row[name].as_f64();
    let number = number.unwrap_or_else(|| panic!("`{name}` of {row:?}"));
    // Zero has no sign.
    format!("{:.4}", (number * 1e4).round() / 1e4 + 0.0)
}

#[test]
fn the_other_level_of_a_pair_is_the_reference_of_the_same_item() {
    let pair = "pair = { axis = \"judge\", against = \"old\" }";
    let signs = only(RATED, &format!("test = \"sign\"\n{pair}"));
    assert_eq!(signs["judge"], "new");
    // Of a to d; e and f have one side only.
    assert_eq!((&signs["n"], &signs["dropped"]), (&4.into(), &2.into()));
    assert_eq!((&signs["wins"], &signs["ties"]), (&3.into(), &1.into()));
    let changed = only(
        RATED,
        &format!("test = \"mcnemar\"\nvalue = \"label\"\npositive = \"good\"\n{pair}"),
    );
    assert_eq!(
        (&changed["only_value"], &changed["only_reference"]),
        (&2.into(), &1.into())
    );
}

#[test]
fn with_a_reference_the_other_level_is_a_rival_of_the_same_reference() {
    let pair = "pair = { axis = \"judge\", against = \"old\" }";
    let row = only(
        RATED,
        &format!("test = \"correlation-difference\"\nreference = \"human\"\n{pair}"),
    );
    assert_eq!((&row["n"], &row["dropped"]), (&4.into(), &2.into()));
    // Of 5, 3, 4, 2 and of 3, 3, 1, 1 with 4, 2, 5, 1.
    assert_eq!(number(&row, "r_value"), "0.8485");
    assert_eq!(number(&row, "r_rival"), "0.0000");
    // Each judge alone, over all that it has.
    let alone = result(
        RATED,
        "test = \"correlation\"\nreference = \"human\"\nby = \"judge\"",
    );
    assert_eq!(alone.len(), 2);
    assert_eq!(alone[0]["n"], 5);
}

#[test]
fn both_levels_of_a_pair_are_samples_where_samples_are_compared() {
    let pair = "pair = { axis = \"judge\", against = \"old\" }";
    let row = only(RATED, &format!("test = \"mann-whitney\"\n{pair}"));
    // How often 5, 3, 4, 2, 1 are above 3, 3, 1, 1, 4, ties half: 5 + 3 + 4.5 + 2 + 1 of 25.
    assert_eq!(row["n"], 10);
    assert_eq!(number(&row, "u1"), "15.5000");
    let turned = only(
        RATED,
        "test = \"mann-whitney\"\npair = { axis = \"judge\", against = \"new\" }",
    );
    assert_eq!(number(&turned, "u1"), "9.5000");
    let named = only(
        RATED,
        "test = \"mann-whitney\"\nsamples = \"judge\"\nbase = \"old\"",
    );
    assert_eq!(named["u1"], row["u1"]);
}

const WIDE: &str = r#"{"doc_id": "a", "ann": 4, "ben": 5, "score": 4}
{"doc_id": "b", "ann": 2, "ben": 1, "score": 2}
{"doc_id": "c", "ann": 5, "ben": 4, "score": 5}
{"doc_id": "d", "ann": 3, "ben": 3, "score": 4}
"#;

#[test]
fn raters_are_rows_or_columns() {
    let mut long = String::new();
    for rater in ["ann", "ben", "score"] {
        for line in WIDE.lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            let row =
                serde_json::json!({"doc_id": row["doc_id"], "rater": rater, "score": row[rater]});
            let _ = writeln!(long, "{row}");
        }
    }
    let wide = result(
        WIDE,
        "test = \"icc\"\nvalue = [\"ann\", \"ben\", \"score\"]",
    );
    let long = result(&long, "test = \"icc\"\nraters = \"rater\"");
    assert_eq!(wide, long);
    assert_eq!(wide[0]["raters"], 3);
}

const REPEATED: &str = r#"{"doc_id": "a", "repeat": 1, "score": 4, "order": "given", "contender": "x", "opponent": "y"}
{"doc_id": "a", "repeat": 2, "score": 2, "order": "given", "contender": "x", "opponent": "y"}
{"doc_id": "b", "repeat": 1, "score": 5, "order": "given", "contender": "x", "opponent": "y"}
{"doc_id": "b", "repeat": 2, "score": 5, "order": "given", "contender": "x", "opponent": "y"}
{"doc_id": "c", "repeat": 1, "score": 1, "order": "given", "contender": "x", "opponent": "y"}
{"doc_id": "c", "repeat": 2, "score": null, "order": "given", "contender": "x", "opponent": "y"}
"#;

#[test]
fn repeats_are_averaged_unless_a_role_tells_them_apart() {
    let averaged = only(REPEATED, "test = \"describe\"");
    assert_eq!(
        (&averaged["n"], &averaged["averaged"]),
        (&3.into(), &2.into())
    );
    assert_eq!(number(&averaged, "mean"), "3.0000");
    assert_eq!(averaged["unscored"], 1);
    let apart = result(
        REPEATED,
        "test = \"variance\"\nraters = \"repeat\"\nat = [1]",
    );
    assert_eq!(apart[0]["n"], 5);
    assert_eq!(number(&apart[0], "ms_within"), "1.0000");
}

#[test]
fn a_mean_with_clusters_is_the_clustered_mean() {
    let over = "over = [\"doc_id\", \"repeat\"]\ncluster = \"doc_id\"";
    let mean = result(REPEATED, over);
    let named = result(REPEATED, &format!("test = \"clustered-mean\"\n{over}"));
    assert_eq!(mean, named);
    assert_eq!(mean[0]["clusters"], 3);
    assert_eq!(
        (&mean[0]["n"], &mean[0]["n_of"]),
        (&5.into(), &"row".into())
    );
    // Each row for itself: the error is that of five independent rows.
    let naive = result(REPEATED, "over = [\"doc_id\", \"repeat\"]\ncluster = []");
    assert_eq!(number(&naive[0], "se"), number(&mean[0], "se_naive"));
}

#[test]
fn stages_that_are_read_together_are_told_apart_by_their_names() {
    let spec = r#"
[select.strict]
from = "source.rows"
where = "judge == 'old'"

[derive.lenient]
from = "source.rows"
drop = ["judge"]
compute.score = "score + 1"

[derive.harsh]
from = "strict"
drop = ["judge"]

[select.first]
from = "derive.lenient"
where = "line < 5"

[stats.two]
from = ["select.first", "derive.harsh"]
test = "wilcoxon"
pair = { axis = "judge", against = "harsh" }

[stats.each]
from = ["select.first", "derive.harsh"]
by = "judge"

[export.two]
from = "stats.two"
format = "jsonl"

[export.each]
from = "stats.each"
format = "jsonl"
"#;
    let ran = lab(RATED, spec).run(&[]).ok();
    let two = rows(&ran, "two");
    assert_eq!(two[0]["judge"], "first");
    assert_eq!((&two[0]["n"], &two[0]["dropped"]), (&4.into(), &2.into()));
    let each = rows(&ran, "each");
    let judges: Vec<&Value> = each.iter().map(|row| &row["judge"]).collect();
    assert_eq!(judges, ["first", "harsh"]);
    assert_eq!(number(&each[0], "mean"), "4.0000");
}

#[test]
fn truth_values_are_numbers_and_may_be_what_counts_as_a_hit() {
    let lines = RATED
        .replace("\"label\": \"good\"", "\"label\": true")
        .replace("\"label\": \"bad\"", "\"label\": false");
    let yes = only(
        &lines,
        "test = \"share\"\nvalue = \"label\"\npositive = true\nover = \"line\"",
    );
    assert_eq!((&yes["hits"], &yes["n"]), (&6.into(), &10.into()));
    let no = only(
        &lines,
        "test = \"share\"\nvalue = \"label\"\npositive = false\nover = \"line\"",
    );
    assert_eq!(no["hits"], 4);
}
