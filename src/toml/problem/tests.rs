use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;

const TEXT: &str =
    "title = \"t\"\n[judge.a]\nfrom = \"b\"\nx = 1\ny = 2\nz = 3\n[judge.b]\nfrom = \"a\"\n";

fn sources() -> (Sources, SourceId) {
    let mut sources = Sources::new();
    let id = sources.add("experiments/x.toml", TEXT);
    (sources, id)
}

fn cycle(id: SourceId) -> Problem {
    Problem::error("spec::cycle", "stages form a cycle: a -> b -> a")
        .label(Place::new(id, 29..32), "`a` reads `b` here")
        .label(Place::new(id, 68..71), "`b` reads `a` here")
        .help("remove one of the two lines")
}

#[test]
fn labels_of_one_text_share_a_snippet() {
    let (sources, id) = sources();
    let mut problems = Problems::new();
    problems.push(cycle(id));
    problems.push(
        Problem::warning("spec::unused", "`x` is never used")
            .label(Place::new(id, 34..35), "unused"),
    );
    problems.push(cycle(id));
    problems
        .push(Problem::error("spec::empty", "the spec has no tables").help("add a `[table.name]`"));
    assert_eq!(problems.len(), 3);
    assert_snapshot!(problems.render(&sources, Style::default()));
}

#[test]
fn far_labels_are_drawn_apart_each_with_its_own_place() {
    let mut sources = Sources::new();
    let id = sources.add(
        "x.toml",
        &format!("a = 1\n{}a = 2\n", "# filler\n".repeat(30)),
    );
    let text = sources.text(id).to_owned();
    let mut problems = Problems::new();
    let again = text.rfind("a =").unwrap();
    let problem = Problem::error("spec::twice", "`a` is set twice")
        .label(Place::new(id, again..again + 1), "again");
    problems.push(problem.label(Place::new(id, 0..1), "first"));
    assert_snapshot!(problems.render(&sources, Style::default()));
}

#[test]
fn an_ascii_drawing_has_no_boxes() {
    let (sources, id) = sources();
    let mut problems = Problems::new();
    problems.push(cycle(id));
    let drawn = problems.render(
        &sources,
        Style {
            unicode: false,
            ..Style::default()
        },
    );
    assert!(drawn.is_ascii());
    assert_snapshot!(drawn);
}

#[test]
fn colours_are_escape_codes_and_only_on_request() {
    let (sources, id) = sources();
    let mut problems = Problems::new();
    problems.push(cycle(id));
    assert!(
        problems
            .render(
                &sources,
                Style {
                    color: true,
                    ..Style::default()
                }
            )
            .contains("\u{1b}[")
    );
    assert!(
        !problems
            .render(&sources, Style::default())
            .contains('\u{1b}')
    );
}

#[test]
fn labels_of_other_texts_are_drawn_below_in_the_same_problem() {
    let (mut sources, id) = sources();
    let other = sources.add("base.toml", "[judge.a]\n");
    let mut problems = Problems::new();
    let problem = Problem::error("spec::twice", "`a` stands in two places")
        .label(Place::new(id, 18..19), "once here");
    problems.push(problem.label(Place::new(other, 7..8), "and once here"));
    assert_snapshot!(problems.render(&sources, Style::default()));
}

#[test]
fn wide_characters_tabs_and_control_characters_keep_the_caret_in_place() {
    let mut sources = Sources::new();
    let text = "\tname = \"語語\u{1b}[31m\u{202e}\", x = 1\r\nnext = 1";
    let id = sources.add("a.toml", text);
    let at = text.find("x = 1").unwrap();
    let mut problems = Problems::new();
    problems.push(
        Problem::error("spec::x", "bad \u{1b}[31m name")
            .label(Place::new(id, at..at + 1), "this one"),
    );
    assert_snapshot!(problems.render(&sources, Style::default()));
}

#[test]
fn a_very_long_line_is_cut_around_its_label() {
    let mut sources = Sources::new();
    let text = format!("a\n{} HERE {}\nb", "x ".repeat(4000), "y ".repeat(4000));
    let id = sources.add("long.csv", &text);
    let at = text.find("HERE").unwrap();
    let mut problems = Problems::new();
    problems.push(Problem::error("spec::x", "bad").label(Place::new(id, at..at + 4), "this one"));
    assert_snapshot!(problems.render(
        &sources,
        Style {
            width: 80,
            ..Style::default()
        }
    ));
}

#[test]
fn a_span_over_many_lines_is_shown_by_its_first() {
    let (sources, id) = sources();
    let mut problems = Problems::new();
    problems.push(Problem::error("spec::x", "bad").label(Place::new(id, 12..60), "this table"));
    assert_snapshot!(problems.render(&sources, Style::default()));
}

#[test]
fn the_last_line_counts_in_words() {
    let (mut sources, id) = sources();
    let mut problems = Problems::new();
    assert_eq!(problems.render(&sources, Style::default()), "");
    for at in 0..3 {
        problems.push(Problem::error("spec::x", "x").label(Place::new(id, at..at), ""));
    }
    problems.push(Problem::warning("spec::x", "x").label(Place::new(id, 0..0), ""));
    assert_eq!(
        problems.summary(&sources),
        "3 errors, 1 warning in experiments/x.toml"
    );
    let more: Vec<SourceId> = (0..3)
        .map(|n| sources.add(format!("{n}.toml"), ""))
        .collect();
    problems.push(Problem::error("spec::x", "x").label(Place::new(more[0], 0..0), ""));
    assert_eq!(
        problems.summary(&sources),
        "4 errors, 1 warning in experiments/x.toml and 0.toml"
    );
    for id in &more[1..] {
        problems.push(Problem::warning("spec::x", "x").label(Place::new(*id, 0..0), ""));
    }
    assert_eq!(
        problems.summary(&sources),
        "4 errors, 3 warnings in 4 files"
    );
    let mut nowhere = Problems::new();
    nowhere.push(Problem::warning("spec::x", "x"));
    assert_eq!(nowhere.summary(&sources), "1 warning");
}

#[test]
fn problems_are_shown_in_the_order_of_the_text() {
    let (sources, id) = sources();
    let mut problems = Problems::new();
    problems.push(Problem::error("spec::late", "late").label(Place::new(id, 40..41), ""));
    problems.push(Problem::error("spec::early", "early").label(Place::new(id, 3..4), ""));
    let drawn = problems.render(&sources, Style::default());
    assert!(drawn.find("early") < drawn.find("late"));
}

proptest! {
    #[test]
    fn rendering_never_panics(
        text in "[ -~\\n\\r\\tü語🦀\u{0}\u{1b}\u{301}]{0,120}",
        spans in proptest::collection::vec((0..150usize, 0..150usize), 0..5),
        words in "[ -~ü語\\n\u{0}]{0,30}",
        color: bool,
        unicode: bool,
        width in 0..200usize,
    ) {
        let mut sources = Sources::new();
        let id = sources.add("x.toml", &text);
        let other = sources.add(words.clone(), &words);
        let mut problem = Problem::error("spec::x", words.clone()).help(words.clone());
        for (at, (start, end)) in spans.into_iter().enumerate() {
            let source = if at % 2 == 0 { id } else { other };
            problem = problem.label(Place::new(source, start..end), words.clone());
        }
        let mut problems = Problems::new();
        problems.push(problem);
        let drawn = problems.render(&sources, Style { color, unicode, width });
        prop_assert!(drawn.contains("spec::x"));
        prop_assert!(!drawn.contains("Failed to read"));
        let plain = !drawn.contains('\u{1b}');
        prop_assert!(color || plain);
    }
}
