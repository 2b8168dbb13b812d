//! Runs where everything goes wrong that does on clusters.

use std::process::{Child, Stdio};
use std::time::Duration;

use super::cluster::Cluster;
use super::shim::{Shims, until};
use super::{QUICK, Servers, command, forward, lab, local, ran, undisturbed};
use crate::chat::ChatServer;
use crate::lab::Lab;

/// Calls that a task has in flight: the models' `concurrency`.
const AT_ONCE: usize = 4;

/// Servers that take their time, so that there is some in which things can go wrong.
fn slow(latency: Duration) -> Servers {
    let start = || ChatServer::setup().latency(latency).start();
    Servers {
        small: start(),
        large: start(),
    }
}

/// A key that nobody may keep.
const SECRET: &str = "sk-5e1f-never-to-be-written-down";

fn on_cluster(lab: Lab, slurm: &str, servers: &Servers) -> Lab {
    let small = forward::command(&servers.small.url());
    let large = forward::command(&servers.large.url());
    lab.file("tribunal.local.toml", local(slurm, &small, &large))
}

fn spawn(mut command: std::process::Command) -> Child {
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn signal(child: &Child, signal: nix::sys::signal::Signal) {
    let pid = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
    nix::sys::signal::kill(pid, signal).unwrap();
}

#[test]
fn nodes_jobs_scheduler_and_the_run_itself_may_fail_and_the_tables_are_the_same() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let texts = 150;
    let servers = slow(Duration::from_secs(3));
    // Jobs last a minute, and drain in the last seconds of it: none can do all.
    let slurm = QUICK.replace("time = \"10\"", "time = \"1\"\ndrain = 20");
    let lab = on_cluster(lab(texts), &slurm, &servers);
    let shims = Shims::new();
    shims.break_squeue();
    let start = || {
        let mut command = command(&lab, &cluster, &[]);
        command.env("PATH", shims.search_path());
        command
    };

    // The run is killed while calls are in flight; nobody tells the jobs.
    let mut first = spawn(start());
    until("calls", || servers.count() >= 20);
    first.kill().unwrap();
    first.wait().unwrap();
    // A node loses power.
    cluster.fail("n3");
    // The run comes back while the scheduler does not answer, and finds its jobs.
    let second = spawn(start());
    until("a question in vain", || !shims.calls("squeue").is_empty());
    shims.mend();
    // Somebody more important needs a node.
    cluster.ask(
        "sbatch",
        &[
            "--partition=urgent",
            "--nodelist=n2",
            "--cpus-per-task=2",
            "--output=/dev/null",
            "--wrap=sleep 2",
        ],
    );
    let output = second.wait_with_output().unwrap();
    let second = lab.came_to(output, &[]).ok();

    assert_eq!(second.tables, undisturbed(texts), "{}", second.err);
    let [small, large] = servers.asked();
    assert_eq!((small.len(), large.len()), (texts, texts));
    // Once, and again what was in flight on the two nodes, of two tasks each.
    let again = servers.count() - 2 * texts;
    assert!(
        again <= 2 * 2 * AT_ONCE,
        "{again} calls were made again\n{}",
        second.err
    );
    let said = &second.err;
    assert!(
        said.contains("going on with the jobs that this run has already"),
        "{said}"
    );
    assert!(said.contains("the scheduler does not answer"), "{said}");
    assert!(said.contains("the scheduler answers again"), "{said}");
    assert!(said.contains("is started again"), "{said}");
    // One job is not submitted twice.
    assert_eq!(said.matches("3 tasks for").count(), 0, "{said}");
    let asked: Vec<u64> = shims
        .calls("squeue")
        .into_iter()
        .map(|(at, _)| at)
        .collect();
    assert!(
        asked.windows(2).all(|two| two[1] - two[0] >= 10_000),
        "{asked:?}"
    );
}

#[test]
fn a_server_that_never_gets_ready_ends_its_model_and_no_other() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let texts = 30;
    let servers = Servers::start();
    let well = forward::command(&servers.small.url());
    let large = forward::command(&servers.large.url());
    let broken = local(QUICK, "sleep 600 # {port}", &large);
    let broken = broken.replace("command = '''sleep", "ready-within = 1\ncommand = '''sleep");
    let lab = lab(texts).file("tribunal.local.toml", broken);
    let first = ran(&lab, &cluster, &["--keep-going"]).exit(4);
    let why = "its server does not answer 200 at `/v1/models` within 1 s";
    assert!(first.err.contains(why), "{}", first.err);
    assert!(
        first.err.contains("what jobs printed is in"),
        "{}",
        first.err
    );
    assert_eq!(servers.large.count(), texts, "{}", first.err);
    assert_eq!(
        cluster.ask("squeue", &["--noheader", "--states=PENDING,RUNNING"]),
        ""
    );

    lab.write("tribunal.local.toml", local(QUICK, &well, &large));
    let second = ran(&lab, &cluster, &[]).ok();
    assert_eq!(second.tables, undisturbed(texts));
    assert_eq!(servers.count(), 2 * texts);
}

#[test]
fn ctrl_c_detaches_and_jobs_can_be_listed_cancelled_and_had_anew() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let texts = 40;
    let servers = slow(Duration::from_secs(1));
    let lab = on_cluster(lab(texts), QUICK, &servers);
    let run = spawn(command(&lab, &cluster, &[]));
    until("calls", || servers.count() >= 8);
    signal(&run, nix::sys::signal::Signal::SIGINT);
    let output = run.wait_with_output().unwrap();
    let run = lab.came_to(output, &[]).exit(130);
    assert!(
        run.err
            .contains("To return: `tribunal run experiment.toml --on slurm`"),
        "{}",
        run.err
    );
    let slurm = |arguments: &[&str]| {
        let mut command = lab.exactly(arguments);
        command.env("SLURM_CONF", cluster.conf());
        let output = command.output().unwrap();
        lab.came_to(output, &[]).ok()
    };
    let listed = slurm(&["jobs"]).out;
    assert!(
        listed.contains("to return: tribunal run experiment.toml --on slurm"),
        "{listed}"
    );
    assert!(
        listed.contains("tasks for `small`") && listed.contains("tasks for `large`"),
        "{listed}"
    );
    assert!(listed.contains("working"), "{listed}");
    // A change of the spec would not be what these jobs work for.
    lab.append("# changed");
    let refused = ran(&lab, &cluster, &[]).exit(2);
    assert!(
        refused.err.contains("an earlier state of this spec"),
        "{}",
        refused.err
    );
    slurm(&["jobs", "--cancel"]);
    until("an end", || {
        cluster.ask("squeue", &["--noheader"]).is_empty()
    });
    assert!(slurm(&["jobs"]).out.contains("no jobs"));
    let last = ran(&lab, &cluster, &[]).ok();
    assert_eq!(last.tables, undisturbed(texts));
    assert!(
        servers.count() <= 2 * texts + 6 * AT_ONCE,
        "{}",
        servers.count()
    );
}

#[test]
fn jobs_that_are_cancelled_under_a_run_end_it_at_once_with_the_reason() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let texts = 40;
    let servers = slow(Duration::from_secs(1));
    let lab = on_cluster(lab(texts), QUICK, &servers);
    let run = spawn(command(&lab, &cluster, &[]));
    until("calls", || servers.count() >= 8);
    let mut cancel = lab.exactly(&["jobs", "--cancel"]);
    cancel.env("SLURM_CONF", cluster.conf());
    let told = lab.came_to(cancel.output().unwrap(), &[]).ok();
    assert!(told.out.contains("told to end"), "{}", told.out);
    let output = run.wait_with_output().unwrap();
    let run = lab.came_to(output, &[]).exit(4);
    assert!(run.err.contains("its jobs were cancelled"), "{}", run.err);
    let submitted = run.err.matches(": job ").count();
    assert_eq!(submitted, 2, "{}", run.err);
    let last = ran(&lab, &cluster, &[]).ok();
    assert_eq!(last.tables, undisturbed(texts));
}

#[test]
fn jobs_that_the_scheduler_refuses_for_good_are_submitted_once() {
    let lab = lab(2);
    lab.write(
        "tribunal.local.toml",
        local(
            "time = \"10\"\npartition = \"none\"",
            "serve {port}",
            "serve {port}",
        ),
    );
    let shims = Shims::new();
    shims.program("scontrol", "echo 'MaxArraySize = 100'");
    shims.program("squeue", "");
    shims.program(
        "sbatch",
        "echo 'sbatch: error: invalid partition specified: none' >&2; exit 1",
    );
    let mut command = lab.command(&["run", "--on", "slurm"]);
    command.env("PATH", shims.search_path());
    let ran = lab.came_to(command.output().unwrap(), &[]).exit(4);
    assert!(
        ran.err
            .contains("its jobs are refused: sbatch: error: invalid partition specified: none"),
        "{}",
        ran.err
    );
    assert_eq!(
        shims.calls("sbatch").len(),
        2,
        "once for each model: {}",
        ran.err
    );
}

#[test]
fn a_thousand_tasks_are_ten_arrays_where_arrays_are_short_and_none_is_submitted_twice() {
    let lab = lab(1000);
    let slurm = "tasks = 1000\ncalls = 1\nat-once = 40";
    lab.write(
        "tribunal.local.toml",
        local(slurm, "serve {port}", "serve {port}"),
    );
    let shims = Shims::new();
    shims.program(
        "scontrol",
        "echo 'MaxArraySize            = 100'; echo 'MaxJobCount = 5000'",
    );
    // The second is accepted, and its answer lost.
    shims.program(
        "sbatch",
        "n=$(wc -l <\"$here/sbatch.log\")\nif [ \"$n\" = 2 ]; then echo 'sbatch: error: Socket timed out on send/recv operation' >&2; exit 1; fi\nenv >\"$here/env\"\necho \"10$n\"",
    );
    shims.program(
        "squeue",
        "n=0\nwhile read -r line; do n=$((n + 1)); name=$(grep -o 'job-name=[^ ]*' <<<\"$line\"); echo \"10$n|0-99|10$n|PENDING|Priority|0|0||${name#job-name=}|\"; done <\"$here/sbatch.log\"",
    );
    let sets = [
        "axes.model.values=[\"small\"]",
        "models.small.api-key-env=A_KEY_OF_THE_TEST",
    ];
    let mut command = lab.command(&["run", "--on", "slurm", "--set", sets[0], "--set", sets[1]]);
    command
        .env("PATH", shims.search_path())
        .env("A_KEY_OF_THE_TEST", SECRET)
        .env("SBATCH_PARTITION", "elsewhere")
        .env("SLURM_CONF", "/nowhere/slurm.conf");
    let run = spawn(command);
    until("ten arrays", || shims.calls("sbatch").len() >= 10);
    signal(&run, nix::sys::signal::Signal::SIGINT);
    let output = run.wait_with_output().unwrap();
    let run = lab.came_to(output, &[]).exit(130);
    let submitted: Vec<String> = shims
        .calls("sbatch")
        .into_iter()
        .map(|(_, words)| words)
        .collect();
    assert_eq!(submitted.len(), 10, "{}", run.err);
    assert!(
        submitted
            .iter()
            .all(|words| words.contains("--array=0-99%40")),
        "{submitted:?}"
    );
    assert!(
        submitted.iter().all(|words| !words.contains("--export")),
        "{submitted:?}"
    );
    let names = submitted
        .iter()
        .filter_map(|words| words.split("--job-name=").nth(1)?.split(' ').next());
    let names: std::collections::BTreeSet<&str> = names.collect();
    assert_eq!(names.len(), 10, "{names:?}");
    let asked = shims.calls("squeue");
    assert!(
        asked.windows(2).all(|two| two[1].0 - two[0].0 >= 10_000),
        "{asked:?}"
    );
    // The scheduler keeps the environment of jobs, and the folder is for all to read.
    let env = fs_err::read_to_string(shims.path("env")).unwrap();
    assert!(env.contains("SLURM_CONF=/nowhere/slurm.conf"), "{env}");
    assert!(
        !env.contains(SECRET) && !env.contains("SBATCH_PARTITION"),
        "{env}"
    );
    let files = lab.files("cache/v1/jobs");
    assert!(files.len() > 20, "{files:?}");
    for file in files {
        let text = fs_err::read_to_string(&file).unwrap();
        assert!(!text.contains(SECRET), "{}", file.display());
    }
}
