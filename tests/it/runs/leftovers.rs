//! What lies in a folder of reports: what the last run made, and nothing else of ours; what others put there stays.

use std::collections::BTreeMap;
use std::path::Path;

use crate::lab::{ANY_SCORE, Lab};

/// One judge, and a table, a figure, a file of rows and an ablation of it.
fn full() -> Lab {
    let lab = Lab::small();
    lab.append(
        "[table.again]\nfrom = \"scores\"\nrows = [\"metric\"]\n\n\
         [figure.means]\ntype = \"intervals\"\nfrom = \"scores\"\nx = \"metric\"\n\n\
         [export.rows]\nfrom = \"grades\"\nformat = \"csv\"\n\n\
         [[ablation]]\nname = \"warm\"\nset = { \"models.fake.temperature\" = 0.5 }",
    );
    lab
}

/// The names of all files in the folder.
fn names(lab: &Lab) -> Vec<String> {
    let folder = lab.path("reports/experiment");
    let files = lab.files("reports/experiment");
    let name = |path: &Path| path.strip_prefix(&folder).unwrap().display().to_string();
    files.iter().map(|path| name(path)).collect()
}

fn bytes(lab: &Lab) -> BTreeMap<String, (Vec<u8>, std::time::SystemTime)> {
    let files = lab.files("reports").into_iter();
    files
        .map(|path| {
            let changed = fs_err::metadata(&path).unwrap().modified().unwrap();
            let name = path.display().to_string();
            (name, (fs_err::read(path).unwrap(), changed))
        })
        .collect()
}

#[test]
fn what_is_gone_from_the_spec_is_gone_from_the_folder() {
    let lab = full();
    lab.run(&["--quiet"]).ok();
    assert!(names(&lab).contains(&"warm/means.png".to_owned()));
    let spec = lab.read("experiment.toml");
    lab.write("reports/experiment/notes.md", "mine");
    lab.write("reports/experiment/warm/notes.md", "mine");
    // The figure has another name, the table, the rows and the ablation are gone.
    let (kept, _) = spec.split_once("[table.again]").unwrap();
    let figure = "[figure.others]\ntype = \"intervals\"\nfrom = \"scores\"\nx = \"metric\"\n";
    lab.write("experiment.toml", format!("{kept}\n{figure}"));
    let ran = lab.run(&[]).ok();
    assert_eq!(
        names(&lab),
        [
            "files.json",
            "index.html",
            "notes.md",
            "others.csv",
            "others.png",
            "others.svg",
            "run.json",
            "scores.csv",
            "scores.md",
            "tables.json",
            "warm/notes.md"
        ]
    );
    assert!(ran.err.contains("removed: "), "{}", ran.err);
    lab.remove("reports/experiment/warm/notes.md");
    // And back again: nothing is asked.
    lab.write("experiment.toml", spec);
    assert_eq!(lab.run(&["--quiet"]).ok().asked, 0);
    assert!(names(&lab).contains(&"warm/again.md".to_owned()));
}

#[test]
fn the_page_goes_with_the_wish_for_one() {
    let lab = full();
    lab.run(&["--quiet"]).ok();
    lab.append("[report]\npage = false");
    lab.run(&["--quiet"]).ok();
    assert!(!names(&lab).contains(&"index.html".to_owned()));
}

#[test]
fn an_idle_run_leaves_every_file_alone() {
    let lab = full();
    lab.run(&["--quiet"]).ok();
    let before = bytes(&lab);
    lab.again().ok();
    assert_eq!(bytes(&lab), before);
    lab.cmd(&["report"]).ok();
    assert_eq!(bytes(&lab), before);
}

#[test]
fn a_file_of_ours_that_was_changed_by_hand_stays_and_is_said_once() {
    let lab = full();
    lab.run(&["--quiet"]).ok();
    lab.write("reports/experiment/again.md", "my own words");
    lab.write("reports/experiment/index.html", "my own page");
    lab.change("[table.again]", "[table.other]");
    lab.append("[report]\npage = false");
    let ran = lab.run(&[]).ok();
    assert!(
        ran.err.contains("`again.md` and `index.html`"),
        "{}",
        ran.err
    );
    assert_eq!(lab.read("reports/experiment/again.md"), "my own words");
    assert!(!names(&lab).contains(&"again.csv".to_owned()));
    let ran = lab.run(&[]).ok();
    assert!(!ran.err.contains("again.md"), "{}", ran.err);
    assert_eq!(lab.read("reports/experiment/index.html"), "my own page");
}

#[test]
fn after_a_failed_run_nothing_of_an_earlier_one_looks_as_if_it_were_of_this() {
    let lab = full();
    lab.run(&["--quiet"]).ok();
    let first = lab.read("reports/experiment/scores.md");
    lab.edit("templates/grade.j2", "Grade fluency", "Grade the fluency");
    lab.write("script.toml", "[[reply]]\nfail = \"on fire\"");
    let ran = lab.run(&[]).exit(4);
    let after = names(&lab);
    assert!(!after.contains(&"scores.md".to_owned()), "{after:?}");
    assert!(!after.contains(&"means.png".to_owned()), "{after:?}");
    assert_eq!(lab.read("reports/experiment/scores.stale.md"), first);
    assert!(ran.err.contains("renamed to `.stale.`"), "{}", ran.err);
    assert!(
        lab.read("reports/experiment/index.html")
            .contains("not complete")
    );
    // A second failure changes nothing, a run that succeeds clears up.
    lab.again().exit(4);
    assert_eq!(names(&lab), after);
    lab.write("script.toml", ANY_SCORE);
    lab.again().ok();
    let after = names(&lab);
    assert!(after.contains(&"scores.md".to_owned()));
    assert!(
        !after.iter().any(|name| name.contains(".stale.")),
        "{after:?}"
    );
}

#[test]
fn a_failed_run_keeps_what_still_holds() {
    let lab = full();
    lab.run(&["--quiet"]).ok();
    lab.append(
        "[models.broken]\nprovider = \"scripted\"\nscript = \"broken.toml\"\n\n\
         [judge.broken]\nfrom = \"docs\"\nmodel = \"broken\"\nprompt = \"grade\"\n\n\
         [stats.worse]\nfrom = \"judge.broken\"\n\n[table.broken]\nfrom = \"worse\"\nrows = [\"metric\"]",
    );
    lab.write("broken.toml", "[[reply]]\nfail = \"on fire\"");
    lab.run(&["--quiet", "--jobs", "1"]).exit(4);
    let after = names(&lab);
    assert!(after.contains(&"scores.md".to_owned()), "{after:?}");
    assert!(
        !after.iter().any(|name| name.contains(".stale.")),
        "{after:?}"
    );
}

#[test]
fn a_run_of_some_stages_sets_aside_what_does_not_hold_any_more_and_keeps_what_does() {
    let lab = full();
    lab.run(&["--quiet"]).ok();
    let before = bytes(&lab);
    // Nothing changed: nothing is stale.
    lab.run(&["--quiet", "--only", "table.again"]).ok();
    assert_eq!(bytes(&lab), before);
    // What is made of the judge is of another one now; the page says what it lacks.
    lab.edit("templates/grade.j2", "Grade fluency", "Grade the fluency");
    let ran = lab.run(&["--only", "source.docs"]).ok();
    let after = names(&lab);
    assert!(after.contains(&"scores.stale.md".to_owned()), "{after:?}");
    assert!(!after.contains(&"scores.md".to_owned()), "{after:?}");
    assert!(ran.err.contains("renamed to"), "{}", ran.err);
    assert!(
        lab.read("reports/experiment/index.html")
            .contains("not complete")
    );
    lab.run(&["--quiet", "--only", "table.scores"]).ok();
    let after = names(&lab);
    assert!(after.contains(&"scores.md".to_owned()), "{after:?}");
    lab.run(&["--quiet"]).ok();
    assert!(!names(&lab).iter().any(|name| name.contains(".stale.")));
}

#[test]
fn a_manifest_from_elsewhere_removes_nothing_outside_and_follows_no_link() {
    let lab = full();
    lab.run(&["--quiet"]).ok();
    let digest = blake3::hash(b"precious").to_string();
    for file in ["precious.md", "reports/precious.md", "outside/precious.md"] {
        lab.write(file, "precious");
    }
    let mut known = BTreeMap::from([
        ("../../precious.md".to_owned(), &digest),
        ("../precious.md".to_owned(), &digest),
        ("warm/../../precious.md".to_owned(), &digest),
        ("linked/precious.md".to_owned(), &digest),
        ("link.md".to_owned(), &digest),
    ]);
    known.insert(lab.path("precious.md").display().to_string(), &digest);
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(lab.path("outside"), lab.path("reports/experiment/linked")).unwrap();
        let link = lab.path("reports/experiment/link.md");
        symlink(lab.path("precious.md"), link).unwrap();
    }
    let manifest = serde_json::json!({ "files": known });
    lab.write("reports/experiment/files.json", manifest.to_string());
    lab.run(&["--quiet"]).ok();
    for file in ["precious.md", "reports/precious.md", "outside/precious.md"] {
        assert_eq!(lab.read(file), "precious", "{file}");
    }
    #[cfg(unix)]
    assert!(lab.path("reports/experiment/link.md").is_symlink());
    // What it names well is checked by its bytes.
    lab.write("reports/experiment/notes.md", "mine");
    let manifest = serde_json::json!({ "files": { "notes.md": digest, "run.json": digest } });
    lab.write("reports/experiment/files.json", manifest.to_string());
    lab.run(&["--quiet"]).ok();
    assert_eq!(lab.read("reports/experiment/notes.md"), "mine");
}

#[test]
fn a_page_of_several_that_shows_an_experiment_as_it_was_is_set_aside() {
    let lab = full();
    let spec = lab
        .read("experiment.toml")
        .replace("script.toml", "../../script.toml");
    let spec = spec.replace("docs/*.txt", "../../docs/*.txt");
    lab.write("experiments/two/a.toml", &spec);
    lab.write("experiments/two/b.toml", &spec);
    let run = |args: &[&str]| {
        let output = lab.exactly(&[&["run"], args].concat()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let page = |name: &str| lab.path(&format!("reports/two/{name}")).exists();
    run(&["experiments/two"]);
    assert!(page("index.html"));
    run(&["experiments/two/a.toml"]);
    assert!(page("index.html"), "nothing changed");
    lab.edit(
        "experiments/two/a.toml",
        "title = \"Small\"",
        "title = \"Large\"",
    );
    let told = run(&["experiments/two/a.toml"]);
    assert!(!page("index.html") && page("index.stale.html"), "{told}");
    assert!(told.contains("showed `two/a` as it was before"), "{told}");
    run(&["experiments/two"]);
    assert!(page("index.html") && !page("index.stale.html"));
    // In the folder of an experiment its own page keeps its name.
    lab.write("experiments/two.toml", spec.replace("../../", "../"));
    run(&["experiments/two.toml"]);
    let own = lab.read("reports/two/index.html");
    run(&["experiments/two"]);
    assert!(page("index.all.html"));
    assert_eq!(lab.read("reports/two/index.html"), own);
    run(&["experiments/two.toml"]);
    assert!(page("index.all.html") && page("scores.md"));
}

#[test]
fn an_ablation_and_an_experiment_do_not_share_a_folder() {
    let lab = full();
    lab.write("experiment/warm.toml", "title = \"Warm\"");
    let ran = lab.run(&[]).exit(3);
    insta::assert_snapshot!("an_ablation_where_an_experiment_is", ran.err);
    // A layer is no experiment.
    lab.write("experiment/warm.toml", "seed = 3");
    lab.run(&["--quiet"]).ok();
}
