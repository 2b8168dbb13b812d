use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;
use crate::toml::{Sources, Style};

fn parsed(text: &str) -> (Parsed, String) {
    let mut sources = Sources::new();
    let id = sources.add("x.toml", text);
    let mut problems = Problems::new();
    let parsed = parse(sources.text(id), id, &mut problems);
    (parsed, problems.render(&sources, Style::default()))
}

fn spans(text: &str) -> String {
    let (parsed, problems) = parsed(text);
    assert_eq!(problems, "");
    let line = |(path, spans): (&[String], &Spans)| {
        format!(
            "{:<14} key {:<6} value {}",
            path.join("."),
            &text[spans.key.clone()],
            &text[spans.value.clone()]
        )
    };
    parsed.index.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_key_has_its_place() {
    assert_snapshot!(spans(
        "a = 1\nb.c = 'x'\n[d.e]\nf = [1, [2]]\n[[g]]\nh = { i = true }\n[[g]]\nh = 2\n[g.j]\nk = 2020-01-01\n"
    ));
}

#[test]
fn values_have_their_types_and_order() {
    let (parsed, _) =
        parsed("z = 0x10\na = 1.5\nm = true\nd = 2020-01-01T00:00:00Z\ne = []\n[t]\n");
    assert_eq!(
        parsed.tree.to_json().to_string(),
        r#"{"z":16,"a":1.5,"m":true,"d":"2020-01-01T00:00:00Z","e":[],"t":{}}"#
    );
}

#[test]
fn duplicate_keys_show_both_places() {
    let text = "a = 1\na = 2\n[t.u]\nx = 1\n[t]\nx.y = 1\n[[l]]\n[l.m]\nk = 1\n\"k\" = 2\n[t.u]\n[n]\ni = { p = 1, p = 2 }\n[l]\n";
    assert_snapshot!(parsed(text).1);
}

#[test]
fn every_sort_of_syntax_error_is_put_into_words() {
    assert_snapshot!(parsed("name = foo bar\nkey\n = 3\nlist = [1 2]\ns = \"open\nt = 'a\nd = 2020-13-40\nn = 01\n[a.]\nx = {a = 1\n").1);
}

#[test]
fn a_text_that_is_no_toml_at_all_is_refused_quickly_and_briefly() {
    let drawn = parsed(&"id,text\n1 , some = words\n".repeat(20_000)).1;
    assert!(drawn.contains("more syntax errors from here on"), "{drawn}");
    assert!(drawn.ends_with("51 errors in x.toml\n"), "{drawn}");
}

#[test]
fn numbers_that_no_spec_can_use_are_refused() {
    assert_snapshot!(parsed("a = nan\nb = 99999999999999999999\nc = [1.0, -inf]\n").1);
}

#[test]
fn a_byte_order_mark_and_windows_lines_do_not_move_the_caret() {
    assert_snapshot!(parsed("\u{feff}a = 1\r\nb = x\r\nc = 2\r\n").1);
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(text in "[ -~\\n\\r\\tüß語🦀\u{feff}\u{0}]{0,80}") {
        check(&text)?;
    }

    #[test]
    fn any_near_toml_is_read_without_a_panic(
        parts in proptest::collection::vec("(\\[+[a-c](\\.[a-c])?\\]*|[a-c](\\.[a-c])? ?=? ?|[0-9]{1,3}|\"[ü語a]*\"?|'|\\[|\\]|\\{|\\}|,|#|\\n|\\r\\n|inf|-|e|\\.)", 0..40)
    ) {
        check(&parts.concat())?;
    }
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let mut sources = Sources::new();
    let id = sources.add("x.toml", text);
    let mut problems = Problems::new();
    let parsed = parse(sources.text(id), id, &mut problems);
    let text = sources.text(id);
    for (_, spans) in parsed.index.iter() {
        prop_assert!(text.get(spans.key.clone()).is_some());
        prop_assert!(text.get(spans.value.clone()).is_some());
    }
    for problem in &problems {
        for label in &problem.labels {
            prop_assert!(text.get(label.place.span.clone()).is_some());
        }
    }
    problems.render(&sources, Style::default());
    Ok(())
}
