//! Tables: sorted, copied, read aloud, printed, on a phone, by day and by night.

use serde_json::{Value, json};

use super::project::opened;
use super::{Tab, calmly, one, or_skip, sample, with_text};

/// The first cell of each row of the table of scores, and the last.
const CELLS: &str = "[...document.querySelector('.report-table table').tBodies[0].rows]\
    .map(row => [row.cells[0].textContent.trim(), row.cells[row.cells.length - 1].firstChild.textContent.trim()])";

#[test]
fn a_table_is_sorted_by_a_click_on_its_head_and_comes_back() {
    let Some(tab) = or_skip() else { return };
    opened(&tab, |_| {
        let before = tab.value(CELLS);
        let head = with_text(".report-table th button", "strict");
        tab.click(&head);
        tab.wait("document.querySelector('th[aria-sort=ascending]')");
        let numbers = last_cells(&tab);
        assert!(numbers.is_sorted(), "{numbers:?}");
        tab.click(&head);
        tab.wait("document.querySelector('th[aria-sort=descending]')");
        let numbers = last_cells(&tab);
        assert!(numbers.is_sorted_by(|a, b| a >= b), "{numbers:?}");
        assert_ne!(tab.value(CELLS), before);
        tab.click(&head);
        tab.wait("!document.querySelector('.report-table th[aria-sort]')");
        assert_eq!(tab.value(CELLS), before);
    });
}

fn last_cells(tab: &Tab) -> Vec<f64> {
    let cells = tab.value(CELLS);
    let cells = cells.as_array().unwrap().iter();
    cells
        .map(|row| row[1].as_str().unwrap().parse().unwrap())
        .collect()
}

#[test]
fn what_is_copied_of_a_table_is_the_file_on_disk() {
    let Some(tab) = or_skip() else { return };
    opened(&tab, |lab| {
        tab.cdp(
            "Browser.grantPermissions",
            &json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] }),
        );
        for (item, file) in [
            ("LaTeX", "scores.tex"),
            ("csv", "scores.csv"),
            ("Markdown", "scores.md"),
        ] {
            tab.click(&with_text(".table [data-menu]", "Copy"));
            tab.click(&with_text(".table .menu button", item));
            tab.wait(&with_text(".table [data-menu]", "Copied"));
            let copied = tab.text("navigator.clipboard.readText()");
            assert_eq!(copied, lab.read(&format!("reports/experiment/{file}")));
            tab.wait(&with_text(".table [data-menu]", "Copy"));
        }
    });
}

#[test]
fn what_is_copied_is_the_same_where_the_page_may_not_use_the_clipboard_itself() {
    let Some(tab) = or_skip() else { return };
    opened(&tab, |lab| {
        tab.value(
            "(() => { navigator.clipboard.writeText = async () => { throw new Error('not here'); }; \
             document.addEventListener('copy', () => { window.copied = document.activeElement.value; }); })()",
        );
        tab.click(&with_text(".table [data-menu]", "Copy"));
        tab.click(&with_text(".table .menu button", "csv"));
        tab.wait(&with_text(".table [data-menu]", "Copied"));
        // A selection knows one kind of line end.
        let file = lab
            .read("reports/experiment/scores.csv")
            .replace("\r\n", "\n");
        assert_eq!(tab.text("window.copied"), file);
    });
}

#[test]
fn day_and_night_follow_the_system_and_the_switch_and_can_be_read() {
    let Some(tab) = or_skip() else { return };
    opened(&tab, |_| {
        let (day, words) = colours(&tab);
        assert!(day - words > 0.5, "{day} {words}");
        tab.scheme("dark");
        let (night, words) = colours(&tab);
        assert!(words - night > 0.5, "{night} {words}");
        tab.click(&one("[data-theme-switch]"));
        assert_eq!(tab.text("document.documentElement.dataset.theme"), "light");
        assert!((colours(&tab).0 - day).abs() < 0.01);
        tab.click(&one("[data-theme-switch]"));
        assert!((colours(&tab).0 - night).abs() < 0.01);
        tab.click(&one("[data-theme-switch]"));
    });
}

#[test]
fn a_link_of_the_contents_leads_to_its_place_however_long_the_page_is() {
    let Some(tab) = or_skip() else { return };
    let mut page = sample::page("Many tables");
    let experiment = page.experiments[0].clone();
    page.experiments = (0..120)
        .map(|number| tribunal::output::page::Experiment {
            name: format!("sample-{number}"),
            ..experiment.clone()
        })
        .collect();
    let (_folder, path) = sample::file(&page, &sample::large(40, 30, 10));
    let url = format!("file://{}", path.display());
    calmly(&tab, &url, &url, || {
        tab.prefer("light", "no-preference");
        let links = "[...document.querySelectorAll('nav a')]";
        for link in [
            "find(one => one.hash === '#judgements')",
            "at(60)",
            "at(-1)",
        ] {
            let link = format!("{links}.{link}");
            tab.value(&format!("{link}.click()"));
            // What is on the way has been laid out, and the page rests.
            tab.value(
                "new Promise(done => { let [last, since] = [-1, performance.now()]; const look = () => { \
                 if (scrollY !== last) [last, since] = [scrollY, performance.now()]; \
                 if (performance.now() - since > 300) done(0); else requestAnimationFrame(look); }; look(); })",
            );
            let place = tab.value(&format!(
                "(box => [box.top, scrollY + innerHeight >= document.documentElement.scrollHeight - 2])\
                 (document.getElementById({link}.hash.slice(1)).getBoundingClientRect())"
            ));
            let top = place[0].as_f64().unwrap();
            assert!(
                top.abs() < 120.0 || place[1] == true && top > 0.0 && top < 900.0,
                "{link}: {place}"
            );
        }
    });
}

/// How light the page is and its words are, from 0 to 1.
fn colours(tab: &Tab) -> (f64, f64) {
    let light = |property: &str| {
        let colour = tab.text(&format!("getComputedStyle(document.body).{property}"));
        let numbers: Vec<f64> = colour
            .split(|sign: char| !sign.is_ascii_digit() && sign != '.')
            .filter_map(|number| number.parse().ok())
            .collect();
        (0.2126 * numbers[0] + 0.7152 * numbers[1] + 0.0722 * numbers[2]) / 255.0
    };
    (light("backgroundColor"), light("color"))
}

#[test]
fn a_phone_shows_the_page_without_scrolling_it_sideways() {
    let Some(tab) = or_skip() else { return };
    opened(&tab, |_| {
        for width in [320, 390, 768] {
            tab.size(width, 844);
            tab.wait(&format!("innerWidth === {width}"));
            tab.value("document.getElementById('judgements').scrollIntoView()");
            tab.wait(&one(".list-row"));
            assert!(tab.number("document.documentElement.scrollWidth") <= f64::from(width));
            tab.click(&one(".list-row"));
            tab.wait(&one(".detail-body mark, .detail-body .text"));
            assert!(tab.number("document.documentElement.scrollWidth") <= f64::from(width));
            tab.press(&["Escape"]);
            tab.wait("!document.querySelector('.detail').checkVisibility()");
        }
    });
}

#[test]
fn print_has_the_tables_and_not_the_browser_of_judgements() {
    let Some(tab) = or_skip() else { return };
    opened(&tab, |_| {
        tab.value("document.getElementById('judgements').scrollIntoView()");
        tab.wait(&one(".list-row"));
        tab.cdp("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
        assert_eq!(
            tab.value("document.querySelector('.report-table').checkVisibility()"),
            true
        );
        assert_eq!(
            tab.value("document.querySelector('#browser').checkVisibility()"),
            false
        );
        assert_eq!(
            tab.value("document.querySelector('nav').checkVisibility()"),
            false
        );
        assert_eq!(
            tab.value(
                "[...document.querySelectorAll('button:not(th button)')].some(one => one.checkVisibility())"
            ),
            false
        );
        let printed = tab.cdp("Page.printToPDF", &json!({}));
        assert!(
            printed["data"].as_str().unwrap().starts_with("JVBERi"),
            "it is a PDF"
        );
        tab.cdp("Emulation.setEmulatedMedia", &json!({ "media": "" }));
    });
}

/// The tree that a screen reader is given: roles with names, without what it ignores.
fn tree(tab: &Tab) -> Vec<(String, String)> {
    tab.cdp("Accessibility.enable", &json!({}));
    let tree = tab.cdp("Accessibility.getFullAXTree", &json!({}));
    tab.cdp("Accessibility.disable", &json!({}));
    let nodes = tree["nodes"].as_array().unwrap().iter();
    let word = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
    nodes
        .filter(|node| node["ignored"] != true && node["role"]["value"] != "InlineTextBox")
        .map(|node| (word(&node["role"]), word(&node["name"])))
        .collect()
}

#[test]
fn a_screen_reader_finds_landmarks_named_tables_and_no_control_without_a_name() {
    let Some(tab) = or_skip() else { return };
    opened(&tab, |_| {
        tab.value("document.getElementById('judgements').scrollIntoView()");
        tab.wait(&one(".list-row"));
        named(
            &tab,
            &[
                ("main", ""),
                ("banner", ""),
                ("navigation", "Contents"),
                ("heading", "Ferries"),
                ("heading", "Scores of ferries"),
                ("table", "Scores of ferries"),
                ("button", "strict"),
                ("grid", "Judgements"),
                ("form", "Filters"),
            ],
        );
        tab.click(&one(".list-row"));
        tab.wait(&one(".detail .text"));
        named(
            &tab,
            &[
                ("button", "Next judgement"),
                ("heading", "Scores read from the reply"),
                ("group", "Text of the document"),
            ],
        );
        tab.press(&["Escape"]);
    });
}

#[track_caller]
fn named(tab: &Tab, wanted: &[(&str, &str)]) {
    let tree = tree(tab);
    for (role, name) in wanted {
        let found = tree
            .iter()
            .any(|(is, called)| is == role && (name.is_empty() || called == name));
        assert!(found, "no {role} `{name}` in {tree:?}");
    }
    let controls = [
        "button",
        "link",
        "checkbox",
        "textbox",
        "searchbox",
        "spinbutton",
        "combobox",
        "table",
        "grid",
        "dialog",
        "DisclosureTriangle",
        "region",
        "img",
        "image",
        "form",
    ];
    for (role, name) in &tree {
        assert!(
            !controls.contains(&role.as_str()) || !name.trim().is_empty(),
            "a {role} without a name in {tree:?}"
        );
    }
}
