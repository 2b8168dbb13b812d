//! The page of a run: what stands on it, when it is drawn, and when it is left alone.

use std::io::Read as _;
use std::path::PathBuf;
use std::time::SystemTime;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::read::GzDecoder;
use serde_json::Value;

use crate::lab::{ANY_SCORE, Lab, SMALL};

const PAGE: &str = "reports/experiment/index.html";

/// A text that takes kilobytes, however it is packed.
pub(crate) fn noise() -> String {
    let word = |number: u64| format!("{:x} ", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    (1..200).map(word).collect()
}

/// Its judgements, where it has no room for them.
const BESIDE: &str = "reports/experiment/index.judgements";

/// A script that scores one of the two documents only.
const HALF: &str = r#"
[[reply]]
contains = ["mill"]
text = "I cannot say."

[[reply]]
text = "FINAL Fluency Score: 4"
"#;

fn modified(lab: &Lab, name: &str) -> SystemTime {
    fs_err::metadata(lab.path(name))
        .unwrap()
        .modified()
        .unwrap()
}

/// Two specs in `experiments` that share documents and judge.
fn two() -> Lab {
    let named = |title: &str| {
        SMALL
            .replace("title = \"Small\"", &format!("title = \"{title}\""))
            .replace("script.toml", "../script.toml")
            .replace("docs/*.txt", "../docs/*.txt")
            .replace("[judge.grades]", "[judge.grades]\nmax-unscored = 1")
    };
    Lab::new()
        .file(
            "docs/a.txt",
            "The ferry left at noon. It came back at night.\n",
        )
        .file("docs/b.txt", "The mill stood still. Nobody knew why.\n")
        .template("grade", "Grade fluency and coherence.\n\n{{ text }}\n")
        .script(HALF)
        .file("experiments/one.toml", named("The first"))
        .file(
            "experiments/two.toml",
            named("The second").replace("rows = [\"metric\"]", "rows = [\"metric\"]\ndecimals = 1"),
        )
}

fn run(lab: &Lab, args: &[&str]) -> (i32, String) {
    let output = lab.exactly(args).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8(said).unwrap(),
    )
}

#[test]
fn the_page_holds_the_numbers_of_every_table_and_says_where_it_is() {
    let lab = Lab::small();
    let ran = lab.run(&[]).ok();
    assert!(
        ran.err.ends_with(
            "tables are in reports/experiment\nthe page is reports/experiment/index.html\n"
        ),
        "{}",
        ran.err
    );
    let page = lab.read(PAGE);
    let numbers: Vec<&str> = ran.tables["scores.md"]
        .split(['|', ' ', '\n'])
        .filter(|word| word.contains('.') && word.parse::<f64>().is_ok())
        .collect();
    assert!(!numbers.is_empty(), "{}", ran.tables["scores.md"]);
    for number in numbers {
        assert!(
            page.contains(&format!("<td>{number}")),
            "{number} is not on the page"
        );
    }
    for part in ["Small", "source.docs", "judge.grades", "run.json"] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn an_idle_run_leaves_the_page_alone() {
    let lab = Lab::small();
    lab.run(&["--jobs", "1"]).ok();
    let (page, time) = (lab.read(PAGE), modified(&lab, PAGE));
    lab.run(&["--jobs", "8"]).ok();
    lab.cmd(&["report"]).ok();
    assert_eq!(modified(&lab, PAGE), time);
    assert_eq!(lab.read(PAGE), page);
}

#[test]
fn a_page_that_is_gone_edited_or_cut_is_drawn_again_as_it_was() {
    let lab = Lab::small();
    lab.run(&["--jobs", "1"]).ok();
    let page = lab.read(PAGE);
    let edits: [&dyn Fn(); 4] = [
        &|| lab.remove(PAGE),
        &|| lab.write(PAGE, page.replacen("Small", "Smell", 1)),
        &|| lab.write(PAGE, &page[..page.len() / 2]),
        &|| lab.write(PAGE, format!("{page}<p>more</p>")),
    ];
    for edit in edits {
        edit();
        lab.run(&["--jobs", "8"]).ok();
        assert!(lab.read(PAGE) == page, "drawn differently");
    }
}

#[test]
fn what_changes_on_the_page_is_drawn() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    lab.change("title = \"Small\"", "title = \"Renamed\"");
    assert_eq!(lab.run(&[]).ok().asked, 0);
    assert!(lab.read(PAGE).contains("Renamed"));
    lab.append("decimals = 1");
    lab.run(&[]).ok();
    assert!(lab.read(PAGE).contains(".0</td>"), "one decimal");
}

#[test]
fn report_draws_again_what_is_gone_without_asking() {
    let lab = Lab::small();
    let before = lab.run(&[]).ok();
    let page = lab.read(PAGE);
    lab.remove(PAGE);
    lab.remove("reports/experiment/scores.md");
    let drawn = lab.cmd(&["report"]).ok();
    assert_eq!(drawn.asked, 0);
    assert_eq!(drawn.tables, before.tables);
    assert_eq!(drawn.record, before.record);
    assert!(lab.read(PAGE) == page, "drawn differently");
    assert_eq!(drawn.out, "");
    assert_eq!(
        drawn.err,
        "tables are in reports/experiment\nthe page is reports/experiment/index.html\n"
    );
}

#[test]
fn report_without_results_names_the_stages_and_draws_nothing() {
    let lab = Lab::small();
    let told = lab.cmd(&["report"]).exit(4);
    assert_eq!(told.asked, 0);
    assert!(lab.files("reports").is_empty());
    insta::assert_snapshot!(told.err, @r"
    error: 4 of 4 results are not cached, and `report` runs nothing: `source.docs`, `judge.grades`, `stats.scores` and `table.scores`
    hint: `tribunal run experiment.toml` makes what is missing
    ");
    lab.run(&["--only", "judge.grades"]).ok();
    let told = lab.cmd(&["report"]).exit(4);
    insta::assert_snapshot!(told.err, @r"
    error: 2 of 4 results are not cached, and `report` runs nothing: `stats.scores` and `table.scores`
    hint: `tribunal run experiment.toml` makes what is missing
    ");
}

#[test]
fn the_page_of_a_run_of_some_stages_begins_with_what_was_not_run() {
    let lab = Lab::small();
    lab.run(&["--only", "judge.grades"]).ok();
    let page = lab.read(PAGE);
    assert!(page.contains("the run is not complete"), "{page}");
    lab.run(&[]).ok();
    assert!(!lab.read(PAGE).contains("not complete"));
}

#[test]
fn scores_that_do_not_exist_are_counted_by_judge_and_reason() {
    let lab = Lab::small().script(HALF);
    lab.change("[judge.grades]", "[judge.grades]\nmax-unscored = 1");
    lab.run(&[]).ok();
    let page = lab.read(PAGE);
    assert!(
        page.contains("fake: 1 of 2 scores unscored, 50.0 %: no score found 1"),
        "{page}"
    );
}

#[test]
fn the_page_of_a_run_that_failed_begins_with_that() {
    let lab = Lab::small().script("[[reply]]\nfail = \"the server is down\"\n");
    lab.run(&["--jobs", "1"]).exit(4);
    let page = lab.read(PAGE);
    let first =
        page.find("the run is not complete: 1 stage failed, 2 instances of stages were not run");
    let why = page.find("judge.grades failed: ");
    assert!(first.is_some() && first < why, "{first:?} {why:?}");
    assert!(page.contains("the server is down"));
    lab.write("script.toml", format!("log = \"asked.log\"\n{ANY_SCORE}"));
    lab.run(&[]).ok();
    assert!(!lab.read(PAGE).contains("not complete"));
}

#[test]
fn printed_values_are_compared_by_run_and_verify_alike() {
    let lab = Lab::small()
        .script("[[reply]]\ntext = \"FINAL Fluency Score: 4\"\n")
        .file("printed.csv", "metric,printed\nfluency,4.5\n");
    lab.append("expect = \"printed.csv\"");
    lab.run(&[]).ok();
    let page = lab.read(PAGE);
    assert!(page.contains("1 of 1 published value is not reproduced and not explained"));
    assert!(page.contains("audit-differs"));
    let time = modified(&lab, PAGE);
    lab.cmd(&["verify"]).exit(5);
    assert_eq!(modified(&lab, PAGE), time);
    lab.write("printed.csv", "metric,printed\nfluency,4.0\n");
    lab.run(&[]).ok();
    assert!(!lab.read(PAGE).contains("not reproduced and not explained"));
}

#[test]
fn printed_values_that_cannot_be_read_are_told_before_anything_runs() {
    let lab = Lab::small();
    lab.append("expect = \"printed.csv\"");
    lab.write("printed.csv", "metric,printed\nfluency,\"4\n");
    let (code, said) = run(&lab, &["run", "experiment.toml"]);
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("lint::expected-values"), "{said}");
}

#[test]
fn experiments_that_ran_together_have_a_page_of_their_own_and_one_of_all() {
    let lab = two();
    let (code, said) = run(&lab, &["run", "experiments"]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.ends_with("tables are in reports\nthe page is reports/index.html\n"),
        "{said}"
    );
    let all = lab.read("reports/index.html");
    for part in [
        "2 experiments",
        "The first",
        "The second",
        "one: judge.grades",
        "all experiments: judge.grades",
        "data-chunk=\"index\"",
    ] {
        assert!(all.contains(part), "{part}");
    }
    for name in ["one", "two"] {
        let own = lab.read(&format!("reports/{name}/index.html"));
        assert!(
            own.replace("&#x2f;", "/")
                .contains("href=\"../index.html\"")
                && !own.contains("data-chunk=\""),
            "{name}"
        );
    }
    let pages: Vec<PathBuf> = ["reports/index.html", "reports/one/index.html"]
        .map(|name| lab.path(name))
        .into();
    let times = || -> Vec<SystemTime> {
        pages
            .iter()
            .map(|page| fs_err::metadata(page).unwrap().modified().unwrap())
            .collect()
    };
    let before = times();
    assert_eq!(run(&lab, &["run", "experiments"]).0, 0);
    assert_eq!(run(&lab, &["report", "experiments"]).0, 0);
    assert_eq!(times(), before);
    // Alone it has its judgements itself.
    assert_eq!(run(&lab, &["run", "experiments/one.toml"]).0, 0);
    assert!(
        lab.read("reports/one/index.html")
            .contains("data-chunk=\"index\"")
    );
}

#[test]
fn two_folders_of_experiments_have_a_page_each() {
    let lab = two();
    let folders = ["first", "second/deep"];
    for (name, folder) in ["one", "two"].into_iter().zip(folders) {
        let up = "../".repeat(1 + folder.split('/').count());
        let spec = lab.read(&format!("experiments/{name}.toml"));
        let spec = spec.replace("../", &up);
        lab.write(&format!("experiments/{folder}/{name}.toml"), &spec);
        let spec = spec.replace("title = \"The", "title = \"Again the");
        lab.write(&format!("experiments/{folder}/again.toml"), &spec);
    }
    for folder in folders {
        let (code, said) = run(&lab, &["run", &format!("experiments/{folder}")]);
        assert_eq!(code, 0, "{said}");
        let end =
            format!("tables are in reports/{folder}\nthe page is reports/{folder}/index.html\n");
        assert!(said.ends_with(&end), "{said}");
    }
    assert!(!lab.path("reports/index.html").exists());
    assert!(lab.read("reports/first/index.html").contains("The first"));
    let up = |page: &str, up: &str| {
        let own = lab.read(page).replace("&#x2f;", "/");
        assert!(own.contains(&format!("href=\"{up}index.html\"")), "{page}");
    };
    up("reports/second/deep/two/index.html", "../");
    // Of both, it is above both.
    let all = ["run", "experiments/first", "experiments/second/deep"];
    let (code, said) = run(&lab, &all);
    assert_eq!(code, 0, "{said}");
    assert!(said.ends_with("the page is reports/index.html\n"), "{said}");
    up("reports/second/deep/two/index.html", "../../../");
}

/// What a page's list of judgements says of its rows.
pub(crate) fn index(page: &str) -> Value {
    let (_, chunk) = page.split_once("data-chunk=\"index\"").unwrap();
    let chunk = chunk.split_once('>').unwrap().1.split_once('<').unwrap().0;
    let packed = BASE64.decode(chunk.trim()).unwrap();
    let mut text = String::new();
    GzDecoder::new(&*packed).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn judgements_are_listed_with_what_statistics_tell_them_apart_by_and_their_model() {
    let spec = SMALL
        .replace("files = \"docs/*.txt\"", "files = \"docs.csv\"")
        .replace(
            "from = \"grades\"",
            "from = \"grades\"\nby = [\"genre\"]\nwhere = \"age > 1\"",
        )
        .replace("rows = [\"metric\"]", "rows = [\"genre\", \"metric\"]");
    let lab = Lab::small().spec(&spec).file(
        "docs.csv",
        "doc_id,genre,age,mood,text\na,tale,2,odd,The ferry left.\nb,song,3,odd,The mill stood still.\n",
    );
    lab.run(&[]).ok();
    let index = index(&lab.read(PAGE));
    let columns = index["columns"].as_array().unwrap();
    let column = |name: &str| columns.iter().find(|column| column["name"] == name);
    let values = |name: &str| column(name).map(|column| column["values"].to_string());
    assert_eq!(values("genre").unwrap(), "[\"tale\",\"song\"]");
    assert_eq!(values("age").unwrap(), "[\"2\",\"3\"]");
    assert_eq!(values("mood"), None);
    assert_eq!(values("model").unwrap(), "[\"fake\"]");
}

#[test]
fn files_of_rows_are_named_on_the_page() {
    let export = "\n[export.rows]\nfrom = \"grades\"\nformat = \"jsonl\"\n";
    let lab = Lab::small();
    lab.append(export);
    lab.append("\n[[ablation]]\nname = \"both\"\nset = { \"judge.grades.metrics\" = [\"fluency\", \"coherence\"] }\n");
    lab.run(&[]).ok();
    let page = lab.read(PAGE).replace("&#x2f;", "/");
    let named = "<code>rows.jsonl</code>, <code>both/rows.jsonl</code>";
    assert!(page.contains(named), "{page}");
    // On the page of several they are in the folder of theirs.
    let lab = two();
    let spec = lab.read("experiments/two.toml") + export;
    lab.write("experiments/two.toml", spec);
    assert_eq!(run(&lab, &["run", "experiments"]).0, 0);
    let page = lab.read("reports/index.html").replace("&#x2f;", "/");
    assert!(page.contains("<code>two/rows.jsonl</code>"));
    assert!(lab.path("reports/two/rows.jsonl").is_file());
}

#[test]
fn a_page_is_not_written_where_none_is_wanted() {
    let lab = Lab::small();
    lab.append("[report]\npage = false");
    let ran = lab.run(&[]).ok();
    assert!(
        !lab.path(PAGE).exists() && !ran.err.contains("the page is"),
        "{}",
        ran.err
    );
}

#[test]
fn judgements_that_a_page_may_not_hold_are_written_nowhere() {
    let lab = Lab::small();
    lab.append("[report]\nembed = \"0 MB\"");
    lab.run(&[]).ok();
    let page = lab.read(PAGE);
    assert!(!page.contains("data-chunk=\""));
    let said = "2 judgements are not in this page: `tribunal view experiment.toml` shows them";
    assert!(page.contains(said), "{page}");
    assert!(!lab.path(BESIDE).exists());
}

#[test]
fn judgements_that_a_page_has_no_room_for_lie_beside_it() {
    let lab = Lab::small();
    lab.write("docs/a.txt", noise());
    lab.append("[report]\nembed = \"1 kB\"");
    let said = lab.run(&[]).ok().err;
    let hint = "index.html; `tribunal view experiment.toml` shows its judgements\n";
    assert!(said.ends_with(hint), "{said}");
    let bytes = || fs_err::read(lab.path(BESIDE)).unwrap();
    let (page, beside) = (lab.read(PAGE), bytes());
    assert!(!page.contains("data-chunk=\""));
    assert!(
        page.contains("2 judgements take")
            && page.contains("`tribunal view experiment.toml` shows them"),
        "{page}"
    );
    assert!(
        lab.read("reports/experiment/files.json")
            .contains("index.judgements")
    );
    // An idle run leaves both alone, and says again how to look at them.
    let time = [PAGE, BESIDE].map(|name| modified(&lab, name));
    let said = lab.run(&[]).ok().err;
    assert!(said.ends_with(hint), "{said}");
    assert_eq!([PAGE, BESIDE].map(|name| modified(&lab, name)), time);
    // What is gone, cut or changed is written again as it was.
    for change in [&b""[..], &beside[..beside.len() - 3], b"mine"] {
        lab.write(BESIDE, change);
        lab.run(&[]).ok();
        assert!(bytes() == beside && lab.read(PAGE) == page);
    }
    lab.remove(BESIDE);
    lab.run(&[]).ok();
    assert!(bytes() == beside && lab.read(PAGE) == page);
    // With room in the page they are in it and not beside it.
    lab.change("embed = \"1 kB\"", "embed = \"1 MB\"");
    lab.run(&[]).ok();
    assert!(lab.read(PAGE).contains("data-chunk=\"index\""));
    assert!(!lab.path(BESIDE).exists());
    assert!(
        !lab.read("reports/experiment/files.json")
            .contains("index.judgements")
    );
}

#[test]
fn a_file_of_ones_own_by_the_name_of_judgements_stays() {
    let lab = Lab::small();
    lab.write(BESIDE, "mine");
    lab.run(&[]).ok();
    assert_eq!(lab.read(BESIDE), "mine");
    lab.append("[report]\npage = false");
    lab.run(&[]).ok();
    assert_eq!(lab.read(BESIDE), "mine");
}

#[test]
fn judgements_beside_a_page_go_with_it() {
    let lab = Lab::small();
    lab.write("docs/a.txt", noise());
    lab.append("[report]\nembed = \"1 kB\"");
    lab.run(&[]).ok();
    assert!(lab.path(BESIDE).exists());
    lab.change("embed = \"1 kB\"", "page = false");
    lab.run(&[]).ok();
    assert!(!lab.path(BESIDE).exists() && !lab.path(PAGE).exists());
}

#[test]
fn titles_labels_and_documents_that_are_markup_stay_text() {
    let lab = Lab::small().file(
        "docs/a.txt",
        "</script><script>alert(1)</script> <img src=x onerror=alert(2)>\n",
    );
    lab.change("title = \"Small\"", "title = \"<script>alert(3)</script>\"");
    lab.append("title = \"</table><script>alert(4)</script>\"\nlabels = { metric = { fluency = \"<b onclick=alert(5)>x</b>\" } }");
    lab.run(&[]).ok();
    let page = lab.read(PAGE);
    for wrong in ["<script>alert", "<b onclick", "<img src=x"] {
        assert!(!page.contains(wrong), "{wrong}");
    }
    assert!(page.contains("&lt;script&gt;alert(3)"));
}

#[test]
fn what_a_bundle_left_out_is_told_on_the_page() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    let (code, said) = run(&lab, &["bundle", "experiment.toml", "-o", "b.tar.zst"]);
    assert_eq!(code, 0, "{said}");
    let (code, said) = run(&lab, &["unbundle", "b.tar.zst", "--into", "there"]);
    assert_eq!(code, 0, "{said}");
    for verb in ["report", "run"] {
        let (code, said) = run(&lab, &[verb, "there/experiment.toml"]);
        assert_eq!(code, 0, "{said}");
        let page = lab.read("there/reports/experiment/index.html");
        assert!(
            page.contains("left out of the bundle that this came in"),
            "{verb}"
        );
    }
}
