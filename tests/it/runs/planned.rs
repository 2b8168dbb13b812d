//! `plan` says what `run` then does.

use serde_json::Value;

use super::{wide, wide_known};
use crate::lab::Lab;

/// The plan as JSON.
fn plan(lab: &Lab) -> Vec<Value> {
    serde_json::from_str(&lab.cmd(&["plan", "--json"]).ok().out).unwrap()
}

fn titles(nodes: &[Value], state: &str) -> Vec<String> {
    let mut titles: Vec<String> = nodes
        .iter()
        .filter(|node| node["forecast"]["state"] == state)
        .map(|node| node["node"].as_str().unwrap().to_owned())
        .collect();
    titles.sort();
    titles
}

fn questions(nodes: &[Value]) -> u64 {
    nodes
        .iter()
        .filter_map(|node| node["questions"].as_u64())
        .sum()
}

#[test]
fn a_plan_counts_the_questions_that_a_run_then_puts() {
    for repeats in [1, 3] {
        let lab = wide();
        lab.change(
            "metrics = [\"fluency\", \"coherence\"]",
            &format!("metrics = [\"fluency\", \"coherence\"]\nrepeats = {repeats}"),
        );
        let nodes = plan(&lab);
        assert_eq!(lab.asked(), 0, "planning calls no model");
        let ran = lab.run(&["--json"]).ok();
        let put: u64 = ran
            .events("running")
            .iter()
            .filter_map(|event| event["questions"].as_u64())
            .sum();
        assert_eq!(questions(&nodes), put);
        assert_eq!(questions(&nodes), ran.events("answered").len() as u64);
        assert_eq!(
            ran.asked,
            8 * repeats,
            "the rest is answered by the built-in judge"
        );
        assert_eq!(questions(&plan(&lab)), 0);
    }
}

#[test]
fn what_a_plan_calls_known_is_reused_and_what_it_says_runs_does_run() {
    let lab = wide_known();
    lab.change("temperature = 0.0", "temperature = 0.5");
    let nodes = plan(&lab);
    let ran = lab.run(&["--json"]).ok();
    let (known, runs, waits) = (
        titles(&nodes, "known"),
        titles(&nodes, "runs"),
        titles(&nodes, "waits"),
    );
    let mut reused: Vec<String> = ran
        .events("reused")
        .iter()
        .map(|event| event["node"].as_str().unwrap().to_owned())
        .collect();
    reused.sort();
    assert_eq!(known.len() + runs.len() + waits.len(), nodes.len());
    assert!(
        known.iter().all(|node| reused.contains(node)),
        "{known:?}\n{reused:?}"
    );
    assert!(
        runs.iter().all(|node| ran.nodes().contains(node)),
        "{runs:?}\n{:?}",
        ran.nodes()
    );
    assert_eq!(
        runs,
        ["judge.grades[length=6]", "judge.grades[length=full]"]
    );
    assert_eq!(
        waits,
        [
            "stats.scores",
            "stats.shorter",
            "table.scores",
            "table.shorter"
        ]
    );
    assert_eq!(titles(&plan(&lab), "known").len(), nodes.len());
}

#[test]
fn a_plan_for_people_has_the_totals() {
    let lab = wide();
    let said = lab.cmd(&["plan"]).ok().out;
    assert!(
        said.contains("Every kind of stage") && said.contains("axes: 2 length"),
        "{said}"
    );
    assert!(
        said.contains("8 calls") && said.contains("4 prompts answered here"),
        "{said}"
    );
    lab.run(&["--quiet"]).ok();
    let said = lab.cmd(&["plan"]).ok().out;
    assert!(
        said.contains("13 stages cached, 0 to run: 0 calls"),
        "{said}"
    );
    let said = lab.cmd(&["plan", "--all"]).ok().out;
    assert!(
        said.contains("  judge.grades    2 cached")
            && said.contains("  [length=full]: cached, 8 rows"),
        "{said}"
    );
}

#[test]
fn a_plan_for_graphviz_has_every_node_and_edge() {
    let lab = wide();
    let nodes = plan(&lab);
    let dot = lab.cmd(&["plan", "--dot"]).ok().out;
    assert!(
        dot.starts_with("digraph {") && dot.trim_end().ends_with('}'),
        "{dot}"
    );
    for node in &nodes {
        let title = node["node"].as_str().unwrap();
        assert!(
            dot.contains(&format!("label = \"{title}\"")),
            "{title} is not in\n{dot}"
        );
    }
    let edges: usize = nodes
        .iter()
        .map(|node| node["reads"].as_array().unwrap().len())
        .sum();
    assert_eq!(dot.matches("->").count(), edges);
}

#[test]
fn a_plan_writes_no_report_and_says_what_cannot_run() {
    let lab = wide();
    plan(&lab);
    assert!(lab.files("reports").is_empty());
    lab.remove("docs.csv");
    let ran = lab.cmd(&["plan"]);
    assert_ne!(ran.code, 0);
    assert!(ran.err.contains("docs.csv"), "{}", ran.err);
}

#[test]
fn why_of_a_node_that_is_not_there_names_a_near_one() {
    let ran = wide().cmd(&["why", "judge.grade"]).exit(2);
    assert!(
        ran.err.contains("did you mean `judge.grades`?"),
        "{}",
        ran.err
    );
}

#[test]
fn why_tells_new_from_gone() {
    let lab = wide();
    let said = lab.cmd(&["why", "judge.grades"]).ok().out;
    assert!(said.contains("it never ran in this experiment"), "{said}");
    lab.run(&["--quiet"]).ok();
    let said = lab.cmd(&["why"]).ok().out;
    assert!(said.contains("every result is cached"), "{said}");
    let said = lab.cmd(&["why", "table.scores"]).ok().out;
    assert!(said.contains("cached, nothing changed"), "{said}");
    lab.remove("cache/v1/blobs");
    let said = lab.cmd(&["why", "judge.grades"]).ok().out;
    assert!(said.contains("its result is missing"), "{said}");
}
