//! Replies that give no score, and calls that come to nothing: every row has a score or says why not.

use std::collections::BTreeMap;
use std::time::Duration;

use tribunal::frame::Frame;

use super::{PROVIDERS, lab, scored, undisturbed, unscored};
use crate::chat::{ChatServer, Fault, Faults};

const TEXTS: usize = 12;

/// How many prompts were last answered with a fault.
fn last_struck(server: &ChatServer, fault: Fault) -> u64 {
    let mut last = BTreeMap::new();
    for call in server.calls() {
        last.insert(call.prompt, call.fault);
    }
    last.values().filter(|last| **last == Some(fault)).count() as u64
}

#[test]
fn what_the_model_does_not_say_is_unscored_with_a_reason() {
    for provider in PROVIDERS {
        for (fault, reason, most) in [
            (Fault::EmptyReply, "no-reply", 1),
            (Fault::Refusal, "refused", 1),
            (Fault::ContextTooLong, "too-long", 1),
            // Asked for three more times by default.
            (Fault::Cut, "cut-by-length", 4),
        ] {
            let share = if fault == Fault::Cut { 0.8 } else { 0.5 };
            let server = ChatServer::setup()
                .faults(Faults::none().share(share, [fault]))
                .start();
            let lab = lab(provider, &server.url(), TEXTS);
            lab.change("metrics = [", "max-unscored = 1\nmetrics = [");
            let ran = lab.run(&["--json"]).ok();
            let struck = last_struck(&server, fault);
            assert!((1..TEXTS as u64).contains(&struck), "{reason}: {struck}");
            assert_eq!(unscored(&ran), [(reason.to_owned(), 2 * struck)].into());
            assert_eq!(scored(&ran), 2 * (TEXTS as u64 - struck));
            let asked = server.asked();
            assert!(asked.values().all(|n| *n <= most), "{reason}: {asked:?}");
            // What is unscored for a reason is a result, and not asked about again.
            let before = server.count();
            assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0], "{reason}");
            assert_eq!(server.count(), before);
        }
    }
}

#[test]
fn a_reply_cut_once_is_asked_for_again_and_paid_for_once_each() {
    for provider in PROVIDERS {
        let server = ChatServer::setup()
            .faults(Faults::none().first(1, Fault::Cut))
            .start();
        let lab = lab(provider, &server.url(), TEXTS);
        let ran = lab.run(&["--json"]).ok();
        let whole = undisturbed(provider, TEXTS);
        assert_eq!(ran.tables["scores.csv"], whole["scores.csv"]);
        assert_eq!(server.asked().into_values().collect::<Vec<_>>(), [2; TEXTS]);
        // Without its results the run goes the same way by stored replies alone.
        lab.remove("cache/v1/nodes");
        lab.remove("cache/v1/blobs");
        let again = lab.run(&["--json"]).ok();
        assert_eq!(again.tables, ran.tables);
        assert_eq!(server.count(), 2 * TEXTS);
    }
}

#[test]
fn whatever_happens_each_row_has_a_score_or_a_reason() {
    const MANY: usize = 40;
    let faults = [
        Fault::TooManyRequests {
            retry_after: Some("1"),
        },
        Fault::Unavailable,
        Fault::ServerError,
        Fault::Overloaded529,
        Fault::BadGateway,
        Fault::ContextTooLong,
        Fault::SlowDrip {
            pause: Duration::from_millis(2),
        },
        Fault::TruncatedJson,
        Fault::ResetMidBody,
        Fault::CloseMidBody,
        Fault::ResetBeforeReply,
        Fault::DuplicateDelivery,
        Fault::EmptyReply,
        Fault::Cut,
        Fault::Refusal,
    ];
    std::thread::scope(|scope| {
        for provider in PROVIDERS {
            scope.spawn(move || {
                let server = ChatServer::setup()
                    .faults(Faults::none().share(0.3, faults))
                    .start();
                let lab = lab(provider, &server.url(), MANY);
                lab.change("retries = 3", "retries = 0");
                // Some calls fail for good.
                let ran = lab.run(&["--json"]).exit(4);
                let missing: u64 = unscored(&ran).values().sum();
                assert_eq!(scored(&ran) + missing, 2 * MANY as u64);
                assert!(missing > 0);
                let rows = Frame::from_csv(ran.tables["grades.csv"].as_bytes(), &["doc_id"]);
                let rows = rows.unwrap();
                let cell = |name: &str, row| rows.column(name).unwrap().text(row).is_some();
                for row in 0..rows.rows() {
                    assert_ne!(cell("score", row), cell("unscored", row), "row {row}");
                }
                // One try more for each of up to four attempts that were cut.
                let asked = server.asked();
                assert!(asked.values().all(|n| *n <= 2 * 4), "{asked:?}");
                // What failed, and only that, is made again by the next run.
                let failed = unscored(&ran).get("failed").copied().unwrap_or(0) / 2;
                assert!(failed > 0);
                let again = lab.run(&["--json"]);
                assert!([0, 4].contains(&again.code), "{}", again.err);
                let refused = unscored(&ran).values().sum::<u64>();
                let count = |name: &str| again.summary()[name].as_u64().unwrap();
                let (made, lost) = (count("calls_made"), count("calls_failed"));
                assert!(
                    made + lost >= failed && made <= refused,
                    "{made} of {failed}"
                );
            });
        }
    });
}
