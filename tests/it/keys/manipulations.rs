//! The settings of manipulations: each is in the key of the manipulations it belongs to, and in no other.

use crate::corpus::texts::TALES;
use crate::corpus::{damaged, jsonl};
use crate::lab::{Lab, SPEC};

/// [`damaged`] after its first run, with the whole documents in a stage of their own.
fn damaged_known() -> Lab {
    let lab = damaged(&TALES).file("wholes.jsonl", jsonl(&TALES));
    lab.change("fill = \"docs\"", "fill = \"wholes\"");
    lab.append("[source.wholes]\nfiles = \"wholes.jsonl\"");
    lab.run(&["--json"]).ok();
    lab
}

/// The nodes of these manipulations, sorted.
fn of(tasks: &[&str]) -> Vec<String> {
    let mut nodes: Vec<String> = tasks
        .iter()
        .map(|task| format!("manipulate.damaged[task={task}]"))
        .collect();
    nodes.sort();
    nodes
}

/// One setting of each of several manipulations: from, to, what `why` says of them, and the
/// manipulations whose keys change. The cache stays as it was.
#[track_caller]
fn settings(lab: &Lab, changes: &[(&str, &str)], whys: &[&str], tasks: &[&str]) {
    let spec = lab.read(SPEC);
    for (from, to) in changes {
        lab.change(from, to);
    }
    lab.copy("cache", "cache.copy");
    // With their keys, because what several nodes have in common is said once.
    let said = lab
        .cmd(&["why", "--key", "--set", "paths.cache=cache.copy"])
        .ok()
        .out;
    for why in whys {
        assert!(said.contains(why), "`{why}` is not in\n{said}");
    }
    let mut nodes: Vec<String> = said
        .lines()
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| Some(line.split_once(": ")?.0.to_owned()))
        .collect();
    nodes.sort();
    assert_eq!(nodes, of(tasks), "\n{said}");
    lab.write(SPEC, &spec);
}

#[test]
fn how_many_operations_there_are_invalidates_that_manipulation_alone() {
    let lab = damaged_known();
    settings(
        &lab,
        &[
            (
                "swap-content = { count = 2 }",
                "swap-content = { count = 3 }",
            ),
            (
                "insert-content = { count = 2 }",
                "insert-content = { percent = 20 }",
            ),
            (
                "temporal-inconsistencies = { count = 2 }",
                "temporal-inconsistencies = { per-thousand = 3 }",
            ),
            (
                "typos = { percent = [5, 10] }",
                "typos = { percent = [4, 11] }",
            ),
        ],
        &[
            "parameters.recipe.intensity.count: 2 → 3",
            "parameters.recipe.intensity.percent: nothing → {\"end\":20,\"start\":20}",
            "parameters.recipe.intensity.per-thousand: nothing → {\"bias\":0,\"per_thousand\":3.0}",
            "parameters.recipe.intensity.percent.start: 5 → 4",
            "parameters.recipe.intensity.percent.end: 10 → 11",
        ],
        &["11", "13", "24", "41"],
    );
}

#[test]
fn every_setting_of_passages_invalidates_that_manipulation_alone() {
    let lab = damaged_known();
    settings(
        &lab,
        &[
            (
                "swap-content = { count = 2 }",
                "swap-content = { count = 2, min-characters = 51 }",
            ),
            (
                "remove-content = { count = 2 }",
                "remove-content = { count = 2, min-characters = 52 }",
            ),
            (
                "insert-content = { count = 2 }",
                "insert-content = { count = 2, min-characters = 53 }",
            ),
            (
                "exchange-content = { count = 2 }",
                "exchange-content = { count = 2, min-characters = 54 }",
            ),
            ("times = 2", "times = 3"),
            (
                "temporal-inconsistencies = { count = 2 }",
                "temporal-inconsistencies = { count = 2, min-characters = 55 }",
            ),
        ],
        &[
            "parameters.recipe.settings.min_characters: 50 → 51",
            "parameters.recipe.settings.min_characters: 50 → 52",
            "parameters.recipe.settings.min_characters: 50 → 53",
            "parameters.recipe.settings.min_characters: 50 → 54",
            "parameters.recipe.settings.times: 2 → 3",
            "parameters.recipe.settings.min_characters: 50 → 55",
        ],
        &["11", "12", "13", "14", "17", "24"],
    );
    let section = |name: &str| {
        (
            format!("{name} = {{ count = 2 }}"),
            format!("{name} = {{ count = 2, scope = \"section\", min-characters = 50 }}"),
        )
    };
    let changes = [
        "swap-content",
        "remove-content",
        "insert-content",
        "exchange-content",
    ]
    .map(section);
    let mut changes: Vec<(&str, &str)> = changes
        .iter()
        .map(|(from, to)| (from.as_str(), to.as_str()))
        .collect();
    changes.push((
        "times = 2",
        "times = 2, scope = \"section\", min-characters = 50",
    ));
    changes.push((
        "temporal-inconsistencies = { count = 2 }",
        "temporal-inconsistencies = { count = 2, statements = [\"He bought a drone.\"] }",
    ));
    settings(
        &lab,
        &changes,
        &[
            "parameters.recipe.settings.scope: \"paragraph\" → \"section\"",
            "parameters.recipe.settings.statements: nothing → ",
        ],
        &["11", "12", "13", "14", "17", "24"],
    );
}

#[test]
fn every_setting_of_names_invalidates_that_manipulation_alone() {
    let lab = damaged_known();
    settings(
        &lab,
        &[
            (
                "swap-entities = { ",
                "swap-entities = { kinds = [\"GPE\"], ",
            ),
            (
                "exchange-entities = { ",
                "exchange-entities = { kinds = [\"GPE\"], ",
            ),
            (
                "entity-to-pronoun = { ",
                "entity-to-pronoun = { kinds = [\"GPE\"], ",
            ),
            (
                "entity-to-term = { ",
                "entity-to-term = { kinds = [\"GPE\"], ",
            ),
        ],
        &["parameters.recipe.settings.kinds"],
        &["21", "22", "31", "32"],
    );
    settings(
        &lab,
        &[
            (
                "swap-entities = { ",
                "swap-entities = { mentions = \"one\", ",
            ),
            (
                "entity-to-term = { ",
                "entity-to-term = { terms = [\"item\"], ",
            ),
        ],
        &[
            "parameters.recipe.settings.mentions: \"all\" → \"one\"",
            "parameters.recipe.settings.terms",
        ],
        &["21", "32"],
    );
    settings(
        &lab,
        &[(
            "entity-to-term = { ",
            "entity-to-term = { article = \"the\", ",
        )],
        &["parameters.recipe.settings.article: \"either\" → \"the\""],
        &["32"],
    );
}

#[test]
fn every_setting_of_words_invalidates_that_manipulation_alone() {
    let lab = damaged_known();
    settings(
        &lab,
        &[
            ("typos = { ", "typos = { density = \"dense\", "),
            ("verb-tenses = { ", "verb-tenses = { density = \"dense\", "),
            ("word-order = { ", "word-order = { density = \"dense\", "),
            (
                "punctuation-removal = { ",
                "punctuation-removal = { density = \"dense\", ",
            ),
            ("count = 8, density = \"dense\"", "count = 8"),
        ],
        &[
            "parameters.recipe.settings.density: \"widespread\" → \"dense\"",
            "parameters.recipe.settings.density: \"dense\" → \"widespread\"",
        ],
        &["41", "42", "43", "44", "45"],
    );
    settings(
        &lab,
        &[
            ("word-order = { ", "word-order = { shuffle = \"sentence\", "),
            (
                "punctuation-removal = { ",
                "punctuation-removal = { marks = \"typographic\", ",
            ),
        ],
        &[
            "parameters.recipe.settings.shuffle: \"pair\" → \"sentence\"",
            "parameters.recipe.settings.marks: \"ascii\" → \"typographic\"",
        ],
        &["43", "44"],
    );
}

#[test]
fn every_setting_of_a_needle_invalidates_the_needles_alone() {
    let lab = damaged_known();
    let needles = &["negation", "conjunction-swap", "entity-replacement"][..];
    for (from, to, why) in [
        ("before = 2", "before = 1", "settings.before: 2 → 1"),
        ("after = 2", "after = 3", "settings.after: 2 → 3"),
        ("room = 3", "room = 4", "settings.room: 3 → 4"),
        ("room = 3", "room = 3, reach = 4", "settings.reach: 5 → 4"),
        (
            "room = 3",
            "room = 3, hay = \"random\"",
            "settings.hay: \"original\" → \"random\"",
        ),
    ] {
        settings(&lab, &[(from, to)], &[why], needles);
    }
    settings(
        &lab,
        &[("room = 3", "room = 3, not-after = \"auxiliary\"")],
        &["settings.not_after: \"root\" → \"auxiliary\""],
        &["negation"],
    );
}

/// All manipulations by their axis values.
const TASKS: [&str; 18] = [
    "11",
    "12",
    "13",
    "14",
    "17",
    "21",
    "22",
    "24",
    "31",
    "32",
    "41",
    "42",
    "43",
    "44",
    "45",
    "negation",
    "conjunction-swap",
    "entity-replacement",
];

#[test]
fn the_seed_invalidates_every_manipulation_and_the_tokenizer_those_that_count_tokens() {
    let lab = damaged_known();
    settings(&lab, &[("seed = 7", "seed = 8")], &["seed: 7 → 8"], &TASKS);
    settings(
        &lab,
        &[("apply = 11\n", "apply = 11\ntokenizer = \"spaces\"\n")],
        &["parameters.tokenizer: \"whitespace\" → \"spaces\""],
        &["41", "45"],
    );
}

#[test]
fn the_name_of_the_stage_invalidates_every_manipulation() {
    let lab = damaged_known();
    lab.change("values = [", "values = [\"none\", ");
    let first = lab.run(&["--json"]).ok();
    assert_eq!(first.nodes(), of(&["none"]));
    let spec = lab
        .read(SPEC)
        .replace("manipulate.damaged", "manipulate.renamed");
    lab.write(SPEC, spec);
    let nodes = lab.run(&["--json"]).ok().nodes();
    assert_eq!(nodes.len(), 18, "nothing is drawn for `none`: {nodes:?}");
}

#[test]
fn what_donors_and_whole_documents_hold_invalidates_those_that_take_from_them() {
    let lab = damaged_known();
    for (file, source, tasks) in [
        ("others.jsonl", "source.others", &["13", "17"][..]),
        ("wholes.jsonl", "source.wholes", &["12"][..]),
    ] {
        // Another document for each: two sources of the same documents are one result.
        let line = jsonl(&[(source, "A short line that gives nothing away.")]);
        lab.write(file, format!("{}{line}", lab.read(file)));
        let nodes = lab.run(&["--json"]).ok().nodes();
        assert_eq!(nodes, [of(tasks), vec![source.to_owned()]].concat());
    }
}
