//! The tables and figures of the matrix analysis (20 documents) and of the comparison of prompts (5 documents): every
//! cell of the audit, and what happens when outputs are added or taken away.

use std::collections::BTreeMap;

use tribunal::frame::{ColumnData, Frame};

use super::cells::Audited;
use super::data::{Data, Lab, expected, or_skip};

/// Models with outputs of the comparison of prompts that are not in the folder, and their tables.
const ABSENT: [(&str, &str); 2] = [("LN-noT", "table-a-8"), ("Q-T", "table-a-9")];

/// The prompts of Tables A.7 to A.11.
const PROMPTS: usize = 16;

#[test]
fn every_cell_of_table_3_4_is_the_audited_value() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    lab.verify("table-3-4", &[]);
    let table = lab.table("table-3-4");
    let cells = expected(&data, "3.4");
    assert_eq!((cells.len(), table.len()), (8, 8));
    for cell in &cells {
        let ours = table.at(&[&cell.row, &cell.column]);
        cell.compare(&ours);
        assert_eq!(ours.unscored, 20 - cell.n, "{cell:?}");
    }
}

#[test]
fn every_cell_of_tables_a_4_and_a_5_is_the_audited_value() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    for (name, printed, size) in [("table-a-4", "A.4", 48), ("table-a-5", "A.5", 16)] {
        lab.verify(name, &[]);
        let table = lab.table(name);
        let cells = expected(&data, printed);
        assert_eq!((cells.len(), table.len()), (size, size));
        for cell in &cells {
            let [task, unit, metric] = setting(cell);
            let (quantity, length) = cell.column.split_once(' ').unwrap();
            let quantity = quantity.to_lowercase();
            let ours = match printed {
                "A.4" => table.at(&[task, unit, metric, &quantity, length]),
                _ => table.at(&[task, metric, &quantity, length]),
            };
            cell.compare(&ours);
            assert_eq!((ours.unscored, ours.dropped), (0, 20 - cell.n), "{cell:?}");
        }
    }
}

#[test]
fn every_cell_of_the_heatmaps_is_the_audited_value() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    lab.run(&Lab::spec("heatmaps"), &[]);
    let table = lab.table("heatmaps/heatmaps");
    let cells = expected(&data, "heatmaps unprinted");
    assert_eq!((cells.len(), table.len()), (432, 432));
    let mut seen: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for cell in &cells {
        let words: Vec<&str> = cell.row.split(' ').collect();
        let [task, unit, "exp", exp] = words[..] else {
            panic!("{cell:?}")
        };
        let [_, _, length, metric] = words_of(&cell.column);
        let task = task.trim_matches(['[', ']']);
        // Damage of fluency has no unit in the outputs.
        let fluent = ["41", "42", "43", "44", "45"].contains(&task);
        let ours = table.at(&[task, if fluent { "" } else { unit }, exp, metric, length]);
        cell.compare(&ours);
        // Gold documents that this setting could not be made of.
        assert_eq!((ours.unscored, ours.dropped), (0, 20 - cell.n), "{cell:?}");
        if length != "full" && ["paragraph", "document"].contains(&unit) {
            *seen.entry((task, unit)).or_default() += 1;
        }
    }
    for (figure, task) in [
        ("3-9", "17"),
        ("3-10", "41"),
        ("a-14", "24"),
        ("a-15", "32"),
        ("a-16", "42"),
        ("a-17", "43"),
        ("a-18", "11"),
        ("a-19", "12"),
        ("a-20", "21"),
        ("a-21", "22"),
        ("a-22", "31"),
    ] {
        let heatmap = lab.table(&format!("heatmaps/figure-{figure}"));
        let unit = if ["11", "12", "17", "24"].contains(&task) {
            "paragraph"
        } else {
            "document"
        };
        assert_eq!(heatmap.len(), seen[&(task, unit)], "figure {figure}");
        for (key, ours) in heatmap.iter() {
            let [exp, metric, length] = [3, 2, 1].map(|at| key[key.len() - at].as_str());
            let unit = if task.starts_with('4') { "" } else { unit };
            assert_eq!(
                *ours,
                table.at(&[task, unit, exp, metric, length]),
                "{key:?}"
            );
        }
    }
}

#[test]
fn every_cell_of_figure_4_1_is_the_audited_value() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    lab.run(&Lab::spec("figure-4-1"), &[]);
    let table = lab.table("figure-4-1");
    let cells = expected(&data, "4.1 unprinted");
    assert_eq!((cells.len(), table.len()), (192, 320));
    for cell in &cells {
        let (model, prompt) = cell.row.split_once(' ').unwrap();
        let [_, _, length, metric] = words_of(&cell.column);
        let ours = table.at(&[model, prompt, length, metric]);
        cell.compare(&ours);
        assert_eq!(ours.unscored, 5 - cell.n, "{cell:?}");
    }
    for (key, ours) in table.iter().filter(|(key, _)| is_absent(&key[0])) {
        assert_eq!(
            (ours.value, ours.n, ours.unscored),
            (None, Some(0), 5),
            "{key:?}"
        );
        assert!(ours.why.contains("5 not recorded"), "{key:?} {}", ours.why);
    }
}

#[test]
fn every_cell_of_figure_4_2_is_the_audited_value() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    lab.run(&Lab::spec("figure-4-2"), &[]);
    let table = lab.table("figure-4-2");
    let cells = expected(&data, "4.2 unprinted");
    assert_eq!((cells.len(), table.len()), (192, 320));
    for cell in &cells {
        let (model, prompt) = cell.row.split_once(' ').unwrap();
        let [_, _, length, metric] = words_of(&cell.column);
        let ours = table.at(&[model, prompt, length, metric]);
        cell.compare(&ours);
        assert_eq!(ours.dropped, 30 - cell.n, "{cell:?}");
    }
    for (key, ours) in table.iter().filter(|(key, _)| is_absent(&key[0])) {
        // Six damaged documents each, and the gold one once.
        assert_eq!(
            (ours.value, ours.n, ours.unscored),
            (None, Some(0), 35),
            "{key:?}"
        );
        assert!(ours.why.contains("not recorded"), "{key:?} {}", ours.why);
    }
}

#[test]
fn every_cell_of_tables_a_7_a_10_and_a_11_is_the_audited_count() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    for name in ["7", "10", "11"] {
        let table = format!("table-a-{name}");
        lab.verify(&table, &[]);
        let table = lab.table(&format!("{table}/issues"));
        let cells = expected(&data, &format!("A.{name}"));
        assert_eq!((cells.len(), table.len()), (8 * PROMPTS, 8 * PROMPTS));
        for cell in &cells {
            let [documents, length, metric] = words_of(&cell.column);
            let ours = table.at(&[&cell.row, documents, length, metric]);
            // The value is the number of outputs without a score, n that of all outputs.
            cell.compare(&ours);
            assert_eq!((ours.unscored, ours.missing), (0, 0), "{cell:?}");
        }
    }
}

#[test]
fn of_models_without_outputs_nothing_is_counted_as_an_issue() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    for (_, name) in ABSENT {
        lab.verify(name, &[]);
        let table = lab.table(&format!("{name}/issues"));
        assert_eq!(table.len(), 8 * PROMPTS);
        for (key, ours) in table.iter() {
            let outputs = if key[1] == "gold" { 5 } else { 30 };
            assert_eq!(
                (ours.value, ours.n, ours.unscored),
                (None, Some(0), outputs),
                "{key:?}"
            );
            assert!(ours.why.contains("not recorded"), "{key:?} {}", ours.why);
        }
    }
}

#[test]
fn intervals_surround_the_means_that_the_other_tables_show() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    lab.run(&Lab::spec("intervals"), &[]);
    lab.verify("table-3-4", &[]);
    let gold = lab.table("table-3-4");
    let selected = lab.table("intervals/figure-3-11-3-12");
    let all = lab.table("intervals/figure-a-23-a-24-a-25");
    assert_eq!(selected.len(), 7 * 2 * 2 * 3);
    for (key, mean) in selected.iter().filter(|(key, _)| key[3] == "mean") {
        let [task, metric, length] = [0, 1, 2].map(|at| key[at].as_str());
        let end = |which| selected.at(&[task, metric, length, which]).value.unwrap();
        assert!(
            (end("low")..=end("high")).contains(&mean.value.unwrap()),
            "{key:?}"
        );
        assert_eq!((mean.n, mean.unscored), (Some(20), 0), "{key:?}");
        if task == "gold" {
            assert_eq!(mean.value, gold.at(&[metric, length]).value, "{key:?}");
        }
        let exp = match (task, length) {
            ("gold", _) | ("43", "full") => "1",
            ("41", _) => "11",
            ("43", "2000") => "6",
            _ => continue,
        };
        assert_eq!(
            *mean,
            all.at(&[task, exp, metric, length, "mean"]),
            "{key:?}"
        );
    }
}

#[test]
fn table_3_6_averages_the_heatmaps() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    lab.run(&Lab::spec("table-3-6"), &[]);
    lab.run(&Lab::spec("heatmaps"), &[]);
    let (table, heatmaps) = (lab.table("table-3-6"), lab.table("heatmaps/heatmaps"));
    let mut means: BTreeMap<[&str; 3], Vec<f64>> = BTreeMap::new();
    for (key, ours) in heatmaps.iter() {
        if !["section", "chapter"].contains(&key[1].as_str()) {
            let cell = [&*key[0], &*key[3], &*key[4]];
            means.entry(cell).or_default().push(ours.value.unwrap());
        }
    }
    assert_eq!(table.len(), means.len());
    for (key, values) in means {
        let ours = table.at(&key);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        assert!((ours.value.unwrap() - mean).abs() < 1e-9, "{key:?}");
        assert_eq!(ours.n, Some(values.len() as u64), "{key:?}");
    }
}

#[test]
fn other_outputs_fill_their_cells_and_leave_the_rest_as_it_was() {
    let Some(data) = or_skip() else { return };
    let (before, lab) = (Lab::new(&data), with_others(&data));
    for name in ["figure-4-1", "figure-4-2", "heatmaps"] {
        for lab in [&before, &lab] {
            lab.run(&Lab::spec(name), &[]);
        }
    }
    for name in ["figure-4-1", "figure-4-2"] {
        let (old, new) = (before.table(name), lab.table(name));
        assert_eq!(old.len(), new.len());
        for (key, ours) in new.iter() {
            let key: Vec<&str> = key.iter().map(String::as_str).collect();
            if is_absent(key[0]) {
                let copied = old.at(&[&["LN-T"], &key[1..]].concat());
                assert_eq!(*ours, copied, "{name} {key:?}");
            } else {
                assert_eq!(*ours, old.at(&key), "{name} {key:?}");
            }
        }
    }
    let (old, new) = (
        before.table("heatmaps/heatmaps"),
        lab.table("heatmaps/heatmaps"),
    );
    assert_eq!(old.values(), new.values());
    before.verify("table-a-7", &[]);
    let copied = before.table("table-a-7/issues");
    for (_, name) in ABSENT {
        let said = lab.verify(name, &[]);
        assert!(said.contains("this is not checked"), "{said}");
        assert!(!said.contains("absent"), "{said}");
        assert_eq!(
            lab.table(&format!("{name}/issues")).values(),
            copied.values()
        );
    }
}

#[test]
fn a_folder_with_one_model_and_one_prompt_gives_the_cells_there_are() {
    let Some(data) = or_skip() else { return };
    let lab = changed(&data, |frame| {
        kept(frame, |[suite, model, prompt, _]| {
            suite == "prompts" && model == "Qwen3-32B" && prompt == "v3"
        })
    });
    lab.run(&Lab::spec("figure-4-1"), &[]);
    let table = lab.table("figure-4-1");
    let there: Vec<_> = table
        .iter()
        .filter(|(_, cell)| cell.value.is_some())
        .collect();
    assert_eq!(there.len(), 4);
    assert!(there.iter().all(|(key, _)| key[..2] == ["Q-noT", "v3"]));
    // Nothing of the matrix is there: no cells, and no failure.
    lab.run(&Lab::spec("heatmaps"), &[]);
    assert_eq!(lab.table("heatmaps/heatmaps").len(), 0);
}

#[test]
fn the_matrix_analysis_runs_live_from_gold_texts_alone() {
    let Some(data) = or_skip() else { return };
    let folder = tempfile::TempDir::new().unwrap();
    let documents = folder.path().join("documents.parquet");
    fs_err::copy(data.file("documents.parquet"), documents).unwrap();
    let lab = Lab::on(folder.path().to_owned());
    let [heatmaps, live] =
        ["heatmaps", "matrix-live"].map(|name| Lab::spec(name).display().to_string());
    let spec = lab.folder.path().join("on-gold.toml");
    let text = format!(
        "extends = [{heatmaps:?}, {live:?}]\n\
         [axes.model]\nvalues = [\"heuristic\"]\nnames = [\"heuristic\"]\n\
         [axes.length]\nvalues = [1000]\nnames = [\"1000\"]\n\
         [axes.task]\nvalues = [\"none\", 13, 14, 17, 41, 44, 45]\n\
         names = [\"gold\", \"13\", \"14\", \"17\", \"41\", \"44\", \"45\"]\n\
         [grid]\nexclude = [\n\
         {{ task = [\"gold\", \"13\", \"14\", \"44\", \"45\"], exp = [2, 3] }},\n\
         {{ task = [\"gold\", \"41\", \"44\", \"45\"], unit = [\"section\", \"chapter\"] }},\n\
         {{ unit = [\"section\", \"chapter\"], exp = [2, 3] }},\n]\n"
    );
    fs_err::write(&spec, text).unwrap();
    let two = "select.docs.where=length == 'full' and task == 'gold' and doc_id in ['JM-14522', 'JM-738']";
    lab.run(&spec, &["--set", two]);
    let table = lab.table("on-gold/heatmaps");
    // [13] and [14] in three units, [17] in three and at three intensities of paragraphs, [41] at three, [44], [45].
    assert_eq!(table.len(), 2 * (3 + 3 + 5 + 3 + 1 + 1));
    let typos = |exp| {
        table
            .at(&["41", "paragraph", exp, "fluency", "1000"])
            .value
            .unwrap()
    };
    assert!(
        typos("1") < 0.0 && typos("3") < typos("1"),
        "{} {}",
        typos("1"),
        typos("3")
    );
}

/// A lab whose data hold, beside what there is, LN-T's outputs under the names of the absent models, and outputs that no
/// table asks for: of another model in the matrix, of another prompt.
fn with_others(data: &Data) -> Lab {
    changed(data, |frame| {
        let named = |rows: &Frame, column: &str, name: &str| {
            let names = ColumnData::text(vec![name; rows.rows()]);
            rows.clone().with_column(column, names).unwrap()
        };
        let thinking = kept(frame, |[suite, model, _, _]| {
            suite == "prompts" && model == "Llama-3_3-Nemotron-Super-49B-v1_THINK"
        });
        let matrix = kept(frame, |[suite, _, _, _]| suite == "matrix");
        let v3 = kept(frame, |[suite, _, prompt, _]| {
            suite == "prompts" && prompt == "v3"
        });
        Frame::stack(&[
            matrix.clone(),
            kept(frame, |[suite, _, _, _]| suite == "prompts"),
            named(&thinking, "model", "Llama-3_3-Nemotron-Super-49B-v1"),
            named(&thinking, "model", "Qwen3-32B_THINK"),
            named(&thinking, "model", "Another-8B"),
            named(&matrix, "model", "Another-8B"),
            named(&matrix, "prompt", "v9"),
            named(&v3, "prompt", "v9"),
            named(&v3, "length", "1000"),
        ])
        .unwrap()
    })
}

/// The final rows for which a condition on suite, model, prompt and task holds.
fn kept(frame: &Frame, condition: impl Fn([&str; 4]) -> bool) -> Frame {
    let columns =
        ["suite", "model", "prompt", "task", "stage"].map(|name| frame.column(name).unwrap());
    let rows: Vec<usize> = (0..frame.rows())
        .filter(|&row| {
            let [suite, model, prompt, task, stage] =
                [0, 1, 2, 3, 4].map(|at| columns[at].text(row).unwrap_or_default());
            stage == "final" && condition([&suite, &model, &prompt, &task])
        })
        .collect();
    frame.take(&rows).unwrap()
}

/// A lab with other outputs.
fn changed(data: &Data, change: impl Fn(&Frame) -> Frame) -> Lab {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("data");
    fs_err::create_dir(&path).unwrap();
    let bytes = fs_err::read(data.file("responses.parquet")).unwrap();
    let frame = Frame::from_parquet(bytes, None).unwrap();
    let bytes = change(&frame).to_parquet().unwrap();
    fs_err::write(path.join("responses.parquet"), bytes).unwrap();
    let mut lab = Lab::on(path);
    // The lab lives in the folder of its data, so that both go together.
    lab.folder = folder;
    lab
}

fn is_absent(model: &str) -> bool {
    ABSENT.iter().any(|(name, _)| *name == model)
}

/// `[13] paragraph fluency` as task, unit and metric.
fn setting(cell: &Audited) -> [&str; 3] {
    let [task, unit, metric] = words_of(&cell.row);
    [task.trim_matches(['[', ']']), unit, metric]
}

fn words_of<const N: usize>(text: &str) -> [&str; N] {
    let words: Vec<&str> = text.split(' ').collect();
    words.try_into().unwrap()
}
