//! The page of hostile data: everything is shown as text, nothing runs, nobody is asked.

use serde_json::json;

use super::project::{self, MARKUP, line};
use crate::browser::sample::{self, Case};
use crate::browser::{Tab, calmly, one, or_skip};

/// Nothing of the data became an element, an attribute that runs, or a style.
#[track_caller]
fn unharmed(tab: &Tab) {
    assert_eq!(
        tab.value("typeof window.__ran"),
        "undefined",
        "{}",
        tab.value("String(window.__ran)")
    );
    let strange = tab.value(
        "[...document.querySelectorAll('*')].filter(one => \
            ['IFRAME', 'OBJECT', 'EMBED', 'IMG', 'BASE', 'A'].includes(one.tagName) && !one.matches('a[href^=\"#\"]') || \
            one.matches('link:not([rel=icon]), meta[http-equiv]:not([http-equiv=\"Content-Security-Policy\"])') || \
            [...one.attributes].some(({ name, value }) => name.startsWith('on') || /^javascript:/i.test(value.trim()))\
        ).map(one => one.outerHTML.slice(0, 200))",
    );
    assert_eq!(strange, json!([]));
}

/// Every line of markup stands on the page, as text, in the first element of a selector.
#[track_caller]
fn shown(tab: &Tab, selector: &str) {
    let text = tab.text(&format!("{}.textContent", one(selector)));
    for line in MARKUP {
        assert!(text.contains(line), "{selector} lacks {line:?}:\n{text}");
    }
    assert!(
        !text.contains('\u{1b}') && !text.contains('\u{202e}') && !text.contains('\0'),
        "{selector}: {text:?}"
    );
}

#[track_caller]
fn open_first(tab: &Tab) {
    tab.value("document.getElementById('judgements').scrollIntoView()");
    tab.click(&one(".list-row"));
    tab.wait(&one(".detail .document .text"));
}

#[test]
fn the_page_of_a_hostile_project_shows_all_of_it_and_nothing_runs() {
    let Some(tab) = or_skip() else { return };
    let lab = project::lab();
    lab.run(&["--jobs", "1"]).ok();
    let url = format!(
        "file://{}",
        lab.path("reports/experiment/index.html").display()
    );
    calmly(&tab, &url, &url, || {
        shown(&tab, "h1");
        shown(&tab, ".report-table");
        unharmed(&tab);
        open_first(&tab);
        for part in [".detail h3", ".document .text", ".reply .text", ".issues"] {
            shown(&tab, part);
        }
        unharmed(&tab);
        tab.click(&one(".prompt summary"));
        tab.wait(&one(".prompt details .text"));
        shown(&tab, ".prompt details .text");
        // Whatever waits for a mouse or the focus.
        tab.press(&["Tab"; 30]);
        unharmed(&tab);
    });
}

#[test]
fn a_page_of_hostile_names_in_every_place_shows_them_and_nothing_runs() {
    let Some(tab) = or_skip() else { return };
    let (line, document) = (line(), project::document());
    let from = document.find("counted").unwrap();
    let store = sample::of(&[Case {
        model: &line,
        task: &line,
        id: &line,
        text: &document,
        edit: Some((from..document.len(), &line)),
        reply: &line,
        label: &line,
        issue: &line,
        score: None,
    }]);
    let mut page = sample::page(&line);
    page.warnings = vec![tribunal::output::page::Warning {
        grade: tribunal::output::page::Grade::Error,
        subject: line.clone(),
        text: line.clone(),
    }];
    page.graph.stages = vec![tribunal::output::page::Stage {
        name: line.clone(),
        kind: line.clone(),
        reads: Vec::new(),
        instances: 1,
        known: 0,
        rows: 1,
        seconds: 0.5,
        state: tribunal::output::page::State::Failed,
        notes: vec![line.clone()],
    }];
    let (_folder, path) = sample::file(&page, &store);
    let url = format!("file://{}", path.display());
    calmly(&tab, &url, &url, || {
        for part in [
            "h1",
            ".warnings",
            ".table h3",
            ".stage-table",
            "#run .facts",
            ".record pre",
        ] {
            shown(&tab, part);
        }
        unharmed(&tab);
        open_first(&tab);
        for part in [
            ".detail h3",
            ".badges",
            ".document .text",
            ".reply .text",
            ".issues",
            ".detail .facts",
        ] {
            shown(&tab, part);
        }
        unharmed(&tab);
        tab.press(&["n"]);
        tab.wait("document.activeElement.dataset.edit === '0'");
        tab.press(&["Tab"; 30]);
        unharmed(&tab);
    });
}

#[test]
fn a_line_of_ten_million_letters_and_a_hundred_thousand_paragraphs_are_opened_piece_by_piece() {
    let Some(tab) = or_skip() else { return };
    let long = "<b>one</b> \u{1b}word ".to_owned() + &"<b>and</b> another ".repeat(10_000_000 / 19);
    let many = "A paragraph <i>of</i> few words.\n\n".repeat(100_000);
    let case = |id, text| Case {
        model: "m",
        task: "typos",
        id,
        text,
        edit: Some((9_000..9_010, "as it was")),
        reply: text,
        label: "LABEL",
        issue: "an issue",
        score: Some(3.0),
    };
    let store = sample::of(&[case("long", &long), case("many", &many)]);
    let (_folder, path) = sample::file(&sample::page("Long documents"), &store);
    let url = format!("file://{}", path.display());
    calmly(&tab, &url, &url, || {
        for number in [1, 3] {
            tab.value("document.getElementById('judgements').scrollIntoView()");
            tab.click(&one(&format!(".list-row:nth-child({number})")));
            tab.wait(&one(".detail .document .text"));
            // The rest is there when somebody comes to it.
            let elements = tab.number("document.querySelectorAll('*').length");
            assert!(elements < 5_000.0, "{elements}");
            tab.press(&["n"]);
            tab.wait("document.activeElement.dataset.edit === '0'");
            assert_eq!(
                tab.value("document.documentElement.scrollWidth <= innerWidth"),
                true
            );
            tab.press(&["Escape"]);
            tab.wait("!document.querySelector('.detail').checkVisibility()");
        }
    });
}
