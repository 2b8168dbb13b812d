use serde_json::json;

use super::*;

fn tree() -> Tree {
    Tree::from_json(&json!({"z": 1, "a": {"k": [1, {"x": "y"}], "b": 0.5}, "m": true})).unwrap()
}

#[test]
fn a_path_reaches_through_tables_and_arrays() {
    let tree = tree();
    assert_eq!(
        tree.get(&["a", "k", "1", "x"]).and_then(Tree::as_str),
        Some("y")
    );
    assert_eq!(tree.get(&["a", "k", "2"]), None);
    assert_eq!(tree.get(&["z", "q"]), None);
    assert_eq!(tree.get::<&str>(&[]), Some(&tree));
    assert_eq!(tree.nearest(&["a", "b", "c"]).to_json(), json!(0.5));
}

#[test]
fn entries_keep_their_order() {
    let keys: Vec<String> = tree()
        .entries::<&str>(&[])
        .into_iter()
        .map(|(key, _)| key)
        .collect();
    assert_eq!(keys, ["z", "a", "m"]);
    assert!(tree().entries(&["z"]).is_empty());
    assert!(tree().entries(&["none"]).is_empty());
}

#[test]
fn setting_makes_tables_and_replaces_what_is_in_the_way() {
    let mut tree = tree();
    assert!(tree.set(&["n", "o"], Tree::from(3)));
    assert!(tree.set(&["z", "p"], Tree::from("s")));
    assert!(tree.set(&["a", "k", "0"], Tree::from(false)));
    assert!(!tree.set(&["a", "k", "9"], Tree::from(false)));
    assert_eq!(
        tree.to_json().to_string(),
        r#"{"z":{"p":"s"},"a":{"k":[false,{"x":"y"}],"b":0.5},"m":true,"n":{"o":3}}"#
    );
}

#[test]
fn removing_takes_the_value_out() {
    let mut tree = tree();
    assert_eq!(tree.remove(&["a", "k", "0"]), Some(Tree::from(1)));
    assert_eq!(tree.remove(&["a", "k", "5"]), None);
    assert_eq!(tree.remove(&["a", "none"]), None);
    assert_eq!(tree.remove::<&str>(&[]), None);
    assert_eq!(
        tree.to_json(),
        json!({"z": 1, "a": {"k": [{"x": "y"}], "b": 0.5}, "m": true})
    );
}

#[test]
fn values_have_descriptions() {
    let tree = tree();
    let described: Vec<String> = [
        vec!["z"],
        vec!["a", "b"],
        vec!["m"],
        vec!["a", "k"],
        vec!["a", "k", "1", "x"],
        vec!["a"],
    ]
    .iter()
    .map(|path| tree.get(path).unwrap().describe())
    .collect();
    assert_eq!(
        described,
        [
            "number 1",
            "number 0.5",
            "`true`",
            "an array",
            "string \"y\"",
            "a table"
        ]
    );
    assert_eq!(
        Tree::from("x".repeat(100)).describe().len(),
        "string \"\"".len() + 43
    );
}

#[test]
fn json_without_a_counterpart_is_refused_and_null_keys_are_left_out() {
    assert_eq!(
        Tree::from_json(&json!({"a": null, "b": 1}))
            .unwrap()
            .to_json(),
        json!({"b": 1})
    );
    assert_eq!(Tree::from_json(&json!([null])), None);
    assert_eq!(Tree::from_json(&json!(u64::MAX)), None);
    assert_eq!(Tree::from(f64::NAN).to_json(), json!("nan"));
    assert_eq!(Tree::from(f64::INFINITY).to_json(), json!("inf"));
}

#[test]
fn a_tree_is_read_as_a_type_in_its_order() {
    #[derive(serde::Deserialize)]
    struct Part {
        k: (i32, IndexMap<String, String>),
        b: f32,
    }
    let part: Part = tree().get(&["a"]).unwrap().deserialize().unwrap();
    assert_eq!((part.k.0, part.k.1["x"].as_str(), part.b), (1, "y", 0.5));
    let order: IndexMap<String, serde_json::Value> = tree().deserialize().unwrap();
    assert_eq!(order.keys().collect::<Vec<_>>(), ["z", "a", "m"]);
    let fault = tree()
        .deserialize::<std::collections::BTreeMap<String, u8>>()
        .unwrap_err();
    assert_eq!(fault.to_string(), "`a`: expected u8");
}

#[test]
fn numbers_are_never_taken_for_names() {
    #[derive(serde::Deserialize, Debug)]
    #[serde(rename_all = "kebab-case")]
    enum Mode {
        First,
    }
    assert_eq!(
        Tree::from(0).deserialize::<Mode>().unwrap_err().to_string(),
        "expected `first`"
    );
    assert!(Tree::from(0).deserialize::<String>().is_err());
}

#[test]
fn a_copy_shares_the_tables_that_are_not_changed() {
    let tree = Tree::from_json(&json!({"one": {"a": 1}, "other": {"b": {"c": 2}}})).unwrap();
    let mut copy = tree.clone();
    assert!(copy.set(&["one", "a"], Tree::from(5)));
    let shared = |key: &str| match (
        &copy.child(key).unwrap().node,
        &tree.child(key).unwrap().node,
    ) {
        (Node::Table(one), Node::Table(other)) => Arc::ptr_eq(one, other),
        _ => false,
    };
    assert!(shared("other"));
    assert!(!shared("one"));
    assert_eq!(tree.get(&["one", "a"]), Some(&Tree::from(1)));
}
