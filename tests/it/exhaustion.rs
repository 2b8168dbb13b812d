//! What takes all memory or never ends where nobody bounds it: it is refused, within a gigabyte and a minute.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use tribunal::frame::{ColumnData, Frame, ParquetStream, rehearse_with};

use crate::lab::Lab;

/// What the command says, and how it ends, with a gigabyte of memory and a minute of the processor.
fn bounded(lab: &Lab, args: &[&str]) -> (i32, String) {
    let plain = lab.command(args);
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -d 1000000; ulimit -t 60; exec \"$@\"", "sh"])
        .arg(plain.get_program())
        .args(plain.get_args())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    if let Some(folder) = plain.get_current_dir() {
        command.current_dir(folder);
    }
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap_or(-1), said)
}

fn refused(lab: &Lab, args: &[&str], why: &str) {
    let (code, said) = bounded(lab, args);
    let short: String = said.chars().take(2000).collect();
    let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let flat = flat.replace(" │ ", " ");
    assert_eq!(code, 3, "{short}");
    assert!(flat.contains(why), "{why}:\n{short}");
}

#[test]
fn a_template_that_grows_without_end_is_refused() {
    let doubled = "{% set a = a ~ a %}".repeat(60);
    let lists = "{% set a = [a, a] %}".repeat(60);
    let replaced = "{% set a = a|replace('x', 'xxxxxxxxxxxxxxxx') %}".repeat(20);
    let joined = "{% set a = (a|list)|join(a) %}".repeat(20);
    for (text, why) in [
        (format!("{{% set a = text %}}{doubled}{{{{ a }}}}"), "grows beyond"),
        (format!("{{% set a = text %}}{lists}{{{{ a }}}}"), "grows beyond"),
        (format!("{{% set a = 'x' %}}{replaced}{{{{ a }}}}"), "grows beyond"),
        (format!("{{% set a = 'xxxxxxxxxx' %}}{joined}{{{{ a }}}}"), "grows beyond"),
        ("{{ text|indent(1000000000, true) }}".to_owned(), "grows beyond"),
        ("{{ '%1000000000d'|format(1) }}".to_owned(), "grows beyond"),
        ("{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}".to_owned(), "steps to render"),
        (
            "{% set n = namespace(a=[]) %}{% for i in range(99999) %}{% set n.a = [n.a] %}{% endfor %}".to_owned(),
            "lists lie in lists",
        ),
        (
            "{% set n = namespace(a=text) %}{% for i in range(99999) %}{% set n.a %}{{ n.a }}{{ n.a }}{% endset %}{% endfor %}".to_owned(),
            "grows beyond",
        ),
        (
            "{% macro m(a) %}{{ m(a ~ a) }}{% endmacro %}{{ m(text) }}".to_owned(),
            "grows beyond",
        ),
        ("{{ 'x' * 1000000000 }}".to_owned(), "a constant is repeated"),
        (format!("{{{{ {}1 }}}}", "-".repeat(100_000)), "operators"),
        (format!("{{% if a %}}{}{{% endif %}}", "{% elif a %}".repeat(50_000)), "`elif`"),
    ] {
        let lab = Lab::small().template("grade", &format!("Fluency: {{{{ text }}}}\n{text}"));
        refused(&lab, &["lint"], why);
    }
}

#[test]
fn a_template_that_puts_together_a_long_prompt_is_rendered() {
    let lab = Lab::small().template(
        "grade",
        "Fluency and coherence.\n{% set n = namespace(all='') %}{% for i in range(2000) -%}\n\
         {% set n.all = n.all ~ i ~ ' ' %}{% endfor %}{{ n.all }}{{ '=' * 40 }}\n\
         {% macro m(a, b) %}<{{ a }}>{% endmacro %}{{ m(text) }}{{ [1, 2]|join(', ') }}{{ 'a'|indent(4) }}",
    );
    let ran = lab.run(&["--quiet"]).ok();
    assert_eq!(ran.asked, 2);
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let pipe = |lab: &Lab, name: &str| {
        let _ = fs_err::remove_file(lab.path(name));
        assert!(
            Command::new("mkfifo")
                .arg(lab.path(name))
                .status()
                .unwrap()
                .success()
        );
    };
    let zero = |lab: &Lab, name: &str| {
        let _ = fs_err::remove_file(lab.path(name));
        std::os::unix::fs::symlink("/dev/zero", lab.path(name)).unwrap();
    };
    for place in [pipe as fn(&Lab, &str), zero] {
        for name in ["experiment.toml", "templates/grade.j2"] {
            let lab = Lab::small();
            place(&lab, name);
            let (code, said) = bounded(&lab, &["lint"]);
            assert!((1..=3).contains(&code), "{name}: {code} {said}");
            assert!(
                said.contains("it is a device, a pipe or a socket"),
                "{name}: {said}"
            );
        }
        for (name, ends) in [("docs/a.txt", 4), ("tribunal.bundle.json", 1)] {
            let lab = Lab::small();
            place(&lab, name);
            let (code, said) = bounded(&lab, &["run"]);
            assert_eq!(code, ends, "{said}");
            assert!(
                said.contains("it is a device, a pipe or a socket"),
                "{said}"
            );
        }
    }
}

#[test]
fn a_spec_that_stands_for_more_than_can_be_run_is_refused() {
    let spec = crate::lab::SMALL;
    let axes = (0..9).map(|axis| {
        format!(
            "[axes.a{axis}]\nset = \"judge.grades.seed\"\nvalues = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]\n"
        )
    });
    let axes = axes.collect::<Vec<_>>().concat();
    let keys: String = (0..200_000).fold(String::new(), |keys, at| keys + &format!("k{at} = 1\n"));
    let ors = vec!["year == 1"; 5_000].join(" or ");
    let names: Vec<String> = (0..100_000).map(|at| format!("\"e{at}.toml\"")).collect();
    let long = "x".repeat(5_000_000);
    for (text, why) in [
        (format!("{spec}\n{axes}"), "can be run"),
        (
            format!("{spec}\n[x]\n{keys}"),
            "values, and a spec can have at most",
        ),
        (
            format!("{spec}\n[select.s]\nfrom = \"docs\"\nwhere = \"{ors}\"\n"),
            "at most 500 operators",
        ),
        (
            spec.replace("metrics = ", "repeats = 1000000000\nmetrics = "),
            "`repeats` can be",
        ),
        (format!("extends = [{}]\n{spec}", names.join(", ")), ""),
        (format!("{spec}\n# {long}\n"), "larger than 4.0 MB"),
        (
            format!(
                "{spec}\nx = {}{}\n",
                "[".repeat(100_000),
                "]".repeat(100_000)
            ),
            "",
        ),
        (format!("{spec}\n{}x = 1\n", "a.".repeat(100_000)), ""),
    ] {
        refused(&Lab::small().spec(&text), &["lint"], why);
    }
    let lab = Lab::small();
    for at in 0..300 {
        let next = at + 1;
        lab.write(
            &format!("e{at}.toml"),
            format!("extends = \"e{next}.toml\"\n"),
        );
    }
    lab.write("experiment.toml", format!("extends = \"e0.toml\"\n{spec}"));
    refused(&lab, &["lint"], "a spec can consist of at most 200 files");
}

fn table() -> Frame {
    let texts = ["one", "two", "three", "one"].map(|text| text.repeat(9));
    Frame::new(vec![
        ("doc_id".to_owned(), ColumnData::text(["a", "b", "c", "d"])),
        ("text".to_owned(), ColumnData::text(texts)),
        (
            "year".to_owned(),
            ColumnData::Int(vec![Some(1), None, Some(3), Some(3)]),
        ),
        ("score".to_owned(), ColumnData::Float(vec![Some(0.5); 4])),
    ])
    .unwrap()
}

#[test]
fn no_flipped_byte_of_a_parquet_file_ends_the_process_that_reads_it() {
    rehearse_with(env!("CARGO_BIN_EXE_tribunal").into());
    let file = table().to_parquet().unwrap();
    // Every byte of the pages, where lengths stand that nothing else checks, and some of the footer.
    let places = (4..file.len()).filter(|at| *at < 500 || at % 7 == 0);
    for at in places {
        let mut damaged = file.clone();
        damaged[at] ^= [0x01, 0x80, 0xff, 0x55][at % 4];
        if let Err(error) = Frame::from_foreign_parquet(damaged, None) {
            assert!(!error.to_string().is_empty());
        }
    }
    assert!(Frame::from_foreign_parquet(file, Some(&["year"])).is_ok());
}

#[test]
fn a_small_parquet_file_that_stands_for_more_than_memory_holds_is_refused() {
    rehearse_with(env!("CARGO_BIN_EXE_tribunal").into());
    let long = Frame::new(vec![
        ("doc_id".to_owned(), ColumnData::text(["a"])),
        ("text".to_owned(), ColumnData::text(["x".repeat(60 << 20)])),
    ])
    .unwrap();
    let mut bytes = Vec::new();
    let mut stream = ParquetStream::begin(&mut bytes, &long).unwrap();
    for _ in 0..14 {
        stream.push(&long).unwrap();
    }
    stream.end().unwrap();
    assert!(bytes.len() < 300_000, "{}", bytes.len());
    let error = Frame::from_foreign_parquet(bytes.clone(), None).unwrap_err();
    let said = error.to_string();
    assert!(
        said.starts_with("reading the parquet file takes more than 5"),
        "{said}"
    );
    // The same through the command.
    let lab = Lab::small().file("docs/a.parquet", &bytes);
    lab.change("docs/*.txt", "docs/*.parquet");
    let (code, said) = bounded(&lab, &["run"]);
    assert_eq!(code, 4, "{said}");
    assert!(
        said.contains("reading the parquet file takes more than"),
        "{said}"
    );
}

/// A file of tests that other programs wrote.
fn foreign(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/parquet");
    fs_err::read(folder.join(name)).unwrap()
}

#[test]
fn one_long_text_that_many_rows_share_is_refused_before_each_has_its_own() {
    rehearse_with(env!("CARGO_BIN_EXE_tribunal").into());
    // A hundred rows, and eight megabytes once.
    for name in ["shared-text.parquet", "shared-category.parquet"] {
        let lab = Lab::small().file("docs/a.parquet", foreign(name));
        lab.change("docs/*.txt", "docs/*.parquet");
        let (code, said) = bounded(&lab, &["run"]);
        assert_eq!(code, 4, "{name}: {said}");
        let why = "reading the parquet file takes more than 5";
        assert!(said.contains(why), "{name}: {said}");
        // What is not read stands for nothing.
        let ids = Frame::from_foreign_parquet(foreign(name), Some(&["doc_id"])).unwrap();
        assert_eq!(ids.rows(), 100);
    }
}

#[test]
fn no_damaged_value_is_read_from_pages_with_checksums() {
    rehearse_with(env!("CARGO_BIN_EXE_tribunal").into());
    let file = foreign("checksums.parquet");
    let right = Frame::from_foreign_parquet(file.clone(), None).unwrap();
    let right = right.to_jsonl().unwrap();
    let length = file.last_chunk::<8>().unwrap().first_chunk::<4>().unwrap();
    let footer = file.len() - 8 - u32::from_le_bytes(*length) as usize;
    let mut refused = 0;
    for at in 4..footer {
        let mut damaged = file.clone();
        damaged[at] ^= 0x01;
        match Frame::from_foreign_parquet(damaged, None) {
            Ok(read) => assert_eq!(read.to_jsonl().unwrap(), right, "byte {at}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > footer / 4, "{refused} of {footer}");
}

#[test]
fn lines_of_json_with_a_key_of_their_own_each_do_not_fill_memory() {
    let lab = Lab::small();
    let mut file = fs_err::File::create(lab.path("docs/a.jsonl")).unwrap();
    for at in 0..100_000 {
        writeln!(file, "{{\"k{at}\": 1}}").unwrap();
    }
    lab.change("docs/*.txt", "docs/*.jsonl");
    let (code, said) = bounded(&lab, &["run"]);
    assert_eq!(code, 4, "{said}");
    assert!(said.contains("nearly all cells are empty"), "{said}");
}

#[test]
fn the_limit_on_memory_is_one_here() {
    assert!(Path::new("/bin/sh").exists());
    let output = Command::new("sh")
        .args(["-c", "ulimit -d 1000000; ulimit -d"])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "1000000");
}
