//! Stages that call no model and are computed by jobs: as on one machine, whatever becomes of a job.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::cluster::Cluster;
use super::shim::until;
use super::{QUICK, command, ran};
use crate::lab::Lab;
use crate::models::texts_csv;

/// Texts that are damaged to several degrees and measured; the counts of the undamaged ones go to no job.
const SPEC: &str = r#"
title = "Stages on a cluster"

[axes.percent]
set = "manipulate.damaged.typos.percent"
values = [2, 10, 40]

[source.texts]
files = "texts.csv"

[manipulate.damaged]
from = "texts"
apply = "typos"
typos = { percent = 2 }

[measure.sizes]
from = "damaged"
metrics = ["tokens", "operations"]

[stats.sizes]
from = "sizes"

[table.sizes]
from = "sizes"
rows = ["metric"]
columns = ["percent"]

[export.damaged]
from = "damaged"
format = "csv"
"#;

fn texts() -> Lab {
    Lab::new().spec(SPEC).file("texts.csv", texts_csv(40))
}

fn local(stages: &str) -> String {
    format!("[slurm]\n{QUICK}\n\n[slurm.stages]\n{stages}\n")
}

#[test]
fn stages_go_to_jobs_and_come_out_as_on_one_machine() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let alone = texts().run(&[]).ok();
    let lab = texts().file("tribunal.local.toml", local("rows = 40"));
    let first = ran(&lab, &cluster, &[]).ok();
    assert_eq!(first.tables, alone.tables, "{}", first.err);
    let said = &first.err;
    assert!(said.contains("6 stages were computed by"), "{said}");
    assert!(said.contains("tasks for stages: job "), "{said}");
    assert!(said.contains("0 stages were cached"), "{said}");
    // Nothing is left, and nothing to do.
    assert!(lab.files("cache/v1/jobs").is_empty());
    assert_eq!(cluster.ask("squeue", &["--noheader"]), "");
    let again = ran(&lab, &cluster, &[]).ok();
    assert_eq!(again.tables, first.tables);
    assert!(!again.err.contains("computed by"), "{}", again.err);
    // What is small, or of another kind, is computed by the run.
    for stages in ["rows = 41", "rows = 0\nkinds = \"split\""] {
        let lab = texts().file("tribunal.local.toml", local(stages));
        let here = ran(&lab, &cluster, &[]);
        if stages.contains("split") {
            // There is none.
            assert_eq!(here.exit(2).tables, BTreeMap::new());
            continue;
        }
        let here = here.ok();
        assert_eq!(here.tables, alone.tables);
        assert!(!here.err.contains("computed by"), "{}", here.err);
    }
}

/// Rows that a program scores.
const SCORED: &str = r#"
title = "A scorer on a cluster"

[source.answers]
files = "answers.jsonl"

[scorer.exact]
from = "answers"
columns = ["text"]
command = ["sh", "score.sh"]
version = "exact 1"
metrics = ["exact"]
scale = { min = 0, max = 1, step = 0 }

[export.exact]
from = "exact"
format = "csv"
"#;

/// A program that does something about each row: `$id` is its number, `$text` its text.
fn program(about_each: &str) -> String {
    format!(
        r#"echo '{{"scorer": "exact 1", "protocol": 1}}'
while read -r line; do
  id=${{line#*:}}; id=${{id%%,*}}
  text=${{line#*text\":\"}}; text=${{text%%\"*}}
  {about_each}
  echo "{{\"id\": $id, \"scores\": {{\"exact\": 1}}}}"
done
"#
    )
}

fn scored(about_each: &str) -> Lab {
    let answers = ["Paris", "Rome", "Bern"];
    let lines = answers.map(|text| format!("{{\"doc_id\": \"{text}\", \"text\": \"{text}\"}}\n"));
    Lab::new()
        .spec(SCORED)
        .file("answers.jsonl", lines.concat())
        .file("score.sh", program(about_each))
        .file("tribunal.local.toml", local("kinds = \"scorer\"\nrows = 1"))
}

/// What a program does that hangs and has said whose child it is.
const HANGS: &str = "echo $PPID > pid; mv pid hung; exec tail -f /dev/null";

fn spawn(lab: &Lab, cluster: &Cluster) -> Child {
    let mut command = command(lab, cluster, &[]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// The job whose program hangs.
fn begun(lab: &Lab) -> Pid {
    until("the stage was begun", || lab.path("hung").exists());
    Pid::from_raw(lab.read("hung").trim().parse().unwrap())
}

#[test]
fn a_stage_that_takes_longer_than_a_job_may_run_ends_the_run_and_says_so() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let lab = scored(HANGS);
    let run = spawn(&lab, &cluster);
    // As the scheduler ends a job whose time is up: it is told before, and may finish.
    for _ in 0..2 {
        let job = begun(&lab);
        fs_err::remove_file(lab.path("hung")).unwrap();
        kill(job, Signal::SIGUSR1).unwrap();
        until("the job knows", || {
            let says = |path: &PathBuf| fs_err::read_to_string(path).unwrap_or_default();
            let notes = lab.files("cache/v1/jobs");
            notes.iter().any(|path| says(path).contains("\"draining\""))
        });
        kill(job, Signal::SIGTERM).unwrap();
    }
    let ran = lab.came_to(run.wait_with_output().unwrap(), &[]).exit(4);
    let why =
        "its jobs end without a single result: its time was up before `scorer.exact` was computed";
    assert!(ran.err.contains(why), "{}", ran.err);
}

#[test]
fn a_stage_is_computed_by_another_job_when_its_own_dies() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    // The program hangs when it is started for the first time.
    let lab = scored(&format!("[ -e hung ] || {{ {HANGS}; }}"));
    let run = spawn(&lab, &cluster);
    kill(begun(&lab), Signal::SIGKILL).unwrap();
    let second = lab.came_to(run.wait_with_output().unwrap(), &[]).ok();
    assert_eq!(second.tables, scored("").run(&[]).ok().tables);
    let said = &second.err;
    assert!(said.contains("of stages: "), "{said}");
    assert!(said.contains("1 stage was computed by 1 task"), "{said}");
}

#[test]
fn a_job_whose_input_was_damaged_says_so_and_the_next_run_makes_it_anew() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let lab = scored(&format!("[ -e hung ] || {{ {HANGS}; }}"));
    let run = spawn(&lab, &cluster);
    let job = begun(&lab);
    let [answers] = &lab.files("cache/v1/blobs")[..] else {
        panic!("{:?}", lab.files("cache/v1/blobs"));
    };
    let mut bytes = fs_err::read(answers).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs_err::write(answers, bytes).unwrap();
    kill(job, Signal::SIGKILL).unwrap();
    let first = lab.came_to(run.wait_with_output().unwrap(), &[]).exit(4);
    for said in [
        "was altered after it was written; its result is computed again",
        "a job cannot do that, but the next run does: run again",
    ] {
        assert!(first.err.contains(said), "{}", first.err);
    }
    let second = ran(&lab, &cluster, &[]).ok();
    assert_eq!(second.tables, scored("").run(&[]).ok().tables);
}

#[test]
fn a_stage_that_fails_at_a_job_fails_with_the_words_it_has_on_one_machine() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let told = |err: &str| {
        let lines = err
            .lines()
            .skip_while(|line| !line.contains("calls itself"));
        lines.take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    let other = |lab: &Lab| lab.change("version = \"exact 1\"", "version = \"exact 2\"");
    let (here, there) = (scored(""), scored(""));
    other(&here);
    other(&there);
    let alone = here.run(&[]).exit(4);
    let divided = ran(&there, &cluster, &[]).exit(4);
    assert_eq!(told(&alone.err).len(), 2, "{}", alone.err);
    assert_eq!(told(&divided.err), told(&alone.err), "{}", divided.err);

    // Of a stage that failed for one row the others stand, and the next run goes on with that one, at a job again.
    let dies = "case $text in Bern) exit 1;; esac";
    let lab = scored(dies);
    let alone = scored(dies).run(&[]).exit(4);
    let first = ran(&lab, &cluster, &[]).exit(4);
    assert_eq!(first.tables, alone.tables, "{}", first.err);
    lab.write("score.sh", program(""));
    let second = ran(&lab, &cluster, &[]).ok();
    assert_eq!(second.tables, scored("").run(&[]).ok().tables);
    let said = &second.err;
    assert!(said.contains("1 stage was computed by 1 task"), "{said}");
}
