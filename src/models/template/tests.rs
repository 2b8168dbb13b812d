use super::*;

fn templates(texts: &[(&str, &str)]) -> Templates {
    Templates::new(
        texts
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
            .collect(),
    )
}

#[test]
fn the_variables_used_are_found_through_includes() {
    let templates = templates(&[
        (
            "a",
            "{% include \"b.j2\" %} {{ title }} {% for m in metrics %}{{ m }}{% endfor %}",
        ),
        ("b", "{{ text }}"),
    ]);
    assert!(templates.faults().is_empty());
    let uses: Vec<String> = templates.uses("a").into_iter().collect();
    assert_eq!(uses, ["metrics", "text", "title"]);
}

#[test]
fn what_the_including_template_binds_is_not_used_by_the_included_one() {
    let templates = templates(&[
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
    let one = templates(&[("a", "{% include 'b.j2' %}"), ("b", "x")]).digest("a");
    let two = templates(&[("a", "{% include 'b.j2' %}"), ("b", "y")]).digest("a");
    assert_ne!(one, two);
}

#[test]
fn includes_are_found_whatever_marks_stand_at_the_ends() {
    let text = "{%+ include 'b.j2' -%} {% include 'c.j2' ignore missing %}";
    let templates = templates(&[("a", text), ("b", "x")]);
    assert!(templates.with_includes("a").contains("b"));
    assert!(templates.missing_includes("a").is_empty());
    assert!(templates.dynamic_includes("a").is_empty());
}

#[test]
fn an_undefined_variable_is_an_error_with_its_line() {
    let templates = templates(&[("a", "one\n{{ txt }}")]);
    let template = templates.get("a").unwrap();
    let error = template
        .text(std::iter::empty(), &[], &[], &Scale::HALF_POINTS_1_TO_5)
        .unwrap_err();
    assert_eq!(error.message, "`templates/a.j2:2`: `txt` is undefined");
}

#[test]
fn whole_numbers_are_shown_without_a_fraction() {
    let text = "{{ scale.min }} {{ scale.step }} {{ year }} {{ part }}";
    let templates = templates(&[("a", text)]);
    let row = [
        ("year", Scalar::Float(1900.0)),
        ("part", Scalar::Float(2.5)),
    ];
    let rendered = templates
        .get("a")
        .unwrap()
        .text(row.into_iter(), &[], &[], &Scale::HALF_POINTS_1_TO_5)
        .unwrap();
    assert_eq!(rendered, "1 0.5 1900 2.5");
}

#[test]
fn a_value_that_is_absent_is_refused_unless_the_template_asks() {
    let templates = templates(&[
        ("silent", "{{ title }}"),
        ("asks", "{% if title is not none %}{{ title }}{% endif %}!"),
        ("or", "{{ title or 'untitled' }}!"),
    ]);
    let render = |name: &str| {
        let row = [("title", Scalar::Null)];
        let template = templates.get(name).unwrap();
        template.text(row.into_iter(), &[], &[], &Scale::HALF_POINTS_1_TO_5)
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
    let templates = templates(&[("a", "{{ text }}")]);
    let text = "{{ 1 + 1 }} <b> & {% raw %}";
    let rendered = templates
        .get("a")
        .unwrap()
        .text(
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
    let templates = templates(&[("a", text), ("part", "{{ text[:5] }}")]);
    assert_eq!(templates.faults(), [] as [&TemplateError; 0], "{text}");
    let partly: Vec<String> = partly.iter().map(|&name| name.to_owned()).collect();
    let scale = Scale::HALF_POINTS_1_TO_5;
    let template = templates.get("a").unwrap();
    let prompt = template.text(row.iter().cloned(), &partly, &[], &scale);
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
    let some = templates(&[("a", "{{ text|uper }}{% if text is strng %}{% endif %}")]);
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
    let known = templates(&[("a", &all), ("b", &tests)]);
    assert!(known.faults().is_empty());
    assert_eq!(known.misspelt("a"), []);
    assert_eq!(known.misspelt("b"), []);
}

fn text_with(row: &[(&'static str, Scalar)]) -> Vec<(&'static str, Scalar)> {
    let mut row = row.to_vec();
    row.push(("text", Scalar::from(LONG)));
    row
}

#[test]
fn calculating_with_a_text_does_not_let_a_prompt_cut_it() {
    for text in [
        "{{ (title + text)[:30] }}",
        "{{ (text * 1)[:20] }}",
        "{{ text[:20] }}{% if text * 2 %}{% endif %}",
        "{{ text[:20] }}{% if text|int(0) %}{% endif %}",
        "{{ text[:20] }}{{ '%s'|format(text)|length }}",
    ] {
        let row = text_with(&[("title", Scalar::from("Alpha"))]);
        let message = prompt(text, &row, &["title"]).unwrap_err();
        assert!(
            message.contains("does not show `text` whole"),
            "{text}: {message}"
        );
    }
    let year = text_with(&[("year", Scalar::Int(1900))]);
    let counted = prompt("{{ year // 100 }}th century: {{ text }}", &year, &[]);
    assert!(counted.is_ok(), "{counted:?}");
}

#[test]
fn what_is_judged_is_shown_whatever_conditions_say() {
    for text in [
        "{% if lang == 'en' and title == 'Alpha' %}Go{% else %}{{ text }}{% endif %}",
        "{% if text > 'Z' %}{{ text }}{% endif %}",
        "{% if lang != 'en' %}{{ text }}{% endif %}{{ title }}",
        "{% if lang not in ['en', 'de'] %}{{ text }}{% endif %}",
        "{{ 'Go.' if lang else text }}",
        "{% if text %}Grade the text.{% endif %}",
    ] {
        let row = text_with(&[
            ("lang", Scalar::from("en")),
            ("title", Scalar::from("Alpha")),
        ]);
        let message = prompt(text, &row, &[]).unwrap_err();
        assert!(
            message.contains("does not show `text` whole"),
            "{text}: {message}"
        );
        assert!(prompt(text, &row, &["text"]).is_ok(), "{text}");
    }
    // Without `report` and `text`, one of the columns at least.
    let row = [
        ("summary", Scalar::from(LONG)),
        ("style", Scalar::from("short")),
    ];
    let hidden = "{% if style == 'long' %}{{ summary }}{% endif %}";
    assert!(prompt(hidden, &row, &[]).is_err());
    assert!(
        prompt(
            "{% if style == 'short' %}{{ summary }}{% endif %}",
            &row,
            &[]
        )
        .is_ok()
    );
}

#[test]
fn another_column_takes_the_place_of_what_is_judged_where_the_template_says_so() {
    for text in [
        "From 1 to 5: {{ translation or text }}",
        "{% if translation %}{{ translation }}{% else %}{{ text }}{% endif %}",
        "{% if translation is not none %}{{ translation }}{% else %}{{ text }}{% endif %}",
        "{% set shown = text if translation is none else translation %}{{ shown }}",
        "{{ translation|default(text) }}",
        "{{ translation|default(text, true) }}",
    ] {
        for translation in [Scalar::from("Es war ein klarer, kalter Tag."), Scalar::Null] {
            let row = text_with(&[("translation", translation)]);
            assert_eq!(prompt(text, &row, &[]).err(), None, "{text}");
        }
        // A number is no text to judge.
        let row = text_with(&[("translation", Scalar::Int(7))]);
        assert!(prompt(text, &row, &[]).is_err(), "{text}");
    }
    let cut = text_with(&[("translation", Scalar::from(LONG.replace("April", "May")))]);
    assert!(prompt("{{ translation[:9] or text }}", &cut, &[]).is_err());
}

#[test]
fn values_of_different_kinds_are_not_compared_in_templates() {
    let row = text_with(&[
        ("length", Scalar::Int(5)),
        ("tokens", Scalar::from("5")),
        ("year", Scalar::from("c. 1890")),
    ]);
    for condition in [
        "length == '5'",
        "length != '5'",
        "tokens == 5",
        "year > 1920",
        "not year > 1920 and length == 5",
        "1900 < year",
        "1 < length < '9'",
        "text|length > '5'",
        "(length if length else 3) == '5'",
        "length in ['5', 'full']",
        "tokens in [5, 20]",
        "length not in 'full'",
        "length is eq '5'",
        "length is gt('5')",
        "[length]|select('lt', '9')|list",
        "[{'n': length}]|selectattr('n', 'eq', '5')|list",
        "{'n': (tokens == 5)}.n",
        "length == true",
    ] {
        let text = format!("{{{{ text }}}}{{% if {condition} %}}x{{% endif %}}");
        let message = prompt(&text, &row, &["year", "tokens"]).unwrap_err();
        assert!(
            message.contains(" is compared with "),
            "{condition}: {message}"
        );
        assert!(!message.contains("__"), "{message}");
    }
    let looped = "{{ text }}{% for n in [1, 2] if n == '1' %}{{ n }}{% endfor %}";
    assert!(prompt(looped, &row, &[]).unwrap_err().contains("compared"));
    let called = "{% macro m(n, a=1 == '1') %}{% endmacro %}{{ m(2) }}{{ text }}";
    assert!(prompt(called, &row, &[]).unwrap_err().contains("compared"));
}

#[test]
fn comparisons_say_what_they_said_before() {
    for (condition, holds) in [
        ("n == 5 and not n < 5", true),
        ("4 < n <= 5", true),
        ("4 < n < 5", false),
        ("n * 2 == 5 + 5", true),
        ("-n == -5", true),
        ("(n == 5) == (s != 'b')", true),
        ("n in [1, 5] or s == 'z'", true),
        ("n not in [1, 5]", false),
        ("s in 'cab' and s in ['a'] and s in {'a': 1}", true),
        ("not s == 'b'", true),
        ("s ~ 'x' == 'ax'", true),
        ("s|upper == 'A'", true),
        ("s is eq('a') and n is not eq(4) and n is in [5]", true),
        ("n == 5.0", true),
        ("none_such is defined", false),
        ("{'a': n > 4}['a']", true),
        ("[n == 5, n == 6][n > 4]", false),
        ("s == ('b' if n == 4 else 'a')", true),
        ("[1, 2, 3]|select('>', 1)|list|length == 2", true),
    ] {
        let text = format!(
            "{{{{ 'yes' if {condition} else 'no' }}}}{{% if false %}}{{{{ s }}}}{{% endif %}}{{{{ text }}}}"
        );
        let row = text_with(&[("n", Scalar::Int(5)), ("s", Scalar::from("a"))]);
        let said = prompt(&text, &row, &["s"]).unwrap();
        let expected = if holds { "yes" } else { "no" };
        assert!(said.starts_with(expected), "{condition}: {said}");
    }
    let text = "{%- for x in [3, 1] if x > 2 recursive -%} {{ x }} {%- endfor -%}\n{{ text }}";
    assert!(prompt(text, &text_with(&[]), &[]).unwrap().starts_with('3'));
}

#[test]
fn nothing_is_done_with_an_absent_value() {
    for text in [
        "{{ (note ~ '')[1:3] }}",
        "{{ note|string|length }}",
        "{{ 'x' if note < 'h' }}",
        "{{ 'x' if note == 'h' }}",
        "{{ note|int(0) }}",
        "{{ note|float(0) }}",
        "{% set n = note ~ '!' %}{{ n|length }}",
        "{{ [note, 'a']|join|length }}",
        "{{ [note, 'a']|sort|last }}",
        "{{ [note, 'a']|max }}",
        "{{ ('a' ~ note) is eq 'a' }}",
        "{{ 'a' in [note] }}",
        "{{ 'b'|replace('b', note) }}",
        "{% macro m(it) %}{{ it|upper }}{% endmacro %}{{ m(note) }}",
        "{% set it %}{{ note }}{% endset %}{{ it|length }}",
        "{{ {'a': note}|tojson|length }}",
    ] {
        let text = format!("{{% if note is none %}}{{% endif %}}{text}{{{{ text }}}}");
        let row = text_with(&[("note", Scalar::Null)]);
        let message = prompt(&text, &row, &["note"]).unwrap_err();
        assert!(
            message.ends_with("`note` has no value"),
            "{text}: {message}"
        );
    }
    for (text, shown) in [
        (
            "{% if note is defined %}{{ note }}{% else %}x{% endif %}",
            "x",
        ),
        ("{% if note is undefined %}x{% endif %}", "x"),
        ("{{ note|default('x') }}", "x"),
        ("{{ note|d('x') }}", "x"),
        ("{{ (note or 'x')|upper }}", "X"),
        (
            "{% if note is not none and note == 'h' %}h{% else %}x{% endif %}",
            "x",
        ),
    ] {
        let rendered = prompt(text, &[("note", Scalar::Null)], &[]);
        assert_eq!(rendered.as_deref(), Ok(shown), "{text}");
    }
}

#[test]
fn filters_that_follow_one_another_through_names_leave_a_text_whole() {
    let row = [("text", Scalar::from("  One\nand two. \n"))];
    for text in [
        "{% set t = text|trim %}{{ t|indent(2) }}",
        "{% macro show(it) %}{{ it|tojson }}{% endmacro %}{{ show(text|trim) }}",
        "{% filter indent(4) %}{{ text|trim }}{% endfilter %}",
    ] {
        assert_eq!(prompt(text, &row, &[]).err(), None, "{text}");
    }
}

#[test]
fn templates_that_include_each_other_often_are_read_once() {
    let parts: Vec<(String, String)> = (0..40)
        .map(|n| {
            let next = format!("{{% include 'q{}.j2' %}}", n + 1);
            (
                format!("q{n}"),
                format!("{next}{{% if x %}}{next}{{% endif %}}"),
            )
        })
        .collect();
    let mut parts: BTreeMap<String, String> = parts.into_iter().collect();
    parts.insert("q40".to_owned(), "{{ text }}".to_owned());
    let reading = Templates::new(parts.clone()).reading("q0");
    assert_eq!(reading.uses.len(), 1);
    assert!(!reading.endless);
    // Each way has conditions of its own.
    for (n, (_, text)) in parts.iter_mut().enumerate() {
        *text = text.replace("{% include", &format!("{{% if a{n} == 1 %}}{{% include"));
        *text = text.replace(".j2' %}", ".j2' %}{% endif %}");
    }
    for text in parts.values_mut() {
        *text = text.replacen("if a", "if b", 1);
    }
    assert!(Templates::new(parts).reading("q0").endless);
}

#[test]
fn the_path_of_a_template_means_its_name_unless_there_is_one_of_that_name() {
    let both = templates(&[("grade", ""), ("v2/grade", ""), ("templates/odd", "")]);
    for (written, meant) in [
        ("grade", "grade"),
        ("grade.j2", "grade"),
        ("templates/grade.j2", "grade"),
        ("./templates/v2/grade.j2", "v2/grade"),
        ("templates/odd", "templates/odd"),
        ("templates/no-such.j2", "templates/no-such.j2"),
    ] {
        assert_eq!(both.meant(written), meant, "{written}");
    }
}
