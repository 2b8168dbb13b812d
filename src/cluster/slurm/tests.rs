//! What Slurm prints, as it was seen and as it never should be.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

const SEEN: &str = "\
117|3-5%4|117|PENDING|Resources|0|0||tribunal-ab-0|
117|0|118|RUNNING|None|0|0|n1|tribunal-ab-0|
117|1|119|COMPLETING|None|1|0|n2|tribunal-ab-0|
117|2|120|FAILED|NonZeroExitCode|0|768|n3|tribunal-ab-0|
98|N/A|98|TIMEOUT|TimeLimit|0|15|n3|something else|
";

fn numbers(range: std::ops::RangeInclusive<u32>) -> BTreeSet<u32> {
    range.collect()
}

#[test]
fn what_squeue_lists_is_read_line_by_line() {
    let (rows, strange) = queue(SEEN);
    assert_eq!(strange, 0);
    assert_eq!(rows.len(), 5);
    assert_eq!((rows[0].array, &rows[0].tasks), (117, &numbers(3..=5)));
    assert_eq!(
        (&rows[0].state, rows[0].reason.as_str()),
        (&State::Pending, "Resources")
    );
    assert_eq!(
        (rows[1].tasks.clone(), rows[1].nodes.as_str()),
        (numbers(0..=0), "n1")
    );
    assert_eq!(rows[2].state, State::Other("COMPLETING".to_owned()));
    assert_eq!(rows[2].restarts, 1);
    assert_eq!(
        (&rows[3].state, rows[3].exit),
        (&State::Ended("FAILED".to_owned()), Some(768))
    );
    assert_eq!(
        (rows[4].tasks.len(), rows[4].name.as_str()),
        (0, "something else")
    );
}

#[test]
fn only_states_after_which_nothing_comes_are_an_end() {
    let ended = [
        "COMPLETED",
        "FAILED",
        "CANCELLED",
        "CANCELLED by 0",
        "TIMEOUT",
        "NODE_FAIL",
        "OUT_OF_MEMORY",
        "PREEMPTED",
        "BOOT_FAIL",
        "DEADLINE",
    ];
    for word in ended {
        assert!(matches!(State::read(word), State::Ended(_)), "{word}");
    }
    for word in [
        "COMPLETING",
        "CONFIGURING",
        "SUSPENDED",
        "REQUEUED",
        "REQUEUE_HOLD",
        "STAGE_OUT",
        "",
        "WHATEVER_COMES",
    ] {
        assert!(matches!(State::read(word), State::Other(_)), "{word}");
    }
    assert_eq!(State::read("PENDING"), State::Pending);
    assert_eq!(State::read("RUNNING"), State::Running);
}

#[test]
fn lines_that_are_none_are_counted_and_nothing_is_made_of_them() {
    let text = "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n117|x|1|RUNNING|||||\n|\n";
    assert_eq!(queue(text), (Vec::new(), 3));
    assert_eq!(queue(""), (Vec::new(), 0));
}

#[test]
fn numbers_of_tasks_are_read_in_every_form() {
    let cases: [(&str, Option<&[u32]>); 9] = [
        ("7", Some(&[7])),
        ("0-3", Some(&[0, 1, 2, 3])),
        ("1,5-6%2", Some(&[1, 5, 6])),
        ("0-8:4", Some(&[0, 4, 8])),
        ("N/A", Some(&[])),
        ("3-1", None),
        ("0-4294967295", None),
        ("1-5:0", None),
        ("...", None),
    ];
    for (text, expected) in cases {
        let expected = expected.map(|numbers| numbers.iter().copied().collect());
        assert_eq!(tasks(text), expected, "{text}");
    }
}

#[test]
fn the_id_of_a_job_is_the_first_word_of_what_sbatch_prints() {
    assert_eq!(submitted("1234\n"), Some(1234));
    assert_eq!(submitted("1234;cluster\n"), Some(1234));
    assert_eq!(submitted("a message of the day\n1234\n"), Some(1234));
    assert_eq!(submitted("Submitted batch job 5\n"), None);
    assert_eq!(submitted(""), None);
}

#[test]
fn arrays_are_no_longer_than_the_scheduler_takes() {
    let config = "Configuration data as of 2026-01-01\nMaxArraySize            = 100\nMaxJobCount             = 20000\nOther = x\n";
    let bounds = bounds(config);
    assert_eq!(
        bounds,
        Bounds {
            array: 100,
            jobs: 20_000
        }
    );
    let planned = arrays(1000, bounds, None);
    assert_eq!(planned, vec![100; 10]);
    assert_eq!(arrays(250, bounds, None), [100, 100, 50]);
    assert_eq!(arrays(250, bounds, Some(120)), [100, 100, 50]);
    assert_eq!(arrays(5, bounds, Some(2)), [2, 2, 1]);
    assert_eq!(arrays(0, bounds, None), [0_u32; 0]);
    assert_eq!(arrays(5000, super::bounds(""), None), vec![1000; 5]);
    assert_eq!(
        arrays(
            50,
            Bounds {
                array: 100,
                jobs: 7
            },
            None
        ),
        [7]
    );
}

#[test]
fn a_job_is_described_by_arguments_alone_and_by_none_that_carries_a_value_of_the_spec() {
    let profile = Profile {
        partition: Some("gpu".to_owned()),
        account: Some("me".to_owned()),
        gpus: Some("1".to_owned()),
        memory: Some("8G".to_owned()),
        at_once: Some(2),
        options: vec!["--exclusive".to_owned()],
        ..Profile::default()
    };
    let needs = Needs {
        gpus: Some("a100:2".to_owned()),
        cpus: Some(4),
        ..Needs::default()
    };
    let words = sbatch(&profile, &needs, "tribunal-ab-0", 8, "/s/arrays/x.sh");
    assert_eq!(
        words,
        [
            "--parsable",
            "--array=0-7%2",
            "--job-name=tribunal-ab-0",
            "--comment=tribunal-ab-0",
            "--requeue",
            "--open-mode=append",
            "--output=/dev/null",
            "--time=01:00:00",
            "--signal=B:USR1@120",
            "--partition=gpu",
            "--account=me",
            "--mem=8G",
            "--gres=gpu:a100:2",
            "--cpus-per-task=4",
            "--exclusive",
            "/s/arrays/x.sh",
        ]
    );
}

#[test]
fn a_job_for_stages_may_go_elsewhere_for_longer_and_take_no_gpu() {
    let profile = Profile {
        partition: Some("gpu".to_owned()),
        gpus: Some("1".to_owned()),
        ..Profile::default()
    };
    let needs = Needs {
        partition: Some("cpu".to_owned()),
        time: Some("1-0".to_owned()),
        gpus: Some("0".to_owned()),
        ..Needs::default()
    };
    let words = sbatch(&profile, &needs, "t", 1, "/x.sh");
    for wanted in ["--partition=cpu", "--time=1-0"] {
        assert!(words.iter().any(|word| word == wanted), "{words:?}");
    }
    assert!(
        words.iter().all(|word| !word.starts_with("--gres")),
        "{words:?}"
    );
}

#[test]
fn variables_that_change_defaults_are_known() {
    for name in [
        "SBATCH_PARTITION",
        "SQUEUE_FORMAT",
        "SLURM_JOB_ID",
        "SLURM_TIME_FORMAT",
    ] {
        assert!(is_of_slurm(name), "{name}");
    }
    for name in ["SLURM_CONF", "PATH", "SLURMD_NODENAME"] {
        assert!(!is_of_slurm(name), "{name}");
    }
}

proptest! {
    #[test]
    fn whatever_is_printed_nothing_panics_and_every_line_is_counted(text in "[0-9A-Z|,:%\\-/ \n]{0,200}") {
        let (rows, strange) = queue(&text);
        let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
        prop_assert_eq!(rows.len() + strange, lines);
        let _ = (tasks(&text), submitted(&text), bounds(&text), State::read(&text));
    }

    #[test]
    fn any_bytes_at_all_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = (queue(&text), tasks(&text), submitted(&text), bounds(&text));
    }

    #[test]
    fn arrays_hold_every_task_once_within_all_bounds(tasks in 0_u32..5000, array in 1_u32..2000, jobs in 1_u32..9000, limit in proptest::option::of(1_u32..500)) {
        let planned = arrays(tasks, Bounds { array, jobs }, limit);
        prop_assert_eq!(planned.iter().sum::<u32>(), tasks.min(jobs));
        prop_assert!(planned.iter().all(|&one| one > 0 && one <= array && one <= limit.unwrap_or(1000).min(1000)));
    }
}
