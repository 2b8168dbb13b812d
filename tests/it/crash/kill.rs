//! kill -9 at any moment: the next run goes on from what was stored.

use std::time::{Duration, Instant};

use super::project::{AT_ONCE, Project};
use crate::cache::Dice;

/// Kills per test.
const KILLS: u32 = 50;

/// What a round forgets before its run, so that kills hit every part of one.
#[derive(Clone, Copy)]
enum Start {
    /// Everything: sources are read, calls made, results stored, tables written.
    Nothing,
    /// Results of stages: the calls are known.
    Calls,
    /// Only the tables.
    Results,
}

impl Start {
    fn prepare(self, project: &Project) {
        let forgotten: &[&str] = match self {
            Self::Nothing => &["cache"],
            Self::Calls => &["cache/v1/nodes", "cache/v1/blobs"],
            Self::Results => &[],
        };
        for name in forgotten.iter().chain(&["reports", "asked.log"]) {
            project.forget(name);
        }
    }
}

/// Kills runs that begin as `starts` say, in turn, at moments drawn from `seed`.
fn kill_runs(starts: &[Start], seed: u64) {
    let project = Project::new(6, Duration::from_millis(3));
    project.run_well();
    let (tables, asked) = (project.tables(), project.asked());
    assert_eq!(tables.len(), 14);
    let lengths: Vec<Duration> = starts
        .iter()
        .map(|start| {
            start.prepare(&project);
            let began = Instant::now();
            project.run_well();
            began.elapsed()
        })
        .collect();
    assert_eq!(project.tables(), tables);
    let mut dice = Dice(seed);
    let mut hit = 0;
    let rounds = starts.iter().zip(&lengths).cycle().zip(1..=KILLS);
    for ((start, length), round) in rounds {
        start.prepare(&project);
        let mut process = project.start();
        // A little longer than a run takes, so that its very end is hit too.
        let moment = dice.roll(length.as_micros() as u64 * 11 / 10 + 1);
        std::thread::sleep(Duration::from_micros(moment));
        process.kill().unwrap();
        hit += u32::from(!process.wait().unwrap().success());
        // Whatever stands under a table's name is the whole table.
        for (name, digest) in project.tables() {
            if let Some(whole) = tables.get(&name) {
                assert_eq!(digest, *whole, "round {round}: `{}`", name.display());
            }
        }
        // So does under the page's, whose last line says what it is.
        if let Ok(page) = fs_err::read_to_string(project.path("reports/spec/index.html")) {
            let last = page.lines().last().unwrap_or_default();
            assert!(
                last.starts_with("<!-- tribunal: made from"),
                "round {round}: {last}"
            );
        }
        project.run_well();
        assert_eq!(project.tables(), tables, "round {round}");
        let again = project.asked();
        match start {
            Start::Nothing => {
                let twice: usize = again.iter().map(|(q, times)| times - asked[q]).sum();
                assert!(twice <= AT_ONCE, "round {round}: {twice} asked twice");
                assert_eq!(again.len(), asked.len(), "round {round}");
            }
            Start::Calls | Start::Results => assert!(again.is_empty(), "round {round}"),
        }
    }
    assert!(hit > KILLS / 3, "only {hit} kills met a running process");
}

#[test]
fn fifty_kills_of_whole_runs_change_no_table_and_ask_nothing_twice() {
    kill_runs(&[Start::Nothing], 0x2001);
}

#[test]
fn fifty_kills_while_results_and_tables_are_stored_ask_nothing_at_all() {
    kill_runs(&[Start::Calls, Start::Results], 0x2002);
}

#[test]
fn a_cache_that_a_killed_process_left_locked_is_usable_at_once() {
    let project = Project::new(2, Duration::from_millis(100));
    let mut process = project.start();
    // Now it holds the locks of several nodes and calls.
    project.wait_for_questions(&mut process, AT_ONCE);
    process.kill().unwrap();
    process.wait().unwrap();
    // A lock that outlived its process would keep this run waiting for ever.
    project.run_well();
    let undisturbed = Project::new(2, Duration::ZERO);
    undisturbed.run_well();
    assert_eq!(project.tables(), undisturbed.tables());
}
