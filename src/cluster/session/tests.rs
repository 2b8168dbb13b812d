use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::cluster::note::Phase;

fn note(task: u32) -> Note {
    Note {
        of: Incarnation {
            array: "tribunal-00000000-0".to_owned(),
            task,
            restart: 0,
        },
        beat: 0,
        phase: Phase::Working,
        host: String::new(),
        job: String::new(),
        crew: Crew::of_model("m"),
        stored: 0,
    }
}

fn array(token: &str) -> Array {
    Array {
        token: token.to_owned(),
        crew: Crew::of_model("m"),
        tasks: 1,
        first: 0,
        of: 1,
        job: Some(7),
        refused: None,
    }
}

/// Jobs are ended by the names of arrays, and a folder may hold anything.
#[test]
fn only_names_that_a_run_gives_are_those_of_arrays_and_sessions() {
    let cache = tempfile::tempdir().unwrap();
    let make = |name: &str| {
        let session = Session::at(Session::all_in(cache.path()).join(name));
        session.create().unwrap();
        fs::write(session.path("session.json"), "{}").unwrap();
        session
    };
    let own = make(&Session::name_of(&Digest::of("a")));
    for name in ["train", "tribunal-0000000", "tribunal-0000000G"] {
        make(name);
    }
    let found = Session::list(cache.path());
    let names: Vec<String> = found.iter().map(Session::name).collect();
    assert_eq!(names, [own.name()]);
    let tokens = ["", "train", "tribunal-00000000-0", &own.token(0)];
    for (at, token) in tokens.into_iter().enumerate() {
        let path = own.path("arrays").join(format!("{at}.json"));
        write(&path, &array(token)).unwrap();
    }
    assert_eq!(own.arrays(), [array(&own.token(0))]);
}

#[test]
fn what_is_left_of_sessions_is_swept_and_those_that_live_stay() {
    let cache = tempfile::tempdir().unwrap();
    let name = |text: &str| Session::all_in(cache.path()).join(Session::name_of(&Digest::of(text)));
    for text in ["living", "being made", "left", "gone"] {
        Session::at(name(text)).create().unwrap();
    }
    fs::write(name("living").join("session.json"), "{}").unwrap();
    fs::rename(name("gone"), name("gone").with_extension("gone")).unwrap();
    fs::create_dir(Session::all_in(cache.path()).join("own.gone")).unwrap();
    let long_ago = std::time::SystemTime::now() - 2 * MAKING;
    for text in ["living", "left"] {
        let folder = std::fs::File::open(name(text)).unwrap();
        folder.set_modified(long_ago).unwrap();
    }
    Session::sweep(cache.path());
    let there = ["living", "being made", "left"].map(|text| name(text).exists());
    assert_eq!(there, [true, true, false]);
    let all = fs::read_dir(Session::all_in(cache.path())).unwrap();
    assert_eq!(all.count(), 3, "and a folder of somebody else");
    for (text, gone) in [("living", false), ("left", true)] {
        let task = format!("{}-3_7.0", Session::name_of(&Digest::of(text)));
        assert_eq!(Session::is_gone(cache.path(), &task), gone);
    }
    assert!(!Session::is_gone(cache.path(), "somebody"));
}

#[test]
fn a_session_is_removed_while_tasks_write_in_it() {
    let cache = tempfile::tempdir().unwrap();
    let session = Session::at(Session::all_in(cache.path()).join("tribunal-00000000"));
    session.create().unwrap();
    let written = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let tasks: Vec<_> = (0..3)
            .map(|task| {
                let (session, written) = (&session, &written);
                scope.spawn(move || {
                    let note = note(task);
                    while session.set_note(&note).is_ok() {
                        written.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        while written.load(Ordering::Relaxed) < 10 {
            std::thread::yield_now();
        }
        session.remove().unwrap();
        for task in tasks {
            task.join().unwrap();
        }
    });
    assert_eq!(
        fs::read_dir(Session::all_in(cache.path())).unwrap().count(),
        0
    );
}
