//! The original prompts, Python format strings, as templates that render to the same bytes.

use std::path::Path;

use crate::import::{Kind, Problem, files};

/// Where prompts lie, and the folder below `judgememo/original` that they go to.
const FOLDERS: [(&str, &str); 3] = [
    ("baseline_model_inference/prompts", ""),
    ("JudgeMemo_Method/prompts", "context/"),
    ("JudgeMemo_Method/prompts_no-context", "no-context/"),
];

/// An original prompt as a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The template's name: `judgememo/original/prompt_v6-3`.
    pub name: String,
    /// The variables it uses, in order of first use.
    pub variables: Vec<&'static str>,
    /// The template.
    pub text: String,
}

/// Reads the prompts of a clone.
pub(super) fn read(root: &Path, problems: &mut Vec<Problem>) -> Vec<Prompt> {
    let mut prompts = Vec::new();
    for (folder, to) in FOLDERS {
        for name in files::names(root, folder, problems) {
            let Some(stem) = name.strip_suffix(".txt") else {
                continue;
            };
            let path = format!("{folder}/{name}");
            let converted = files::text(root, &path).and_then(|text| {
                template(&path, stem, &text)
                    .map_err(|detail| Problem::new(Kind::Prompt, &path, detail))
            });
            match converted {
                Ok((text, variables)) => prompts.push(Prompt {
                    name: format!("judgememo/original/{to}{stem}"),
                    variables,
                    text,
                }),
                Err(problem) => problems.push(problem),
            }
        }
    }
    prompts
}

/// A part of a format string.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Field(String),
}

/// The template for a prompt file, and its variables.
fn template(path: &str, stem: &str, text: &str) -> Result<(String, Vec<&'static str>), String> {
    // A comment's line is no part of what a template renders to.
    let mut template = format!(
        "{{# hkleiner/JudgeMemo, {path}: (c) 2025 Hermine Kleiner, CC BY-NC-SA 4.0; fields as variables #}}\n"
    );
    let mut variables = Vec::new();
    let parts = parts(text)?;
    for (index, part) in parts.iter().enumerate() {
        match part {
            Part::Text(text) => {
                let tag_follows = index + 1 < parts.len();
                push_literal(&mut template, text, tag_follows);
            }
            Part::Field(field) => {
                let variable = variable(stem, field)
                    .ok_or_else(|| format!("what `{{{field}}}` stands for is not known"))?;
                push_variable(&mut template, variable);
                if !variables.contains(&variable) {
                    variables.push(variable);
                }
            }
        }
    }
    // minijinja takes one line break off the end of a template.
    if template.ends_with('\n') {
        template.push('\n');
    } else if template.ends_with('\r') {
        template.push_str("{{ \"\" }}");
    }
    Ok((template, variables))
}

/// What a field of a prompt is called here, by the kind of prompt: of a section, of a report, or of a
/// whole text.
fn variable(stem: &str, field: &str) -> Option<&'static str> {
    let of_section = stem.contains("_JudgeMemo_");
    let of_report = stem.starts_with("report_");
    let with_overlap = stem.contains("_stride");
    Some(match field {
        "Story" | "Content" if of_report => "report",
        "Story" | "Content" => "text",
        "AddOn" if stem.starts_with("report_original") => "text",
        "AddOn" if stem.starts_with("report_summary") => "summary",
        "AddOn" if of_section && with_overlap => "previous",
        "AddOn" | "Text" if of_section => "previous_summary",
        _ => return None,
    })
}

/// Adds a variable. The first section has none before it; the words for that were in the original's
/// code, not in its prompts, and these are ours.
fn push_variable(template: &mut String, variable: &str) {
    let tag = match variable {
        "previous" | "previous_summary" => format!(
            "{{{{ {variable} if {variable} is not none else \"[none: the text begins here]\" }}}}"
        ),
        _ => format!("{{{{ {variable} }}}}"),
    };
    template.push_str(&tag);
}

/// Parts a format string: `{name}` is a field, doubled braces stand for single ones.
fn parts(text: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut literal = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        literal.push_str(&rest[..at]);
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(brace) {
            literal.push_str(brace);
            rest = after;
            continue;
        }
        if brace == "}" {
            return Err(format!("line {}: `}}` closes nothing", line(text, rest)));
        }
        let Some((field, after)) = rest.split_once('}') else {
            return Err(format!("line {}: `{{` is not closed", line(text, rest)));
        };
        if !literal.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut literal)));
        }
        parts.push(Part::Field(field.to_owned()));
        rest = after;
    }
    literal.push_str(rest);
    if !literal.is_empty() {
        parts.push(Part::Text(literal));
    }
    Ok(parts)
}

/// The line in which the rest of a text begins, from 1.
fn line(text: &str, rest: &str) -> usize {
    text[..text.len() - rest.len()].matches('\n').count() + 1
}

/// Adds text so that it stays text: a brace that would open a tag is written as an expression.
fn push_literal(template: &mut String, text: &str, tag_follows: bool) {
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let opens = match letters.peek() {
            Some(next) => matches!(next, '{' | '%' | '#'),
            None => tag_follows,
        };
        if letter == '{' && opens {
            template.push_str("{{ \"{\" }}");
        } else {
            template.push(letter);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::frame::Scalar;
    use crate::models::score::Scale;
    use crate::models::template::Templates;

    /// What Python's `format` would give, by way of the template.
    fn rendered(stem: &str, text: &str) -> String {
        let (template, variables) = template("p.txt", stem, text).unwrap();
        let texts = BTreeMap::from([("t".to_owned(), template)]);
        let templates = Templates::new(texts);
        assert!(templates.faults().is_empty(), "{:?}", templates.faults());
        let values = variables
            .iter()
            .map(|name| (*name, Scalar::Text(format!("<{name}>"))));
        let template = templates.get("t").unwrap();
        let scale = Scale::new(1.0, 5.0, 0.5).unwrap();
        template.text(values, &[], &[], &scale).unwrap()
    }

    #[test]
    fn everything_but_fields_is_the_same_byte_for_byte() {
        for (text, expected) in [
            ("Story: {Story}", "Story: <text>"),
            ("\n  {Story}\n\n", "\n  <text>\n\n"),
            ("{Story}\r\n", "<text>\r\n"),
            ("one\r\ntwo\r", "one\r\ntwo\r"),
            ("{{\"score\": 1}} {Story}", "{\"score\": 1} <text>"),
            ("{{{Story}}}", "{<text>}"),
            ("{{{{ x }}}}", "{{ x }}"),
            ("{{% if x %}}{{# c #}}", "{% if x %}{# c #}"),
            ("  {{%- raw -%}}\n", "  {%- raw -%}\n"),
            ("{{{{{{{Story}}}}}}}", "{{{<text>}}}"),
            ("ends in {{", "ends in {"),
            ("{Story}{Story}", "<text><text>"),
            ("%}} #}} -}}", "%} #} -}"),
            ("", ""),
        ] {
            assert_eq!(rendered("prompt_v1", text), expected, "{text:?}");
        }
    }

    #[test]
    fn fields_are_called_by_what_they_hold() {
        let text = "{Content}|{AddOn}";
        for (stem, expected) in [
            ("prompt_v6-3_JudgeMemo_stride", "<text>|<previous>"),
            (
                "prompt_v6-3_JudgeMemo_hard_summary",
                "<text>|<previous_summary>",
            ),
            ("report_original_eval_prompt", "<report>|<text>"),
            ("report_summary_eval_prompt", "<report>|<summary>"),
        ] {
            assert_eq!(rendered(stem, text), expected, "{stem}");
        }
        let stem = "prompt_v6-3_JudgeMemo_stride_summary";
        assert_eq!(
            rendered(stem, "{Text}|{AddOn}|{Content}"),
            "<previous_summary>|<previous>|<text>"
        );
        assert_eq!(rendered("report_only_eval_prompt", "{Story}"), "<report>");
        assert_eq!(rendered("prompt_section_summary", "{Story}"), "<text>");
    }

    #[test]
    fn the_first_section_says_that_there_is_none_before_it() {
        let stem = "prompt_v6-3_JudgeMemo_stride";
        let (template, _) = template("p.txt", stem, "Before: {AddOn}").unwrap();
        let templates = Templates::new(BTreeMap::from([("t".to_owned(), template)]));
        let none = [("previous", Scalar::Null)].into_iter();
        let template = templates.get("t").unwrap();
        assert_eq!(
            template
                .text(none, &[], &[], &Scale::new(1.0, 5.0, 0.5).unwrap())
                .unwrap(),
            "Before: [none: the text begins here]"
        );
    }

    #[test]
    fn what_is_no_format_string_is_refused_with_its_line() {
        for (text, expected) in [
            ("one\n{Story", "line 2: `{` is not closed"),
            ("one }", "line 1: `}` closes nothing"),
            ("{Plot}", "what `{Plot}` stands for is not known"),
            ("{}", "what `{}` stands for is not known"),
            ("{AddOn}", "what `{AddOn}` stands for is not known"),
        ] {
            assert_eq!(template("p.txt", "prompt_v1", text).unwrap_err(), expected);
        }
    }
}
