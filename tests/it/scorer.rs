//! `scorer`: programs of the user's that score or parse rows, well and badly. Each is a few lines of `sh`.
#![cfg(unix)]

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use tribunal::frame::Frame;

use crate::corpus::{column, result};
use crate::lab::Lab;

const SPEC: &str = r#"
[source.answers]
files = "answers.jsonl"

[scorer.exact]
from = "answers"
columns = ["text", "reference"]
command = ["sh", "score.sh"]
version = "exact 1"
metrics = ["exact"]
scale = { min = 0, max = 1, step = 0 }

[stats.scores]
from = "exact"

[table.scores]
from = "scores"
rows = ["metric"]
"#;

/// How an absent cell is shown.
const ABSENT: &str = "–";

const ANSWERS: &str = r#"{"doc_id": "a", "text": "Paris", "reference": "Paris"}
{"doc_id": "b", "text": "Rome", "reference": "Paris"}
{"doc_id": "c", "text": "Bern", "reference": "Bern"}
{"doc_id": "d", "text": "Oslo", "reference": "Oslo"}
"#;

/// What every program begins with: it notes that it was started, and greets.
const GREETING: &str =
    "echo started >> started.log\necho '{\"scorer\": \"exact 1\", \"protocol\": 1}'\n";

/// A program that notes which texts it is asked about and does something about each: `$id` is the number of the row, `$text`
/// its text, and `give 0.5` answers.
fn program(about_each: &str) -> String {
    format!(
        r#"{GREETING}
give() {{ echo "{{\"id\": $id, \"scores\": {{\"exact\": $1}}}}"; }}
while read -r line; do
  id=${{line#*:}}; id=${{id%%,*}}
  text=${{line#*text\":\"}}; text=${{text%%\"*}}
  echo "$text" >> asked.log
  {about_each}
done
"#
    )
}

/// More rows than come in the time in which some are put away.
const ROWS: usize = 600;

/// Right, but for Rome.
const RIGHT: &str = "case $text in Rome) give 0;; *) give 1;; esac";

fn lab(about_each: &str) -> Lab {
    Lab::new()
        .spec(SPEC)
        .file("answers.jsonl", ANSWERS)
        .file("score.sh", program(about_each))
        .file("started.log", "")
        .file("asked.log", "")
}

fn lines(lab: &Lab, name: &str) -> Vec<String> {
    lab.read(name).lines().map(str::to_owned).collect()
}

fn scores(frame: &Frame) -> Vec<(String, String)> {
    let unscored = column(frame, "unscored");
    let scores = column(frame, "score").into_iter().zip(unscored);
    scores.collect()
}

fn scored(score: &str) -> (String, String) {
    (score.to_owned(), ABSENT.to_owned())
}

fn unscored(code: &str) -> (String, String) {
    (ABSENT.to_owned(), code.to_owned())
}

#[test]
fn its_scores_are_read_as_those_of_a_judge() {
    let lab = lab(RIGHT);
    let ran = lab.run(&["--json"]).ok();
    let rows = result(&lab, &ran, "scorer.exact");
    assert_eq!(
        rows.names(),
        [
            "doc_id",
            "reference",
            "metric",
            "score",
            "unscored",
            "detail",
            "explanation"
        ]
    );
    assert_eq!(column(&rows, "doc_id"), ["a", "b", "c", "d"]);
    assert_eq!(column(&rows, "score"), ["1", "0", "1", "1"]);
    assert!(
        ran.tables["scores.md"].contains("0.750"),
        "{}",
        ran.tables["scores.md"]
    );
    // Nothing is asked twice.
    assert_eq!(lines(&lab, "started.log").len(), 1);
    lab.again().ok();
    assert_eq!(lines(&lab, "started.log").len(), 1);
    // Another version is another program, whatever it says.
    lab.change("version = \"exact 1\"", "version = \"exact 2\"");
    let ran = lab.again().exit(4);
    assert!(
        ran.err
            .contains("it calls itself `exact 1`, and the spec declares `exact 2`")
            || ran.out.contains("it calls itself `exact 1`"),
        "{}",
        ran.err
    );
}

#[test]
fn a_row_on_which_it_dies_is_unscored_and_the_others_are_not_lost() {
    let lab = lab(&format!(
        "case $text in Bern) echo 'no memory for Bern' >&2; kill -9 $$;; esac; {RIGHT}"
    ));
    let ran = lab.run(&["--json"]).exit(4);
    let rows = result(&lab, &ran, "scorer.exact");
    assert_eq!(
        scores(&rows),
        [scored("1"), scored("0"), unscored("failed"), scored("1")]
    );
    let detail = &column(&rows, "detail")[2];
    assert!(
        detail.starts_with("the program ended (signal: 9"),
        "{detail}"
    );
    assert!(
        detail.ends_with("; it complained: `no memory for Bern`"),
        "{detail}"
    );
    let short = &ran.summary()["shortfalls"][0];
    assert_eq!(
        (&short["what"], &short["missing"]),
        (&"failed-calls".into(), &1.into())
    );
    let warned = ran.warnings().join("\n");
    assert!(warned.contains("was started again (3 times)"), "{warned}");
    // It was met with the others, and twice by itself; then only it is asked about again.
    let bern = |asked: &[String]| asked.iter().filter(|text| *text == "Bern").count();
    let asked = lines(&lab, "asked.log");
    assert_eq!((asked.len(), bern(&asked)), (6, 3));
    lab.write("score.sh", program(RIGHT));
    let ran = lab.again().ok();
    assert_eq!(lines(&lab, "asked.log").len(), 7);
    let rows = result(&lab, &ran, "scorer.exact");
    assert_eq!(column(&rows, "score"), ["1", "0", "1", "1"]);
}

#[test]
fn a_program_that_reads_ahead_before_it_dies_loses_no_other_row() {
    // It answers nothing before it has read four rows, or all there are, and dies of one of them.
    let script = format!(
        r#"{GREETING}
all=$(cat)
echo "$all" | grep -q Bern && [ $(echo "$all" | wc -l) -gt 0 ] && exit 1
echo "$all" | while read -r line; do
  id=${{line#*:}}; id=${{id%%,*}}
  echo "{{\"id\": $id, \"scores\": {{\"exact\": 1}}}}"
done
"#
    );
    let lab = lab(RIGHT);
    lab.write("score.sh", script);
    let ran = lab.run(&["--json"]).exit(4);
    assert_eq!(
        scores(&result(&lab, &ran, "scorer.exact")),
        [scored("1"), scored("1"), unscored("failed"), scored("1")]
    );
}

#[test]
fn one_that_says_nothing_is_stopped_and_the_row_is_named() {
    // The limit is for silence, so a machine that is too busy to start a shell within it says so about other rows too:
    // then a longer one is tried.
    for limit in ["2", "10", "60"] {
        let lab = lab(&format!(
            "case $text in Rome) exec tail -f /dev/null;; esac; {RIGHT}"
        ));
        lab.change("metrics =", &format!("timeout = {limit}\nmetrics ="));
        let ran = lab.run(&["--json"]).exit(4);
        let busy = ran.out.contains("had not greeted");
        let rows = (!busy).then(|| result(&lab, &ran, "scorer.exact"));
        let hung = [scored("1"), unscored("failed"), scored("1"), scored("1")];
        let Some(rows) = rows.filter(|rows| limit == "60" || scores(rows) == hung) else {
            continue;
        };
        assert_eq!(scores(&rows), hung);
        let told = format!("the program said nothing for {limit} s");
        assert_eq!(column(&rows, "detail")[1], told);
        return;
    }
    panic!("no shell starts within a minute");
}

#[test]
fn one_that_dies_again_and_again_is_given_up_and_what_it_said_is_kept() {
    let lab = lab("case $text in Paris) give 1;; *) echo 'no gpu' >&2; exit 3;; esac");
    lab.change("metrics =", "restarts = 4\nmetrics =");
    let ran = lab.run(&[]).exit(4);
    let told = "the scorer `sh score.sh` ended (exit status: 3); it complained: `no gpu`, having answered 1 of 4 rows, and \
                was started again 4 times before";
    assert!(ran.err.contains(told), "{}", ran.err);
    assert_eq!(lines(&lab, "started.log").len(), 5);
    lab.write("score.sh", program(RIGHT));
    lab.run(&[]).ok();
    let asked = lines(&lab, "asked.log");
    assert_eq!(asked.iter().filter(|text| *text == "Paris").count(), 1);
}

#[test]
fn what_is_no_answer_is_quoted_and_fails_the_stage() {
    for (each, told) in [
        (
            "echo 'Loading: 50%'",
            "gave an invalid answer: in the reply to row 1 (`a`), the line `Loading: 50%` cannot be read",
        ),
        (
            "id=7; give 1",
            "in the reply to row 1 (`a`), `id` is 7: there must be one reply for each row, in the order of the rows",
        ),
        (
            "case $text in Oslo) give 1; give 1;; *) give 1;; esac",
            "wrote more lines than there are rows",
        ),
    ] {
        let lab = lab(&format!("echo 'said aside' >&2; {each}"));
        let ran = lab.run(&[]).exit(4);
        assert!(ran.err.contains(told), "{}", ran.err);
        assert!(
            ran.err.contains("it complained: `said aside"),
            "{}",
            ran.err
        );
        assert!(
            ran.err.contains("write one line of JSON for each row"),
            "{}",
            ran.err
        );
    }
    let lab = lab(RIGHT);
    lab.write("score.sh", "echo Hello; cat");
    let ran = lab.run(&[]).exit(4);
    assert!(
        ran.err
            .contains("the first line should be a greeting such as"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("and is `Hello`"), "{}", ran.err);
    lab.write("score.sh", "echo 'no module named comet' >&2; exit 1");
    let ran = lab.run(&[]).exit(4);
    assert!(
        ran.err.contains(
            "ended (exit status: 1) before it had greeted; it complained: `no module named comet`"
        ),
        "{}",
        ran.err
    );
}

#[test]
fn one_that_never_greets_is_not_waited_for_again_and_again() {
    let lab = lab(RIGHT);
    lab.change("metrics =", "timeout = 0.2\nmetrics =");
    lab.write(
        "score.sh",
        "echo started >> started.log; exec tail -f /dev/null",
    );
    let ran = lab.run(&[]).exit(4);
    let told = "said nothing for 0.2 s and had not greeted";
    assert!(ran.err.contains(told), "{}", ran.err);
    assert!(lines(&lab, "started.log").len() <= 1);
}

#[test]
fn an_end_that_is_not_well_after_the_last_reply_loses_nothing() {
    let lab = lab(RIGHT);
    let script = lab.read("score.sh");
    lab.write(
        "score.sh",
        format!("{script}\necho 'no gpu to let go' >&2; exit 7\n"),
    );
    let ran = lab.run(&["--json"]).ok();
    let rows = result(&lab, &ran, "scorer.exact");
    assert_eq!(column(&rows, "score"), ["1", "0", "1", "1"]);
    let told = "the program ended (exit status: 7); it complained: `no gpu to let go`, after its last reply";
    assert_eq!(ran.warnings(), [told]);
}

#[test]
fn complaints_without_end_are_no_trouble() {
    let flood = "head -c 20000000 /dev/zero | tr '\\0' x >&2; echo >&2; echo last words >&2";
    let lab = lab(&format!(
        "case $text in Rome) {flood};; Oslo) exit 1;; esac; {RIGHT}"
    ));
    let ran = lab.run(&["--json"]).exit(4);
    let rows = result(&lab, &ran, "scorer.exact");
    assert_eq!(column(&rows, "score"), ["1", "0", "1", ABSENT]);
    lab.write("score.sh", program(&format!("{flood}; echo nonsense")));
    let ran = lab.again().exit(4);
    assert!(ran.out.contains("last words"), "{}", ran.out);
    assert!(ran.out.len() < 20_000);
}

#[test]
fn what_is_no_number_is_no_score_and_says_why() {
    let lab = lab(
        "case $text in Paris) give NaN;; Rome) give '\"1\"';; Bern) give 1.5;; Oslo) give null;; esac",
    );
    lab.change("metrics =", "max-unscored = 1\nmetrics =");
    let ran = lab.run(&["--json"]).ok();
    let rows = result(&lab, &ran, "scorer.exact");
    let codes = ["off-scale", "off-scale", "off-scale", "no-score-found"];
    assert_eq!(scores(&rows), codes.map(unscored));
    assert_eq!(
        column(&rows, "detail"),
        ["NaN", "\"1\"", "1.5", "the program gives no reason"]
    );
}

#[test]
fn labels_of_a_scale_are_read_as_those_of_judges() {
    let lab = lab(
        "case $text in Paris) give '\"Yes\"';; Rome) give '\"no.\"';; Bern) give 1;; *) give '\"maybe\"';; esac",
    );
    lab.change(
        "scale = { min = 0, max = 1, step = 0 }",
        "scale.labels = { No = 0, Yes = 1 }\nmax-unscored = 1",
    );
    let ran = lab.run(&["--json"]).ok();
    let rows = result(&lab, &ran, "scorer.exact");
    assert_eq!(column(&rows, "label"), ["Yes", "No", ABSENT, ABSENT]);
    let off = || unscored("off-scale");
    assert_eq!(scores(&rows), [scored("1"), scored("0"), off(), off()]);
    assert_eq!(column(&rows, "detail"), [ABSENT, ABSENT, "1", "\"maybe\""]);
}

#[test]
fn columns_that_it_gives_stand_beside_the_rows() {
    let lab = lab(
        r#"echo "{\"id\": $id, \"gives\": {\"length\": ${#text}, \"kind\": \"city\", \"late\": $([ $text = Oslo ] && echo 7 || echo true)}}""#,
    );
    let spec = lab.read("experiment.toml");
    let end = spec.find("metrics =").unwrap();
    lab.write(
        "experiment.toml",
        format!(
            "{}gives = {{ length = \"number\", kind = \"text\", late = \"boolean\" }}\n",
            &spec[..end]
        ),
    );
    let ran = lab.run(&["--json"]).ok();
    let rows = result(&lab, &ran, "scorer.exact");
    assert_eq!(
        rows.names(),
        [
            "doc_id",
            "text",
            "reference",
            "length",
            "kind",
            "late",
            "no_late"
        ]
    );
    assert_eq!(column(&rows, "length"), ["5", "4", "4", "4"]);
    assert_eq!(column(&rows, "late"), ["true", "true", "true", ABSENT]);
    assert_eq!(
        column(&rows, "no_late")[3],
        "the reply gives `7`, which is neither `true` nor `false`"
    );
}

#[test]
fn a_row_on_which_a_parser_dies_fails_the_run_too() {
    let lab = lab(
        r#"[ $text = Bern ] && exit 1; echo "{\"id\": $id, \"gives\": {\"length\": ${#text}}}""#,
    );
    let spec = lab.read("experiment.toml");
    let end = spec.find("metrics =").unwrap();
    let gives = "gives = { length = \"number\" }\n[export.rows]\nfrom = \"exact\"\n";
    lab.write("experiment.toml", format!("{}{gives}", &spec[..end]));
    let ran = lab.run(&["--json"]).exit(4);
    let rows = result(&lab, &ran, "scorer.exact");
    assert_eq!(column(&rows, "length"), ["5", "4", ABSENT, "4"]);
    assert_eq!(
        column(&rows, "no_length")[2],
        "the program ended (exit status: 1)"
    );
    let short = &ran.summary()["shortfalls"][0];
    assert_eq!((&short["missing"], &short["of"]), (&1.into(), &4.into()));
}

#[test]
fn rows_without_a_value_are_not_asked_about() {
    let lab = lab(RIGHT);
    lab.write(
        "answers.jsonl",
        ANSWERS.replace(r#", "reference": "Bern""#, ""),
    );
    let ran = lab.run(&["--json"]).ok();
    let rows = result(&lab, &ran, "scorer.exact");
    assert_eq!(scores(&rows)[2], unscored("not-applicable"));
    assert_eq!(column(&rows, "detail")[2], "no `reference`: no value");
    assert_eq!(lines(&lab, "asked.log"), ["Paris", "Rome", "Oslo"]);
}

#[test]
fn several_side_by_side_give_the_same_rows() {
    let one = lab(RIGHT);
    let ran = one.run(&["--json"]).ok();
    let rows = result(&one, &ran, "scorer.exact");
    let several = lab(RIGHT);
    several.change("metrics =", "processes = 3\nmetrics =");
    let ran = several.run(&["--json", "--jobs", "2"]).ok();
    assert_eq!(lines(&several, "started.log").len(), 2);
    let others = result(&several, &ran, "scorer.exact");
    assert_eq!(scores(&others), scores(&rows));
}

/// Waits for something that another process brings about.
fn wait_for(child: &mut Child, what: &dyn Fn() -> bool) {
    let began = Instant::now();
    while !what() {
        assert!(child.try_wait().unwrap().is_none(), "it ended");
        assert!(began.elapsed() < Duration::from_mins(2), "it does not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn start(lab: &Lab) -> Child {
    let mut command = lab.command(&["run"]);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Whether a process is there that does anything.
fn lives(pid: &str) -> bool {
    let stat = fs_err::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().unwrap_or_default().trim_start();
    !state.is_empty() && !state.starts_with('Z')
}

#[test]
fn an_interrupt_ends_it_with_all_that_it_started_and_what_it_said_is_kept() {
    let lab = lab(&format!(
        "case $text in Bern) tail -f /dev/null & echo $! $$ > pids; wait;; esac; {RIGHT}"
    ));
    let mut run = start(&lab);
    wait_for(&mut run, &|| {
        fs_err::read_to_string(lab.path("pids")).is_ok_and(|pids| pids.ends_with('\n'))
    });
    let pid = nix::unistd::Pid::from_raw(run.id().try_into().unwrap());
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).unwrap();
    let output = run.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    for pid in lab.read("pids").split_whitespace() {
        assert!(!lives(pid), "{pid} is still there");
    }
    lab.write("score.sh", program(RIGHT));
    lab.run(&[]).ok();
    assert_eq!(
        lines(&lab, "asked.log"),
        ["Paris", "Rome", "Bern", "Bern", "Oslo"]
    );
}

#[test]
fn rows_that_were_put_away_outlive_the_death_of_the_run() {
    // Rows are put away with the first that comes a second after the last time: they come one by one, however long it
    // takes, until some are.
    let lab = lab(&format!(
        "{RIGHT}; [ -e enough ] && exec tail -f /dev/null; sleep 0.02"
    ));
    let row = |n| format!("{{\"doc_id\": \"{n}\", \"text\": \"{n}\", \"reference\": \"{n}\"}}\n");
    lab.write("answers.jsonl", (0..ROWS).map(row).collect::<String>());
    let calls = || lab.files("cache/v1/calls");
    let mut run = start(&lab);
    wait_for(&mut run, &|| {
        calls()
            .iter()
            .any(|path| path.metadata().is_ok_and(|file| file.len() > 100))
    });
    lab.write("enough", "");
    run.kill().unwrap();
    run.wait().unwrap();
    let before = lines(&lab, "asked.log").len();
    lab.write("score.sh", program(RIGHT));
    lab.run(&[]).ok();
    let asked = lines(&lab, "asked.log");
    assert_eq!(asked.iter().filter(|text| *text == "0").count(), 1);
    // What was put away is not asked about again, and all others are.
    let again = asked.len() - before;
    assert!(again < ROWS, "{again} after {before}");
    let each: std::collections::BTreeSet<&String> = asked.iter().collect();
    assert_eq!(each.len(), ROWS);
}
