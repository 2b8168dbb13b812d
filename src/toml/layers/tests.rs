use insta::assert_snapshot;

use super::*;
use crate::toml::fixture::{keys, spec};
use crate::toml::{Label, Style};

fn json(layers: &Layers) -> String {
    layers.tree().to_json().to_string()
}

fn written(layers: &Layers, path: &str) -> String {
    let place = layers.place_of(&keys(path)).expect("the path has a place");
    let text = &layers.sources().text(place.source)[place.span.clone()];
    format!("{} {text}", layers.sources().describe(&place))
}

#[test]
fn layers_merge_from_weak_to_strong() {
    let layers = spec("extends = \"base.toml\"\nb = 2\nc = 2\nd = 2\ne = 2\nf = 2")
        .defaults("z = 0\na = 0\nb = 0")
        .file("base.toml", "a = 1\nb = 1\nc = 1")
        .local("c = 3\nd = 3\ne = 3\nf = 3")
        .env("TRIBUNAL_D", "4")
        .env("TRIBUNAL_E", "4")
        .env("HOME", "/root")
        .set("e=5")
        .layers();
    assert_eq!(
        json(&layers),
        r#"{"z":0,"a":1,"b":2,"c":3,"d":4,"e":5,"f":3}"#
    );
    let kinds: Vec<LayerKind> = ["z", "a", "b", "c", "d", "e"]
        .iter()
        .map(|key| layers.layer_of(&keys(key)))
        .collect();
    assert_eq!(
        kinds,
        [
            LayerKind::Default,
            LayerKind::Extended,
            LayerKind::File,
            LayerKind::Local,
            LayerKind::Env,
            LayerKind::Set
        ]
    );
}

#[test]
fn a_file_on_top_is_stronger_than_the_spec_and_weaker_than_this_machine() {
    let layers = spec("extends = \"base.toml\"\na = 1\nb = 1\nc = 1\nd = 1\ne = 1")
        .file("base.toml", "a = 0")
        .with("tops/first.toml", "b = 2\nc = 2\nd = 2\ne = 2")
        .with("second.toml", "c = 3\nd = 3\ne = 3")
        .local("d = 4")
        .set("e=5")
        .layers();
    assert_eq!(json(&layers), r#"{"a":1,"b":2,"c":3,"d":4,"e":5}"#);
    assert_eq!(layers.layer_of(&keys("b")), LayerKind::With);
    assert_eq!(layers.base_dir(&keys("b")), Path::new("tops"));
    let place = layers.place_of(&keys("c")).unwrap();
    assert_eq!(layers.sources().describe(&place), "second.toml:1:5");
    let withs: Vec<&str> = layers.withs().collect();
    assert_eq!(withs, ["tops/first.toml", "second.toml"]);
}

#[test]
fn a_file_on_top_brings_what_it_extends_and_counts_on_top_if_the_spec_extends_it_too() {
    let layers = spec("extends = [\"base.toml\", \"top.toml\"]\na = 1\nb = 1\nc = 1")
        .file("base.toml", "a = 0\nd = 0")
        .file("more.toml", "b = 2\nd = 2")
        .with(
            "top.toml",
            "extends = [\"base.toml\", \"more.toml\"]\nc = 3",
        )
        .layers();
    assert_eq!(json(&layers), r#"{"a":1,"d":2,"b":1,"c":3}"#);
    let layers = spec("a = 1")
        .file("more.toml", "a = 2\nb = 2")
        .with("top.toml", "extends = \"more.toml\"\nb = 3")
        .layers();
    assert_eq!(json(&layers), r#"{"a":2,"b":3}"#);
}

#[test]
fn a_file_on_top_that_is_not_there_is_named() {
    let drawn = spec("a = 1")
        .file("live.toml", "b = 1")
        .with_named("lives.toml")
        .problems();
    assert!(drawn.contains("cannot read `lives.toml`"), "{drawn}");
    assert!(drawn.contains("did you mean `live.toml`?"), "{drawn}");
}

#[test]
fn tables_merge_and_arrays_replace() {
    let layers = spec("extends = [\"base.toml\"]\n[a]\ny = [3]\n[a.in]\nq = 1")
        .file("base.toml", "[a]\nx = 1\ny = [1, 2]\n[a.in]\np = 1")
        .layers();
    assert_eq!(json(&layers), r#"{"a":{"x":1,"y":[3],"in":{"p":1,"q":1}}}"#);
}

#[test]
fn keys_keep_the_order_of_the_weakest_file_that_has_them() {
    let layers =
        spec("extends = \"base.toml\"\n[new.z]\n[new.a]\n[stage.b]\nm = 1\n[stage.c]\n[stage.a]")
            .file("base.toml", "[stage.z]\n[stage.a]\n")
            .layers();
    assert_eq!(
        json(&layers),
        r#"{"stage":{"z":{},"a":{},"b":{"m":1},"c":{}},"new":{"z":{},"a":{}}}"#
    );
}

#[test]
fn a_file_reached_twice_counts_once_at_its_first_place() {
    let layers = spec("extends = [\"b.toml\", \"sub/../c.toml\"]")
        .file("b.toml", "extends = \"d.toml\"\nv = \"b\"\nw = \"b\"")
        .file("c.toml", "extends = \"./d.toml\"\nw = \"c\"")
        .file("d.toml", "v = \"d\"\nw = \"d\"\nx = \"d\"")
        .layers();
    assert_eq!(json(&layers), r#"{"v":"b","w":"c","x":"d"}"#);
}

#[test]
fn files_are_relative_to_the_file_that_names_them() {
    let layers = spec("")
        .spec_at("exp/run/x.toml")
        .file(
            "exp/run/x.toml",
            "extends = \"../corpus.toml\"\nprompt = \"p\"",
        )
        .file(
            "exp/corpus.toml",
            "extends = \"parts/models.toml\"\nfiles = \"*.txt\"",
        )
        .file("exp/parts/models.toml", "[models.m]\nname = \"m\"")
        .set("x=\"y\"")
        .layers();
    assert_eq!(layers.base_dir(&keys("prompt")), PathBuf::from("exp/run"));
    assert_eq!(layers.base_dir(&keys("files")), PathBuf::from("exp"));
    assert_eq!(
        layers.base_dir(&keys("models.m.name")),
        PathBuf::from("exp/parts")
    );
    assert_eq!(layers.base_dir(&keys("x")), PathBuf::new());
}

#[test]
fn a_value_is_blamed_on_the_line_that_gave_it() {
    let layers = spec("extends = \"base.toml\"\n[judge.a]\nmodel = \"m\"\nlist = [1, { k = 2 }]")
        .file(
            "base.toml",
            "[judge.a]\nprompt = \"p\"\nmodel = \"old\"\n[[ablation]]\nname = \"n\"",
        )
        .env("TRIBUNAL_JUDGE__A__SEED", "7")
        .set("judge.a.\"top.p\"=0.5")
        .layers();
    let places: Vec<String> = [
        "judge",
        "judge.a",
        "judge.a.model",
        "judge.a.prompt",
        "judge.a.list",
        "judge.a.list.1.k",
        "judge.a.seed",
        "ablation.0",
        "ablation.0.name",
        "judge.a.unknown.deep",
    ]
    .iter()
    .map(|path| format!("{path}: {}", written(&layers, path)))
    .collect();
    assert_snapshot!(places.join("\n"));
    let quoted = ["judge", "a", "top.p"].map(str::to_owned);
    let place = layers.place_of_key(&quoted).expect("the key is known");
    assert_eq!(
        &layers.sources().text(place.source)[place.span],
        "\"top.p\""
    );
}

#[test]
fn an_override_blames_its_place_and_leaves_the_base_alone() {
    let layers = spec(
        "[split.s]\nsize = 3\noverlap = 0.5\n[[ablation]]\nset = { \"split.s.overlap\" = 0.0 }",
    )
    .layers();
    let path = ["ablation", "0", "set", "split.s.overlap"].map(str::to_owned);
    let value = layers
        .tree()
        .get(&path)
        .expect("the override is there")
        .clone();
    let place = layers.place_of(&path).expect("it has a place");
    let changed = layers.with_overrides(&[(keys("split.s.overlap"), value, place.clone())]);
    assert_eq!(
        changed.tree().get(&["split", "s"]).map(Tree::to_json),
        Some(serde_json::json!({"size": 3, "overlap": 0.0}))
    );
    assert_eq!(changed.place_of(&keys("split.s.overlap")), Some(place));
    assert_eq!(changed.layer_of(&keys("split.s.overlap")), LayerKind::File);
    assert_eq!(
        layers
            .tree()
            .get(&["split", "s", "overlap"])
            .map(Tree::to_json),
        Some(serde_json::json!(0.5))
    );
}

#[test]
fn texts_can_be_added_for_later_problems() {
    let mut layers = spec("").layers();
    let id = layers.sources_mut().add("templates/v.j2", "{{ a }}");
    let mut problems = Problems::new();
    problems.push(super::super::Problem {
        labels: vec![Label {
            place: Place::new(id, 3..4),
            text: "here".into(),
        }],
        ..super::super::Problem::warning("spec::t", "message")
    });
    assert!(
        problems
            .render(layers.sources(), Style::default())
            .contains("templates/v.j2:1:4")
    );
}

#[test]
fn a_missing_spec_is_named_with_a_near_one() {
    assert_snapshot!(spec("").spec_at("y.toml").file("yy.toml", "").problems());
}

#[test]
fn a_missing_extended_file_is_pointed_at() {
    let files =
        spec("title = \"t\"\nextends = [\n  \"corpus.toml\",\n  \"parts/modles.toml\",\n]\n");
    assert_snapshot!(
        files
            .file("corpus.toml", "")
            .file("parts/models.toml", "")
            .problems()
    );
}

#[test]
fn a_cycle_is_shown_edge_by_edge() {
    let files = spec("extends = \"b.toml\"\n").file("b.toml", "# b\nextends = [\"c.toml\"]\n");
    assert_snapshot!(files.file("c.toml", "extends = [\"b.toml\"]\n").problems());
}

#[test]
fn a_file_that_extends_itself_is_a_cycle() {
    assert_snapshot!(spec("extends = [\"x.toml\"]\n").problems());
}

#[test]
fn extends_names_files() {
    assert_snapshot!(
        spec("extends = [\"a.toml\", 3]")
            .file("a.toml", "")
            .local("extends = \"a.toml\"")
            .problems()
    );
}

#[test]
fn a_file_that_is_not_utf8_is_shown_at_the_byte() {
    assert_snapshot!(
        spec("extends = \"a.toml\"")
            .bytes("a.toml", b"\xef\xbb\xbftitle = \"caf\xe9\"\n")
            .problems()
    );
}

#[test]
fn syntax_errors_of_all_files_are_reported_at_once() {
    let files = spec("extends = \"a.toml\"\nname = foo\n[a\nlist = [1, 2\nx = 1\n")
        .file("a.toml", "s = \"open\nk\n");
    assert_snapshot!(files.set("=3").problems());
}

#[test]
fn reading_twice_gives_the_same() {
    let load = || spec("a = 1\nb = [1,").file("q.toml", "").problems();
    assert_eq!(load(), load());
}

#[test]
fn a_big_spec_is_loaded_and_read_in_order() {
    let tables: Vec<String> = (0..2000)
        .map(|n| format!("[judge.n{n}]\nmodel = \"m{n}\"\nlist = [{n}, 1]\n"))
        .collect();
    let layers = spec(&tables.concat()).layers();
    let names = layers.tree().entries(&["judge"]);
    assert_eq!(names.len(), 2000);
    assert!(
        names
            .iter()
            .enumerate()
            .all(|(n, (name, _))| *name == format!("n{n}"))
    );
}
