//! What saves a spec stages: tables that are `like` others, pooled groups, means in a table, axes gathered by `group`.

use crate::lab::{Lab, json_lines};

const ROWS: &str = "doc_id,item,level,score\na,1,root,1\na,2,leaf,0\na,3,leaf,1\nb,1,root,1\nb,2,leaf,\nb,3,none,0\n";

const SOURCE: &str = "[source.rows]\nfiles = \"rows.csv\"\nkey = [\"doc_id\", \"item\"]\n";

fn lab(spec: &str) -> Lab {
    Lab::new()
        .spec(&format!("{SOURCE}{spec}"))
        .file("rows.csv", ROWS)
}

fn rows(spec: &str) -> Vec<serde_json::Value> {
    json_lines(&lab(spec).run(&[]).ok().tables["rows.jsonl"])
}

#[test]
fn a_table_that_is_like_another_gives_what_one_that_is_written_out_gives() {
    let judges = |second: &str| {
        format!(
            "[models.fake]\nprovider = \"scripted\"\nscript = \"script.toml\"\n[source.docs]\nfiles = \"docs/*.txt\"\n\
             [judge.first]\nfrom = \"docs\"\nmodel = \"fake\"\nprompt = \"grade\"\nmetrics = [\"fluency\"]\n\
             scale = {{ min = 1, max = 5, step = 1 }}\n[judge.second]\n{second}\n\
             [export.rows]\nfrom = [\"first\", \"second\"]\nformat = \"jsonl\"\ncolumns = [\"doc_id\", \"score\"]\n"
        )
    };
    let lab = Lab::small().spec(&judges("like = \"first\"\nprompt = \"other\""));
    let lab = lab.template("other", "Fluency of this: {{ text }}");
    let ran = lab.run(&[]).ok();
    lab.write("experiment.toml", judges(
        "from = \"docs\"\nmodel = \"fake\"\nprompt = \"other\"\nmetrics = [\"fluency\"]\nscale = { min = 1, max = 5, step = 1 }",
    ));
    let again = lab.run(&["--json"]).ok();
    assert_eq!(again.asked, 0);
    assert_eq!(again.stages(), [""; 0]);
    assert_eq!(ran.tables["rows.jsonl"], again.tables["rows.jsonl"]);
}

#[test]
fn statistics_of_pooled_groups_are_those_of_a_stage_that_does_not_group_by_the_column() {
    let of = |more: &str| {
        rows(&format!(
            "[stats.means]\nfrom = \"rows\"\nvalue = \"score\"\ncluster = \"doc_id\"\n{more}\n\
             [export.rows]\nfrom = \"means\"\nformat = \"jsonl\"\n"
        ))
    };
    let pooled = of("over = [\"doc_id\", \"item\"]\nby = \"level\"\npool.level = \"all\"");
    let apart = of("over = [\"doc_id\", \"item\"]\nby = \"level\"");
    let alone = of("over = [\"doc_id\", \"item\", \"level\"]\nby = []");
    assert_eq!(pooled[..3], apart[..]);
    let mut last = pooled[3].clone();
    assert_eq!(last["level"], "all");
    last.as_object_mut().unwrap().remove("level");
    assert_eq!(last, alone[0]);
    // Of some values: two rows of two roots, and of leaves two that have a score.
    let inner = of(
        "over = [\"doc_id\", \"item\"]\nby = \"level\"\npool.level = { facts = [\"root\", \"leaf\"] }",
    );
    assert_eq!(inner[3]["n"], 4);
    assert_eq!(inner[3]["mean"], 0.75);
}

#[test]
fn pooled_groups_have_the_rows_of_all_or_of_some_values_and_lists_keep_what_these_were() {
    let grouped = rows(
        "[group.levels]\nfrom = \"rows\"\nby = [\"doc_id\", \"level\"]\n\
         pool = { level = { all = [\"root\", \"leaf\"] }, doc_id = \"both\" }\n\
         compute.mean = \"mean(score)\"\ncompute.held = \"list(level)\"\ncompute.called = \"level ~ '!'\"\n\
         [export.rows]\nfrom = \"levels\"\nformat = \"jsonl\"\n",
    );
    let told: Vec<String> = grouped
        .iter()
        .map(|row| {
            format!(
                "{} {} {} {}",
                row["doc_id"], row["level"], row["n"], row["held"]
            )
            .replace('"', "")
        })
        .collect();
    assert_eq!(
        told,
        [
            "a root 1 [root]",
            "a leaf 2 [leaf,leaf]",
            "b root 1 [root]",
            "b leaf 1 [leaf]",
            "b none 1 [none]",
            "a all 3 [root,leaf,leaf]",
            "b all 2 [root,leaf]",
            "both root 2 [root,root]",
            "both leaf 3 [leaf,leaf,leaf]",
            "both none 1 [none]",
            "both all 5 [root,leaf,leaf,root,leaf]",
        ]
    );
    // The name of the group is what expressions outside of aggregates see; absent values stay counted.
    assert_eq!(grouped[5]["called"], "all!");
    let behind: serde_json::Value =
        serde_json::from_str(grouped[10]["behind"].as_str().unwrap()).unwrap();
    assert_eq!(behind["mean"]["n"], 4, "{behind}");
}

#[test]
fn a_mean_in_a_table_is_that_of_statistics_over_the_field_and_the_last_is_over_the_others() {
    let spec = "[stats.means]\nfrom = \"rows\"\nvalue = \"score\"\nover = \"item\"\nby = [\"doc_id\", \"level\"]\n\
                [table.means]\nfrom = \"means\"\nrows = \"doc_id\"\ncolumns = \"level\"\n\
                mean = { level = \"average\", doc_id = \"both\" }\n";
    let ran = lab(spec).run(&[]).ok();
    let table = &ran.tables["means.md"];
    let cells = |row: &str| -> Vec<String> {
        let line = table
            .lines()
            .find(|line| line.starts_with(&format!("| {row} ")))
            .unwrap();
        line.split('|')
            .skip(2)
            .map(|cell| cell.trim().to_owned())
            .filter(|cell| !cell.is_empty())
            .collect()
    };
    // Of b the leaf has no score: its average is over two of three, and marked; the corner is over both averages.
    assert_eq!(cells("a")[..2], ["1.000", "0.500"], "{table}");
    assert_eq!(cells("a").last().unwrap(), "0.750", "{table}");
    assert!(cells("b").last().unwrap().starts_with("0.500 †"), "{table}");
    assert!(
        cells("both").last().unwrap().starts_with("0.625"),
        "{table}"
    );
    assert!(
        table.contains("over 2 of 3 levels: without leaf"),
        "{table}"
    );
}

#[test]
fn a_group_over_an_axis_reads_all_its_values_as_concat_does() {
    let of = |stages: &str| {
        rows(&format!(
            "[axes]\nbound = {{ set = \"derive.kept.compute.least\", values = [\"0\", \"1\"] }}\n\
             [derive.kept]\nfrom = \"rows\"\ncompute.least = \"0\"\n{stages}\
             [export.rows]\nfrom = \"counts\"\nformat = \"jsonl\"\n"
        ))
    };
    let short = of(
        "[group.counts]\nfrom = \"kept\"\nover = \"bound\"\nby = [\"bound\", \"level\"]\ncompute.seen = \"list(bound)\"\n",
    );
    let long = of(
        "[concat.all]\nfrom = \"kept\"\nover = \"bound\"\n[group.counts]\nfrom = \"concat.all\"\n\
                   by = [\"bound\", \"level\"]\ncompute.seen = \"list(bound)\"\n",
    );
    assert_eq!(short, long);
    assert_eq!(short.len(), 6);
}

#[test]
fn a_list_with_fewer_elements_than_another_lacks_none_of_them() {
    let spec = "[stats.means]\nfrom = \"rows\"\nvalue = \"score\"\nover = [\"doc_id\", \"item\"]\ncluster = \"doc_id\"\nby = \"level\"\n\
                [table.means]\nfrom = \"means\"\nrows = \"level\"\n";
    let table = &lab(spec).run(&[]).ok().tables["means.md"].clone();
    let marked: Vec<&str> = table
        .lines()
        .filter(|line| line.starts_with('|') && line.contains('†'))
        .collect();
    // Only an element without a score is one that a mean lacks.
    assert_eq!(marked.len(), 0, "{table}");
}
