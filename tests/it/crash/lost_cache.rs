//! A cache that takes nothing, or is deleted during a run: no reply is paid for that could not be stored.

use std::time::Duration;

use super::full_disk::below;
use super::project::{AT_ONCE, Project};

#[test]
fn a_cache_that_may_only_be_read_is_found_out_before_anything_is_asked() {
    let project = Project::new(3, Duration::ZERO);
    let script = "
        touch began
        mkdir -p cache/v1
        touch cache/CACHEDIR.TAG cache/README cache/v1/use.lock cache/v1/locks
        mount -o remount,ro cache || exit 98
        touch read-only
        \"$0\" run --keep-going spec.toml > first.out 2> first.err; echo $? > first.code
    ";
    if !below(&project, "cache", "4m", script) || !project.path("read-only").exists() {
        return;
    }
    let said = fs_err::read_to_string(project.path("first.err")).unwrap();
    let code = fs_err::read_to_string(project.path("first.code")).unwrap();
    assert_ne!(code.trim(), "0", "{said}");
    assert!(said.contains("the cache can't use `cache/v1/"), "{said}");
    assert_eq!(project.asked().len(), 0, "{said}");
}

#[test]
fn a_cache_without_room_for_a_reply_is_found_out_before_anything_is_asked() {
    let project = Project::new(3, Duration::ZERO);
    let script = "
        touch began
        head -c 10000000 /dev/zero > cache/ballast 2> /dev/null
        head -c 40000 /dev/zero | dd of=cache/ballast conv=notrunc 2> /dev/null
        truncate -s -60K cache/ballast
        \"$0\" run --keep-going spec.toml > first.out 2> first.err; echo $? > first.code
    ";
    if !below(&project, "cache", "1m", script) {
        return;
    }
    let said = fs_err::read_to_string(project.path("first.err")).unwrap();
    assert!(said.contains("no room left to write `cache/"), "{said}");
    assert_eq!(project.asked().len(), 0, "{said}");
}

#[test]
fn a_cache_that_is_deleted_during_a_run_stops_it_before_more_is_asked() {
    let slow = Duration::from_millis(100);
    for doomed in ["cache", "cache/v1/calls"] {
        let project = Project::new(30, slow);
        let all = {
            let undisturbed = Project::new(30, Duration::ZERO);
            undisturbed.run_well();
            undisturbed.asked().values().sum::<usize>()
        };
        let mut process = project.start();
        project.wait_for_questions(&mut process, 2 * AT_ONCE);
        // Files that are made meanwhile may be in the way of the folder.
        while project.path(doomed).exists() {
            let _ = fs_err::remove_dir_all(project.path(doomed));
        }
        let before: usize = project.asked().values().sum();
        let output = process.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{doomed}: {said}");
        assert!(
            said.contains("was deleted or replaced while it was in use"),
            "{doomed}: {said}"
        );
        let asked: usize = project.asked().values().sum();
        assert!(
            asked <= before + 2 * AT_ONCE,
            "{doomed}: {before} and then {asked} of {all}"
        );
        assert!(asked < all, "{doomed}: it went on to the end");
    }
}
