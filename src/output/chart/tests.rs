//! Figures as values: what is in the picture, and what can never be.

use std::collections::BTreeSet;

use proptest::prelude::*;
use resvg::usvg::roxmltree::Document;

use super::*;
use crate::output::report::Lack;

const FORMS: [Form; 14] = Form::ALL;

pub(super) fn texts(values: &[&str]) -> Vec<String> {
    values.iter().map(|&value| value.to_owned()).collect()
}

pub(super) fn row(x: &str, series: &str, value: Option<f64>) -> Row {
    Row {
        x: texts(&[x]),
        series: texts(&[series]),
        value,
        n: value.map(|_| 6),
        unscored: u64::from(value.is_none()),
        why: value.is_none().then(|| "no score found".to_owned()),
        ..Row::default()
    }
}

pub(super) fn style(form: Form) -> Style {
    Style {
        id: "fig".to_owned(),
        form,
        title: "Scores".to_owned(),
        x: texts(&["task"]),
        series: texts(&["model"]),
        value: "mean".to_owned(),
        ..Style::default()
    }
}

/// What marks say, in the order in which they are drawn.
pub(super) fn said(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).expect("well-formed");
    let titles = document
        .descendants()
        .filter(|node| node.has_tag_name("title"));
    titles
        .skip(1)
        .filter_map(|node| node.text().map(str::to_owned))
        .collect()
}

/// All text that stands in the picture.
pub(super) fn shown(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).expect("well-formed");
    let texts = document
        .descendants()
        .filter(|node| node.has_tag_name("text"));
    texts
        .filter_map(|node| node.text().map(str::to_owned))
        .collect()
}

#[test]
fn a_small_figure_looks_like_this() {
    let rows = [
        Row {
            low: Some(-0.5),
            high: Some(0.25),
            ..row("typos", "LI", Some(-0.125))
        },
        row("word order", "LI", None),
    ];
    let drawing = draw(&style(Form::Intervals), &rows);
    insta::assert_snapshot!("intervals", drawing.svg);
    assert_eq!(
        drawing.note,
        "n = 6 per interval; 1 row unscored; 1 interval without a value."
    );
    assert_eq!(
        drawing.description,
        "Intervals of mean by task, 1 series by model; values from −0.12 to −0.12; 1 interval without a value."
    );
}

#[test]
fn a_small_heatmap_looks_like_this() {
    let rows = [("1000", "3", Some(-0.5)), ("2000", "3", None)].map(|(x, y, value)| Row {
        y: texts(&[y]),
        series: Vec::new(),
        ..row(x, "", value)
    });
    let style = Style {
        series: Vec::new(),
        y: texts(&["exp"]),
        ..style(Form::Heatmap)
    };
    insta::assert_snapshot!("heatmap", draw(&style, &rows).svg);
}

#[test]
fn a_value_that_is_not_there_is_a_cross_and_no_zero() {
    for form in [Form::Bars, Form::Points, Form::Lines, Form::Intervals] {
        let with = [row("a", "m", Some(2.0)), row("b", "m", None)];
        let drawing = draw(&style(form), &with);
        let said = said(&drawing.svg);
        assert!(
            said.iter()
                .any(|said| said == "b · m: no value: no score found (1 row unscored)"),
            "{said:?}"
        );
        assert!(
            shown(&drawing.svg).contains(&"no value".to_owned()),
            "{form:?}"
        );
        assert!(drawing.note.contains("1 row unscored"), "{}", drawing.note);
    }
}

#[test]
fn values_stand_in_the_order_that_is_given() {
    let rows = ["b", "c", "a"].map(|x| row(x, "m", Some(1.0)));
    let mut style = style(Form::Points);
    let order = |style: &Style| {
        let said = said(&draw(style, &rows).svg);
        said.iter()
            .map(|said| said[..1].to_owned())
            .collect::<String>()
    };
    assert_eq!(order(&style), "bca");
    style.order.insert("task".to_owned(), texts(&["a", "b"]));
    assert_eq!(order(&style), "abc");
}

#[test]
fn a_label_is_shown_in_place_of_a_value_and_an_empty_one_not_at_all() {
    let mut style = style(Form::Points);
    let labels =
        [("a", "typos"), ("b", "")].map(|(value, label)| (value.to_owned(), label.to_owned()));
    style.labels.insert("task".to_owned(), labels.into());
    style.x.push("metric".to_owned());
    let rows = ["a", "b"].map(|x| Row {
        x: texts(&[x, "fluency"]),
        ..row(x, "m", Some(1.0))
    });
    let shown = shown(&draw(&style, &rows).svg);
    assert!(shown.contains(&"typos · fluency".to_owned()), "{shown:?}");
    assert!(shown.contains(&"fluency".to_owned()), "{shown:?}");
}

#[test]
fn the_band_reaches_from_end_to_end_where_some_values_are_missing() {
    let rows = [Some(1.0), None, Some(3.0)].map(|value| Row {
        bound: value.map(|_| 2.0),
        ..row(&format!("{value:?}"), "m", value)
    });
    let svg = draw(&style(Form::Points), &rows).svg;
    let bands = svg.matches("fill-opacity=\"0.1\"").count();
    assert_eq!(bands, 1, "{svg}");
}

#[test]
fn a_point_says_whether_it_is_significant() {
    let rows = [Row {
        bound: Some(2.0),
        ..row("a", "m", Some(1.5))
    }];
    let said = said(&draw(&style(Form::Points), &rows).svg);
    assert_eq!(
        said,
        ["a · m: mean 1.50, not significant (bound 2.00) (n = 6)"]
    );
}

#[test]
fn an_undefined_test_and_a_partial_mean_are_marked_in_the_picture_and_told_below() {
    for form in [
        Form::Bars,
        Form::Points,
        Form::Lines,
        Form::Intervals,
        Form::Heatmap,
    ] {
        let lack = Lack::of_value(2, 3, "metrics".to_owned(), vec!["coherence".to_owned()]);
        let mut rows = [
            Row {
                undefined: Some("all differences are −2".to_owned()),
                ..row("a", "m", Some(-2.0))
            },
            Row {
                lacks: vec![lack],
                ..row("b", "m", Some(1.0))
            },
        ];
        if form == Form::Heatmap {
            for row in &mut rows {
                row.y = texts(&["y"]);
            }
        }
        let drawing = draw(&style(form), &rows);
        let shown = shown(&drawing.svg);
        for sign in ["‡", "†"] {
            assert!(
                shown.iter().any(|text| text.ends_with(sign)),
                "{form:?} {sign} {shown:?}"
            );
        }
        for note in [
            "† over 2 of 3 metrics: without coherence.",
            "‡ not defined: all differences are −2.",
        ] {
            assert!(drawing.note.contains(note), "{form:?}: {}", drawing.note);
        }
        let said = said(&drawing.svg).join("\n");
        assert!(
            said.contains("; ‡ not defined: all differences are −2"),
            "{said}"
        );
    }
}

#[test]
fn labels_of_hostile_documents_stay_text() {
    let long = "x".repeat(300);
    let hostile = [
        "<script>alert(1)</script>",
        "\"/><image href=\"http://127.0.0.1/x\" onload=\"alert(1)\"/>",
        "]]>&amp;--><!--",
        "\u{202e}שלום עולם",
        "a\u{0}b\u{1b}[31mc\r\nd",
        long.as_str(),
        "",
    ];
    for form in FORMS {
        let rows: Vec<Row> = hostile
            .iter()
            .map(|label| Row {
                panel: texts(&[label]),
                y: texts(&[label]),
                low: Some(0.0),
                high: Some(1.0),
                reasons: [((*label).to_owned(), 1)].into(),
                unscored: 1,
                why: Some((*label).to_owned()),
                ..row(label, label, None)
            })
            .collect();
        let mut style = Style {
            title: hostile.join(" "),
            panels: texts(&["panel"]),
            y: if matches!(form, Form::Heatmap | Form::Confusion) {
                texts(&["y"])
            } else {
                Vec::new()
            },
            ..style(form)
        };
        for field in ["task", "model", "panel", "mean"] {
            style.headings.insert(field.to_owned(), hostile.join(" "));
        }
        let drawing = draw(&style, &rows);
        let document = Document::parse(&drawing.svg).expect("well-formed");
        let allowed = [
            "svg", "title", "desc", "defs", "pattern", "g", "rect", "line", "circle", "path",
            "text",
        ];
        for node in document.descendants().filter(roxmltree_element) {
            assert!(
                allowed.contains(&node.tag_name().name()),
                "{:?}",
                node.tag_name()
            );
            assert!(
                node.attributes()
                    .all(|attribute| !attribute.name().starts_with("on"))
            );
        }
        if form == Form::Points {
            assert!(png(&drawing.svg, "x").is_ok());
        }
    }
}

fn roxmltree_element(node: &resvg::usvg::roxmltree::Node<'_, '_>) -> bool {
    node.is_element()
}

#[test]
fn no_two_elements_of_a_picture_share_an_id() {
    let rows: Vec<Row> = (0..9)
        .map(|index| row("a", &index.to_string(), Some(1.0)))
        .collect();
    let svg = draw(&style(Form::Bars), &rows).svg;
    let document = Document::parse(&svg).unwrap();
    let ids: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect();
    let different: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), different.len());
    assert!(ids.iter().all(|id| id.starts_with("fig-")), "{ids:?}");
}

#[test]
fn what_is_too_large_to_be_drawn_is_told() {
    for form in FORMS {
        let rows = [f64::MAX, f64::MIN, f64::INFINITY, f64::NAN, 1.0].map(|value| Row {
            low: Some(-f64::MAX),
            high: Some(f64::MAX),
            bound: Some(f64::INFINITY),
            ..row(&value.to_string(), "m", Some(value))
        });
        let svg = draw(&style(form), &rows).svg;
        assert!(!svg.contains("NaN\""), "{form:?}");
        if form.has_intervals() || form == Form::Heatmap {
            assert_eq!(svg.matches("too large to be drawn").count(), 4, "{form:?}");
        }
    }
}

#[test]
fn a_figure_without_rows_says_so() {
    for form in FORMS {
        let svg = draw(&style(form), &[]).svg;
        assert_eq!(shown(&svg), ["no rows"]);
    }
}

fn any_value() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![
        1 => Just(None),
        8 => (-1e3..1e3_f64).prop_map(Some),
        1 => prop_oneof![Just(0.0), Just(1e150), Just(-1e150), Just(1e-300)].prop_map(Some),
    ]
}

fn any_rows() -> impl Strategy<Value = Vec<Row>> {
    let one = (
        0..3_usize,
        0..5_usize,
        0..4_usize,
        any_value(),
        any_value(),
        any_value(),
    );
    proptest::collection::vec(one, 0..30).prop_map(|rows| {
        let mut seen = BTreeSet::new();
        let rows = rows
            .into_iter()
            .filter(|(panel, x, series, ..)| seen.insert((*panel, *x, *series)));
        rows.map(|(panel, x, series, value, low, high)| Row {
            panel: texts(&[&panel.to_string()]),
            y: texts(&[&series.to_string()]),
            low: low.and(high).and(low),
            high: low.and(high),
            ..row(&x.to_string(), &series.to_string(), value)
        })
        .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_row_is_in_the_picture_and_all_coordinates_are_numbers(rows in any_rows(), form in 0..5_usize, lying in any::<bool>()) {
        let form = FORMS[form];
        let mut style = Style { panels: texts(&["panel"]), ..style(form) };
        if form == Form::Heatmap {
            style.series = Vec::new();
            style.y = texts(&["y"]);
        } else if lying && form != Form::Lines {
            style.y = std::mem::take(&mut style.x);
        }
        let rows: Vec<Row> = rows.into_iter().map(|row| Row {
            y: if lying && form != Form::Heatmap { row.x.clone() } else { row.y },
            series: if form == Form::Heatmap { Vec::new() } else { row.series },
            ..row
        }).collect();
        let svg = draw(&style, &rows).svg;
        prop_assert_eq!(&svg, &draw(&style, &rows).svg);
        prop_assert!(!svg.contains("NaN") && !svg.contains("inf"));
        let with = said(&svg).into_iter().filter(|said| said.contains("mean ")).count();
        let without = said(&svg).into_iter().filter(|said| said.contains("no value:")).count();
        prop_assert_eq!(with, rows.iter().filter(|row| row.value.is_some()).count());
        prop_assert_eq!(without, rows.iter().filter(|row| row.value.is_none()).count());
    }

    #[test]
    fn every_distribution_is_in_the_picture(rows in any_rows()) {
        let style = Style { panels: texts(&["panel"]), ..style(Form::Violins) };
        let svg = draw(&style, &rows).svg;
        prop_assert!(!svg.contains("NaN") && !svg.contains("inf"));
        let shapes = said(&svg).into_iter().filter(|said| said.contains("median ")).count();
        prop_assert_eq!(shapes, rows.iter().filter(|row| row.value.is_some()).count());
    }
}

#[test]
fn an_axis_without_a_value_has_no_numbers() {
    // Labels are counted: what they have none of is a number, too.
    for form in FORMS.into_iter().filter(|form| !form.is_of_labels()) {
        let rows = [row("a", "m", None), row("b", "m", None)];
        let shown = shown(&draw(&style(form), &rows).svg);
        assert!(
            !shown.iter().any(|text| text.starts_with(['0', '1'])),
            "{form:?} {shown:?}"
        );
    }
}
