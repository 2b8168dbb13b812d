//! Whatever is read, reading it ends in a value or in a message: the bodies of the fuzz targets on random input.

use proptest::prelude::*;

use super::specs::{checked, spec};

#[allow(
    unreachable_pub,
    unused,
    reason = "a library of its own where it is fuzzed; damaged parquet may end the process"
)]
#[path = "../../../fuzz/bodies.rs"]
mod bodies;

/// Punctuation and values that every format makes something of.
const COMMON: [&str; 30] = [
    ",", "\"", "\n", "\r\n", "\r", "a", "b", "1", "-0", "1e999", "0.5", "007", "true", "nan",
    "\u{feff}", "é", "{", "}", "[", "]", ":", " ", "\t", "null", "\\u0000", "=", "'", "\"\"\"",
    "#", ".",
];

/// Bytes of which most are nearly a file of the format that `pieces` are from, and some are nothing.
fn like(pieces: &[&'static str]) -> impl Strategy<Value = Vec<u8>> + use<> {
    let pieces: Vec<&str> = pieces.iter().chain(&COMMON).copied().collect();
    let pieces = prop::collection::vec(prop::sample::select(pieces), 0..40);
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        any::<String>().prop_map(String::into_bytes),
        pieces
            .clone()
            .prop_map(|pieces| pieces.concat().into_bytes()),
        pieces.prop_map(|pieces| pieces.concat().into_bytes()),
    ]
}

/// Pieces of replies in JSON.
const JSON: [&str; 14] = [
    "{\"fluency\": 4",
    ", \"Coherence\": {\"score\": 3.5}",
    "}",
    "```json\n",
    "\"issues\": [",
    "{\"label\": \"GRAMMAR\", \"text\": \"a \\\"b\\\"\"}",
    "]",
    "null",
    "'fluency': '4/5',",
    "<think>",
    "</think>",
    "// a comment\n",
    "\\ud83d",
    "NaN",
];

/// Pieces of replies that are a number.
const LIKERT: [&str; 14] = [
    "4",
    "**4.5**",
    "Fluency: ",
    "Rating - ",
    "4/5",
    " out of 5",
    "I would give this a ",
    "four",
    "[[3]]",
    "\\boxed{2}",
    "1. ",
    "\n",
    "<think>",
    "3-4",
];

const CSV: [&str; 6] = ["a,b\n", "1,2\n", "x", "\"\"", ",,", "\n\n"];
const JSONL: [&str; 5] = [
    "{\"a\":1}\n",
    "{\"a\":[]}\n",
    "\"a\"",
    "{\"b\":null}\n",
    "[[",
];
const SPEC: [&str; 12] = [
    "[judge.j]\n",
    "[axes]\n",
    "from = \"docs\"\n",
    "[source.docs]\n",
    "files = \"x\"\n",
    "[table.t]\n",
    "a = { set = \"judge.j.model\", values = [1] }\n",
    "extends = \"x.toml\"\n",
    "[[ablation]]\n",
    "rows = []\n",
    "[models.m]\n",
    "where = \"year > 1\"\n",
];
const ARGUMENT: [&str; 8] = [
    "judge.j.",
    "repeats=",
    "seed=",
    "axes.a",
    "paths.x=",
    "table.t.part",
    "stats.s.level=",
    "\"docs\"",
];
const FORM: [&str; 8] = [
    "FINAL Fluency Score: ",
    "Coherence",
    "**",
    "<think>",
    "</think>",
    "1) Issues:\n",
    "- [LOGIC] ",
    "\n-----\nfinish_reason: stop\n",
];
const EXPECT: [&str; 5] = [
    "task,metric,model,printed,audited\n",
    "1,fluency,a,1.0,1\n",
    "2,coherence,b,—,\n",
    "3,c,d,−0.12,\n",
    ",0.120,",
];
const NOTES: [&str; 6] = [
    "[[note]]\n",
    "cells = { model = \"a\" }\n",
    "text = \"x\"\n",
    "when = [\"absent\"]\n",
    "cells = { task = [\"1\"] }\n",
    "when = []\n",
];
const TEMPLATE: [&str; 12] = [
    "other\n",
    "{{ ",
    " }}",
    "{% include 'other' %}",
    "{% for x in y %}",
    "{% endfor %}",
    "{% if text %}",
    "{% endif %}",
    "{# ",
    " #}",
    "text",
    "{% set a = 1 %}",
];

const CONDITION: [&str; 10] = [
    "year",
    "text",
    "score",
    " >= ",
    " and ",
    " or not ",
    " is none",
    " in ['one', 'two']",
    "|length",
    "1900",
];

const MANIFEST: [&str; 14] = [
    r#"{"format":1,"tribunal":"0","cache_format":1,"experiments":[],"texts":false,"replies":true,"files":["#,
    r#"{"path":"a/b","bytes":1,"digest":"0000000000000000000000000000000000000000000000000000000000000000","what":"spec"}"#,
    r#"{"path":"A/c","bytes":1,"digest":"0000000000000000000000000000000000000000000000000000000000000000","what":"result"}"#,
    r#"{"path":"../x","bytes":1,"digest":"0000000000000000000000000000000000000000000000000000000000000000","what":"calls"}"#,
    r#"],"inputs":[],"books":{},"withheld":[]}"#,
    r#"],"inputs":[{"pattern":"../x/*.txt","files":[]}],"books":{},"withheld":[]}"#,
    "../",
    "/",
    "C:",
    "\\",
    "nul",
    "..",
    "docs",
    ",",
];

/// Manifests that are nearly right.
fn manifests() -> impl Strategy<Value = Vec<u8>> {
    let items = prop::collection::vec(prop::sample::select(&MANIFEST[1..4]), 0..4);
    let whole = (items, prop::sample::select(&MANIFEST[4..6]))
        .prop_map(|(items, end)| format!("{}{}{end}", MANIFEST[0], items.join(",")).into_bytes());
    prop_oneof![whole, like(&MANIFEST)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_csv_is_a_table_or_refused_with_a_reason(bytes in like(&CSV)) {
        bodies::csv(&bytes);
    }

    #[test]
    fn any_json_lines_are_a_table_or_refused_with_a_reason(bytes in like(&JSONL)) {
        bodies::jsonl(&bytes);
    }

    #[test]
    fn any_spec_is_planned_or_refused_with_a_reason(bytes in like(&SPEC)) {
        bodies::spec(&bytes);
    }

    #[test]
    fn any_argument_is_taken_or_refused_with_a_reason(bytes in like(&ARGUMENT)) {
        bodies::argument(&bytes);
    }

    #[test]
    fn any_reply_has_readings_on_the_scale(bytes in like(&FORM)) {
        bodies::evaluation_form(&bytes);
    }

    #[test]
    fn any_reply_that_may_be_json_has_readings_on_the_scale(bytes in like(&JSON)) {
        bodies::json(&bytes);
    }

    #[test]
    fn any_reply_that_may_be_a_number_has_readings_on_the_scale(bytes in like(&LIKERT)) {
        bodies::likert(&bytes);
        bodies::error_spans(&bytes);
        bodies::items(&bytes);
    }

    #[test]
    fn any_expected_values_are_compared_or_refused_with_a_reason(bytes in like(&EXPECT)) {
        bodies::expect(&bytes);
    }

    #[test]
    fn any_notes_are_used_or_refused_with_a_reason(bytes in like(&NOTES)) {
        bodies::notes(&bytes);
    }

    #[test]
    fn any_manifest_stays_below_its_folder_or_is_refused_with_a_reason(bytes in manifests()) {
        bodies::manifest(&bytes);
    }

    #[test]
    fn any_template_is_compiled_or_refused_with_a_reason(bytes in like(&TEMPLATE)) {
        bodies::template(&bytes);
    }

    #[test]
    fn any_condition_keeps_rows_or_is_refused_with_a_reason(bytes in like(&CONDITION)) {
        bodies::condition(&bytes);
    }

    #[test]
    fn any_axes_are_planned_or_refused_with_a_reason(bytes in prop::collection::vec(0..12_u8, 0..60)) {
        bodies::axes(&bytes);
    }

    #[test]
    fn any_template_is_rendered_or_refused_with_a_reason(bytes in like(&TEMPLATE)) {
        bodies::render(&bytes);
    }

    #[test]
    fn any_bundle_is_unpacked_or_refused_with_a_reason(bytes in prop::collection::vec(any::<u8>(), 0..30)) {
        bodies::bundle(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_spec_with_one_byte_changed_is_read_or_refused_with_a_reason(
        text in spec(),
        byte in any::<u8>(),
        at in any::<prop::sample::Index>(),
    ) {
        let mut bytes = text.plain().into_bytes();
        let place = at.index(bytes.len());
        bytes[place] = byte;
        if let Err(why) = checked(&bytes, &[]) {
            prop_assert!(!why.is_empty());
        }
    }
}
