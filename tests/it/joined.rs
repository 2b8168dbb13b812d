//! Rows of several stages together, through whole specs: `join`, `concat`, and stages that read what they could not before.

use crate::lab::{ANY_SCORE, Lab, Ran};

const JUDGED: &str = r#"
[models.fake]
provider = "scripted"
script = "script.toml"

[models.strict]
provider = "scripted"
script = "script.toml"
system = "Be strict."

[source.docs]
files = "docs.csv"

[judge.first]
from = "docs"
model = "fake"
prompt = "grade"

[judge.second]
from = "docs"
model = "strict"
prompt = "grade"
"#;

const DOCS: &str = "doc_id,text,year\na,Ada went home.,1900\nb,Bea went out.,1950\nc,Cy slept.,\n";

fn lab(rest: &str) -> Lab {
    Lab::new()
        .spec(&format!("{JUDGED}\n{rest}"))
        .file("docs.csv", DOCS)
        .file("notes.csv", "doc_id,text,grade\nb,x,7\nz,y,8\n")
        .template("grade", "Grade fluency and coherence: {{ text }}")
        .template(
            "again",
            "Fluency was {{ first }}. Grade fluency and coherence: {{ text }}",
        )
        .script(ANY_SCORE)
}

/// The lines of a csv that an export wrote.
#[track_caller]
fn lines(ran: &Ran, file: &str) -> Vec<String> {
    let file = format!("{file}.csv");
    let text = ran
        .tables
        .get(&file)
        .unwrap_or_else(|| panic!("{file}: {:?}", ran.tables.keys()));
    text.lines().map(str::to_owned).collect()
}

const BOTH: &str = r#"
[join.both]
from = "first"
with = "second"
on = ["doc_id", "metric"]
columns = { other = "score" }

[export.both]
from = "both"
columns = ["doc_id", "metric", "score", "other"]
format = "csv"
"#;

#[test]
fn two_judges_are_compared_row_by_row() {
    let lab = lab(BOTH);
    let ran = lab.run(&["--json"]).ok();
    assert!(ran.err.is_empty(), "{}", ran.err);
    let both = lines(&ran, "both");
    assert_eq!(both.len(), 7, "{both:?}");
    assert_eq!(both[0], "doc_id,metric,score,other");
    let finished = ran.events("finished").into_iter();
    let mut finished = finished.filter(|event| event["node"] == "join.both");
    let counts = &finished.next().unwrap()["counts"]["relation"]["join"];
    assert_eq!(
        (counts["matched"].as_u64(), counts["unused"].as_u64()),
        (Some(6), Some(0))
    );
}

#[test]
fn axes_that_both_sides_share_are_joined_on_without_being_named() {
    let lab = lab(&format!(
        r#"{BOTH}
[axes]
scale = {{ set = ["judge.first.scale.step", "judge.second.scale.step"], values = [1, 0.5] }}
"#
    ));
    lab.change(
        r#"columns = ["doc_id", "metric", "score", "other"]"#,
        r#"columns = ["doc_id", "metric", "scale"]"#,
    );
    let ran = lab.run(&["--json"]).ok();
    let both = lines(&ran, "both");
    // Two nodes of six rows, each row once.
    assert_eq!(both.len(), 13, "{both:?}");
    assert_eq!(both.iter().filter(|line| line.ends_with(",0.5")).count(), 6);
    let nodes = ran.nodes();
    let joins = nodes.iter().filter(|node| node.starts_with("join.both["));
    assert_eq!(joins.count(), 2, "{nodes:?}");
}

#[test]
fn an_axis_of_the_right_side_alone_is_a_column_of_every_row() {
    let lab = lab(r#"
[axes]
scale = { set = "judge.second.scale.step", values = [1, 0.5] }

[select.coherent]
from = "second"
where = "metric == 'coherence' and doc_id != 'c'"

[join.both]
from = "docs"
with = "coherent"
on = "doc_id"
columns = ["score"]

[stats.shares]
from = "both"
value = "score"
by = "scale"

[table.shares]
from = "shares"
rows = "scale"

[export.both]
from = "both"
columns = ["doc_id", "scale", "unscored"]
format = "csv"
"#);
    let ran = lab.run(&["--json"]).ok();
    let both = lines(&ran, "both");
    let last = "no match in `select.coherent`";
    assert!(both.contains(&format!("c,1,{last}")), "{both:?}");
    assert!(both.contains(&format!("c,0.5,{last}")), "{both:?}");
    // What is absent is counted with its reason where the scores are averaged.
    let shares = &ran.tables["shares.md"];
    assert!(shares.contains("2 rows unscored"), "{shares}");
}

#[test]
fn all_values_of_an_axis_become_one_table_and_other_axes_stay() {
    let lab = lab(r#"
[axes]
model = { set = "judge.first.model", values = ["fake", "strict"] }
step = { set = "judge.first.scale.step", values = [1, 0.5] }

[concat.models]
from = "first"
over = "model"
columns = ["doc_id", "metric", "score"]

[stats.by-model]
from = "models"
by = "model"

[table.scores]
from = "by-model"
rows = ["step", "model", "metric"]

[export.models]
from = "models"
format = "csv"

[[ablation]]
name = "one"
set = { "axes.model.values" = ["fake"] }
"#);
    let ran = lab.run(&["--json"]).ok();
    let nodes = ran.nodes();
    let concats: Vec<&String> = nodes
        .iter()
        .filter(|node| node.starts_with("concat."))
        .collect();
    assert_eq!(
        concats,
        [
            "concat.models[step=0.5, ablation=one]",
            "concat.models[step=0.5]",
            "concat.models[step=1, ablation=one]",
            "concat.models[step=1]"
        ]
    );
    let models = lines(&ran, "models");
    assert_eq!(models[0], "doc_id,metric,score,unscored,model,step");
    assert_eq!(models.len(), 1 + 2 * 2 * 6);
    assert_eq!(
        models
            .iter()
            .filter(|line| line.contains(",strict,"))
            .count(),
        12
    );
}

#[test]
fn zipped_axes_are_gathered_together_and_excluded_values_are_not_there() {
    let spec = r#"
[axes]
model = { set = "judge.first.model", values = ["fake", "strict"] }
step = { set = "judge.first.scale.step", values = [1, 0.5] }
called = { set = "judge.second.scale.step", values = [1, 0.5] }

[grid]
GRID

[concat.all]
from = "first"
over = OVER
columns = ["doc_id", "metric", "score"]

[export.all]
from = "all"
format = "csv"
"#;
    let with = |grid: &str, over: &str| lab(&spec.replace("GRID", grid).replace("OVER", over));
    let zipped = with("zip = [[\"model\", \"step\"]]", "[\"model\", \"step\"]");
    let ran = zipped.run(&["--json"]).ok();
    assert_eq!(lines(&ran, "all").len(), 1 + 2 * 6);
    let excluded = with(
        "exclude = [{ model = \"strict\", step = 1 }]",
        "[\"model\", \"step\"]",
    );
    let ran = excluded.run(&["--json"]).ok();
    assert_eq!(lines(&ran, "all").len(), 1 + 3 * 6);
    let half = with("zip = [[\"model\", \"step\"]]", "\"model\"");
    let refused = half.cmd(&["lint"]).exit(3);
    let said = "each value of `step` goes with one value of `model`, so nothing is put together";
    assert!(refused.err.contains(said), "{}", refused.err);
}

#[test]
fn an_axis_of_some_of_the_stages_is_a_column_of_all_rows() {
    let lab = lab(r#"
[axes]
step = { set = "judge.first.scale.step", values = [1, 0.5] }

[concat.both]
from = ["first", "second"]
columns = ["doc_id", "metric", "score"]

[export.both]
from = "both"
columns = ["doc_id", "origin", "step"]
format = "csv"
"#);
    let ran = lab.run(&["--json"]).ok();
    let both = lines(&ran, "both");
    assert_eq!(both.len(), 1 + 2 * 12);
    assert_eq!(
        both.iter()
            .filter(|line| line.ends_with("second,0.5"))
            .count(),
        6,
        "{both:?}"
    );
}

#[test]
fn a_judge_reads_what_another_judge_said() {
    let lab = lab(r#"
[select.fluent]
from = "first"
where = "metric == 'fluency'"

[join.seen]
from = "docs"
with = "fluent"
on = "doc_id"
columns = { first = "score" }

[judge.again]
from = "seen"
model = "fake"
prompt = "again"
variables = ["text", "first"]

[table.change]
from = "again"
value = "first"
rows = "doc_id"
columns = "metric"

[stats.change]
from = "again"
value = "first"

[table.means]
from = "stats.change"
rows = "metric"
"#);
    let ran = lab.run(&["--json"]).ok();
    assert!(
        ran.tables["change.md"].contains("| a |"),
        "{}",
        ran.tables["change.md"]
    );
    let spec = lab
        .read("experiment.toml")
        .replace("columns = { first = \"score\" }", "columns = [\"score\"]");
    lab.write("experiment.toml", spec);
    let refused = lab.cmd(&["lint"]).exit(3);
    assert!(
        refused
            .err
            .contains("`join.seen` already has a column `score`"),
        "{}",
        refused.err
    );
    assert!(refused.err.contains("rename or drop"), "{}", refused.err);
}

#[test]
fn a_bare_name_means_what_it_meant_and_others_where_there_is_none() {
    let lab = lab(r#"
[stats.first]
from = "first"

[table.first]
from = "first"
rows = "metric"

[table.judgements]
from = "judge.first"
rows = "doc_id"
columns = "metric"

[table.years]
from = "docs"
value = "year"
rows = "doc_id"

[figure.of-years]
from = "docs"
value = "year"
x = "doc_id"
"#);
    let ran = lab.run(&["--json"]).ok();
    assert!(
        ran.tables["first.md"].contains("fluency"),
        "{}",
        ran.tables["first.md"]
    );
    let years = &ran.tables["years.md"];
    assert!(years.contains("1900"), "{years}");
    // A year that is not there is no 0, and says that there is none.
    assert!(years.contains("no value"), "{years}");
}

#[test]
fn two_rows_of_a_table_in_one_place_are_an_error() {
    let lab = lab(r#"
[table.first]
from = "judge.first"
rows = "doc_id"
"#);
    let ran = lab.run(&["-q"]);
    assert_ne!(ran.code, 0);
    assert!(ran.err.contains("doc_id"), "{}", ran.err);
}

const NOTES: &str = r#"
[source.notes]
files = "notes.csv"

[join.noted]
from = "docs"
with = "notes"
on = "doc_id"
columns = ["grade"]

[table.noted]
from = "noted"
value = "grade"
rows = "doc_id"
"#;

#[test]
fn what_found_nothing_is_said_in_the_run_on_the_page_in_show_and_in_diff() {
    let lab = lab(NOTES);
    let said = "1 of 3 rows has a match in `source.notes`; 1 of its 2 rows matches nothing";
    let ran = lab.run(&[]).ok();
    assert!(ran.err.contains(said), "{}", ran.err);
    let page = lab.read("reports/experiment/index.html");
    assert!(
        page.contains("1 of 3 rows has a match in"),
        "not on the page"
    );
    let shown = lab.cmd(&["show", "--stage", "noted"]).ok();
    assert!(shown.out.contains(said), "{}", shown.out);
    for key in [
        "`source.docs`: doc_id = a; doc_id = c",
        "`source.notes`: doc_id = z",
    ] {
        assert!(shown.out.contains(key), "{}", shown.out);
    }
    let noted = &ran.tables["noted.md"];
    assert!(noted.contains("no match in"), "{noted}");
    lab.copy("reports/experiment", "before");
    lab.write("notes.csv", "doc_id,text,grade\nb,x,7\na,y,8\n");
    lab.run(&["-q"]).ok();
    let diff = lab.cmd(&["diff", "before", "reports/experiment"]);
    assert!(
        diff.out.contains("join.noted: join.matched"),
        "{}",
        diff.out
    );
}

#[test]
fn a_join_of_judged_rows_is_shown_once_their_replies_are_there() {
    let lab = lab(BOTH);
    let early = lab.cmd(&["show", "--stage", "both"]);
    assert_ne!(early.code, 0);
    assert!(early.err.contains("--only join.both"), "{}", early.err);
    lab.run(&["-q"]).ok();
    let asked = lab.asked();
    let shown = lab.cmd(&["show", "--stage", "both"]).ok();
    assert!(
        shown
            .out
            .contains("6 of 6 rows have a match in `judge.second`"),
        "{}",
        shown.out
    );
    assert_eq!(lab.asked(), asked);
}

#[test]
fn joins_are_the_same_bytes_whatever_the_number_of_threads() {
    let table = |step: usize, column: &str| {
        let rows = (0..3_000).map(|at| {
            let at = at * step % 1_009;
            format!("d{},{},{}\n", at % 211, at % 7, at)
        });
        format!("doc_id,part,{column}\n{}", rows.collect::<String>())
    };
    let spec = r#"
[source.one]
files = "one.csv"
text = "one"
key = ["doc_id", "part"]

[source.two]
files = "two.csv"
text = "two"
key = ["doc_id", "part"]

[join.both]
from = "one"
with = "two"
on = "doc_id"
columns = { other = "text", other_part = "part" }
many = true

[export.both]
from = "both"
"#;
    let digests: Vec<String> = ["1", "8"]
        .map(|threads| {
            let lab = Lab::new()
                .spec(spec)
                .file("one.csv", unique(&table(7, "one")))
                .file("two.csv", unique(&table(3, "two")))
                .env("POLARS_MAX_THREADS", threads)
                .env("RAYON_NUM_THREADS", threads);
            lab.run(&["-q"]).ok().tables["both.parquet"].clone()
        })
        .to_vec();
    assert_eq!(digests[0], digests[1]);
}

/// The lines of a csv, each key of two columns once.
fn unique(csv: &str) -> String {
    let mut seen = std::collections::BTreeSet::new();
    let key = |line: &&str| line.rsplit_once(',').map(|(key, _)| key.to_owned());
    let lines = csv.lines().filter(|line| seen.insert(key(line)));
    lines.flat_map(|line| [line, "\n"]).collect()
}
