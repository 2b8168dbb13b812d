//! Selections, cuts, axes and the seed.

use super::{each, runs, wide, wide_known};

const SELECT: &str = "where = \"year >= 1900\"\n";

/// The selection runs, keeps what it kept, and nothing else runs.
const STOPS: [&str; 1] = ["select.some"];

#[test]
fn every_field_of_a_selection_invalidates() {
    let lab = wide_known();
    for (line, why) in [
        (
            "keep = { genre = [\"Fiction\", \"Poetry\"] }",
            "parameters.keep.genre: nothing → [\"Fiction\",\"Poetry\"]",
        ),
        (
            "ids = [\"ferry\", \"mill\", \"letter\", \"garden\"]",
            "parameters.ids: nothing → ",
        ),
        ("tokens = [1, 100]", "parameters.tokens: nothing → [1,100]"),
        (
            "top = { by = \"year\", n = 9 }",
            "parameters.top: nothing → ",
        ),
        ("sample = 4", "parameters.sample: nothing → 4"),
        ("distinct = true", "parameters.distinct: nothing → true"),
    ] {
        let to = format!("{SELECT}{line}\n");
        each(&lab, &[(SELECT, &to, why, &STOPS)]);
    }
    each(
        &lab,
        &[(
            SELECT,
            "where = \"year > 1899\"\n",
            "parameters.where: ",
            &STOPS,
        )],
    );
}

#[test]
fn every_field_of_top_invalidates() {
    let lab = wide_known();
    lab.change(
        SELECT,
        "where = \"year >= 1900\"\ntop = { by = \"year\", n = 8, smallest = false }\n",
    );
    lab.run(&["--json"]).ok();
    each(
        &lab,
        &[
            ("n = 8", "n = 9", "parameters.top.n: 8 → 9", &STOPS),
            (
                "smallest = false",
                "smallest = true",
                "parameters.top.smallest: false → true",
                &STOPS,
            ),
        ],
    );
}

#[test]
fn a_narrower_selection_asks_nothing() {
    let lab = wide_known();
    lab.change("year >= 1900", "year >= 1950");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.asked, 0);
    assert!(ran.stages().contains(&"judge.grades".to_owned()));
}

#[test]
fn a_value_added_to_an_axis_runs_that_value_only() {
    let lab = wide_known();
    lab.change("values = [6, \"full\"]", "values = [6, 8, \"full\"]");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(
        ran.nodes(),
        [
            "judge.grades[length=8]",
            "stats.scores",
            "stats.shorter",
            "table.scores",
            "table.shorter",
            "truncate.cut[length=8]",
        ]
    );
}

#[test]
fn a_value_taken_from_an_axis_runs_only_what_gathers() {
    let lab = wide_known();
    lab.change("values = [6, \"full\"]", "values = [6, 8, \"full\"]");
    lab.run(&["--json"]).ok();
    lab.change("values = [6, 8, \"full\"]", "values = [8, \"full\"]");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(
        ran.stages(),
        [
            "stats.scores",
            "stats.shorter",
            "table.scores",
            "table.shorter"
        ]
    );
    assert_eq!(ran.asked, 0);
}

#[test]
fn a_changed_length_runs_what_is_cut_by_it() {
    let lab = wide_known();
    lab.change("values = [6, \"full\"]", "values = [9, \"full\"]");
    let nodes = lab.run(&["--json"]).ok().nodes();
    assert_eq!(nodes[0], "judge.grades[length=9]");
    assert!(
        !nodes.iter().any(|node| node.contains("length=full")),
        "{nodes:?}"
    );
}

#[test]
fn the_name_of_an_axis_value_invalidates_and_asks_nothing() {
    let lab = wide_known();
    lab.change(
        "values = [6, \"full\"]",
        "values = [6, \"full\"], names = [\"6\", \"whole\"]",
    );
    lab.change("against = \"full\"", "against = \"whole\"");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.asked, 0);
    assert!(
        ran.nodes()
            .contains(&"truncate.cut[length=whole]".to_owned())
    );
}

#[test]
fn the_seed_invalidates_only_what_samples() {
    let lab = wide_known();
    lab.change("seed = 7", "seed = 8");
    assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0]);
    lab.change(SELECT, "where = \"year >= 1900\"\nsample = 4\n");
    lab.run(&["--json"]).ok();
    // A sample of all there is comes out the same, so only the sampling stage runs.
    lab.change("seed = 8", "seed = 9");
    runs(&lab, "seed: 8 → 9", &STOPS);
}

#[test]
fn the_name_of_a_stage_invalidates_it_where_it_draws_at_random_and_nowhere_else() {
    let samples = "\n[select.first]\nfrom = \"docs\"\nsample = 2\n\n[select.second]\nfrom = \"docs\"\nsample = 2\n";
    let lab = wide();
    lab.append(samples);
    let both = lab.run(&["--json"]).ok();
    let drew = |name: &str| both.nodes().iter().any(|node| node == name);
    // The draw depends on the stage's name, so one result cannot stand for both.
    assert!(
        drew("select.first") && drew("select.second"),
        "{:?}",
        both.nodes()
    );
    let spec = lab.read(crate::lab::SPEC);
    lab.write(
        crate::lab::SPEC,
        spec.replace("[select.some]", "[select.renamed]")
            .replace("\"some\"", "\"renamed\""),
    );
    assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0]);
}
