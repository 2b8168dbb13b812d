//! Where a value comes from: the weakest layer to the strongest.

use crate::lab::{Lab, Ran};

/// The temperature that reached the model, read from what the record says of the spec.
fn temperature(ran: &Ran) -> String {
    ran.record["spec"]["models"]["fake"]["temperature"].to_string()
}

#[test]
fn each_layer_is_stronger_than_the_one_before() {
    let lab = Lab::small();
    lab.change("temperature = 0.0\n", "");
    lab.change(
        "title = \"Small\"",
        "title = \"Small\"\nextends = [\"first.toml\", \"second.toml\"]",
    );
    lab.write(
        "first.toml",
        "[models.fake]\ntemperature = 0.1\ntop-k = 1\n",
    );
    let run = |lab: &Lab, arguments: &[&str]| lab.run(&[&["--json"], arguments].concat()).ok();
    lab.write("second.toml", "");
    assert_eq!(temperature(&run(&lab, &[])), "0.1");
    lab.write("second.toml", "[models.fake]\ntemperature = 0.2\n");
    assert_eq!(temperature(&run(&lab, &[])), "0.2");
    lab.change(
        "script = \"script.toml\"",
        "script = \"script.toml\"\ntemperature = 0.3",
    );
    assert_eq!(temperature(&run(&lab, &[])), "0.3");
    lab.write("top.toml", "[models.fake]\ntemperature = 0.35\n");
    lab.write("tops/second.toml", "[models.fake]\ntemperature = 0.37\n");
    let top = ["--with", "top.toml"];
    let ran = run(&lab, &top);
    assert_eq!(temperature(&ran), "0.35");
    assert_eq!(ran.record["with"][0], "top.toml");
    let tops = [&top[..], &["--with", "tops/second.toml"]].concat();
    assert_eq!(temperature(&run(&lab, &tops)), "0.37");
    lab.write("tribunal.local.toml", "[models.fake]\ntemperature = 0.4\n");
    let ran = run(&lab, &[]);
    assert_eq!(temperature(&ran), "0.4");
    assert_eq!(ran.record["with"].as_array().map(Vec::len), Some(0));
    assert_eq!(temperature(&run(&lab, &tops)), "0.4");
    let lab = lab.env("TRIBUNAL_MODELS__FAKE__TEMPERATURE", "0.5");
    assert_eq!(temperature(&run(&lab, &[])), "0.5");
    let ran = run(&lab, &["--set", "models.fake.temperature=0.6"]);
    assert_eq!(temperature(&ran), "0.6");
    // Of two settings the later counts; what only the weakest layer says is still there.
    let ran = run(
        &lab,
        &[
            "--set",
            "models.fake.temperature=0.7",
            "--set",
            "models.fake.temperature=0.8",
        ],
    );
    assert_eq!(temperature(&ran), "0.8");
    assert_eq!(ran.record["spec"]["models"]["fake"]["top-k"], 1);
    assert_eq!(ran.asked, 2, "the value reached the model's key");
}

#[test]
fn the_same_value_from_another_layer_runs_nothing() {
    let lab = Lab::small();
    lab.run(&["--json"]).ok();
    lab.change("temperature = 0.0\n", "");
    lab.write("tribunal.local.toml", "[models.fake]\ntemperature = 0.0\n");
    assert_eq!(lab.run(&["--json"]).ok().nodes(), [""; 0]);
}

#[test]
fn a_bad_value_is_blamed_on_the_layer_that_gave_it() {
    let lab = Lab::small();
    let ran = lab.run(&["--set", "models.fake.temperature=hot"]).exit(3);
    assert!(ran.err.contains("--set"), "{}", ran.err);
    lab.write("tribunal.local.toml", "[models.fake]\ntemperature = 99\n");
    let ran = lab.run(&[]).exit(3);
    assert!(ran.err.contains("tribunal.local.toml:2"), "{}", ran.err);
    assert_eq!(ran.asked, 0);
    lab.write("tribunal.local.toml", "");
    lab.write("top.toml", "\n[models.fake]\ntemprature = 0.5\n");
    let ran = lab.run(&["--with", "top.toml"]).exit(3);
    assert!(ran.err.contains("top.toml:3"), "{}", ran.err);
    let ran = lab.run(&["--with", "tops.toml"]).exit(3);
    assert!(ran.err.contains("did you mean `top.toml`?"), "{}", ran.err);
}

#[test]
fn paths_of_an_extended_spec_are_relative_to_it() {
    let lab = Lab::small();
    lab.change("[source.docs]\nfiles = \"docs/*.txt\"\n", "");
    lab.change(
        "title = \"Small\"",
        "title = \"Small\"\nextends = \"shared/corpus.toml\"",
    );
    lab.write(
        "shared/corpus.toml",
        "[source.docs]\nfiles = \"texts/*.txt\"\n",
    );
    lab.write("shared/texts/c.txt", "One short text.\n");
    let ran = lab.run(&["--json"]).ok();
    assert_eq!(ran.record["counts"]["scored"], 1);
}
