//! Judgements that are no bare numbers: errors marked in the document, and pairs with both texts and who was chosen.

use super::{Tab, calmly, one, or_skip};
use crate::lab::Lab;
use crate::{lists_judged, protocols};

/// Opens the judgement in a row of the page of a protocol's run.
fn judgement(tab: &Tab, name: &str, row: usize, work: impl FnOnce()) {
    let lab: Lab = protocols::lab(name);
    lab.run(&[]).ok();
    let page = lab.path("reports/experiment/index.html");
    let url = format!("file://{}", page.display());
    calmly(tab, &format!("{url}#judgements?row={row}"), &url, || {
        tab.wait(&one(".detail .scores"));
        work();
    });
}

fn text(tab: &Tab, selector: &str) -> Vec<String> {
    let found = tab.value(&format!(
        "[...document.querySelectorAll('{selector}')].map(one => one.textContent.trim())"
    ));
    let found = found.as_array().unwrap().iter();
    found.map(|one| one.as_str().unwrap().to_owned()).collect()
}

#[test]
fn errors_that_were_found_are_marked_in_the_document_and_the_label_stands_beside_the_score() {
    let Some(tab) = or_skip() else { return };
    judgement(&tab, "spans", 2, || {
        assert_eq!(text(&tab, ".document mark"), ["cars", "bridge ,"]);
        assert_eq!(text(&tab, ".scores .says"), ["Fair"]);
        // The third is quoted and is not there.
        assert_eq!(text(&tab, ".issues li").len(), 3);
    });
}

#[test]
fn a_pair_shows_both_texts_in_their_order_and_who_was_chosen() {
    let Some(tab) = or_skip() else { return };
    judgement(&tab, "pairs", 1, || {
        assert_eq!(
            text(&tab, ".document .label"),
            ["tides · first: quay", "tides · second: harbour"]
        );
        let shown = text(&tab, ".document .document-text");
        assert!(shown[0].starts_with("The wind of the morning"), "{shown:?}");
        assert!(shown[1].starts_with("The Moon pulls"), "{shown:?}");
        assert_eq!(
            text(&tab, ".scores .says"),
            ["B · chosen: harbour, shown second"]
        );
    });
}

#[test]
fn verdicts_on_the_elements_of_a_list_stand_beside_what_they_are_about() {
    let Some(tab) = or_skip() else { return };
    let lab = lists_judged::lab("id = \"key\"\nfields = [\"quote\"]");
    lab.run(&[]).ok();
    let url = format!(
        "file://{}",
        lab.path("reports/experiment/index.html").display()
    );
    calmly(&tab, &format!("{url}#judgements?row=1"), &url, || {
        tab.wait(&one(".detail .scores"));
        assert_eq!(
            text(&tab, ".scores .about"),
            ["One. (key x)", "Two. (key y)"]
        );
        assert_eq!(text(&tab, ".scores .says"), ["yes", "no · quote: of y"]);
        assert_eq!(text(&tab, ".scores tr.here .about"), ["Two. (key y)"]);
    });
}

#[test]
fn lists_and_trees_of_a_row_are_shown_with_what_every_judge_of_the_row_said_of_their_elements() {
    let Some(tab) = or_skip() else { return };
    let lab = Lab::new()
        .spec(
            r#"
[models.fake]
provider = "scripted"
script = "script.toml"

[source.rows]
files = "rows.jsonl"

[judge.recalled]
from = "rows"
model = "fake"
prompt = "recalled"
variables = ["facts", "sentences"]
metrics = ["recalled"]
parse = "items"
items = "facts"
id = "node"
fields = ["lines"]
scale.labels = { no = 0, yes = 1 }

[judge.checked]
max-unscored = 1
from = "rows"
model = "fake"
prompt = "checked"
variables = ["text", "sentences"]
metrics = ["faithful"]
parse = "items"
items = "sentences"
scale.labels = { no = 0, yes = 1 }

[export.scores]
from = ["recalled", "checked"]
columns = ["doc_id", "score"]
"#,
        )
        .file(
            "rows.jsonl",
            r#"{"doc_id": "a", "text": "A storm came.", "facts": [{"node": "1", "level": "root", "fact": "A storm"}, {"node": "1.1", "level": "leaf", "fact": "at <b>sea</b>"}], "sentences": ["It stormed.", "Nobody came."], "tree": {"roots": [{"fact": "A storm", "leaves": ["at sea", "at night"]}]}}
"#,
        )
        .template("recalled", "Recalled? {% for fact in facts %}{{ fact.node }} {{ fact.fact }} {% endfor %}{{ sentences }}")
        .template("checked", "Checked? {{ text }} {% for one in sentences %}{{ one }}{% endfor %}")
        .script(
            "[[reply]]\ncontains = [\"Recalled?\"]\ntext = '[{\"node\": \"1\", \"verdict\": \"yes\", \"lines\": [1]}, {\"node\": \"1.1\", \"verdict\": \"no\", \"lines\": []}]'\n\
             [[reply]]\ntext = \"1. yes\\n2. maybe\"\n",
        );
    lab.run(&[]).ok();
    let page = lab.path("reports/experiment/index.html");
    let url = format!("file://{}", page.display());
    calmly(&tab, &format!("{url}#judgements?row=1"), &url, || {
        tab.wait(&one(".detail .lists"));
        let of = |list: &str, what: &str| text(&tab, &format!("[data-list={list}] {what}"));
        assert_eq!(
            of("facts", ".badge"),
            ["yes · lines: [1]", "no · lines: []"]
        );
        // A list that the prompt of this judge shows as well, with what the other judge said of it; data make no markup.
        assert_eq!(of("sentences", ".badge")[0], "yes");
        assert_eq!(of("sentences", ".badge.alert").len(), 1);
        assert_eq!(
            of("facts", "li.here > div:first-child"),
            ["1.1 at <b>sea</b>"]
        );
        assert_eq!(of("tree", "li li"), ["at sea", "at night"]);
        // What was judged are lists: the document beside them is the text of the row.
        assert_eq!(text(&tab, ".document .document-text"), ["A storm came."]);
    });
}
