//! The notebook and the lines of Python that the documentation shows, carried out where Python and their packages are.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::lab::Lab;

/// Carries out a notebook, or the code cells of one without a kernel, and prints what they show.
const DRIVER: &str = r#"
import ast, json, sys
path = sys.argv[1]
try:
    import nbformat, nbclient, ipykernel
    book = nbformat.read(path, 4)
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3").execute()
    for cell in book.cells:
        for output in cell.get("outputs", []):
            print(output.get("text") or output.get("data", {}).get("text/plain", ""))
except ImportError:
    space = {}
    for cell in json.load(open(path))["cells"]:
        if cell["cell_type"] != "code":
            continue
        lines = ast.parse("".join(cell["source"])).body
        last = lines.pop() if lines and isinstance(lines[-1], ast.Expr) else None
        exec(compile(ast.Module(lines, []), path, "exec"), space)
        if last is not None:
            print(eval(compile(ast.Expression(last.value), path, "eval"), space))
"#;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Python with these packages: that of `.ci/run`, or the system's. Says what is skipped where there is none.
fn python_or_skip(packages: &str) -> Option<PathBuf> {
    let own = root().join("target/python/bin/python");
    let found = [own, PathBuf::from("python3")].into_iter().find(|python| {
        let imports = Command::new(python)
            .args(["-c", &format!("import {packages}")])
            .output();
        imports.is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        let told = format!("skipped: a test of the notebook: there is no Python with {packages}\n");
        std::io::Write::write_all(&mut std::io::stderr(), told.as_bytes()).unwrap();
    }
    found
}

/// Python in the folder of a lab, where `tribunal` is on the path.
fn carried_out(lab: &Lab, python: &Path, arguments: &[&str]) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_tribunal"));
    let mut folders = vec![program.parent().unwrap().to_owned()];
    folders.extend(std::env::split_paths(
        &std::env::var_os("PATH").unwrap_or_default(),
    ));
    let output = Command::new(python)
        .args(arguments)
        .current_dir(lab.path(""))
        .env("PATH", std::env::join_paths(folders).unwrap())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).unwrap()
}

fn page(name: &str) -> String {
    fs_err::read_to_string(root().join(name)).unwrap()
}

/// A lab with the answers of the tutorial and the notebook.
fn lab() -> Lab {
    Lab::new()
        .file("answers.csv", page("docs/tutorial/answers.csv"))
        .file("judgements.ipynb", page("docs/notebook/judgements.ipynb"))
}

#[test]
fn the_notebook_shows_what_the_tables_hold() {
    let Some(python) = python_or_skip("polars") else {
        return;
    };
    let lab = lab();
    let shown = carried_out(&lab, &python, &["-c", DRIVER, "judgements.ipynb"]);
    let table = lab.read("reports/judged/trust.csv");
    let spearman = table
        .lines()
        .find(|line| line.starts_with("spearman"))
        .unwrap();
    let spearman: f64 = spearman.split(',').nth(1).unwrap().parse().unwrap();
    assert!(
        shown.contains(&format!("{spearman:.6}")),
        "{spearman}\n{shown}"
    );
    let far = shown.rfind("echo-stone").unwrap();
    assert!(shown[far..].contains("rust-stone"), "{shown}");
}

#[test]
fn three_lines_of_python_read_judgements() {
    let lab = lab();
    let text = page("docs/results.md");
    let blocks = text.split("```python\n").skip(1);
    let blocks: Vec<&str> = blocks
        .filter_map(|rest| Some(rest.split_once("```")?.0))
        .collect();
    assert_eq!(blocks.len(), 2);
    for (block, packages) in blocks.into_iter().zip(["polars", "pandas, pyarrow"]) {
        assert_eq!(block.lines().count(), 3, "{block}");
        let (Some(python), Some(notebook)) = (python_or_skip(packages), python_or_skip("polars"))
        else {
            continue;
        };
        if !lab.path("reports/judged/judgements.parquet").exists() {
            carried_out(&lab, &notebook, &["-c", DRIVER, "judgements.ipynb"]);
        }
        let shown = carried_out(&lab, &python, &["-c", block]);
        assert!(shown.contains("brook") && shown.contains("3.5"), "{shown}");
    }
}
