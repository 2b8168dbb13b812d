//! The fields of statistics and tables. None of them ever asks a model.

use super::{each, runs, wide, wide_known};

const SCORES: &str = "[stats.scores]\nfrom = \"grades\"\n";
const BOTH: [&str; 2] = ["stats.scores", "table.scores"];
const SHORTER: [&str; 2] = ["stats.shorter", "table.shorter"];
const PAIR: &str = "pair = { axis = \"length\", against = \"full\" }\n";

#[test]
fn every_field_that_describes_invalidates() {
    let lab = wide_known();
    let asked = lab.asked();
    for (line, why, stages) in [
        ("ddof = 0", "parameters.ddof: 1 → 0", &BOTH[..]),
        ("level = 0.9", "parameters.level: 0.95 → 0.9", &BOTH),
        (
            "where = \"year > 1900\"",
            "parameters.where: nothing → ",
            &BOTH[..1],
        ),
        ("over = [\"doc_id\", \"genre\"]", "parameters.over: ", &BOTH),
        (
            "value = \"year\"",
            "parameters.value: \"score\" → \"year\"",
            &BOTH,
        ),
    ] {
        let to = format!("{SCORES}{line}\n");
        each(&lab, &[(SCORES, &to, why, stages)]);
    }
    assert_eq!(lab.asked(), asked);
}

#[test]
fn the_groups_invalidate() {
    let lab = wide_known();
    lab.change(SCORES, &format!("{SCORES}by = \"genre\"\n"));
    lab.change(
        "[table.scores]\nfrom = \"scores\"\nrows = [\"metric\"]",
        "[table.scores]\nfrom = \"scores\"\nrows = [\"metric\", \"genre\"]",
    );
    let ran = runs(&lab, "parameters.by: ", &BOTH);
    assert_eq!(ran.asked, 0);
}

#[test]
fn every_field_that_compares_invalidates() {
    let lab = wide_known();
    let asked = lab.asked();
    for (line, why) in [
        ("alternative = \"greater\"", "parameters.alternative: "),
        (
            "correct = \"holm\"",
            "parameters.correct: nothing → \"holm\"",
        ),
        ("level = 0.9", "parameters.level: 0.95 → 0.9"),
    ] {
        let to = format!("{PAIR}{line}\n");
        each(&lab, &[(PAIR, &to, why, &SHORTER)]);
    }
    each(
        &lab,
        &[(
            PAIR,
            "pair = { axis = \"length\", against = 6 }\n",
            "parameters.pair.0.against: \"full\" → \"6\"",
            &SHORTER,
        )],
    );
    assert_eq!(lab.asked(), asked);
}

#[test]
fn a_family_invalidates() {
    let lab = wide();
    lab.change(PAIR, &format!("{PAIR}correct = \"holm\"\n"));
    lab.run(&["--json"]).ok();
    let to = "correct = \"holm\"\nfamily = \"metric\"\n";
    each(
        &lab,
        &[(
            "correct = \"holm\"\n",
            to,
            "parameters.family: [] → [\"metric\"]",
            &SHORTER,
        )],
    );
}

#[test]
fn the_test_and_the_pair_invalidate() {
    let lab = wide_known();
    lab.change(SCORES, &format!("{SCORES}test = \"paired-t\"\n{PAIR}"));
    let ran = runs(
        &lab,
        "parameters.test: \"mean\" → \"paired-t\"",
        &["table.scores"],
    );
    assert_eq!(
        ran.asked, 0,
        "the same test stands under another name already"
    );
}

const COMPARED: &str = "[table.shorter]\nfrom = \"shorter\"\nrows = [\"metric\"]";

#[test]
fn what_a_pair_disregards_invalidates() {
    let lab = wide();
    lab.change(PAIR, &format!("by = \"genre\"\n{PAIR}"));
    lab.change(
        COMPARED,
        &COMPARED.replace("\"metric\"]", "\"metric\", \"genre\"]"),
    );
    lab.run(&["--json"]).ok();
    each(
        &lab,
        &[(
            PAIR,
            "pair = { axis = \"length\", against = \"full\", regardless = \"genre\" }\n",
            "parameters.pair.0.regardless: nothing → [\"genre\"]",
            &SHORTER,
        )],
    );
}

#[test]
fn pooling_invalidates() {
    let lab = wide_known();
    let pooled = "pair = { axis = \"length\", against = \"full\", pool = true }\n";
    lab.change(PAIR, pooled);
    let single = COMPARED.replace("\"metric\"]", "\"metric\"]\n#");
    lab.change(&format!("{COMPARED}\ncolumns = [\"length\"]"), &single);
    runs(&lab, "parameters.pair.0.pool: nothing → true", &SHORTER);
}

#[test]
fn counting_unscored_answers_invalidates() {
    let lab = wide_known();
    lab.change(SCORES, &format!("{SCORES}test = \"unscored\"\n"));
    lab.change(TABLE, &format!("{TABLE}value = \"count\"\n"));
    runs(&lab, "parameters.test: \"mean\" → \"unscored\"", &BOTH);
}

const TABLE: &str =
    "[table.scores]\nfrom = \"scores\"\nrows = [\"metric\"]\ncolumns = [\"length\"]\n";
const SHOWN: [&str; 1] = ["table.scores"];

#[test]
fn every_field_of_a_tables_content_invalidates_the_table_alone() {
    let value = format!("{TABLE}value = \"sd\"\n");
    let condition = format!("{TABLE}where = \"metric == 'fluency'\"\n");
    each(
        &wide_known(),
        &[
            (
                TABLE,
                &value,
                "parameters.parts.0.value: \"mean\" → \"sd\"",
                &SHOWN,
            ),
            (
                TABLE,
                &condition,
                "parameters.parts.0.where: nothing → ",
                &SHOWN,
            ),
            (
                TABLE,
                "[table.scores]\nfrom = \"scores\"\nrows = [\"length\"]\ncolumns = [\"metric\"]\n",
                "parameters.rows",
                &SHOWN,
            ),
            (
                TABLE,
                "[table.scores]\nfrom = \"scores\"\nrows = [\"metric\", \"length\"]\n",
                "parameters.columns: ",
                &SHOWN,
            ),
        ],
    );
}

#[test]
fn every_field_of_a_part_invalidates_the_table_alone() {
    let parts = "[table.scores]\nrows = [\"metric\"]\ncolumns = [\"length\"]\n\n\
        [[table.scores.part]]\nfrom = \"scores\"\n\n\
        [[table.scores.part]]\nfrom = \"shorter\"\nset = { length = \"difference\" }\nvalue = \"mean\"\n";
    let lab = wide();
    lab.change(TABLE, parts);
    lab.run(&["--json"]).ok();
    each(
        &lab,
        &[
            (
                "length = \"difference\"",
                "length = \"less\"",
                "parameters.parts.1.set.length: \"difference\" → \"less\"",
                &SHOWN,
            ),
            (
                "value = \"mean\"",
                "value = \"t\"",
                "parameters.parts.1.value: \"mean\" → \"t\"",
                &SHOWN,
            ),
            (
                "value = \"mean\"",
                "value = \"mean\"\np = \"p\"",
                "parameters.parts.1.p: nothing → \"p\"",
                &SHOWN,
            ),
            (
                "value = \"mean\"",
                "value = \"mean\"\nwhere = \"metric == 'fluency'\"",
                "parameters.parts.1.where: nothing → ",
                &SHOWN,
            ),
        ],
    );
}

/// Two selections, and what shows which of them a row is of.
const STAGES: &str = r#"
[select.mild]
from = "docs"
where = "year >= 1800"

[select.strict]
from = "docs"
where = "year >= 1950"

[stats.years]
from = ["mild", "strict"]
value = "year"
by = "judge"

[table.years]
from = "years"
rows = ["judge"]
value = "n"

[export.rows]
from = ["mild", "strict"]
columns = ["doc_id", "stage"]
format = "csv"
"#;
const NAMING: [&str; 3] = ["export.rows", "stats.years", "table.years"];

#[test]
fn the_names_of_stages_invalidate_what_shows_them() {
    let lab = wide();
    lab.append(STAGES);
    let before = lab.run(&["--json"]).ok();
    let spec = lab.read(crate::lab::SPEC);
    let swapped = spec
        .replace("mild", "other")
        .replace("strict", "mild")
        .replace("other", "strict");
    lab.write(crate::lab::SPEC, &swapped);
    let why = "reads.0.stage: \"select.mild\" → \"select.strict\"";
    let after = runs(&lab, why, &NAMING);
    assert!(
        before.tables["years.md"].contains("| mild | 5 |"),
        "{}",
        before.tables["years.md"]
    );
    assert!(
        after.tables["years.md"].contains("| strict | 5 |"),
        "{}",
        after.tables["years.md"]
    );
    let of_strict = |ran: &crate::lab::Ran| ran.tables["rows.csv"].matches("select.strict").count();
    assert_eq!((of_strict(&before), of_strict(&after)), (3, 5));
}

#[test]
fn how_many_inputs_are_of_a_stage_invalidates_what_shows_its_name() {
    let lab = wide();
    let statistics = STAGES.find("[stats").unwrap()..STAGES.find("[export").unwrap();
    lab.append(&STAGES.replace(&STAGES[statistics], ""));
    lab.run(&["--json"]).ok();
    lab.change(
        "[axes]\n",
        "[axes]\nfloor = { set = \"select.mild.where\", values = [\"year >= 1900\", \"year >= 1800\"], names = [\"late\", \"all\"] }\n",
    );
    runs(
        &lab,
        "reads.0.inputs: 1 → 2",
        &["export.rows", "select.mild"],
    );
}
