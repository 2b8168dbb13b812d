//! The run record tells of the run whose tables stand beside it, whatever happened in between.

use std::time::Duration;

use serde_json::Value;

use super::project::Project;

fn record(project: &Project) -> Value {
    let bytes = fs_err::read(project.path("reports/spec/run.json")).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

#[test]
fn a_run_that_finds_everything_known_leaves_the_record_alone() {
    let project = Project::new(2, Duration::ZERO);
    project.run_well();
    let first = record(&project);
    project.run_well();
    assert_eq!(record(&project), first);
}

#[test]
fn going_back_to_an_earlier_spec_goes_back_to_its_record() {
    let project = Project::new(2, Duration::ZERO);
    project.run_well();
    let (tables, first) = (project.tables(), record(&project));
    let set = ["--set", "judge.panel.repeats=3"];
    let changed = project.command("spec.toml").args(set).output().unwrap();
    assert!(changed.status.success());
    assert_ne!(record(&project)["spec"], first["spec"]);
    // Nothing is left to be computed, and yet the record has to change with the tables.
    project.run_well();
    assert_eq!(project.tables(), tables);
    let back = record(&project);
    assert_eq!(back["spec"], first["spec"]);
    let keys = |record: &Value| -> Vec<Value> {
        let nodes = record["nodes"].as_array().unwrap();
        nodes.iter().map(|node| node["key"].clone()).collect()
    };
    assert_eq!(keys(&back), keys(&first));
}
