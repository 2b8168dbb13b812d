//! `tribunal.local.toml`: the file of a machine. One that is there and cannot be read is a mistake.

use crate::lab::Lab;

#[test]
fn a_local_file_that_cannot_be_read_is_an_error_and_not_passed_over() {
    let dangling = |lab: &Lab| {
        std::os::unix::fs::symlink("nowhere.toml", lab.path("tribunal.local.toml")).unwrap();
    };
    let folder = |lab: &Lab| fs_err::create_dir(lab.path("tribunal.local.toml")).unwrap();
    let circle = |lab: &Lab| {
        std::os::unix::fs::symlink("tribunal.local.toml", lab.path("tribunal.local.toml")).unwrap();
    };
    let mut said = Vec::new();
    for make in [&dangling as &dyn Fn(&Lab), &folder, &circle] {
        let lab = Lab::small();
        make(&lab);
        for verb in ["run", "lint", "plan"] {
            let ran = lab.cmd(&[verb]).exit(3);
            assert_eq!(ran.asked, 0);
            said.push(ran.err);
        }
    }
    said.dedup();
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_spec_that_is_a_link_to_nowhere_is_told_apart_from_none() {
    let lab = Lab::small();
    lab.change("title", "extends = \"base.toml\"\ntitle");
    std::os::unix::fs::symlink("gone.toml", lab.path("base.toml")).unwrap();
    let said = lab.run(&[]).exit(3).err;
    assert!(said.contains("broken symbolic link"), "{said}");
}
