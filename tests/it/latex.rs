//! The tables as LaTeX, set by a real LaTeX: quickstart, thesis, and whatever a label or a note may hold.
//!
//! Where there is no `pdflatex` the tests say so and pass. With `KEEP_LATEX=FOLDER` the pages are kept there, to be
//! looked at.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use tribunal::output::report::{Cell, Grid, Layout, latex};

use crate::lab::Lab;
use crate::thesis::data::{self, or_skip};

/// What a LaTeX said to a document.
struct Set {
    log: String,
    /// The list of tables, as written for the next time.
    list: String,
}

/// Sets a document that inputs each file, twice, as papers are, so that the list of tables is read again; none where
/// the engine is missing.
fn set(engine: &str, preamble: &str, files: &[String]) -> Option<Set> {
    let known = Command::new(engine).arg("--version").output();
    if !known.is_ok_and(|output| output.status.success()) {
        let words = format!("skipped: no {engine} here to set tables with\n");
        std::io::Write::write_all(&mut std::io::stderr(), words.as_bytes()).unwrap();
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut text = format!(
        "\\documentclass{{article}}\n\\usepackage{{booktabs,dcolumn,graphicx}}\n{preamble}\n\\begin{{document}}\n\\listoftables\n"
    );
    for (index, file) in files.iter().enumerate() {
        fs_err::write(folder.path().join(format!("table-{index}.tex")), file).unwrap();
        writeln!(text, "\\input{{table-{index}}}\n\\clearpage").unwrap();
    }
    text.push_str("\\end{document}\n");
    fs_err::write(folder.path().join("all.tex"), &text).unwrap();
    for _ in 0..2 {
        let output = Command::new(engine)
            .args([
                "-interaction=nonstopmode",
                "-halt-on-error",
                "-no-shell-escape",
                "all.tex",
            ])
            .current_dir(folder.path())
            // Fonts that are made on the way stay here.
            .env("TEXMFVAR", folder.path().join("made"))
            // Lines of the log are not broken.
            .env("max_print_line", "10000")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{engine}: {said}");
    }
    if let Some(kept) = std::env::var_os("KEEP_LATEX") {
        fs_err::copy(
            folder.path().join("all.pdf"),
            Path::new(&kept).join(format!("{engine}.pdf")),
        )
        .unwrap();
    }
    let read = |name: &str| {
        let bytes = fs_err::read(folder.path().join(name)).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Some(Set {
        log: read("all.log"),
        list: read("all.lot"),
    })
}

/// Labels that were not made with LaTeX in mind.
const HOSTILE: [&str; 22] = [
    r"\input{/etc/passwd} \write18{id} \end{document}",
    r"% & _ # $ ^ ~ { } \ ^^5c ^^M",
    r"}}}{{{ \\ [2pt] * \\* [",
    "*",
    "[43] word order",
    "-- --- `` '' ?` !` << >> ,, \" | `a'",
    "− ± × ÷ ≤ ≥ ≠ ≈ → ∞ ½ ² ³ ° · • … — – † ‡ § ¶",
    "αβγδεζηθικλμνξοπρσςτυφχψω ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ µ Ω ∆",
    "Übermaß, naïve café, Łódź, Škoda, Øre, İstanbul, ő, ș",
    "« ‹ „ ‚ “ ” ‘ ’ › » Þþ Ðð ąęįų đ ŋ",
    "e\u{301} o\u{308} i\u{302} x\u{336} \u{301}alone q\u{489}",
    "日本語 中文 한국어",
    "😀 👩‍🔬 🇩🇪 ✔\u{fe0f}",
    "עברית العربية \u{202e}desrever\u{202c} \u{200f}",
    "Жук ḍ ạ ﬁ № ™ © ® € £ ¥ ¢ ☃ 𝔸 \u{e000} \u{fffd}",
    "\u{1b}[31mred\u{1b}[0m \u{0}\u{7}\u{8}\r\n\t",
    "\u{feff}\u{200b}\u{ad}\u{2028}\u{a0}\u{202f}\u{2009}",
    "\\verb|x| \\begin{verbatim} \\catcode`\\%=12",
    "",
    " ",
    "#1 ##2 \\def\\x#1{#1} \\csname x\\endcsname",
    "a/very/long/path/without/any/blank/in/it/that/no/engine/would/ever/break/because/it/has/no/place/to",
];

fn cell(row: &[&str], column: &[&str], value: f64) -> Cell {
    let texts = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    Cell {
        row: texts(row),
        column: texts(column),
        value: Some(value),
        n: Some(65),
        ..Cell::default()
    }
}

fn layout(rows: &[&str], columns: &[&str]) -> Layout {
    let texts = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    Layout {
        title: "A table".to_owned(),
        rows: texts(rows),
        columns: texts(columns),
        stars: vec![
            (0.05, "*".into()),
            (0.01, "**".into()),
            (0.001, "***".into()),
        ],
        ..Layout::default()
    }
}

fn drawn(layout: &Layout, cells: &[Cell]) -> String {
    latex::render(&Grid::build(layout, cells).unwrap())
}

/// Every hostile label as row, column, group, caption and reason for there being no value.
fn hostile() -> Vec<String> {
    let mut tables = Vec::new();
    for (index, label) in HOSTILE.iter().enumerate() {
        let cells = [
            cell(&[label], &[label, "a"], -1.234),
            Cell {
                value: None,
                why_none: Some((*label).to_owned()),
                ..cell(&["row"], &[label, label], 0.0)
            },
        ];
        let named = Layout {
            name: format!("hostile-{index}"),
            caption: Some(format!("{label} as a caption")),
            ..layout(&["row"], &["group", "column"])
        };
        tables.push(drawn(&named, &cells));
    }
    let all: Vec<Cell> = HOSTILE
        .iter()
        .map(|label| cell(&[label], &["x"], 1.5))
        .collect();
    tables.push(drawn(&layout(&["row"], &["x"]), &all));
    tables
}

/// Tables of shapes that are hard to set.
fn edges() -> Vec<String> {
    let named = |name: &str, wanted: Layout| Layout {
        name: name.to_owned(),
        caption: Some(format!("Edge: {name}")),
        ..wanted
    };
    let grid = |rows: usize, columns: usize| -> Vec<Cell> {
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let cells = places.map(|(row, column)| Cell {
            p: Some([0.2, 0.03, 0.004, 0.0002][(row + column) % 4]),
            ..cell(
                &[&format!("row {row}")],
                &[&format!("model {column}")],
                (row as f64 - 3.0) * 1.7 - column as f64,
            )
        });
        cells.collect()
    };
    let why = |index: usize| {
        format!(
            "reason {index}: {}",
            "a long clause that goes on ".repeat(index)
        )
    };
    let reasons: Vec<Cell> = (0..30)
        .map(|index| Cell {
            value: None,
            why_none: Some(why(index)),
            ..cell(&[&index.to_string()], &["m"], 0.0)
        })
        .collect();
    let deep: Vec<Cell> = (0..12)
        .map(|index: usize| {
            let at = |of: usize| (index / of % 2).to_string();
            let label = format!("a group whose name is long {}", at(6));
            cell(
                &["r", "s"],
                &[
                    &label,
                    &format!("g{}", index / 3 % 2),
                    &at(1),
                    &index.to_string(),
                ],
                12.5,
            )
        })
        .collect();
    let sizes = [1e300, -1e-300, 0.0, -123_456.789, 9_999_999.0, 1e15];
    let sizes: Vec<Cell> = sizes
        .iter()
        .enumerate()
        .map(|(index, &value)| Cell {
            n: Some(10u64.pow(u32::try_from(index).unwrap())),
            p: Some(0.0001),
            missing: 1,
            parts: Some(2),
            ..cell(&[&index.to_string()], &["value"], value)
        })
        .collect();
    let counted = Layout {
        show_n: true,
        ..layout(&["row"], &["model"])
    };
    let whole = Layout {
        decimals: 0,
        ..counted.clone()
    };
    let plain = layout(&["row"], &["model"]);
    vec![
        drawn(&named("empty", layout(&[], &[])), &[]),
        drawn(&named("empty with fields", plain.clone()), &[]),
        drawn(
            &named("one number", layout(&[], &[])),
            &[cell(&[], &[], 1.0)],
        ),
        drawn(
            &named("rows alone", layout(&["row"], &[])),
            &[cell(&["a"], &[], 1.0)],
        ),
        drawn(
            &named("columns alone", layout(&[], &["model"])),
            &[cell(&[], &["a"], 1.0)],
        ),
        drawn(&named("sixty columns", plain.clone()), &grid(5, 60)),
        drawn(&named("somewhat wide", plain.clone()), &grid(6, 11)),
        drawn(&named("two hundred rows", plain.clone()), &grid(200, 3)),
        drawn(&named("long notes", plain), &reasons),
        drawn(
            &named("four levels", layout(&["row", "s"], &["a", "b", "c", "d"])),
            &deep,
        ),
        drawn(&named("with n", counted.clone()), &grid(8, 4)),
        drawn(&named("no decimals", whole), &grid(8, 4)),
        drawn(&named("sizes", counted), &sizes),
    ]
}

/// The tables of a finished run, in order of their paths.
fn written(folder: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs_err::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "tex") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths
        .iter()
        .map(|path| fs_err::read_to_string(path).unwrap())
        .collect()
}

fn quickstart() -> Vec<String> {
    let lab = Lab::quickstart();
    let formats = ["--set", "report.formats=[\"tex\"]"];
    let mut command = lab.exactly(
        &[
            &["run", "experiments/quickstart.toml", "--quiet"],
            &formats[..],
        ]
        .concat(),
    );
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    written(&lab.path("reports"))
}

#[test]
fn the_tables_of_the_quickstart_and_of_hostile_texts_and_shapes_are_set_as_they_are() {
    let files: Vec<String> = [quickstart(), hostile(), edges()].concat();
    assert_eq!(files.len(), 2 + HOSTILE.len() + 1 + 13);
    let Some(set) = set("pdflatex", "", &files) else {
        return;
    };
    // A float that is too long for its page would be cut off.
    assert!(!set.log.contains("Float too large"), "{}", set.log);
    assert!(!set.log.contains("multiply defined"), "{}", set.log);
    assert!(!set.log.contains("Missing character"), "{}", set.log);
    assert!(
        set.list.contains("Change of the score by damage"),
        "{}",
        set.list
    );
    assert!(set.list.contains("[}U+65E5{]}"), "{}", set.list);
}

#[test]
fn other_engines_and_encodings_set_them_too() {
    let files: Vec<String> = [hostile(), edges()].concat();
    if let Some(set) = set("pdflatex", "\\usepackage[T1]{fontenc}", &files) {
        assert!(!set.list.contains("U+0105"), "{}", set.list);
    }
    set("lualatex", "", &files);
    set("xelatex", "", &files);
}

#[test]
fn the_tables_of_the_thesis_are_set_as_they_are() {
    let Some(data) = or_skip() else { return };
    let lab = data::Lab::new(&data);
    for name in ["table-a-12", "table-a-15"] {
        lab.run(
            &data::Lab::spec(name),
            &["--set", "report.formats=[\"tex\"]"],
        );
    }
    let files = written(&lab.folder.path().join("reports"));
    assert!(files.len() >= 2, "{}", files.len());
    if let Some(set) = set("pdflatex", "", &files) {
        assert!(!set.log.contains("Float too large"), "{}", set.log);
    }
}
