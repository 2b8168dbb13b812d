//! The fields of a model: each alone is enough to ask again.

use super::{BELOW_JUDGE, each, runs, wide_known};

/// The scripted model answers by the prompt, so the scores come out as before and only the judge
/// and what reads its table directly run.
const SAME_SCORES: [&str; 3] = ["judge.grades", "stats.scores", "stats.shorter"];

const SAMPLING: &str = "temperature = 0.0\n";

#[test]
fn the_temperature_invalidates() {
    let lab = wide_known();
    lab.change("temperature = 0.0", "temperature = 0.5");
    let why = "parameters.model.sampling.temperature: 0.0 → 0.5";
    assert_eq!(runs(&lab, why, &SAME_SCORES).asked, 8);
}

#[test]
fn every_sampling_parameter_invalidates() {
    let lab = wide_known();
    let path = "parameters.model.sampling.";
    for (line, why) in [
        ("top-p = 0.9", "top_p: nothing → 0.9"),
        ("top-k = 40", "top_k: nothing → 40"),
        ("max-tokens = 300", "max_tokens: nothing → 300"),
        ("seed = 3", "seed: nothing → 3"),
        ("stop = [\"END\"]", "stop: [] → [\"END\"]"),
    ] {
        let to = format!("{SAMPLING}{line}\n");
        each(
            &lab,
            &[(SAMPLING, &to, &format!("{path}{why}"), &SAME_SCORES)],
        );
    }
}

#[test]
fn the_models_name_and_revision_invalidate() {
    each(
        &wide_known(),
        &[
            (
                SAMPLING,
                "temperature = 0.0\nmodel = \"other\"\n",
                "parameters.model.model: \"fake\" → \"other\"",
                &SAME_SCORES,
            ),
            (
                SAMPLING,
                "temperature = 0.0\nrevision = \"b2\"\n",
                "parameters.model.revision: nothing → \"b2\"",
                &SAME_SCORES,
            ),
        ],
    );
}

#[test]
fn the_system_message_invalidates() {
    // It is part of the conversation, so the scripted scores change too.
    each(
        &wide_known(),
        &[(
            SAMPLING,
            "temperature = 0.0\nsystem = \"Be strict.\"\n",
            "parameters.model.system: nothing → \"Be strict.\"",
            &BELOW_JUDGE,
        )],
    );
}

#[test]
fn the_name_of_a_model_table_is_its_name_for_the_provider() {
    let lab = wide_known();
    lab.change("[models.fake]", "[models.renamed]\nmodel = \"fake\"");
    lab.change("model = \"fake\"\nprompt", "model = \"renamed\"\nprompt");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!((ran.nodes(), ran.asked), (vec![], 0));
}

#[test]
fn a_byte_of_the_script_invalidates() {
    let lab = wide_known();
    let script = lab.read("script.toml");
    lab.write("script.toml", format!("{script}\n# another byte\n"));
    assert_eq!(runs(&lab, "files.script: ", &SAME_SCORES).asked, 8);
}

#[test]
fn another_model_invalidates() {
    let lab = wide_known();
    lab.append(
        "[models.second]\nprovider = \"scripted\"\nscript = \"script.toml\"\ntemperature = 0.0",
    );
    lab.change("model = \"fake\"\nprompt", "model = \"second\"\nprompt");
    runs(
        &lab,
        "parameters.model.model: \"fake\" → \"second\"",
        &SAME_SCORES,
    );
}

#[test]
fn a_parameter_of_a_model_that_nobody_uses_invalidates_nothing() {
    let lab = wide_known();
    lab.append(
        "[models.second]\nprovider = \"scripted\"\nscript = \"script.toml\"\ntemperature = 0.9",
    );
    let ran = lab.run(&["--json"]).ok();
    assert_eq!((ran.nodes(), ran.asked), (vec![], 0));
}
