//! Rows of ablations beside the experiment itself.

use crate::lab::Lab;

fn lab() -> Lab {
    let lab = Lab::small().script(
        "[[reply]]\ncontains = [\"strictly\"]\ntext = \"FINAL Fluency Score: 2\"\n\n[[reply]]\ntext = \"FINAL Fluency Score: 4\"\n",
    );
    lab.write(
        "templates/strict.j2",
        "Grade fluency strictly.\n\n{{ text }}\n",
    );
    lab.write("templates/again.j2", "Grade fluency again.\n\n{{ text }}\n");
    lab.append(
        r#"
[[ablation]]
name = "strict"
set  = { "judge.grades.prompt" = "strict" }

[[ablation]]
name = "again"
set  = { "judge.grades.prompt" = "again" }
"#,
    );
    lab.change("rows = [\"metric\"]", "rows = [\"ablation\", \"metric\"]");
    lab
}

#[test]
fn a_table_with_the_field_ablation_shows_the_experiment_itself_and_each_ablation() {
    let ran = lab().run(&["--quiet"]).ok();
    insta::assert_snapshot!("ablations", ran.tables["scores.md"]);
    // It belongs to the experiment: ablations have none of their own.
    let names: Vec<&String> = ran.tables.keys().collect();
    assert!(!names.iter().any(|name| name.contains('/')), "{names:?}");
}

#[test]
fn an_ablation_asks_only_what_is_its_own_and_a_second_run_nothing() {
    let lab = lab();
    let first = lab.run(&["--quiet"]).ok();
    assert_eq!(first.asked, 6);
    let again = lab.run(&["--json"]).ok();
    assert_eq!((again.asked, again.nodes()), (0, vec![]));
    // The table is made anew where one ablation changes, and only its judge asks.
    lab.change("name = \"again\"", "name = \"anew\"");
    let renamed = lab.run(&["--quiet"]).ok();
    assert_eq!(renamed.asked, 0);
    assert!(renamed.tables["scores.md"].contains("anew"));
}

#[test]
fn a_part_that_sets_the_field_stands_beside_the_ablations() {
    let lab = lab();
    lab.change(
        "from = \"scores\"\nrows = [\"ablation\", \"metric\"]",
        "rows = [\"ablation\", \"metric\"]\n\n[[table.scores.part]]\nfrom = \"scores\"\n\n[[table.scores.part]]\nfrom = \"scores\"\nset = { ablation = \"once more\" }",
    );
    let shown = lab.run(&["--quiet"]).ok().tables["scores.md"].clone();
    let rows = shown.lines().filter(|line| line.contains("| fluency |"));
    let rows: Vec<&str> = rows.filter_map(|line| line.split('|').nth(1)).collect();
    assert_eq!(
        rows,
        [" base ", " strict ", " again ", " once more "],
        "{shown}"
    );
}

#[test]
fn several_columns_and_ablations_go_together() {
    let lab = lab();
    lab.change(
        "rows = [\"ablation\", \"metric\"]",
        "value = [\"mean\", \"max\"]\nrows = [\"ablation\", \"metric\"]\ncolumns = \"statistic\"",
    );
    let shown = lab.run(&["--quiet"]).ok().tables["scores.md"].clone();
    assert!(
        shown.contains("| strict | fluency | 2.000 | 2.000 |"),
        "{shown}"
    );
    assert!(
        shown.contains("| base | fluency | 4.000 | 4.000 |"),
        "{shown}"
    );
}
