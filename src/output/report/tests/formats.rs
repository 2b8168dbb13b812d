//! The same grid in every format.

use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use super::{cell, plain, rich, snapshot, texts};
use crate::output::report::{Cell, Grid, Layout, csv, html, json, latex, markdown, terminal};

fn grid() -> Grid {
    let (layout, cells) = rich();
    Grid::build(&layout, &cells).expect("the cells have different places")
}

#[test]
fn markdown_is_a_pipe_table_with_flat_headers() {
    snapshot("report-markdown", &markdown::render(&grid()));
}

#[test]
fn csv_is_long_and_exact() {
    let text = csv::render(&grid());
    assert!(text.starts_with(
        "task,length,model,value,n,unscored,dropped,missing,p,why_none,why_no_p,parts,partial,lacks,tests,tests_undefined,n_of,averaged,value_of,p_correction,p_alternative,ddof,ci_level\r\n"
    ));
    assert!(text.contains("41,2000,Q_noT,-0.0002,16,49,3,0,0.03,,,,0,,,,,,,none,,,\r\n"));
    assert!(text.contains("43,2000,Q_noT,,,,,,,no cell,,,,,,,,,,,,,\r\n"));
    snapshot("report-csv", &text);
}

#[test]
fn csv_quotes_what_would_break_a_line() {
    let layout = plain();
    let cells = [cell(&["a,\"b\""], &["x\ny "], 1.0)];
    let text = csv::render(&Grid::build(&layout, &cells).expect("one cell"));
    assert!(text.ends_with("\"a,\"\"b\"\"\",\"x\ny \",1.0,65,0,0,0,,,,,0,,,,,,,,,,\r\n"));
}

#[test]
fn latex_groups_headers_and_escapes_signs() {
    snapshot("report-latex", &latex::render(&grid()));
}

#[test]
fn latex_row_labels_cannot_become_arguments_of_the_line_break() {
    let cells = [cell(&["[43]"], &["m"], 1.0), cell(&["*"], &["m"], -2.0)];
    let text = latex::render(&Grid::build(&plain(), &cells).expect("two cells"));
    assert!(text.contains("      {[}43{]} & 1.000 \\\\\n      {*} & -2.000 \\\\\n"));
}

#[test]
fn latex_takes_every_sign_of_the_keyboard() {
    let label = "\\ { } $ & # _ % ~ ^ < > | \" ' ` [ ] * --- — –";
    let cells = [cell(&[label], &["m"], 1.0)];
    let text = latex::render(&Grid::build(&plain(), &cells).expect("one cell"));
    let row = text.lines().find(|line| line.contains("textbackslash"));
    insta::assert_snapshot!(row.expect("the row").trim_start(), @r#"\textbackslash{} \{ \} \$ \& \# \_ \% \textasciitilde{} \textasciicircum{} $<$ $>$ $|$ {\char34} ' {\char96} {[} {]} {*} -{}-{}- {---} {--} & 1.000 \\"#);
}

#[test]
fn a_table_of_many_columns_stays_within_the_width() {
    let names: Vec<String> = (0..23).map(|index| format!("model-{index}-長")).collect();
    let cells: Vec<Cell> = names
        .iter()
        .map(|name| cell(&["a task"], &[name], -1.0))
        .collect();
    let grid = Grid::build(&plain(), &cells).expect("23 cells");
    for width in [30, 44, 80, 133] {
        let text = terminal::render(&grid, width, false);
        assert!(text.lines().all(|line| line.width() <= width), "{text}");
        assert!(
            names.iter().all(|name| text.contains(name.as_str())),
            "{text}"
        );
    }
}

#[test]
fn html_has_scopes_and_no_markup_from_data() {
    let text = html::render(&grid());
    assert!(!text.contains("<typos>"));
    snapshot("report-html", &text);
}

#[test]
fn json_gives_back_the_cells_it_was_made_from() {
    let text = json::render(&grid());
    let document: serde_json::Value = serde_json::from_str(&text).expect("valid JSON");
    let layout: Layout = serde_json::from_value(document["layout"].clone()).expect("a layout");
    let cells: Vec<Cell> = serde_json::from_value(document["cells"].clone()).expect("cells");
    assert_eq!(&layout, grid().layout());
    assert!(cells.iter().eq(grid().cells()));
    snapshot("report-json", &text);
}

#[test]
fn a_wide_terminal_shows_one_block() {
    snapshot("report-terminal-80", &terminal::render(&grid(), 80, false));
}

#[test]
fn a_narrow_terminal_repeats_row_labels_in_blocks() {
    snapshot("report-terminal-44", &terminal::render(&grid(), 44, false));
}

#[test]
fn bold_type_adds_nothing_but_bold_type() {
    let bold = terminal::render(&grid(), 80, true);
    assert!(bold.contains("\u{1b}[1m"));
    let bare = bold.replace("\u{1b}[1m", "").replace("\u{1b}[0m", "");
    assert_eq!(bare, terminal::render(&grid(), 80, false));
}

#[test]
fn the_number_of_scores_is_drawn_on_request() {
    let layout = Layout {
        show_n: true,
        decimals: 1,
        ..plain()
    };
    let grid = Grid::build(&layout, &[cell(&["a"], &["m"], -1.0)]).expect("one cell");
    assert!(markdown::render(&grid).contains("| −1.0 (65) |"));
    assert!(markdown::render(&grid).contains("In parentheses"));
}

#[test]
fn a_table_without_cells_is_drawn_in_every_format() {
    let grid = Grid::build(&plain(), &[]).expect("no cells, no conflict");
    for text in every_format(&grid) {
        assert!(!text.is_empty());
    }
}

#[test]
fn a_table_without_fields_is_a_single_value() {
    let grid = Grid::build(&Layout::default(), &[cell(&[], &[], 2.0)]).expect("one cell");
    for text in every_format(&grid) {
        assert!(text.contains("value") && text.contains("2.0"), "{text}");
    }
}

fn every_format(grid: &Grid) -> [String; 6] {
    [
        markdown::render(grid),
        csv::render(grid),
        latex::render(grid),
        html::render(grid),
        json::render(grid),
        terminal::render(grid, 40, false),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_and_number_can_be_drawn(row in ".{0,12}", column in ".{0,12}", value in proptest::num::f64::ANY, decimals in 0usize..400) {
        let layout = Layout { decimals, title: column.clone(), ..plain() };
        let cells = [Cell { row: texts(&[&row]), column: texts(&[&column]), value: Some(value), ..Cell::default() }];
        let grid = Grid::build(&layout, &cells).expect("one cell");
        for text in every_format(&grid) {
            prop_assert!(!text.contains("NaN") || row.contains("NaN") || column.contains("NaN"));
        }
        let drawn = terminal::render(&grid, 40, false);
        prop_assert!(!drawn.chars().any(|letter| letter.is_control() && letter != '\n'));
    }
}
