//! Which texts are compared, in which order, and what becomes of those that are absent.

use super::verdict::Chosen;
use super::*;
use crate::base::draw::Source;
use crate::frame::{ColumnData, Frame};

fn frame(columns: &[(&str, &[Option<&str>])]) -> Frame {
    let columns = columns.iter().map(|(name, cells)| {
        let cells = cells.iter().map(|cell| cell.map(str::to_owned));
        ((*name).to_owned(), ColumnData::Text(cells.collect()))
    });
    Frame::new(columns.collect()).unwrap()
}

/// Answers of three models, one of which has none for the second document.
fn answers() -> Frame {
    let docs = ["1", "1", "1", "2", "2"].map(Some);
    let models = ["old", "new", "base", "new", "old"].map(Some);
    let texts = [Some("a"), Some("b"), Some("c"), Some("d"), None];
    let reasons = [None, None, None, None, Some("not generated: refused")];
    frame(&[
        ("doc_id", &docs),
        ("model", &models),
        ("text", &texts),
        ("not_applicable", &reasons),
        ("question", &["q", "q", "q", "r", "r"].map(Some)),
    ])
}

fn across(baseline: Option<&str>, orders: Orders) -> Compare {
    let of = Contenders::Rows(AcrossRows {
        column: "text".to_owned(),
        between: "model".to_owned(),
        by: vec!["doc_id".to_owned()],
        columns: vec!["question".to_owned()],
        baseline: baseline.map(str::to_owned),
        axes: Vec::new(),
    });
    Compare {
        of,
        orders,
        chooses: true,
    }
}

/// The rows, each as `doc contender-opponent order: first|second`, what is absent in brackets.
fn rows(compare: &Compare, input: &Frame) -> Vec<String> {
    let rows = compare
        .rows(input, &Source::new(1, &["judge.duel"]))
        .unwrap();
    let cell = |name: &str, row: usize| {
        let text = |name: &str| Some(rows.column(name).ok()?.text(row)?.into_owned());
        text(name)
            .unwrap_or_else(|| format!("({})", text(&format!("no_{name}")).unwrap_or_default()))
    };
    let shown = |row| {
        let [doc, one, other, order, first, second] =
            ["doc_id", CONTENDER, OPPONENT, ORDER, "first", "second"].map(|name| cell(name, row));
        format!("{doc} {one}-{other} {order}: {first}|{second}")
    };
    (0..rows.rows()).map(shown).collect()
}

#[test]
fn every_contender_is_compared_with_every_other_in_both_orders() {
    assert_eq!(
        rows(&across(None, Orders::Both), &answers()),
        [
            "1 old-new given: a|b",
            "1 old-new swapped: b|a",
            "1 old-base given: a|c",
            "1 old-base swapped: c|a",
            "1 new-base given: b|c",
            "1 new-base swapped: c|b",
            "2 old-new given: (no `text`: not generated: refused)|d",
            "2 old-new swapped: d|(no `text`: not generated: refused)",
            "2 old-base given: (no `text`: not generated: refused)|(`base` has no row)",
            "2 old-base swapped: (`base` has no row)|(no `text`: not generated: refused)",
            "2 new-base given: d|(`base` has no row)",
            "2 new-base swapped: (`base` has no row)|d",
        ]
    );
}

#[test]
fn all_are_compared_with_one_baseline() {
    assert_eq!(
        rows(&across(Some("base"), Orders::Given), &answers()),
        [
            "1 old-base given: a|c",
            "1 new-base given: b|c",
            "2 old-base given: (no `text`: not generated: refused)|(`base` has no row)",
            "2 new-base given: d|(`base` has no row)",
        ]
    );
    let swapped = rows(&across(Some("base"), Orders::Swapped), &answers());
    assert_eq!(swapped[0], "1 old-base swapped: c|a");
}

#[test]
fn two_columns_of_a_row_are_a_pair() {
    let input = frame(&[
        ("doc_id", &["1", "2"].map(Some)),
        ("a", &[Some("x"), None]),
        ("b", &["y", "z"].map(Some)),
    ]);
    let compare = Compare {
        of: Contenders::Columns(["a", "b"].map(str::to_owned)),
        orders: Orders::Both,
        chooses: true,
    };
    assert_eq!(
        rows(&compare, &input),
        [
            "1 a-b given: x|y",
            "1 a-b swapped: y|x",
            "2 a-b given: (no `a`: no value)|z",
            "2 a-b swapped: z|(no `a`: no value)",
        ]
    );
}

#[test]
fn an_order_that_is_drawn_depends_on_its_pair_alone() {
    let many: Vec<String> = (0..200).map(|number| number.to_string()).collect();
    let docs: Vec<Option<&str>> = many.iter().map(|doc| Some(doc.as_str())).collect();
    let input = frame(&[("doc_id", &docs), ("a", &docs), ("b", &docs)]);
    let compare = Compare {
        of: Contenders::Columns(["a", "b"].map(str::to_owned)),
        orders: Orders::Drawn,
        chooses: true,
    };
    let all = rows(&compare, &input);
    let given = all.iter().filter(|row| row.contains(" given")).count();
    assert!((75..=125).contains(&given), "{given} of 200");
    let some: Vec<usize> = (0..200).step_by(7).collect();
    let few = rows(&compare, &input.take(&some).unwrap());
    let same: Vec<String> = some.iter().map(|&row| all[row].clone()).collect();
    assert_eq!(few, same);
}

#[test]
fn contenders_that_cannot_be_told_apart_are_refused() {
    let said = |compare: &Compare, input: &Frame| {
        let source = Source::new(1, &["judge.duel"]);
        let failure = compare.rows(input, &source).unwrap_err();
        format!("{}; {}", failure.message, failure.hint.unwrap_or_default())
    };
    let answers = answers();
    let twice = answers.take(&[0, 1, 0]).unwrap();
    let compare = across(None, Orders::Both);
    assert_eq!(
        said(&compare, &twice),
        "rows 1 and 3 are both of `old` (doc_id = 1); name in `by` the columns that tell them apart"
    );
    assert_eq!(
        said(&across(Some("bases"), Orders::Both), &answers),
        "no row has `model` = `bases`; did you mean `base`?"
    );
    let one = answers.take(&[0, 4]).unwrap();
    assert_eq!(
        said(&compare, &one),
        "all rows have `model` = `old`, so there is nobody to compare it with; put the rows of several into one table: `concat` with `over = \"model\"`, if that is an axis"
    );
    let mixed = answers
        .with_column("question", ColumnData::text(["q", "p", "q", "r", "r"]))
        .unwrap();
    assert_eq!(
        said(&compare, &mixed),
        "`question` differs between rows that are compared: row 1 has `q`, row 2 has `p` (doc_id = 1); name it in `by`, or leave it out: a prompt shows one `question` beside both texts"
    );
}

#[test]
fn a_choice_is_that_of_a_contender_in_either_order() {
    let chosen = |value, order| {
        let chosen = Chosen::of(value, order, "new", "old");
        (chosen.score, chosen.choice, chosen.position)
    };
    let of =
        |score: f64, choice: &str, position: &'static str| (score, choice.to_owned(), position);
    assert_eq!(chosen(1.0, Order::Given), of(1.0, "new", "first"));
    assert_eq!(chosen(1.0, Order::Swapped), of(0.0, "old", "first"));
    assert_eq!(chosen(0.0, Order::Given), of(0.0, "old", "second"));
    assert_eq!(chosen(0.0, Order::Swapped), of(1.0, "new", "second"));
    for order in [Order::Given, Order::Swapped] {
        assert_eq!(chosen(0.5, order), of(0.5, "tie", "tie"));
    }
    // A label may say by how much.
    assert_eq!(chosen(0.75, Order::Swapped), of(0.25, "old", "first"));
}
