//! Two processes at once on one cache: each call is made once, and both get the same tables.

use std::time::Duration;

use super::project::Project;
use crate::cache::Dice;

const ROUNDS: u64 = 20;

#[test]
fn two_runs_of_one_spec_share_the_work() {
    let project = Project::new(6, Duration::from_millis(3));
    project.run_well();
    let (tables, asked) = (project.tables(), project.asked());
    let mut dice = Dice(0x702);
    for round in 0..ROUNDS {
        for name in ["cache", "reports", "asked.log"] {
            project.forget(name);
        }
        let mut runs = Vec::new();
        for _ in 0..2 {
            let mut command = project.command("spec.toml");
            command.arg("--json");
            runs.push(command.spawn().unwrap());
            // The offset is part of what is tried; whatever it is, the result is the same.
            std::thread::sleep(Duration::from_millis(dice.roll(150)));
        }
        let mut finished: Vec<String> = Vec::new();
        for run in runs {
            let output = run.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "round {round}: {said}");
            finished.extend(finished_nodes(&output.stdout));
        }
        assert_eq!(project.tables(), tables, "round {round}");
        assert_eq!(project.asked(), asked, "round {round}");
        finished.sort();
        let nodes = finished.len();
        finished.dedup();
        assert_eq!(finished.len(), nodes, "round {round}: a node ran twice");
    }
}

#[test]
fn two_specs_with_calls_in_common_pay_for_them_once() {
    let other = Project::spec_with(&[
        // Other results of other stages, with questions that are partly the same.
        ("[axes]", "[report-nothing]"),
        ("judge.panel", "judge.jury"),
        ("from = \"panel\"", "from = \"jury\""),
        ("repeats   = 2", "repeats   = 3"),
    ])
    .replace("[report-nothing]", "[axes]");
    let both = Project::new(6, Duration::from_millis(2));
    both.write("other.toml", &other);
    let run = |spec: &str| {
        let output = both.command(spec).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
    };
    run("spec.toml");
    run("other.toml");
    let (tables, asked) = (both.tables(), both.asked());
    assert_eq!(tables.len(), 28);
    for round in 0..5 {
        for name in ["cache", "reports", "asked.log"] {
            both.forget(name);
        }
        let runs = ["spec.toml", "other.toml"].map(|spec| both.command(spec).spawn().unwrap());
        for run in runs {
            let output = run.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "round {round}: {said}");
        }
        assert_eq!(both.tables(), tables, "round {round}");
        assert_eq!(both.asked(), asked, "round {round}");
    }
}

/// The nodes that a run says it computed itself.
fn finished_nodes(events: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(events)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|event| event["event"] == "finished")
        .map(|event| event["node"].as_str().unwrap().to_owned())
        .collect()
}
