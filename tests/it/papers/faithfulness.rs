//! `experiments/faithfulness`: what its figures draw, held against counts that were made from the same labels by another program.

use std::collections::BTreeMap;
use std::path::Path;

use crate::relations::{find, stored, tribunal};

/// The cells of two columns of a csv by those of others, of the rows of one family.
fn drawn(
    folder: &Path,
    name: &str,
    keys: &[&str],
    family: &str,
) -> BTreeMap<Vec<String>, (String, String)> {
    let file = fs_err::read(find(folder, name)).unwrap();
    let mut reader = csv::Reader::from_reader(&file[..]);
    let header = reader.headers().unwrap().clone();
    let at = |name: &str| header.iter().position(|column| column == name).unwrap();
    let rows = reader.records().map(Result::unwrap);
    let rows = rows.filter(|row| &row[at("family")] == family);
    rows.map(|row| {
        let key = keys.iter().map(|key| row[at(key)].to_owned()).collect();
        (key, (row[at("value")].to_owned(), row[at("n")].to_owned()))
    })
    .collect()
}

#[test]
fn figures_of_one_run_draw_what_is_counted_in_its_labels() {
    let Some(data) = stored("FAITHFULNESS_DATA", "faithfulness", "scores.parquet") else {
        return;
    };
    let paths = format!("paths.faithfulness={}", data.display());
    let run = r#"select.run.keep={dataset="qags",aspect="factual_consistency",model="gemma"}"#;
    let spec = "experiments/faithfulness/figures.toml";
    let more = ["--set", &paths, "--set", run, "--set", "ablation=[]"];
    let (code, said, folder) = tribunal("run", spec, &more);
    assert_eq!(code, Some(0), "{said}");
    // Figure 24: how many labels of examples with errors change when severities are moved by 1 and by 2.
    let classes = drawn(
        folder.path(),
        "by-score.csv",
        &["direction", "old_score", "label"],
        "severity",
    );
    let counted = [
        ("less severe", "1", [31, 8, 0, 7]),
        ("less severe", "2", [17, 52, 0, 103]),
        ("less severe", "3", [7, 20, 10, 169]),
        ("less severe", "4", [0, 0, 0, 3]),
        ("more severe", "1", [1, 0, 0, 45]),
        ("more severe", "2", [49, 44, 0, 79]),
        ("more severe", "3", [109, 80, 1, 16]),
        ("more severe", "4", [3, 0, 0, 0]),
    ];
    let mut seen = 0;
    for (direction, score, counts) in counted {
        for (label, n) in ["at 1", "at 2", "inconsistent", "unchanged"]
            .into_iter()
            .zip(counts)
        {
            let found = classes.get(&vec![
                direction.to_owned(),
                score.to_owned(),
                label.to_owned(),
            ]);
            let found = found.map_or(0, |(_, n)| n.parse::<u32>().unwrap());
            assert_eq!(found, n, "{direction}, {score}, {label}");
            seen += usize::from(n > 0);
        }
    }
    assert_eq!(classes.len(), seen, "{classes:?}");
    // Figure 45: examples and their mean change, by the sum of changes of severities.
    let means = drawn(folder.path(), "by-modification.csv", &["total"], "severity");
    let computed = [
        ("-8", 1, 0.0),
        ("-6", 7, 5.0 / 7.0),
        ("-5", 1, 0.0),
        ("-4", 56, 25.0 / 56.0),
        ("-3", 54, 10.0 / 54.0),
        ("-2", 380, 104.0 / 380.0),
        ("-1", 355, 36.0 / 355.0),
        ("1", 350, -159.0 / 350.0),
        ("2", 320, -186.0 / 320.0),
        ("3", 46, -40.0 / 46.0),
        ("4", 52, -45.0 / 52.0),
        ("5", 1, -1.0),
        ("6", 1, 0.0),
    ];
    assert_eq!(means.len(), computed.len(), "{means:?}");
    for (total, n, mean) in computed {
        let (value, found) = &means[&vec![total.to_owned()]];
        assert_eq!(found, &n.to_string(), "{total}");
        assert!(
            (value.parse::<f64>().unwrap() - mean).abs() < 1e-12,
            "{total}: {value}"
        );
    }
}
