//! Original prompts, used in a spec.

use super::tree::{self, import};

#[test]
fn an_original_prompt_is_a_template_that_a_spec_names() {
    let lab = tree::sound()
        .spec(
            r#"
[models.fake]
provider = "scripted"
script = "script.toml"

[source.docs]
files = "docs/*.txt"

[judge.grades]
from = "docs"
model = "fake"
prompt = "judgememo/original/prompt_v9"

[stats.scores]
from = "grades"

[table.scores]
from = "scores"
rows = ["metric"]
"#,
        )
        .file("docs/a.txt", "A {story} of {{ braces }}.")
        .script("[[reply]]\ntext = \"FINAL Fluency Score: 4\\nFINAL Coherence Score: 3\"\n");
    import(&lab).ok();
    let ran = lab.cmd(&["call", "--dry-run"]).ok();
    let prompt = "Grade fluency and coherence as {\"fluency\": 1}, {% not a tag %}.\n\nStory: A {story} of {{ braces }}.\n";
    assert!(ran.out.contains(prompt), "{}", ran.out);
    lab.run(&[]).ok();
}

#[test]
fn prompts_with_and_without_context_go_to_folders_of_their_own() {
    let lab = tree::sound();
    import(&lab).ok();
    let names: Vec<String> = lab
        .files("templates/judgememo")
        .iter()
        .map(|path| {
            path.strip_prefix(lab.path("templates/judgememo"))
                .unwrap()
                .display()
                .to_string()
        })
        .collect();
    assert_eq!(
        names,
        [
            "original/context/prompt_v9_JudgeMemo_stride_summary.j2",
            "original/context/report_original_eval_prompt.j2",
            "original/no-context/prompt_v9_JudgeMemo_stride_summary.j2",
            "original/prompt_v9.j2",
        ]
    );
    let section =
        lab.read("templates/judgememo/original/context/prompt_v9_JudgeMemo_stride_summary.j2");
    insta::assert_snapshot!(section);
}

#[test]
fn templates_go_where_they_are_asked_for_or_beside_the_tables_where_there_is_no_project() {
    let lab = tree::sound();
    let asked = [
        "import",
        "judgememo",
        "clone",
        "--into",
        "x",
        "--templates",
        "y",
    ];
    lab.cmd(&asked).ok();
    assert_eq!(lab.files("x").len(), 3);
    assert_eq!(lab.files("y/judgememo/original").len(), 4);
    assert!(lab.files("templates").is_empty());
    lab.remove("templates");
    lab.cmd(&["import", "judgememo", "clone", "--into", "z"])
        .ok();
    assert_eq!(lab.files("z/templates/judgememo/original").len(), 4);
}
