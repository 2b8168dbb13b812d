//! Templates that show what is judged, and templates that drop it.

use super::*;

fn trial(text: &str, given: &[&str], shown: &str) -> Option<Unseen> {
    let templates = Templates::new(BTreeMap::from([("a".to_owned(), text.to_owned())]));
    assert!(templates.faults().is_empty());
    let given: Vec<String> = given.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(judged(given.iter().map(String::as_str)), Some(shown));
    let scale = Scale::HALF_POINTS_1_TO_5;
    templates.trial("a", &given, &[], &[], &scale).unseen
}

fn when(words: &str) -> Unseen {
    Unseen::When(words.to_owned())
}

#[test]
fn a_prompt_that_shows_it_always_is_fine() {
    for text in [
        "{{ report }}",
        "{% if thinking %}Think.{% endif %}\n{{ report }}",
        "{{ 'Think.' if thinking else 'Do not.' }} {{ report | upper }}",
        "{% if thinking %}Think: {{ report }}{% else %}{{ report }}{% endif %}",
        "{% set r = report %}{% for word in r.split(' ') %}{{ word }}{% endfor %}",
    ] {
        assert_eq!(
            trial(text, &["report", "thinking"], "report"),
            None,
            "{text}"
        );
    }
}

#[test]
fn a_condition_that_drops_it_is_found_with_the_value_that_does() {
    for (text, words) in [
        (
            "{% if thinking %}{{ report }}{% endif %}",
            "when `thinking` is `false`",
        ),
        ("{{ report if thinking }}", "when `thinking` is `false`"),
        (
            "{{ 'No.' if not thinking else 'Yes.' ~ report }}",
            "when `thinking` is `false`",
        ),
        (
            "{{ 'No.' if thinking else '' ~ report }}",
            "unless `thinking` is `false`",
        ),
        (
            "{% if thinking == 'off' %}No.{% else %}{{ report }}{% endif %}",
            "when `thinking` is `off`",
        ),
        (
            "{% if thinking == 'on' %}{{ report }}{% endif %}",
            "unless `thinking` is `on`",
        ),
        (
            "{% if thinking != 3 %}{{ report }}{% endif %}",
            "when `thinking` is 3",
        ),
        (
            "{% if thinking > 1000 %}No.{% else %}{{ report }}{% endif %}",
            "when `thinking` is 1001",
        ),
        (
            "{% if thinking is none %}{% else %}{{ report }}{% endif %}",
            "when `thinking` has no value",
        ),
    ] {
        assert_eq!(
            trial(text, &["report", "thinking"], "report"),
            Some(when(words)),
            "{text}"
        );
    }
}

#[test]
fn what_is_only_asked_for_is_never_shown() {
    let text = "{% if report %}Grade the text by its report.{% endif %}";
    assert_eq!(trial(text, &["report"], "report"), Some(Unseen::Never));
    let text = "It has {{ text | length }} characters.";
    assert_eq!(trial(text, &["text"], "text"), Some(Unseen::Never));
}

#[test]
fn something_else_may_stand_in_its_place_but_nothing_that_stands_beside_it() {
    let given = ["text", "other"];
    let text = "{{ other or text }}";
    assert_eq!(trial(text, &given, "text"), None);
    let text = "{{ other }} {% if other != 'x' %}{{ text }}{% endif %}";
    assert_eq!(
        trial(text, &given, "text"),
        Some(when("when `other` is `x`"))
    );
}

#[test]
fn what_takes_the_place_of_the_judged_text_does_not_depend_on_its_name_or_on_numbers() {
    for other in ["alt", "note", "translation", "zz"] {
        for text in [
            "{{ OTHER or text }}",
            "From 1 to 5, 0 is bad. {{ OTHER or text }}",
            "{% if OTHER %}{{ OTHER }}{% else %}{{ text }}{% endif %}",
            "{{ text if OTHER is none else OTHER }}",
            "{{ OTHER|default(text) }}",
        ] {
            let text = text.replace("OTHER", other);
            assert_eq!(trial(&text, &["text", other], "text"), None, "{text}");
        }
        for text in [
            "From 1 to 5. {{ 'Go' if OTHER else text }}",
            "{{ OTHER and text }}",
            "{% if not OTHER %}{{ text }}{% endif %}",
        ] {
            let text = text.replace("OTHER", other);
            assert!(trial(&text, &["text", other], "text").is_some(), "{text}");
        }
    }
}

#[test]
fn values_that_drop_it_together_and_values_of_its_own_are_found() {
    for (text, words) in [
        (
            "{% if lang == 'en' and title == 'A' %}Go{% else %}{{ text }}{% endif %}",
            "when `lang` is `en` and `title` is `A`",
        ),
        (
            "{% if lang == 'en' %}{% else %}{% if title %}{{ text }}{% endif %}{% endif %}\
             {% if title == 'A' %}{% else %}{% if lang %}{{ text }}{% endif %}{% endif %}",
            "when `lang` is `en` and `title` is `A`",
        ),
        (
            "{% if text > 'B' %}{{ text }}{% endif %}",
            "when `text` comes first in order",
        ),
        (
            "{% if text != 'Q' %}{{ text }}{% endif %}",
            "when `text` is `Q`",
        ),
        (
            "{% if text not in ['Q', 'R'] %}{{ text }}{% endif %}",
            "when `text` is `Q`",
        ),
    ] {
        let given = ["text", "lang", "title"];
        assert_eq!(trial(text, &given, "text"), Some(when(words)), "{text}");
    }
}

fn failing(text: &str, given: &[&str]) -> Option<String> {
    let templates = Templates::new(BTreeMap::from([
        ("a".to_owned(), text.to_owned()),
        (
            "lib".to_owned(),
            "{% macro show(t) %}x{% endmacro %}".to_owned(),
        ),
    ]));
    let given: Vec<String> = given.iter().map(|&name| name.to_owned()).collect();
    let scale = Scale::HALF_POINTS_1_TO_5;
    let trial = templates.trial("a", &given, &[], &[], &scale);
    trial.failing.map(|failing| failing.message)
}

#[test]
fn a_template_that_no_row_can_be_put_into_is_found() {
    for text in [
        "{{ text }}{{ summary.uper() }}",
        "{{ text }}{{ summary }}{{ scale.mni }}",
        "{{ text }}{{ summary }}{% include 'a.j2' %}",
        "{{ text }}{{ summary|trim(1, 2, 3) }}",
        "{% macro a(n) %}{{ n }}{% endmacro %}{{ a(1, 2) }}{{ text }}{{ summary }}",
        "{% import 'lib.j2' as l %}{{ l.shw(text) }}{{ summary }}{{ text }}",
        "{{ 1 / 0 }}{{ text }}{{ summary }}",
        "{{ text }}{{ summary }}{% if text|length > '5' %}{% endif %}",
    ] {
        let message = failing(text, &["text", "summary"]);
        assert!(message.is_some(), "{text}");
        assert!(!message.unwrap_or_default().contains("__"), "{text}");
    }
    for text in [
        "{{ text }}{{ summary + 1 }}{{ year * 2 }}",
        "{{ text }}{{ summary }}{{ (year|split('-')|list)[1]|int }}",
        "{{ text }}{{ summary }}{% if year > 1900 %}{% endif %}{% if pages|int > 3 %}{% endif %}",
        "{{ text }}{{ summary }}{% if year == 'c. 1900' or pages == 3 %}{% endif %}",
        "{{ text }}{{ year|split(':')|map('int')|sum }}{{ pages|round }}",
        "{{ text }}{{ summary.a.b }}",
    ] {
        let given = ["text", "summary", "year", "pages"];
        assert_eq!(failing(text, &given), None, "{text}");
    }
}

#[test]
fn values_that_cannot_be_rendered_are_passed_over() {
    assert_eq!(
        trial("{{ part + 1 }} {{ text }}", &["text", "part"], "text"),
        None
    );
}
