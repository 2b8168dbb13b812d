//! A spec made for recorded outputs, run live: a layer on top puts another judge on its axis.

use super::data::{Lab, or_skip};

/// Two documents and a judge that answers from a script.
const LAYER: &str = r#"
[axes.model]
values = ["spoken"]

[select.docs.keep]
doc_id = ["JM-29146", "JM-36072"]

[models.spoken]
provider = "scripted"
script   = "script.toml"
"#;

const SCRIPT: &str = r#"
[[reply]]
text = """
FINAL Fluency Score: {{ digest % 5 + 1 }}
FINAL Coherence Score: {{ digest // 5 % 5 + 1 }}
"""
"#;

#[test]
fn a_table_of_recorded_judges_is_run_with_another_judge_by_a_layer_on_top() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    let layer = lab.folder.path().join("live.toml");
    fs_err::write(&layer, LAYER).unwrap();
    fs_err::write(lab.folder.path().join("script.toml"), SCRIPT).unwrap();
    let with = ["--with", layer.to_str().unwrap()];
    lab.run(&Lab::spec("table-a-12"), &with);
    let table = lab.table("table-a-12");
    for (key, cell) in table.iter() {
        assert!(["spoken", "Avg.", "Stdev"].contains(&&*key[2]), "{key:?}");
        if key[2] == "spoken" && key[0] != "Avg." {
            assert_eq!((cell.n, cell.unscored), (Some(2), 0), "{key:?}");
        }
    }
    let record = fs_err::read_to_string(lab.report("table-a-12/run", "json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["with"][0], layer.to_str().unwrap());
    // Fourteen prompts: two documents, gold and with six manipulations.
    assert_eq!(record["calls"]["made"], 14);
    assert_eq!(record["counts"]["scored"], 28);
}

#[test]
fn every_table_and_figure_can_be_run_live() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    let layers = |names: &[&str]| -> Vec<String> {
        let paths = names
            .iter()
            .map(|name| Lab::spec(name).display().to_string());
        paths.flat_map(|path| ["--with".to_owned(), path]).collect()
    };
    let cases: [(&[&str], &[&str]); 7] = [
        (&["table-5-1", "table-a-12", "table-a-13"], &["live"]),
        (
            &["table-5-2", "table-a-14", "table-a-15", "figure-5-2"],
            &["memory-live"],
        ),
        (&["table-5-3", "figure-a-30"], &["ablations-live"]),
        (&["figure-5-4"], &["summaries-live"]),
        (&["figure-5-5"], &["reports-live"]),
        (&["figure-a-31"], &["summaries-live", "reports-live"]),
        // The layers may be given the other way round, too.
        (&["figure-a-31"], &["reports-live", "summaries-live"]),
    ];
    for (specs, names) in cases {
        let with = layers(names);
        let with: Vec<&str> = with.iter().map(String::as_str).collect();
        for spec in specs {
            lab.lint(spec, &with);
        }
    }
}

#[test]
fn the_method_runs_from_sections_to_the_last_judge_with_every_setting_on_its_axis() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    let layer = lab.folder.path().join("spoken.toml");
    // One document, gold and with typos, at its 2000 tokens; sections of half the size.
    let text = LAYER.replace("spoken\"]", "spoken\"]\nnames = [\"spoken\"]")
        + "\n[axes.task]\nvalues = [\"gold\", \"41\"]\n[axes.scan]\nvalues = [1000, 1500]\n\
           [axes.length]\nvalues = [\"2000\"]\n[table.figure-a-30a.order]\ntask = []\n";
    fs_err::write(&layer, text).unwrap();
    fs_err::write(lab.folder.path().join("script.toml"), SCRIPT).unwrap();
    let live = Lab::spec("ablations-live");
    let with = [
        "--with",
        live.to_str().unwrap(),
        "--with",
        layer.to_str().unwrap(),
    ];
    lab.run(&Lab::spec("figure-a-30"), &with);
    let table = lab.table("figure-a-30/figure-a-30a");
    for (key, cell) in table.iter() {
        assert!(["1000", "1500"].contains(&&*key[3]), "{key:?}");
        assert_eq!((cell.n, cell.unscored), (Some(2), 0), "{key:?}");
    }
    assert_eq!(table.len(), 16);
}
