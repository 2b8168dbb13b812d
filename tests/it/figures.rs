//! Figures from spec to file: what is written, what is in it, and that nothing is drawn twice.

use crate::lab::Lab;

const DOCS: &str = "\
name,body,kind
a,The ferry left at noon.,prose
b,A letter came on Monday.,prose
c,Nothing grew in the garden.,verse
d,The mill stood still.,verse
";

const SPEC: &str = r#"
[models.fake]
provider = "scripted"
script = "script.toml"

[source.docs]
files = "docs.csv"
id = "name"
text = "body"

[judge.grades]
max-unscored = 1
from = "docs"
model = "fake"
prompt = "grade"

[stats.scores]
from = "grades"
by = "kind"

[figure.means]
title = "Scores"
type = "intervals"
from = "scores"
x = "kind"
series = "metric"

[figure.spread]
type = "violins"
from = "judge.grades"
x = "kind"
panels = "metric"
"#;

const SCRIPT: &str = r#"
[[reply]]
contains = ["ferry"]
text = "FINAL Fluency Score: 4\nFINAL Coherence Score: 3"

[[reply]]
contains = ["letter"]
text = "FINAL Fluency Score: 2\nFINAL Coherence Score: 3"

[[reply]]
text = "I would rather not say."
"#;

fn lab() -> Lab {
    Lab::new()
        .spec(SPEC)
        .file("docs.csv", DOCS)
        .template("grade", "Grade fluency and coherence.\n{{ text }}\n")
        .script(SCRIPT)
}

#[test]
fn a_figure_is_written_as_svg_and_png_with_its_rows_beside() {
    let lab = lab();
    let ran = lab.run(&[]).ok();
    let names: Vec<&str> = ran.tables.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "means.csv",
            "means.png",
            "means.svg",
            "spread.csv",
            "spread.png",
            "spread.svg"
        ]
    );
    let png = fs_err::read(lab.path("reports/experiment/means.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n"));
    let svg = &ran.tables["means.svg"];
    assert!(
        svg.contains("<title id=") && svg.contains(">Scores</title>"),
        "{svg}"
    );
    assert!(svg.contains("prose · fluency: mean 3.00, from "), "{svg}");
}

#[test]
fn a_figure_states_how_many_were_not_scored() {
    let ran = lab().run(&[]).ok();
    let svg = &ran.tables["means.svg"];
    let said = "n = 2 documents per interval; 4 rows unscored (no score found 4), summed over intervals; 2 intervals without a value.";
    let words: String = svg.replace("</text><text x=\"10\"", " ");
    assert!(
        said.split("; ")
            .all(|part| words.contains(part.trim_end_matches("value."))),
        "{svg}"
    );
    assert!(svg.contains("verse · fluency: no value: no score among 2 rows (2 no score found) (n = 0 documents, 2 rows unscored)"), "{svg}");
    let csv = &ran.tables["means.csv"];
    let verse = csv
        .lines()
        .find(|line| line.starts_with("verse,fluency"))
        .unwrap();
    assert!(verse.starts_with("verse,fluency,,,,,false,0,2,"), "{csv}");
    let spread = &ran.tables["spread.csv"];
    assert!(spread.contains("fluency,verse,,,,,false,,2,"), "{spread}");
}

#[test]
fn what_was_drawn_already_is_left_alone() {
    let lab = lab();
    lab.run(&[]).ok();
    let written = |name: &str| {
        let data = fs_err::metadata(lab.path(&format!("reports/experiment/{name}"))).unwrap();
        data.modified().unwrap()
    };
    let before = ["means.svg", "means.png", "means.csv"].map(written);
    lab.run(&[]).ok();
    assert_eq!(["means.svg", "means.png", "means.csv"].map(written), before);
    // Half a picture is drawn again.
    let png = fs_err::read(lab.path("reports/experiment/means.png")).unwrap();
    lab.write("reports/experiment/means.png", &png[..png.len() / 2]);
    lab.run(&[]).ok();
    assert_eq!(
        fs_err::read(lab.path("reports/experiment/means.png")).unwrap(),
        png
    );
}

#[test]
fn the_figures_of_an_ablation_lie_in_its_folder() {
    let lab = lab();
    lab.append("[[ablation]]\nname = \"one\"\nset = { \"stats.scores.level\" = 0.5 }");
    let ran = lab.run(&[]).ok();
    assert!(ran.tables["one/means.svg"].contains("Scores (ablation: one)"));
    // What comes out the same is the same figure under another name.
    assert_eq!(ran.tables["one/spread.csv"], ran.tables["spread.csv"]);
}

#[test]
fn pictures_of_one_experiment_share_no_ids() {
    let ran = lab().run(&[]).ok();
    let ids = |name: &str| -> Vec<String> {
        let parts = ran.tables[name].split(" id=\"").skip(1);
        parts
            .map(|rest| rest.split('"').next().unwrap().to_owned())
            .collect()
    };
    let (means, spread) = (ids("means.svg"), ids("spread.svg"));
    assert!(!means.is_empty() && means.iter().all(|id| !spread.contains(id)));
}
