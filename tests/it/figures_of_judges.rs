//! Figures for studies of judges, from specs to files: pairs of numbers, labels, shares, distributions, predictions.

use crate::lab::{Lab, Ran};

/// Human scores and those of a judge, with one of each missing, and how sure the judge was.
const DOCS: &str = "\
name,body,genre,human,score,verdict,sure,right
a,One.,prose,1,2,poor,0.05,false
b,Two.,prose,1,2,poor,0.1,true
c,Three.,prose,2,2,poor,0.55,true
d,Four.,verse,4,5,good,0.95,true
e,Five.,verse,5,5,good,1,true
f,Six.,verse,5,3,,0.97,false
g,Seven.,verse,,4,good,,true
h,Eight.,verse,3,,,0.5,false
";

fn lab(figures: &str) -> Lab {
    let source = "[source.docs]\nfiles = \"docs.csv\"\nid = \"name\"\ntext = \"body\"\n\n";
    Lab::new()
        .spec(&format!("{source}{figures}"))
        .file("docs.csv", DOCS)
}

fn drawn(figure: &str) -> Ran {
    lab(&format!("[figure.shown]\nfrom = \"docs\"\n{figure}"))
        .run(&[])
        .ok()
}

/// The cells of a figure's rows in these columns.
fn cells(ran: &Ran, columns: &[&str]) -> Vec<String> {
    let mut lines = ran.tables["shown.csv"].lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let places: Vec<usize> = columns
        .iter()
        .map(|column| head.iter().position(|name| name == column).unwrap())
        .collect();
    let rows = lines.map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let kept: Vec<&str> = places.iter().map(|&place| cells[place]).collect();
        kept.join(" ")
    });
    rows.collect()
}

fn svg(ran: &Ran) -> &str {
    &ran.tables["shown.svg"]
}

#[test]
fn a_scatter_counts_equal_pairs_and_keeps_those_without_a_number() {
    let ran = drawn("type = \"scatter\"\nx = \"human\"\ny = \"score\"\nidentity = true");
    assert_eq!(
        cells(&ran, &["human", "value", "n"]),
        ["1 2 2", "2 2 1", "4 5 1", "5 3 1", "5 5 1", " 4 1", "3  "]
    );
    for said in [
        "human 1, score 2 (n = 2 values)",
        "no human, score 4 (n = 1 value)",
        "human 3, no score: no value 1 (1 row unscored)",
        "n = 6 values per panel",
        "2 rows without a value",
        "equal numbers",
    ] {
        assert!(svg(&ran).contains(said), "{said}\n{}", svg(&ran));
    }
}

#[test]
fn a_fitted_line_is_that_of_least_squares_and_says_how_the_numbers_correlate() {
    let ran = drawn("type = \"scatter\"\nx = \"human\"\ny = \"score\"\nfit = true");
    let lines: Vec<String> = cells(&ran, &["reference", "human", "value", "n", "r"])
        .into_iter()
        .filter(|line| line.starts_with("true"))
        .collect();
    // numpy.polyfit and numpy.corrcoef of ([1, 1, 2, 4, 5, 5], [2, 2, 2, 5, 5, 3])
    let expected = [[1.0, 1.944_444_444_4], [5.0, 4.388_888_888_9]];
    assert_eq!(lines.len(), 2, "{lines:?}");
    for (line, [x, y]) in lines.iter().zip(expected) {
        let numbers: Vec<f64> = line[5..]
            .split(' ')
            .map(|cell| cell.parse().unwrap())
            .collect();
        assert!(
            (numbers[0] - x).abs() < 1e-9 && (numbers[1] - y).abs() < 1e-9,
            "{line}"
        );
        assert!((numbers[2] - 6.0).abs() < 1e-9, "{line}");
        assert!((numbers[3] - 0.787_726_361_4).abs() < 1e-9, "{line}");
    }
    assert!(svg(&ran).contains("r = 0.79"), "{}", svg(&ran));
}

#[test]
fn bias_and_limits_of_agreement_are_rows_of_the_figure() {
    let ran = drawn("type = \"bland-altman\"\nx = \"human\"\ny = \"score\"");
    let line = cells(&ran, &["reference", "value", "low", "high", "n", "n_of"])
        .into_iter()
        .find(|line| line.starts_with("true"))
        .unwrap();
    let cells: Vec<&str> = line.split(' ').collect();
    let number = |at: usize| cells[at].parse::<f64>().unwrap();
    // numpy.mean and std(ddof = 1) of [1, 1, 0, 1, 0, -2], and 1.959964 of them
    assert!((number(1) - 0.166_666_666_7).abs() < 1e-9, "{line}");
    assert!((number(2) + 2.124_619_8).abs() < 1e-6, "{line}");
    assert!((number(3) - 2.457_953_1).abs() < 1e-6, "{line}");
    assert_eq!(&cells[4..], ["6", "pair"]);
    assert!(svg(&ran).contains("human 1, score 2: mean 1.5, difference 1 (n = 2 values)"));
    assert!(svg(&ran).contains("bias 0.17, limits of agreement −2.12 to 2.46 (n = 6 pairs)"));
}

#[test]
fn one_pair_has_a_bias_and_no_limits_and_the_figure_says_why() {
    let ran =
        drawn("type = \"bland-altman\"\nx = \"human\"\ny = \"score\"\nwhere = \"doc_id == 'a'\"");
    assert!(
        svg(&ran).contains("‡ not defined: limits of agreement need two pairs"),
        "{}",
        svg(&ran)
    );
}

#[test]
fn a_confusion_matrix_counts_every_row_with_the_shares_of_its_lines() {
    let ran = drawn("type = \"confusion\"\nx = \"verdict\"\ny = \"genre\"");
    assert_eq!(
        cells(&ran, &["genre", "verdict", "n", "unscored"]),
        ["prose poor 3 0", "verse good 3 0", "verse  2 2"]
    );
    let of_verse = cells(&ran, &["value"]);
    assert_eq!(of_verse, ["1", "0.6", "0.4"]);
    for said in [
        "genre verse, verdict good: 3 rows, 60% of 5 in this row",
        "genre prose, verdict good: 0 rows, 0% of 3 in this row",
        "genre verse, verdict no value: 2 rows, 40% of 5 in this row",
        "genre all, verdict all: 8 rows",
    ] {
        assert!(svg(&ran).contains(said), "{said}\n{}", svg(&ran));
    }
}

#[test]
fn stacked_shares_have_a_class_of_those_without_a_label() {
    let ran = drawn("type = \"stacked\"\nx = \"genre\"\nseries = \"verdict\"");
    assert_eq!(
        cells(&ran, &["genre", "verdict", "value", "n"]),
        ["prose poor 1 3", "verse good 0.6 3", "verse  0.4 2"]
    );
    assert!(
        svg(&ran).contains("verse · no value: 2 (40%) of 5 rows: no value 2"),
        "{}",
        svg(&ran)
    );
    assert!(svg(&ran).contains("those without a value included"));
}

#[test]
fn a_class_that_is_not_drawn_is_counted_all_the_same() {
    let ran = drawn(
        "type = \"stacked\"\nx = \"genre\"\nseries = \"verdict\"\nlabels.verdict = { good = \"\" }",
    );
    assert!(
        svg(&ran).contains("3 rows counted and not drawn"),
        "{}",
        svg(&ran)
    );
    assert!(svg(&ran).contains("2 (40%) of 5 rows"), "{}", svg(&ran));
}

#[test]
fn distributions_by_series_say_their_quartiles_and_the_width_of_their_kernel() {
    for (form, more) in [("ecdf", ""), ("density", ", bandwidth 0.5")] {
        let width = if form == "density" {
            "bandwidth = 0.5"
        } else {
            ""
        };
        let ran = drawn(&format!(
            "type = \"{form}\"\nvalue = \"score\"\nseries = \"genre\"\n{width}"
        ));
        let said = format!("verse: median 4.50, quartiles 3.75 and 5.00{more} (n = 4 values)");
        assert!(svg(&ran).contains(&said), "{said}\n{}", svg(&ran));
        assert!(svg(&ran).contains("1 row unscored"), "{}", svg(&ran));
    }
}

#[test]
fn predictions_are_held_against_what_came_true_with_wilson_intervals() {
    let ran = drawn("type = \"reliability\"\nx = \"sure\"\ny = \"right\"\nbins = 2");
    let rows = cells(&ran, &["value", "low", "high", "n", "unscored"]);
    assert_eq!(rows.len(), 3, "{rows:?}");
    // statsmodels' proportion_confint(1, 2, method = "wilson") and (3, 5)
    for (row, [share, low, high]) in rows.iter().zip([
        [0.5, 0.094_531_205_7, 0.905_468_794_3],
        [0.6, 0.230_724_281_1, 0.882_379_225_8],
    ]) {
        let numbers: Vec<f64> = row
            .split_whitespace()
            .map(|cell| cell.parse().unwrap())
            .collect();
        for (ours, theirs) in numbers.iter().zip([share, low, high]) {
            assert!((ours - theirs).abs() < 1e-9, "{row}");
        }
    }
    assert!(rows[2].ends_with(" 1"), "{rows:?}");
    assert!(
        svg(&ran).contains("% confidence intervals. Each mark stands at the mean"),
        "{}",
        svg(&ran)
    );
}

#[test]
fn a_prediction_that_is_no_share_and_an_outcome_that_is_none_are_refused() {
    for (x, y, said) in [
        ("human", "right", "a prediction is 2, not between 0 and 1"),
        (
            "sure",
            "score",
            "what is observed is 2, not true or false, 1 or 0",
        ),
    ] {
        let lab = lab(&format!(
            "[figure.shown]\nfrom = \"docs\"\ntype = \"reliability\"\nx = \"{x}\"\ny = \"{y}\""
        ));
        let ran = lab.run(&[]);
        assert_ne!(ran.code, 0);
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}

#[test]
fn numbers_along_an_axis_stand_as_far_apart_as_they_are() {
    let spec = "[stats.scores]\nfrom = \"docs\"\nvalue = \"score\"\nby = \"human\"\n\n\
                [figure.shown]\ntype = \"lines\"\nfrom = \"scores\"\nx = \"human\"\nnumeric = true\n\
                low = \"ci_low\"\nhigh = \"ci_high\"";
    let ran = lab(spec).run(&[]).ok();
    let at = |said: &str| -> f64 {
        let before = svg(&ran).split(said).next().unwrap();
        let circle = before.rsplit("cx=\"").next().unwrap();
        circle.split('"').next().unwrap().parse().unwrap()
    };
    let [one, two, four] = ["<title>1: mean", "<title>2: mean", "<title>4: mean"].map(at);
    assert!(
        (four - two - 2.0 * (two - one)).abs() < 0.1,
        "{one} {two} {four}"
    );
}

#[test]
fn a_forest_of_judges_has_its_numbers_in_columns() {
    let spec = "[stats.scores]\nfrom = \"docs\"\nvalue = \"score\"\nby = \"genre\"\n\n\
                [figure.shown]\ntype = \"intervals\"\nfrom = \"scores\"\ny = \"genre\"\nnumbers = true";
    let ran = lab(spec).run(&[]).ok();
    let texts = svg(&ran);
    for shown in [
        ">interval<",
        ">n<",
        ">2.00‡<",
        ">4.25<",
        ">2.73 to 5.77<",
        ">3<",
        ">4<",
    ] {
        assert!(texts.contains(shown), "{shown}\n{texts}");
    }
    // The headings of the columns are not cut off at the top.
    let heading = texts.split(">interval<").next().unwrap();
    let y = heading.rsplit(" y=\"").next().unwrap();
    let y: f64 = y.split('"').next().unwrap().parse().unwrap();
    assert!(y > 11.0, "{y}");
}

#[test]
fn the_same_figures_come_out_with_the_same_bytes() {
    let figure = "type = \"scatter\"\nx = \"human\"\ny = \"score\"\nfit = true";
    let (one, two) = (drawn(figure), drawn(figure));
    assert_eq!(svg(&one), svg(&two));
    assert_eq!(one.tables["shown.csv"], two.tables["shown.csv"]);
}
