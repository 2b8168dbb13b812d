//! Axes, ablations and what gathers over them.

use super::{wide, wide_known};
use crate::lab::Lab;

#[test]
fn an_ablations_tables_stand_beside_the_bases_and_only_what_differs_runs() {
    let lab = wide_known();
    let base = lab.run(&["--json"]).ok();
    lab.append("[[ablation]]\nname = \"warm\"\nset = { \"models.fake.temperature\" = 1.0, \"judge.grades.metrics\" = [\"fluency\"] }");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(
        ran.nodes(),
        [
            "judge.grades[length=6, ablation=warm]",
            "judge.grades[length=full, ablation=warm]",
            "stats.scores[ablation=warm]",
            "stats.shorter[ablation=warm]",
            "table.scores[ablation=warm]",
            "table.shorter[ablation=warm]",
        ]
    );
    assert_eq!(ran.asked, 8);
    for (name, table) in &base.tables {
        assert_eq!(&ran.tables[name], table, "the base's {name} stays");
    }
    assert_ne!(ran.tables["warm/scores.csv"], ran.tables["scores.csv"]);
    // What the ablation does not reach is the same table, and stands there too.
    assert!(
        ran.tables["warm/plain.md"].contains("ablation: warm"),
        "{}",
        ran.tables["warm/plain.md"]
    );
    assert_eq!(ran.tables.len(), 2 * base.tables.len());
}

#[test]
fn an_axis_may_set_several_parameters_of_a_stage_of_which_another_axis_sets_one_more() {
    let lab = wide();
    lab.change(
        "[axes]\n",
        "[axes]\n\
         what = { set = \"judge.grades\", values = [{ metrics = [\"fluency\"] }, { metrics = [\"coherence\"] }], \
         names = [\"one\", \"other\"] }\n\
         cut = { set = \"judge.grades.retry-cut\", values = [1] }\n",
    );
    let nodes = lab.run(&["--json"]).ok().nodes();
    for what in ["one", "other"] {
        let of = |node: &&String| {
            node.starts_with("judge.grades[") && node.contains(&format!("what={what}"))
        };
        assert_eq!(nodes.iter().filter(of).count(), 2, "{nodes:?}");
    }
}

#[test]
fn an_ablation_may_replace_an_axis() {
    let lab = wide_known();
    lab.append("[[ablation]]\nname = \"longer\"\nset = { \"axes.length.values\" = [8, \"full\"] }");
    let ran = lab.run(&["--json"]).ok();
    let nodes = ran.nodes();
    assert!(
        nodes.contains(&"judge.grades[length=8, ablation=longer]".to_owned()),
        "{nodes:?}"
    );
    assert!(
        !nodes.iter().any(|node| node.contains("length=full")),
        "{nodes:?}"
    );
    assert!(ran.tables["longer/scores.csv"].contains('8'));
}

/// Two models by two lengths.
fn crossed() -> Lab {
    let lab = wide();
    lab.change(
        "[axes]\n",
        "[axes]\nmodel = { set = \"judge.grades.model\", values = [\"fake\", \"other\"] }\n",
    );
    lab.append("[models.other]\nprovider = \"scripted\"\nscript = \"script.toml\"");
    lab.change(
        "[table.scores]\nfrom = \"scores\"\nrows = [\"metric\"]",
        "[table.scores]\nfrom = \"scores\"\nrows = [\"metric\", \"model\"]",
    );
    lab.change(
        "[table.shorter]\nfrom = \"shorter\"\nrows = [\"metric\"]",
        "[table.shorter]\nfrom = \"shorter\"\nrows = [\"metric\", \"model\"]",
    );
    lab
}

fn judges(lab: &Lab) -> Vec<String> {
    let nodes = lab.run(&["--json"]).ok().nodes();
    nodes
        .into_iter()
        .filter(|node| node.starts_with("judge.grades"))
        .collect()
}

#[test]
fn axes_are_multiplied_and_stages_run_once_per_value_that_reaches_them() {
    let lab = crossed();
    let ran = lab.run(&["--json"]).ok();
    let count = |stage: &str| {
        ran.nodes()
            .iter()
            .filter(|node| node.starts_with(stage))
            .count()
    };
    assert_eq!(count("judge.grades["), 4);
    assert_eq!(count("truncate.cut["), 2);
    assert_eq!(
        (
            count("source.docs"),
            count("stats.scores"),
            count("judge.baseline")
        ),
        (1, 1, 1)
    );
    assert_eq!(ran.asked, 16);
}

#[test]
fn zipped_axes_advance_together() {
    let lab = crossed();
    lab.append("[grid]\nzip = [[\"model\", \"length\"]]");
    // Nothing can be compared along one of the two alone, so that part goes.
    let spec = lab.read(crate::lab::SPEC);
    let (a, b) = (
        spec.find("[stats.shorter]").unwrap(),
        spec.find("[stats.plain]").unwrap(),
    );
    let without = format!("{}{}", &spec[..a], &spec[b..]);
    let (a, b) = (
        without.find("[table.shorter]").unwrap(),
        without.find("[table.plain]").unwrap(),
    );
    lab.write(
        crate::lab::SPEC,
        format!("{}{}", &without[..a], &without[b..]),
    );
    assert_eq!(
        judges(&lab),
        [
            "judge.grades[model=fake, length=6]",
            "judge.grades[model=other, length=full]"
        ]
    );
}

#[test]
fn excluded_combinations_are_not_run() {
    let lab = crossed();
    lab.append("[grid]\nexclude = [{ model = \"other\", length = 6 }]");
    assert_eq!(
        judges(&lab),
        [
            "judge.grades[model=fake, length=6]",
            "judge.grades[model=fake, length=full]",
            "judge.grades[model=other, length=full]",
        ]
    );
}

#[test]
fn statistics_gather_all_values_of_the_axes() {
    let ran = crossed().run(&["--json"]).ok();
    let csv = &ran.tables["scores.csv"];
    for group in [
        "fluency,fake,6",
        "coherence,fake,full",
        "fluency,other,6",
        "coherence,other,full",
    ] {
        assert!(csv.contains(group), "{group} is not in\n{csv}");
    }
}

#[test]
fn an_excluded_combination_that_comes_back_runs_alone() {
    let lab = crossed();
    lab.append("[grid]\nexclude = [{ model = \"other\", length = 6 }]");
    judges(&lab);
    lab.change("[grid]\nexclude = [{ model = \"other\", length = 6 }]", "");
    assert_eq!(judges(&lab), ["judge.grades[model=other, length=6]"]);
}

#[test]
fn axes_of_a_model_count_where_an_axis_over_the_whole_stage_names_it() {
    let lab = Lab::small();
    lab.change("model = \"fake\"\nprompt = \"grade\"\n", "");
    lab.change("rows = [\"metric\"]", "rows = [\"metric\", \"temp\"]");
    lab.append(
        "[axes]\nsetup = { set = \"judge.grades\", values = [{ model = \"fake\", prompt = \"grade\" }], names = [\"one\"] }\n\
         temp = { set = \"models.fake.temperature\", values = [0.0, 1.0] }",
    );
    let ran = lab.run(&["--json", "--only", "judge.grades"]).ok();
    assert_eq!(ran.asked, 4, "two documents at two temperatures");
}

#[test]
fn a_judge_that_reads_itself_is_told_and_no_crash() {
    let lab = Lab::small();
    lab.append(
        "[split.parts]\nfrom = \"docs\"\n\n[select.some]\nfrom = \"parts\"\n\n\
         [judge.parts]\nfrom = \"some\"\nmodel = \"fake\"\nprompt = \"grade\"",
    );
    let told = lab.cmd(&["lint"]).exit(3);
    assert!(
        told.err
            .contains("`parts` is ambiguous: several stages have this name"),
        "{}",
        told.err
    );
}
