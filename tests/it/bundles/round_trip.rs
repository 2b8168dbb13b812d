//! There and back: what a bundle holds is enough for every table, and no more than it should be.

use tribunal::cache::{Entry, NodeStore};
use tribunal::frame::Frame;

use super::elsewhere::{ARCHIVE, Elsewhere, bundle, files};
use crate::lab::{ANY_SCORE, Lab, SMALL};

/// A sentence of the small project's documents.
const SENTENCE: &str = "The ferry left at noon.";

fn manifest(elsewhere: &Elsewhere) -> serde_json::Value {
    let bytes = fs_err::read(elsewhere.path("tribunal.bundle.json")).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// Whether a text stands in a file below a folder, also in results, which are compressed.
fn holds(folder: &std::path::Path, text: &str) -> bool {
    let mut found = false;
    for name in files(folder).keys() {
        let bytes = fs_err::read(folder.join(name)).unwrap();
        let table = Frame::from_parquet(bytes.clone(), None);
        found |= match table {
            Ok(table) => table.names().iter().any(|name| {
                let column = table.column(name).unwrap();
                (0..column.len())
                    .any(|row| column.text(row).is_some_and(|cell| cell.contains(text)))
            }),
            Err(_) => String::from_utf8_lossy(&bytes).contains(text),
        };
    }
    found
}

#[test]
fn an_unpacked_experiment_gives_the_same_reports_and_asks_nobody() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    let said = bundle(&lab, &[]).ok();
    assert!(
        said.out.contains("2 stored replies of models included"),
        "{}",
        said.out
    );
    let elsewhere = Elsewhere::unpacked(&lab);
    assert!(!elsewhere.path("script.toml").exists());
    assert!(!elsewhere.path("docs").exists());
    for more in [&[][..], &["--offline"]] {
        let ran = elsewhere.run(more).ok();
        assert_eq!(ran.made(), (0, 0, 0));
    }
    let ours = files(&lab.path("reports"));
    assert!(ours.len() >= 2);
    assert_eq!(files(&elsewhere.path("reports")), ours);
    assert_eq!(lab.asked(), 2);
}

#[test]
fn neither_reports_nor_bundles_say_how_a_cluster_is_used() {
    let site = "[slurm]\npartition = \"site-queue\"\naccount = \"site-purse\"\npreamble = \"module load site-module\"\ntime = \"60\"\n\n\
        [models.large.serve]\ncommand = \"site-server --port $PORT\"\nhealth = \"/health\"\n";
    let spec = SMALL.to_owned()
        + "\n[models.large]\nprovider = \"openai\"\nbase-url = \"http://localhost:1/v1\"\n";
    let lab = Lab::small().spec(&spec).file("tribunal.local.toml", site);
    lab.run(&[]).ok();
    bundle(&lab, &["--with-texts"]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    assert!(files(&lab.path("reports")).len() >= 2);
    for word in ["site-queue", "site-purse", "site-module", "site-server"] {
        assert!(holds(&lab.path(""), word), "it is in the file itself");
        for folder in [lab.path("reports"), lab.path("cache"), elsewhere.path("")] {
            assert!(!holds(&folder, word), "`{word}` in {}", folder.display());
        }
    }
}

#[test]
fn texts_go_along_only_where_that_is_asked_for() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    bundle(&lab, &[]).ok();
    let without = Elsewhere::unpacked(&lab);
    assert!(!holds(&without.path(""), SENTENCE));
    assert_eq!(manifest(&without)["withheld"].as_array().unwrap().len(), 1);
    lab.remove(ARCHIVE);
    bundle(&lab, &["--with-texts"]).ok();
    let with = Elsewhere::unpacked(&lab);
    assert!(holds(&with.path(""), SENTENCE));
    assert!(holds(&with.path(""), "FINAL Fluency Score"));
    assert!(manifest(&with)["withheld"].as_array().unwrap().is_empty());
}

#[test]
fn replies_can_be_left_out_too() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    bundle(&lab, &["--without-replies"]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    assert!(!holds(&elsewhere.path(""), "FINAL Fluency Score"));
    assert!(!elsewhere.path("cache/v1/calls").exists());
    assert_eq!(elsewhere.run(&[]).ok().made(), (0, 0, 0));
    assert_eq!(
        files(&elsewhere.path("reports")),
        files(&lab.path("reports"))
    );
    // What would take the judge's rows says so, and nobody is asked for new ones.
    let said = elsewhere.run(&["--set", "stats.scores.level=0.9"]);
    assert_eq!(said.code, 4);
    assert!(
        said.out.contains("the bundle was made without replies"),
        "{}",
        said.out
    );
}

#[test]
fn statistics_are_computed_anew_from_the_rows_of_judges() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    bundle(&lab, &[]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    let level = [
        "--set",
        "stats.scores.level=0.9",
        "--set",
        "table.scores.value=ci_low",
    ];
    let ran = elsewhere.run(&level).ok();
    assert_eq!(ran.made(), (0, 0, 2));
    lab.run(&level).ok();
    assert_eq!(
        files(&elsewhere.path("reports")),
        files(&lab.path("reports"))
    );
}

#[test]
fn another_scale_is_read_off_the_stored_replies_where_the_texts_are_there() {
    let lab = Lab::small();
    lab.change("[judge.grades]", "[judge.grades]\nmax-unscored = 1");
    lab.run(&[]).ok();
    bundle(&lab, &["--with-texts"]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    let other = ["--set", "judge.grades.scale.max=3"];
    let ran = elsewhere.run(&[&other[..], &["--offline"]].concat()).ok();
    assert_eq!(ran.made(), (0, 0, 3));
    lab.run(&other).ok();
    assert_eq!(
        files(&elsewhere.path("reports")),
        files(&lab.path("reports"))
    );
    assert_eq!(lab.asked(), 2);
}

#[test]
fn replies_that_were_cut_off_go_along_so_that_nothing_is_asked_again() {
    let cut =
        "[[reply]]\nrepeat = 0\ncontains = [\"ferry\"]\nfinish = \"length\"\ntext = \"FINAL\"\n";
    let lab = Lab::small().script(&format!("{cut}{ANY_SCORE}"));
    lab.change("[judge.grades]", "[judge.grades]\nmax-unscored = 1");
    lab.run(&[]).ok();
    // One reply, and one that was cut off four times.
    assert_eq!(lab.asked(), 5);
    bundle(&lab, &["--with-texts"]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    let other = ["--offline", "--set", "judge.grades.scale.max=3"];
    let (calls, requests, ran) = elsewhere.run(&other).ok().made();
    assert_eq!((calls, requests), (0, 0));
    assert!(ran > 0);
}

#[test]
fn what_needs_a_file_that_is_not_there_names_it_and_says_where_to_get_it() {
    let hints = "[paths]\ncorpus = \"docs\"\n[hints]\ncorpus = \"ask the library\"\n";
    let lab = Lab::small().spec(&format!(
        "{}\n{hints}",
        SMALL.replace("docs/*", "{corpus}/*")
    ));
    lab.change("[judge.grades]", "[judge.grades]\nmax-unscored = 1");
    lab.run(&[]).ok();
    bundle(&lab, &[]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    let said = elsewhere.cmd(&[
        "run",
        "experiment.toml",
        "--set",
        "judge.grades.scale.max=3",
    ]);
    assert_eq!(said.code, 4);
    let told = said.err.lines();
    let told = told.filter(|line| line.starts_with("failed ") || line.starts_with("hint: "));
    insta::assert_snapshot!(told.collect::<Vec<_>>().join("\n"), @r#"
    failed judge.grades: `docs/a.txt` is needed and missing: the bundle holds only its digest and the results made from it
    hint: ask the library
    "#);
    // The files themselves come first.
    for name in ["docs/a.txt", "docs/b.txt"] {
        let place = elsewhere.path(name);
        fs_err::create_dir_all(place.parent().unwrap()).unwrap();
        fs_err::copy(lab.path(name), place).unwrap();
    }
    let ran = elsewhere.run(&["--set", "judge.grades.scale.max=3"]).ok();
    assert_eq!(ran.made(), (0, 0, 3));
    fs_err::write(elsewhere.path("docs/a.txt"), "Another text.").unwrap();
    let ran = elsewhere.run(&["--offline"]);
    assert_eq!(ran.code, 4, "{}", ran.out);
}

/// Stores the texts of a lab as earlier versions packed them.
fn pack_as_before(lab: &Lab) {
    let nodes = NodeStore::open(&lab.path("cache")).unwrap();
    for file in lab.files("cache/v1/nodes") {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let key = name.parse().unwrap();
        let entry = nodes.entry(&key).unwrap().unwrap();
        if entry.fields["kind"] == "source" {
            let rows = Frame::from_parquet(nodes.load(&entry.output).unwrap(), None).unwrap();
            let bytes = rows.to_parquet().unwrap();
            let before = Entry::new(key, entry.fields, &bytes, entry.rows, entry.summary);
            assert_ne!(before.output, entry.output);
            let claim = nodes.claim(&key, &|| false).unwrap();
            claim.commit(&before, &bytes).unwrap();
        }
    }
}

#[test]
fn texts_that_an_earlier_version_packed_are_the_same_once_their_files_are_there() {
    let lab = Lab::small();
    lab.change("[judge.grades]", "[judge.grades]\nmax-unscored = 1");
    lab.run(&[]).ok();
    pack_as_before(&lab);
    lab.run(&[]).ok();
    bundle(&lab, &[]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    fs_err::create_dir_all(elsewhere.path("docs")).unwrap();
    for name in ["docs/a.txt", "docs/b.txt"] {
        fs_err::copy(lab.path(name), elsewhere.path(name)).unwrap();
    }
    let ran = elsewhere.run(&["--set", "judge.grades.scale.max=3"]).ok();
    assert_eq!(ran.made(), (0, 0, 3));
}

#[test]
fn every_sort_of_file_may_be_missing() {
    let lab = Lab::new()
        .spec(
            r#"
[models.old]
provider = "recorded"
files = "replies/*.jsonl"
text = "raw"
match = { doc_id = "doc_id" }

[source.docs]
files = "{corpus}/**/*.txt"
metadata = "docs.csv"

[judge.grades]
from = "docs"
model = "old"
metrics = ["fluency"]

[generate.summary]
from = "docs"
model = "fake"
prompt = "short"
into = "summary"
shape = "json"
schema = "schema.json"

[judge.mine]
from = "summary"
model = "fake"
prompt = "grade"
variables = ["summary"]
metrics = ["fluency"]

[models.fake]
provider = "scripted"
script = "script.toml"

[stats.scores]
from = ["grades"]

[stats.means]
from = "mine"

[table.scores]
from = "scores"
rows = ["metric"]

[table.mine]
from = "means"
rows = ["metric"]
expect = "expected.csv"

[paths]
corpus = "../corpus"
"#,
        )
        .template("short", "{% include 'part.j2' %} {{ text }}")
        .template("part", "Shorten:")
        .template("grade", "Grade fluency. {{ summary }}")
        .template("unused", "{{ text }}")
        .file("expected.csv", "metric,printed\nfluency,3\n")
        .file("schema.json", "{}")
        .file("docs.csv", "doc_id,title\na,A\nb,B\n")
        .file("replies/x.jsonl", "{\"doc_id\": \"a\", \"raw\": \"FINAL Fluency Score: 4\"}\n")
        .script("[[reply]]\ncontains = [\"Grade\"]\ntext = \"FINAL Fluency Score: 3\"\n[[reply]]\ntext = \"[1]\"\n")
        .file("../corpus/x/a.txt", "The ferry left at noon.")
        .file("../corpus/b.txt", "The mill stood still.");
    lab.run(&[]).ok();
    bundle(&lab, &[]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    let mut there: Vec<String> = files(&elsewhere.path("")).into_keys().collect();
    there.retain(|name| !name.starts_with("cache/"));
    let wanted = [
        "expected.csv",
        "experiment.toml",
        "schema.json",
        "templates/grade.j2",
        "templates/part.j2",
        "templates/short.j2",
        "tribunal.bundle.json",
    ];
    assert_eq!(there, wanted);
    assert_eq!(elsewhere.run(&[]).ok().made(), (0, 0, 0));
    assert_eq!(
        files(&elsewhere.path("reports")),
        files(&lab.path("reports"))
    );
    elsewhere.cmd(&["verify", "experiment.toml"]).ok();
    for verb in ["plan", "why"] {
        elsewhere.cmd(&[verb, "experiment.toml"]).ok();
        elsewhere
            .cmd(&[verb, "experiment.toml", "--set", "judge.mine.scale.max=3"])
            .ok();
    }
}

#[test]
fn several_experiments_share_what_they_extend() {
    let other = "extends = [\"../common.toml\"]\ntitle = \"Other\"\n[stats.scores]\nlevel = 0.9\n";
    let lab = Lab::small()
        .file("common.toml", SMALL)
        .file(
            "experiments/one.toml",
            "extends = \"../common.toml\"\ntitle = \"One\"\n",
        )
        .file(
            "experiments/deep/other.toml",
            other.replace("../", "../../"),
        );
    let specs = ["experiments/one.toml", "experiments/deep/other.toml"];
    for spec in specs {
        lab.cmd(&["lint", spec]).ok();
        run(&lab, spec);
    }
    lab.cmd(&["bundle", specs[0], specs[1], "--output", ARCHIVE])
        .ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    let told = manifest(&elsewhere);
    let titles: Vec<_> = told["experiments"].as_array().unwrap().iter().collect();
    assert_eq!(titles[0]["spec"], specs[0]);
    assert_eq!(titles[1]["title"], "Other");
    for spec in specs {
        let ran = elsewhere.cmd(&["run", spec, "--json", "--offline"]).ok();
        assert_eq!(ran.made(), (0, 0, 0));
    }
    assert_eq!(
        files(&elsewhere.path("reports")),
        files(&lab.path("reports"))
    );
}

/// Runs a spec of a lab that is not its own.
fn run(lab: &Lab, spec: &str) {
    let mut command = lab.command(&["--version"]);
    let program = command.get_program().to_owned();
    command = std::process::Command::new(program);
    let output = command
        .args(["run", "-q", spec])
        .current_dir(lab.path(""))
        .env_clear()
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_bundle_of_the_same_results_has_the_same_bytes() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    let mut archives = Vec::new();
    for _ in 0..2 {
        bundle(&lab, &["--with-texts"]).ok();
        archives.push(fs_err::read(lab.path(ARCHIVE)).unwrap());
        lab.remove(ARCHIVE);
    }
    assert!(archives[0] == archives[1]);
}

#[test]
fn an_unpacked_project_can_be_bundled_again() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    bundle(&lab, &[]).ok();
    let first = Elsewhere::unpacked(&lab);
    first
        .cmd(&["bundle", "experiment.toml", "--output", ARCHIVE])
        .ok();
    let second = Elsewhere::new();
    second.unbundle(&first.path(ARCHIVE), &[]).ok();
    assert_eq!(second.run(&["--offline"]).ok().made(), (0, 0, 0));
    assert_eq!(files(&second.path("reports")), files(&lab.path("reports")));
    let refused = first.cmd(&[
        "bundle",
        "experiment.toml",
        "--with-texts",
        "--output",
        "x.tar.zst",
    ]);
    assert_eq!(refused.code, 4);
    assert!(
        refused.err.contains("the texts are missing"),
        "{}",
        refused.err
    );
}

#[test]
fn what_was_not_run_is_named_and_nobody_is_asked() {
    let lab = Lab::small();
    let said = bundle(&lab, &[]).exit(4);
    insta::assert_snapshot!(said.err, @r#"
    error: `experiment.toml` has not been run to completion: there is no result of `source.docs`, `judge.grades`, `stats.scores` and `table.scores`
    hint: run it first: `tribunal run experiment.toml`
    "#);
    lab.run(&["--only", "judge.grades"]).ok();
    let said = bundle(&lab, &[]).exit(4);
    insta::assert_snapshot!(said.err, @r#"
    error: `experiment.toml` has not been run to completion: there is no result of `stats.scores` and `table.scores`
    hint: run it first: `tribunal run experiment.toml`
    "#);
    assert_eq!(lab.asked(), 2);
    assert!(!lab.path(ARCHIVE).exists());
}

#[test]
fn values_from_outside_the_spec_go_along_where_results_depend_on_them() {
    let lab = Lab::small()
        .file(
            "elsewhere/corpus/a.txt",
            "The ferry left at noon. It came back at night.\n",
        )
        .file(
            "tribunal.local.toml",
            "[paths]\ncorpus = \"elsewhere/corpus\"\n[models.fake]\nconcurrency = 2\n",
        );
    lab.change("docs/*.txt", "{corpus}/*.txt");
    let changed = ["--set", "models.fake.temperature=0.5"];
    lab.run(&changed).ok();
    bundle(&lab, &changed).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    assert!(!elsewhere.path("tribunal.local.toml").exists());
    let overrides = fs_err::read_to_string(elsewhere.path("tribunal.bundle.toml")).unwrap();
    insta::assert_snapshot!(overrides, @r#"
    # What came from outside the specs when the bundle was made. Stronger than they, weaker
    # than tribunal.local.toml.
    [models.fake]
    temperature = 0.5

    [paths]
    corpus = "data/corpus"
    "#);
    assert_eq!(elsewhere.run(&["--offline"]).ok().made(), (0, 0, 0));
    assert_eq!(
        files(&elsewhere.path("reports")),
        files(&lab.path("reports"))
    );
}

#[test]
fn a_value_that_may_be_a_secret_is_refused() {
    let lab = Lab::small();
    let secret = ["--set", "models.fake.extra.api_key=hush"];
    lab.run(&secret).ok();
    let said = bundle(&lab, &secret).exit(3);
    assert!(!said.err.contains("hush"), "{}", said.err);
    insta::assert_snapshot!(said.err, @r#"
    error: `models.fake.extra.api_key` is set outside of the spec and may be a secret, so it does not go into a bundle
    hint: leave it out of `tribunal.local.toml`, the environment and `--set`, run again and bundle then
    "#);
    assert!(!lab.path(ARCHIVE).exists());
}

#[test]
fn a_file_outside_of_the_project_has_no_place_in_a_bundle() {
    let lab = Lab::small();
    let outside = lab.path("").parent().unwrap().join("common.toml");
    fs_err::write(&outside, SMALL).unwrap();
    lab.write("experiment.toml", "extends = \"../common.toml\"\n");
    lab.edit("experiment.toml", "extends", "title = \"Mine\"\nextends");
    fs_err::write(
        &outside,
        SMALL
            .replace("script.toml", "project/script.toml")
            .replace("docs/", "project/docs/"),
    )
    .unwrap();
    lab.run(&[]).ok();
    let said = bundle(&lab, &[]).exit(3);
    assert!(
        said.err.contains("lies outside of the project's folder"),
        "{}",
        said.err
    );
}

#[test]
fn rows_that_are_exported_and_hold_texts_are_not_written_and_said_to_be_missing() {
    let lab = Lab::small();
    lab.append("[export.rows]\nfrom = \"docs\"\nformat = \"csv\"");
    lab.run(&[]).ok();
    bundle(&lab, &[]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    let ran = elsewhere.run(&["--offline"]).ok();
    assert!(
        ran.out.contains("its rows were left out of the bundle"),
        "{}",
        ran.out
    );
    let (mut ours, mut theirs) = (
        files(&lab.path("reports")),
        files(&elsewhere.path("reports")),
    );
    assert!(ours.remove("experiment/rows.csv").is_some());
    // The lists of files differ in the one that was left out.
    let lists = [&mut ours, &mut theirs].map(|files| files.remove("experiment/files.json"));
    assert!(lists.iter().all(Option::is_some));
    assert_eq!(theirs, ours);
}

#[test]
fn books_that_were_fetched_are_known_by_their_digests_and_not_fetched_again() {
    let server = crate::fetch::mirror();
    let lab = Lab::new().spec(&format!(
        "[source.books]\ngutenberg = [11]\nmirror = \"{}/{{id}}.txt\"\n\
         [judge.plain]\nfrom = \"books\"\nmodel = \"heuristic\"\n\
         [stats.scores]\nfrom = \"plain\"\n[table.scores]\nfrom = \"scores\"\nrows = [\"metric\"]\n",
        server.url("")
    ));
    lab.run(&[]).ok();
    let asked = server.requests().len();
    bundle(&lab, &[]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    assert_eq!(elsewhere.run(&[]).ok().made(), (0, 0, 0));
    assert_eq!(server.requests().len(), asked);
    assert_eq!(
        files(&elsewhere.path("reports")),
        files(&lab.path("reports"))
    );
    let said = elsewhere.cmd(&[
        "run",
        "experiment.toml",
        "--set",
        "judge.plain.metrics=['fluency']",
    ]);
    assert_eq!(said.code, 4, "{}", said.err);
    assert!(
        said.err.contains("remove `tribunal.bundle.json`"),
        "{}",
        said.err
    );
}

#[test]
fn licences_are_stated_of_files_and_of_what_was_made_from_them() {
    let terms = "[paths]\ncorpus = \"docs\"\n[licences]\ncorpus = \"CC BY 4.0, A. Writer\"\n";
    let lab = Lab::small().spec(&format!(
        "{}\n{terms}",
        SMALL.replace("docs/*", "{corpus}/*")
    ));
    lab.run(&[]).ok();
    lab.write("LICENCE", "MIT, all of us\n");
    bundle(&lab, &["--licence", "LICENCE"]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    let told = manifest(&elsewhere);
    assert_eq!(told["licence"], "MIT, all of us");
    for input in told["inputs"].as_array().unwrap() {
        let corpus = input["pattern"] == "docs/*.txt";
        assert_eq!(
            input["licence"] == "CC BY 4.0, A. Writer",
            corpus,
            "{input}"
        );
    }
    for file in told["files"].as_array().unwrap() {
        let made = ["result", "entry"].contains(&file["what"].as_str().unwrap());
        assert_eq!(!file["licences"].is_null(), made, "{file}");
    }
}

#[test]
fn the_cache_of_an_unpacked_bundle_is_not_trimmed() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    bundle(&lab, &[]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    let said = elsewhere.cmd(&["gc", "--older", "1d", "--delete"]);
    assert_eq!(said.code, 2);
    assert_eq!(elsewhere.run(&["--offline"]).ok().made(), (0, 0, 0));
}
