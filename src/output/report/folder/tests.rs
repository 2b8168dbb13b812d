use super::*;

fn files(all: &[(&str, &str)]) -> BTreeMap<String, String> {
    all.iter()
        .map(|(name, digest)| ((*name).to_owned(), (*digest).to_owned()))
        .collect()
}

fn manifest(all: &[(&str, &str)]) -> Manifest {
    Manifest {
        files: files(all),
        ..Manifest::default()
    }
}

#[test]
fn a_complete_run_removes_what_it_does_not_make() {
    let known = manifest(&[("a.md", "1"), ("b.md", "2"), ("warm/b.md", "3")]);
    let there = files(&[("a.md", "1"), ("b.md", "2"), ("warm/b.md", "3")]);
    let made = files(&[("a.md", "4")]);
    let fates = fates(&known, &made, &there, true);
    assert_eq!(fates.len(), 2);
    assert!(fates.values().all(|fate| *fate == Fate::Remove));
    assert_eq!(settled(&known, &made, &fates).files, made);
}

#[test]
fn an_incomplete_run_sets_aside_what_it_did_not_make() {
    let known = manifest(&[("a.md", "1"), ("b.stale.md", "2"), ("c.md", "3")]);
    let there = known.files.clone();
    let made = files(&[("a.md", "1")]);
    let fates = fates(&known, &made, &there, false);
    assert_eq!(fates["b.stale.md"], Fate::Stay);
    assert_eq!(fates["c.md"], Fate::SetAside("c.stale.md".to_owned()));
    let after = settled(&known, &made, &fates);
    assert_eq!(
        after.files,
        files(&[("a.md", "1"), ("b.stale.md", "2"), ("c.stale.md", "3")])
    );
    // The next complete run removes them.
    let fates = super::fates(&after, &made, &after.files, true);
    assert_eq!(fates["b.stale.md"], Fate::Remove);
    assert_eq!(fates["c.stale.md"], Fate::Remove);
}

#[test]
fn what_was_changed_or_is_gone_is_left_alone() {
    let known = manifest(&[("a.md", "1"), ("b.md", "2")]);
    let there = files(&[("a.md", "edited"), ("c.md", "mine")]);
    for complete in [true, false] {
        let fates = fates(&known, &BTreeMap::new(), &there, complete);
        assert_eq!(fates, BTreeMap::from([("a.md".to_owned(), Fate::Leave)]));
        assert!(
            settled(&known, &BTreeMap::new(), &fates).files.is_empty(),
            "it is said once"
        );
    }
}

#[test]
fn a_file_of_somebody_s_is_never_written_over_by_one_set_aside() {
    let known = manifest(&[("a.md", "1")]);
    let there = files(&[("a.md", "1"), ("a.stale.md", "mine")]);
    let fates = fates(&known, &BTreeMap::new(), &there, false);
    assert_eq!(fates["a.md"], Fate::Remove);
}

#[test]
fn a_run_that_was_killed_leaves_both_versions_known() {
    let known = manifest(&[("a.md", "old"), ("b.md", "gone")]);
    let there = known.files.clone();
    let made = files(&[("a.md", "new")]);
    let fates = fates(&known, &made, &there, true);
    let writing = unsettled(&known, &settled(&known, &made, &fates));
    for digest in ["old", "new"] {
        let there = files(&[("a.md", digest), ("b.md", "gone")]);
        let fates = super::fates(&writing, &BTreeMap::new(), &there, true);
        assert_eq!(fates["a.md"], Fate::Remove, "{digest}");
        assert_eq!(fates["b.md"], Fate::Remove);
    }
    // Killed twice, all three versions are known but the one in the middle, which is left.
    assert_eq!(Manifest::parse(writing.render().as_bytes()), writing);
}

#[test]
fn of_a_stranger_s_manifest_only_plain_names_count() {
    for name in [
        "a.md",
        "a-b_2.parquet",
        "warm/a.csv",
        "index.html",
        "a.stale.md",
    ] {
        assert!(is_plain(name), "{name}");
    }
    for name in [
        "../../etc/passwd",
        "../a.md",
        "/etc/a.md",
        "a/../b.md",
        "a/b/c.md",
        "..",
        ".",
        "",
        ".hidden.md",
        "warm/.md",
        "a\\..\\b.md",
        "C:a.md",
        "run.json",
        "Tables.json",
        "files.json",
        "notes.txt",
        "a.md/",
        "./a.md",
        "a.md\0",
        "ä.md",
    ] {
        assert!(!is_plain(name), "{name}");
    }
    let hostile = br#"{"files": {"../../etc/passwd": "1", "a.md": "2"}, "all": {"page": "../x.html", "records": {}}}"#;
    let read = Manifest::parse(hostile);
    assert_eq!(read.files.keys().collect::<Vec<_>>(), ["a.md"]);
    assert_eq!(read.all, None);
    for text in ["", "[]", "{\"files\": 3}", "{\"files\": {\"a.md\": 3}}"] {
        assert_eq!(Manifest::parse(text.as_bytes()), Manifest::default());
    }
}

#[test]
fn what_was_set_aside_goes_when_its_like_is_made_again() {
    let known = manifest(&[("a.stale.md", "1"), ("b.stale.md", "2")]);
    let made = files(&[("a.md", "3")]);
    let fates = fates(&known, &made, &known.files, false);
    assert_eq!(fates["a.stale.md"], Fate::Remove);
    assert_eq!(fates["b.stale.md"], Fate::Stay);
}
