//! A cluster as its user describes it: where jobs go, how long they run, how a model is served beside them.
//!
//! Nothing of it is in a key.

use std::collections::BTreeSet;
use std::time::Duration;

/// What is the same for all jobs.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The partition.
    pub partition: Option<String>,
    /// Who pays.
    pub account: Option<String>,
    /// The quality of service.
    pub qos: Option<String>,
    /// What nodes must have.
    pub constraint: Option<String>,
    /// How long a job may run, as `sbatch --time` takes it.
    pub time: String,
    /// GPUs of a job, such as `2` or `a100:2`, where the model says nothing else.
    pub gpus: Option<String>,
    /// Processors of a job.
    pub cpus: Option<u32>,
    /// Memory of a job, such as `32G`.
    pub memory: Option<String>,
    /// How many jobs of one crew may run at once.
    pub tasks: u32,
    /// How many of all tasks of an array may run at once, where a site wants that bounded.
    pub at_once: Option<u32>,
    /// The longest array, where it is shorter than the scheduler takes.
    pub array_limit: Option<u32>,
    /// How many calls are worth a job.
    pub calls: u64,
    /// Lines of the job before the worker begins, such as `module load cuda`.
    pub preamble: Vec<String>,
    /// Further arguments of `sbatch`.
    pub options: Vec<String>,
    /// How long before its end a job stops taking calls.
    pub drain: Duration,
    /// How long nothing is heard of a job before others take over its calls.
    pub lost_after: Duration,
    /// How long a job waits for calls before it ends.
    pub idle: Duration,
    /// The program on the nodes, where it is another than here.
    pub program: Option<String>,
    /// Which stages that call no model are computed by jobs, if any are.
    pub stages: Option<Stages>,
}

/// Stages that are computed by jobs of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stages {
    /// The names of their kinds.
    pub kinds: BTreeSet<String>,
    /// Those that read fewer rows are computed by the run itself.
    pub rows: u64,
    /// What such a job needs.
    pub needs: Needs,
}

impl Stages {
    /// Whether stages of this kind are among them.
    pub fn has(&self, kind: &str) -> bool {
        self.kinds.contains(kind)
    }
}

/// What a job needs, where it is other than the profile says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The partition.
    pub partition: Option<String>,
    /// How long it may run, as `sbatch --time` takes it.
    pub time: Option<String>,
    /// GPUs.
    pub gpus: Option<String>,
    /// Processors.
    pub cpus: Option<u32>,
    /// Memory.
    pub memory: Option<String>,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            partition: None,
            account: None,
            qos: None,
            constraint: None,
            time: "01:00:00".to_owned(),
            gpus: None,
            cpus: None,
            memory: None,
            tasks: 4,
            at_once: None,
            array_limit: None,
            calls: 200,
            preamble: Vec::new(),
            options: Vec::new(),
            drain: Duration::from_mins(2),
            lost_after: Duration::from_mins(2),
            idle: Duration::from_mins(1),
            program: None,
            stages: None,
        }
    }
}

/// How a model is served beside a job.
#[derive(Clone, Debug, PartialEq)]
pub struct Serve {
    /// The command, for a shell; `{port}` stands for the port that it is to listen at.
    pub command: String,
    /// The path that answers with 200 once it is ready.
    pub health: String,
    /// What its job needs.
    pub needs: Needs,
    /// How long it may take to be ready.
    pub ready_within: Duration,
}

/// How long a server may take to be ready by default: weights of a large model come over a network.
pub const READY_WITHIN: Duration = Duration::from_mins(20);

/// A time limit as `sbatch` takes it, in seconds: minutes, `h:m:s`, `d-h`, `d-h:m`, `d-h:m:s`, `m:s`.
pub fn seconds(time: &str) -> Option<u64> {
    let number = |text: &str| -> Option<u64> {
        let plain = !text.is_empty() && text.len() <= 6 && text.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| text.parse().ok()).flatten()
    };
    let (days, rest) = match time.split_once('-') {
        Some((days, rest)) => (Some(number(days)?), rest),
        None => (None, time),
    };
    let parts: Vec<u64> = rest.split(':').map(number).collect::<Option<_>>()?;
    let total = match (days, parts[..].len(), &parts[..]) {
        (None, 1, [minutes]) => minutes * 60,
        (None, 2, [minutes, seconds]) => minutes * 60 + seconds,
        (_, 3, [hours, minutes, seconds]) => hours * 3600 + minutes * 60 + seconds,
        (Some(_), 1, [hours]) => hours * 3600,
        (Some(_), 2, [hours, minutes]) => hours * 3600 + minutes * 60,
        _ => return None,
    };
    let total = total + days.unwrap_or(0) * 86_400;
    (total > 0).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_limits_are_read_in_every_form_that_sbatch_takes() {
        let cases = [
            ("90", Some(5400)),
            ("1:30", Some(90)),
            ("2:00:00", Some(7200)),
            ("1-12", Some(129_600)),
            ("1-0:30", Some(88_200)),
            ("1-00:00:01", Some(86_401)),
            ("0", None),
            ("", None),
            ("two hours", None),
            ("1:2:3:4", None),
            ("-5", None),
        ];
        for (written, expected) in cases {
            assert_eq!(seconds(written), expected, "{written}");
        }
    }
}
