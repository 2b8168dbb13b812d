//! What Slurm is asked, as arguments, and what it says, as text.
//!
//! Text, because `squeue --json` ignores filters in some versions, and prints an empty list where the controller is down.
//! What is not understood is unknown, and unknown is never "finished". Pure.

use std::collections::BTreeSet;

use super::profile::{Needs, Profile};

/// What `squeue` is asked for all jobs of one user.
pub const POLL: [&str; 7] = [
    "--me",
    "--noheader",
    "--array",
    "--states=all",
    "-O",
    "ArrayJobID:|,ArrayTaskID:|,JobID:|,State:|,Reason:|,RestartCnt:|,exit_code:|,NodeList:|,Name:|",
    "--noconvert",
];

/// How a task stands, as the scheduler says. That is a hint: what counts is what the task has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It waits.
    Pending,
    /// It runs.
    Running,
    /// It ended, in the scheduler's word.
    Ended(String),
    /// Anything else, in the scheduler's word: not ended.
    Other(String),
}

/// The states after which nothing comes. `COMPLETING` is none of them, and names nobody knows are not either.
const TERMINAL: [&str; 9] = [
    "COMPLETED",
    "FAILED",
    "CANCELLED",
    "TIMEOUT",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "PREEMPTED",
    "BOOT_FAIL",
    "DEADLINE",
];

impl State {
    /// A state as `squeue` writes it.
    pub fn read(word: &str) -> Self {
        let first = word.split([' ', '+']).next().unwrap_or_default();
        match first {
            "PENDING" => Self::Pending,
            "RUNNING" => Self::Running,
            ended if TERMINAL.contains(&ended) => Self::Ended(ended.to_owned()),
            other => Self::Other(other.to_owned()),
        }
    }
}

/// A line of `squeue`: one task, or several that wait together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The array that it belongs to; with the task, the only name that stays.
    pub array: u64,
    /// The tasks.
    pub tasks: BTreeSet<u32>,
    /// How they stand.
    pub state: State,
    /// Why, in the scheduler's word.
    pub reason: String,
    /// How often they were started again.
    pub restarts: u32,
    /// The raw wait status.
    pub exit: Option<i64>,
    /// Where they run.
    pub nodes: String,
    /// The job's name, by which it is found again.
    pub name: String,
}

/// The longest array that any site allows; what is beyond is no number of a task.
const MOST: u32 = 4_000_001;

/// What `squeue` said: the lines that were understood, and how many were not.
pub fn queue(text: &str) -> (Vec<Row>, usize) {
    let mut rows = Vec::new();
    let mut strange = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match row(line) {
            Some(row) => rows.push(row),
            None => strange += 1,
        }
    }
    (rows, strange)
}

fn row(line: &str) -> Option<Row> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [
        array,
        tasks,
        _,
        state,
        reason,
        restarts,
        exit,
        nodes,
        name,
        ..,
    ] = fields[..]
    else {
        return None;
    };
    Some(Row {
        array: array.parse().ok()?,
        tasks: self::tasks(tasks)?,
        state: State::read(state),
        reason: reason.to_owned(),
        restarts: restarts.parse().unwrap_or(0),
        exit: exit.parse().ok(),
        nodes: nodes.to_owned(),
        name: name.to_owned(),
    })
}

/// Numbers of tasks, as in `7`, `0-3,8`, `1-9:2` or `4-7%2`; a job that is no array has none.
pub fn tasks(text: &str) -> Option<BTreeSet<u32>> {
    if text == "N/A" || text.is_empty() {
        return Some(BTreeSet::new());
    }
    let list = text.split('%').next()?;
    let mut found = BTreeSet::new();
    for part in list.split(',') {
        let (range, step) = match part.split_once(':') {
            Some((range, step)) => (range, step.parse().ok().filter(|&step: &u32| step > 0)?),
            None => (part, 1),
        };
        let (first, last) = match range.split_once('-') {
            Some((first, last)) => (first.parse().ok()?, last.parse().ok()?),
            None => {
                let one: u32 = range.parse().ok()?;
                (one, one)
            }
        };
        if first > last || last > MOST {
            return None;
        }
        found.extend((first..=last).step_by(step as usize));
    }
    Some(found)
}

/// The id of a job from what `sbatch --parsable` prints: `ID` or `ID;CLUSTER`.
pub fn submitted(stdout: &str) -> Option<u64> {
    let last = stdout.lines().rfind(|line| !line.trim().is_empty())?;
    last.trim().split(';').next()?.parse().ok()
}

/// What bounds arrays, from `scontrol show config`: an index is below the first, all tasks together are no more than the
/// second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// `MaxArraySize`.
    pub array: u32,
    /// `MaxJobCount`.
    pub jobs: u32,
}

/// Arrays are no longer than this, whatever a scheduler takes: each start costs it a cycle.
const LONGEST: u32 = 1000;

impl Default for Bounds {
    /// What Slurm has where nobody sets anything.
    fn default() -> Self {
        Self {
            array: 1001,
            jobs: 10_000,
        }
    }
}

/// The bounds in the text of `scontrol show config`; those that are not there are Slurm's own.
pub fn bounds(config: &str) -> Bounds {
    let value = |key: &str| -> Option<u32> {
        config.lines().find_map(|line| {
            let (name, value) = line.split_once('=')?;
            (name.trim() == key).then(|| value.trim().parse().ok())?
        })
    };
    let usual = Bounds::default();
    Bounds {
        array: value("MaxArraySize").unwrap_or(usual.array),
        jobs: value("MaxJobCount").unwrap_or(usual.jobs),
    }
}

/// Tasks in arrays, as few as can be, each no longer than is allowed. An array of indices `0..n` needs `MaxArraySize > n - 1`.
pub fn arrays(tasks: u32, bounds: Bounds, limit: Option<u32>) -> Vec<u32> {
    let longest = bounds
        .array
        .min(LONGEST)
        .min(limit.unwrap_or(LONGEST))
        .max(1);
    let mut left = tasks.min(bounds.jobs);
    let mut arrays = Vec::new();
    while left > 0 {
        let next = left.min(longest);
        arrays.push(next);
        left -= next;
    }
    arrays
}

/// The arguments of `sbatch` for an array of so many tasks.
pub fn sbatch(
    profile: &Profile,
    needs: &Needs,
    token: &str,
    tasks: u32,
    script: &str,
) -> Vec<String> {
    let throttle = profile.at_once.unwrap_or(tasks).min(tasks).max(1);
    let mut words = vec![
        "--parsable".to_owned(),
        format!("--array=0-{}%{throttle}", tasks.saturating_sub(1)),
        format!("--job-name={token}"),
        format!("--comment={token}"),
        "--requeue".to_owned(),
        "--open-mode=append".to_owned(),
        // The script says where output goes: in a name that is given here `%` and `\` mean something else.
        "--output=/dev/null".to_owned(),
        format!("--time={}", needs.time.as_ref().unwrap_or(&profile.time)),
        format!("--signal=B:USR1@{}", profile.drain.as_secs().max(1)),
    ];
    let mut add = |name: &str, value: Option<&String>| {
        words.extend(value.map(|value| format!("--{name}={value}")));
    };
    add(
        "partition",
        needs.partition.as_ref().or(profile.partition.as_ref()),
    );
    add("account", profile.account.as_ref());
    add("qos", profile.qos.as_ref());
    add("constraint", profile.constraint.as_ref());
    add("mem", needs.memory.as_ref().or(profile.memory.as_ref()));
    let gpus = needs.gpus.as_ref().or(profile.gpus.as_ref());
    let gres = gpus
        .filter(|gpus| *gpus != "0")
        .map(|gpus| format!("gpu:{gpus}"));
    add("gres", gres.as_ref());
    let cpus = needs.cpus.or(profile.cpus).map(|cpus| cpus.to_string());
    add("cpus-per-task", cpus.as_ref());
    words.extend(profile.options.iter().cloned());
    words.push(script.to_owned());
    words
}

/// What ends the jobs of an array: by its name, since an id may be of another job by now, or of one that was never ours; and an
/// id that the scheduler has forgotten is an error.
pub fn scancel(token: &str) -> Vec<String> {
    vec!["--me".to_owned(), format!("--name={token}")]
}

/// Whether a variable changes what Slurm's commands do by default.
pub fn is_of_slurm(variable: &str) -> bool {
    let prefixes = [
        "SBATCH_", "SQUEUE_", "SLURM_", "SCANCEL_", "SACCT_", "SRUN_",
    ];
    variable != "SLURM_CONF" && prefixes.iter().any(|prefix| variable.starts_with(prefix))
}

/// What to do about a job that waits, where waiting alone will not help.
pub fn advice(reason: &str) -> Option<&'static str> {
    Some(match reason {
        "PartitionTimeLimit" => "`time` is longer than the partition allows",
        "PartitionNodeLimit" | "PartitionConfig" => {
            "the partition has no nodes for this many GPUs, processors or this much memory"
        }
        "QOSMaxWallDurationPerJobLimit" => "`time` is longer than the QOS allows",
        "AssocGrpBillingMinutes" | "AssocGrpCPUMinutesLimit" | "AssocGrpGRESMinutes" => {
            "the account has used up its hours"
        }
        "DependencyNeverSatisfied" => "it waits for a job that failed",
        "InvalidAccount" => "there is no such `account`, or you may not use it",
        "InvalidQOS" => "there is no such `qos`, or you may not use it",
        "JobHeldUser" | "JobHeldAdmin" => "it is held: `scontrol release` lets it go",
        "launch failed requeued held" | "job requeued in held state" => {
            "it could not be started and is held: `scontrol release` lets it go"
        }
        "BadConstraints" => "no node has what `constraint` or `gpus` ask for",
        _ if reason.starts_with("ReqNodeNotAvail") => "the nodes it needs are down or reserved",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
