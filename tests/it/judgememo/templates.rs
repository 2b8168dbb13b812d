//! The prompts of templates/judgememo, each rendered once: what is graded is in it, each metric that is asked for
//! and no other, the scale, and the lines that scores are read from.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use tribunal::frame::Scalar;
use tribunal::models::score::Scale;
use tribunal::models::template::Templates;

use super::texts;
use crate::lab::Lab;

/// A prompt that a judge asks with: the file, its variables, and where it stands in the thesis's dimensions.
struct Asked {
    name: &'static str,
    variables: &'static [&'static str],
    whole_points: bool,
    labels: bool,
    /// How the score 5 of fluency is worded, if there are levels.
    levels: Option<&'static str>,
    /// The beginning of the definition of fluency.
    definition: Option<&'static str>,
}

const HIGH_LEVEL: Option<&str> = Some("The quality of the single sentences");
const DETAILED: Option<&str> = Some("How the text reads from sentence to sentence");
const STRICT: Option<&str> = Some("- 5: fluent from beginning to end");
const RELAXED: Option<&str> = Some("- 5: natural and clear throughout");

/// The versions of the prompt series; the last are as the method asks.
fn asked() -> Vec<Asked> {
    let version = |name, whole_points, labels, levels, definition| Asked {
        name,
        variables: &["text"],
        whole_points,
        labels,
        levels,
        definition,
    };
    let mut all = vec![
        version("v1", true, false, None, HIGH_LEVEL),
        version("v2", true, true, None, DETAILED),
        version("v3", true, false, None, DETAILED),
        version("v4-1", true, false, None, DETAILED),
        version("v4-2", true, false, None, None),
        version("v5-1", true, false, None, DETAILED),
        version("v5-2", true, false, None, DETAILED),
        version("v5-3", true, true, None, DETAILED),
        version("v5-4", true, true, STRICT, DETAILED),
        version("v5-5", true, true, STRICT, DETAILED),
        version("v5-6", true, true, STRICT, DETAILED),
        version("v5-7", false, true, RELAXED, HIGH_LEVEL),
        version("v5-8", false, true, RELAXED, HIGH_LEVEL),
        version("v6-1", false, true, RELAXED, HIGH_LEVEL),
        version("v6-2", false, true, RELAXED, HIGH_LEVEL),
        version("v6-3", false, true, RELAXED, DETAILED),
        version("v6-4", false, true, RELAXED, DETAILED),
    ];
    all.push(Asked {
        variables: &["text", "aspects"],
        ..version("v4-2-own", true, false, None, None)
    });
    let sections: [(&str, &[&str]); 8] = [
        ("section-hard", &["text"]),
        ("section-hard-no-notice", &["text"]),
        ("section-hard-summary", &["text", "previous_summary"]),
        (
            "section-hard-summary-no-notice",
            &["text", "previous_summary"],
        ),
        ("section-stride", &["text", "previous"]),
        ("section-stride-no-notice", &["text", "previous"]),
        (
            "section-stride-summary",
            &["text", "previous", "previous_summary"],
        ),
        (
            "section-stride-summary-no-notice",
            &["text", "previous", "previous_summary"],
        ),
    ];
    for (name, variables) in sections {
        all.push(Asked {
            variables,
            ..version(name, false, true, RELAXED, DETAILED)
        });
    }
    let finals: [(&str, &[&str]); 3] = [
        ("final-report", &["report"]),
        ("final-report-original", &["report", "text"]),
        ("final-report-summary", &["report", "summary"]),
    ];
    for (name, variables) in finals {
        all.push(Asked {
            variables,
            ..version(name, false, false, RELAXED, DETAILED)
        });
    }
    all
}

/// Prompts that write texts: the file, its variables, the column that is written.
const WRITTEN: [(&str, &[&str], &str); 3] = [
    ("aspects", &[], "aspects"),
    ("summary-section", &["text"], "summary"),
    ("summary-document", &["text"], "summary"),
];

fn templates() -> Templates {
    let templates = Templates::new(texts());
    assert!(templates.faults().is_empty(), "{:?}", templates.faults());
    templates
}

/// A prompt with a word of its own for each variable.
fn rendered(name: &str, variables: &[&str], metrics: &[&str], scale: &Scale) -> String {
    let metrics: Vec<String> = metrics.iter().map(|&metric| metric.to_owned()).collect();
    let values = variables
        .iter()
        .map(|&name| (name, Scalar::Text(format!("<the {name}>"))));
    let template = templates().get(name).unwrap();
    let turns = template.prompt(values, &[], &metrics, scale).unwrap();
    turns.into_iter().map(|turn| turn.content).collect()
}

fn of(prompt: &Asked, metrics: &[&str]) -> String {
    let name = format!("judgememo/{}", prompt.name);
    rendered(&name, prompt.variables, metrics, &Scale::HALF_POINTS_1_TO_5)
}

#[test]
fn every_prompt_shows_what_is_graded_and_the_lines_that_scores_are_read_from() {
    for prompt in asked() {
        let text = of(&prompt, &["fluency", "coherence"]);
        for variable in prompt.variables {
            let shown = text.matches(&format!("<the {variable}>")).count();
            assert_eq!(shown, 1, "{} shows `{variable}` {shown} times", prompt.name);
        }
        for line in [
            "FINAL Coherence Score: number",
            "FINAL Fluency Score: number",
        ] {
            assert!(text.contains(line), "{}:\n{text}", prompt.name);
        }
    }
}

#[test]
fn a_prompt_is_readable() {
    for prompt in asked() {
        let text = of(&prompt, &["fluency", "coherence"]);
        assert!(!text.contains("\n\n\n"), "{}:\n{text}", prompt.name);
        assert_eq!(text, text.trim(), "{}", prompt.name);
        assert!(
            text.lines().all(|line| line == line.trim_end()),
            "{}:\n{text}",
            prompt.name
        );
    }
}

#[test]
fn each_version_stands_where_the_series_has_it() {
    for prompt in asked() {
        let text = of(&prompt, &["fluency", "coherence"]);
        let has = |words: &str| text.contains(words);
        assert!(has("from 1 "), "{}:\n{text}", prompt.name);
        let half = has("Half points may be used: 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5.");
        assert_eq!(half, !prompt.whole_points, "{}:\n{text}", prompt.name);
        assert_eq!(has("whole numbers"), prompt.whole_points, "{}", prompt.name);
        assert_eq!(has("[GRAMMAR]"), prompt.labels, "{}", prompt.name);
        for words in [STRICT, RELAXED] {
            let expected = prompt.levels == words;
            assert_eq!(has(words.unwrap()), expected, "{}:\n{text}", prompt.name);
        }
        for words in [HIGH_LEVEL, DETAILED] {
            let expected = prompt.definition == words;
            assert_eq!(has(words.unwrap()), expected, "{}:\n{text}", prompt.name);
        }
    }
}

#[test]
fn a_prompt_for_one_metric_does_not_mention_another() {
    let both = ["fluency", "coherence"];
    for prompt in asked() {
        for (one, other) in [(both[0], both[1]), (both[1], both[0])] {
            let text = of(&prompt, &[one]).to_lowercase();
            assert!(text.contains(one), "{}:\n{text}", prompt.name);
            assert!(!text.contains(other), "{} for {one}:\n{text}", prompt.name);
            // The words for several metrics are gone, too.
            for words in ["each metric", "separately", "metrics"] {
                assert!(!text.contains(words), "{} for {one}:\n{text}", prompt.name);
            }
        }
    }
}

#[test]
fn a_third_metric_is_asked_as_the_others_are() {
    for prompt in asked() {
        let text = of(&prompt, &["fluency", "coherence", "consistency"]);
        assert!(
            text.contains("for fluency, for coherence and for consistency"),
            "{}:\n{text}",
            prompt.name
        );
        assert!(text.contains("FINAL Consistency Score: number"));
        if prompt.definition == DETAILED {
            assert!(text.contains("Whether the text agrees with itself"));
        }
        // A metric that is described nowhere is asked by its name.
        let text = of(&prompt, &["wit"]);
        assert!(text.contains("FINAL Wit Score: number"), "{text}");
    }
}

#[test]
fn the_scores_that_may_be_given_follow_the_scale() {
    let marks = |min, max, step| {
        let scale = Scale::new(min, max, step).unwrap();
        let text = rendered("judgememo/v6-3", &["text"], &["fluency"], &scale);
        text.lines().next().unwrap().to_owned()
    };
    let given = "You are given a text written by a person. Grade it on a Likert scale from";
    assert_eq!(
        marks(1.0, 5.0, 1.0),
        format!("{given} 1 to 5 for fluency. These scores may be used: 1, 2, 3, 4, 5.")
    );
    assert_eq!(
        marks(0.0, 1.0, 0.25),
        format!("{given} 0 to 1 for fluency. These scores may be used: 0, 0.25, 0.5, 0.75, 1.")
    );
    assert_eq!(
        marks(0.0, 100.0, 0.0),
        format!("{given} 0 to 100 for fluency. Any number between may be used.")
    );
}

#[test]
fn the_levels_are_left_out_where_the_scale_is_another() {
    let scale = Scale::new(0.0, 10.0, 1.0).unwrap();
    let text = rendered("judgememo/v6-3", &["text"], &["fluency"], &scale);
    assert!(!text.contains("- 5:"), "{text}");
    assert!(text.contains("- 10 is the best score."), "{text}");
}

#[test]
fn the_text_of_v6_3_is_that_of_vanilla() {
    let both = ["fluency", "coherence"];
    let scale = Scale::HALF_POINTS_1_TO_5;
    assert_eq!(
        rendered("judgememo/v6-3", &["text"], &both, &scale),
        rendered("vanilla", &["text"], &both, &scale)
    );
}

#[test]
fn a_section_is_v6_3_with_what_stands_around_it() {
    let v6_3 = rendered(
        "judgememo/v6-3",
        &["text"],
        &["fluency", "coherence"],
        &Scale::HALF_POINTS_1_TO_5,
    );
    for prompt in asked() {
        let Some(mode) = prompt.name.strip_prefix("section-") else {
            continue;
        };
        let text = of(&prompt, &["fluency", "coherence"]);
        let (before, _) = v6_3.split_once("# The text").unwrap();
        assert!(text.starts_with(before), "{mode}:\n{text}");
        let notice = text.contains("a section of a longer document");
        assert_eq!(notice, !mode.ends_with("-no-notice"), "{mode}");
        assert_eq!(text.contains("# The end of"), mode.starts_with("stride"));
        assert_eq!(
            text.contains("# What the section before"),
            mode.contains("summary")
        );
    }
}

#[test]
fn the_first_section_is_told_that_nothing_comes_before() {
    let template = templates().get("judgememo/section-stride-summary").unwrap();
    let turns = template
        .prompt(
            [
                ("text", Scalar::Text("Once.".to_owned())),
                ("previous", Scalar::Null),
                ("previous_summary", Scalar::Null),
            ]
            .into_iter(),
            &[],
            &["fluency".to_owned()],
            &Scale::HALF_POINTS_1_TO_5,
        )
        .unwrap();
    let told = "There is none: this is where the document begins.";
    let text = &turns[0].content;
    assert_eq!(text.matches(told).count(), 2, "{text}");
}

#[test]
fn a_prompt_as_a_model_sees_it() {
    let metrics = ["fluency", "coherence"];
    let scale = Scale::HALF_POINTS_1_TO_5;
    let section = ["text", "previous", "previous_summary"];
    insta::assert_snapshot!(
        "section",
        rendered(
            "judgememo/section-stride-summary",
            &section,
            &metrics,
            &scale
        )
    );
    let last = ["report", "text"];
    insta::assert_snapshot!(
        "final",
        rendered("judgememo/final-report-original", &last, &metrics, &scale)
    );
    insta::assert_snapshot!("v2", rendered("judgememo/v2", &["text"], &metrics, &scale));
    insta::assert_snapshot!(
        "v5-6",
        rendered("judgememo/v5-6", &["text"], &metrics, &scale)
    );
    insta::assert_snapshot!(
        "aspects",
        rendered("judgememo/aspects", &[], &metrics, &scale)
    );
}

#[test]
fn every_prompt_passes_the_lint() {
    let mut lab = Lab::new();
    for (name, text) in texts() {
        lab = lab.template(&name, &text);
    }
    let mut spec = "[models.fake]\nprovider = \"scripted\"\nscript = \"script.toml\"\n\
                    [source.docs]\nfiles = \"docs.jsonl\"\n[source.texts]\nfiles = \"texts.jsonl\"\n"
        .to_owned();
    let quoted = |variables: &[&str]| {
        let quoted: Vec<String> = variables.iter().map(|name| format!("\"{name}\"")).collect();
        quoted.join(", ")
    };
    for prompt in asked() {
        let (name, variables) = (prompt.name, quoted(prompt.variables));
        write!(
            spec,
            "[judge.{name}]\nfrom = \"docs\"\nmodel = \"fake\"\nprompt = \"judgememo/{name}\"\n\
             variables = [{variables}]\n[export.{name}]\nfrom = \"judge.{name}\"\nformat = \"jsonl\"\n"
        )
        .unwrap();
    }
    for (name, variables, into) in WRITTEN {
        let variables = quoted(variables);
        write!(
            spec,
            "[generate.{name}]\nfrom = \"texts\"\nmodel = \"fake\"\nprompt = \"judgememo/{name}\"\n\
             variables = [{variables}]\ninto = \"{into}\"\n[export.{name}]\nfrom = \"generate.{name}\"\n\
             format = \"jsonl\"\n"
        )
        .unwrap();
    }
    let row = |variables: &mut dyn Iterator<Item = &'static str>| {
        let columns = variables.chain(["doc_id", "text"]);
        let row: BTreeMap<&str, &str> = columns.map(|name| (name, "x")).collect();
        serde_json::to_string(&row).unwrap()
    };
    let prompts = asked();
    let judged = row(&mut prompts.iter().flat_map(|prompt| prompt.variables).copied());
    let summarised = WRITTEN.iter().flat_map(|(_, variables, _)| *variables);
    let lab = lab
        .spec(&spec)
        .file("docs.jsonl", judged)
        .file("texts.jsonl", row(&mut summarised.copied()))
        .script("[[reply]]\ntext = \"x\"\n");
    lab.cmd(&["lint", "--strict"]).ok();
}

#[test]
fn the_table_of_the_prompts_names_every_file() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/judgememo/prompts.md");
    let table = fs_err::read_to_string(table).unwrap();
    let known: Vec<&str> = asked().iter().map(|prompt| prompt.name).collect();
    for name in texts()
        .keys()
        .filter_map(|name| name.strip_prefix("judgememo/"))
    {
        if name.starts_with("parts/") {
            continue;
        }
        let by_settings = BY_SETTINGS.iter().any(|(tested, ..)| *tested == name);
        let written = WRITTEN.iter().any(|(written, ..)| *written == name);
        assert!(
            written || by_settings || known.contains(&name),
            "`{name}` is tested nowhere"
        );
        assert!(
            table.contains(&format!("`{name}`")),
            "`{name}` is not in it"
        );
    }
}

/// Axis values.
type Settings = &'static [(&'static str, &'static str)];

/// The templates that ask as axes say: the axis values, and the prompt of one file that comes out.
const BY_SETTINGS: [(&str, Settings, &str); 11] = [
    (
        "section-by-settings",
        &[("overlap", "hard"), ("context", "context")],
        "section-hard",
    ),
    (
        "section-by-settings",
        &[("overlap", "stride"), ("context", "context")],
        "section-stride",
    ),
    (
        "section-by-settings",
        &[("overlap", "hard"), ("context", "no")],
        "section-hard-no-notice",
    ),
    (
        "section-by-settings",
        &[("overlap", "stride"), ("context", "no")],
        "section-stride-no-notice",
    ),
    (
        "section-by-settings-summaries",
        &[
            ("overlap", "hard"),
            ("context", "context"),
            ("summaries", "summaries"),
        ],
        "section-hard-summary",
    ),
    (
        "section-by-settings-summaries",
        &[
            ("overlap", "stride"),
            ("context", "no"),
            ("summaries", "summaries"),
        ],
        "section-stride-summary-no-notice",
    ),
    (
        "section-by-settings-summaries",
        &[
            ("overlap", "stride"),
            ("context", "context"),
            ("summaries", "summaries"),
        ],
        "section-stride-summary",
    ),
    (
        "section-by-settings-summaries",
        &[
            ("overlap", "stride"),
            ("context", "context"),
            ("summaries", "no"),
        ],
        "section-stride",
    ),
    (
        "final-by-settings",
        &[("reporting", "report_only")],
        "final-report",
    ),
    (
        "final-by-settings",
        &[("reporting", "report_original")],
        "final-report-original",
    ),
    (
        "final-by-settings",
        &[("reporting", "report_summary")],
        "final-report-summary",
    ),
];

#[test]
fn a_prompt_by_settings_is_the_prompt_of_those_settings() {
    for (name, settings, same) in BY_SETTINGS {
        let metrics = ["fluency", "coherence"].map(str::to_owned);
        let given = ["text", "report", "previous", "previous_summary"]
            .map(|name| (name, Scalar::Text(format!("<the {name}>"))));
        // Beside summaries of sections, that of the document goes by another name.
        let synopsis = [("synopsis", Scalar::Text("<the summary>".to_owned()))];
        let settings = settings
            .iter()
            .map(|&(axis, value)| (axis, Scalar::Text(value.to_owned())));
        let template = templates().get(&format!("judgememo/{name}")).unwrap();
        let turns = template
            .prompt(
                given.into_iter().chain(synopsis).chain(settings),
                &[],
                &metrics,
                &Scale::HALF_POINTS_1_TO_5,
            )
            .unwrap();
        let same = asked()
            .into_iter()
            .find(|prompt| prompt.name == same)
            .unwrap();
        assert_eq!(
            turns[0].content,
            of(&same, &["fluency", "coherence"]),
            "{name}"
        );
    }
}
