//! Commands about jobs and the cache that they share, where there is no cluster.

use super::{lab, local};

#[test]
fn doctor_says_what_the_disk_can_do_and_leaves_nothing_behind() {
    let lab = lab(1);
    let ran = lab.cmd(&["doctor"]).ok();
    let ok = ran
        .out
        .lines()
        .filter(|line| line.starts_with("ok"))
        .count();
    assert!(ok >= 2, "{}", ran.out);
    assert!(
        ran.out.contains("only one process can make a file"),
        "{}",
        ran.out
    );
    assert!(lab.files("cache").is_empty());
}

#[test]
fn without_jobs_there_is_nothing_to_list_or_to_cancel() {
    let lab = lab(1);
    assert_eq!(lab.cmd(&["jobs"]).ok().out, "no jobs\n");
    assert_eq!(lab.cmd(&["jobs", "--cancel"]).ok().out, "no jobs\n");
}

#[test]
fn how_a_model_is_served_is_in_no_key() {
    let lab = lab(2);
    let keys = |lab: &crate::lab::Lab| {
        lab.cmd(&["why", "judge.grades[model=small]", "--key"])
            .ok()
            .out
    };
    let without = keys(&lab);
    lab.write(
        "tribunal.local.toml",
        local("time = \"10\"", "serve {port}", "serve {port}"),
    );
    assert_eq!(keys(&lab), without);
    let plan = lab.cmd(&["plan"]).ok();
    assert!(plan.out.contains("4 calls"), "{}", plan.out);
}

#[test]
fn limits_that_jobs_cannot_keep_are_refused() {
    let lab = lab(1);
    lab.write(
        "tribunal.local.toml",
        local("time = \"10\"", "serve {port}", "serve {port}"),
    );
    for limit in [
        &["--max-calls", "3"][..],
        &["--offline"],
        &["--max-cost", "1"],
    ] {
        let ran = lab.run(&[&["--on", "slurm"], limit].concat()).exit(2);
        assert!(
            ran.err.contains("cannot be kept by jobs on a cluster"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn without_the_programs_of_slurm_the_run_says_so() {
    let lab = lab(1);
    lab.write(
        "tribunal.local.toml",
        local("time = \"10\"", "serve {port}", "serve {port}"),
    );
    let output = lab
        .command(&["run", "--on", "slurm"])
        .env("PATH", "/nowhere")
        .output()
        .unwrap();
    let ran = lab.came_to(output, &[]).exit(4);
    assert!(
        ran.err.contains("`scontrol` is not installed here"),
        "{}",
        ran.err
    );
}
