//! Judgements of lists: a row for each element, and one reply for all of them.

use serde_json::json;

use super::judgements;
use crate::lists_judged::lab;

#[test]
fn each_element_of_a_list_is_listed_with_the_reply_on_all() {
    let lab = lab("id = \"key\"\nrepeats = 2");
    lab.run(&[]).ok();
    let opened = judgements(&lab);
    // Two, three and one element, and a text without a list, twice each.
    assert_eq!(opened.rows(), 14);
    let row = opened.row(&[("doc_id", "b"), ("item", "3")]);
    assert_eq!(opened.cell("score", row), 0.0);
    let reply = opened.reply(row).unwrap();
    let scores = reply["scores"].as_array().unwrap();
    let metrics: Vec<_> = scores.iter().map(|score| &score["metric"]).collect();
    assert_eq!(metrics, ["met 1", "met 2", "met 3"]);
    // Every verdict is marked where the reply gives it, and the one that it lacks nowhere.
    assert_eq!(scores[0]["spans"], json!([[3, 6]]));
    assert_eq!(scores[1]["spans"], json!([]));
    assert_eq!(scores[2]["spans"], json!([[10, 12]]));
    let row = opened.row(&[("doc_id", "d")]);
    assert_eq!(opened.cell("unscored", row), "not-applicable");
}
