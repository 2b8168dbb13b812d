//! What tables, csv and pages show of measures.

use std::fmt::Write as _;

use super::{lab, rows};

const SCORES: &str = r#"{"doc_id": "a", "genre": "news", "score": 1, "human": 2}
{"doc_id": "b", "genre": "news", "score": 2, "human": 1}
{"doc_id": "c", "genre": "news", "score": 3, "human": 4}
{"doc_id": "d", "genre": "news", "score": 4, "human": 3}
{"doc_id": "e", "genre": "news", "score": 5, "human": null}
{"doc_id": "a", "genre": "poems", "score": 3, "human": 2}
{"doc_id": "b", "genre": "poems", "score": 3, "human": 1}
{"doc_id": "c", "genre": "poems", "score": 3, "human": 4}
{"doc_id": "d", "genre": "poems", "score": 3, "human": 3}
"#;

const CORRELATION: &str = r#"
[stats.fit]
from = "source.rows"
test = "correlation"
reference = "human"
by = "genre"

[export.rows]
from = "stats.fit"
format = "jsonl"

[table.fit]
from = "fit"
value = "spearman"
rows = "genre"
stars = [0.05]
show-n = true

[figure.fits]
type = "intervals"
from = "fit"
value = "pearson"
y = "genre"
"#;

#[test]
fn a_correlation_goes_from_a_spec_into_tables_and_figures() {
    let lab = lab(SCORES, CORRELATION);
    let ran = lab.run(&["--json"]).ok();
    let fit = rows(&ran, "rows");
    assert_eq!(fit[0]["genre"], "news");
    assert_eq!(fit[0]["n"], 4);
    assert_eq!(fit[0]["dropped"], 1);
    assert_eq!(fit[0]["n_of"], "pair");
    assert!((fit[0]["pearson"].as_f64().unwrap() - 0.6).abs() < 1e-12);
    assert!(fit[1]["pearson"].is_null());
    assert!(
        fit[1]["why"].as_str().unwrap().contains('3'),
        "{:?}",
        fit[1]
    );
    insta::assert_snapshot!(ran.tables["fit.md"]);
    insta::assert_snapshot!(ran.tables["fit.csv"]);
}

const FAMILY: &str = r#"
[stats.tests]
from = "source.rows"
test = "wilcoxon"
pair = { axis = "genre", against = "poems" }
by = "judge"
correct = "holm"

[table.tests]
from = "tests"
value = "mean"
p = "p_adjusted"
rows = "judge"
stars = [0.05]

[export.rows]
from = "stats.tests"
format = "jsonl"
"#;

#[test]
fn a_family_says_how_many_tests_it_holds_and_how_many_are_not_defined() {
    let mut lines = String::new();
    for (judge, step) in [("a", 1), ("b", 2), ("c", 0)] {
        for (at, doc) in ["d1", "d2", "d3", "d4", "d5", "d6", "d7"]
            .iter()
            .enumerate()
        {
            for (genre, add) in [("news", step * (at + 1)), ("poems", 0)] {
                let score = at + add;
                let _ = writeln!(
                    lines,
                    "{{\"doc_id\": \"{doc}\", \"judge\": \"{judge}\", \"genre\": \"{genre}\", \"score\": {score}}}"
                );
            }
        }
    }
    let ran = lab(&lines, FAMILY).run(&[]).ok();
    let tests = rows(&ran, "rows");
    assert_eq!(
        tests[0]["p_adjusted"].as_f64(),
        tests[0]["p"].as_f64().map(|p| p * 2.0)
    );
    assert!(tests[2]["p"].is_null() && tests[2]["p_adjusted"].is_null());
    assert_eq!(
        (&tests[2]["family_tests"], &tests[2]["family_undefined"]),
        (&2.into(), &1.into())
    );
    insta::assert_snapshot!(ran.tables["tests.md"]);
}

const FEW: &str = r#"{"doc_id": "a", "score": 1, "human": 2}
{"doc_id": "b", "score": 2, "human": 1}
{"doc_id": "c", "score": 3, "human": 4}
"#;

#[test]
fn a_column_without_a_value_says_its_own_reason_wherever_it_is_shown() {
    let spec = r#"
[stats.fit]
from = "source.rows"
test = "correlation"
reference = "human"

[table.low]
rows = "what"

[[table.low.part]]
from = "fit"
value = "ci_low"
set = { what = "all" }

[figure.fits]
type = "intervals"
y = "what"

[[figure.fits.part]]
from = "fit"
value = "pearson"
set = { what = "all" }

[export.rows]
from = "stats.fit"
format = "jsonl"
"#;
    let ran = lab(FEW, spec).run(&[]).ok();
    let fit = &rows(&ran, "rows")[0];
    assert!(fit["pearson"].is_number() && fit["ci_low"].is_null());
    assert!(fit["why"].is_null(), "{fit:?}");
    let why = "3 complete pairs";
    for shown in ["low.md", "low.csv", "fits.svg"] {
        assert!(
            ran.tables[shown].contains(why),
            "{shown}:\n{}\n{fit:?}",
            ran.tables[shown]
        );
    }
}

const RATED: &str = r#"{"doc_id": "a", "rater": "ann", "label": "good", "score": 4, "flat": 3, "order": "given", "contender": "x", "opponent": "y", "win": 1}
{"doc_id": "b", "rater": "ann", "label": "bad", "score": 2, "flat": 3, "order": "given", "contender": "x", "opponent": "y", "win": 0.5}
{"doc_id": "c", "rater": "ann", "label": "fair", "score": 5, "flat": 3, "order": "given", "contender": "x", "opponent": "y", "win": 1}
{"doc_id": "a", "rater": "ben", "label": "good", "score": 4, "flat": 3, "order": "given", "contender": "x", "opponent": "z", "win": 1}
{"doc_id": "b", "rater": "ben", "label": "good", "score": 2, "flat": 3, "order": "given", "contender": "x", "opponent": "z", "win": 1}
{"doc_id": "c", "rater": "ben", "label": "bad", "score": 5, "flat": 3, "order": "given", "contender": "x", "opponent": "z", "win": 1}
"#;

/// A stage, one of its columns, and what is said of why that has no value.
const NOTHING: [(&str, &str, &str); 9] = [
    (
        "test = \"correlation\"\nreference = \"flat\"\nover = \"line\"",
        "pearson",
        "a column is 3 throughout",
    ),
    (
        "test = \"agreement\"\nvalue = \"label\"\nraters = \"rater\"\nwhere = \"rater == 'ann'\"",
        "cohen",
        "kappa takes two raters",
    ),
    (
        "test = \"agreement\"\nvalue = \"label\"\nraters = \"rater\"\ncategories = [\"bad\", \"good\"]",
        "cohen",
        "`fair` occurs and is none of the categories",
    ),
    (
        "over = \"line\"\ncluster = \"flat\"",
        "se",
        "all rows are of one cluster",
    ),
    (
        "test = \"wilcoxon\"\npair = { axis = \"rater\", against = \"ben\" }",
        "p",
        "0",
    ),
    (
        "test = \"position\"\nvalue = \"win\"",
        "flip_rate",
        "no item is judged in both orders",
    ),
    (
        "test = \"bradley-terry\"\nvalue = \"win\"\nover = [\"doc_id\", \"rater\"]\ncluster = []",
        "strength",
        "no finite strength fits",
    ),
    (
        "test = \"mann-whitney\"\nover = \"line\"\nsamples = \"flat\"",
        "auc",
        "sample",
    ),
    (
        "test = \"correlation\"\nreference = \"flat\"\nover = \"line\"\nby = \"rater\"\nwhere = \"doc_id == 'a'\"",
        "pearson",
        "1",
    ),
];

#[test]
fn what_does_not_exist_says_why_at_its_cell_and_in_csv() {
    for (stage, column, why) in NOTHING {
        let spec = format!(
            "[stats.made]\nfrom = \"source.rows\"\n{stage}\n\n[export.rows]\nfrom = \"stats.made\"\nformat = \"jsonl\"\n"
        );
        let lab = lab(RATED, &spec);
        let ran = lab.run(&[]).ok();
        for row in rows(&ran, "rows") {
            assert!(row[column].is_null(), "{stage}: {row:?}");
            let behind = row["behind"].as_str().unwrap_or("{}");
            let behind: serde_json::Value = serde_json::from_str(behind).unwrap();
            let own = behind[column]["why"].as_str().or(row["why"].as_str());
            assert!(own.is_some_and(|own| own.contains(why)), "{stage}: {own:?}");
            let groups = ["rater", "contender"]
                .iter()
                .filter(|name| row.contains_key(**name));
            let groups: Vec<&&str> = groups.collect();
            if !groups.is_empty() {
                continue;
            }
            lab.append(&format!(
                "[table.shown]\nrows = \"what\"\n\n[[table.shown.part]]\nfrom = \"made\"\nvalue = \"{column}\"\nset = {{ what = \"all\" }}"
            ));
            let shown = lab.again().ok();
            for name in ["shown.md", "shown.csv"] {
                let text = shown.tables[name].replace(['\\', '`'], "");
                assert!(
                    text.contains(&why.replace('`', "")),
                    "{name} of {stage}:\n{text}"
                );
            }
        }
    }
}

#[test]
fn each_of_several_tests_of_a_measure_is_corrected_in_a_family_of_its_own() {
    let spec = r#"
[stats.rho]
from = "source.rows"
test = "correlation"
over = "doc_id"
reference = "gold"
by = "judge"
correct = "bonferroni"

[table.rho]
from = "rho"
value = "spearman"
rows = "judge"
stars = [0.05]

[export.rows]
from = "stats.rho"
format = "jsonl"
"#;
    let mut lines = String::new();
    for (judge, scores) in [
        ("a", [2, 1, 4, 3, 6, 5]),
        ("b", [1, 2, 3, 4, 5, 6]),
        ("c", [3, 3, 3, 3, 3, 3]),
    ] {
        for (at, score) in scores.iter().enumerate() {
            let _ = writeln!(
                lines,
                "{{\"doc_id\": \"d{at}\", \"judge\": \"{judge}\", \"gold\": {at}, \"score\": {score}}}"
            );
        }
    }
    let ran = lab(&lines, spec).run(&[]).ok();
    let rho = rows(&ran, "rows");
    for column in ["p", "spearman_p", "kendall_p"] {
        let adjusted = format!("{column}_adjusted");
        for judge in &rho[..2] {
            let twice = judge[column].as_f64().map(|p| (p * 2.0).min(1.0));
            assert_eq!(judge[&*adjusted].as_f64(), twice, "{column}");
        }
        assert!(rho[2][&*adjusted].is_null());
    }
    assert_eq!(rho[0]["spearman_family_tests"], 2);
    assert_eq!(rho[0]["spearman_family_undefined"], 1);
    insta::assert_snapshot!(ran.tables["rho.md"]);
}

const POWER: &str = r#"
[stats.plan]
from = "source.rows"
test = "power"
reference = "human"
at = [0.5, 1]

[table.plan]
from = "plan"
value = "pairs_normal"
rows = "difference"
"#;

#[test]
fn a_table_has_a_row_for_each_difference_that_is_planned() {
    let news: Vec<&str> = SCORES.lines().take(4).collect();
    let ran = lab(&news.join("\n"), POWER).run(&[]).ok();
    let table = &ran.tables["plan.md"];
    let rows: Vec<String> = table
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(|line| line.replace(' ', ""))
        .collect();
    // Differences -1, 1, -1, 1 have the variance 4/3: (1.959964 + 0.841621)²·4/3 is 10.47, four times that 41.86.
    assert!(rows.contains(&"|0.5|42|".to_owned()), "{table}");
    assert!(rows.contains(&"|1|11|".to_owned()), "{table}");
}
