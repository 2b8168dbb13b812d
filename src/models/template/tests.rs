use super::*;

fn templates(texts: &[(&str, &str)]) -> (Templates, Vec<TemplateError>) {
    Templates::new(
        texts
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
            .collect(),
    )
}

#[test]
fn the_variables_used_are_found_through_includes() {
    let (templates, errors) = templates(&[
        (
            "a",
            "{% include \"b.j2\" %} {{ title }} {% for m in metrics %}{{ m }}{% endfor %}",
        ),
        ("b", "{{ text }}"),
    ]);
    assert_eq!(errors, []);
    let uses: Vec<String> = templates.uses("a").into_iter().collect();
    assert_eq!(uses, ["metrics", "text", "title"]);
}

#[test]
fn what_the_including_template_binds_is_not_used_by_the_included_one() {
    let (templates, _) = templates(&[
        (
            "a",
            "{% for m in metrics %}{% include 'b.j2' %}{% endfor %}",
        ),
        ("b", "{{ m }} {{ loop.index }} {{ text }}"),
        ("c", "{% include 'b.j2' %}{% include 'a.j2' %}"),
    ]);
    let uses = |name| templates.uses(name).into_iter().collect::<Vec<_>>();
    assert_eq!(uses("a"), ["metrics", "text"]);
    // On one way nothing binds them.
    assert_eq!(uses("c"), ["loop", "m", "metrics", "text"]);
}

#[test]
fn a_change_in_an_included_template_changes_the_digest() {
    let one = templates(&[("a", "{% include 'b.j2' %}"), ("b", "x")])
        .0
        .digest("a");
    let two = templates(&[("a", "{% include 'b.j2' %}"), ("b", "y")])
        .0
        .digest("a");
    assert_ne!(one, two);
}

#[test]
fn includes_are_found_whatever_marks_stand_at_the_ends() {
    let text = "{%+ include 'b.j2' -%} {% include 'c.j2' ignore missing %}";
    let (templates, _) = templates(&[("a", text), ("b", "x")]);
    assert!(templates.with_includes("a").contains("b"));
    assert!(templates.missing_includes("a").is_empty());
    assert!(templates.dynamic_includes("a").is_empty());
}

#[test]
fn an_undefined_variable_is_an_error_with_its_line() {
    let (templates, _) = templates(&[("a", "one\n{{ txt }}")]);
    let template = templates.get("a").unwrap();
    let error = template
        .prompt(std::iter::empty(), &[], &[], &Scale::HALF_POINTS_1_TO_5)
        .unwrap_err();
    assert_eq!(error.message, "`templates/a.j2:2`: `txt` is undefined");
}

#[test]
fn whole_numbers_are_shown_without_a_fraction() {
    let text = "{{ scale.min }} {{ scale.step }} {{ year }} {{ part }}";
    let (templates, _) = templates(&[("a", text)]);
    let row = [
        ("year", Scalar::Float(1900.0)),
        ("part", Scalar::Float(2.5)),
    ];
    let rendered = templates
        .get("a")
        .unwrap()
        .prompt(row.into_iter(), &[], &[], &Scale::HALF_POINTS_1_TO_5)
        .unwrap();
    assert_eq!(rendered, "1 0.5 1900 2.5");
}

#[test]
fn a_value_that_is_absent_is_refused_unless_the_template_asks() {
    let (templates, _) = templates(&[
        ("silent", "{{ title }}"),
        ("asks", "{% if title is not none %}{{ title }}{% endif %}!"),
        ("or", "{{ title or 'untitled' }}!"),
    ]);
    let render = |name: &str| {
        let row = [("title", Scalar::Null)];
        let template = templates.get(name).unwrap();
        template.prompt(row.into_iter(), &[], &[], &Scale::HALF_POINTS_1_TO_5)
    };
    let error = render("silent").unwrap_err();
    assert_eq!(
        error.message,
        "`templates/silent.j2:1`: `title` has no value"
    );
    assert_eq!(render("asks").unwrap(), "!");
    assert_eq!(render("or").unwrap(), "untitled!");
}

#[test]
fn text_that_looks_like_a_template_is_not_rendered_again() {
    let (templates, _) = templates(&[("a", "{{ text }}")]);
    let text = "{{ 1 + 1 }} <b> & {% raw %}";
    let rendered = templates
        .get("a")
        .unwrap()
        .prompt(
            [("text", Scalar::from(text))].into_iter(),
            &[],
            &[],
            &Scale::HALF_POINTS_1_TO_5,
        )
        .unwrap();
    assert_eq!(rendered, text);
}

/// What comes of the prompt of one row.
fn prompt(text: &str, row: &[(&str, Scalar)], partly: &[&str]) -> Result<String, String> {
    let (templates, errors) = templates(&[("a", text), ("part", "{{ text[:5] }}")]);
    assert_eq!(errors, [], "{text}");
    let partly: Vec<String> = partly.iter().map(|&name| name.to_owned()).collect();
    let scale = Scale::HALF_POINTS_1_TO_5;
    let template = templates.get("a").unwrap();
    let prompt = template.prompt(row.iter().cloned(), &partly, &[], &scale);
    prompt.map_err(|failure| failure.message)
}

const LONG: &str =
    "It was a bright cold day in April,\nand the clocks said \"thirteen\" & stopped. ";

#[test]
fn a_prompt_that_cuts_changes_or_drops_a_text_is_refused_unless_that_is_said() {
    for text in [
        "{{ text[:20] }}",
        "{{ text|upper }}",
        "{{ text|replace('April', 'May') }}",
        "{{ text|length }}",
        "{{ text if text|length < 20 else '(too long)' }}",
        "{% if 'ALPHA' in text %}{{ text }}{% endif %}",
        "{% set text = text[:20] %}{{ text }}",
        "{% set short = text[:20] %}{{ short }}",
        "{% for line in text|lines %}{{ line }} {% endfor %}",
        "{% macro show(it) %}{{ it[:20] }}{% endmacro %}{{ show(text) }}",
        "{% include 'part.j2' %}",
        "{{ text|trim|upper }}",
        "{{ 'x' if text|length > 3 else text }}",
    ] {
        let row = [("text", Scalar::from(LONG))];
        let message = prompt(text, &row, &[]).unwrap_err();
        assert!(
            message.contains("does not show `text` whole"),
            "{text}: {message}"
        );
        assert!(prompt(text, &row, &["text"]).is_ok(), "{text}");
    }
}

#[test]
fn a_prompt_that_shows_all_of_a_text_in_another_form_is_sent() {
    for text in [
        "{{ text }}",
        "{{ text|trim }}",
        "{{ text|indent(4) }}",
        "{{ text|indent(width=2) }}",
        "{{ text|tojson }}",
        "{{ {'text': text}|tojson }}",
        "{{ text|escape }}",
        "{{ text|trim|tojson }}",
        "{{ 'Text: ' ~ text }}",
        "{{ text|default('none') }}",
        "{% set t = text %}{{ t }}",
        "{% for c in text|list %}{{ c }}{% endfor %}",
        "{% macro show(it) %}{{ it }}{% endmacro %}{{ show(text) }}",
        "{% filter indent %}{{ text }}{% endfilter %}",
        "It has {{ text|length }} characters: {{ text }}",
        "{% if text %}{{ text }}{% else %}Nothing.{% endif %}",
    ] {
        let row = [("text", Scalar::from(LONG))];
        assert_eq!(prompt(text, &row, &[]).err(), None, "{text}");
    }
}

#[test]
fn what_only_decides_and_what_stands_under_it_need_not_be_shown() {
    let text =
        "{% if style == 'long' %}{{ guide }}{% endif %}{{ 'Go.' if thinking else '' }}{{ text }}";
    let row = |style: &str| {
        [
            ("style", Scalar::from(style)),
            ("guide", Scalar::from("Be fair and take your time.")),
            ("thinking", Scalar::from("on")),
            ("text", Scalar::from(LONG)),
        ]
    };
    assert!(prompt(text, &row("short"), &[]).is_ok());
    let never = format!("{text}{{% if false %}}{{{{ guide }}}}{{% endif %}}");
    assert!(prompt(&never, &row("short"), &[]).is_ok());
    assert!(prompt(text, &row("long"), &[]).unwrap().contains("Be fair"));
    let cut = text.replace("{{ guide }}", "{{ guide[:5] }}");
    assert!(prompt(&cut, &row("short"), &[]).is_ok());
    assert!(prompt(&cut, &row("long"), &[]).is_err());
}

#[test]
fn an_absent_value_is_never_printed_whatever_stands_beside_it() {
    for text in [
        "Give the {{ title }} or name of the text",
        "if {{ title }}",
        "{% if title %}x{% endif %}{{ title }}",
        "{% if title %}x{% endif %}{{ 'Title: ' ~ title }}",
        "{% if title %}x{% endif %}{{ [title, 'x']|join(', ') }}",
        "{% if title %}x{% endif %}{{ title|string|upper }}",
        "{% if title %}x{% endif %}{{ title|tojson }}",
        "{% if title %}x{% endif %}{% set t = title %}{{ t }}",
    ] {
        let message = prompt(text, &[("title", Scalar::Null)], &[]).unwrap_err();
        assert!(
            message.ends_with("`title` has no value"),
            "{text}: {message}"
        );
    }
    for (text, shown) in [
        ("{{ title or 'x' }}", "x"),
        ("{{ title|default('x', true) }}", "x"),
        ("{{ 'x' if title is none else title }}", "x"),
        ("{% if not title %}x{% endif %}", "x"),
    ] {
        let rendered = prompt(text, &[("title", Scalar::Null)], &[]);
        assert_eq!(rendered.as_deref(), Ok(shown), "{text}");
    }
}

#[test]
fn filters_and_tests_that_there_are_not_are_found_and_those_suggested_exist() {
    let (some, _) = templates(&[("a", "{{ text|uper }}{% if text is strng %}{% endif %}")]);
    let found = some.misspelt("a").into_iter();
    let told: Vec<String> = found
        .map(|word| format!("{}; {}", word.message, word.help))
        .collect();
    assert_eq!(
        told,
        [
            "there is no filter `uper`; did you mean `upper`?",
            "there is no test `strng`; did you mean `string`?"
        ]
    );
    let all = FILTERS
        .map(|name| format!("{{{{ text|{name} }}}}"))
        .concat();
    // These are words of the language too, which cannot be called.
    let called = TESTS
        .iter()
        .filter(|name| !["in", "true", "false", "none"].contains(name));
    let tests = called.map(|name| format!("{{{{ 1 is {name}(1) }}}}"));
    let tests = tests.collect::<Vec<_>>().concat();
    let (known, errors) = templates(&[("a", &all), ("b", &tests)]);
    assert_eq!(errors, []);
    assert_eq!(known.misspelt("a"), []);
    assert_eq!(known.misspelt("b"), []);
}
