//! The thesis's figures: what is drawn is what the tables say, whose cells are audited one by one.

use std::collections::BTreeMap;

use super::data::{Lab, or_skip};

/// The rows of a csv by some of its fields: values, where there are any.
fn values(lab: &Lab, name: &str, fields: &[&str]) -> BTreeMap<Vec<String>, Option<f64>> {
    let mut reader = csv::Reader::from_path(lab.report(name, "csv")).unwrap();
    let heads = reader.headers().unwrap().clone();
    let at = |field: &str| {
        heads
            .iter()
            .position(|head| head == field)
            .unwrap_or_else(|| panic!("{field} in {heads:?}"))
    };
    let places: Vec<usize> = fields.iter().map(|field| at(field)).collect();
    let value = at("value");
    let rows = reader.records().map(|record| {
        let record = record.unwrap();
        let key = places
            .iter()
            .map(|&place| record[place].to_owned())
            .collect();
        (key, record[value].parse().ok())
    });
    rows.collect()
}

#[test]
fn figure_5_2_draws_the_values_of_its_tables() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    lab.run(&Lab::spec("figure-5-2"), &[]);
    let drawn = values(
        &lab,
        "figure-5-2/t-values",
        &["comparison", "judge", "task", "metric", "model"],
    );
    let tables = [
        ("figure-5-2a", "at-2000", "vanilla", "vanilla"),
        ("figure-5-2b", "at-2000", "judgememo", "model"),
        ("figure-5-2c", "by-length", "vanilla", "vanilla"),
        ("figure-5-2d", "by-length", "judgememo", "model"),
    ];
    let mut seen = 0;
    for (table, comparison, judge, model) in tables {
        let cells = values(
            &lab,
            &format!("figure-5-2/{table}"),
            &["task", "metric", model],
        );
        for (key, value) in cells.into_iter().filter(|(_, value)| value.is_some()) {
            let place = [&[comparison.to_owned(), judge.to_owned()], &key[..]].concat();
            assert_eq!(drawn.get(&place), Some(&value), "{place:?}");
            seen += 1;
        }
    }
    assert_eq!(seen, drawn.values().filter(|value| value.is_some()).count());
    assert!(seen >= 60, "{seen}");
}

#[test]
fn the_heatmaps_and_intervals_of_chapter_3_draw_the_values_of_their_tables() {
    let Some(data) = or_skip() else { return };
    let lab = Lab::new(&data);
    lab.run(&Lab::spec("heatmaps"), &[]);
    for (figure, table) in [("heatmap-17", "figure-3-9"), ("heatmap-24", "figure-a-14")] {
        let fields = ["exp", "metric", "length"];
        let drawn = values(&lab, &format!("heatmaps/{figure}"), &fields);
        let mut cells = values(&lab, &format!("heatmaps/{table}"), &fields);
        cells.retain(|key, value| value.is_some() || drawn.contains_key(key));
        assert_eq!(drawn, cells);
        assert!(drawn.len() > 10, "{figure}");
    }
    lab.run(&Lab::spec("intervals"), &[]);
    let drawn = values(&lab, "intervals/selected", &["task", "metric", "length"]);
    let cells = values(
        &lab,
        "intervals/figure-3-11-3-12",
        &["task", "metric", "length", "quantity"],
    );
    assert_eq!(drawn.len(), 28);
    for (key, value) in drawn {
        let cell = [&key[..], &["mean".to_owned()]].concat();
        assert_eq!(cells[&cell], value, "{key:?}");
    }
}
