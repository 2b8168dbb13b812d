//! The prompt and how replies are read.

use super::{BELOW_JUDGE, each, runs, wide, wide_known};

#[test]
fn a_template_word_invalidates_the_judge_and_what_reads_it() {
    let lab = wide_known();
    lab.edit("templates/grade.j2", "Grade fluency", "Rate fluency");
    let ran = runs_with_baseline(&lab);
    assert_eq!(ran.asked, 8);
}

#[test]
fn a_word_of_an_included_template_invalidates_too() {
    let lab = wide_known();
    lab.edit("templates/head.j2", "careful", "careless");
    assert_eq!(runs_with_baseline(&lab).asked, 8);
}

/// The baseline reads no prompt, so a template is not part of its key.
fn runs_with_baseline(lab: &crate::lab::Lab) -> crate::lab::Ran {
    runs(lab, "parameters.prompt.digest: ", &BELOW_JUDGE)
}

#[test]
fn a_template_that_nobody_uses_invalidates_nothing() {
    let lab = wide_known();
    lab.write("templates/unused.j2", "{{ text }}");
    assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0]);
}

#[test]
fn the_variables_invalidate_even_those_that_make_no_difference() {
    let lab = wide();
    lab.write(
        "templates/grade.j2",
        "{% include \"head.j2\" %} Grade fluency and coherence. {{ text }}{# #}{% if false %}{{ year }}{% endif %}",
    );
    lab.change(
        "prompt = \"grade\"\nmetrics",
        "prompt = \"grade\"\nvariables = [\"text\", \"year\"]\nmetrics",
    );
    lab.change(
        "from = \"some\"\nmodel = \"heuristic\"\nprompt = \"grade\"\n",
        "from = \"some\"\nmodel = \"heuristic\"\n",
    );
    let first = lab.run(&["--json"]).ok();
    assert_eq!(first.asked, 8);
    lab.change("[\"text\", \"year\"]", "[\"year\", \"text\"]");
    let ran = runs(&lab, "parameters.prompt.variables", &["judge.grades"]);
    assert_eq!(ran.asked, 0, "the prompts are the same");
}

#[test]
fn the_metrics_invalidate_but_stored_replies_are_read_again() {
    let lab = wide_known();
    lab.change(
        "metrics = [\"fluency\", \"coherence\"]",
        "metrics = [\"fluency\"]",
    );
    let ran = runs(&lab, "parameters.metrics: ", &BELOW_JUDGE);
    assert_eq!(ran.asked, 0, "the prompt does not depend on the metrics");
    assert_eq!(ran.summary()["calls_reused"], 8);
}

#[test]
fn every_part_of_the_scale_invalidates_but_stored_replies_are_read_again() {
    let metrics = "metrics = [\"fluency\", \"coherence\"]\n";
    let lab = wide_known();
    let asked = lab.asked();
    for (scale, why) in [
        // The scores are whole numbers from 1 to 5, so a finer step or lower end changes nothing.
        ("{ step = 0.0 }", "parameters.scale.step: 0.5 → 0.0"),
        ("{ min = 0 }", "parameters.scale.min: 1.0 → 0.0"),
        ("{ max = 6 }", "parameters.scale.max: 5.0 → 6.0"),
    ] {
        let to = format!("{metrics}scale = {scale}\n");
        each(&lab, &[(metrics, &to, why, &["judge.grades"])]);
    }
    assert_eq!(lab.asked(), asked);
}

#[test]
fn the_number_of_retries_invalidates_but_asks_nothing_where_nothing_was_cut() {
    let lab = wide_known();
    lab.change(
        "metrics = [\"fluency\", \"coherence\"]",
        "metrics = [\"fluency\", \"coherence\"]\nretry-cut = 1",
    );
    let ran = runs(&lab, "parameters.retry_cut: 3 → 1", &["judge.grades"]);
    assert_eq!(ran.asked, 0);
}

#[test]
fn repeats_raised_from_one_to_three_ask_only_the_new_ones() {
    let lab = wide_known();
    lab.change(
        "metrics = [\"fluency\", \"coherence\"]",
        "metrics = [\"fluency\", \"coherence\"]\nrepeats = 3",
    );
    let ran = runs(&lab, "parameters.repeats: 1 → 3", &BELOW_JUDGE);
    assert_eq!(ran.asked, 16);
    lab.change("repeats = 3", "repeats = 2");
    let ran = runs(&lab, "parameters.repeats: 3 → 2", &BELOW_JUDGE);
    assert_eq!(ran.asked, 0);
}

#[test]
fn a_prompt_of_another_name_with_the_same_words_asks_nothing() {
    let lab = wide_known();
    lab.write("templates/other.j2", super::GRADE);
    lab.change("prompt = \"grade\"\nmetrics", "prompt = \"other\"\nmetrics");
    let ran = runs(
        &lab,
        "parameters.prompt.name: \"grade\" → \"other\"",
        &["judge.grades"],
    );
    assert_eq!(ran.asked, 0);
}
