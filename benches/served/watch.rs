//! A process whose memory is looked at while it runs.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What was seen.
pub(crate) struct Watched {
    /// Seconds from start to end.
    pub(crate) wall: f64,
    /// Most resident memory, in MB.
    pub(crate) peak: f64,
    /// Resident memory in MB, from start to end.
    resident: Vec<f64>,
}

impl Watched {
    /// Resident memory at so many moments, evenly apart.
    pub(crate) fn course(&self, moments: usize) -> String {
        let last = self.resident.len().saturating_sub(1);
        let at = |moment: usize| self.resident.get(last * moment / moments);
        let seen: Vec<String> = (1..=moments)
            .filter_map(|moment| Some(format!("{:.0}", at(moment)?)))
            .collect();
        seen.join(" ")
    }
}

/// Runs a program to its end, which must be a good one.
pub(crate) fn watch(program: &str, arguments: &[&str], folder: &Path) -> Watched {
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program can be started");
    let mut seen = Watched {
        wall: 0.0,
        peak: f64::NAN,
        resident: Vec::new(),
    };
    let ended = loop {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let megabytes = |field: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(field))?;
            let kilobytes = line.split_whitespace().next()?.parse::<f64>().ok()?;
            Some(kilobytes / 1024.0)
        };
        seen.resident.extend(megabytes("VmRSS:"));
        seen.peak = megabytes("VmHWM:").unwrap_or(seen.peak);
        if let Some(ended) = child.try_wait().expect("the program can be waited for") {
            break ended;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    seen.wall = started.elapsed().as_secs_f64();
    assert!(ended.success(), "{program} {arguments:?}");
    seen
}
