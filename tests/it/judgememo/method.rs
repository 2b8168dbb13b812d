//! experiments/judgememo/method.toml from end to end with a model that follows a script: on two of the stories, as
//! they are and full of typos, with each of its ablations, and killed half-way.

use std::path::Path;
use std::time::Duration;

use super::texts;
use crate::lab::{Lab, Ran};

/// What the model says: every reply depends on its prompt, and scores what it is asked for.
fn replies(delay: u32) -> String {
    let form = |contains: &str, metrics: &[&str]| {
        let issue =
            |metric: &&str| format!("{metric} Issues:\n- [LABEL] {metric} {{{{ digest }}}}\n");
        let score = |(at, metric): (usize, &&str)| {
            let digits = 9_u32.pow(at as u32);
            format!("FINAL {metric} Score: {{{{ digest // {digits} % 9 / 2 + 1 }}}}\n")
        };
        let issues: String = metrics.iter().map(issue).collect();
        let scores: String = metrics.iter().enumerate().map(score).collect();
        format!(
            "[[reply]]\ndelay-ms = {delay}\ncontains = [\"{contains}\"]\n\
             text = \"\"\"\nEvaluation Form:\n{issues}{scores}\"\"\"\n"
        )
    };
    [
        format!(
            "[[reply]]\ndelay-ms = {delay}\ncontains = [\"Summarise this\"]\n\
             text = \"What happens has the number {{{{ digest }}}}.\"\n"
        ),
        form("for consistency", &["Fluency", "Coherence", "Consistency"]),
        form("separately for", &["Fluency", "Coherence"]),
        form("from 1 to 5 for fluency", &["Fluency"]),
        form("from 1 to 5 for coherence", &["Coherence"]),
    ]
    .join("\n")
}

/// Less of everything than the method has, so that a run is short: 2 stories, 2 lengths, 2 states.
const SMALLER: &str = r#"
extends = "experiments/judgememo/method.toml"

[axes]
damage = { set = "manipulate.damaged.apply", values = ["none", "typos"] }

[models.fake]
provider    = "scripted"
script      = "script.toml"
concurrency = 4

[judge.sections]
model = "fake"

[judge.final]
model = "fake"
"#;

/// Documents: stories × lengths × states.
const DOCUMENTS: usize = 2 * 2 * 2;

/// Their sections at a scan range of 2000: one of 2000 tokens, three of a whole story.
const SECTIONS: usize = 2 * 2 * (1 + 3);

fn read(name: &str) -> String {
    fs_err::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The method in pieces, as they are written.
struct Method {
    /// The spec without its ablations, and without the layers that only ablations need.
    base: String,
    ablations: Vec<String>,
}

impl Method {
    fn read() -> Self {
        let text = read("experiments/judgememo/method.toml");
        let mut parts = text.split("[[ablation]]");
        let base = parts.next().unwrap().to_owned();
        let ablations = parts.map(|part| format!("[[ablation]]{part}"));
        let layers = r#", "summaries.toml", "summary.toml""#;
        assert!(base.contains(layers));
        Self {
            base: base.replace(layers, ""),
            ablations: ablations.collect(),
        }
    }

    /// What is to be added for an ablation: itself, and the stage that only it reads.
    fn ablation(&self, name: &str) -> String {
        let named = format!("name = \"{name}\"\n");
        let found = self.ablations.iter().find(|part| part.contains(&named));
        let found = found.unwrap_or_else(|| panic!("the method has no ablation `{name}`"));
        let layer = match name {
            "summaries" => read("experiments/judgememo/summaries.toml"),
            "report-summary" => read("experiments/judgememo/summary.toml"),
            _ => String::new(),
        };
        format!("{}\n{found}", layer.replace("\"summariser\"", "\"fake\""))
    }
}

/// The method without its ablations in a project of its own.
fn lab() -> Lab {
    let method = Method::read();
    let mut lab = Lab::new()
        .spec(SMALLER)
        .script(&replies(0))
        .file("experiments/judgememo/method.toml", method.base)
        .file(
            "experiments/judgememo/memory-judge.toml",
            read("experiments/judgememo/memory-judge.toml"),
        )
        .file(
            "experiments/stories/stories.csv",
            read("experiments/stories/stories.csv"),
        );
    for story in ["the-tide-clerk", "the-orchard-line"] {
        let name = format!("experiments/stories/{story}.txt");
        lab = lab.file(&name, read(&name));
    }
    for (name, text) in texts() {
        lab = lab.template(&name, &text);
    }
    lab
}

/// The rows of a csv table below its heading.
fn lines(ran: &Ran, name: &str) -> usize {
    let table = ran.tables.get(name);
    let table = table.unwrap_or_else(|| panic!("no {name} in {:?}", ran.tables.keys()));
    table.lines().count() - 1
}

#[test]
fn the_method_runs_from_stories_to_tables() {
    let lab = lab();
    let ran = lab.run(&["--json"]).ok();
    // Every section and every report is asked about once; nobody asks for summaries that nothing reads.
    assert_eq!(ran.asked, SECTIONS + DOCUMENTS);
    assert!(
        !ran.stages()
            .iter()
            .any(|stage| stage.starts_with("generate"))
    );
    // Two states, two metrics, two lengths.
    assert_eq!(lines(&ran, "scores.csv"), 8);
    assert_eq!(lines(&ran, "effect.csv"), 4);
    assert_eq!(
        ran.summary()["counts"]["scored"],
        2 * (SECTIONS + DOCUMENTS)
    );
    let again = lab.again().ok();
    assert_eq!((again.asked, again.nodes().len()), (0, 0));
}

#[test]
fn the_report_is_in_the_prompt_of_the_final_judge() {
    let lab = lab();
    lab.run(&[]).ok();
    let called = lab.cmd(&[
        "call",
        "--stage",
        "judge.final",
        "--where",
        "length=full",
        "--dry-run",
    ]);
    let prompt = called.ok().out;
    assert!(prompt.contains("# The report"), "{prompt}");
    for section in 1..=3 {
        assert!(prompt.contains(&format!("Section {section}")), "{prompt}");
    }
    let issues = |metric: &str| prompt.matches(&format!("- {metric} ")).count();
    assert_eq!((issues("Fluency"), issues("Coherence")), (3, 3), "{prompt}");
}

#[test]
fn an_ablation_added_to_a_finished_run_makes_its_own_calls_and_no_others() {
    let lab = lab();
    let base = lab.run(&["--json"]).ok();
    let all = SECTIONS + DOCUMENTS;
    let cases: [(&str, usize); 11] = [
        // Of 2000 tokens there are two or three sections, of a whole story five; where both begin alike, the first
        // of them is asked about once.
        ("scan-range-1000", 35),
        // What has 2000 tokens stays one section, as it was; whole stories are two.
        ("scan-range-3000", 4 * (2 + 1)),
        ("hard", all),
        ("summaries", SECTIONS + all),
        // The summaries are those of the same sections.
        ("hard-summaries", all),
        ("report-original", DOCUMENTS),
        // A summary and a judgement of each document.
        ("report-summary", 2 * DOCUMENTS),
        ("no-notice", all),
        ("one-by-one", 2 * all),
        ("by-label", DOCUMENTS),
        ("third-metric", all),
    ];
    let method = Method::read();
    assert_eq!(cases.len(), method.ablations.len(), "one is not tested");
    for (name, asked) in cases {
        lab.append(&method.ablation(name));
        let ran = lab.run(&["--json"]).ok();
        assert_eq!(ran.asked, asked, "{name}");
        assert!(
            ran.summary()["counts"]["scored"].as_u64() > Some(0),
            "{name}"
        );
        // Its tables stand beside the base's, which are what they were.
        for (table, content) in &base.tables {
            assert_eq!(ran.tables.get(table), Some(content), "{name}: {table}");
        }
        let metrics = if name == "third-metric" { 3 } else { 2 };
        let rows = lines(&ran, &format!("{name}/scores.csv"));
        assert_eq!(rows, 2 * 2 * metrics, "{name}");
        assert_ne!(
            ran.tables[&format!("{name}/scores.csv")],
            base.tables["scores.csv"],
            "{name} changes nothing"
        );
    }
    assert_eq!(lab.again().ok().asked, 0);
}

#[test]
fn one_metric_by_itself_is_judged_by_a_report_that_does_not_tell_of_the_other() {
    let lab = lab();
    lab.append(&Method::read().ablation("one-by-one"));
    lab.run(&[]).ok();
    for (asked, other) in [("fluency", "coherence"), ("coherence", "fluency")] {
        let asked = format!("asked={asked}");
        let called = lab.cmd(&[
            "call",
            "--stage",
            "judge.final",
            "--where",
            &asked,
            "--dry-run",
        ]);
        let prompt = called.ok().out.to_lowercase();
        assert!(!prompt.contains(other), "{asked}:\n{prompt}");
    }
}

#[test]
fn the_ablation_of_the_page_on_specs_is_added_in_five_lines() {
    let readme = read("docs/spec.md");
    let blocks = readme.split("```toml part\n").skip(1);
    let mut blocks = blocks.filter_map(|block| block.split_once("```"));
    let (block, _) = blocks
        .find(|(block, _)| block.contains("scan-range-1500"))
        .unwrap();
    assert!(block.lines().count() <= 5, "{block}");
    let lab = lab();
    let base = lab.run(&[]).ok();
    lab.append(block);
    let ran = lab.run(&["--json"]).ok();
    // Two sections of 2000 tokens, three of a whole story, and a report on each; both begin with the same section,
    // which is asked about once where typos do not tell them apart.
    assert_eq!(ran.asked, 2 * 2 * (2 + 3) - 2 + DOCUMENTS);
    assert_eq!(ran.tables["scores.md"], base.tables["scores.md"]);
    assert!(ran.tables.contains_key("scan-range-1500/scores.md"));
}

#[cfg(unix)]
#[test]
fn a_method_that_is_killed_half_way_goes_on_where_it_was() {
    let method = Method::read();
    let undisturbed = lab();
    for name in ["summaries", "report-summary"] {
        undisturbed.append(&method.ablation(name));
    }
    let whole = undisturbed.run(&["--json"]).ok();
    let killed = lab().script(&replies(20));
    for name in ["summaries", "report-summary"] {
        killed.append(&method.ablation(name));
    }
    let mut process = killed.command(&["run", "-q"]).spawn().unwrap();
    while killed.asked() < whole.asked / 2 {
        assert!(
            process.try_wait().unwrap().is_none(),
            "it ended before it was killed"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    process.kill().unwrap();
    process.wait().unwrap();
    let before = killed.asked();
    let ran = killed.run(&["--json"]).ok();
    assert!(ran.asked < whole.asked, "nothing was kept");
    // Four calls may have been under way when it was killed.
    assert!(
        before + ran.asked <= whole.asked + 4,
        "{before} + {}",
        ran.asked
    );
    assert_eq!(ran.tables, whole.tables);
}
