//! The memory judge's tables and figures from its recorded outputs: every cell against values computed independently.

use super::cells::{Ours, Table};
use super::data::{Lab, expected, or_skip};
use super::{assert_absent, assert_absent_average, metric_of};

/// The judge whose recorded replies all ask for the document.
const SILENT: &str = "Q-noT";

const TASKS: [&str; 6] = ["43", "41", "42", "24", "17", "32"];

#[test]
fn every_cell_of_table_5_2_is_the_audited_value() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    lab.verify("table-5-2", &[]);
    let table = lab.table("table-5-2");
    let cells = expected(&data, "5.2");
    assert_eq!(cells.len(), 12);
    for cell in &cells {
        let (length, metric) = cell.column.split_once(' ').unwrap();
        let length = match length {
            "2K" => "2000",
            "Full" => "full",
            _ => "2000-full",
        };
        let metric = match metric {
            "Flu." => "fluency",
            _ => "coherence",
        };
        let ours = table.at(&[&cell.row, length, metric]);
        cell.compare(&ours);
        assert_eq!(ours.unscored, 30 - cell.n, "{cell:?}");
    }
    assert_silent(
        &table,
        |key| key[0] == SILENT,
        |key| {
            if key[1] == "2000-full" { 60 } else { 30 }
        },
    );
    assert_absent(&table, &["2000", "full"], 30);
    assert_absent(&table, &["2000-full"], 60);
    assert_eq!(table.len(), 30);
}

#[test]
fn every_cell_of_table_a_14_is_the_audited_value() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    lab.verify("table-a-14", &[]);
    let table = lab.table("table-a-14");
    let cells = expected(&data, "A.14");
    assert_eq!(cells.len(), 22);
    for cell in &cells {
        let (task, metric) = cell.task_and_metric();
        let ours = table.at(&[task, &metric, &cell.column]);
        cell.compare(&ours);
        assert_eq!((ours.unscored, ours.missing), (0, 0), "{cell:?}");
    }
    assert_silent(&table, |key| key[2] == SILENT && key[0] != "Avg.", |_| 30);
    assert_absent(&table, &["gold", "43", "41", "42", "24", "17", "32"], 30);
    assert_absent_average(&table, 60);
    for task in TASKS {
        let ours = table.at(&[task, metric_of(task), "Avg."]);
        assert_eq!((ours.n, ours.missing), (Some(2), 3), "{task}");
    }
}

#[test]
fn every_cell_of_table_a_15_is_the_audited_value() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    lab.verify("table-a-15", &[]);
    let table = lab.table("table-a-15");
    let cells = expected(&data, "A.15");
    assert_eq!(cells.len(), 18);
    for cell in &cells {
        let (task, metric) = cell.task_and_metric();
        let ours = table.at(&[task, &metric, &cell.column]);
        cell.compare(&ours);
        assert_eq!((ours.unscored, ours.dropped), (0, 0), "{cell:?}");
    }
    assert_silent(&table, |key| key[2] == SILENT && key[0] != "Avg.", |_| 120);
    assert_absent(&table, &TASKS, 120);
    assert_absent_average(&table, 120);
}

#[test]
fn every_t_behind_figure_5_2_is_the_audited_value() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    lab.verify("figure-5-2", &[]);
    let panel = |name: &str| lab.table(&format!("figure-5-2/figure-5-2{name}"));
    for (name, audit, cells) in [
        ("a", "A.12 individual t", 18),
        ("b", "A.14 individual t", 12),
    ] {
        let table = panel(name);
        let walked = expected(&data, audit);
        assert_eq!(walked.len(), cells, "{audit}");
        for cell in &walked {
            let (task, metric) = cell.task_and_metric();
            let ours = table.at(&[task, &metric, &cell.column]);
            cell.compare(&ours);
            assert_eq!((ours.unscored, ours.dropped), (0, 0), "{cell:?}");
            assert!(ours.p.is_some_and(|p| (0.0..=1.0).contains(&p)), "{cell:?}");
        }
        assert_eq!(table.len(), 30);
    }
    // The lower panels are the t-statistics of Tables A.13 and A.15.
    for (name, audit) in [("c", "A.13"), ("d", "A.15")] {
        let table = panel(name);
        for cell in expected(&data, audit) {
            let (task, metric) = cell.task_and_metric();
            if task != "Avg." {
                cell.compare(&table.at(&[task, &metric, &cell.column]));
            }
        }
    }
}

#[test]
fn every_cell_of_table_5_3_is_the_audited_value() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    lab.verify("table-5-3", &[]);
    let table = lab.table("table-5-3");
    let cells = expected(&data, "5.3");
    assert_eq!(cells.len(), 24);
    for cell in &cells {
        let (task, _) = cell.task_and_metric();
        let mut words = cell.column.splitn(3, ' ');
        let statistic = match words.next() {
            Some("z") => "t",
            _ => "mean",
        };
        let length = words.next().unwrap();
        let ours = table.at(&[task, statistic, length, context(words.next().unwrap())]);
        cell.compare(&ours);
        assert_eq!((ours.unscored, ours.dropped), (0, 0), "{cell:?}");
    }
    assert_eq!(table.len(), 24);
}

#[test]
fn every_t_behind_figures_5_4_5_5_and_a_31_is_the_audited_value() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    lab.verify("figure-5-4", &[]);
    lab.verify("figure-5-5", &[]);
    let tables =
        ["figure-5-4", "figure-5-4-2k"].map(|name| lab.table(&format!("figure-5-4/{name}")));
    let beside =
        ["figure-5-5", "figure-5-5-2k"].map(|name| lab.table(&format!("figure-5-5/{name}")));
    let cells = expected(&data, "5.4/5.5/A.31 unprinted");
    assert_eq!(cells.len(), 96);
    for cell in &cells {
        // `no ctxt report_only sor=0.1 iss=True [43]`
        let (notice, rest) = cell.row.split_once(" report_only ").unwrap();
        let (settings, task) = rest.rsplit_once(' ').unwrap();
        let task = task.trim_matches(['[', ']']);
        let at = usize::from(cell.column == "z(2K)");
        let place = [
            task,
            metric_of(task),
            context(notice),
            summaries(settings),
            overlap(settings),
        ];
        let ours = tables[at].at(&place);
        cell.compare(&ours);
        assert_eq!((ours.unscored, ours.dropped), (0, 0), "{cell:?}");
        if place[2..4] == ["context", "none"] {
            cell.compare(&beside[at].at(&[task, place[1], place[4], "report_only"]));
        }
    }
    assert_eq!(tables.map(|table| table.len()), [48, 48]);
    assert_eq!(beside.map(|table| table.len()), [36, 36]);
}

#[test]
fn every_number_that_the_text_quotes_from_figure_5_5_is_the_audited_value() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    lab.verify("figure-5-4", &[]);
    let table = lab.table("figure-5-4");
    let cells = expected(&data, "5.5 quotes");
    assert_eq!(cells.len(), 11);
    for cell in &cells {
        // `report_only hard +sec.summary [43]`
        let words: Vec<&str> = cell.row.split(' ').collect();
        let task = words.last().unwrap().trim_matches(['[', ']']);
        let summaries = if words.contains(&"+sec.summary") {
            "summaries"
        } else {
            "none"
        };
        let ours = table.at(&[task, metric_of(task), "context", summaries, words[1]]);
        cell.compare(&ours);
    }
}

#[test]
fn settings_that_nobody_recorded_make_absent_cells_with_counts() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    let spec = Lab::spec("figure-a-31");
    lab.run(&spec, &[]);
    let table = lab.table("figure-a-31");
    assert_eq!(table.len(), 96);
    for (key, cell) in table.iter() {
        assert_eq!(
            (cell.value, cell.n, cell.unscored),
            (None, Some(0), 120),
            "{key:?}"
        );
        assert!(cell.why.contains("not recorded"), "{key:?} {}", cell.why);
    }
    lab.verify("figure-a-30", &[]);
    let table = lab.table("figure-a-30/figure-a-30a");
    for (key, cell) in table.iter() {
        let recorded = key[3] == "2000";
        let counts = if recorded {
            (Some(30), 0)
        } else {
            (Some(0), 30)
        };
        assert_eq!((cell.n, cell.unscored), counts, "{key:?}");
        assert_eq!(cell.value.is_some(), recorded, "{key:?}");
    }
}

fn context(words: &str) -> &'static str {
    if words.contains("no ctxt") {
        "no context"
    } else {
        "context"
    }
}

fn overlap(settings: &str) -> &'static str {
    if settings.contains("sor=0.0") {
        "hard"
    } else {
        "stride"
    }
}

fn summaries(settings: &str) -> &'static str {
    if settings.contains("iss=True") {
        "summaries"
    } else {
        "none"
    }
}

/// Cells of the judge that scored nothing: no value, and all its replies counted as what they are.
fn assert_silent(
    table: &Table,
    about: impl Fn(&[String]) -> bool,
    unscored: impl Fn(&[String]) -> u64,
) {
    let cells: Vec<(&Vec<String>, &Ours)> = table.iter().filter(|(key, _)| about(key)).collect();
    assert!(cells.len() >= 6);
    for (key, cell) in cells {
        assert_eq!((cell.value, cell.n), (None, Some(0)), "{key:?}");
        assert_eq!(cell.unscored, unscored(key), "{key:?}");
        assert!(cell.why.contains("no score found"), "{key:?} {}", cell.why);
    }
}
