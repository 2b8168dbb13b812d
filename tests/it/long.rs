//! Tables too long to be in memory go through stages part by part, and come to the same as tables that are read whole.

use serde_json::Value;
use tribunal::base::key::Digest;
use tribunal::frame::{ColumnData, Frame, ParquetStream};

use crate::lab::{Lab, json_lines};

/// What is done to the documents, however they were read.
const STAGES: &str = r#"
[clean.cleaned]
from = "docs"
steps = ["blank-lines"]

[select.long]
from = "cleaned"
sentences = { min = 3 }
where = "year > 1900"

[select.drawn]
from = "long"
sample = 20

[truncate.short]
from = "drawn"
tokens = 12

[manipulate.damaged]
from = "short"
apply = "typos"

[export.damaged]
from = "damaged"
format = "jsonl"
"#;

/// Fifty-six documents of half a megabyte each, two of them short and two without text.
fn documents() -> String {
    let mut lines = String::new();
    for at in 0..60 {
        let text = match at {
            7 | 40 => "One sentence alone.".to_owned(),
            11 | 52 => "   ".to_owned(),
            _ => format!(
                "The ferry number {at} left.  It came back late.\n\n\nIt was {at}.{}",
                " ".repeat(1 << 19)
            ),
        };
        let year = match at {
            // A fraction comes late, and so does a column.
            59 => "1959.5, \"note\": \"late\"".to_owned(),
            3 => "null".to_owned(),
            at => (1890 + at).to_string(),
        };
        let text = serde_json::json!(text);
        let id = format!("d{at:02}");
        lines.extend([
            "{\"doc_id\": \"",
            &id,
            "\", \"text\": ",
            &text.to_string(),
            ", \"year\": ",
            &year,
            "}\n",
        ]);
    }
    lines
}

fn lab(source: &str) -> Lab {
    let spec = format!(
        "title = \"Long\"\nseed = 3\n\n[source.docs]\nfiles = \"{source}\"\nempty = \"drop\"\n{STAGES}"
    );
    Lab::new().spec(&spec)
}

#[test]
fn a_table_that_is_read_part_by_part_comes_to_the_same() {
    let lines = documents();
    let parts = lab("docs.jsonl").file("docs.jsonl", &lines);
    let ran = parts.run(&["--json"]).ok();
    let left = "left out 2 documents without text: `d11` and `d52`".to_owned();
    assert!(ran.warnings().contains(&left), "{:?}", ran.warnings());
    let damaged = &ran.tables["damaged.jsonl"];
    assert_eq!(damaged.lines().count(), 20);

    // A column of lists beside texts has to be read whole; it is left out again.
    let mixed = lines
        .replacen("\"year\"", "\"odd\": [1], \"year\"", 1)
        .replacen("\"year\": 1892", "\"odd\": 2, \"year\": 1892", 1);
    let whole = lab("docs.jsonl").file("docs.jsonl", &mixed);
    whole.edit("experiment.toml", "from = \"docs\"", "from = \"without\"");
    whole.append("\n[select.without]\nfrom = \"docs\"\ncolumns = [\"doc_id\", \"text\", \"year\", \"note\"]\n");
    assert_eq!(&whole.run(&[]).ok().tables["damaged.jsonl"], damaged);
}

/// The same as csv.
fn records() -> String {
    let mut records = "doc_id,text,year,note\n".to_owned();
    for row in json_lines(&documents()) {
        let cell = |name: &str| match &row[name] {
            Value::String(text) => format!("\"{}\"", text.replace('"', "\"\"")),
            Value::Null => String::new(),
            other => other.to_string(),
        };
        let cells = ["doc_id", "text", "year", "note"].map(cell);
        records.extend([&cells.join(","), "\n"]);
    }
    records
}

#[test]
fn csv_that_is_read_part_by_part_comes_to_the_same() {
    let lines = lab("docs.jsonl").file("docs.jsonl", documents());
    let lines = lines.run(&[]).ok().tables["damaged.jsonl"].clone();
    let parts = lab("docs.csv").file("docs.csv", records());
    let ran = parts.run(&["--json"]).ok();
    let left = "left out 2 documents without text: `d11` and `d52`".to_owned();
    assert!(ran.warnings().contains(&left), "{:?}", ran.warnings());
    assert_eq!(ran.tables["damaged.jsonl"], lines);
}

#[test]
fn mistakes_in_long_csv_are_told_as_in_a_short_one() {
    let records = records();
    for (from, to, said) in [
        ("\"d30\"", "\"d02\"", "duplicate doc_id: `d02`"),
        ("\"d30\"", "", "row 31 has no `doc_id`"),
        // Most texts have three line breaks within.
        (
            "\"d50\",",
            "\"d50\",1,",
            "line 193: 5 cells where the header has 4",
        ),
        (
            "\"d50\",\"",
            "\"d50\",\"\"",
            "line 193: `T` follows the quote that closes the cell",
        ),
    ] {
        let lab = lab("docs.csv").file("docs.csv", records.replacen(from, to, 1));
        let ran = lab.run(&[]).exit(4);
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
}

#[test]
fn files_of_long_tables_are_those_of_short_ones() {
    let lines = documents().replacen("\"note\": \"late\"", "\"note\": [1]", 1);
    let lab = Lab::new()
        .spec(concat!(
            "title = \"Long\"\n[source.docs]\nfiles = \"docs.jsonl\"\nempty = \"keep\"\n",
            "[export.rows]\nfrom = \"docs\"\nformat = \"csv\"\n",
            "[export.lines]\nfrom = \"docs\"\nformat = \"jsonl\"\n",
            "[export.whole]\nfrom = \"docs\"\n",
            "[export.years]\nfrom = \"docs\"\nformat = \"csv\"\ncolumns = [\"year\", \"doc_id\"]\n",
        ))
        .file("docs.jsonl", &lines);
    let long = lab.run(&[]).ok().tables;
    let whole = Frame::from_jsonl(lines.as_bytes()).unwrap();
    let years = whole.select(&["year", "doc_id"].map(str::to_owned));
    for (name, short) in [
        ("rows.csv", whole.to_csv()),
        ("lines.jsonl", whole.to_jsonl()),
        ("years.csv", years.unwrap().to_csv()),
    ] {
        assert!(long[name].as_bytes() == short.unwrap(), "{name}");
    }
    assert!(long["years.csv"].starts_with("year,doc_id\n"));
    let path = lab.path("reports/experiment/whole.parquet");
    let rows = Frame::from_parquet(fs_err::read(path).unwrap(), None).unwrap();
    assert_eq!(rows.rows(), 60);
    // Once more, nothing changes.
    assert!(lab.run(&[]).ok().tables == long);
}

/// Eighty documents of half a megabyte that hardly can be packed, two without text, ten to a group of rows.
fn groups(first: usize) -> Frame {
    const SIGNS: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ.,;:!?0123\n";
    let text = |at: usize| {
        let drawn = (0..1 << 14).flat_map(|n| *Digest::of(format!("{at} {n}")).as_bytes());
        let signs = drawn.map(|byte| char::from(SIGNS[usize::from(byte % 64)]));
        (at % 40 != 11).then(|| {
            format!(
                "The ferry {at} left. It came back. It was late. {}",
                signs.collect::<String>()
            )
        })
    };
    let rows = || first..first + 10;
    Frame::new(vec![
        (
            "doc_id".to_owned(),
            ColumnData::text(rows().map(|at| format!("d{at:02}"))),
        ),
        (
            "text".to_owned(),
            ColumnData::Text(rows().map(text).collect()),
        ),
        (
            "year".to_owned(),
            ColumnData::Int(
                rows()
                    .map(|at| (at != 3).then_some(1890 + i64::try_from(at).unwrap()))
                    .collect(),
            ),
        ),
    ])
    .unwrap()
}

#[test]
fn parquet_that_is_read_part_by_part_comes_to_the_same() {
    let (mut file, mut lines) = (Vec::new(), Vec::new());
    let mut stream = ParquetStream::begin(&mut file, &groups(0)).unwrap();
    for first in (0..80).step_by(10) {
        let rows = groups(first);
        stream.push(&rows).unwrap();
        lines.extend(rows.to_jsonl().unwrap());
    }
    stream.end().unwrap();
    assert!(file.len() > 25_000_000, "{}", file.len());
    let parts = lab("docs.parquet").file("docs.parquet", &file);
    let ran = parts.run(&["--json"]).ok();
    let left = "left out 2 documents without text: `d11` and `d51`".to_owned();
    assert!(ran.warnings().contains(&left), "{:?}", ran.warnings());
    let damaged = &ran.tables["damaged.jsonl"];
    assert_eq!(damaged.lines().count(), 20);
    let other = lab("docs.jsonl").file("docs.jsonl", &lines);
    assert_eq!(&other.run(&[]).ok().tables["damaged.jsonl"], damaged);

    // A second file in which the years have fractions has to be read together with the first.
    let fractions = groups(80)
        .with_column("year", ColumnData::Float(vec![Some(1950.5); 10]))
        .unwrap();
    let two = lab("*.parquet")
        .file("a.parquet", &file)
        .file("b.parquet", fractions.to_parquet().unwrap());
    two.edit("experiment.toml", "sample = 20", "sample = 70");
    let all = two.run(&[]).ok().tables["damaged.jsonl"].clone();
    assert_eq!(all.lines().count(), 70);
    assert!(all.contains("1950.5"));
}

#[test]
fn text_files_that_are_read_part_by_part_come_to_the_same() {
    let spec = |files: &str| {
        format!(
            "title = \"Long\"\n\n[source.docs]\nfiles = {files}\n\n[truncate.short]\nfrom = \"docs\"\ntokens = 4\n\n[export.short]\nfrom = \"short\"\nformat = \"jsonl\"\n"
        )
    };
    let text = |at: usize| format!("Text {at} is long. {}", "X ".repeat(1 << 19));
    let mut lab = Lab::new().spec(&spec("\"docs/*.txt\""));
    for at in 0..30 {
        lab = lab.file(&format!("docs/{at}.txt"), text(at));
    }
    let rows = json_lines(&lab.run(&[]).ok().tables["short.jsonl"]);
    let ids: Vec<&str> = rows
        .iter()
        .map(|row| row["doc_id"].as_str().unwrap())
        .collect();
    let mut sorted: Vec<String> = (0..30).map(|at| format!("{at}.txt")).collect();
    sorted.sort();
    assert_eq!(
        ids,
        sorted
            .iter()
            .map(|name| name.trim_end_matches(".txt"))
            .collect::<Vec<_>>()
    );
    assert!(
        rows.iter()
            .all(|row| row["text"].as_str().unwrap().ends_with("is long."))
    );
}

#[test]
fn mistakes_in_a_long_file_are_told_as_in_a_short_one() {
    let lines = documents();
    for (from, to, said) in [
        (
            "\"doc_id\": \"d30\"",
            "\"doc_id\": \"d02\"",
            "duplicate doc_id: `d02`",
        ),
        (
            "\"doc_id\": \"d30\"",
            "\"doc_id\": \"\"",
            "row 31 has no `doc_id`",
        ),
        (
            "{\"doc_id\": \"d50\"",
            "[{\"doc_id\": \"d50\"",
            "line 51: not valid JSON",
        ),
    ] {
        let lab = lab("docs.jsonl").file("docs.jsonl", lines.replacen(from, to, 1));
        let ran = lab.run(&[]).exit(4);
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
}

/// A book of so many tokens, in eight chunks: each is asked about with the whole book before it, and what is written is
/// judged element by element beside the chunk.
#[cfg(unix)]
fn book(tokens: usize) -> Lab {
    let words = [
        "The keeper",
        "A ferry",
        "Her letter",
        "The old mill",
        "Nobody",
    ];
    let ends = [
        "came back at dusk.",
        "was seen by the river.",
        "stood open that winter.",
    ];
    let sentences = (0..tokens / 8).map(|at| {
        format!(
            "{} of day {at} {}",
            words[at % words.len()],
            ends[at % ends.len()]
        )
    });
    let text = sentences.collect::<Vec<_>>().join(" ");
    Lab::new()
        .spec(&format!(
            r#"
[models.fake]
provider = "scripted"
script = "script.toml"

[source.books]
files = "book.txt"

[split.chunks]
from = "books"
into = "chunks"
tokens = {}

[join.beside]
from = "chunks"
with = "books"
on = "doc_id"
columns = {{ book = "text" }}

[generate.answer]
from = "beside"
model = "fake"
prompt = "ask"
variables = ["book"]
into = "answer"

[derive.answers]
from = "answer"
drop = ["book"]
compute.claims = "[answer, 'Nobody came.']"

[judge.checked]
from = "answers"
model = "fake"
prompt = "check"
variables = ["text", "claims"]
metrics = ["faithful"]
parse = "items"
items = "claims"
scale.labels = {{ no = 0, yes = 1 }}

[stats.shares]
from = "checked"
over = ["doc_id", "section", "item"]
cluster = "doc_id"

[table.shares]
from = "shares"
rows = "metric"
"#,
            tokens / 8
        ))
        .template("ask", "{{ book }}\n\nWho came back?")
        .template("check", "{{ text }}\n{% for part in claims %}{{ loop.index }}. {{ part }}\n{% endfor %}")
        .script("[[reply]]\ncontains = [\"Who came back\"]\ntext = \"The keeper came back.\"\n[[reply]]\ntext = \"1. yes\\n2. no\"\n")
        .file("book.txt", text)
}

/// The seconds that a run of it computes, on however many cores and whatever else these do.
#[cfg(unix)]
fn computed(lab: &Lab) -> f64 {
    let tribunal = lab.command(&["run", "--quiet"]);
    let program = tribunal.get_program().to_string_lossy().into_owned();
    let arguments: Vec<String> = tribunal
        .get_args()
        .map(|one| one.to_string_lossy().into_owned())
        .collect();
    let mut shell = std::process::Command::new("sh");
    shell
        .args(["-c", "\"$@\" >/dev/null || exit 9; times", "sh", &program])
        .args(arguments);
    shell
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap());
    shell.current_dir(tribunal.get_current_dir().unwrap());
    let told = shell.output().unwrap();
    let said = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(
        told.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&told.stderr)
    );
    let of_children = said.lines().last().unwrap();
    let seconds = |time: &str| -> f64 {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').unwrap();
        minutes.parse::<f64>().unwrap() * 60.0 + seconds.parse::<f64>().unwrap()
    };
    of_children.split_whitespace().map(seconds).sum()
}

#[cfg(unix)]
#[test]
fn a_whole_book_goes_through_cuts_joins_prompts_and_page_in_time_that_grows_with_its_length() {
    let [half, whole] = [75_000, 150_000].map(book);
    let (short, long) = (computed(&half), computed(&whole));
    // Twice the length takes twice the time at most, and what went by its square would take four times as long.
    assert!(
        long < 3.0 * short,
        "{short} s for half of the book, {long} s for the whole of it"
    );
    let page = whole.read("reports/experiment/index.html");
    assert!(page.len() < 4_000_000, "{}", page.len());
    assert!(whole.read("reports/experiment/shares.md").contains("0.500"));
}

#[test]
fn how_a_table_is_stored_does_not_depend_on_who_else_reads_it() {
    // One stage compares all rows with each other, and so reads them together; the other reads part by part.
    let spec = "title = \"Long\"\n\n[source.docs]\nfiles = \"docs.jsonl\"\n\n\
        [select.different]\nfrom = \"docs\"\ndistinct = true\n\n\
        [select.late]\nfrom = \"docs\"\nwhere = \"year > 1900\"\n";
    let lines: Vec<String> = (0..40)
        .map(|at| {
            let text = format!("The ferry number {at} left.{}", " ".repeat(3 << 18));
            format!(
                "{}\n",
                serde_json::json!({"doc_id": format!("d{at}"), "text": text, "year": 1890 + at})
            )
        })
        .collect();
    let stored = |args: &[&str]| {
        let lab = Lab::new().spec(spec).file("docs.jsonl", lines.concat());
        lab.run(args).ok();
        let blobs = lab.files("cache/v1/blobs").into_iter();
        let digests = blobs.map(|path| path.file_name().unwrap().to_owned());
        digests.collect::<std::collections::BTreeSet<_>>()
    };
    let all = stored(&["--jobs", "1"]);
    assert_eq!(all.len(), 3);
    assert_eq!(all, stored(&["--jobs", "4"]));
    let own = stored(&["--only", "select.late"]);
    assert!(own.is_subset(&all), "{own:?} of {all:?}");
}

#[test]
fn columns_that_are_computed_part_by_part_are_those_of_the_whole() {
    // Of the second, the last document alone has no value: only all rows tell what its column of reasons is.
    let lines = |filler: usize| -> String {
        let line = |at: usize| {
            let year = (at < 39).then_some(1890 + at);
            let row = serde_json::json!({"doc_id": format!("d{at}"), "text": format!("Long.{}", " ".repeat(filler)), "year": year});
            format!("{row}\n")
        };
        (0..40).map(line).collect()
    };
    let ran = |compute: &str, filler: usize| {
        let spec = format!(
            "title = \"Long\"\n\n[source.docs]\nfiles = \"docs.jsonl\"\n\n[derive.more]\nfrom = \"docs\"\ndrop = [\"text\"]\n\
            rename.of = \"year\"\n{compute}\n\n[export.more]\nfrom = \"more\"\nformat = \"jsonl\"\n"
        );
        let lab = Lab::new().spec(&spec).file("docs.jsonl", lines(filler));
        lab.run(&[]).ok().tables["more.jsonl"].clone()
    };
    for compute in [
        "compute.name = \"[doc_id, '!'] | join\"",
        "compute.next = \"of + 1\"",
        "compute.half = \"of / 2 if of is not none else 0\"",
        "number.at = { within = [] }",
    ] {
        let short = ran(compute, 1);
        assert_eq!(short.lines().count(), 40, "{compute}");
        assert_eq!(ran(compute, 3 << 18), short, "{compute}");
    }
    // Numbers in the first parts, texts in the last ones.
    let wrong = |filler| {
        let spec = "title = \"Long\"\n\n[source.docs]\nfiles = \"docs.jsonl\"\n\n[derive.more]\nfrom = \"docs\"\ncompute.odd = \"year if year < 1915 else doc_id\"\n";
        let lab = Lab::new().spec(spec).file("docs.jsonl", lines(filler));
        let told = lab.run(&[]).exit(4).err;
        let (_, failed) = told.split_once("failed derive.more").unwrap();
        failed.split_once("hint:").unwrap().0.to_owned()
    };
    assert_eq!(wrong(3 << 18), wrong(1));
}

/// Forty documents in several parts, of which the last alone has two sentences.
#[test]
fn a_selection_loses_no_row_however_late_the_first_one_is_left_out() {
    let lines: Vec<String> = (0..40)
        .map(|at| {
            let more = if at == 39 { "It came back." } else { "" };
            let text = format!("The ferry {at} left. {more}{}", " ".repeat(3 << 18));
            let line = serde_json::json!({"doc_id": format!("d{at}"), "text": text, "year": at});
            format!("{line}\n")
        })
        .collect();
    let rows = |select: &str| {
        let spec = format!(
            "title = \"Long\"\n\n[source.docs]\nfiles = \"docs.jsonl\"\n\n[select.some]\nfrom = \"docs\"\n{select}\n\n\
            [export.some]\nfrom = \"some\"\nformat = \"jsonl\"\n"
        );
        let lab = Lab::new().spec(&spec).file("docs.jsonl", lines.concat());
        let ran = lab.run(&[]).ok();
        let rows = json_lines(&ran.tables["some.jsonl"]);
        let ids: Vec<String> = rows
            .iter()
            .map(|row| row["doc_id"].as_str().unwrap().to_owned())
            .collect();
        // The documents, and what was selected where that is not the same; rows to be exported are those selected.
        let large = lab.files("cache/v1/blobs").into_iter();
        let large = large.filter(|path| fs_err::metadata(path).unwrap().len() > 1000);
        (ids, large.count())
    };
    let all = |count: usize| (0..count).map(|at| format!("d{at}")).collect::<Vec<_>>();
    // What keeps all is the table that was read, and stored once.
    for select in ["sentences = { min = 1 }", "where = \"year >= 0\""] {
        let (ids, tables) = rows(select);
        assert_eq!(ids, all(40), "{select}");
        assert_eq!(tables, 1, "{select}");
    }
    for select in ["sentences = { max = 1 }", "where = \"year < 39\""] {
        assert_eq!(rows(select).0, all(39), "{select}");
    }
    assert_eq!(rows("sentences = { min = 2 }").0, ["d39"]);
}

/// What a plan says does not depend on whether the rows that are asked about are stored together or in several parts: prompts
/// that are the same share a call wherever they stand, and those that are too long are named.
#[test]
fn a_plan_of_a_table_in_several_parts_counts_what_one_of_a_short_table_does() {
    let spec = r#"
        title = "Long"

        [models.script]
        provider = "scripted"
        script = "script.toml"

        [models.served]
        provider = "openai"
        model = "judge"
        context = 60
        max-tokens = 20

        [source.docs]
        files = "docs.jsonl"

        [select.few]
        from = "docs"
        where = "year < 10"

        [judge.few]
        from = "few"
        model = "script"
        prompt = "year"
        variables = ["year"]
        metrics = ["fluency"]

        [judge.all]
        from = "docs"
        model = "script"
        prompt = "year"
        variables = ["year"]
        metrics = ["fluency"]

        [judge.served]
        from = "docs"
        model = "served"
        prompt = "note"
        variables = ["note"]
        metrics = ["fluency"]
    "#;
    let calls = |filler: usize| {
        let lines = (0..40).map(|at| {
            let text = format!("The ferry {at} left.{}", " ".repeat(filler));
            let note = "late ".repeat(if at == 33 { 100 } else { at % 7 });
            let line = serde_json::json!({
                "doc_id": format!("d{at}"), "text": text, "note": note, "year": at % 20,
            });
            format!("{line}\n")
        });
        let lab = Lab::new()
            .spec(spec)
            .file("docs.jsonl", lines.collect::<String>())
            .file(
                "script.toml",
                "[[reply]]\ntext = \"FINAL Fluency Score: 4\"\n",
            )
            .file("templates/year.j2", "Grade the fluency of {{ year }}.")
            .file("templates/note.j2", "Grade the fluency of: {{ note }}");
        lab.cmd(&["run", "--only", "judge.few"]).ok();
        let plan = lab.cmd(&["plan", "--json"]).ok();
        let nodes: Vec<Value> = serde_json::from_str(&plan.out).unwrap();
        let of = |name: &str| {
            let node = nodes.iter().find(|node| node["node"] == name);
            node.unwrap()["calls"].clone()
        };
        [of("judge.all"), of("judge.served")]
    };
    let [all, served] = calls(3 << 18);
    assert_eq!([&all, &served], calls(1).each_ref());
    assert_eq!([&all["stored"], &all["calls"]], [20, 10]);
    assert_eq!([&served["too_long"], &served["calls"]], [1, 7]);
    assert_eq!(served["exact"], false);
}

/// A row without a name is told by its place in the table, not in the part of it that was looked at.
#[test]
fn a_prompt_that_is_too_long_is_named_by_its_place_in_the_whole_table() {
    let spec = r#"
        title = "Long"

        [models.served]
        provider = "openai"
        model = "judge"
        context = 60
        max-tokens = 20

        [source.docs]
        files = "docs.jsonl"

        [select.bare]
        from = "docs"
        columns = ["text", "note"]

        [judge.served]
        from = "bare"
        model = "served"
        prompt = "note"
        variables = ["note"]
        metrics = ["fluency"]
        max-unscored = 0.0
    "#;
    let told = |filler: usize| {
        let lines = (0..40).map(|at| {
            let text = format!("The ferry {at} left.{}", " ".repeat(filler));
            let note = "late ".repeat(if at == 33 { 100 } else { 1 });
            let line = serde_json::json!({"doc_id": format!("d{at}"), "text": text, "note": note});
            format!("{line}\n")
        });
        let lab = Lab::new()
            .spec(spec)
            .file("docs.jsonl", lines.collect::<String>())
            .file("templates/note.j2", "Grade the fluency of: {{ note }}");
        let plan = lab.cmd(&["plan"]);
        format!("{}{}", plan.out, plan.err)
    };
    let long = told(3 << 18);
    assert!(long.contains("`row 34` has"), "{long}");
    assert!(told(1).contains("`row 34` has"));
}
