//! Prompts that show lists, and prompts that leave some of one out.

use super::*;
use crate::frame::Scalar;
use crate::models::score::Scale;
use crate::models::template::{Templates, Trial};

const ISSUES: &str = r#"[{"location":"p. 3","severity":4},{"location":"p. 12","severity":2},{"location":"p. 3","severity":2.5}]"#;

fn templates(text: &str) -> Templates {
    let part = "- {{ issue.location }}\n".to_owned();
    let templates = BTreeMap::from([("a".to_owned(), text.to_owned()), ("part".to_owned(), part)]);
    let templates = Templates::new(templates);
    assert!(templates.faults().is_empty(), "{:?}", templates.faults());
    templates
}

fn prompt_of(text: &str, json: &str, partly: &[String]) -> Result<String, String> {
    let template = templates(text).get("a").unwrap();
    let issues = Scalar::Json(json.to_owned());
    let row = [("issues", issues), ("text", Scalar::from("A text."))];
    let prompt = template.text(row.into_iter(), partly, &[], &Scale::HALF_POINTS_1_TO_5);
    prompt.map_err(|failure| failure.message)
}

fn hint_of(text: &str) -> Option<String> {
    let template = templates(text).get("a").unwrap();
    let issues = Scalar::Json(ISSUES.to_owned());
    let row = [("issues", issues)].into_iter();
    let prompt = template.text(row, &[], &[], &Scale::HALF_POINTS_1_TO_5);
    prompt.err()?.hint
}

fn prompt(text: &str) -> Result<String, String> {
    prompt_of(&format!("{{{{ text }}}} {text}"), ISSUES, &[])
}

fn tried(text: &str, given: &[&str]) -> Trial {
    let given: Vec<String> = given.iter().map(|&name| name.to_owned()).collect();
    templates(text).trial("a", &given, &[], &[], &Scale::HALF_POINTS_1_TO_5)
}

#[test]
fn a_list_is_shown_element_by_element_or_as_it_is_written() {
    for text in [
        "{{ issues }}",
        "{{ issues | tojson }}",
        "{% for issue in issues %}{{ loop.index }}. {{ issue.location }} ({{ issue.severity }})\n{% endfor %}",
        "{{ issues | length }} {% for issue in issues %}{{ issue.location }}{% if not loop.last %}, {% endif %}{% endfor %}",
        "{{ issues | map(attribute='location') | join(', ') }}",
        "{% for place in issues | map(attribute='location') %}{{ place }}\n{% endfor %}",
        "{% set all = issues %}{% for issue in all %}{{ issue['location'] | trim }}{% endfor %}",
        "{% for issue in issues %}{% include 'part.j2' %}{% endfor %}",
        "{% for issue in issues | sort(attribute='severity') %}{{ issue.location }}\n{% endfor %}",
        "{% for issue in issues if issue.severity > 2 %}{{ issue.location }}\n{% endfor %}",
        "{% for issue in issues %}{% if issue.severity > 2 %}{{ issue.location }}{% else %}minor{% endif %}\n{% endfor %}",
        "{% macro show(issue) %}{{ issue.location }} {{ issue.severity }}{% endmacro %}{% for issue in issues %}{{ show(issue) }}\n{% endfor %}",
        "{% for issue in issues %}{{ issue.location }} {{ issue.note | default('no note') }}\n{% endfor %}",
        "{% for issue in issues or [] %}{{ issue.location }}\n{% endfor %}",
        "{% if issues %}There are issues.{% endif %}",
        "{% for some in issues | batch(2) %}{% for issue in some %}{{ issue.location }}\n{% endfor %}{% endfor %}",
        "{% for some in issues | slice(2) %}{% for issue in some %}{{ issue }}\n{% endfor %}{% endfor %}",
        "{% for issue in issues %}{{ issue.severity * 2 }} {{ issue.location }}\n{% endfor %}",
        "{% for key, place in issues[0] | items %}{{ key }}{% endfor %}{% for issue in issues %}{{ issue.location }};{{ issue.severity }};{% endfor %}",
    ] {
        let shown = prompt(text);
        assert!(shown.is_ok(), "{text}: {shown:?}");
        let trial = tried(&format!("{{{{ text }}}} {text}"), &["text", "issues"]);
        assert_eq!(trial, Trial::default(), "{text}");
    }
}

#[test]
fn elements_that_are_left_out_are_found() {
    for (text, said) in [
        (
            "{% for issue in issues[:1] %}{{ issue.location }}{% endfor %}",
            "the 5 characters of `issues[1].location` are not in the prompt unchanged",
        ),
        (
            "{% for issue in issues[:2] %}{{ issue.location }}{% endfor %}",
            "the 4 characters of `issues[2].location`, which it holds 2 times by then, are not there as often",
        ),
        (
            "{{ (issues | first).location }}",
            "the 5 characters of `issues[1].location` are not in the prompt unchanged",
        ),
        (
            "{{ issues | length }} issues",
            "nothing of its 3 elements is in the prompt",
        ),
        (
            "{% for issue in issues %}An issue.{% endfor %}",
            "nothing of its 3 elements is in the prompt",
        ),
        (
            "{% for issue in issues %}{% if loop.index < 3 %}{{ issue.severity }}{% endif %};{% endfor %}",
            "the number 2.5 of `issues[2].severity` is not in the prompt",
        ),
        (
            "{% for issue in issues %}{{ issue.location[:3] }}\n{% endfor %}",
            "the 4 characters of `issues[0].location` are not in the prompt unchanged",
        ),
    ] {
        let error = prompt(text).unwrap_err();
        assert_eq!(
            error,
            format!("`templates/a.j2:1`: the prompt does not show `issues` whole: {said}"),
            "{text}"
        );
        let text = format!("{{{{ text }}}} {text}");
        assert!(
            prompt_of(&text, ISSUES, &["issues".to_owned()]).is_ok(),
            "{text}"
        );
    }
}

#[test]
fn cut_lists_are_found_before_any_row_is_there() {
    for text in [
        "{% for issue in issues[:1] %}{{ issue.location }}{% endfor %}",
        "{% for issue in issues %}{{ issue.location[:3] }}\n{% endfor %}",
        "{% for issue in issues %}An issue.{% endfor %}",
        "{% for some in issues | batch(2) %}{% for issue in some %}An issue.{% endfor %}{% endfor %}",
    ] {
        let lost = tried(&format!("{{{{ text }}}} {text}"), &["text", "issues"]).lost;
        let lost = lost.map(|lost| lost.message).unwrap_or_default();
        assert!(
            lost.contains("does not show `issues` whole"),
            "{text}: {lost}"
        );
    }
}

#[test]
fn fields_that_are_not_there_and_null_are_refused() {
    let text = "{{ text }}{% for issue in issues %}{{ issue.sevrity }}{% endfor %}";
    let error = prompt_of(text, ISSUES, &[]).unwrap_err();
    assert_eq!(error, "`templates/a.j2:1`: `issue.sevrity` is undefined");
    for (field, hint) in [
        (
            "sevrity",
            "`issues[0]` has no field `sevrity`: did you mean `severity`?",
        ),
        (
            "kind",
            "`issues[0]` has no field `kind`, but `location` and `severity`",
        ),
    ] {
        let text = format!("{{% for issue in issues %}}{{{{ issue.{field} }}}}{{% endfor %}}");
        assert_eq!(hint_of(&text).as_deref(), Some(hint));
    }
    let text = "{{ text }}{% for issue in issues %}{{ issue.location }}{% endfor %}";
    let null = r#"[{"location":"p. 3"},{"location":null}]"#;
    let error = prompt_of(text, null, &[]).unwrap_err();
    assert_eq!(
        error,
        "`templates/a.j2:1`: `issues[1].location` has no value"
    );
    let text = "{{ text }}{% for issue in issues %}{{ issue.location or 'somewhere' }}{% endfor %}";
    assert_eq!(prompt_of(text, null, &[]).unwrap(), "A text.p. 3somewhere");
    let text = "{{ text }}{{ issues }}";
    assert_eq!(
        prompt_of(text, null, &[]).unwrap(),
        format!("A text.{null}")
    );
}

#[test]
fn texts_are_not_taken_apart() {
    let error = prompt_of(
        "{{ issues }}{% for letter in text %}{{ letter }}{% endfor %}",
        "[]",
        &[],
    );
    assert_eq!(
        error.unwrap_err(),
        "`templates/a.j2:1`: `text` holds text, and `text[*]` takes it apart"
    );
}

#[test]
fn lists_of_lists_and_objects_are_followed() {
    let json = r#"{"roots":[{"fact":"One.","branches":[{"fact":"Two."}]}],"pairs":[["a1","b1"],["a2","b2"]]}"#;
    for text in [
        "{% for root in issues.roots recursive %}{{ root.fact }}{% if root.branches is defined %}{{ loop(root.branches) }}{% endif %}{% endfor %}",
        "{% for root in issues.roots %}{{ root.fact }}{% for branch in root.branches %}{{ branch.fact }}{% endfor %}{% endfor %}",
        "{% for a, b in issues.pairs %}{{ a }} {{ b }}{% endfor %}",
        "{% for name, list in issues | items %}{{ name }}: {{ list }}{% endfor %}",
    ] {
        let text = format!("{{{{ text }}}} {text}");
        let shown = prompt_of(&text, json, &[]);
        assert!(shown.is_ok(), "{text}: {shown:?}");
        let trial = tried(&text, &["text", "issues"]);
        assert_eq!(trial.failing, None, "{text}");
    }
    let text = "{{ text }} {% for a, b in issues.pairs %}{{ a }}{% endfor %}";
    let error = prompt_of(text, json, &[]).unwrap_err();
    assert!(error.contains("`issues.pairs[0][1]`"), "{error}");
}

#[test]
fn a_field_that_is_null_is_asked_for_as_the_hint_says() {
    let null = r#"[{"location":null,"severity":9},{"location":"p. 3","severity":2}]"#;
    let asked = "{{ text }}{% for i in issues %}{% if i.location is not none %}{{ i.location }} ({{ i.severity }})\n{% endif %}{% endfor %}";
    assert_eq!(
        prompt_of(asked, null, &[]),
        Ok("A text.p. 3 (2)\n".to_owned())
    );
    let unasked =
        "{{ text }}{% for i in issues %}{{ i.location }} ({{ i.severity }})\n{% endfor %}";
    assert!(prompt_of(unasked, null, &[]).is_err());
}
