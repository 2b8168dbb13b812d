//! Figures of pairs, labels, distributions and predictions as values: what is in the picture.

use proptest::prelude::*;

use super::tests::{row, said, shown, style, texts};
use super::*;

/// A pair of numbers that occurs so often.
fn pair(x: &str, y: Option<f64>, n: u64) -> Row {
    Row {
        n: Some(n),
        unit: Some("value".to_owned()),
        ..row(x, "m", y)
    }
}

/// Where the circles stand, and how large they are.
fn circles(svg: &str) -> Vec<[f64; 3]> {
    let number = |text: &str, name: &str| -> f64 {
        let rest = text.split(&format!("{name}=\"")).nth(1).unwrap_or("");
        rest.split('"')
            .next()
            .unwrap_or("")
            .parse()
            .unwrap_or(f64::NAN)
    };
    let all = svg.split("<circle ").skip(1);
    all.map(|text| ["cx", "cy", " r"].map(|name| number(text, name)))
        .collect()
}

fn plain(form: Form) -> Style {
    Style {
        series: Vec::new(),
        ..style(form)
    }
}

#[test]
fn the_area_of_a_mark_says_how_often_a_pair_occurs() {
    let rows = [pair("1", Some(1.0), 16), pair("5", Some(5.0), 4)];
    let drawing = draw(&plain(Form::Scatter), &rows);
    let [one, two] = circles(&drawing.svg)[..] else {
        panic!("{}", drawing.svg)
    };
    assert!((one[2] / two[2] - 2.0).abs() < 0.01, "{one:?} {two:?}");
    let shown = shown(&drawing.svg);
    assert!(
        shown.contains(&"16".to_owned()) && shown.contains(&"4".to_owned()),
        "{shown:?}"
    );
    assert!(
        drawing.note.contains("The area of a mark says how many"),
        "{}",
        drawing.note
    );
}

#[test]
fn bars_along_both_axes_count_the_pairs() {
    let rows = [
        pair("1", Some(1.0), 3),
        pair("1", Some(2.0), 2),
        pair("2", Some(2.0), 4),
        pair("2", None, 7),
    ];
    let said = said(&draw(&plain(Form::Scatter), &rows).svg);
    for bar in [
        "task 1: 5 values",
        "task 2: 4 values",
        "mean 1: 3 values",
        "mean 2: 6 values",
    ] {
        assert!(said.contains(&bar.to_owned()), "{bar} {said:?}");
    }
}

#[test]
fn series_that_meet_in_a_place_do_not_hide_each_other() {
    let rows = ["a", "b"].map(|series| Row {
        series: texts(&[series]),
        ..pair("1", Some(1.0), 1)
    });
    let svg = draw(&style(Form::Scatter), &rows).svg;
    let marks = said(&svg);
    assert!(
        marks.iter().any(|said| said.starts_with("a: "))
            && marks.iter().any(|said| said.starts_with("b: "))
    );
    let circle = circles(&svg.replace("class=\"legend\"", ""));
    let path = svg
        .rsplit("<path d=\"M")
        .find(|path| path.contains(">b: task"))
        .unwrap();
    let corner: f64 = path.split(' ').next().unwrap().parse().unwrap();
    assert!(
        circle.iter().all(|[x, ..]| (x - corner).abs() > 3.0),
        "{circle:?} {corner}"
    );
}

#[test]
fn a_confusion_matrix_has_the_same_order_in_both_directions() {
    let row = |x: &str, y: &str, n| Row {
        x: texts(&[x]),
        y: texts(&[y]),
        ..pair(x, Some(0.5), n)
    };
    let rows = [row("10", "9", 3), row("9", "10", 2), row("", "9", 1)];
    let style = Style {
        y: texts(&["human"]),
        ..plain(Form::Confusion)
    };
    let drawing = draw(&style, &rows);
    let shown = shown(&drawing.svg);
    let labels: Vec<&String> = shown
        .iter()
        .filter(|text| ["9", "10", "no value", "all"].contains(&text.as_str()))
        .collect();
    // The legend, the line below, the one beside.
    assert_eq!(
        labels,
        [
            "no value", "9", "10", "no value", "all", "9", "10", "no value", "all"
        ]
    );
    assert!(
        drawing
            .note
            .contains("0 of 5 rows with both labels have the same one"),
        "{}",
        drawing.note
    );
}

#[test]
fn classes_without_an_order_stand_by_size_and_what_has_no_label_last() {
    let rows = [("", 0.25), ("10", 0.25), ("9", 0.5)].map(|(class, share)| Row {
        series: texts(&[class]),
        n: Some(1),
        ..row("a", class, Some(share))
    });
    let said = said(&draw(&style(Form::Stacked), &rows).svg);
    let classes: Vec<&str> = said
        .iter()
        .map(|said| said.split(": ").next().unwrap())
        .collect();
    assert_eq!(classes, ["a · 9", "a · 10", "a · no value"]);
}

#[test]
fn one_value_and_equal_values_are_drawn_in_every_form() {
    for form in Form::ALL {
        for n in [1, 20] {
            let rows = [Row {
                y: texts(&["3"]),
                low: Some(0.5),
                high: Some(1.5),
                ..pair("3", Some(1.0), n)
            }];
            let wish = Style {
                y: if matches!(form, Form::Heatmap | Form::Confusion) {
                    texts(&["y"])
                } else {
                    Vec::new()
                },
                identity: true,
                // Classes are series.
                ..(if form == Form::Stacked {
                    style(form)
                } else {
                    plain(form)
                })
            };
            let drawing = draw(&wish, &rows);
            assert!(
                !drawing.svg.contains("NaN") && !drawing.svg.contains("inf\""),
                "{form:?}"
            );
            assert!(!said(&drawing.svg).is_empty(), "{form:?}");
            assert!(png(&drawing.svg, "x").is_ok());
        }
    }
}

#[test]
fn the_columns_beside_a_forest_hold_value_interval_and_n() {
    let rows = [Some(1.25), None].map(|value| Row {
        y: texts(&[if value.is_some() { "a" } else { "b" }]),
        low: value.map(|_| 1.0),
        high: value.map(|_| 1.5),
        ..row("", "m", value)
    });
    let style = Style {
        x: Vec::new(),
        y: texts(&["judge"]),
        numbers: true,
        ..plain(Form::Intervals)
    };
    let shown = shown(&draw(&style, &rows).svg);
    for text in ["1.25", "1.00 to 1.50", "6", "—", "interval", "n"] {
        assert!(shown.contains(&text.to_owned()), "{text} {shown:?}");
    }
}

fn any_pairs() -> impl Strategy<Value = Vec<Row>> {
    let number = || prop_oneof![1 => Just(None), 6 => (-20..20_i32).prop_map(Some)];
    let one = (number(), number(), 0..2_usize, 0..2_usize, 1..9_u64);
    proptest::collection::vec(one, 1..40).prop_map(|rows| {
        let mut seen = std::collections::BTreeSet::new();
        let rows = rows
            .into_iter()
            .filter(|(x, y, series, panel, _)| seen.insert((*x, *y, *series, *panel)));
        rows.map(|(x, y, series, panel, n)| Row {
            panel: texts(&[&panel.to_string()]),
            series: texts(&[&series.to_string()]),
            ..pair(
                &x.map_or_else(String::new, |x| x.to_string()),
                y.map(f64::from),
                n,
            )
        })
        .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_pair_is_in_the_picture_once(rows in any_pairs(), agreement in any::<bool>()) {
        let form = if agreement { Form::BlandAltman } else { Form::Scatter };
        let style = Style { panels: texts(&["panel"]), ..style(form) };
        let svg = draw(&style, &rows).svg;
        prop_assert!(!svg.contains("NaN") && !svg.contains("inf"));
        let marks = said(&svg).into_iter().filter(|said| said.contains("(n = ") || said.contains("unscored")).count();
        prop_assert_eq!(marks, rows.len());
    }
}
