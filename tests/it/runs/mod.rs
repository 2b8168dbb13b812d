//! What a run does, and what the next one need not do again.

mod careful;
mod failures;
mod folders;
mod grid;
mod layers;
mod leftovers;
mod planned;
mod replies;
mod rows;
mod settings;
mod shortfalls;
mod trimming;

use super::keys::{wide, wide_known};
use super::lab::Lab;

#[test]
fn a_second_run_runs_no_stage_and_asks_nothing() {
    let lab = wide();
    let first = lab.run(&["--json"]).ok();
    let written = fs_err::read(lab.path("reports/experiment/run.json")).unwrap();
    let second = lab.again().ok();
    let done = second.summary();
    assert_eq!((second.nodes(), second.asked), (vec![], 0));
    assert_eq!(
        (&done["ran"], &done["calls_made"], &done["calls_reused"]),
        (&0.into(), &0.into(), &0.into())
    );
    assert_eq!(done["reused"], first.summary()["ran"]);
    assert_eq!(second.tables, first.tables);
    let now = fs_err::read(lab.path("reports/experiment/run.json")).unwrap();
    assert_eq!(now, written, "the record of what ran stays");
}

#[test]
fn a_change_that_leaves_a_result_as_it_was_stops_there() {
    let lab = wide_known();
    // Another way to say the same: the rows kept are the same, and nothing below the selection runs.
    lab.change("year >= 1900", "not year < 1900");
    assert_eq!(lab.run(&["--json"]).ok().nodes(), ["select.some"]);
}

#[test]
fn tables_are_the_same_with_one_job_and_with_eight() {
    let tables = |jobs: &str| {
        let lab = wide();
        lab.append(
            "[report]\nformats = [\"md\", \"csv\", \"tex\", \"html\", \"json\", \"parquet\"]",
        );
        lab.change(
            "metrics = [\"fluency\", \"coherence\"]",
            "metrics = [\"fluency\", \"coherence\"]\nrepeats = 3",
        );
        lab.run(&["--quiet", "--jobs", jobs]).ok().tables
    };
    let one = tables("1");
    assert_eq!(one.len(), 18);
    assert_eq!(one, tables("8"));
}

#[test]
fn results_are_the_same_with_one_job_and_with_eight() {
    let outputs = |jobs: &str| {
        let ran = wide().run(&["--quiet", "--jobs", jobs]).ok();
        let nodes = ran.record["nodes"].as_array().unwrap().clone();
        nodes
            .iter()
            .map(|node| {
                (
                    node["node"].clone(),
                    node["key"].clone(),
                    node["output"].clone(),
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(outputs("1"), outputs("8"));
}

#[test]
fn only_the_stages_named_and_what_they_need_are_run() {
    let lab = wide();
    let ran = lab.run(&["--json", "--only", "table.plain"]).ok();
    assert_eq!(
        ran.nodes(),
        [
            "judge.baseline",
            "select.some",
            "source.docs",
            "stats.plain",
            "table.plain"
        ]
    );
    assert_eq!(ran.asked, 0);
    assert_eq!(
        ran.tables.keys().collect::<Vec<_>>(),
        ["plain.csv", "plain.md"]
    );
    // A name without its kind means all stages of that name, and several may be given.
    let ran = lab
        .run(&["--json", "--only", "shorter", "--only", "stats.scores"])
        .ok();
    assert!(ran.stages().contains(&"table.shorter".to_owned()));
    assert!(ran.stages().contains(&"stats.scores".to_owned()));
    assert!(!ran.stages().contains(&"table.scores".to_owned()));
    let ran = lab.run(&["--only", "table.shroter"]).exit(2);
    assert!(
        ran.err.contains("did you mean `table.shorter`?"),
        "{}",
        ran.err
    );
}

#[test]
fn why_still_knows_the_last_keys_after_a_partial_run() {
    let lab = wide_known();
    lab.run(&["--json", "--only", "table.plain"]).ok();
    lab.change("temperature = 0.0", "temperature = 0.5");
    let said = lab.cmd(&["why", "judge.grades"]).ok().out;
    assert!(said.contains("sampling.temperature: 0.0 → 0.5"), "{said}");
}

#[test]
fn the_record_says_what_ran_from_what_with_what_result() {
    let ran = wide().run(&["--quiet"]).ok();
    let record = &ran.record;
    assert_eq!(record["counts"]["scored"], 16 + 8);
    assert_eq!(record["calls"]["made"], 8);
    assert_eq!(record["spec"]["seed"], 7);
    let nodes = record["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 13);
    for node in nodes {
        assert_eq!(node["key"].as_str().map(str::len), Some(64), "{node}");
        assert_eq!(node["output"].as_str().map(str::len), Some(64), "{node}");
        for input in node["inputs"].as_array().unwrap() {
            let of = nodes
                .iter()
                .find(|other| other["node"] == input["node"])
                .unwrap();
            assert_eq!(of["output"], input["digest"]);
        }
    }
}

#[test]
fn the_environment_does_not_reach_the_record() {
    let ran = Lab::small()
        .env("OPENAI_API_KEY", "sk-secret")
        .run(&["--json"])
        .ok();
    assert!(!ran.record.to_string().contains("sk-secret"));
    assert!(!ran.out.contains("sk-secret"));
}
