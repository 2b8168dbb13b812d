//! The recorded data, laid out again as the repository it comes from, and imported: every row and
//! column is the same. Only what the tree cannot carry is told otherwise, and nothing is: summaries are
//! in memory files, and whose document is in the matrix or prompt sample is seen from the outputs.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tribunal::frame::{ColumnView, Frame};

use super::data::{Data, Lab, or_skip};

#[test]
fn the_repository_s_layout_gives_the_recorded_data_back() {
    let Some(data) = or_skip() else { return };
    let home = home();
    let clone = home.path().join("JudgeMemo");
    let into = home.path().join("imported");
    let [documents, responses] = ["documents", "responses"].map(|table| read(&data, table));
    write_documents(&clone, &documents);
    write_responses(&clone, &responses);
    let said = import(&clone, &into, home.path());
    for (table, recorded) in [("documents", &documents), ("responses", &responses)] {
        let bytes = fs_err::read(into.join(format!("{table}.parquet"))).unwrap();
        let imported = Frame::from_parquet(bytes, None).unwrap();
        assert_eq!(imported.names(), recorded.names());
        assert_eq!(imported.rows(), recorded.rows(), "{said}");
        for name in recorded.names() {
            let [ours, theirs] = [&imported, recorded].map(|frame| frame.column(name).unwrap());
            for row in 0..recorded.rows() {
                assert_eq!(
                    ours.scalar(row),
                    theirs.scalar(row),
                    "{table}, {name}, row {row}"
                );
            }
        }
    }
    // The thesis's tables do not see the difference: a cell that is not the audited one would fail.
    let said = Lab::on(into).verify("table-5-1", &[]);
    assert!(said.contains("every difference is explained"), "{said}");
}

/// In memory where that can be had: some disks take minutes to delete 44,000 files.
fn home() -> TempDir {
    TempDir::new_in("/dev/shm").unwrap_or_else(|_| TempDir::new().unwrap())
}

fn import(clone: &Path, into: &Path, home: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tribunal"))
        .current_dir(home)
        .args(["import", "judgememo"])
        .arg(clone)
        .arg("--into")
        .arg(into)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

fn read(data: &Data, table: &str) -> Frame {
    let bytes = fs_err::read(data.file(&format!("{table}.parquet"))).unwrap();
    Frame::from_parquet(bytes, None).unwrap()
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path.trim_start_matches('/'));
    fs_err::create_dir_all(path.parent().unwrap()).unwrap();
    fs_err::write(path, text).unwrap();
}

/// Cells by column name.
struct Cells<'f>(BTreeMap<&'f str, ColumnView<'f>>);

impl<'f> Cells<'f> {
    fn of(frame: &'f Frame) -> Self {
        let columns = frame.names().into_iter();
        Self(
            columns
                .map(|name| (name, frame.column(name).unwrap()))
                .collect(),
        )
    }

    fn text(&self, name: &str, row: usize) -> String {
        self.0[name].text(row).unwrap_or_default().into_owned()
    }
}

/// `<metric>/<category>/<task>[/<unit>]`.
fn folder_of(task: &str, unit: &str) -> String {
    let category = match task {
        "11" | "12" | "13" | "14" | "17" => "C/1",
        "21" | "22" | "24" => "C/2",
        "31" | "32" => "C/3",
        _ => "F/4",
    };
    let unit = if unit.is_empty() {
        String::new()
    } else {
        format!("/{unit}")
    };
    format!("{category}/{task}{unit}")
}

fn write_documents(root: &Path, documents: &Frame) {
    let cells = Cells::of(documents);
    let mut lists: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for row in 0..documents.rows() {
        let text = |name: &str| cells.text(name, row);
        let (doc_id, length, task) = (text("doc_id"), text("length"), text("task"));
        let number = doc_id.trim_start_matches("JM-");
        let suffix = if length == "full" { "" } else { "_2000" };
        let gold = format!("/data/project_gutenberg/gold_dataset{suffix}/PG-{number}.txt");
        if task == "gold" {
            write(root, &gold, &text("text"));
            let described = json!({
                "id": doc_id, "gold_text": gold,
                "gold_source": {
                    "dataset": "Project Gutenberg", "source_id": number,
                    "title": text("title"), "author": text("author"),
                    "year": text("year").parse::<i64>().unwrap(),
                    "gutenberg": {
                        "url": text("gutenberg_url"), "num": number.parse::<i64>().unwrap(),
                        "genre": text("genre"),
                    },
                },
            });
            let list = format!("gold_pg-1900_meta_{length}.json");
            if text("in_judgememo30") == "true" {
                let samples = lists
                    .entry(format!("data/JM-sub-sample/{list}"))
                    .or_default();
                samples.push(described.clone());
            }
            lists
                .entry(format!("data/project_gutenberg/{list}"))
                .or_default()
                .push(described);
            continue;
        }
        let meta: Map<String, Value> = serde_json::from_str(&text("meta_json")).unwrap();
        let unit = match task.as_str() {
            "17" | "24" => "paragraph",
            "32" => "document",
            _ => "",
        };
        let folder = format!(
            "/data/project_gutenberg/manipulated_pg-1900_{length}/{}/exp_1",
            folder_of(&task, unit)
        );
        let path = format!("{folder}/{doc_id}.txt");
        write(root, &path, &text("text"));
        // The repository has no metadata of exchanges.
        if task != "17" {
            let mut meta = meta;
            meta.insert("id".to_owned(), format!("{doc_id}_{task}").into());
            meta.insert("manipulated_text".to_owned(), path.into());
            meta.insert("gold_id".to_owned(), doc_id.into());
            meta.insert("gold_text".to_owned(), gold.into());
            meta.remove("source");
            lists
                .entry(format!("{folder}_meta.json"))
                .or_default()
                .push(meta.into());
        }
    }
    for (path, list) in lists {
        write(root, &path, &serde_json::to_string_pretty(&list).unwrap());
    }
}

fn write_responses(root: &Path, responses: &Frame) {
    let cells = Cells::of(responses);
    for row in 0..responses.rows() {
        let text = |name: &str| cells.text(name, row);
        let (suite, length, doc_id) = (text("suite"), text("length"), text("doc_id"));
        let run = match suite.as_str() {
            "vanilla" => format!("project_gutenberg_{}", text("prompt")),
            "prompts" => format!("test_{}", text("prompt")),
            "matrix" => format!("sub_sample_{}", text("prompt")),
            _ => format!("{}/{}", text("variant"), text("settings")),
        };
        let sample = match (suite.as_str(), length.as_str()) {
            ("matrix", "full") => "full_20".to_owned(),
            ("matrix", length) => format!("sanity_{length}"),
            ("prompts", length) => format!("test_{length}"),
            (_, length) => format!("pg-1900_{length}"),
        };
        let sample = match text("task").as_str() {
            "gold" => format!("gold_{sample}"),
            task => format!("manipulated_{sample}/{}", folder_of(task, &text("unit"))),
        };
        let file = match text("stage").as_str() {
            "final" => format!("eval_exp_{}_{doc_id}.txt", text("exp")),
            "section" => format!(
                "sec_evaluations/sec_evaluation_{doc_id}/section_{}.txt",
                text("section")
            ),
            "memory" => format!("memory/memory_file-{doc_id}.json"),
            "report" => format!("reports/report_file-{doc_id}.txt"),
            // In the memory file.
            _ => continue,
        };
        let folder = if suite == "judgememo" {
            "experiments_JM"
        } else {
            "experiments"
        };
        let path = format!("{folder}/{}/{run}/{sample}/{file}", text("model"));
        write(root, &path, &text("raw_text"));
    }
}
