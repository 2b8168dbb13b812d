//! An error that no further question can heal, such as a wrong key, ends the asking.

use std::time::Duration;

use super::project::Project;

#[test]
fn questions_that_wait_their_turn_are_not_asked_after_a_fatal_error() {
    let project = Project::new(40, Duration::ZERO);
    project.write(
        "script.toml",
        "log = \"asked.log\"\n[[reply]]\ncontains = [\"nothing has this\"]\n",
    );
    let output = project.run();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("no `[[reply]]` of the script fits"), "{said}");
    assert!(!said.contains("interrupted"), "{said}");
    // Four judges ask a model that takes five questions at once, two one that takes three.
    let asked: usize = project.asked().values().sum();
    assert!(asked <= 4 * 5 + 2 * 3, "asked {asked} times");
}
