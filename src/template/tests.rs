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
