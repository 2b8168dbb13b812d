//! How tasks stand, case by case, and what follows.

use std::collections::BTreeSet;

use super::*;
use crate::cluster::crew::Crew;
use crate::cluster::note::Incarnation;

const SILENCE: Duration = Duration::from_secs(500);

fn row(state: &str, reason: &str, restarts: u32) -> Row {
    Row {
        array: 7,
        tasks: BTreeSet::from([0]),
        state: State::read(state),
        reason: reason.to_owned(),
        restarts,
        exit: None,
        nodes: "n1".to_owned(),
        name: "t".to_owned(),
    }
}

fn note(phase: Phase, restart: u32) -> Note {
    Note {
        of: Incarnation {
            array: "t".to_owned(),
            task: 0,
            restart,
        },
        beat: 1,
        phase,
        host: "n1".to_owned(),
        job: "7_0".to_owned(),
        crew: Crew::of_model("m"),
        stored: 0,
    }
}

fn stands(row: Option<&Row>, note: Option<&Note>, silent: Duration) -> Standing {
    standing(row, note, silent, &Profile::default())
}

fn waiting(reason: &str) -> Standing {
    Standing::Waiting(reason.to_owned())
}

fn dead(why: &str) -> Standing {
    Standing::Dead(why.to_owned())
}

#[test]
fn what_a_task_wrote_counts_more_than_its_state() {
    let failed = || Phase::Failed("no GPU".to_owned());
    let at = |state: &str, reason: &str, restart| Some(row(state, reason, restart));
    let wrote = |phase, restart| Some(note(phase, restart));
    let cases = [
        // (listed as, note, standing)
        (at("PENDING", "Resources", 0), None, waiting("Resources")),
        (at("RUNNING", "None", 0), None, Standing::Running),
        (at("COMPLETING", "None", 0), None, Standing::Running),
        (at("SOMETHING_NEW", "None", 0), None, Standing::Running),
        (
            at("FAILED", "NonZeroExitCode", 0),
            None,
            dead("ended before it could say why"),
        ),
        (
            at("RUNNING", "None", 0),
            wrote(Phase::Working, 0),
            Standing::Running,
        ),
        // It has said so, whatever the scheduler knows yet.
        (
            at("RUNNING", "None", 0),
            wrote(Phase::Finished, 0),
            Standing::Finished,
        ),
        (
            at("COMPLETED", "None", 0),
            wrote(Phase::Finished, 0),
            Standing::Finished,
        ),
        (
            at("FAILED", "NonZeroExitCode", 0),
            wrote(failed(), 0),
            dead("no GPU"),
        ),
        (None, wrote(failed(), 0), dead("no GPU")),
        (None, wrote(Phase::Finished, 0), Standing::Finished),
        // It said nothing more: killed, or out of time.
        (
            at("TIMEOUT", "TimeLimit", 0),
            wrote(Phase::Working, 0),
            dead("reached its time limit"),
        ),
        (
            at("NODE_FAIL", "NodeDown", 0),
            wrote(Phase::Working, 0),
            dead("lost its node"),
        ),
        (
            at("OUT_OF_MEMORY", "OutOfMemory", 0),
            wrote(Phase::Starting, 0),
            dead("ran out of memory"),
        ),
        (
            at("CANCELLED", "None", 0),
            wrote(Phase::Working, 0),
            dead("was cancelled"),
        ),
        (
            at("PREEMPTED", "None", 0),
            wrote(Phase::Working, 0),
            dead("was preempted"),
        ),
        // Started again: what the start before wrote says nothing.
        (
            at("PENDING", "BeginTime", 1),
            wrote(Phase::Working, 0),
            waiting("BeginTime"),
        ),
        (
            at("RUNNING", "None", 1),
            wrote(failed(), 0),
            Standing::Running,
        ),
        (
            at("PENDING", "BeginTime", 1),
            wrote(Phase::Requeued, 0),
            waiting("BeginTime"),
        ),
        (
            at("RUNNING", "None", 0),
            wrote(Phase::Requeued, 0),
            Standing::Running,
        ),
        (
            at("CANCELLED", "None", 0),
            wrote(Phase::Requeued, 0),
            dead("was cancelled"),
        ),
        // Not started again.
        (
            at("COMPLETED", "None", 0),
            wrote(Phase::Drained, 0),
            dead("was stopped"),
        ),
    ];
    for (row, note, expected) in cases {
        let told = format!("{row:?} {note:?}");
        assert_eq!(
            stands(row.as_ref(), note.as_ref(), Duration::ZERO),
            expected,
            "{told}"
        );
    }
}

#[test]
fn unknown_is_not_finished() {
    // Not listed: gone from the list, or the list was empty because the controller was down.
    assert_eq!(stands(None, None, Duration::ZERO), waiting(""));
    assert_eq!(
        stands(None, Some(&note(Phase::Working, 0)), Duration::ZERO),
        Standing::Running
    );
    assert_eq!(
        stands(None, Some(&note(Phase::Requeued, 0)), Duration::ZERO),
        Standing::Running
    );
    // And nothing heard of it for long, while the scheduler answers.
    let gone = dead("is no longer listed, and nothing is heard of it");
    assert_eq!(stands(None, None, SILENCE), gone);
    assert_eq!(stands(None, Some(&note(Phase::Working, 0)), SILENCE), gone);
    // What is listed may be silent for as long as it likes.
    assert_eq!(
        stands(Some(&row("PENDING", "Priority", 0)), None, SILENCE),
        waiting("Priority")
    );
    assert_eq!(
        stands(Some(&row("RUNNING", "None", 0)), None, SILENCE),
        Standing::Running
    );
}

#[test]
fn a_task_that_was_killed_may_have_lacked_memory() {
    let killed = Row {
        exit: Some(9),
        ..row("FAILED", "None", 0)
    };
    let Standing::Dead(why) = stands(Some(&killed), None, SILENCE) else {
        panic!("it is dead");
    };
    assert!(why.contains("`memory`"), "{why}");
}

#[test]
fn jobs_are_as_many_as_the_calls_are_worth_and_no_more_than_may_be() {
    let profile = Profile {
        tasks: 4,
        ..Profile::default()
    };
    let cases = [(0, 0), (1, 1), (100, 1), (101, 2), (399, 4), (1_000_000, 4)];
    for (missing, tasks) in cases {
        let going = Going {
            missing,
            each: 100,
            ..Going::default()
        };
        assert_eq!(worth(going, &profile), tasks, "{missing}");
    }
}

#[test]
fn a_task_that_was_made_to_stop_may_be_started_again_until_the_scheduler_has_ended_it() {
    let wrote = note(Phase::Stopped, 0);
    let after = |state| stands(Some(&row(state, "None", 0)), Some(&wrote), Duration::ZERO);
    assert!(after("RUNNING").is_alive());
    assert_eq!(after("CANCELLED"), Standing::Dead("was stopped".to_owned()));
    let unlisted = |silent| stands(None, Some(&wrote), silent);
    assert!(unlisted(Duration::ZERO).is_alive());
    assert!(!unlisted(SILENCE).is_alive());
    // So may one that drained: others are to have its node, and the scheduler starts it again by itself.
    let drained = note(Phase::Drained, 0);
    let pending = row("PENDING", "BeginTime", 0);
    assert!(stands(Some(&pending), Some(&drained), Duration::ZERO).is_alive());
    assert!(!stands(None, Some(&drained), Duration::ZERO).is_alive());
}

#[test]
fn those_that_die_are_replaced_while_others_get_on_and_given_up_when_none_does() {
    let profile = Profile {
        tasks: 4,
        ..Profile::default()
    };
    let going = |missing, alive, barren, progress| Going {
        missing,
        each: 100,
        alive,
        barren,
        progress,
        rested: true,
        grown: false,
    };
    let cases = [
        (going(0, 0, 0, false), Decision::Wait),
        (going(1000, 0, 0, false), Decision::Submit(4)),
        (going(1000, 4, 1, false), Decision::Wait),
        // One died: the others have shown that it is worth another try, or not yet.
        (going(1000, 3, 1, false), Decision::Wait),
        (going(1000, 3, 0, true), Decision::Submit(1)),
        (going(150, 2, 0, true), Decision::Wait),
        // All died.
        (going(1000, 0, 1, false), Decision::Submit(4)),
        (going(1000, 0, 2, false), Decision::GiveUp),
        (going(50, 0, 0, true), Decision::Submit(1)),
    ];
    for (going, expected) in cases {
        assert_eq!(decide(going, &profile), expected, "{going:?}");
    }
    // A node that ends every job, or a server that dies after some replies, is not given jobs one after the other.
    for alive in [0, 3] {
        let going = Going {
            rested: false,
            ..going(1000, alive, 0, true)
        };
        assert_eq!(decide(going, &profile), Decision::Wait, "{going:?}");
    }
    // What is wanted beside what jobs are busy with gets jobs of its own at once.
    for (alive, tasks) in [(0, 4), (1, 3)] {
        let going = Going {
            rested: false,
            grown: true,
            ..going(1000, alive, 0, false)
        };
        assert_eq!(
            decide(going, &profile),
            Decision::Submit(tasks),
            "{going:?}"
        );
    }
    let rests: Vec<u64> = [0, 1, 2, 3, 9, u32::MAX]
        .map(|times| rest(times).as_secs())
        .into();
    assert_eq!(rests, [10, 20, 40, 80, 300, 300]);
}
