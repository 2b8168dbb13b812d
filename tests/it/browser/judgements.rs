//! The browser of judgements: filtered, opened, read, by mouse and by keyboard.

use serde_json::{Value, json};
use tribunal::output::page::store::Store;

use super::project::{mill, opened};
use super::{Tab, calmly, one, or_skip, sample, with_text};

/// The text that is shown in an element, without what is only read aloud or was taken out.
const SHOWN: &str = "(element => { \
    const copy = element.cloneNode(true); \
    for (const other of copy.querySelectorAll('.unseen, del')) other.remove(); \
    return copy.textContent; })";

#[track_caller]
fn show_list(tab: &Tab) {
    tab.value("document.getElementById('judgements').scrollIntoView()");
    tab.wait(&one(".list-row"));
}

/// A box of a filter.
fn choice(column: &str, value: &str) -> String {
    format!(
        "[...document.querySelectorAll('.facet')].find(one => one.querySelector('summary bdi').textContent === {}) \
         && [...[...document.querySelectorAll('.facet')].find(one => one.querySelector('summary bdi').textContent === {})\
         .querySelectorAll('label')].find(one => one.querySelector('.choice').textContent === {})",
        json!(column),
        json!(column),
        json!(value)
    )
}

#[track_caller]
fn found(tab: &Tab, words: &str) {
    tab.wait(&format!(
        "document.querySelector('.found').textContent === {}",
        json!(words)
    ));
}

/// What the rows of the list show.
fn rows(tab: &Tab) -> Vec<String> {
    let rows = tab.value("[...document.querySelectorAll('.list-row')].map(row => [...row.children].map(cell => cell.textContent).join(' '))");
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| row.as_str().unwrap().to_owned()).collect()
}

#[test]
fn filters_leave_the_judgements_that_fit_and_say_how_many() {
    let Some(tab) = or_skip() else { return };
    opened(&tab, |_| {
        show_list(&tab);
        found(&tab, "24 judgements");
        assert_eq!(rows(&tab).len(), 24);
        tab.click(&choice("task", "typos"));
        found(&tab, "12 of 24 judgements");
        tab.click(&choice("model", "strict"));
        found(&tab, "6 of 24 judgements");
        assert!(
            rows(&tab)
                .iter()
                .all(|row| row.contains("typos") && row.contains("strict"))
        );
        tab.click(&choice("unscored", "no-score-found"));
        found(&tab, "1 of 24 judgements");
        assert!(
            rows(&tab)[0].contains("mill") && rows(&tab)[0].contains('—'),
            "{:?}",
            rows(&tab)
        );
        tab.click(&with_text("button", "Clear filters"));
        found(&tab, "24 judgements");
        tab.type_into(&one("input[aria-label='score from']"), "4");
        found(&tab, "8 of 24 judgements");
        tab.type_into(&one("#judgements-find"), "short");
        found(&tab, "4 of 24 judgements");
        assert!(tab.text("location.hash").contains("find=short"));
        tab.click(&with_text("button", "Clear filters"));
        found(&tab, "24 judgements");
    });
}

#[test]
fn judgements_are_found_by_labels_of_issues_and_by_words_of_texts_and_replies() {
    let Some(tab) = or_skip() else { return };
    opened(&tab, |_| {
        show_list(&tab);
        tab.click(&choice("issue labels", "SPELLING"));
        found(&tab, "4 of 24 judgements");
        assert!(rows(&tab).iter().all(|row| row.contains("mill")));
        tab.click(&choice("issue labels", "LOGIC"));
        found(&tab, "8 of 24 judgements");
        tab.click(&with_text("button", "Clear filters"));
        tab.type_into(&one("#judgements-find"), "drags");
        found(&tab, "0 of 24 judgements");
        tab.click(&one(".filter-whole input"));
        found(&tab, "8 of 24 judgements");
        assert!(tab.text("location.hash").contains("whole=yes"));
        tab.click(&with_text("button", "Clear filters"));
        found(&tab, "24 judgements");
        tab.type_into(&one("#judgements-find"), "stands here");
        tab.wait("/^[1-8] of 24/.test(document.querySelector('.found').textContent)");
        assert!(rows(&tab).iter().all(|row| row.contains("short")));
        // The browser of the other tests begins without it.
        tab.click(&one(".filter-whole input"));
        tab.click(&with_text("button", "Clear filters"));
        found(&tab, "24 judgements");
    });
}

#[test]
fn the_list_is_sorted_by_its_heads() {
    let Some(tab) = or_skip() else { return };
    opened(&tab, |_| {
        show_list(&tab);
        let scores = "[...document.querySelectorAll('.list-row')].sort((a, b) => a.ariaRowIndex - b.ariaRowIndex)\
            .map(row => row.querySelector('.cell-score').textContent).filter(text => text !== '—').map(Number)";
        tab.click(&with_text(".list-head button", "score"));
        tab.wait(&one(".list-head [aria-sort=ascending]"));
        let numbers: Vec<f64> = serde_json::from_value(tab.value(scores)).unwrap();
        assert!(numbers.len() == 20 && numbers.is_sorted(), "{numbers:?}");
        tab.click(&with_text(".list-head button", "score"));
        tab.wait(&one(".list-head [aria-sort=descending]"));
        let numbers: Vec<f64> = serde_json::from_value(tab.value(scores)).unwrap();
        assert!(numbers.is_sorted_by(|a, b| a >= b), "{numbers:?}");
    });
}

#[test]
fn a_list_with_more_columns_than_there_is_room_for_shows_what_has_a_value() {
    let Some(tab) = or_skip() else { return };
    let (_folder, path) = sample::file(&sample::page("Wide"), &sample::wide());
    let url = format!("file://{}", path.display());
    calmly(&tab, &url, &url, || {
        show_list(&tab);
        assert_eq!(rows(&tab)[..2], ["one north", "two south"]);
        assert_eq!(
            tab.value("(list => list.scrollWidth <= list.clientWidth)(document.querySelector('[role=grid]'))"),
            true
        );
    });
}

/// A store of so many replies of so many letters, in the last of which is a word.
fn noisy(replies: u64, letters: usize) -> (Store, Vec<u8>) {
    let texts: Vec<String> = (1..=replies)
        .map(|seed| sample::noise(seed, letters))
        .collect();
    let last = format!("{} harbour", sample::noise(0, letters));
    let replies = texts.iter().chain([&last]);
    let cases = replies.map(|reply| sample::Case {
        model: "m",
        task: "none",
        id: "one",
        text: "A short text.",
        edit: None,
        reply,
        label: "SPELLING",
        issue: "a word is not one",
        score: Some(2.0),
    });
    sample::of(&cases.collect::<Vec<_>>())
}

#[test]
fn the_pieces_of_a_large_page_leave_the_document_and_are_found_and_shown_as_before() {
    let Some(tab) = or_skip() else { return };
    // Packed and in letters these are nine million and some thousand.
    for (store, large) in [(noisy(8, 1_000_000), true), (noisy(2, 1_000), false)] {
        let (_folder, path) = sample::file(&sample::page("Pieces"), &store);
        let url = format!("file://{}", path.display());
        calmly(&tab, &url, &url, || {
            let pieces = "document.querySelectorAll('script[data-chunk]').length";
            let all = tab.number(pieces);
            assert!(all > 1.0, "{all} pieces");
            show_list(&tab);
            if large {
                tab.wait(&format!("{pieces} === 0"));
            }
            tab.type_into(&one("#judgements-find"), "HARBOUR");
            tab.click(&one(".filter-whole input"));
            let judgements = if large { 18 } else { 6 };
            found(&tab, &format!("2 of {judgements} judgements"));
            // The list may be drawn once more meanwhile.
            let row = "document.querySelector('.list-row')";
            tab.wait(&format!("{row} !== null && ({row}.click(), true)"));
            tab.wait(&one(".detail .reply .text"));
            assert!(large || (tab.number(pieces) - all).abs() < 0.1);
            // Of a long reply only what is near is made into elements.
            let shown = tab.text("document.querySelector('.detail .reply .text').textContent");
            let begins = sample::noise(0, 1_000);
            assert!(shown.starts_with(&begins), "{}", &shown[..100]);
        });
    }
}

/// Opens the fluency of the damaged mill as the strict judge saw it.
#[track_caller]
fn open_mill(tab: &Tab) {
    show_list(tab);
    tab.type_into(&one("#judgements-find"), "mill");
    for (column, value) in [
        ("task", "typos"),
        ("model", "strict"),
        ("metric", "fluency"),
    ] {
        tab.click(&choice(column, value));
    }
    found(tab, "1 of 24 judgements");
    tab.click(&one(".list-row"));
    tab.wait(&one(".detail .document .text"));
}

#[test]
fn a_highlight_is_where_the_edit_is() {
    let Some(tab) = or_skip() else { return };
    opened(&tab, |lab| {
        let (text, edits) = mill(lab);
        assert!(edits.len() >= 3, "{edits:?}");
        open_mill(&tab);
        let shown = tab.text(&format!(
            "{SHOWN}(document.querySelector('.document .text'))"
        ));
        assert_eq!(shown, text);
        // Of each highlight the text before it in the document, and its own.
        let marks = tab.value(&format!(
            "[...document.querySelectorAll('.document ins')].map(mark => {{ \
                const range = document.createRange(); \
                range.setStart(document.querySelector('.document .text'), 0); \
                range.setEndBefore(mark); \
                const before = document.createElement('div'); \
                before.append(range.cloneContents()); \
                return [{SHOWN}(before), {SHOWN}(mark)]; }})"
        ));
        let marks: Vec<(String, String)> = serde_json::from_value(marks).unwrap();
        let wanted: Vec<(String, String)> = edits
            .iter()
            .map(|(start, new)| (text.chars().take(*start).collect(), new.clone()))
            .collect();
        assert_eq!(marks, wanted);
    });
}

#[test]
fn the_document_as_it_was_is_the_one_before_its_manipulation() {
    let Some(tab) = or_skip() else { return };
    opened(&tab, |lab| {
        open_mill(&tab);
        tab.click(&with_text(".document button", "As it was"));
        tab.wait(&one(".document del"));
        let shown = tab.text(
            "(() => { const copy = document.querySelector('.document .text').cloneNode(true); \
             for (const other of copy.querySelectorAll('.unseen')) other.remove(); return copy.textContent; })()",
        );
        assert_eq!(shown, lab.read("docs/mill.txt"));
    });
}

#[test]
fn issues_and_scores_lead_to_the_words_they_were_read_from() {
    let Some(tab) = or_skip() else { return };
    opened(&tab, |_| {
        open_mill(&tab);
        tab.wait(&one(".issues li"));
        assert!(
            tab.text("document.querySelector('.issues li').textContent")
                .contains("SPELLING")
        );
        tab.click(&with_text(".issues button", "in the reply"));
        tab.wait("document.activeElement.matches('.reply mark')");
        let issue = tab.text(&format!("{SHOWN}(document.activeElement)"));
        assert!(issue.contains("a word is misspelt"), "{issue}");
        tab.click(&with_text(".scores button", "where"));
        tab.wait("document.activeElement.matches('.reply mark.read')");
        let score = tab.text(&format!("{SHOWN}(document.activeElement)"));
        assert!(score.contains("2.5"), "{score}");
        let unscored = tab.text("document.querySelector('.scores').textContent");
        assert!(
            unscored.contains("coherence") && unscored.contains("no-score-found"),
            "{unscored}"
        );
    });
}

#[test]
fn the_prompt_is_shown_as_it_was_sent() {
    let Some(tab) = or_skip() else { return };
    opened(&tab, |lab| {
        let (text, _) = mill(lab);
        open_mill(&tab);
        assert!(
            tab.text("document.querySelector('.prompt').textContent")
                .contains("Grade fluency and coherence.")
        );
        tab.click(&one(".prompt summary"));
        tab.wait(&one(".prompt details .text"));
        let shown = tab.text(&format!(
            "{SHOWN}(document.querySelector('.prompt details .text'))"
        ));
        assert_eq!(shown, text);
    });
}

#[test]
fn everything_can_be_done_from_the_keyboard_with_the_focus_in_sight() {
    let Some(tab) = or_skip() else { return };
    opened(&tab, |_| {
        // To the head of a table, and sort by it.
        reach(
            &tab,
            "document.activeElement.matches('.report-table th button')",
        );
        tab.press(&["Enter"]);
        tab.wait(&one(".report-table th[aria-sort=ascending]"));
        // To the list, through it, and into a judgement.
        tab.value("document.getElementById('judgements').scrollIntoView()");
        tab.wait(&one(".list-row"));
        reach(&tab, "document.activeElement.matches('[role=grid]')");
        tab.press(&["Down", "Down", "Down"]);
        let active = "document.getElementById(document.querySelector('[role=grid]').getAttribute('aria-activedescendant'))";
        assert_eq!(tab.text(&format!("{active}.ariaRowIndex")), "5");
        tab.press(&["Enter"]);
        tab.wait(&one(".detail .text"));
        tab.wait("document.querySelector('.detail').contains(document.activeElement)");
        // Down to a document that was damaged, and along its edits.
        for _ in 0..24 {
            if tab.value("document.querySelector('.detail ins') !== null") == Value::Bool(true) {
                break;
            }
            let title = tab.text("document.querySelector('.detail .steps .where').textContent");
            tab.press(&["j"]);
            tab.wait(&format!(
                "document.querySelector('.detail .steps .where').textContent !== {}",
                json!(title)
            ));
            tab.wait(&one(".detail .text"));
        }
        tab.press(&["n"]);
        tab.wait("document.activeElement.dataset.edit === '0'");
        tab.press(&["n"]);
        tab.wait("document.activeElement.dataset.edit === '1'");
        in_sight(&tab);
        // And out again.
        tab.press(&["Escape"]);
        tab.wait("!document.querySelector('.detail').checkVisibility()");
        tab.wait("document.activeElement.matches('[role=grid]')");
        in_sight(&tab);
    });
}

/// Presses Tab until something holds, with the focus to be seen at every stop.
#[track_caller]
fn reach(tab: &Tab, expression: &str) {
    for _ in 0..120 {
        tab.press(&["Tab"]);
        in_sight(tab);
        if tab.value(expression) == Value::Bool(true) {
            return;
        }
    }
    panic!("never reached: {expression}");
}

/// What has the focus differs from how it looks without, and is in the window.
#[track_caller]
fn in_sight(tab: &Tab) {
    let seen = tab.value(
        "(() => { const it = document.activeElement; \
         if (it === document.body) return true; \
         const style = getComputedStyle(it); \
         const box = it.getBoundingClientRect(); \
         const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== 'none'; \
         const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth; \
         return ring && inside || [ring, inside, JSON.stringify(box), style.outline]; })()",
    );
    let what = tab.text("document.activeElement.outerHTML.slice(0, 300)");
    assert_eq!(seen, true, "the focus cannot be seen on {what}");
}
