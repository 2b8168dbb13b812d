use std::collections::BTreeMap;
use std::num::NonZeroU32;

use indexmap::IndexMap;
use insta::assert_snapshot;
use proptest::prelude::*;
use serde::Deserialize;

use crate::toml::OneOrMany;
use crate::toml::fixture::spec;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Raw {
    title: Option<String>,
    seed: Option<u64>,
    #[serde(default)]
    truncate: IndexMap<String, Truncate>,
    #[serde(default)]
    judge: BTreeMap<Name, Judge>,
    #[serde(default)]
    ablation: Vec<Ablation>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Truncate {
    from: OneOrMany<String>,
    tokens: Option<NonZeroU32>,
    tokenizer: Option<Tokenizer>,
    range: Option<[f64; 2]>,
    strict: Option<bool>,
    keep: Option<Vec<i32>>,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Tokenizer {
    Whitespace,
    Tiktoken { encoding: String },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Judge {
    model: Option<String>,
    temperature: Option<Temperature>,
}

#[derive(Debug, Deserialize)]
#[serde(try_from = "f64")]
struct Temperature(#[expect(dead_code, reason = "only its check matters")] f64);

impl TryFrom<f64> for Temperature {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        if (0.0..=2.0).contains(&value) {
            Ok(Self(value))
        } else {
            Err(format!("{value} is not between 0 and 2"))
        }
    }
}

#[derive(Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(try_from = "String")]
struct Name(String);

impl TryFrom<String> for Name {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        if name.contains(' ') {
            Err("a name has no spaces")
        } else {
            Ok(Self(name))
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ablation {
    name: String,
    set: Option<BTreeMap<String, serde_json::Value>>,
}

fn drawn(text: &str) -> String {
    spec(text).read::<Raw>("").1
}

#[test]
fn a_good_spec_is_read_without_problems() {
    let (raw, problems) = spec(
        "title = \"t\"\nseed = 7\n[truncate.z]\nfrom = \"a\"\ntokens = 5\ntokenizer = \"whitespace\"\n\
         [truncate.a]\nfrom = [\"a\", \"b\"]\ntokenizer = { tiktoken = { encoding = \"o200k\" } }\nrange = [0, 0.5]\n\
         strict = true\nkeep = [1]\n[judge.v]\nmodel = \"m\"\ntemperature = 1\n[[ablation]]\nname = \"n\"\nset = { \"a.b\" = 1 }",
    )
    .read::<Raw>("");
    assert_eq!(problems, "");
    let raw = raw.unwrap();
    assert_eq!((raw.title.as_deref(), raw.seed), (Some("t"), Some(7)));
    assert_eq!(
        raw.truncate.keys().collect::<Vec<_>>(),
        ["z", "a"],
        "file order"
    );
    assert_eq!(raw.truncate["a"].from.0, ["a", "b"]);
    assert_eq!(
        raw.truncate["a"].tokenizer,
        Some(Tokenizer::Tiktoken {
            encoding: "o200k".into()
        })
    );
    assert_eq!(raw.truncate["a"].range, Some([0.0, 0.5]));
    assert_eq!(
        (raw.truncate["a"].strict, raw.truncate["a"].keep.clone()),
        (Some(true), Some(vec![1]))
    );
    assert_eq!(raw.truncate["z"].tokens, NonZeroU32::new(5));
    assert_eq!(
        (
            raw.ablation[0].name.as_str(),
            raw.ablation[0].set.as_ref().unwrap().len()
        ),
        ("n", 1)
    );
    assert!(
        raw.judge
            .values()
            .all(|judge| judge.model.is_some() && judge.temperature.is_some())
    );
}

#[test]
fn an_unknown_key_suggests_the_near_one_or_lists_all() {
    assert_snapshot!(drawn(
        "tilte = \"t\"\n[truncate.short]\nfrom = \"a\"\ntoken = 3\n[judge.v]\nzebra = 1\n"
    ));
}

#[test]
fn a_wrong_type_says_what_was_expected_and_found() {
    assert_snapshot!(drawn(
        "title = 3\nseed = -1\n[truncate.short]\nfrom = 3\ntokens = \"many\"\nstrict = \"true\"\nkeep = [1, \"2\", 3.0, true]\n\
         range = [1]\n[truncate.long]\nfrom = [\"a\", 4]\ntokens = 0\nrange = [1, 2, 3]\nkeep = 5\ntokenizer = 7\n"
    ));
}

#[test]
fn a_table_in_place_of_a_value_and_the_other_way_round() {
    assert_snapshot!(drawn(
        "title = { a = 1 }\njudge = 3\n[seed]\n[truncate]\nshort = \"a\"\n[ablation]\nname = \"x\"\n"
    ));
}

#[test]
fn an_unknown_variant_suggests_the_near_one_or_lists_all() {
    assert_snapshot!(drawn(
        "[truncate.a]\nfrom = \"a\"\ntokenizer = \"white-space\"\n[truncate.b]\nfrom = \"a\"\ntokenizer = \"x\"\n\
         [truncate.c]\nfrom = \"a\"\ntokenizer = { tiktokn = { encoding = \"e\" } }\n[truncate.d]\nfrom = \"a\"\ntokenizer = { tiktoken = {} }\n\
         [truncate.e]\nfrom = \"a\"\ntokenizer = {}\n[truncate.f]\nfrom = \"a\"\ntokenizer = \"tiktoken\"\n"
    ));
}

#[test]
fn a_value_that_its_type_refuses_is_shown_with_the_reason() {
    assert_snapshot!(drawn(
        "[judge.v]\ntemperature = 3.5\n[judge.\"two words\"]\nmodel = \"m\"\n"
    ));
}

#[test]
fn a_missing_key_is_shown_at_its_table() {
    let (raw, problems) = spec(
        "[truncate.a]\ntokens = 3\n[truncate.b]\ntokens = 3\nzzz = \"x\"\n[[ablation]]\nset = {}\n",
    )
    .read::<Raw>("");
    assert!(raw.is_none());
    assert_snapshot!(problems);
}

#[test]
fn what_is_left_of_a_bad_spec_is_still_given() {
    let (raw, problems) =
        spec("title = \"t\"\nseed = \"x\"\nnonsense = 1\n[judge.v]\nmodel = 3\n").read::<Raw>("");
    let raw = raw.unwrap();
    assert_eq!(
        (raw.title.as_deref(), raw.seed, raw.judge.len()),
        (Some("t"), None, 1)
    );
    assert!(problems.ends_with("3 errors in x.toml\n"), "{problems}");
}

#[test]
fn a_gap_made_by_one_mistake_is_not_another_mistake() {
    let (raw, problems) =
        spec("[[ablation]]\nname = 3\n[[ablation]]\nname = 4\n[[ablation]]\nname = \"ok\"\n")
            .read::<Raw>("");
    assert!(raw.is_none());
    assert!(
        problems.contains("x.toml:2:8") && problems.contains("x.toml:4:8"),
        "{problems}"
    );
    assert!(problems.ends_with("2 errors in x.toml\n"), "{problems}");
}

#[test]
fn an_array_element_is_blamed_where_it_stands_though_others_were_taken_out() {
    let problems = drawn("[truncate.a]\nfrom = \"a\"\nkeep = [\"p\", 1, \"q\", \"r\"]\n");
    for place in ["x.toml:3:9", "x.toml:3:17", "x.toml:3:22"] {
        assert!(problems.contains(place), "{problems}");
    }
}

#[test]
fn a_bad_value_is_blamed_on_the_layer_that_gave_it() {
    let files =
        spec("extends = \"base.toml\"\ntitle = \"t\"\n").file("base.toml", "seed = \"x\"\n");
    let files = files
        .set("title=2024")
        .env("TRIBUNAL_TRUNCATE__S__TOKENS", "none")
        .local("unknown = 1\n");
    assert_snapshot!(files.set("truncate.s.from=a").read::<Raw>("").1);
}

#[test]
fn a_part_is_read_by_its_path_and_an_absent_one_as_empty() {
    let (judge, problems) = spec("[judge.v]\nmodel = 3\n").read::<Judge>("judge.v");
    assert!(judge.is_some_and(|judge| judge.model.is_none() && judge.temperature.is_none()));
    assert!(
        problems.contains("`judge.v.model`: expected a string, found number 3"),
        "{problems}"
    );
    let (none, problems) = spec("").read::<BTreeMap<String, Judge>>("judge");
    assert_eq!(
        (none.map(|map| map.len()), problems),
        (Some(0), String::new())
    );
}

#[test]
fn a_part_that_must_be_there_is_missed() {
    assert_snapshot!(spec("title = \"t\"\n").read::<Ablation>("ablation.first").1);
}

#[test]
fn a_slip_in_a_key_that_must_be_there_is_one_mistake() {
    let (raw, problems) = spec("[truncate.b]\nform = \"x\"\n").read::<Raw>("");
    assert!(raw.is_none());
    assert!(
        problems.contains("did you mean `from`?") && problems.ends_with("1 error in x.toml\n"),
        "{problems}"
    );
}

#[test]
fn entries_of_arrays_are_counted_as_they_stand_in_the_file() {
    assert_snapshot!(drawn(
        "[[ablation]]\nname = 1\n[[ablation]]\nname = \"a\"\nnam = 2\nset = 3\n[judge.2024]\nmodel = 1\n"
    ));
}

#[test]
fn many_mistakes_are_all_found_in_the_order_of_the_file() {
    let tables: Vec<String> = (0..300).map(|n| format!("k{n} = {n}\n")).collect();
    let problems = drawn(&tables.concat());
    assert!(problems.ends_with("300 errors in x.toml\n"));
}

/// Lines that are right, wrong or odd in the spec of these tests, in every combination.
fn line() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "title",
        "seed",
        "from",
        "tokens",
        "tokenizer",
        "range",
        "strict",
        "keep",
        "model",
        "temperature",
        "name",
        "set",
        "zebra",
        "tokenizer.tiktoken",
        "set.a",
    ]);
    let value = prop::sample::select(vec![
        "1",
        "-1",
        "0.5",
        "3.0",
        "true",
        "\"a\"",
        "\"whitespace\"",
        "[]",
        "[1]",
        "[1, \"x\", 2.5]",
        "{}",
        "{ tiktoken = {} }",
        "{ tiktoken = { encoding = 1 } }",
        "[[1], {}]",
        "1979-05-27",
    ]);
    let header = prop::sample::select(vec![
        "[truncate.a]",
        "[truncate.b]",
        "[judge.v]",
        "[judge.\"two words\"]",
        "[[ablation]]",
        "[zebra]",
        "[judge]",
        "[[truncate]]",
    ]);
    prop_oneof![3 => (key, value).prop_map(|(key, value)| format!("{key} = {value}\n")), 1 => header.prop_map(|header| format!("{header}\n"))]
}

proptest! {
    #[test]
    fn reading_ends_and_says_why_it_gives_nothing(lines in prop::collection::vec(line(), 0..25)) {
        if let Ok(layers) = spec(&lines.concat()).load() {
            let mut problems = crate::toml::Problems::new();
            let raw: Option<Raw> = super::read(&layers, &[], &mut problems);
            prop_assert!(raw.is_some() || problems.has_errors());
            prop_assert_eq!(problems.has_errors(), layers.tree().deserialize::<Raw>().is_err());
            prop_assert!(problems.iter().all(|problem| problem.labels.len() == 1));
        }
    }
}
