//! Figures: every field that says what is shown is in the key, everything that says how it looks is in none.

use super::{Lab, WIDE, each, wide};

const FIGURE: &str = "[figure.means]\nfrom = \"scores\"\nx = \"metric\"\nseries = \"length\"\n";
const SHOWN: [&str; 1] = ["figure.means"];

/// The wide project with a figure, after its first run.
fn drawn() -> Lab {
    let lab = wide().spec(&format!("{WIDE}\n{FIGURE}"));
    lab.run(&["--json"]).ok();
    lab
}

#[test]
fn every_field_of_a_figure_invalidates_it_alone() {
    let with = |line: &str| format!("{FIGURE}{line}\n");
    let lines = [
        (
            "low = \"ci_low\"\nhigh = \"ci_high\"",
            "parameters.parts.0.interval: nothing",
        ),
        ("error = \"sd\"", "parameters.parts.0.interval: nothing"),
        (
            "value = \"sd\"",
            "parameters.parts.0.value: \"mean\" → \"sd\"",
        ),
        (
            "where = \"metric == 'fluency'\"",
            "parameters.parts.0.where: nothing",
        ),
        (
            "reference = \"metric == 'fluency'\"",
            "parameters.reference: nothing",
        ),
        (
            "type = \"violins\"",
            "parameters.counted: \"not\" → \"values\"",
        ),
    ];
    let with: Vec<(String, &str)> = lines.map(|(line, why)| (with(line), why)).into();
    let lab = drawn();
    let changes: Vec<(&str, &str, &str, &[&str])> = with
        .iter()
        .map(|(to, why)| (FIGURE, to.as_str(), *why, &SHOWN[..]))
        .collect();
    each(&lab, &changes);
    each(
        &lab,
        &[
            (
                FIGURE,
                "[figure.means]\nfrom = \"scores\"\nx = \"length\"\nseries = \"metric\"\n",
                "parameters.x",
                &SHOWN,
            ),
            (
                FIGURE,
                "[figure.means]\nfrom = \"scores\"\nx = \"metric\"\npanels = \"length\"\n",
                "parameters.panels",
                &SHOWN,
            ),
            (
                FIGURE,
                "[figure.means]\nfrom = \"scores\"\ny = \"metric\"\nseries = \"length\"\n",
                "parameters.y",
                &SHOWN,
            ),
        ],
    );
}

#[test]
fn every_field_of_a_part_invalidates_the_figure_alone() {
    let part = "[[figure.means.part]]\nfrom = \"shorter\"\nrename = { metric = \"metric\" }\nlow = \"ci_low\"\nhigh = \"ci_high\"\nset = { length = \"change\" }\n";
    let lab = wide().spec(&format!(
        "{WIDE}\n[figure.means]\nx = \"metric\"\nseries = \"length\"\n\n[[figure.means.part]]\nfrom = \"scores\"\n\n{part}"
    ));
    lab.run(&["--json"]).ok();
    each(
        &lab,
        &[
            (
                "\"change\"",
                "\"difference\"",
                "parameters.parts.1.set.length: \"change\" → \"difference\"",
                &SHOWN,
            ),
            (
                "rename = { metric = \"metric\" }\n",
                "",
                "parameters.parts.1.rename",
                &SHOWN,
            ),
            (
                "high = \"ci_high\"",
                "high = \"sd\"",
                "parameters.parts.1.interval.ends.1: \"ci_high\" → \"sd\"",
                &SHOWN,
            ),
            (
                part,
                &format!("{part}where = \"metric == 'fluency'\"\n"),
                "parameters.parts.1.where: nothing",
                &SHOWN,
            ),
        ],
    );
}

#[test]
fn the_level_of_significance_and_the_bins_invalidate() {
    let lab = wide().spec(&format!(
        "{WIDE}\n[figure.tested]\nfrom = \"shorter\"\nvalue = \"t\"\nx = \"metric\"\nnonsignificant = 0.05\n\n[figure.years]\nfrom = \"select.some\"\ntype = \"histogram\"\nvalue = \"year\"\nbins = 5\n"
    ));
    lab.run(&["--json"]).ok();
    each(
        &lab,
        &[
            (
                "nonsignificant = 0.05",
                "nonsignificant = 0.1",
                "parameters.nonsignificant: 0.05 → 0.1",
                &["figure.tested"],
            ),
            (
                "bins = 5",
                "bins = 9",
                "parameters.counted.bins: 5 → 9",
                &["figure.years"],
            ),
        ],
    );
}

#[test]
fn the_looks_of_a_figure_do_not_invalidate_but_are_drawn_anew() {
    let lab = drawn();
    let before = lab.run(&["--json"]).ok().tables["means.svg"].clone();
    for line in [
        "type = \"bars\"",
        "title = \"Scores\"",
        "headings.mean = \"score\"",
        "labels.metric = { fluency = \"Fl.\" }",
        "order.metric = [\"coherence\", \"fluency\"]",
        "line = 3",
        "band = [2, 3]",
        "range = [1, 5]",
        "decimals = 1",
        "width = 500",
        "height = 100",
    ] {
        let to = format!("{FIGURE}{line}\n");
        lab.change(FIGURE, &to);
        let ran = lab.run(&["--json"]).ok();
        assert_eq!((ran.nodes(), ran.asked), (vec![], 0), "{line}");
        assert_ne!(ran.tables["means.svg"], before, "{line}");
        lab.change(&to, FIGURE);
    }
    lab.append("caption = \"Means of four documents.\"\n\n[report]\nfigures = [\"svg\"]");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!((ran.nodes(), ran.asked), (vec![], 0));
    assert_eq!(ran.tables["means.svg"], before);
}
